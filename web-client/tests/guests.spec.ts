// Watching without an account, and signing in by a code.

import { expect, test } from './support/fixtures';
import { solo } from './support/people';

test('a guest watches a public game, and is asked to sign in for all else', async ({
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6, { name: 'To be watched' });
  await page.goto(place.front.url);
  await page.getByRole('tab', { name: 'Watch' }).click();
  await page.getByRole('link', { name: 'To be watched' }).first().click();
  await expect(page).toHaveURL(new RegExp(`/game/${id}$`));
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.getByText('you watch')).toBeVisible();
  await expect(page.locator('.offer-button')).toHaveCount(0);
  await page.goto(`${place.front.url}/new`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('a code signs in once, and leaves no trace in the address', async ({ page, place }) => {
  const ann = await place.newcomer();
  const { code } = await ann.players.createSignInCode({});
  await page.goto(`${place.front.url}/#code=${code}`);
  await expect(page.getByRole('link', { name: ann.name })).toBeVisible();
  expect(page.url()).not.toContain('code');
  expect(place.front.paths.filter((path) => path.includes(code))).toEqual([]);
  const { tokens } = await ann.players.listTokens({});
  expect(tokens).toHaveLength(2);
  // The page stays signed in; the code is used up.
  await page.reload();
  await expect(page.getByRole('link', { name: ann.name })).toBeVisible();
  await expect(ann.players.signIn({ code })).rejects.toThrow();
});
