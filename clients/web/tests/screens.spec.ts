// Compares the key screens at three widths with stored images. After an intended change run
// npx playwright test screens --update-snapshots and look at each image.

import type { Page } from '@playwright/test';
import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';

const WIDTHS: readonly (readonly [number, number])[] = [
  [360, 740],
  [1280, 800],
  [2560, 1300],
];

async function shot(page: Page, name: string): Promise<void> {
  for (const [width, height] of WIDTHS) {
    await page.setViewportSize({ width, height });
    await expect(page).toHaveScreenshot(`${name}-${width}.png`, {
      animations: 'disabled',
      caret: 'hide',
      maxDiffPixelRatio: 0.03,
      mask: [page.locator('.secret')],
    });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('twelve screens at three widths', async ({ page, place }) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
  await page.goto(`${place.proxy.url}/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await shot(page, 'sign-in');

  const ada = await place.newcomer('Ada');
  await openFor(page, place, ada);
  await expect(page.getByText('No games yet')).toBeVisible();
  await shot(page, 'lobby');
  await page.goto(`${place.proxy.url}/new`);
  await page.locator('.kind').first().waitFor();
  await shot(page, 'new-game');
  await page.getByRole('radio', { name: /^Diplomacy/ }).check();
  for (const summary of await page.locator('form details > summary').all()) await summary.click();
  await shot(page, 'new-game-form');
  await page.goto(`${place.proxy.url}/join`);
  await page.getByRole('button', { name: 'Take a seat' }).waitFor();
  await shot(page, 'join');

  const { game } = await ada.games.createGame({
    seatsInOrder: true,
    kind: 'starships-at-large',
    name: 'An evening among the stars',
    seats: [{ plan: { case: 'open', value: {} } }, { plan: { case: 'open', value: {} } }],
    isPrivate: true,
    requestId: crypto.randomUUID(),
  });
  await page.goto(`${place.proxy.url}/game/${game?.gameId}`);
  await expect(page.getByText('Waiting for 1 player')).toBeVisible();
  await shot(page, 'forming');

  const id = await solo(ada, 'diplomacy', 6, { name: 'Europe, 1901' });
  const table = `${place.proxy.url}/game/${id}`;
  await page.goto(table);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.locator('.offer-button').first()).toBeEnabled();
  await shot(page, 'table');
  await page.getByRole('tab', { name: 'Messages' }).click();
  await shot(page, 'messages');
  await page.getByRole('tab', { name: 'Table' }).click();
  await shot(page, 'players');
  await page.getByRole('button', { name: 'Show places and pieces as a tree' }).click();
  await expect(page.getByRole('tree')).toBeVisible();
  await shot(page, 'tree');
  await page.getByRole('button', { name: 'Show places and pieces as a tree' }).click();
  await page.goto(`${table}/phase/0`);
  await expect(page.locator('.timeline-title')).toHaveText('The setup');
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await shot(page, 'past');
  await page.goto(`${table}/report/0`);
  await expect(page.locator('.report-page')).toBeVisible();
  await expect(page.getByLabel('Phase', { exact: true })).toHaveValue('0');
  await shot(page, 'report');
});
