// The search for games, previews of links, and boards in frames of other pages.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { look } from './support/audit';
import { freePort } from './support/engine';
import { expect, openFor, test } from './support/fixtures';
import { person, solo } from './support/people';

test('a search keeps its filters in the address', async ({ page, place }) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  await solo(ann, 'starships-at-large', 1, { name: `Found of ${ann.name}` });
  await solo(ann, 'diplomacy', 6, { name: `Other of ${ann.name}` });
  await openFor(page, place, bob);
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Search for games' })).toBeVisible();
  await page.getByLabel('Player').fill(ann.name);
  await page.getByLabel('Game', { exact: true }).selectOption('starships-at-large');
  await page.getByLabel('State').selectOption('running');
  await page.getByRole('button', { name: 'Search' }).click();
  const query = `kind=starships-at-large&player=${ann.name.replaceAll(' ', '\\+')}&state=running`;
  await expect(page).toHaveURL(new RegExp(`/search\\?${query}$`));
  const cards = page.locator('.game');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText(`Found of ${ann.name}`);
  await page.reload();
  await expect(cards).toHaveCount(1);
  await expect(page.getByLabel('Player')).toHaveValue(ann.name);
  await expect(page.getByLabel('State')).toHaveValue('running');
  await page.getByLabel('Game', { exact: true }).selectOption('');
  await page.getByLabel('Created from').fill('2026-01-01');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(cards).toHaveCount(2);
  await page.getByLabel('Ended until').fill('2026-01-01');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText('No games match.')).toBeVisible();
  await page.goBack();
  await expect(cards).toHaveCount(2);
  await page.getByLabel('Player').fill('No such player');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('alert')).toContainText('No such player');
  await page.getByRole('link', { name: 'Clear' }).click();
  await expect(page).toHaveURL(/\/search$/);
  await expect(page.getByLabel('Player')).toHaveValue('');
  await look(page);
  // The labels of a row have the same height.
  const heights = await page
    .locator('.search-form label')
    .evaluateAll((all) => all.slice(0, 4).map((each) => each.getBoundingClientRect().top));
  expect(new Set(heights).size).toBe(1);
  await page.goto(`${place.proxy.url}/search?kind=nonsense`);
  await expect(page.getByText('The game "nonsense" does not exist')).toBeVisible();
});

test('a player hides games, and a profile leads to games', async ({ page, elsewhere, place }) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  await solo(ann, 'starships-at-large', 1, { name: `Game of ${ann.name}` });
  await openFor(page, place, bob, `/player/${encodeURIComponent(ann.name)}`);
  await page.getByRole('link', { name: `Games of ${ann.name}` }).click();
  await expect(page.locator('.game')).toHaveCount(1);
  await openFor(elsewhere, place, ann, '/account');
  const hide = elsewhere.getByLabel('Do not let others search for my games');
  await hide.check();
  await elsewhere.reload();
  await expect(hide).toBeChecked();
  await page.goto(`${place.proxy.url}/search?player=${encodeURIComponent(ann.name)}`);
  await expect(page.getByText('No games match.')).toBeVisible();
});

test('a game is shared by a link and by the code of a frame', async ({ context, page, place }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6, { name: 'Shared game' });
  await openFor(page, place, ann, `/game/${id}`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this game' });
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${place.proxy.url}/g/${id}`);
  await dialog.getByLabel('Theme of the frame').selectOption('light');
  await dialog.getByRole('button', { name: 'Copy code' }).click();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toContain(`<iframe src="${place.proxy.url}/embed/${id}?theme=light"`);
  await look(page);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Shared game' })).toBeVisible();

  const { game } = await ann.games.createGame({
    kind: 'starships-at-large',
    name: 'Private game',
    seats: Array.from({ length: 2 }, () => ({ plan: { case: 'open' as const, value: {} } })),
    isPrivate: true,
    requestId: crypto.randomUUID(),
  });
  await page.goto(`${place.proxy.url}/game/${game?.gameId}`);
  await expect(page.getByRole('heading', { name: 'Private game' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toHaveCount(0);
});

/** Serves a page of another site. */
async function site(page: Page, html: string): Promise<() => void> {
  const port = await freePort();
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  await page.goto(`http://localhost:${port}/`);
  return () => server.close();
}

test('another site shows a board in a frame, which follows the game', async ({ page, place }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'starships-at-large', 0, { name: 'Framed game' });
  const { url } = place.engine;
  for (const sandbox of ['', 'sandbox="allow-scripts"']) {
    const close = await site(
      page,
      `<title>x</title><iframe src="${url}/embed/${id}" width="640" height="480" ${sandbox}></iframe>`,
    );
    const frame = page.frameLocator('iframe');
    const board = frame.locator('#board');
    await expect(board).toBeVisible();
    await expect
      .poll(() => board.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(100);
    await expect(frame.getByRole('link')).toHaveAttribute('href', `/game/${id}`);
    await expect(frame.getByRole('link')).toContainText('Framed game');
    // The first comparison replaces the source with a copy.
    await expect(board).toHaveAttribute('src', /^blob:/, { timeout: 30_000 });
    const before = await board.getAttribute('src');
    const { phase = 0n, revision = 0n } = await ann.games.getView({ gameId: id });
    const orders = { text: 'end' };
    await ann.games.submitOrders({ gameId: id, phase, revision, orders, requestId: randomUUID() });
    await expect(board).not.toHaveAttribute('src', before ?? '', { timeout: 60_000 });
    close();
  }
});

test('other pages of the engine cannot be framed', async ({ page, place, faults }) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'starships-at-large', 1, { name: 'Not framed' });
  const { url } = place.engine;
  for (const path of ['/', `/game/${id}`, `/g/${id}`]) {
    const close = await site(page, `<title>x</title><iframe src="${url}${path}"></iframe>`);
    await expect(page.frameLocator('iframe').locator('#app')).toHaveCount(0);
    close();
  }
  // The browser reports each frame that the policy blocks.
  expect(faults.list.length).toBeGreaterThan(0);
  expect(faults.list.every((fault) => fault.includes('frame-ancestors'))).toBe(true);
  faults.list = [];
});

test('the frame of a hidden game says so', async ({ page, place }) => {
  const answer = await page.goto(`${place.engine.url}/embed/no-such-game`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByText('There is no public game')).toBeVisible();
});

test('the operator renames and deletes an account', async ({ page, place }) => {
  const ann = await place.newcomer();
  const operator = person(place.engine.url, 'admin', place.engine.token('admin'));
  await openFor(page, place, operator, '/operator/players');
  await page.getByLabel('Search by name').fill(ann.name);
  await page.getByLabel(`New name of ${ann.name}`).fill(`Tame ${ann.name}`);
  await page
    .getByRole('form', { name: `Rename ${ann.name}` })
    .getByRole('button')
    .click();
  await page.getByLabel('Search by name').fill(`Tame ${ann.name}`);
  await expect(page.getByRole('rowheader', { name: `Tame ${ann.name}` })).toBeVisible();
  expect((await ann.players.getMe({})).player?.name).toBe(`Tame ${ann.name}`);
  await page.getByRole('button', { name: `Delete Tame ${ann.name}` }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('rowheader', { name: `Tame ${ann.name}` })).toHaveCount(0);
  await expect(ann.players.getMe({})).rejects.toThrow();
});
