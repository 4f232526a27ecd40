// Every screen: nothing that axe finds, nothing wider than its window, and its picture as it was.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { Clicker } from './support/clicker';
import { expect, openFor, type Place, test } from './support/fixtures';
import { person, solo } from './support/people';

const WIDTHS = [360, 1280, 2560];

/** Looks at a screen at all widths, in each theme. */
async function look(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 500 ? 740 : width > 2000 ? 1300 : 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, `the page is ${wide} wide at ${width}`).toBeLessThanOrEqual(width);
  }
  for (const theme of ['light', 'color-blind', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    // The engine's picture keeps its own colours; the tree stands beside it.
    const axe = new AxeBuilder({ page }).exclude('.stage').exclude('.report-page');
    // Themes differ in colours alone.
    if (theme !== 'dark') axe.withRules(['color-contrast']);
    const { violations } = await axe.analyze();
    const found = violations.map(
      ({ id, nodes }) => `${theme} ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
    );
    expect(found).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

const quiet = async (page: Page) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
};

test('the door', async ({ page, place }) => {
  await quiet(page);
  await page.goto(`${place.front.url}/sign-in`);
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

test('a new game, of every kind', async ({ page, place }) => {
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

test('a table, its tabs, its tree and its past', async ({ page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await look(page);
  const clicker = new Clicker(page, 5);
  for (let step = 0; step < 4; step += 1) await clicker.step();
  for (const tab of ['News', 'Letters', 'Table', 'Orders']) {
    await page.getByRole('tab', { name: new RegExp(tab) }).click();
    await look(page);
  }
  await page.getByRole('button', { name: 'Places and pieces as a tree' }).click();
  await look(page);
  await page.goto(`${place.front.url}/game/${id}/phase/0`);
  await expect(page.locator('.timeline-title')).toHaveText('The set-up');
  await look(page);
  await page.goto(`${place.front.url}/game/${id}/report`);
  await expect(page.locator('.report-page')).toBeVisible();
  await look(page);
});

test('the end and its proof', async ({ page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  const id = await solo(ann, 'starships-at-large', 1, { name: 'Proved', options: { rounds: 2 } });
  await openFor(page, place, ann, `/game/${id}`);
  await new Clicker(page, 11).play();
  await look(page);
  await page.getByRole('link', { name: 'Prove the dice' }).click();
  await page.getByRole('button', { name: 'Fetch the journal' }).click();
  await expect(page.locator('.verdict-good')).toContainText('Everything holds');
  const { rolls } = await ann.games.verifyGame({ gameId: id });
  await expect(page.locator('.verdict-good')).toContainText(`${rolls} roll`);
  await look(page);
  await page.goto(`${place.front.url}/game/${id}`);
  await page.getByRole('button', { name: 'Again with the same seats' }).click();
  await expect(page.locator('.orders')).toBeVisible();
});

test('joining, the account, a forming table', async ({ page, place }) => {
  await quiet(page);
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/join');
  await look(page);
  await page.goto(`${place.front.url}/account`);
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
  await page.goto(`${place.front.url}/game/${game?.gameId}`);
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
