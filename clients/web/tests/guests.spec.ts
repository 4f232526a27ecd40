// Watching without an account, and signing in with a code.

import { expect, test } from './support/fixtures';
import { solo } from './support/people';

test('a guest can watch a public game and must sign in for everything else', async ({
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6, { name: 'To be watched' });
  await page.goto(place.proxy.url);
  await page.getByRole('tab', { name: 'Watch' }).click();
  await page.getByRole('link', { name: 'To be watched' }).first().click();
  await expect(page).toHaveURL(new RegExp(`/game/${id}$`));
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.getByText('watching')).toBeVisible();
  await expect(page.locator('.offer-button')).toHaveCount(0);
  await page.goto(`${place.proxy.url}/new`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('a code signs in once and is removed from the address', async ({ page, place }) => {
  const ann = await place.newcomer();
  // Any page can open a link with a code, so the player is asked first.
  const foreign = await ann.players.createSignInCode({});
  await page.goto(`${place.proxy.url}/#code=${foreign.code}`);
  await expect(page.locator('main')).toContainText(`signs this browser in as ${ann.name}`);
  await page.getByRole('button', { name: 'Do not sign in' }).click();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect.poll(async () => (await ann.players.listTokens({})).tokens.length).toBe(1);

  const { code } = await ann.players.createSignInCode({});
  await page.goto('about:blank');
  await page.goto(`${place.proxy.url}/#code=${code}`);
  await page.getByRole('button', { name: `Sign in as ${ann.name}` }).click();
  await expect(page.getByRole('link', { name: ann.name })).toBeVisible();
  expect(page.url()).not.toContain('code');
  expect(place.proxy.paths.filter((path) => path.includes(code))).toEqual([]);
  const { tokens } = await ann.players.listTokens({});
  expect(tokens).toHaveLength(2);
  // The page stays signed in, although the code is used up.
  await page.reload();
  await expect(page.getByRole('link', { name: ann.name })).toBeVisible();
  await expect(ann.players.signIn({ code })).rejects.toThrow();
});
