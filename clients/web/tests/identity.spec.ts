// The font and the logo of the page, and the live pictures of games.

import type { Page } from '@playwright/test';
import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';

/** Returns the number of different colors in each shown picture of a game. */
function colorsOf(page: Page): Promise<number[]> {
  return page.locator('.game .thumbnail').evaluateAll((images) =>
    Promise.all(
      images.map(async (image) => {
        await (image as HTMLImageElement).decode();
        const sheet = new OffscreenCanvas(160, 90).getContext('2d');
        sheet?.drawImage(image as HTMLImageElement, 0, 0, 160, 90);
        const pixels = sheet?.getImageData(0, 0, 160, 90).data ?? [];
        return new Set(new Uint32Array(Uint8ClampedArray.from(pixels).buffer)).size;
      }),
    ),
  );
}

test('cards show the board of a running game, loaded once for each of its states', async ({
  page,
  place,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const ann = await place.newcomer();
  const kinds = ['diplomacy', 'starships-at-large', 'star-empires', 'stellar-conquest'];
  for (const kind of kinds) await solo(ann, kind, kind === 'diplomacy' ? 6 : 1);
  const calls = () => place.proxy.paths.filter((path) => path.endsWith('/GetScene')).length;
  const before = calls();
  await openFor(page, place, ann);
  await expect(page.locator('.game .thumbnail')).toHaveCount(kinds.length);
  const light = await page.locator('.game .thumbnail').first().getAttribute('src');
  for (const colors of await colorsOf(page)) expect(colors).toBeGreaterThan(20);
  expect(calls() - before).toBe(kinds.length);
  await page.getByRole('tab', { name: 'Open games' }).click();
  await page.getByRole('tab', { name: 'My games' }).click();
  await expect(page.locator('.game .thumbnail')).toHaveCount(kinds.length);
  expect(calls() - before).toBe(kinds.length);
  // Another theme has other pictures, and another color of the title bar.
  const bar = page.locator('meta[name="theme-color"]');
  await expect(bar).toHaveAttribute('content', '#f6f4ee');
  await page.getByLabel('Theme').selectOption('dark');
  await expect(bar).toHaveAttribute('content', '#090b11');
  await expect(page.locator('.game .thumbnail').first()).not.toHaveAttribute('src', light ?? '');
  for (const colors of await colorsOf(page)) expect(colors).toBeGreaterThan(20);
});

test('the page has its own font, and shows the symbols that the font lacks', async ({
  page,
  place,
}) => {
  await page.goto(`${place.proxy.url}/sign-in`);
  await expect(page.locator('.hero .emblem')).toBeVisible();
  expect(await page.evaluate(() => document.fonts.check('16px Geist'))).toBe(true);
  const { family, missing } = await page.evaluate(async () => {
    await document.fonts.ready;
    const { fontFamily: family } = getComputedStyle(document.body);
    const drawn = (text: string) => {
      const sheet = new OffscreenCanvas(48, 48).getContext('2d');
      if (!sheet) return '';
      sheet.font = `32px ${family}`;
      sheet.fillText(text, 4, 36);
      return sheet.getImageData(0, 0, 48, 48).data.join();
    };
    const lacking = new Set(['', '\u{10ffff}'].map(drawn));
    return { family, missing: [...'+−⤢≋▤☰¶▶❚‹›×·…→'].filter((sign) => lacking.has(drawn(sign))) };
  });
  expect(family).toMatch(/^Geist/);
  expect(missing).toEqual([]);
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2')),
  );
  expect(loaded).toHaveLength(1);
  // The license of the font is part of the page.
  const licenses = await page.request.get(`${place.proxy.url}/licenses.txt`);
  expect(await licenses.text()).toContain('SIL Open Font License');
});

test('each game has a map style of its own', async ({ page, place }) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann);
  const looks: string[] = [];
  for (const [kind, automated] of [
    ['diplomacy', 6],
    ['it-came-from-outer-space', 3],
    ['starships-at-large', 1],
    ['stellar-conquest', 1],
  ] as const) {
    await page.goto(`${place.proxy.url}/game/${await solo(ann, kind, automated)}`);
    const stage = page.locator('.stage[data-drawn]');
    await expect(stage).toBeVisible();
    looks.push(await stage.evaluate((host) => getComputedStyle(host).background));
    // A board with a sea has the coasts and the frame of a printed map.
    const lines = await stage.evaluate(
      (host) => host.shadowRoot?.querySelectorAll('[stroke="var(--map-neatline)"]').length,
    );
    expect(lines).toBe(kind === 'diplomacy' || kind === 'it-came-from-outer-space' ? 2 : 0);
  }
  expect(new Set(looks).size).toBe(looks.length);
});
