// Lost connections: the page keeps typed lines and never shows stale state as current.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from './support/engine';
import { expect, openFor, test } from './support/fixtures';
import { duel, register, solo } from './support/people';
import { EngineProxy } from './support/proxy';

test('the page recovers after the engine is killed and restarted', async ({ page }) => {
  const engine = await Engine.start();
  const proxy = await EngineProxy.start(() => engine.port);
  const newcomer = () => register(engine.url, 'Ann');
  try {
    const ann = await newcomer();
    engine.automate();
    const id = await solo(ann, 'diplomacy', 6);
    await openFor(page, { engine, proxy, newcomer }, ann, `/game/${id}`);
    const line = page.getByRole('combobox', { name: 'Order 1' });
    await line.fill('A Vie');
    const give = page.locator('.offer-button').first();
    await expect(give).toBeEnabled();
    await engine.kill();
    await expect(page.getByText('Out of date: reconnecting')).toBeVisible();
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
    await proxy.stop();
    await engine.stop();
  }
});

test('events lost in a database restore disappear from the page', async ({ page }) => {
  const engine = await Engine.start();
  const proxy = await EngineProxy.start(() => engine.port);
  const newcomer = (name = 'Ann') => register(engine.url, name);
  const saved = mkdtempSync(join(tmpdir(), 'heliopause-saved-'));
  try {
    const [ann, bob] = [await newcomer(), await newcomer('Bob')];
    const id = await duel(ann, bob, 'diplomacy', 'Restored');
    const write = (text: string) =>
      bob.games.sendMessage({ gameId: id, toSeats: [1], text, requestId: crypto.randomUUID() });
    await write('This message is kept.');
    await engine.kill();
    cpSync(engine.data, saved, { recursive: true });
    await engine.begin();
    await openFor(page, { engine, proxy, newcomer }, ann, `/game/${id}`);
    await expect(page.locator('.orders:not(.stale)')).toBeVisible();
    await write('This message is lost.');
    await ann.master.pauseGame({ gameId: id, requestId: crypto.randomUUID() });
    await ann.master.resumeGame({ gameId: id, requestId: crypto.randomUUID() });
    const news = page.getByRole('tab', { name: 'News' });
    const letters = page.getByRole('tab', { name: /Messages/ });
    await expect(letters.locator('.badge')).toHaveText('2');
    await news.click();
    const events = page.locator('.news .event-text');
    await expect(events.filter({ hasText: /paused/i })).not.toHaveCount(0);

    await engine.kill();
    rmSync(engine.data, { recursive: true });
    cpSync(saved, engine.data, { recursive: true });
    await engine.begin();
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(events.filter({ hasText: /paused/i })).toHaveCount(0);
    await expect(events).not.toHaveCount(0);
    await expect(letters.locator('.badge')).toHaveText('1');
    // The game continues: new events get the numbers of the lost ones.
    await write('This message is new.');
    await expect(letters.locator('.badge')).toHaveText('2');
    await letters.click();
    await page.locator('.thread', { hasText: 'England' }).click();
    const bubbles = page.locator('.bubbles .message-text');
    await expect(bubbles).toHaveText(['This message is kept.', 'This message is new.']);
  } finally {
    await proxy.stop();
    await engine.stop();
    rmSync(saved, { recursive: true, force: true });
  }
});

test('typed lines survive a lost connection and reopening the page', async ({
  page,
  place,
  open,
}) => {
  const ann = await place.newcomer();
  const proxy = await EngineProxy.start(() => place.engine.port);
  const id = await solo(ann, 'diplomacy', 6);
  await open(page, { ...place, proxy }, ann, `/game/${id}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const line = page.getByRole('combobox', { name: 'Order 1' });
  await line.fill('A Bud - Ser');
  await expect(page.locator('.row-line.good')).toHaveCount(1);
  proxy.cut();
  await expect(page.getByText('Out of date: reconnecting')).toBeVisible();
  // Meanwhile the same seat submits orders elsewhere.
  const { phase, revision } = await ann.games.getOffers({ gameId: id });
  await ann.games.submitOrders({
    gameId: id,
    phase: phase ?? 0n,
    revision: revision ?? 0n,
    requestId: crypto.randomUUID(),
    orders: { text: 'A Vie - Tri' },
  });
  await expect(page.locator('.offer-button').first()).toBeDisabled();
  proxy.isOpen = true;
  await expect(page.locator('.standing')).toContainText('Tri', { timeout: 30_000 });
  await expect(line).toHaveValue('A Bud - Ser');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Order 1' })).toHaveValue('A Bud - Ser');
  await proxy.stop();
});

test('two tabs of one seat show the same orders', async ({ context, page, place, open }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await open(page, place, ann, `/game/${id}`);
  const other = await context.newPage();
  await other.goto(`${place.proxy.url}/game/${id}`);
  await other.locator('[data-offer="hold"]').first().click();
  await expect(other.locator('.standing li')).toHaveCount(1);
  await expect(page.locator('.standing li')).toHaveCount(1);
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(other.locator('.standing')).toHaveCount(0);
  // A browser allows six connections per server: many tabs must all be served.
  const more = await Promise.all([context.newPage(), context.newPage()]);
  for (const tab of more) {
    await tab.goto(place.proxy.url);
    await expect(tab.getByText(`Test of diplomacy`).first()).toBeVisible();
  }
});

test('the page recovers after the machine slept for an hour', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  const proxy = await EngineProxy.start(() => place.engine.port);
  const id = await solo(ann, 'diplomacy', 6);
  await page.clock.install();
  await open(page, { ...place, proxy }, ann, `/game/${id}`);
  const line = page.getByRole('combobox', { name: 'Order 1' });
  await line.fill('A Bud - Ser');
  await expect(page.locator('.row-line.good')).toHaveCount(1);
  const orders = page.locator('.orders:not(.stale)');
  const slept = (await orders.getAttribute('data-question')) ?? '';

  // The machine goes to sleep: no code runs, and the connection dies silently.
  await page.clock.pauseAt(Date.now() + 1_000);
  proxy.mute();
  const asked = await ann.games.getOffers({ gameId: id });
  await ann.games.setReady({ gameId: id, phase: asked.phase ?? 0n, ready: true });
  await expect
    .poll(async () => (await ann.games.getGame({ gameId: id })).game?.progress, { timeout: 60_000 })
    .toContain('Fall 1901');

  // The machine wakes after an hour. An immediate click must not act on stale state.
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
  await expect(page.getByText('Out of date: reconnecting')).toBeVisible();
  await expect(page.locator('.offer-button').first()).toBeDisabled();
  await expect(page.getByRole('button', { name: 'I am ready' })).toBeDisabled();
  proxy.isOpen = true;
  await page.clock.resume();
  await page.clock.fastForward(10_000);
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(orders).not.toHaveAttribute('data-question', slept);
  await expect(page.locator('.prompt')).toContainText('Fall 1901');
  await expect(line).toHaveValue('A Bud - Ser');
  expect(await page.evaluate(() => (window as { seen?: string[] }).seen)).toEqual([]);
  // The typed line is validated again, against the current state.
  await expect(page.locator('.row-line.good, .row-line.bad').first()).toBeVisible();
  await proxy.stop();
});

test('no address contains a token', async ({ page, place, open }) => {
  const ann = await place.newcomer();
  await open(page, place, ann);
  expect(place.proxy.paths.filter((path) => path.includes('hp_'))).toEqual([]);
  expect(place.engine.log).not.toContain(ann.token);
});
