// Choosing seats: by the host, by the player, or by lot at the start.

import type { Page } from '@playwright/test';
import { expect, openFor, test } from './support/fixtures';
import { solo } from './support/people';

async function offered(page: Page, label: string): Promise<string[]> {
  const options = page.getByLabel(label, { exact: true }).locator('option');
  await options.first().waitFor({ state: 'attached' });
  return options.allTextContents();
}

async function newGame(page: Page, url: string, kind: RegExp): Promise<void> {
  await page.goto(`${url}/new`);
  await page.getByRole('radio', { name: kind }).check();
}

for (const [device, width, height] of [
  ['desktop', 1280, 800],
  ['phone', 360, 740],
] as const) {
  test.describe(device, () => {
    test.use({ viewport: { width, height } });

    test('the host chooses powers', async ({ page, place }) => {
      const ann = await place.newcomer();
      await openFor(page, place, ann);
      await newGame(page, place.proxy.url, /^Starships/);
      await expect(page.getByLabel('Seat of player 1')).toHaveCount(0);
      await newGame(page, place.proxy.url, /^Diplomacy/);
      const own = page.getByLabel('Seat of player 1');
      await expect(own).toHaveValue('');
      await own.selectOption('Turkey');
      await page.getByLabel('Seat of player 2').selectOption('Austria');
      expect(await offered(page, 'Seat of player 3')).toEqual([
        'By lot',
        'England',
        'France',
        'Germany',
        'Italy',
        'Russia',
      ]);
      // A game of two players has no Turkey.
      await page.getByLabel('Players', { exact: true }).fill('2');
      await page.getByLabel('Players', { exact: true }).blur();
      await expect(own).toHaveValue('');
      expect(await offered(page, 'Seat of player 1')).toEqual(['By lot', 'England']);
      await page.getByLabel('Players', { exact: true }).fill('7');
      await page.getByLabel('Players', { exact: true }).blur();
      await own.selectOption('France');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBe(0);
      await page.getByRole('button', { name: 'Create the game' }).click();
      await expect(page.getByText('you are France')).toBeVisible();
      await expect(page.locator('.orders:not(.stale)')).toContainText('Par');
    });

    test('players choose powers or get them by lot', async ({ elsewhere, page, place }) => {
      const [ann, bob, cem] = [
        await place.newcomer(),
        await place.newcomer(),
        await place.newcomer(),
      ];
      await openFor(page, place, ann);
      await newGame(page, place.proxy.url, /^Diplomacy/);
      const name = `Drawn, ${ann.name}`;
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Players', { exact: true }).fill('3');
      await page.getByLabel('Players', { exact: true }).blur();
      await page.getByLabel('Seat 2', { exact: true }).selectOption('Open');
      await page.getByLabel('Seat 3', { exact: true }).selectOption('Open');
      await page.getByRole('button', { name: 'Create the game' }).click();
      await expect(page.getByText('your seat is drawn by lot')).toBeVisible();
      await expect(page.getByText('Seats are drawn by lot at the start')).toBeVisible();
      // Seats have no color before the map shows their colors, whoever joins.
      const dots = page.locator('.seats .dot');
      await expect(dots.and(page.locator('.none'))).toHaveCount(3);
      const id = new URL(page.url()).pathname.split('/')[2] ?? '';

      await elsewhere.setViewportSize({ width, height });
      await openFor(elsewhere, place, bob);
      await elsewhere.getByRole('tab', { name: 'Open games' }).click();
      const card = elsewhere.locator('.game', { hasText: name });
      await expect(card).toContainText('seats are drawn by lot at the start');
      await elsewhere.goto(`${place.proxy.url}/join/${id}`);
      const wanted = elsewhere.getByLabel('Your seat', { exact: true });
      await expect(wanted).toHaveValue('');
      expect(await offered(elsewhere, 'Your seat')).toEqual([
        'By lot',
        'Austria',
        'England',
        'France',
      ]);
      await wanted.selectOption('England');
      await elsewhere.getByRole('button', { name: 'Take a seat' }).click();
      await expect(elsewhere.getByText('you are England')).toBeVisible();

      await expect(page.locator('.seats')).toContainText(bob.name);
      await expect(dots.and(page.locator('.none'))).toHaveCount(3);

      // Before the start, the game's page does not offer seats that are already chosen.
      await elsewhere.goto(`${place.proxy.url}/account`);
      await elsewhere.getByRole('button', { name: 'Sign out' }).click();
      const dialog = elsewhere.getByRole('dialog');
      await dialog.getByRole('button', { name: /sign out/i }).click();
      await expect(elsewhere.getByLabel('Token', { exact: true })).toBeVisible();
      await openFor(elsewhere, place, cem, `/game/${id}`);
      await expect(wanted).toBeVisible();
      expect(await offered(elsewhere, 'Your seat')).toEqual(['By lot', 'Austria', 'France']);
      await wanted.selectOption('Austria');
      await elsewhere.getByRole('button', { name: 'Take a seat' }).click();
      await expect(elsewhere.getByText('you are Austria')).toBeVisible();
      await expect(page.getByText('you are France')).toBeVisible();
      await expect(page.locator('.orders:not(.stale)')).toContainText('Par');
      await expect(elsewhere.locator('.orders:not(.stale)')).toContainText('Vie');
      // The new player immediately receives messages to the seat.
      await ann.games.sendMessage({
        gameId: id,
        toSeats: [1],
        text: 'To Austria alone.',
        requestId: crypto.randomUUID(),
      });
      const letters = elsewhere.getByRole('tab', { name: /Messages/ });
      await expect(letters.locator('.badge')).toHaveText('1');
    });
  });
}

test('a player with a reservation chooses the seat', async ({ page, place }) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const { game } = await ann.games.createGame({
    kind: 'diplomacy',
    seats: [
      { seat: 2, plan: { case: 'open', value: {} } },
      { plan: { case: 'reservedFor', value: bob.name } },
    ],
    startWhenFull: true,
    requestId: crypto.randomUUID(),
  });
  await openFor(page, place, bob, `/game/${game?.gameId}`);
  expect(await offered(page, 'Your seat')).toEqual(['By lot', 'Austria']);
  await page.getByLabel('Your seat').selectOption('Austria');
  await page.getByRole('button', { name: 'Take the seat reserved for you' }).click();
  await expect(page.getByText('you are Austria')).toBeVisible();
});

test('a game that all players have left shows what wakes it', async ({ page, place }) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const id = await solo(ann, 'diplomacy', 6);
  await ann.games.resign({ gameId: id, requestId: crypto.randomUUID() });
  await openFor(page, place, bob, `/game/${id}`);
  const suspended = page.getByText('Automation is suspended until a player takes over a seat');
  await expect(suspended).toBeVisible();
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Take over Austria' }).click();
  await expect(page.getByText('you are Austria')).toBeVisible();
  await page.getByRole('tab', { name: 'Orders' }).click();
  await expect(page.locator('.orders:not(.stale)')).toContainText('Vie');
  await expect(suspended).toHaveCount(0);
});
