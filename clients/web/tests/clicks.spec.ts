// The number of clicks for the ordinary orders, and what the clicks after them find.

import { randomUUID } from 'node:crypto';
import { diplomacy, Phase, UnitKind, Variant } from '@heliopause/client/games/diplomacy';
import type { Page } from '@playwright/test';
import { clickOn, land, spotOf, unit } from './support/board';
import { figure } from './support/figures';
import { expect, openFor, type Place, test } from './support/fixtures';
import { solo } from './support/people';
import * as positions from './support/positions';

const standing = (page: Page) => page.locator('section[aria-label="Your orders"] li code');
const meanings = (page: Page) => page.getByRole('group', { name: 'Other orders' });

/** Opens a game and returns a function that clicks on the board and counts. */
async function atTable(page: Page, place: Place, kind = 'diplomacy', automated = 6) {
  const ann = await place.newcomer();
  const id = await solo(ann, kind, automated);
  await openFor(page, place, ann, `/game/${id}`);
  await ready(page);
  return { ann, id };
}

async function ready(page: Page): Promise<void> {
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
}

async function clicks(page: Page, ...marks: string[]): Promise<number> {
  for (const mark of marks) await clickOn(page, mark);
  return marks.length;
}

type Power = { seat: number; units: string[]; centers?: string[] };

/**
 * Opens a position of Diplomacy for seat 3. Orders of other seats are given before. Returns a
 * function that closes the phase.
 */
async function atPosition(
  page: Page,
  place: Place,
  phase: Phase,
  powers: Power[],
  orders: [number, string][] = [],
): Promise<() => Promise<void>> {
  const unitOf = (text: string) => ({
    kind: text.startsWith('F ') ? UnitKind.FLEET : UnitKind.ARMY,
    at: text.slice(2),
  });
  const position = diplomacy.ofPosition({
    table: {
      options: { variant: Variant.STANDARD },
      phase,
      players: 7,
      powers: powers.map(({ seat, units, centers = [] }) => ({
        seat,
        units: units.map(unitOf),
        centers,
      })),
      year: 1901,
    },
  });
  const bench = await positions.atPosition(place, 'diplomacy', position, 3);
  const { gameId, guest, sandbox } = bench;
  for (const [seat, text] of orders) await positions.order(bench, seat, text);
  await openFor(page, place, guest, `/game/${gameId}`);
  await ready(page);
  return async () => {
    await sandbox.closeSandboxPhase({ gameId, requestId: randomUUID() });
  };
}

test('three orders of Diplomacy take six clicks', async ({ page, place }) => {
  await atTable(page, place);
  const made = await clicks(
    page,
    ...[unit('A Vie'), land('Gal')],
    ...[unit('A Bud'), land('Ser')],
    ...[unit('F Tri'), land('ADR')],
  );
  await expect(standing(page)).toHaveText(['A Vie - Gal', 'A Bud - Ser', 'F Tri - ADR']);
  expect(made).toBe(6);
  figure('clicks for three orders of Diplomacy', made, { limit: '6' });
});

test('the menu at the pointer replaces the order and blocks no click', async ({ page, place }) => {
  await atTable(page, place);
  await clicks(page, unit('A Vie'), unit('A Bud'));
  await expect(standing(page)).toHaveText(['A Vie - Bud']);
  // The menu is beside the pointer, and does not cover it.
  const { left, top } = await spotOf(page, unit('A Bud'));
  const box = await meanings(page).boundingBox();
  if (!box) throw new Error('the menu is not visible');
  expect(Math.abs(box.x - left) < 400 && Math.abs(box.y - top) < 300).toBe(true);
  await meanings(page)
    .getByRole('button', { name: 'Army Vienna supports Army Budapest', exact: true })
    .click();
  await expect(standing(page)).toHaveText(['A Vie S A Bud']);
  await expect(meanings(page)).toHaveCount(0);
  // The next click starts the next order while the menu is open.
  await clicks(page, unit('A Vie'), unit('A Bud'));
  await expect(meanings(page)).toBeVisible();
  await clicks(page, unit('F Tri'), land('ADR'));
  await expect(standing(page)).toHaveCount(2);
  await expect(standing(page).filter({ hasText: 'F Tri' })).toHaveText('F Tri - ADR');
});

test('a support takes three clicks', async ({ page, place }) => {
  await atTable(page, place);
  const made = await clicks(page, unit('A Vie'), unit('A Bud'), land('Gal'));
  await expect(standing(page)).toHaveText(['A Vie S A Bud - Gal']);
  expect(made).toBe(3);
  figure('clicks for a support', made, { limit: '3' });
});

test('Escape deselects', async ({ page, place }) => {
  await atTable(page, place);
  await clicks(page, unit('A Vie'));
  await expect(page.locator('.chosen-bar')).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('.chosen-bar')).toHaveCount(0);
});

test('a build takes two clicks', async ({ page, place }) => {
  await atPosition(page, place, Phase.WINTER, [
    { seat: 3, units: ['A Bur'], centers: ['Par', 'Bre', 'Mar'] },
    { seat: 4, units: ['A Mun'], centers: ['Mun'] },
  ]);
  const made = await clicks(page, land('Par'));
  await meanings(page).getByRole('button', { name: 'Build an army in Paris' }).click();
  await expect(standing(page)).toHaveText(['BUILD A Par']);
  figure('clicks for a build', made + 1, { limit: '2' });
  // The offers beside the map take the selected place, too.
  await clicks(page, land('Bre'));
  await page.locator('.offer-button', { hasText: 'Build a fleet in Brest' }).click();
  await expect(standing(page)).toHaveCount(2);
});

/** Opens a position in which the player's army will be dislodged, as `atPosition`. */
function attacked(page: Page, place: Place) {
  return atPosition(
    page,
    place,
    Phase.SPRING_MOVEMENT,
    [
      { seat: 3, units: ['A Bur'] },
      { seat: 4, units: ['A Mun', 'A Ruh'] },
    ],
    [[4, 'A Mun - Bur\nA Ruh S A Mun - Bur']],
  );
}

test('a retreat takes two clicks, and an impossible order stays until it is dismissed', async ({
  page,
  place,
}) => {
  const close = await attacked(page, place);
  await page.locator('[data-offer="move"]').click();
  await page.locator('.offer-form select').selectOption('Pic');
  await close();
  const gone = page.getByRole('region', { name: 'Unfinished order' });
  await expect(gone).toContainText('This order is no longer possible.');
  await expect(gone.locator('select')).toHaveValue('Pic');
  const made = await clicks(page, unit('A Bur'), land('Par'));
  await expect(standing(page)).toHaveText(['A Bur R Par']);
  expect(made).toBe(2);
  figure('clicks for a retreat', made, { limit: '2' });
  await expect(gone).toBeVisible();
  await gone.getByRole('button', { name: 'Dismiss' }).click();
  await expect(gone).toHaveCount(0);
});

test('a conditional order lists its choices in the order of the clicks', async ({
  page,
  place,
}) => {
  const close = await attacked(page, place);
  await page.locator('[data-offer="if-dislodged"]').click();
  const form = page.getByRole('form', { name: 'Fill in the order' });
  await expect(form).toContainText('the order is the order of your clicks');
  for (const name of ['Picardy', 'Gascony', 'disband']) await form.getByLabel(name).check();
  await expect(form.locator('.tick', { hasText: 'Gascony' })).toContainText('2');
  await expect(form.locator('code')).toHaveText('IF A Bur DISLODGED: Pic, Gas, D');
  await expect(form.locator('code')).toBeInViewport({ ratio: 0.9 });
  await form.getByRole('button', { name: 'Submit this order' }).click();
  await expect(standing(page)).toHaveText(['IF A Bur DISLODGED: Pic, Gas, D']);
  await close();
  // The retreat is over, because no other power has to retreat.
  await expect(standing(page)).toHaveCount(0);
  await expect(page.locator(unit('A Pic')).first()).toBeVisible();
});

test('a convoy takes three clicks, or one more in the menu', async ({ page, place }) => {
  await atPosition(page, place, Phase.SPRING_MOVEMENT, [
    { seat: 3, units: ['A Bre', 'F ENG'] },
    { seat: 4, units: ['A Mun'] },
  ]);
  let made = await clicks(page, unit('F ENG'), unit('A Bre'), land('Lon'));
  // The fleet can also support a move to London if another fleet convoys the army.
  const convoy = meanings(page).getByRole('button', { name: /convoys/ });
  await expect(standing(page)).toHaveText(/F ENG [SC] A Bre - Lon/);
  if (await convoy.isVisible()) {
    await convoy.click();
    made += 1;
  }
  await expect(standing(page)).toHaveText(['F ENG C A Bre - Lon']);
  figure('clicks for a convoy', made, { limit: '4' });
});

test('given orders are removed one by one', async ({ page, place }) => {
  await atTable(page, place);
  await clicks(page, unit('A Bud'), land('Ser'), unit('F Tri'), land('ADR'));
  await expect(standing(page)).toHaveCount(2);
  await page
    .getByRole('region', { name: 'Your orders' })
    .getByRole('button', { name: 'Remove A Bud - Ser' })
    .click();
  await expect(standing(page)).toHaveText(['F Tri - ADR']);
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  await clicks(page, unit('F Tri'));
  const given = page.locator('.given');
  await expect(given).toContainText('Adriatic');
  await given.getByRole('button', { name: 'Remove F Tri - ADR' }).click();
  await expect(standing(page)).toHaveCount(0);
});

test('offers have titles, and their forms show prices, sums and counts', async ({
  page,
  place,
}) => {
  await atTable(page, place, 'star-empires', 1);
  const find = page.getByLabel('Find an order');
  const form = page.getByRole('form', { name: 'Fill in the order' });
  const offer = (key: string) => page.locator(`[data-offer="${key}"]`).first();
  await find.fill('build');
  await expect(offer('build-one')).toHaveText(/^Build one/);
  await offer('build-one').click();
  await expect(form.getByLabel('class').locator('option').nth(1)).toHaveText(/ · \d+ RU/);
  // A world that is the only choice is chosen.
  await expect(form.getByLabel('world')).not.toHaveValue('');
  await form.getByRole('button', { name: 'Cancel' }).click();
  // The design is valid with the numbers that its form shows.
  await find.fill('design');
  await offer('design').click();
  await form.locator('input[type=text]').fill('Nova');
  await expect(form.getByRole('button', { name: 'Add to the sheet' })).toBeEnabled();
});

test('shares show their sum', async ({ page, place }) => {
  await atTable(page, place, 'stellar-conquest', 1);
  await page.locator('[data-offer="setup"]').click();
  const form = page.getByRole('form', { name: 'Fill in the order' });
  await expect(form.locator('.budget')).toHaveText(/^Costs 0 i\.p\. (\d+) of \1 i\.p\. left$/);
  await form.locator('.shares input').first().fill('1');
  await expect(form.locator('.budget')).toHaveText(/^Costs [1-9]/);
});

test('taps work like clicks', async ({ browser, place }) => {
  const context = await browser.newContext({
    viewport: { width: 1180, height: 820 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await atTable(page, place);
  const tap = async (mark: string) => {
    const { left, top } = await spotOf(page, mark);
    await page.touchscreen.tap(left, top);
  };
  for (const [from, to] of [
    ['A Vie', 'Gal'],
    ['A Bud', 'Ser'],
  ] as const) {
    await tap(unit(from));
    // The choice of a unit moves the board to the places that it can reach.
    await expect(page.locator('.chosen-bar')).toBeVisible();
    await tap(land(to));
  }
  await expect(standing(page)).toHaveText(['A Vie - Gal', 'A Bud - Ser']);
  await context.close();
});
