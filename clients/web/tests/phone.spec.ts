// The table on a phone, given orders with a thumb.

import type { Browser, Page } from '@playwright/test';
import { land, spotOf, unit } from './support/board';
import { expect, openFor, type Place, test } from './support/fixtures';
import { solo } from './support/people';

const SIZES = [
  [390, 844],
  [360, 740],
] as const;
const standing = (page: Page) => page.locator('section[aria-label="Your orders"] li code');

async function atTable(
  browser: Browser,
  place: Place,
  [width, height]: readonly [number, number],
  kind = 'diplomacy',
  automated = 6,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const ann = await place.newcomer();
  await openFor(page, place, ann, `/game/${await solo(ann, kind, automated)}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  return page;
}

async function tap(page: Page, mark: string): Promise<void> {
  const { left, top } = await spotOf(page, mark);
  await page.touchscreen.tap(left, top);
}

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not visible`);
  return box;
}

/** Returns the controls that are smaller than a finger, with their sizes. */
async function smallControls(page: Page): Promise<string[]> {
  return (
    page
      // Terms are words of a sentence, which may be smaller (WCAG 2.5.8).
      .locator('.board :is(button:not(.term), select, summary, input:not([type=checkbox])):visible')
      .evaluateAll((all) =>
        all.flatMap((each) => {
          const { width, height } = each.getBoundingClientRect();
          const name = each.getAttribute('aria-label') ?? each.textContent;
          return Math.min(width, height) < 43.9 ? [`${name}: ${width} x ${height}`] : [];
        }),
      )
  );
}

/** Returns the size of the smallest text or shape in the view of the board, in pixels. */
async function smallest(page: Page, selector: string): Promise<number> {
  return page.locator('.stage').evaluate((stage, wanted) => {
    const all = [...(stage.shadowRoot?.querySelectorAll<SVGGraphicsElement>(wanted) ?? [])];
    const sizes = all
      .filter((each) => {
        const [view, box] = [stage.getBoundingClientRect(), each.getBoundingClientRect()];
        return (
          each.getClientRects().length > 0 &&
          box.right > view.left &&
          box.left < view.right &&
          box.bottom > view.top &&
          box.top < view.bottom
        );
      })
      .map((each) => {
        if (wanted !== 'text') return each.getBoundingClientRect().width;
        const scale = each.getScreenCTM()?.a ?? 0;
        return scale * Number.parseFloat(getComputedStyle(each).fontSize);
      });
    return Math.min(...sizes);
  }, selector);
}

for (const size of SIZES) {
  test(`map and question are both in view at ${size.join(' x ')}`, async ({ browser, place }) => {
    const page = await atTable(browser, place, size);
    const [width, height] = size;
    const isWhole = async () => {
      const [stage, side] = [await boxOf(page, '.stage'), await boxOf(page, '.side')];
      expect(side.y + side.height).toBeLessThanOrEqual(height + 1);
      expect(side.height).toBeLessThanOrEqual(height * 0.45 + 1);
      expect(stage.y + stage.height).toBeLessThanOrEqual(side.y);
      expect(stage.height).toBeGreaterThan(200);
      expect(stage.width).toBeGreaterThan(width - 30);
    };
    await isWhole();
    // The explanation for beginners is folded, so it does not hide the orders.
    await expect(page.locator('.beginner summary')).toBeVisible();
    await expect(page.getByRole('button', { name: 'I am ready' })).toBeInViewport();
    expect(await smallControls(page)).toEqual([]);
    // Texts and pieces keep their size.
    await expect.poll(() => smallest(page, 'text')).toBeGreaterThanOrEqual(9.9);
    await expect.poll(() => smallest(page, '.token .body')).toBeGreaterThanOrEqual(12);
    await tap(page, unit('A Bud'));
    await expect(page.locator('.chosen-bar')).toBeInViewport();
    await isWhole();
    await tap(page, land('Ser'));
    await expect(standing(page)).toHaveText(['A Bud - Ser']);
    // The panel folds, and opens again with a tab.
    await page.getByRole('button', { name: 'Panel', exact: true }).click();
    await expect(page.locator('.panel-body')).toBeHidden();
    expect((await boxOf(page, '.stage')).height).toBeGreaterThan(height * 0.5);
    await page.getByRole('tab', { name: 'Messages' }).click();
    await expect(page.locator('.panel-body')).toBeVisible();
    expect(await smallControls(page)).toEqual([]);
    await page.getByLabel('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Past phases' }).click();
    await expect(page.getByRole('group', { name: 'Past phases' })).toBeInViewport();
    await page.context().close();
  });
}

test('a tap between two places asks which one', async ({ browser, place }) => {
  const page = await atTable(browser, place, [390, 844]);
  await page.getByRole('button', { name: 'Panel', exact: true }).click();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.locator('.fold[aria-expanded=false]')).toBeVisible();
  // On the small board, Vienna and Budapest are close to each other.
  const distance = async () => {
    const [one, other] = [await spotOf(page, unit('A Vie')), await spotOf(page, unit('A Bud'))];
    return Math.hypot(one.left - other.left, one.top - other.top);
  };
  await expect.poll(distance).toBeLessThan(30);
  const [one, other] = [await spotOf(page, unit('A Vie')), await spotOf(page, unit('A Bud'))];
  await page.touchscreen.tap((one.left + other.left) / 2, (one.top + other.top) / 2);
  const menu = page.getByRole('group', { name: 'Which one?' });
  await expect(menu).toBeVisible();
  await expect(page.locator('.chosen-bar')).toHaveCount(0);
  await menu.getByRole('button', { name: 'A Bud' }).click();
  await expect(page.locator('.chosen-bar')).toContainText('Army Budapest');
  await expect(menu).toHaveCount(0);
  // The board is enlarged around the selection and its targets.
  await expect.poll(distance).toBeGreaterThan(30);
  await page.context().close();
});

test('analysis, a branch and a profile fit on a phone', async ({ browser, place }) => {
  const page = await atTable(browser, place, [390, 844]);
  const side = page.getByRole('region', { name: 'Analysis' });
  const open = async () => {
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('button', { name: 'Analysis', exact: true }).click();
  };
  await open();
  await page.getByLabel('Preview this phase on the map').check();
  const help = page.getByText('Your real orders do not change.');
  await help.scrollIntoViewIfNeeded();
  expect(await help.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
  expect(await smallControls(page)).toEqual([]);
  const close = side.getByRole('button', { name: 'Close', exact: true });
  const { x, y, width, height } = (await close.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await expect(side).toHaveCount(0);
  await open();
  await page.getByRole('button', { name: 'Create the branch' }).click();
  const bar = page.getByRole('region', { name: 'Branch', exact: true });
  await expect(bar).toContainText('Branch from');
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await bar.locator('summary').click();
  await bar.getByLabel('Play as').selectOption({ index: 2 });
  // Another seat is another view of the game, whose bar is folded.
  await expect(bar.getByLabel('Play as')).toBeHidden();
  await bar.locator('summary').click();
  await bar.getByLabel('Show everything').check();
  await expect(bar.getByRole('link', { name: 'Back to the game' })).toBeInViewport();
  await bar.locator('summary').click();
  expect((await boxOf(page, '.branch-bar')).height).toBeLessThan(56);
  expect((await boxOf(page, '.stage')).height).toBeGreaterThan(200);
  await page.getByRole('button', { name: 'Panel', exact: true }).click();
  expect((await boxOf(page, '.stage')).height).toBeGreaterThan(422);
  const bob = await place.newcomer();
  await page.goto(`${place.proxy.url}/player/${encodeURIComponent(bob.name)}`);
  await expect(page.getByRole('button', { name: 'Report' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.context().close();
});
