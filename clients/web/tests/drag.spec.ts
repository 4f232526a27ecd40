// Orders given and changed by dragging on the map.

import type { Page } from '@playwright/test';
import { land, spotOf, unit } from './support/board';
import { expect, openFor, type Place, test } from './support/fixtures';
import { solo } from './support/people';

const standing = (page: Page) => page.locator('section[aria-label="Your orders"] li code');

async function atTable(page: Page, place: Place): Promise<void> {
  const ann = await place.newcomer();
  await openFor(page, place, ann, `/game/${await solo(ann, 'diplomacy', 6)}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  await expect(page.locator('.stage .mark.able').first()).toBeAttached();
}

type Spot = { left: number; top: number };

async function drag(page: Page, from: Spot, to: Spot): Promise<void> {
  await page.mouse.move(from.left, from.top);
  await page.mouse.down();
  await page.mouse.move((from.left + to.left) / 2, (from.top + to.top) / 2, { steps: 3 });
  await page.mouse.move(to.left, to.top, { steps: 3 });
  await page.mouse.up();
}

/** Returns the arrowhead of an order on the board. */
async function arrowhead(page: Page): Promise<Spot> {
  const head = page.locator('.stage [data-order] polygon, .stage [data-order] path').last();
  await expect(head).toBeAttached();
  const box = await head.boundingBox();
  if (!box) throw new Error('no order is drawn');
  return { left: box.x + box.width / 2, top: box.y + box.height / 2 };
}

test('a dragged piece moves, and the end of its order can be dragged', async ({ page, place }) => {
  await atTable(page, place);
  await drag(page, await spotOf(page, unit('A Vie')), await spotOf(page, land('Gal')));
  await expect(standing(page)).toHaveText(['A Vie - Gal']);
  await expect(page.locator('.drag')).toHaveCount(0);
  await drag(page, await arrowhead(page), await spotOf(page, land('Boh')));
  await expect(standing(page)).toHaveText(['A Vie - Boh']);
});

test('an impossible drag gives the reason, and Escape cancels a drag', async ({ page, place }) => {
  await atTable(page, place);
  await drag(page, await spotOf(page, unit('A Vie')), await spotOf(page, land('Mos')));
  const why = page.getByRole('group', { name: 'Not possible' });
  await expect(why).toContainText('The unit cannot move there directly');
  await expect(page.locator('.chosen-bar')).toHaveCount(0);
  const [from, to] = [await spotOf(page, unit('A Vie')), await spotOf(page, land('Gal'))];
  await page.mouse.move(from.left, from.top);
  await page.mouse.down();
  await page.mouse.move(to.left, to.top, { steps: 4 });
  // The targets of the piece are marked while it is dragged.
  await expect(page.locator('.stage .mark.target').first()).toBeAttached();
  await expect(why).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.locator('.stage .drag')).toHaveCount(0);
  await page.mouse.up();
  await expect(page.locator('.stage .mark.target')).toHaveCount(0);
  await expect(standing(page)).toHaveCount(0);
});

test('a finger drags pieces, too', async ({ browser, place }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await atTable(page, place);
  const fingers = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', spot?: Spot) =>
    fingers.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: spot ? [{ x: spot.left, y: spot.top }] : [],
    });
  const [from, to] = [await spotOf(page, unit('A Bud')), await spotOf(page, land('Ser'))];
  await touch('touchStart', from);
  await touch('touchMove', { left: (from.left + to.left) / 2, top: (from.top + to.top) / 2 });
  await touch('touchMove', to);
  await touch('touchEnd');
  await expect(standing(page)).toHaveText(['A Bud - Ser']);
  await context.close();
});
