// Signing in: as a guest, with recovery codes, passkeys, email, and the account of a provider.

import type { Page } from '@playwright/test';
import { Engine } from './support/engine';
import { test as base, expect } from './support/fixtures';
import { CLIENT, MailSink, Provider } from './support/sign-in';

interface Door {
  engine: Engine;
  /** The origin of the page. Passkeys need a name, so it is not an address. */
  url: string;
  mails: MailSink;
}

const test = base.extend<{ devices: undefined }, { door: Door }>({
  door: [
    async ({}, use) => {
      const mails = await MailSink.start();
      const provider = await Provider.start('user 1');
      const engine = await Engine.start((port) => [
        ...['--page-origin', `http://localhost:${port}`],
        ...['--sign-in', 'passkey,mail', '--auth-limit', '0'],
        ...['--notices-smtp', mails.url, '--notices-from', 'Games <games@example.org>'],
        ...['--oidc-provider', `Example=${provider.issuer},${CLIENT}`],
      ]);
      await use({ engine, url: `http://localhost:${engine.port}`, mails });
      await engine.stop();
      provider.stop();
      mails.stop();
    },
    { scope: 'worker' },
  ],
  // An authenticator in the browser, which verifies its user without asking.
  devices: async ({ page }, use) => {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await use(undefined);
  },
});

async function register(page: Page, url: string, name: string): Promise<string[]> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Your name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create an account' }).click();
  const codes = await page.locator('.codes .secret').textContent();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();
  return (codes ?? '').split('\n');
}

async function signOut(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Your name', { exact: true })).toBeVisible();
}

test('a guest plays at once, takes a name, and signs out only when asked twice', async ({
  page,
  door,
}) => {
  await page.goto(`${door.url}/sign-in`);
  await page.getByRole('button', { name: 'Play as a guest' }).click();
  await page.getByRole('link', { name: /^Guest \d+$/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out?' });
  await expect(dialog).toContainText('only way back');
  await dialog.getByRole('button', { name: 'Stay signed in' }).click();
  await page.getByLabel('Choose your name').fill('Named Guest');
  await page.getByRole('button', { name: 'Take this name' }).click();
  await expect(page.getByRole('heading', { name: 'Named Guest', level: 1 })).toBeVisible();
  await expect(page.getByLabel('Choose your name')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create recovery codes' }).click();
  await expect(page.locator('.codes .secret')).toHaveText(/^(\w{4}-\w{4}-\w{4}-\w{4}\s?){10}$/);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Your name', { exact: true })).toBeVisible();
});

test('a recovery code signs in once', async ({ page, door }) => {
  const [code = ''] = await register(page, door.url, 'Forgetful Ann');
  await signOut(page, 'Forgetful Ann');
  const recover = async () => {
    await page.getByText('Lost your token?').click();
    await page.getByLabel('Name of your account').fill('Forgetful Ann');
    await page.getByLabel('Recovery code').fill(code);
    await page.getByRole('button', { name: 'Use the code' }).click();
  };
  await recover();
  await page.getByRole('link', { name: 'Forgetful Ann' }).click();
  await expect(page.getByText('9 unused recovery codes.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Your name', { exact: true })).toBeVisible();
  await recover();
  await expect(page.getByText('player or recovery code was not found')).toBeVisible();
});

test('a passkey is added, signs in, and can be removed', async ({ page, door, devices }) => {
  expect(devices).toBeUndefined();
  await register(page, door.url, 'Key Ann');
  await page.getByRole('link', { name: 'Key Ann' }).click();
  const ways = page.getByRole('region', { name: 'Ways back' });
  await ways.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(ways.getByText('passkey Chrome on Linux')).toBeVisible();
  await ways.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(ways.getByText('already has a passkey')).toBeVisible();
  await signOut(page, 'Key Ann');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('link', { name: 'Key Ann' }).click();
  await ways.getByRole('button', { name: 'Remove Chrome on Linux' }).click();
  await expect(ways.getByText('passkey Chrome on Linux')).toHaveCount(0);
  await signOut(page, 'Key Ann');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('No account has this passkey')).toBeVisible();
});

test('an email signs in by its code, and by its link in another browser', async ({
  page,
  elsewhere,
  door,
}) => {
  await page.goto(`${door.url}/sign-in`);
  await page.getByLabel('Email address').fill('ann@example.net');
  await page.getByRole('button', { name: 'Send a code' }).click();
  const [code = ''] = /^ {4}\d{6}$/m.exec(await door.mails.next()) ?? [];
  await page.getByLabel('Code from the email').fill(code === '    000000' ? '1' : '000000');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('The code is wrong')).toBeVisible();
  await page.getByLabel('Code from the email').fill(code);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel('Choose your name').fill('Mail Ann');
  await page.getByRole('button', { name: 'Take this name' }).click();
  await expect(page.getByText('email ann@example.net')).toBeVisible();

  const link = async () => {
    await elsewhere.goto(`${door.url}/sign-in`);
    await elsewhere.getByLabel('Email address').fill('ANN@example.net');
    await elsewhere.getByRole('button', { name: 'Send a code' }).click();
    const found = /http:\S+#mail=\S+/.exec(await door.mails.next())?.[0] ?? '';
    await elsewhere.goto('about:blank');
    return found;
  };
  await elsewhere.goto(await link());
  await expect(elsewhere.getByRole('link', { name: 'Mail Ann' })).toBeVisible();
  expect(elsewhere.url()).not.toContain('mail');

  // Each session is listed, and ends without the other one.
  await page.reload();
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await expect(tokens.getByText('web page')).toHaveCount(2);
  await tokens.getByRole('button', { name: 'Revoke web page' }).click();
  await expect(tokens.getByText('web page')).toHaveCount(1);
  await elsewhere.reload();
  await expect(elsewhere.getByRole('link', { name: 'Sign in' })).toBeVisible();

  // The link of a sign-in that another browser started signs in only after a question.
  const foreign = await link();
  await elsewhere.goto(`${door.url}/sign-in`);
  await elsewhere.evaluate(() => localStorage.clear());
  await elsewhere.goto('about:blank');
  await elsewhere.goto(foreign);
  await expect(elsewhere.locator('main')).toContainText('signs this browser in as Mail Ann');
  await elsewhere.getByRole('button', { name: 'Do not sign in' }).click();
  await expect(elsewhere.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(tokens.getByText('web page')).toHaveCount(1);
});

test('the account of a provider signs in, and is added to an account', async ({ page, door }) => {
  await page.goto(`${door.url}/sign-in`);
  await page.getByRole('button', { name: 'Continue with Example' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'account at Example' })).toBeVisible();
  expect(page.url()).toBe(`${door.url}/account`);
  await page.getByLabel('Choose your name').fill('Provided Ann');
  await page.getByRole('button', { name: 'Take this name' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Continue with Example' }).click();
  await expect(page.getByRole('link', { name: 'Provided Ann' })).toBeVisible();
  await signOut(page, 'Provided Ann');

  await register(page, door.url, 'Other Ann');
  await page.getByRole('link', { name: 'Other Ann' }).click();
  await page.getByRole('button', { name: 'Add an account at Example' }).click();
  await expect(page.getByText('belongs to another account')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Other Ann' })).toBeVisible();

  // A return that this tab did not request signs nobody in.
  await page.goto(`${door.url}/sign-in?code=x&state=y`);
  await expect(page.getByText('did not start in this tab')).toBeVisible();
});
