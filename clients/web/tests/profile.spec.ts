// Profiles, leaderboards, and the control of one's own data.

import { expect, openFor, test } from './support/fixtures';
import { type Person, withOptions } from './support/people';

/** Plays a rated game of two players to its end. */
async function playRated(ann: Person, bob: Person): Promise<void> {
  const { game } = await ann.games.createGame({
    kind: 'star-empires',
    options: await withOptions(ann, 'star-empires', { lastTurn: 1 }),
    seats: [{ plan: { case: 'open', value: {} } }, { plan: { case: 'open', value: {} } }],
    startWhenFull: true,
    rated: true,
    requestId: crypto.randomUUID(),
  });
  const gameId = game?.gameId ?? '';
  await bob.games.joinGame({ gameId, requestId: crypto.randomUUID() });
  for (let turn = 0; turn < 50; turn += 1) {
    const who = turn % 2 === 0 ? ann : bob;
    const { game, decision } = await who.games.getGame({ gameId });
    if (game?.outcome) return;
    if (!decision || decision.ready || decision.phase === undefined) continue;
    await who.games.setReady({ gameId, phase: decision.phase, ready: true });
  }
  throw new Error('the game does not end');
}

test('a profile shows results, and its player decides what others see', async ({
  page,
  elsewhere,
  place,
}) => {
  const ann = await place.newcomer();
  const bob = await place.newcomer();
  await playRated(ann, bob);
  await playRated(bob, ann);
  await openFor(page, place, bob, `/player/${encodeURIComponent(ann.name)}`);
  const result = page.getByRole('region', { name: 'Star Empires, two seats' });
  await expect(async () => {
    await page.reload();
    await expect(result.getByRole('img', { name: /^Rating after 2 games/ })).toBeVisible();
  }).toPass({ timeout: 60_000 });
  await expect(result).toContainText('(provisional)');
  await expect(page.getByText('Against you: you were better')).toBeVisible();
  await expect(page.getByText(/In finished games: \d+ .*; 0 deadlines missed/)).toBeVisible();
  // The plot has labelled values, and the page says what the band is.
  await expect(result.locator('.rating-plot text')).not.toHaveCount(1);
  await expect(result).toContainText('The number after ± is the uncertainty of the rating.');
  await expect(result.locator('figcaption')).toContainText('The band shows the uncertainty');

  await openFor(elsewhere, place, ann, '/account');
  await elsewhere.getByLabel('Hide my results from others').check();
  await elsewhere.getByLabel('Hide my ratings from others').check();
  await elsewhere.reload();
  await expect(elsewhere.getByLabel('Hide my ratings from others')).toBeChecked();
  await elsewhere.getByRole('link', { name: 'Your profile' }).click();
  await expect(elsewhere.getByRole('region', { name: 'Star Empires, two seats' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('No results are shown.')).toBeVisible();
  await page.getByRole('button', { name: 'Block invitations' }).click();
  await page.goto(`${place.proxy.url}/account`);
  await expect(page.getByRole('region', { name: 'Blocked players' })).toContainText(ann.name);
});

test('the leaderboards are found from the lobby', async ({ page, place }) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/');
  await page.getByRole('link', { name: 'Ratings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Ratings', level: 1 })).toBeVisible();
  await page.getByLabel('Game', { exact: true }).selectOption({ label: 'Star Empires' });
  await expect(page).toHaveURL(/\/ratings\/star-empires$/);
  await expect(page.getByRole('region', { name: 'two seats' })).toContainText('No rating is');
  await page.goto(`${place.proxy.url}/player/nobody-here`);
  await expect(page.getByRole('alert')).toContainText('nobody-here');
});

test('a player renames, downloads and deletes the account', async ({ page, place }) => {
  const ann = await place.newcomer();
  await openFor(page, place, ann, '/account');
  const tokens = page.getByRole('region', { name: 'Tokens' });
  await expect(tokens.getByText(/Chrome on Linux, last use/)).toBeVisible();
  const data = page.getByRole('region', { name: 'Your data' });
  await data.getByLabel('New name').fill('Renamed Ann');
  await data.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('heading', { name: 'Renamed Ann', level: 1 })).toBeVisible();
  const download = page.waitForEvent('download');
  await data.getByRole('button', { name: 'Download my data' }).click();
  expect((await download).suggestedFilename()).toBe('heliopause.jsonl');
  await data.getByText('Delete my account').click();
  await expect(data.getByText('Type your name to confirm')).toBeVisible();
  await data.getByLabel('Type your name to confirm').fill(ann.name);
  await data.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(data.getByRole('alert')).toContainText('own name');
  await data.getByLabel('Type your name to confirm').fill('Renamed Ann');
  await data.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByLabel('Your name', { exact: true })).toBeVisible();
});
