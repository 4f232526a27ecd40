// Browser notifications: "your turn" while the page is hidden.

import type { Page } from '@playwright/test';
import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';

interface Shown {
  title: string;
  body: string;
  tag: string;
}

/** Records the notifications of the page, so that a test can click them. */
async function noted(page: Page): Promise<() => Promise<Shown[]>> {
  await page.addInitScript(() => {
    const shown: object[] = [];
    const Real = window.Notification;
    class Noted extends Real {
      constructor(title: string, options: NotificationOptions = {}) {
        super(title, options);
        const { body, tag } = options;
        shown.push({ title, body, tag });
        Object.assign(window, { lastNotice: this });
      }
    }
    Object.assign(window, { Notification: Noted, shown });
  });
  return () => page.evaluate(() => (window as unknown as { shown: Shown[] }).shown);
}

/** Sets whether the page believes it is visible. */
async function look(page: Page, sees: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    sees ? 'visible' : 'hidden',
  );
}

test('a hidden page shows a notification, and a click opens the game', async ({
  page,
  place,
  context,
}) => {
  const ann = await place.newcomer();
  await context.grantPermissions(['notifications'], { origin: place.proxy.url });
  const shown = await noted(page);
  await openFor(page, place, ann, '/account');
  const tick = page.getByLabel('Notify me in this browser');
  await tick.check();
  await expect(tick).toBeChecked();
  await page.getByRole('link', { name: 'Games', exact: true }).click();
  await expect(page.getByText('No games yet')).toBeVisible();

  // A visible page shows a toast and no system notification.
  const first = await solo(ann, 'diplomacy', 6, { name: 'Seen' });
  await expect(page.locator('.toast', { hasText: 'Seen' }).first()).toBeVisible();
  expect(await shown()).toEqual([]);
  expect(first).not.toBe('');

  await look(page, false);
  const id = await solo(ann, 'diplomacy', 6, { name: 'Unseen <b>game</b>' });
  await expect
    .poll(shown)
    .toContainEqual(expect.objectContaining({ title: 'Unseen <b>game</b>', tag: id }));
  const turns = (await shown()).filter(({ tag }) => tag === id);
  expect(turns.map(({ body }) => body).join(' ')).toMatch(/your turn|orders|decide|waits/i);
  await expect(page).toHaveTitle(/^\(2\) /);
  await look(page, true);
  await page.evaluate(() =>
    (window as unknown as { lastNotice: Notification }).lastNotice.dispatchEvent(
      new Event('click'),
    ),
  );
  await expect(page).toHaveURL(new RegExp(`/game/${id}$`));
  await expect(page.locator('.prompt')).toContainText('Spring 1901');
});

test('notifications are off by default', async ({ page, place, context }) => {
  const ann = await place.newcomer();
  await context.grantPermissions(['notifications'], { origin: place.proxy.url });
  const shown = await noted(page);
  await openFor(page, place, ann);
  await expect(page.getByText('No games yet')).toBeVisible();
  await look(page, false);
  await solo(ann, 'diplomacy', 6, { name: 'Quiet' });
  // The page has received the notice, because its title counts it.
  await expect(page).toHaveTitle(/^\(1\) /);
  expect(await shown()).toEqual([]);
});
