// Quick play and rematches: two players who find each other, automation, and leaving the queue.

import type { Page } from '@playwright/test';
import { expect, openFor, test } from './support/fixtures';

async function enterQueue(page: Page, choices: Record<string, string>): Promise<void> {
  await page.getByRole('button', { name: 'Quick play' }).click();
  for (const [label, value] of Object.entries(choices))
    await page.getByLabel(label, { exact: true }).selectOption(value);
  await page.getByRole('button', { name: 'Find opponents' }).click();
}

const EMPIRES = { Game: 'star-empires', Players: '2', 'Automated players after': 'never' };

test('two players find each other and play a rematch', async ({ page, elsewhere, place }) => {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  await openFor(page, place, ann, '/');
  await enterQueue(page, EMPIRES);
  const wait = page.getByRole('status').filter({ hasText: 'Waiting for opponents' });
  await expect(wait).toContainText('Star Empires: 1 player in the queue');
  // The wait survives a reload, and is shown on every page.
  await page.goto(`${place.proxy.url}/learn`);
  await expect(wait).toBeVisible();

  await openFor(elsewhere, place, bob, '/');
  await enterQueue(elsewhere, EMPIRES);
  await expect(elsewhere).toHaveURL(/\/game\//);
  await expect(page).toHaveURL(/\/game\//);
  const path = new URL(page.url()).pathname;
  expect(new URL(elsewhere.url()).pathname).toBe(path);
  await expect(wait).toHaveCount(0);

  const gameId = path.split('/')[2] ?? '';
  const { vote } = await ann.games.proposeVote({
    gameId,
    subject: 1,
    requestId: crypto.randomUUID(),
  });
  await bob.games.castVote({
    gameId,
    vote: vote?.number ?? 0n,
    yes: true,
    requestId: crypto.randomUUID(),
  });
  await page.getByRole('button', { name: 'Rematch' }).click();
  await expect(page).not.toHaveURL(new RegExp(gameId));
  await elsewhere.getByRole('button', { name: 'Rematch' }).click();
  await expect(elsewhere).toHaveURL(page.url());
  await expect(elsewhere.locator('.stage[data-drawn]')).toBeVisible();
});

test('the wait shows when automated players join', async ({ page, place }) => {
  await openFor(page, place, await place.newcomer(), '/');
  await enterQueue(page, { ...EMPIRES, 'Automated players after': '300' });
  const wait = page.getByRole('status').filter({ hasText: 'Waiting for opponents' });
  await expect(wait).toContainText(/waiting for \d+ s; automated players join in 4 min \d+ s/);
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a game that is ready is offered until it is opened', async ({ page, elsewhere, place }) => {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  await openFor(page, place, ann, '/');
  await enterQueue(page, { ...EMPIRES, Pace: '3' });
  await expect(page.getByText('Waiting for opponents')).toBeVisible();
  const { proxy } = place;
  await page.goto('about:blank');
  await openFor(elsewhere, place, bob, '/');
  await enterQueue(elsewhere, { ...EMPIRES, Pace: '3' });
  await expect(elsewhere).toHaveURL(/\/game\//);
  await page.goto(`${proxy.url}/learn`);
  await expect(page.getByText('Your game of Star Empires is ready.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open the game' })).toBeVisible();
  await page.goto(elsewhere.url());
  await expect(page.locator('.stage[data-drawn]')).toBeVisible();
  await expect(page.getByText('is ready.')).toHaveCount(0);
  await page.goto(`${proxy.url}/`);
  await expect(page.getByRole('heading', { name: 'Games' })).toBeVisible();
  await expect(page.getByText('is ready.')).toHaveCount(0);
});

test('automation fills the seats, and a player can cancel', async ({ page, place }) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/');
  await enterQueue(page, {
    Game: 'diplomacy',
    'Automated players after': 'never',
    'Preference 1': '3',
  });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Waiting for opponents')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Quick play' })).toBeVisible();
  await expect(page.getByText('Waiting for opponents')).toHaveCount(0);

  await enterQueue(page, {
    Game: 'diplomacy',
    'Automated players after': '0',
    'Preference 1': '3',
  });
  await expect(page).toHaveURL(/\/game\//);
  const gameId = new URL(page.url()).pathname.split('/')[2] ?? '';
  const { game } = await ann.games.getGame({ gameId });
  expect([game?.yourSeat, game?.seats.length]).toEqual([3, 7]);
});
