// Actions of the operator and their effect on the players.

import type { Page } from '@playwright/test';
import { brokenWorker } from './support/broken-worker';
import { Engine } from './support/engine';
import { expect, openFor, type Place, test } from './support/fixtures';
import { person, register, solo } from './support/people';
import { EngineProxy } from './support/proxy';

const DAY = { seconds: 86_400n, nanos: 0 };

async function operate(page: Page, place: Place, part: string): Promise<void> {
  const { engine } = place;
  const operator = person(engine.url, 'admin', engine.token('admin'));
  await openFor(page, place, operator, `/operator/${part}`);
}

test('the operator pauses, resumes and cancels a game, and players see the reason', async ({
  elsewhere: player,
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const name = `Watched over, ${ann.name}`;
  const id = await solo(ann, 'diplomacy', 6, { name });
  await openFor(player, place, ann, `/game/${id}`);
  await expect(player.locator('.offer-button').first()).toBeEnabled();
  await operate(page, place, 'games');
  await page.getByLabel('Search by name or id').fill(id);
  const row = page.getByRole('row', { name: new RegExp(name) });
  const button = (act: string) => row.getByRole('button', { name: `${act} ${name}` });
  // Pausing and canceling require a reason.
  await expect(button('Pause')).toBeDisabled();
  await expect(button('Cancel')).toBeDisabled();
  await page.getByLabel('Reason').fill('A disk is <i>changed</i>.');
  await button('Pause').click();
  await expect(row).toContainText('paused');
  await expect(player.getByText('Paused by the operator: A disk is <i>changed</i>.')).toBeVisible();
  await expect(player.locator('.offer-button')).toHaveCount(0);
  await button('Resume').click();
  await expect(row).toContainText('running');
  await expect(player.locator('.offer-button').first()).toBeEnabled();
  await button('Cancel').click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(row).toContainText('running');
  await button('Cancel').click();
  await page.getByRole('button', { name: 'Cancel it' }).click();
  await expect(player.locator('section.end')).toContainText('changed');
  await expect(row).toHaveCount(0);
  await page.getByLabel('Only running games').uncheck();
  await expect(row).toContainText('canceled');
});

test('the operator bans, sets a quota, revokes tokens, and creates invitations', async ({
  elsewhere: player,
  page,
  place,
}) => {
  const ann = await place.newcomer();
  const id = await solo(ann, 'diplomacy', 6);
  await openFor(player, place, ann, `/game/${id}`);
  await expect(player.locator('.offer-button').first()).toBeEnabled();
  await operate(page, place, 'players');
  await page.getByLabel('Search by name').fill(ann.name);
  const row = page.getByRole('row', { name: new RegExp(`^${ann.name}`) });
  const create = () =>
    ann.games.createGame({
      seatsInOrder: true,
      kind: 'starships-at-large',
      seats: [{ plan: { case: 'open', value: {} } }, { plan: { case: 'open', value: {} } }],
      requestId: crypto.randomUUID(),
    });

  await row.getByLabel(`Games of ${ann.name}`).fill('1');
  await row.getByRole('button', { name: `Set the quota of ${ann.name}` }).click();
  await expect(async () => {
    await expect(create()).rejects.toThrow(/your limit is 1/);
  }).toPass();
  await row.getByLabel(`Games of ${ann.name}`).fill('');
  await row.getByRole('button', { name: `Set the quota of ${ann.name}` }).click();
  await expect
    .poll(() =>
      create()
        .then(() => true)
        .catch(() => false),
    )
    .toBe(true);

  await row.getByRole('button', { name: `Ban ${ann.name}` }).click();
  await page.getByRole('button', { name: 'Ban', exact: true }).click();
  await expect(row).toContainText('banned');
  // A banned player sees so immediately and cannot do anything.
  await expect(player.getByRole('alert').first()).toContainText(/revoked|banned/i);
  await expect(player.getByText('Out of date: reconnecting')).toHaveCount(0);
  await expect(player.locator('.offer-button').first()).toBeDisabled();
  await player.goto(place.proxy.url);
  await expect(player.getByRole('alert')).toContainText(/banned/i);
  await expect(player.getByRole('link', { name: 'New game' })).toHaveCount(0);
  await row.getByRole('button', { name: `Lift the ban on ${ann.name}` }).click();
  await expect(row).not.toContainText('banned');
  await player.reload();
  await expect(player.getByRole('link', { name: ann.name })).toBeVisible();

  await row.getByRole('button', { name: `Revoke tokens of ${ann.name}` }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(async () => {
    await player.reload();
    await expect(player.getByRole('link', { name: 'Sign in' })).toBeVisible({ timeout: 3_000 });
  }).toPass();

  await page.getByRole('button', { name: 'Create an invitation' }).click();
  await expect(page.locator('.secret')).not.toHaveText('');
});

test('parked decisions are retried or decided by the defaults', async ({ page }) => {
  const engine = await Engine.start();
  const proxy = await EngineProxy.start(() => engine.port);
  const newcomer = () => register(engine.url, 'Ann');
  const stop = brokenWorker(engine.url, engine.token('worker'), {
    kind: 'diplomacy',
    profile: 'power',
    levels: ['random'],
  });
  try {
    const ann = await newcomer();
    const { game } = await ann.games.createGame({
      seatsInOrder: true,
      kind: 'diplomacy',
      name: 'Parked',
      seats: [
        { plan: { case: 'open', value: {} } },
        { plan: { case: 'automated', value: { profile: '', level: 'random' } } },
      ],
      // With a deadline, decisions stay parked until the deadline.
      pace: { standard: { interval: DAY } },
      startWhenFull: true,
      requestId: crypto.randomUUID(),
    });
    const place = { engine, proxy, newcomer };
    await operate(page, place, 'automation');
    const again = page.getByRole('button', { name: 'Refresh' });
    const parked = page.locator('li', { hasText: `${game?.gameId}, seat 2` });
    await expect(async () => {
      await again.click();
      await expect(parked).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await expect(parked).toContainText('5 failures');
    await expect(page.getByRole('row', { name: /worker/ })).toContainText('of 4');
    // The engine retries with all workers, and this one fails again.
    await parked.getByRole('button', { name: 'Retry' }).click();
    await expect(async () => {
      await again.click();
      await expect(parked).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await parked.getByRole('button', { name: 'Use the defaults' }).click();
    await expect(parked).toHaveCount(0);
    const seat = async () =>
      (await ann.games.getGame({ gameId: game?.gameId ?? '' })).game?.pendingSeats.find(
        (each) => each.seat === 2,
      );
    await expect.poll(async () => (await seat())?.ready ?? true).toBe(true);
  } finally {
    stop();
    await proxy.stop();
    await engine.stop();
  }
});
