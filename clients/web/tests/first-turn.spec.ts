// The first turn of each game, played on a phone with taps on the page alone.

import type { Page } from '@playwright/test';
import { atRest, land, spotOf, unit } from './support/board';
import { figure } from './support/figures';
import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';

async function settled(page: Page): Promise<void> {
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
}

async function tap(page: Page, mark: string): Promise<void> {
  await settled(page);
  const { left, top } = await spotOf(page, mark);
  await page.touchscreen.tap(left, top);
}

/** Taps the first visible mark of a kind, such as a target. */
async function tapMark(page: Page, kind: string): Promise<void> {
  await settled(page);
  const find = () =>
    page.locator('.stage').evaluate((stage, wanted) => {
      const frame = stage.getBoundingClientRect();
      for (const mark of stage.shadowRoot?.querySelectorAll(`.mark.${wanted}`) ?? []) {
        const box = mark.getBoundingClientRect();
        const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
        const isIn = left > frame.left && left < frame.right && top > frame.top;
        if (isIn && top < frame.bottom) return { left, top };
      }
      throw new Error(`no mark of the kind ${wanted} is visible`);
    }, kind);
  await expect(find).toPass();
  const { left, top } = await atRest(page, find);
  await page.touchscreen.tap(left, top);
}

/** Ends the turn with the button that the page offers, and confirms its warnings. */
async function end(page: Page, name: string): Promise<void> {
  await settled(page);
  const before = await page.locator('.orders').getAttribute('data-question');
  await page.getByRole('button', { name, exact: true }).tap();
  const confirm = page.locator('dialog.confirm footer button').last();
  const isOver = async () =>
    (await page.locator(`.orders[data-question="${before}"]`).count()) === 0 ||
    (await page.getByText('You are ready').count()) > 0;
  await expect
    .poll(async () => {
      if (await confirm.isVisible()) await confirm.tap();
      return isOver();
    })
    .toBe(true);
}

const standing = (page: Page) => page.locator('section[aria-label="Your orders"] li code');
const form = (page: Page) => page.getByRole('form', { name: 'Fill in the order' });

const END = 'End the movement: explore stars and fight enemies';

/** Moves all waiting ships to the first star, type by type, until the movement can end. */
async function enter(page: Page): Promise<void> {
  await tapMark(page, 'able');
  await expect(page.locator('.chosen-bar')).toBeVisible();
  const ending = page.getByRole('button', { name: END });
  const confirm = page.locator('dialog.confirm footer button').last();
  const question = () => page.locator('.orders').getAttribute('data-question');
  await expect(async () => {
    await settled(page);
    if (await ending.isVisible()) return;
    const before = await question();
    await page.locator('[data-offer="move"]').first().tap({ timeout: 2_000 });
    const all = form(page).getByRole('button', { name: 'All', exact: true });
    if (await all.isVisible()) await all.tap();
    await form(page).getByLabel('star').selectOption({ index: 1 });
    await form(page).getByRole('button', { name: 'Submit this order' }).tap();
    await expect
      .poll(async () => {
        if (await confirm.isVisible()) await confirm.tap();
        return question();
      })
      .not.toBe(before);
    await expect(ending).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

const TURNS: [string, number, (page: Page) => Promise<void>][] = [
  [
    'diplomacy',
    6,
    async (page) => {
      for (const mark of [unit('A Vie'), land('Gal'), unit('A Bud'), land('Ser')]) {
        await tap(page, mark);
      }
      await expect(standing(page)).toHaveText(['A Vie - Gal', 'A Bud - Ser']);
      await end(page, 'I am ready');
    },
  ],
  [
    'it-came-from-outer-space',
    3,
    async (page) => {
      await tapMark(page, 'able');
      await page.locator('[data-offer="beam-down"]').tap();
      await form(page).getByRole('combobox').selectOption({ index: 3 });
      await form(page).getByRole('button', { name: 'Submit this order' }).tap();
      await expect(standing(page)).toHaveCount(1);
      await end(page, 'I am ready');
    },
  ],
  [
    'starships-at-large',
    2,
    async (page) => {
      await tap(page, unit('A1'));
      const menu = page.getByRole('group', { name: 'Which one?' });
      const chosen = page.locator('.chosen-bar');
      await expect(menu.or(chosen).first()).toBeVisible();
      if (await menu.isVisible()) await menu.getByRole('button', { name: 'Starship A1' }).tap();
      await expect(chosen).toContainText('A1');
      await tapMark(page, 'target');
      await expect(chosen).toHaveCount(0);
      await end(page, 'End the turn');
    },
  ],
  [
    'star-empires',
    1,
    async (page) => {
      await page.locator('[data-offer="build"]').first().tap();
      await form(page).getByLabel('class').selectOption('probe');
      await form(page).getByRole('button', { name: 'Add to the sheet' }).tap();
      await expect(page.locator('.row-line.good').first()).toBeVisible();
      await end(page, 'I am ready');
    },
  ],
  [
    'stellar-conquest',
    1,
    async (page) => {
      await page.locator('[data-offer="usual-start"]').tap();
      await expect(standing(page)).toHaveCount(1);
      await end(page, 'I am ready');
      await enter(page);
      await end(page, END);
    },
  ],
  [
    'fate-of-empire',
    0,
    async (page) => {
      await page.locator('[data-offer="commission"]').tap();
      await form(page).getByRole('button', { name: 'Submit this order' }).tap();
      await expect(standing(page)).toHaveCount(1);
      await end(page, 'I am ready');
      await enter(page);
      await end(page, END);
    },
  ],
  [
    'alone-in-outer-space',
    1,
    async (page) => {
      await enter(page);
      await end(page, END);
    },
  ],
];

for (const [kind, automated, play] of TURNS) {
  test(`the first turn of ${kind}`, async ({ browser, place }) => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const ann = await place.newcomer();
    await openFor(page, place, ann, `/game/${await solo(ann, kind, automated)}`);
    await expect(page.locator('.stage[data-drawn]')).toBeVisible();
    await play(page);
    figure('games whose first turn can be played on the page alone', 1, {
      limit: '7',
      fold: 'sum',
    });
    await context.close();
  });
}
