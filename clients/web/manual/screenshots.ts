// Takes screenshots that the tests do not compare, at three widths. A person looks at them:
// npm run screenshots writes them to test-results/screenshots.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, openFor, test } from '../tests/support/fixtures';
import { person, solo } from '../tests/support/people';
import { RandomClicker } from '../tests/support/random-clicker';

const FOLDER = resolve(import.meta.dirname, '../test-results/screenshots');
const SCENARIO = resolve(import.meta.dirname, '../../../examples/scenarios/combat-dice.json');

async function shot(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [1366, 768],
    [2560, 1300],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${FOLDER}/${name}-${width}.png`, animations: 'disabled' });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('a table with warnings, the result, and the verification of the dice', async ({
  page,
  place,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
  const ada = await place.newcomer();
  const id = await solo(ada, 'diplomacy', 6, { name: 'Warned' });
  await openFor(page, place, ada, `/game/${id}`);
  await page.getByRole('combobox', { name: 'Order 1' }).fill('A Vie S A Bud');
  await expect(page.locator('.warnings.soft')).toBeVisible();
  await shot(page, 'typed');
  await page.getByRole('button', { name: 'I am ready' }).click();
  await expect(page.locator('dialog.confirm')).toBeVisible();
  await shot(page, 'warned');
  await page.locator('dialog.confirm [data-fix]').first().click();
  await shot(page, 'fixed');
  for (const kind of ['star-empires', 'stellar-conquest', 'it-came-from-outer-space']) {
    const other = await solo(ada, kind, 1);
    await page.goto(`${place.proxy.url}/game/${other}`);
    await expect(page.locator('.stage[data-drawn]')).toBeVisible();
    await expect(page.locator('.orders, .awaited').first()).toBeVisible();
    await shot(page, kind);
  }
  await page.goto(place.proxy.url);
  await expect(page.locator('.game').first()).toBeVisible();
  await shot(page, 'lobby');
  await page.goto(`${place.proxy.url}/account`);
  await expect(page.getByText('this device', { exact: true })).toBeVisible();
  await shot(page, 'account');
  const over = await solo(ada, 'starships-at-large', 1, { options: { rounds: 2 } });
  await page.goto(`${place.proxy.url}/game/${over}`);
  await new RandomClicker(page, 11).play();
  await shot(page, 'end');
  await page.getByRole('link', { name: 'Verify the dice' }).click();
  await page.getByRole('button', { name: 'Download and verify' }).click();
  await expect(page.locator('.verdict-good')).toBeVisible();
  await shot(page, 'proof');
});

/** The number of automated players, and the number of events before the screenshot. */
const TABLES: [string, number, number][] = [
  ['diplomacy', 6, 60],
  ['it-came-from-outer-space', 3, 40],
  ['starships-at-large', 3, 30],
  ['star-empires', 5, 400],
  ['stellar-conquest', 3, 60],
  ['fate-of-empire', 0, 30],
  ['alone-in-outer-space', 1, 30],
];

for (const [kind, automated, events] of TABLES) {
  test(`the table of ${kind} in all themes`, async ({ page, place }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const ada = await place.newcomer();
    const gameId = await solo(ada, kind, automated);
    // Automation plays, and then the player takes over.
    await ada.games.delegate({ gameId, automation: { profile: '', level: 'random' } });
    const number = async () => Number((await ada.games.getView({ gameId })).cursor?.number ?? 0);
    await expect
      .poll(number, { timeout: 60_000, intervals: [10] })
      .toBeGreaterThanOrEqual(events)
      .catch(() => undefined);
    await ada.games.delegate({ gameId });
    await openFor(page, place, ada, `/game/${gameId}`);
    for (const theme of ['dark', 'light', 'color-blind', 'color-blind-light']) {
      await page.getByLabel('Theme').selectOption(theme);
      await expect(page.locator('.stage[data-drawn]')).toBeVisible();
      await expect(page.locator('.orders, .awaited').first()).toBeVisible();
      await shot(page, `${kind}-${theme}`);
    }
  });
}

test('the pages of operators, hosts and scenario authors', async ({ page, browser, place }) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
  const operator = person(place.engine.url, 'admin', place.engine.token('admin'));
  await openFor(page, place, operator, '/operator');
  await expect(page.locator('.chart').first()).toBeVisible();
  await shot(page, 'server');
  for (const tab of ['Games', 'Players', 'Automation']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.locator('.data').first()).toBeVisible();
    await shot(page, `operator-${tab.toLowerCase()}`);
  }
  const ada = await place.newcomer();
  const id = await solo(ada, 'diplomacy', 6, { name: 'Hosted' });
  const context = await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const theirs = await context.newPage();
  await openFor(theirs, place, ada, `/game/${id}`);
  await theirs.getByRole('tab', { name: 'Table' }).click();
  const desk = theirs.locator('details.desk > summary');
  await desk.click();
  await desk.scrollIntoViewIfNeeded();
  await shot(theirs, 'host');
  await theirs.goto(`${place.proxy.url}/desk`);
  await theirs.getByLabel('Or paste the text').fill(readFileSync(SCENARIO, 'utf8'));
  await theirs
    .getByRole('form', { name: 'Scenario file' })
    .getByRole('button', { name: 'Set up' })
    .click();
  await expect(theirs.locator('.seat-view svg').first()).toBeVisible();
  await shot(theirs, 'desk');
  await context.close();
});
