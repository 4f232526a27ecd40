// Unfinished orders survive all events of the game.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { clickOn, land, unit } from './support/board';
import { Engine } from './support/engine';
import { expect, openFor, type Place, test } from './support/fixtures';
import { duel, type Person, register, solo } from './support/people';
import { EngineProxy } from './support/proxy';

async function write(from: Person, gameId: string, toSeat: number, text: string): Promise<void> {
  await from.games.sendMessage({ gameId, toSeats: [toSeat], text, requestId: randomUUID() });
}

/** Waits until the page has received a message and refreshed its state. */
async function receives(page: Page, letters: number): Promise<void> {
  await expect(page.getByRole('tab', { name: /Messages/ }).locator('.badge')).toHaveText(
    String(letters),
  );
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  // Also waits longer than the page's delays before refreshing and drawing.
  await page.waitForTimeout(400);
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
}

async function atDiplomacy(page: Page, place: Place): Promise<[string, Person]> {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  const id = await duel(ann, bob, 'diplomacy', 'Kept');
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  return [id, bob];
}

/** Returns the first armies of the seat in the page's offers. */
async function ownUnits(page: Page): Promise<string[]> {
  const notations = await page
    .locator('.offer-button[title$=" H"]')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('title') ?? ''));
  return notations.map((title) => title.slice(0, -2));
}

test('messages of others do not change the selection or the open form', async ({ page, place }) => {
  const [id, bob] = await atDiplomacy(page, place);
  const [first = '', second = ''] = await ownUnits(page);
  const about = page.locator('.chosen-bar');
  let letters = 0;
  const letter = async () => {
    letters += 1;
    await write(bob, id, 1, `Letter ${letters}`);
    await receives(page, letters);
  };
  await clickOn(page, unit(first));
  await expect(about).toContainText('About');
  const chosen = (await about.textContent()) ?? '';
  await letter();
  await expect(about).toHaveText(chosen);

  // The alternatives to the given order stay.
  await clickOn(page, unit(second));
  await expect(page.locator('.standing li')).toHaveCount(1);
  const meanings = page.locator('.meanings li');
  await expect(meanings.first()).toBeVisible();
  const meant = await meanings.allTextContents();
  await letter();
  expect(await meanings.allTextContents()).toEqual(meant);
  await page.keyboard.press('Escape');
  await expect(meanings).toHaveCount(0);
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(page.locator('.standing li')).toHaveCount(0);
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();

  // A half-filled form stays and keeps the focus.
  await page.locator('[data-offer="move"]').first().click();
  const slot = page.locator('.offer-form select').first();
  await slot.selectOption({ index: 1 });
  const value = await slot.inputValue();
  await slot.focus();
  await letter();
  await expect(slot).toHaveValue(value);
  await expect(slot).toBeFocused();
  await page.getByRole('button', { name: 'Submit this order' }).click();
  await expect(page.locator('.standing li')).toHaveCount(1);
});

test('orders and clicks are accepted in quick succession', async ({ page, place }) => {
  await atDiplomacy(page, place);
  const [, second = ''] = await ownUnits(page);
  const about = page.locator('.chosen-bar');
  const standing = page.locator('section[aria-label="Your orders"] li');
  for (const pause of [0, 30, 60, 100, 150]) {
    await page.locator('.offer-button[title$=" H"]').first().click();
    await page.waitForTimeout(pause);
    await clickOn(page, unit(second));
    await expect(about).toBeVisible();
    const chosen = (await about.textContent()) ?? '';
    await page.waitForTimeout(1_200);
    await expect(about).toHaveText(chosen);
    await page.getByRole('button', { name: 'Show all orders' }).click();
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await expect(standing).toHaveCount(0);
    await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  }

  // The player completes orders by clicks without waiting, and all are submitted.
  await clickOn(page, unit('A Bud'));
  await clickOn(page, land('Ser'));
  await clickOn(page, unit('F Tri'));
  await clickOn(page, land('ADR'));
  await expect(standing).toHaveCount(2);
  await expect(about).toHaveCount(0);
});

test('an unfinished order survives actions in another tab of the seat', async ({
  context,
  page,
  place,
}) => {
  const [id, bob] = await atDiplomacy(page, place);
  const [, second = ''] = await ownUnits(page);
  await page.locator('[data-offer="move"]').first().click();
  const slot = page.locator('.offer-form select').first();
  await slot.selectOption({ index: 1 });
  const value = await slot.inputValue();

  const other = await context.newPage();
  await other.goto(`${place.proxy.url}/game/${id}`);
  await other.getByRole('tab', { name: 'Messages' }).click();
  await other.getByRole('button', { name: new RegExp(bob.name) }).click();
  await other.getByRole('textbox').fill('From the second tab.');
  await other.getByRole('button', { name: 'Send' }).click();
  await expect(other.locator('.bubbles li.own')).toContainText('second tab');
  await page.waitForTimeout(600);
  await expect(slot).toHaveValue(value);

  // The form also survives an order submitted in the other tab.
  await other.getByRole('tab', { name: 'Orders' }).click();
  await other.locator(`.offer-button[title="${second} H"]`).click();
  await expect(page.locator('section[aria-label="Your orders"] li')).toHaveCount(1);
  await expect(slot).toHaveValue(value);
  await page.getByRole('button', { name: 'Submit this order' }).click();
  await expect(page.locator('section[aria-label="Your orders"] li')).toHaveCount(2);
});

test('an unfinished order survives opening the report', async ({ page, place }) => {
  const [id] = await atDiplomacy(page, place);
  await page.locator('[data-offer="move"]').first().click();
  const slot = page.locator('.offer-form select').first();
  await slot.selectOption({ index: 1 });
  const value = await slot.inputValue();
  await page.getByRole('link', { name: 'Report' }).click();
  await expect(page.locator('.report-page')).toBeVisible();
  await page.getByRole('link', { name: 'To the table' }).click();
  await expect(page).toHaveURL(new RegExp(`/game/${id}$`));
  await expect(slot).toHaveValue(value);
});

test('an unfinished order survives a lost connection, and clicked orders are submitted after it', async ({
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const proxy = await EngineProxy.start(() => place.engine.port);
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(page, { ...place, proxy }, ann, `/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  await page.locator('[data-offer="move"]').first().click();
  const slot = page.locator('.offer-form select').first();
  await slot.selectOption({ index: 1 });
  const value = await slot.inputValue();
  proxy.cut();
  await expect(page.getByText('Out of date: reconnecting')).toBeVisible();
  await expect(slot).toHaveValue(value);
  await expect(page.getByRole('button', { name: 'Submit this order' })).toBeDisabled();
  proxy.isOpen = true;
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(slot).toHaveValue(value);
  await page.locator('.offer-form').getByRole('button', { name: 'Cancel' }).click();

  // An order completed by clicks is queued and can be withdrawn.
  proxy.cut();
  await expect(page.getByText('Out of date: reconnecting')).toBeVisible();
  for (const [piece, place] of [
    ['A Bud', 'Ser'],
    ['F Tri', 'ADR'],
  ] as const) {
    await clickOn(page, unit(piece));
    await clickOn(page, land(place));
  }
  const waiting = page.getByRole('region', { name: 'Queued orders' }).locator('li');
  await expect(waiting).toHaveCount(2);
  await waiting.filter({ hasText: 'Adriatic' }).getByRole('button', { name: 'Withdraw' }).click();
  proxy.isOpen = true;
  await expect(page.locator('section[aria-label="Your orders"] li')).toHaveText(/Ser/, {
    timeout: 30_000,
  });
  await expect(waiting).toHaveCount(0);
  await proxy.stop();
});

test('an unfinished order survives the end of its phase', async ({ page }) => {
  const engine = await Engine.start();
  const proxy = await EngineProxy.start(() => engine.port);
  const newcomer = (name = 'Ann') => register(engine.url, name);
  try {
    const ann = await newcomer();
    engine.automate();
    const id = await solo(ann, 'diplomacy', 6);
    await openFor(page, { engine, proxy, newcomer }, ann, `/game/${id}`);
    await page.locator('[data-offer="move"]').first().click();
    const slot = page.locator('.offer-form select').first();
    await slot.selectOption({ index: 1 });
    const value = await slot.inputValue();
    const { phase } = await ann.games.getOffers({ gameId: id });
    await ann.games.setReady({ gameId: id, phase: phase ?? 0n, ready: true });
    await expect(page.locator('.prompt')).not.toContainText('Spring 1901', { timeout: 60_000 });
    await expect(slot).toHaveValue(value);
    await expect(page.locator('.offer-form')).toHaveCount(1);
    // The order of the closed phase was not submitted.
    await expect(page.locator('section[aria-label="Your orders"] li')).toHaveCount(0);
  } finally {
    await proxy.stop();
    await engine.stop();
  }
});
