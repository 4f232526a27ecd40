// Playback of past phases, and the names of phases.

import type { Page } from '@playwright/test';
import { expect, openFor, type Place, test } from './support/fixtures';
import { type Person, solo } from './support/people';

const last = async (page: Page) =>
  Number(await page.getByRole('slider', { name: 'Phase' }).getAttribute('max'));

/** Opens a game of one player that has several phases. */
async function withPhases(page: Page, place: Place): Promise<[Person, string]> {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.prompt')).toContainText('Spring 1901');
  for (let phase = 1; phase <= 4; phase += 1) {
    await expect(async () => {
      const { phase: open } = await ann.games.getOffers({ gameId: id });
      const requestId = crypto.randomUUID();
      await ann.games.setReady({ gameId: id, phase: open, ready: true, requestId });
    }).toPass();
    await expect.poll(async () => last(page)).toBeGreaterThan(phase);
  }
  return [ann, id];
}

test('playback of a running game shows its latest phase', async ({ page, place }) => {
  const [, id] = await withPhases(page, place);
  await page.getByRole('button', { name: 'Replay the latest phase' }).click();
  const most = await last(page);
  await expect(page).toHaveURL(new RegExp(`/phase/${most - 2}$`));
  await expect(page).toHaveURL(new RegExp(`/phase/${most - 1}$`));
  await expect(page).toHaveURL(new RegExp(`/game/${id}$`));
  await expect(page.locator('.timeline-title')).toHaveText('Now');
  await expect(page.getByRole('button', { name: 'Replay the latest phase' })).toBeVisible();

  // At a past phase, playback continues from there.
  await page.goto(`${place.proxy.url}/game/${id}/phase/0`);
  await page.getByRole('button', { name: 'Play from here' }).click();
  await expect(page).toHaveURL(/\/phase\/1$/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Play from here' })).toBeVisible();
});

test('each phase has its own name in the list of reports', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'starships-at-large', 3);
  await openFor(page, place, ann, `/game/${id}/report`);
  await expect(async () => {
    // The first turn may be Ann's.
    const { phase, revision } = await ann.games.getOffers({ gameId: id });
    const decision = { gameId: id, phase, revision, requestId: crypto.randomUUID() };
    await ann.games.submitOrders({ ...decision, orders: { text: 'end' } }).catch(() => undefined);
    expect((await ann.games.listPhases({ gameId: id })).phases.length).toBeGreaterThan(1);
  }).toPass({ timeout: 20_000 });
  await page.reload();
  const options = page.getByLabel('Phase', { exact: true }).locator('option');
  await expect.poll(() => options.count()).toBeGreaterThan(3);
  const names = await options.allTextContents();
  expect(new Set(names).size).toBe(names.length);
});
