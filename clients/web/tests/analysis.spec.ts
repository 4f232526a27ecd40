// Branches of games, and the preview of a phase of Diplomacy.

import type { Page } from '@playwright/test';
import { clickOn, land, unit } from './support/board';
import { expect, openFor, type Place, test } from './support/fixtures';
import { duel, type Person, solo } from './support/people';

const toggle = (page: Page) => page.getByRole('button', { name: 'Analysis', exact: true });

async function ready(who: Person, gameId: string): Promise<void> {
  const { decision } = await who.games.getGame({ gameId });
  if (decision?.phase === undefined) throw new Error('there is no decision');
  await who.games.setReady({ gameId, phase: decision.phase, ready: true });
}

/** Returns a game of two players in its second turn. */
async function secondTurn(place: Place): Promise<{ ann: Person; gameId: string }> {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const gameId = await duel(ann, bob, 'star-empires', 'Two empires');
  await ready(ann, gameId);
  await ready(bob, gameId);
  return { ann, gameId };
}

test('a player branches a past phase, plays on, and returns to the branches', async ({
  page,
  place,
}) => {
  const { ann, gameId } = await secondTurn(place);
  const before = await ann.games.getView({ gameId });
  await openFor(page, place, ann, `/game/${gameId}/phase/1`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await toggle(page).click();
  await expect(page.getByText('You have no branches of this game.')).toBeVisible();
  await page.getByLabel('Name of the branch').fill('Attack');
  await page.getByRole('button', { name: 'Create the branch' }).click();

  // The branch is a game of its own, from the player's seat.
  const bar = page.getByRole('region', { name: 'Branch', exact: true });
  await expect(bar).toContainText('This is a branch from');
  await expect(page).not.toHaveURL(new RegExp(gameId));
  await expect(page.locator('.table-head .chip', { hasText: 'What if' })).toBeVisible();
  const progress = await page.locator('.table-head p').textContent();
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  await bar.getByRole('button', { name: 'Close the phase' }).click();
  await expect(page.locator('.table-head p')).not.toHaveText(progress ?? '');
  await bar.getByLabel('Play as').selectOption({ index: 1 });
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();

  // What the seat did not see is a guess.
  await page.getByRole('button', { name: 'The map in sentences' }).click();
  await expect(page.locator('.sentences li').first()).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await bar.getByLabel('Show everything, with guesses').check();
  await page.getByRole('button', { name: 'The map in sentences' }).click();
  await expect(page.locator('.sentences li', { hasText: '(a guess)' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  await toggle(page).click();
  const branches = page.locator('.branches li');
  await expect(branches).toHaveCount(1);
  await bar.getByRole('link', { name: 'Back to the game' }).click();
  await expect(page).toHaveURL(new RegExp(`/game/${gameId}/phase/1$`));
  await toggle(page).click();
  await branches.getByRole('button', { name: 'Rename' }).click();
  await branches.getByLabel('Name of the branch').fill('Defense');
  await branches.getByRole('button', { name: 'Rename' }).click();
  await expect(branches.getByRole('link', { name: 'Defense' })).toBeVisible();
  await branches.getByRole('link', { name: 'Defense' }).click();
  await expect(bar).toBeVisible();
  await page.goBack();
  await toggle(page).click();
  await branches.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('You have no branches of this game.')).toBeVisible();
  expect((await ann.games.getView({ gameId })).view).toEqual(before.view);
});

test('a preview resolves expected orders without changing the real ones', async ({
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const gameId = await solo(ann, 'diplomacy', 6);
  const { decision } = await ann.games.getGame({ gameId });
  await ann.games.submitOrders({
    gameId,
    ...(decision?.phase !== undefined && { phase: decision.phase }),
    revision: decision?.revision ?? 0n,
    orders: { text: 'A Vie - Tyr' },
    requestId: crypto.randomUUID(),
  });
  await openFor(page, place, ann, `/game/${gameId}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await toggle(page).click();
  await page.getByLabel('Preview this phase on the map').check();
  const order = (name: string) => page.getByLabel(`Expected order of ${name}`, { exact: true });
  await expect(order('A Vie')).toHaveValue('A Vie - Tyr');
  await expect(order('A Ven')).toHaveValue('A Ven H');
  await clickOn(page, unit('A Ven'));
  await clickOn(page, land('Tyr'));
  await expect(order('A Ven')).toHaveValue('A Ven - Tyr');
  const result = (name: string) => page.locator('.preview-row', { has: order(name) });
  await expect(result('A Vie')).toContainText('Your order. bounced: 1 against 1 from Ven');
  await expect(page.locator('.stage [data-order]')).not.toHaveCount(0);
  // A support by clicks: the unit, the supported unit, its destination.
  await clickOn(page, unit('F Tri'));
  await clickOn(page, unit('A Vie'));
  await clickOn(page, land('Tyr'));
  await expect(order('F Tri')).toHaveValue('F Tri S A Vie - Tyr');
  await order('A Ven').fill('A Ven nowhere');
  await order('A Ven').blur();
  await expect(result('A Ven')).toContainText('unreadable');
  await page.getByRole('button', { name: 'Clear the expected orders' }).click();
  await expect(order('A Ven')).toHaveValue('A Ven H');
  const { currentOrders } = await ann.games.getOffers({ gameId });
  expect(currentOrders).toEqual(['A Vie - Tyr']);
});

test('a game can forbid analysis until its end', async ({ page, place }) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/new');
  await page.getByRole('radio', { name: /^Star Empires/ }).check();
  await page.locator('form details > summary', { hasText: 'Players and visibility' }).click();
  await page.getByLabel('Analysis board').uncheck();
  await page.getByRole('button', { name: 'Create the game' }).click();
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await toggle(page).click();
  await expect(page.getByText('This game can be analyzed once it is over.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create the branch' })).toHaveCount(0);
});
