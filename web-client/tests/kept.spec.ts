// What a player is making on the map survives everything that happens at the table.

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { Engine } from './support/engine';
import { expect, openFor, type Place, test } from './support/fixtures';
import { Front } from './support/front';
import { duel, type Person, register, solo } from './support/people';

/** Clicks a place or a piece of the picture, by the name under which the engine draws it. */
async function clickOn(page: Page, mark: string): Promise<void> {
  const at = await page.locator('.stage').evaluate((stage, wanted) => {
    const root = stage.shadowRoot;
    for (const element of root?.querySelectorAll(wanted) ?? []) {
      const box = element.getBoundingClientRect();
      const steps = [0.5, 0.35, 0.65, 0.2, 0.8];
      for (const x of steps) {
        for (const y of steps) {
          const [left, top] = [box.x + box.width * x, box.y + box.height * y];
          const hit = root?.elementFromPoint(left, top);
          const named = hit?.closest('[data-piece], [data-group], [data-place]');
          if (named === element) return { left, top };
        }
      }
    }
    return undefined;
  }, mark);
  if (!at) throw new Error(`nothing of ${mark} can be clicked`);
  await page.mouse.click(at.left, at.top);
}

const unit = (name: string) => `[data-piece="${name}"]`;
const land = (name: string) => `[data-place="${name}"]:not([data-piece])`;

/** A letter of one player to another. */
async function write(from: Person, gameId: string, toSeat: number, text: string): Promise<void> {
  await from.games.sendMessage({ gameId, toSeats: [toSeat], text, requestId: randomUUID() });
}

/** Waits until the page has heard of a letter, and knows again how things stand. */
async function hears(page: Page, letters: number): Promise<void> {
  await expect(page.getByRole('tab', { name: /Letters/ }).locator('.badge')).toHaveText(
    String(letters),
  );
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  // And longer than the page waits before it asks, and draws.
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

/** The first armies of the seat, as the page offers them. */
async function ownUnits(page: Page): Promise<string[]> {
  const notations = await page
    .locator('.offer-button[title$=" H"]')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('title') ?? ''));
  return notations.map((title) => title.slice(0, -2));
}

test('messages of others leave the selection and the question', async ({ page, place }) => {
  const [id, bob] = await atDiplomacy(page, place);
  const [first = '', second = ''] = await ownUnits(page);
  const about = page.locator('.chosen-bar');
  let letters = 0;
  const letter = async () => {
    letters += 1;
    await write(bob, id, 1, `Letter ${letters}`);
    await hears(page, letters);
  };
  await clickOn(page, unit(first));
  await expect(about).toContainText('About');
  const chosen = (await about.textContent()) ?? '';
  await letter();
  await expect(about).toHaveText(chosen);

  // What two clicks can mean stays, and so does its answer.
  await clickOn(page, unit(second));
  const meanings = page.locator('.meanings li');
  await expect(meanings.first()).toBeVisible();
  const meant = await meanings.allTextContents();
  await letter();
  expect(await meanings.allTextContents()).toEqual(meant);
  await page.locator('.meanings').getByRole('button', { name: 'Nothing' }).click();

  // A form that is half filled stays, with the focus in it.
  await page.locator('.offer-button', { hasText: 'moves to' }).first().click();
  const slot = page.locator('.offer-form select').first();
  await slot.selectOption({ index: 1 });
  const value = await slot.inputValue();
  await slot.focus();
  await letter();
  await expect(slot).toHaveValue(value);
  await expect(slot).toBeFocused();
  await page.getByRole('button', { name: 'Give this order' }).click();
  await expect(page.locator('.standing li')).toHaveCount(1);
});

test('orders and clicks follow each other at any pace', async ({ page, place }) => {
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
    await page.getByRole('button', { name: 'Take back', exact: true }).click();
    await expect(standing).toHaveCount(0);
    await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  }

  // Whole orders by clicks alone, without waiting: every one is given.
  await clickOn(page, unit('A Bud'));
  await clickOn(page, land('Ser'));
  await clickOn(page, unit('F Tri'));
  await clickOn(page, land('ADR'));
  await expect(standing).toHaveCount(2);
  await expect(about).toHaveCount(0);
});

test('another tab of the seat leaves a half-made order', async ({ context, page, place }) => {
  const [id, bob] = await atDiplomacy(page, place);
  const [, second = ''] = await ownUnits(page);
  await page.locator('.offer-button', { hasText: 'moves to' }).first().click();
  const slot = page.locator('.offer-form select').first();
  await slot.selectOption({ index: 1 });
  const value = await slot.inputValue();

  const other = await context.newPage();
  await other.goto(`${place.front.url}/game/${id}`);
  await other.getByRole('tab', { name: 'Letters' }).click();
  await other.getByRole('button', { name: new RegExp(bob.name) }).click();
  await other.getByRole('textbox').fill('From the second tab.');
  await other.getByRole('button', { name: 'Send' }).click();
  await expect(other.locator('.bubbles li.own')).toContainText('second tab');
  await page.waitForTimeout(600);
  await expect(slot).toHaveValue(value);

  // And so does an order that the seat gives there.
  await other.getByRole('tab', { name: 'Orders' }).click();
  await other.locator(`.offer-button[title="${second} H"]`).click();
  await expect(page.locator('section[aria-label="Your orders"] li')).toHaveCount(1);
  await expect(slot).toHaveValue(value);
  await page.getByRole('button', { name: 'Give this order' }).click();
  await expect(page.locator('section[aria-label="Your orders"] li')).toHaveCount(2);
});

test('a look at the report leaves a half-made order', async ({ page, place }) => {
  const [id] = await atDiplomacy(page, place);
  await page.locator('.offer-button', { hasText: 'moves to' }).first().click();
  const slot = page.locator('.offer-form select').first();
  await slot.selectOption({ index: 1 });
  const value = await slot.inputValue();
  await page.getByRole('link', { name: 'Report' }).click();
  await expect(page.locator('.report-page')).toBeVisible();
  await page.getByRole('link', { name: 'To the table' }).click();
  await expect(page).toHaveURL(new RegExp(`/game/${id}$`));
  await expect(slot).toHaveValue(value);
});

test('a line that breaks leaves a half-made order, and gives what was clicked', async ({
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const front = await Front.start(() => place.engine.port);
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(page, { ...place, front }, ann, `/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  await page.locator('.offer-button', { hasText: 'moves to' }).first().click();
  const slot = page.locator('.offer-form select').first();
  await slot.selectOption({ index: 1 });
  const value = await slot.inputValue();
  front.cut();
  await expect(page.getByText('Behind: connecting again')).toBeVisible();
  await expect(slot).toHaveValue(value);
  await expect(page.getByRole('button', { name: 'Give this order' })).toBeDisabled();
  front.isOpen = true;
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(slot).toHaveValue(value);
  await page.locator('.offer-form').getByRole('button', { name: 'Cancel' }).click();

  // An order that is whole by clicks waits for the engine, and can be taken back.
  front.cut();
  await expect(page.getByText('Behind: connecting again')).toBeVisible();
  for (const [piece, place] of [
    ['A Bud', 'Ser'],
    ['F Tri', 'ADR'],
  ] as const) {
    await clickOn(page, unit(piece));
    await clickOn(page, land(place));
  }
  const waiting = page.getByRole('region', { name: 'Orders that wait' }).locator('li');
  await expect(waiting).toHaveCount(2);
  await waiting.filter({ hasText: 'Adriatic' }).getByRole('button', { name: 'Take back' }).click();
  front.isOpen = true;
  await expect(page.locator('section[aria-label="Your orders"] li')).toHaveText(/Ser/, {
    timeout: 30_000,
  });
  await expect(waiting).toHaveCount(0);
  await front.stop();
});

test('a question that closes drops the half-made order, and says so', async ({ page }) => {
  const engine = await Engine.start();
  const front = await Front.start(() => engine.port);
  const newcomer = (name = 'Ann') => register(engine.url, name);
  try {
    const ann = await newcomer();
    engine.automate();
    const id = await solo(ann, 'diplomacy', 6);
    await openFor(page, { engine, front, newcomer }, ann, `/game/${id}`);
    await page.locator('.offer-button', { hasText: 'moves to' }).first().click();
    await page.locator('.offer-form select').first().selectOption({ index: 1 });
    const { phase } = await ann.games.getOffers({ gameId: id });
    await ann.games.setReady({ gameId: id, phase: phase ?? 0n, ready: true });
    await expect(page.locator('.prompt')).not.toContainText('Spring 1901', { timeout: 60_000 });
    await expect(page.locator('.offer-form')).toHaveCount(0);
    await expect(page.locator('.dropped')).toContainText('The question has closed. Not given:');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.locator('.dropped')).toHaveCount(0);
  } finally {
    await front.stop();
    await engine.stop();
  }
});
