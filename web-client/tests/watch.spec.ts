// Who may watch, as the operator has set it, and what the page shows to those who may not.

import type { Page } from '@playwright/test';
import { Engine } from './support/engine';
import { expect, openFor, type Place, test } from './support/fixtures';
import { Front } from './support/front';
import { register, solo } from './support/people';

async function watched(
  rule: string,
  check: (place: Place, id: string, page: Page) => Promise<void>,
  page: Page,
): Promise<void> {
  const engine = await Engine.start(['--watch', rule]);
  engine.automate();
  const front = await Front.start(() => engine.port);
  try {
    const newcomer = (name = 'Bob') => register(engine.url, name);
    const ann = await newcomer('Ann');
    const id = await solo(ann, 'diplomacy', 6, { name: 'Watched by some' });
    await check({ engine, front, newcomer }, id, page);
  } finally {
    await front.stop();
    await engine.stop();
  }
}

test('--watch players: a guest is asked to sign in, whoever has an account watches', async ({
  page,
}) => {
  await watched(
    'players',
    async (place, id) => {
      for (const path of ['/', `/game/${id}`, `/game/${id}/phase/0`, `/game/${id}/report`]) {
        await page.goto(`${place.front.url}${path}`);
        await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
        await expect(page.getByText('Look around without an account')).toHaveCount(0);
        await expect(page.getByText('Watched by some')).toHaveCount(0);
      }
      // Signed in at the door of a game, one stands before the game.
      const bob = await place.newcomer();
      await page.goto(`${place.front.url}/game/${id}`);
      await page.getByLabel('Token', { exact: true }).fill(bob.token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByText('you watch')).toBeVisible();
      await expect(page.locator('.stage[data-drawn]')).toBeVisible();
      await expect(page.locator('.offer-button')).toHaveCount(0);
      await page.goto(place.front.url);
      await page.getByRole('tab', { name: 'Watch' }).click();
      await expect(page.getByRole('link', { name: 'Watched by some' })).toBeVisible();
    },
    page,
  );
});

test('--watch none: nobody watches, and the page says so', async ({ page }) => {
  await watched(
    'none',
    async (place, id) => {
      const bob = await place.newcomer();
      await openFor(page, place, bob);
      await expect(page.getByRole('tab', { name: 'Open games' })).toBeVisible();
      await expect(page.getByRole('tab', { name: 'Watch' })).toHaveCount(0);
      await page.goto(`${place.front.url}/game/${id}`);
      await expect(page.getByRole('alert').first()).toBeVisible();
      await expect(page.getByText('There is no such game')).toHaveCount(0);
      await expect(page.locator('.stage[data-drawn]')).toHaveCount(0);
      await expect(page.getByText('connecting again')).toHaveCount(0);
      // Those who play see their own game.
      const { game } = await bob.games.createGame({
        seatsInOrder: true,
        kind: 'starships-at-large',
        name: 'My own',
        seats: [
          { plan: { case: 'open', value: {} } },
          { plan: { case: 'automated', value: { profile: '', level: 'random' } } },
        ],
        startWhenFull: true,
        requestId: crypto.randomUUID(),
      });
      await page.goto(`${place.front.url}/game/${game?.gameId}`);
      await expect(page.locator('.stage[data-drawn]')).toBeVisible();
    },
    page,
  );
});
