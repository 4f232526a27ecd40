// The key screens at three widths, compared with what they were. After a change that is meant:
// npx playwright test screens --update-snapshots, and look at each picture.

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
  await page.goto(`${place.front.url}/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await shot(page, 'door');

  const ada = await place.newcomer('Ada');
  await openFor(page, place, ada);
  await expect(page.getByText('No games yet')).toBeVisible();
  await shot(page, 'lobby');
  await page.goto(`${place.front.url}/new`);
  await page.locator('.kind').first().waitFor();
  await shot(page, 'new-game');
  await page.getByRole('radio', { name: /^Diplomacy/ }).check();
  for (const summary of await page.locator('form details > summary').all()) await summary.click();
  await shot(page, 'new-game-form');
  await page.goto(`${place.front.url}/join`);
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
  await page.goto(`${place.front.url}/game/${game?.gameId}`);
  await expect(page.getByText('Waiting for 1 player')).toBeVisible();
  await shot(page, 'forming');

  const id = await solo(ada, 'diplomacy', 6, { name: 'Europe, 1901' });
  const table = `${place.front.url}/game/${id}`;
  await page.goto(table);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.locator('.offer-button').first()).toBeEnabled();
  await shot(page, 'table');
  await page.getByRole('tab', { name: 'Letters' }).click();
  await shot(page, 'letters');
  await page.getByRole('tab', { name: 'Table' }).click();
  await shot(page, 'people');
  await page.getByRole('button', { name: 'Places and pieces as a tree' }).click();
  await expect(page.getByRole('tree')).toBeVisible();
  await shot(page, 'tree');
  await page.getByRole('button', { name: 'Places and pieces as a tree' }).click();
  await page.goto(`${table}/phase/0`);
  await expect(page.locator('.timeline-title')).toHaveText('The set-up');
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await shot(page, 'past');
  await page.goto(`${table}/report/0`);
  await expect(page.locator('.report-page')).toBeVisible();
  await expect(page.getByLabel('Of which phase')).toHaveValue('0');
  await shot(page, 'report');
});
