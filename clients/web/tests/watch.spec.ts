// Checks who may watch under each setting of the operator, and what the page shows to others.

import type { Page } from '@playwright/test';
import { Engine } from './support/engine';
import { expect, openFor, type Place, test } from './support/fixtures';
import { register, solo } from './support/people';
import { EngineProxy } from './support/proxy';

async function watched(
  rule: string,
  check: (place: Place, id: string, page: Page) => Promise<void>,
  page: Page,
): Promise<void> {
  const engine = await Engine.start(['--watch', rule]);
  engine.automate();
  const proxy = await EngineProxy.start(() => engine.port);
  try {
    const newcomer = (name = 'Bob') => register(engine.url, name);
    const ann = await newcomer('Ann');
    const id = await solo(ann, 'diplomacy', 6, { name: 'Watched by some' });
    await check({ engine, proxy, newcomer }, id, page);
  } finally {
    await proxy.stop();
    await engine.stop();
  }
}

test('--watch players: guests are asked to sign in, players can watch', async ({ page }) => {
  await watched(
    'players',
    async (place, id) => {
      for (const path of ['/', `/game/${id}`, `/game/${id}/phase/0`, `/game/${id}/report`]) {
        await page.goto(`${place.proxy.url}${path}`);
        await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
        await expect(page.getByText('Watch without an account')).toHaveCount(0);
        await expect(page.getByText('Watched by some')).toHaveCount(0);
      }
      // Signing in on the page of a game returns to the game.
      const bob = await place.newcomer();
      await page.goto(`${place.proxy.url}/game/${id}`);
      await page.getByLabel('Token', { exact: true }).fill(bob.token);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByText('watching')).toBeVisible();
      await expect(page.locator('.stage[data-drawn]')).toBeVisible();
      await expect(page.locator('.offer-button')).toHaveCount(0);
      await page.goto(place.proxy.url);
      await page.getByRole('tab', { name: 'Watch' }).click();
      await expect(page.getByRole('link', { name: 'Watched by some' })).toBeVisible();
    },
    page,
  );
});

test('--watch none: watching is off, and the page shows so', async ({ page }) => {
  await watched(
    'none',
    async (place, id) => {
      const bob = await place.newcomer();
      await openFor(page, place, bob);
      await expect(page.getByRole('tab', { name: 'Open games' })).toBeVisible();
      await expect(page.getByRole('tab', { name: 'Watch' })).toHaveCount(0);
      await page.goto(`${place.proxy.url}/game/${id}`);
      await expect(page.getByRole('alert').first()).toBeVisible();
      await expect(page.getByText('Game not found')).toHaveCount(0);
      await expect(page.locator('.stage[data-drawn]')).toHaveCount(0);
      await expect(page.getByText('reconnecting')).toHaveCount(0);
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
      await page.goto(`${place.proxy.url}/game/${game?.gameId}`);
      await expect(page.locator('.stage[data-drawn]')).toBeVisible();
    },
    page,
  );
});
