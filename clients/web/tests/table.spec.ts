// The table: toasts, tooltips, the time left, and the map beside the tree.

import { randomUUID } from 'node:crypto';
import { VoteSubject } from '@heliopause/client/contract';
import type { Locator, Route } from '@playwright/test';
import { expect, openFor, test } from './support/fixtures';
import { duel, person, solo } from './support/people';

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('the element is not visible');
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

test('toasts do not cover the orders', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.prompt')).toContainText('Spring 1901');
  for (let more = 1; more <= 2; more += 1)
    await solo(ann, 'diplomacy', 6, { name: `Game ${more}` });
  await expect.poll(() => page.locator('.toast').count()).toBeGreaterThanOrEqual(2);
  for (const [width, height] of [
    [1280, 800],
    [2560, 1300],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const toasts = await boxOf(page.locator('.toasts'));
    const side = await boxOf(page.locator('.side'));
    expect(toasts.right <= side.left || toasts.bottom <= side.top, `${width}`).toBe(true);
  }
});

test('each icon has a tooltip', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'star-empires', 1);
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.locator('.panels')).toBeVisible();
  await page.getByRole('button', { name: 'Legend' }).click();
  await page.getByRole('combobox', { name: 'Order 1' }).fill('order');
  await solo(ann, 'diplomacy', 6, { name: 'Elsewhere' });
  await expect(page.locator('.toast').first()).toBeVisible();
  await page.getByRole('button', { name: 'The map in sentences' }).click();
  const icons = page.locator('.icon:visible');
  expect(await icons.count()).toBeGreaterThan(10);
  const bare = await icons.evaluateAll((all) =>
    all
      .filter((each) => (each.getAttribute('title') ?? '').length < 4)
      .map((each) => each.getAttribute('aria-label')),
  );
  expect(bare).toEqual([]);
});

test('the time left is set off from the state', async ({ page, place }) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const { game } = await ann.games.createGame({
    seatsInOrder: true,
    kind: 'diplomacy',
    seats: [
      { plan: { case: 'open', value: {} } },
      { plan: { case: 'reservedFor', value: bob.name } },
    ],
    pace: { standard: { interval: { seconds: 86_400n, nanos: 0 } } },
    startWhenFull: true,
    requestId: crypto.randomUUID(),
  });
  await bob.games.joinGame({ gameId: game?.gameId ?? '', requestId: crypto.randomUUID() });
  await openFor(page, place, ann, `/game/${game?.gameId}`);
  await page.getByRole('button', { name: 'I am ready' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue anyway' }).click();
  await expect(page.locator('.question')).toHaveText(/23 h \d+ min\s+You are ready/);
});

test('the whole map stays visible beside the tree', async ({ page, place }) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const id = await duel(ann, bob, 'diplomacy', 'Beside the tree');
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  const whole = () =>
    page.locator('.stage').evaluate((stage) => {
      const frame = stage.getBoundingClientRect();
      const places = [...(stage.shadowRoot?.querySelectorAll('[data-place]') ?? [])]
        .map((place) => place.getBoundingClientRect())
        .filter(({ width }) => width > 0);
      const isIn = ({ left, right }: DOMRect) => left >= frame.left && right <= frame.right;
      return places.length > 50 && places.every(isIn);
    });
  await expect.poll(whole).toBe(true);
  await page.getByRole('button', { name: 'Show places and pieces as a tree' }).click();
  await expect(page.getByRole('tree')).toBeVisible();
  await expect.poll(whole).toBe(true);
});

test('tabs show a waiting vote and a waiting decision, and none is cut off', async ({
  page,
  place,
}) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const gameId = await duel(ann, bob, 'diplomacy', 'Asked');
  await openFor(page, place, ann, `/game/${gameId}`);
  await expect(page.locator('.orders:not(.stale)')).toBeVisible();
  const badge = (name: RegExp) => page.getByRole('tab', { name }).locator('.badge');
  await bob.games.proposeVote({ gameId, subject: VoteSubject.DRAW, requestId: randomUUID() });
  const text = 'Shall we?';
  await bob.games.sendMessage({ gameId, toSeats: [1], text, requestId: randomUUID() });
  await expect(badge(/^Table/)).toHaveText('1');
  await expect(badge(/^Messages/)).toHaveText('1');
  await expect(badge(/^Orders/)).toHaveCount(0);
  await page.getByRole('tab', { name: /^Table/ }).click();
  await expect(badge(/^Orders/)).toHaveText('!');
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    const list = page.locator('.side [role=tablist]');
    const hidden = () => list.evaluate((each) => each.scrollWidth - each.clientWidth);
    await expect.poll(hidden, `${width}`).toBe(0);
  }
});

test('a game that ends while its table is loaded shows its end', async ({ page, place }) => {
  const ann = await place.newcomer();
  const gameId = await solo(ann, 'starships-at-large', 1);
  await openFor(page, place, ann);
  const admin = person(place.engine.url, 'admin', place.engine.token('admin'));
  // The game ends after the page has read its status.
  const cancel = async (route: Route) => {
    await admin.admin.cancelAnyGame({ gameId, why: 'A test' });
    await route.continue();
  };
  await page.route('**/GetOffers', cancel, { times: 1 });
  await page.goto(`${place.proxy.url}/game/${gameId}`);
  await expect(page.locator('.table-head')).toContainText('Canceled');
  await expect(page.getByText('The game is not in progress.')).toHaveCount(0);
});

test('the name of a small province is inside it', async ({ page, place }) => {
  await page.setViewportSize({ width: 2560, height: 1300 });
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(page, place, ann, `/game/${id}`);
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  /** Returns the provinces at the corners of the name. */
  const provinces = () =>
    page.locator('.stage').evaluate((stage) => {
      const texts = stage.shadowRoot?.querySelectorAll('text') ?? [];
      const name = [...texts].find(({ textContent }) => textContent === 'Silesia');
      if (!name) return [];
      const { left, top, width, height } = name.getBoundingClientRect();
      return [0.02, 0.98].flatMap((x) =>
        [0.25, 0.75].map((y) => {
          const at = [left + width * x, top + height * y] as const;
          const areas = stage.shadowRoot?.elementsFromPoint(...at) ?? [];
          return areas
            .map((each) => each.closest('path[data-place]')?.getAttribute('data-place'))
            .find((each) => each);
        }),
      );
    });
  await expect.poll(provinces).toEqual(['Sil', 'Sil', 'Sil', 'Sil']);
});

test('a new picture of an enlarged board has nothing at its origin', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(page, place, ann, `/game/${id}`);
  const stage = page.locator('.stage[data-drawn]');
  await expect(stage).toBeVisible();
  await stage.focus();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('+');
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowLeft');
  const drawn = () => stage.evaluateHandle((host) => host.shadowRoot?.querySelector('svg') ?? null);
  const before = await drawn();
  const hold = page.locator('.offer-button[title$=" H"]').first();
  const text = (await hold.getAttribute('title')) ?? '';
  const { phase, revision } = await ann.games.getOffers({ gameId: id });
  const requestId = randomUUID();
  await ann.games.submitOrders({ gameId: id, phase, revision, orders: { text }, requestId });
  await expect
    .poll(async () => (await drawn()).evaluate((svg, old) => svg !== old, before))
    .toBe(true);
  const unplaced = () =>
    stage.evaluate((host) => {
      const texts = [...(host.shadowRoot?.querySelectorAll('text[x="0"]') ?? [])];
      return texts.filter((text) => text.getClientRects().length > 0).length;
    });
  expect(await unplaced()).toBe(0);
});
