// The forms of orders with many numbers or choices, in positions of several games.

import { fromJson, type JsonObject } from '@bufbuild/protobuf';
import { PositionSchema, stellarConquest } from '@heliopause/client/games/stellar-conquest';
import type { Page } from '@playwright/test';
import { spotOf } from './support/board';
import { expect, openFor, type Place, test } from './support/fixtures';
import { solo } from './support/people';
import { atPosition, order } from './support/positions';

const form = (page: Page) => page.getByRole('form', { name: 'Fill in the order' });
const budget = (page: Page) => form(page).locator('.budget');
const lines = (page: Page) =>
  page
    .locator('.composer input')
    .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));

const ALCOR = { star: 'Alcor', number: 1 };

/** Opens a position of Stellar Conquest for seat 1. Orders are given before. */
async function atStars(
  page: Page,
  place: Place,
  position: { table: JsonObject; powers: JsonObject[]; card: JsonObject },
  orders: [number, string][] = [],
): Promise<void> {
  const { table, powers, card } = position;
  const json = {
    table: { players: 2, order: [1, 2], entries: ['FF20', 'A21'], ...table },
    powers: powers.map((power) => ({ charts: [card], ...power })),
    secrets: { cards: [card] },
  };
  const made = stellarConquest.ofPosition(fromJson(PositionSchema, json));
  const bench = await atPosition(place, 'stellar-conquest', made, 1);
  for (const [seat, text] of orders) await order(bench, seat, text);
  await openFor(page, place, bench.guest, `/game/${bench.gameId}`);
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
}

const corvettes = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    number: from + at,
    kind: 'SHIP_KIND_CORVETTE',
    at: 'O16',
  }));

test('the usual start is the default, and the total is always visible', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'fate-of-empire', 0);
  await openFor(page, place, ann, `/game/${id}`);
  await page.locator('[data-offer="commission"]').click();
  await expect(budget(page)).toHaveText('Costs 30 half points. 0 of 30 half points left');
  const give = form(page).getByRole('button', { name: 'Submit this order' });
  await expect(give).toBeEnabled();
  await form(page).getByLabel('corvettes', { exact: true }).fill('12');
  await expect(budget(page)).toHaveText('Costs 34 half points. 4 half points too much');
  await expect(give).toBeDisabled();
  await form(page).getByLabel('scouts', { exact: true }).fill('6');
  await expect(budget(page)).toHaveText('Costs 30 half points. 0 of 30 half points left');
  await give.click();
  await expect(form(page)).toHaveCount(0);
  await expect(page.locator('.standing')).toContainText('12 corvettes; 6 scouts');
});

test('production shows what other lines spend', async ({ page, place }) => {
  const colony = { planet: ALCOR, population: 20, factories: 20, control: 'CONTROL_FREE' };
  await atStars(
    page,
    place,
    {
      table: { turn: 4, active: 2, stage: { planets: {} } },
      powers: [
        {
          colonies: [{ ...colony, founded: 0 }],
          research: { owned: ['TECHNOLOGY_INDUSTRIAL_TECHNOLOGY'] },
        },
        {},
      ],
      card: { star: 'Alcor', card: 31 },
    },
    [[2, 'end turn']],
  );
  await page.locator('[data-offer="produce"]').click();
  await form(page).getByRole('button', { name: 'More corvettes' }).click();
  await form(page).getByRole('button', { name: 'More corvettes' }).click();
  await expect(budget(page)).toHaveText('Costs 16 i.p. 24 of 40 i.p. left');
  await form(page).getByRole('button', { name: 'Add to the sheet' }).click();
  await expect.poll(() => lines(page)).toContain('produce Alcor 1: 2 corvettes');
  await page.locator('[data-offer="pay"]').click();
  const fighter = form(page).getByLabel('Fighter Ship', { exact: true });
  await fighter.fill('30');
  await expect(budget(page)).toHaveText('Costs 30 i.p., other orders 16 i.p. 6 i.p. too much');
  // The engine says so, too.
  await expect(form(page).locator('.outcome.bad')).toBeVisible();
  await fighter.fill('24');
  await expect(budget(page)).toHaveText('Costs 24 i.p., other orders 16 i.p. 0 of 40 i.p. left');
  await expect(form(page).locator('.outcome.bad')).toHaveCount(0);
  await form(page).getByRole('button', { name: 'Add to the sheet' }).click();
  await expect.poll(() => lines(page)).toContain('produce Alcor 1: 24 into fighter');
  // The editor opens with its line, and replaces it.
  await page.locator('[data-offer="produce"]').click();
  await expect(form(page).getByLabel('corvettes', { exact: true })).toHaveValue('2');
  await form(page).getByRole('button', { name: 'Fewer corvettes' }).click();
  await form(page).getByRole('button', { name: 'Add to the sheet' }).click();
  await expect.poll(() => lines(page)).toContain('produce Alcor 1: 1 corvettes');
  expect(await lines(page)).not.toContain('produce Alcor 1: 2 corvettes');
});

test('purchases and designs of Star Empires show their costs', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'star-empires', 1);
  await openFor(page, place, ann, `/game/${id}`);
  await page.locator('[data-offer="build"]').click();
  await form(page).getByLabel('class').selectOption('carrier');
  await expect(budget(page)).toHaveText('Costs 10 RU. 2 of 12 RU left');
  await form(page).getByLabel('how many').fill('2');
  await expect(budget(page)).toHaveText('Costs 20 RU. 8 RU too much');
  await expect(form(page).locator('.outcome.bad')).toContainText('not have enough RU');
  await form(page).getByLabel('how many').fill('1');
  await form(page).getByRole('button', { name: 'Add to the sheet' }).click();
  await expect(page.locator('.row-line.good').first()).toBeVisible();
  await page.locator('[data-offer="build"]').click();
  await form(page).getByLabel('class').selectOption('fighter');
  await expect(budget(page)).toHaveText('Costs 1 RU, other orders 10 RU. 1 of 12 RU left');
  await form(page).getByRole('button', { name: 'Cancel' }).click();
  // A design is complete at once. Its ratings have names and costs, and their sum is halved.
  await page.getByLabel('Find an order').fill('design');
  await page.locator('[data-offer="design"]', { hasText: 'gunship' }).click();
  await expect(form(page).getByRole('button', { name: 'Add to the sheet' })).toBeEnabled();
  await expect(form(page).locator('.outcome')).toContainText(/costs \d+ RU/);
  const ratings = { guns: 20, 'damage points': 10, engines: 3, scan: 0, racks: 0 };
  for (const [name, rating] of Object.entries(ratings)) {
    await form(page).getByLabel(name, { exact: true }).fill(String(rating));
  }
  await expect(form(page).getByRole('row', { name: /engines/ })).toContainText(/2$/);
  await expect(budget(page)).toHaveText('Costs 9 RU, other orders 10 RU. 7 RU too much');
});

test('shots are a table with what is unassigned', async ({ page, place }) => {
  await atStars(
    page,
    place,
    {
      table: { turn: 1, active: 1, stage: { movement: {} } },
      powers: [{ ships: corvettes(1, 4) }, { ships: corvettes(1, 2) }],
      card: { star: 'Sadir', card: 15 },
    },
    [[1, 'end movement']],
  );
  await page.locator('[data-offer="aim"]').click();
  const table = form(page).getByRole('group', { name: 'Assignments' });
  // The standing orders are the default.
  await expect(table).toContainText('All assigned');
  await expect(table.getByRole('row')).toHaveCount(5);
  await table.getByLabel('C1', { exact: true }).selectOption('');
  await expect(table).toContainText('Unassigned: 1 of 4 (C1)');
  await table.getByLabel('All C').selectOption('Spread evenly');
  await expect(table).toContainText('C4: 2 · C5: 2 · All assigned');
  await form(page).getByRole('button', { name: 'Submit this order' }).click();
  await expect(form(page)).toHaveCount(0);
});

/** Opens a stack of 3 corvettes and 35 transports. */
async function atStack(page: Page, place: Place): Promise<void> {
  const transports = Array.from({ length: 35 }, (_, at) => ({
    number: at + 4,
    kind: 'SHIP_KIND_COLONY_TRANSPORT',
    at: 'O16',
  }));
  await atStars(page, place, {
    table: { turn: 1, active: 1, stage: { movement: {} } },
    powers: [{ ships: [...corvettes(1, 3), ...transports] }, {}],
    card: { star: 'Sadir', card: 15 },
  });
}

test('many ships are chosen by type', async ({ page, place }) => {
  await atStack(page, place);
  await page.locator('[data-offer="move"]').first().click();
  await expect(form(page).getByRole('checkbox').filter({ visible: true })).toHaveCount(0);
  await form(page).getByLabel('Number of CT').fill('20');
  await form(page).getByLabel('Number of C', { exact: true }).fill('1');
  await expect(form(page).locator('legend output')).toContainText('21 of 38');
  // The members are shown on request.
  await form(page).getByText('Which', { exact: true }).click();
  await expect(form(page).getByRole('checkbox').filter({ visible: true })).toHaveCount(38);
  await form(page).getByLabel('star').selectOption({ index: 1 });
  await form(page).getByRole('button', { name: 'Submit this order' }).click();
  await expect(form(page)).toHaveCount(0);
});

test('a stack is one thing on the map, in the card and in the tree', async ({ page, place }) => {
  await atStack(page, place);
  await expect(page.locator('.stage .mark.able')).toHaveCount(1);
  const { left, top } = await spotOf(page, '[data-group="O16"]');
  await page.mouse.move(left, top);
  await expect(page.locator('.map-card')).toContainText('35 colony transports');
  await expect(page.locator('.map-card')).not.toContainText('#4');
  await page.mouse.click(left, top);
  // The stars in range are targets, and its own ships are not.
  await expect(page.locator('.stage .token .mark.target')).toHaveCount(0);
  await expect(page.locator('.stage circle.mark.target').first()).toBeVisible();
  const radii = await page
    .locator('.stage circle.mark.target')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width / 2));
  expect(Math.min(...radii)).toBeGreaterThan(8);
  await page.getByRole('button', { name: 'Show places and pieces as a tree' }).click();
  const node = page.getByRole('treeitem', { name: /38 pieces/ });
  await expect(node).toHaveAttribute('aria-expanded', 'false');
  await node.click();
  await expect(node).toHaveAttribute('aria-expanded', 'true');
});
