// Players cannot lose access to their account: registration, signing out, and sign-in links.

import type { Page } from '@playwright/test';
import { expect, openFor, test } from './support/fixtures';

const TOKEN = '.secret:text("hp_")';

/** Creates an account on the page and returns the token that it shows. */
async function registerOnPage(page: Page, url: string, name: string): Promise<string> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Your name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await expect(page.getByText('they are the way back into your account')).toBeVisible();
  return (await page.locator(TOKEN).textContent()) ?? '';
}

async function signInWith(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('a new account shows its token and can be used after signing out', async ({
  context,
  page,
  place,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const token = await registerOnPage(page, place.proxy.url, 'Fresh Ann');
  expect(token).toMatch(/^hp_/);
  // The step remains until the player confirms it, even after a reload or at another address.
  await page.reload();
  await expect(page.locator(TOKEN)).toHaveText(token);
  await page.goto(`${place.proxy.url}/new`);
  await expect(page.locator(TOKEN)).toHaveText(token);
  await page.goto(`${place.proxy.url}/sign-in`);
  await page.getByRole('button', { name: 'Copy token' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Games', level: 1 })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Games', level: 1 })).toBeVisible();

  await page.getByRole('link', { name: 'Fresh Ann' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Your name', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Your name', { exact: true })).toBeVisible();
  await signInWith(page, token);
  await expect(page.getByRole('link', { name: 'Fresh Ann' })).toBeVisible();
});

test('a player who does not stay signed in confirms the token first', async ({ page, place }) => {
  await page.goto(`${place.proxy.url}/sign-in`);
  await page.getByLabel('Stay signed in on this device').uncheck();
  await page.getByLabel('Your name', { exact: true }).fill('Passing Bob');
  await page.getByRole('button', { name: 'Create an account' }).click();
  const secret = page.locator(TOKEN);
  const token = (await secret.textContent()) ?? '';
  await page.reload();
  await expect(secret).toHaveText(token);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await expect(page.getByRole('heading', { name: 'Games', level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('the token can be copied without the clipboard API', async ({ page, place }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await registerOnPage(page, place.proxy.url, 'Plain Http');
  await page.getByRole('button', { name: 'Copy token' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
});

test('signing out after a sign-in link revokes only the token of the link', async ({
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const { code } = await ann.players.createSignInCode({});
  await page.goto(`${place.proxy.url}/#code=${code}`);
  await page.getByRole('button', { name: `Sign in as ${ann.name}` }).click();
  await page.getByRole('link', { name: ann.name }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out?' });
  await dialog.getByRole('button', { name: 'Create a token to save' }).click();
  const kept = (await dialog.locator('.secret').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have saved it: sign out' }).click();
  await expect(page.getByLabel('Your name', { exact: true })).toBeVisible();
  const { tokens } = await ann.players.listTokens({});
  expect(tokens.map((token) => token.name).toSorted()).toEqual(['first', 'saved at sign-out']);
  await signInWith(page, kept);
  await expect(page.getByRole('link', { name: ann.name })).toBeVisible();
});

test('a link to another account asks before it replaces the session', async ({ page, place }) => {
  const ann = await place.newcomer();
  const eve = await place.newcomer();
  const link = async () =>
    `${place.proxy.url}/#code=${(await eve.players.createSignInCode({})).code}`;
  await openFor(page, place, ann);

  // In a new page: the player declines the link, which leaves nothing behind.
  await page.goto('about:blank');
  await page.goto(await link());
  await expect(page.getByRole('heading', { name: 'Sign in as another account?' })).toBeVisible();
  await expect(page.locator('main')).toContainText(`You are signed in as ${ann.name}`);
  await expect(page.locator('main')).toContainText(eve.name);
  expect(page.url()).not.toContain('code');
  await page.getByRole('button', { name: `Stay ${ann.name}` }).click();
  await expect(page.getByRole('heading', { name: 'Games', level: 1 })).toBeVisible();
  await expect.poll(async () => (await eve.players.listTokens({})).tokens.length).toBe(1);
  await page.reload();
  await expect(page.getByRole('link', { name: ann.name })).toBeVisible();

  await page.goto(await link());
  await expect(page.getByRole('heading', { name: 'Sign in as another account?' })).toBeVisible();
  expect(page.url()).not.toContain('code');
  await page.getByRole('button', { name: `Sign in as ${eve.name}` }).click();
  await expect(page.getByRole('link', { name: eve.name })).toBeVisible();

  // The previous account can be chosen again, after a reload and after signing out.
  await page.reload();
  await page.getByRole('link', { name: eve.name }).click();
  await page.getByRole('button', { name: `Sign in as ${ann.name}` }).click();
  await expect(page.getByRole('heading', { name: ann.name, level: 1 })).toBeVisible();
  await page.getByRole('button', { name: `Sign in as ${eve.name}` }).click();
  await expect(page.getByRole('heading', { name: eve.name, level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: `Sign in as ${ann.name}` }).click();
  await expect(page.getByRole('link', { name: ann.name })).toBeVisible();
});

test('a link to the same account changes nothing, and a used link shows an error', async ({
  page,
  place,
}) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann);
  const { code } = await ann.players.createSignInCode({});
  await page.goto(`${place.proxy.url}/#code=${code}`);
  await expect.poll(async () => (await ann.players.listTokens({})).tokens.length).toBe(1);
  await expect(page.getByRole('heading', { name: 'Games', level: 1 })).toBeVisible();
  await page.goto(`${place.proxy.url}/#code=${code}`);
  await expect(page.locator('.toast')).toContainText('code');
  await expect(page.getByRole('link', { name: ann.name })).toBeVisible();
});
