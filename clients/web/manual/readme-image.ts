// Takes the screenshot for the README: a game of Diplomacy as a player sees it.
// npm run readme-image rewrites docs/page.webp.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, openFor, test } from '../tests/support/fixtures';
import { solo } from '../tests/support/people';

/** The years in which the screenshot may be taken. */
const SINCE = process.env['SINCE'] ?? '0[3-9]|1\\d';
const FILE = resolve(import.meta.dirname, '../../../docs/page.webp');

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
  await page.setViewportSize({ width: 1280, height: 800 });
  await openFor(page, place, ada, `/game/${id}`);
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
  await page.mouse.move(0, 0);
  await page.locator('.side .panel-body').evaluate((panel) => panel.scrollTo(0, 0));
  // Playwright cannot write WebP, which is a third of the size.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  writeFileSync(FILE, Buffer.from(data, 'base64'));
});
