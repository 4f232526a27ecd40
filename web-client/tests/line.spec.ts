// The page outlives its connections: nothing typed is lost, nothing stale is shown as current.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from './support/engine';
import { expect, openFor, test } from './support/fixtures';
import { Front } from './support/front';
import { duel, register, solo } from './support/people';

test('an engine that is killed and started again', async ({ page }) => {
  const engine = await Engine.start();
  const front = await Front.start(() => engine.port);
  const newcomer = () => register(engine.url, 'Ann');
  try {
    const ann = await newcomer();
    engine.automate();
    const id = await solo(ann, 'diplomacy', 6);
    await openFor(page, { engine, front, newcomer }, ann, `/game/${id}`);
    const line = page.getByRole('combobox', { name: 'Order 1' });
    await line.fill('A Vie');
    const give = page.locator('.offer-button').first();
    await expect(give).toBeEnabled();
    await engine.kill();
    await expect(page.getByText('Behind: connecting again')).toBeVisible();
    await expect(give).toBeDisabled();
    await line.pressSequentially(' - Gal');
    await engine.begin();
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(give).toBeEnabled();
    await expect(line).toHaveValue('A Vie - Gal');
    await line.press('Escape');
    await line.press('Enter');
    await expect(page.locator('.standing')).toContainText('Gal');
    await expect(line).toHaveValue('');
  } finally {
    await front.stop();
    await engine.stop();
  }
});

test('a database that went back takes what was lost off the page', async ({ page }) => {
  const engine = await Engine.start();
  const front = await Front.start(() => engine.port);
  const newcomer = (name = 'Ann') => register(engine.url, name);
  const saved = mkdtempSync(join(tmpdir(), 'heliopause-saved-'));
  try {
    const [ann, bob] = [await newcomer(), await newcomer('Bob')];
    const id = await duel(ann, bob, 'diplomacy', 'Restored');
    const write = (text: string) =>
      bob.games.sendMessage({ gameId: id, toSeats: [1], text, requestId: crypto.randomUUID() });
    await write('This letter is kept.');
    await engine.kill();
    cpSync(engine.data, saved, { recursive: true });
    await engine.begin();
    await openFor(page, { engine, front, newcomer }, ann, `/game/${id}`);
    await expect(page.locator('.orders:not(.stale)')).toBeVisible();
    await write('This letter is lost.');
    await ann.master.pauseGame({ gameId: id, requestId: crypto.randomUUID() });
    await ann.master.resumeGame({ gameId: id, requestId: crypto.randomUUID() });
    const news = page.getByRole('tab', { name: 'News' });
    const letters = page.getByRole('tab', { name: /Letters/ });
    await expect(letters.locator('.badge')).toHaveText('2');
    await news.click();
    const told = page.locator('.news .told');
    await expect(told.filter({ hasText: /paused/i })).not.toHaveCount(0);

    await engine.kill();
    rmSync(engine.data, { recursive: true });
    cpSync(saved, engine.data, { recursive: true });
    await engine.begin();
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(told.filter({ hasText: /paused/i })).toHaveCount(0);
    await expect(told).not.toHaveCount(0);
    await expect(letters.locator('.badge')).toHaveText('1');
    // The game continues from there: what is told next has the numbers of what was lost.
    await write('This letter is new.');
    await expect(letters.locator('.badge')).toHaveText('2');
    await letters.click();
    await page.getByRole('button', { name: /England/ }).click();
    const bubbles = page.locator('.bubbles .letter-text');
    await expect(bubbles).toHaveText(['This letter is kept.', 'This letter is new.']);
  } finally {
    await front.stop();
    await engine.stop();
    rmSync(saved, { recursive: true, force: true });
  }
});

test('a line that is cut, and a page that is left and opened again', async ({
  page,
  place,
  open,
}) => {
  const ann = await place.newcomer();
  const front = await Front.start(() => place.engine.port);
  const id = await solo(ann, 'diplomacy', 6);
  await open(page, { ...place, front }, ann, `/game/${id}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const line = page.getByRole('combobox', { name: 'Order 1' });
  await line.fill('A Bud - Ser');
  await expect(page.locator('.row-line.good')).toHaveCount(1);
  front.cut();
  await expect(page.getByText('Behind: connecting again')).toBeVisible();
  // Meanwhile the same seat orders elsewhere.
  const { phase, revision } = await ann.games.getOffers({ gameId: id });
  await ann.games.submitOrders({
    gameId: id,
    phase: phase ?? 0n,
    revision: revision ?? 0n,
    requestId: crypto.randomUUID(),
    orders: { text: 'A Vie - Tri' },
  });
  await expect(page.locator('.offer-button').first()).toBeDisabled();
  front.isOpen = true;
  await expect(page.locator('.standing')).toContainText('Tri', { timeout: 30_000 });
  await expect(line).toHaveValue('A Bud - Ser');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Order 1' })).toHaveValue('A Bud - Ser');
  await front.stop();
});

test('two tabs of one seat agree', async ({ context, page, place, open }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await open(page, place, ann, `/game/${id}`);
  const other = await context.newPage();
  await other.goto(`${place.front.url}/game/${id}`);
  await other.locator('.offer-button', { hasText: 'holds' }).first().click();
  await expect(other.locator('.standing li')).toHaveCount(1);
  await expect(page.locator('.standing li')).toHaveCount(1);
  await page.getByRole('button', { name: 'Take back', exact: true }).click();
  await expect(other.locator('.standing')).toHaveCount(0);
  // Many tabs: a browser has six connections to a server, and none may starve.
  const more = await Promise.all([context.newPage(), context.newPage()]);
  for (const tab of more) {
    await tab.goto(place.front.url);
    await expect(tab.getByText(`Test of diplomacy`).first()).toBeVisible();
  }
});

test('a machine that sleeps for an hour', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const front = await Front.start(() => place.engine.port);
  const id = await solo(ann, 'diplomacy', 6);
  await page.clock.install();
  await open(page, { ...place, front }, ann, `/game/${id}`);
  const line = page.getByRole('combobox', { name: 'Order 1' });
  await line.fill('A Bud - Ser');
  await expect(page.locator('.row-line.good')).toHaveCount(1);
  const orders = page.locator('.orders:not(.stale)');
  const slept = (await orders.getAttribute('data-question')) ?? '';

  // It falls asleep: nothing runs any more, and the line dies without a word.
  await page.clock.pauseAt(Date.now() + 1_000);
  front.mute();
  const asked = await ann.games.getOffers({ gameId: id });
  await ann.games.setReady({ gameId: id, phase: asked.phase ?? 0n, ready: true });
  await expect
    .poll(async () => (await ann.games.getGame({ gameId: id })).game?.progress, { timeout: 60_000 })
    .toContain('Fall 1901');

  // It wakes after an hour. Whoever acts at once acts on nothing that is gone.
  await page.evaluate((old) => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = () => {
      if (document.querySelector(`.orders[data-question="${old}"]:not(.stale)`)) seen.push(old);
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
    });
  }, slept);
  await page.clock.setSystemTime(Date.now() + 3_600_000);
  await line.press('End');
  await expect(page.getByText('Behind: connecting again')).toBeVisible();
  await expect(page.locator('.offer-button').first()).toBeDisabled();
  await expect(page.getByRole('button', { name: 'I am ready' })).toBeDisabled();
  front.isOpen = true;
  await page.clock.resume();
  await page.clock.fastForward(10_000);
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(orders).not.toHaveAttribute('data-question', slept);
  await expect(page.locator('.prompt')).toContainText('Fall 1901');
  await expect(line).toHaveValue('A Bud - Ser');
  expect(await page.evaluate(() => (window as { seen?: string[] }).seen)).toEqual([]);
  // What was typed is judged anew, by how things stand now.
  await expect(page.locator('.row-line.good, .row-line.bad').first()).toBeVisible();
  await front.stop();
});

test('no token stands in an address', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  await open(page, place, ann);
  expect(place.front.paths.filter((path) => path.includes('hp_'))).toEqual([]);
  expect(place.engine.log).not.toContain(ann.token);
});
