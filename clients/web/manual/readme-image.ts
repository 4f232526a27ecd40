// Takes the picture for the README: a game of Diplomacy as a player sees it, and the boards of three
// other games. npm run readme-image rewrites docs/page.webp.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, openFor, type Place, test } from '../tests/support/fixtures';
import { type Person, solo } from '../tests/support/people';

/** The years in which the screenshot may be taken. */
const SINCE = process.env['SINCE'] ?? '0[3-9]|1\\d';
const FILE = resolve(import.meta.dirname, '../../../docs/page.webp');
/** The games beside the table: automated players, and events before the screenshot. */
const BOARDS: [string, number, number][] = [
  ['star-empires', 4, 400],
  ['starships-at-large', 3, 60],
  ['fate-of-empire', 0, 60],
];
const WIDTH = 1720;
const HEIGHT = 800;

/** Returns the address of a screenshot of the board of a game that automation has played. */
async function boardOf(page: Page, place: Place, who: Person, board: (typeof BOARDS)[number]) {
  const [kind, automated, events] = board;
  const gameId = await solo(who, kind, automated, { level: 'standard' });
  await who.games.delegate({ gameId, automation: { profile: '', level: 'standard' } });
  const number = async () => Number((await who.games.getView({ gameId })).cursor?.number ?? 0);
  await expect.poll(number, { timeout: 300_000, intervals: [20] }).toBeGreaterThan(events);
  await who.master.pauseGame({ gameId });
  await page.setViewportSize({ width: 1180, height: 700 });
  await page.goto(`${place.proxy.url}/game/${gameId}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await page.mouse.move(0, 0);
  return imageOf(await page.locator('.stage').screenshot());
}

const imageOf = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`;

test('the screenshot for the README', async ({ page, place }) => {
  const ada = await place.newcomer('Ada');
  const id = await solo(ada, 'diplomacy', 6, { name: 'Europe, by post', level: 'standard' });
  // Automation plays until the powers have met, then the player takes over.
  await ada.games.delegate({ gameId: id, automation: { profile: '', level: 'standard' } });
  const progress = async () => (await ada.games.getGame({ gameId: id })).game?.progress ?? '';
  await expect
    .poll(progress, { timeout: 600_000 })
    .toMatch(new RegExp(`^(Spring|Fall) 19(${SINCE}), movement`));
  await ada.games.delegate({ gameId: id });
  await ada.games.getOffers({ gameId: id });
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
  await openFor(page, place, ada);
  const boards: string[] = [];
  for (const board of BOARDS) boards.push(await boardOf(page, place, ada, board));
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  await page.goto(`${place.proxy.url}/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  // Three orders are submitted, and a fourth is being typed.
  for (let order = 0; order < 3; order += 1) {
    await expect(page.locator('.offer-button').first()).toBeEnabled();
    const moves = page.locator('[data-offer=move]');
    await moves.nth(order).click();
    const form = page.getByRole('form', { name: 'Fill in the order' });
    await form.locator('select').first().selectOption({ index: 1 });
    await form.getByRole('button', { name: 'Submit this order' }).click();
    await expect(page.locator('.standing li')).toHaveCount(order + 1);
  }
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  await expect(page.locator('.toast')).toHaveCount(0, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Got it' }).click();
  await page.getByRole('button', { name: 'Close the tables' }).click();
  await page.mouse.move(0, 0);
  await page.locator('.side .panel-body').evaluate((panel) => panel.scrollTo(0, 0));
  const table = imageOf(await page.screenshot());
  const frame = (image: string) => `<img src="${image}" alt="">`;
  await page.goto('about:blank');
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await page.setContent(`<style>
    body { margin: 0; display: flex; gap: 10px; background: #10131b; }
    div { flex: 1; display: flex; flex-direction: column; gap: 10px; height: ${HEIGHT}px; }
    div img { width: 100%; flex: 1; min-height: 0; object-fit: cover; }
  </style>${frame(table)}<div>${boards.map(frame).join('')}</div>`);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  // Playwright cannot write WebP, which is a third of the size.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 88 });
  writeFileSync(FILE, Buffer.from(data, 'base64'));
});
