// Accessibility of every screen: axe finds no problems, the page never scrolls horizontally, no text
// is smaller than 10 pixels, and no target smaller than 24 pixels, or 44 for a finger.

import type { Page } from '@playwright/test';
import { look } from './support/audit';
import { expect, openFor, type Place, test } from './support/fixtures';
import { person, solo } from './support/people';
import { RandomClicker } from './support/random-clicker';

const quiet = async (page: Page) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
};

test('the sign-in page', async ({ page, place }) => {
  await quiet(page);
  await page.goto(`${place.proxy.url}/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await look(page);
});

test('the lobby and its lists', async ({ page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  await openFor(page, place, ann);
  await expect(page.getByText('No games yet')).toBeVisible();
  await look(page);
  await solo(ann, 'diplomacy', 6);
  await page.reload();
  await expect(page.locator('.game').first()).toBeVisible();
  await look(page);
  for (const tab of ['Open games', 'Watch', 'Finished']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.locator('.loading')).toHaveCount(0);
    await look(page);
  }
});

test('the form of a new game, for every kind', async ({ page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/new');
  const kinds = page.locator('.kind');
  await expect(kinds).toHaveCount(7);
  for (let index = 0; index < 7; index += 1) {
    await kinds.nth(index).click();
    for (const summary of await page.locator('form details > summary').all()) await summary.click();
    if (index % 3 === 0) await look(page);
    for (const summary of await page.locator('form details > summary').all()) await summary.click();
  }
});

test('a table with its tabs, tree and past phases', async ({ page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await look(page);
  const clicker = new RandomClicker(page, 5);
  for (let step = 0; step < 4; step += 1) await clicker.step();
  for (const tab of ['News', 'Messages', 'Table', 'Orders']) {
    await page.getByRole('tab', { name: new RegExp(tab) }).click();
    await look(page);
  }
  await page.getByRole('button', { name: 'Show places and pieces as a tree' }).click();
  await look(page);
  await page.goto(`${place.proxy.url}/game/${id}/phase/0`);
  await expect(page.locator('.timeline-title')).toHaveText('The setup');
  await look(page);
  await page.goto(`${place.proxy.url}/game/${id}/report`);
  await expect(page.locator('.report-page')).toBeVisible();
  await look(page);
});

/** The number of automated players, and of clicks between the screens. */
const TABLES: [string, number, number][] = [
  ['it-came-from-outer-space', 3, 5],
  ['starships-at-large', 2, 12],
  ['star-empires', 1, 8],
  ['stellar-conquest', 1, 10],
  ['fate-of-empire', 0, 10],
  ['alone-in-outer-space', 1, 10],
];

for (const [kind, automated, steps] of TABLES) {
  test(`the table of ${kind} in two phases`, async ({ page, place }) => {
    await quiet(page);
    const ann = await place.newcomer();
    await openFor(page, place, ann, `/game/${await solo(ann, kind, automated)}`);
    await expect(page.locator('.stage[data-drawn]')).toBeVisible();
    await expect(page.locator('.orders:not(.stale)')).toBeVisible();
    await look(page);
    const clicker = new RandomClicker(page, 5, 0.9);
    for (let step = 0; step < steps; step += 1) await clicker.step();
    await look(page);
  });
}

test('tutorials and rulebooks', async ({ page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/learn');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await look(page);
  await page.goto(`${place.proxy.url}/rules/diplomacy`);
  await expect(page.getByRole('heading', { name: 'Diplomacy', level: 1 })).toBeVisible();
  await look(page);
  await page.goto(`${place.proxy.url}/learn/diplomacy`);
  await page.getByRole('button', { name: 'Start the tutorial' }).click();
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await look(page);
});

test('the result and the verification of the dice', async ({ page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  const id = await solo(ann, 'starships-at-large', 1, { name: 'Proved', options: { rounds: 2 } });
  await openFor(page, place, ann, `/game/${id}`);
  await new RandomClicker(page, 11).play();
  await look(page);
  await page.getByRole('link', { name: 'Verify the dice' }).click();
  await page.getByRole('button', { name: 'Download and verify' }).click();
  await expect(page.locator('.verdict-good')).toContainText('Verified');
  const { rolls } = await ann.games.verifyGame({ gameId: id });
  await expect(page.locator('.verdict-good')).toContainText(
    `${rolls.toLocaleString('en-GB')} roll`,
  );
  await look(page);
  await page.goto(`${place.proxy.url}/game/${id}`);
  await page.getByRole('button', { name: 'Rematch' }).click();
  await expect(page.locator('.orders')).toBeVisible();
});

test('joining, the account page, and a game before its start', async ({ page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/join');
  await look(page);
  await page.goto(`${place.proxy.url}/account`);
  await expect(page.getByText('this device', { exact: true })).toBeVisible();
  await look(page);
  const { game } = await ann.games.createGame({
    seatsInOrder: true,
    kind: 'star-empires',
    name: 'Forming',
    seats: [{ plan: { case: 'open', value: {} } }, { plan: { case: 'open', value: {} } }],
    isPrivate: true,
    requestId: crypto.randomUUID(),
  });
  await page.goto(`${place.proxy.url}/game/${game?.gameId}`);
  await expect(page.getByText('Waiting for 1 player')).toBeVisible();
  await look(page);
});

test("the operator's page", async ({ page, place }) => {
  await quiet(page);
  const operator = person(place.engine.url, 'admin', place.engine.token('admin'));
  await openFor(page, place as Place, operator, '/operator');
  await expect(page.locator('.chart').first()).toBeVisible();
  await look(page);
  for (const tab of ['Games', 'Players', 'Automation']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.locator('.data').first()).toBeVisible();
    await look(page);
  }
});

test('the sandbox, and the page without a connection', async ({ context, page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/desk');
  await page.getByLabel('Or paste the text').waitFor();
  await look(page);
  await context.route('**/heliopause.v1.*/*', (route) => route.abort());
  await page.goto(place.proxy.url);
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible();
  await look(page);
});
