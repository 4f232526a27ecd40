// The controls of a host or game master, and what the players see of their actions.

import { expect, openFor, type Place, test } from './support/fixtures';
import { duel, type Person, withOptions } from './support/people';

const HOUR = 3_600;

/** Creates a game led by a game master, with a seat for each player. */
async function led(master: Person, players: readonly Person[], kind: string): Promise<string> {
  const { game } = await master.games.createGame({
    seatsInOrder: true,
    kind,
    name: `Led by ${master.name}`,
    options: await withOptions(master, kind, {}),
    seats: players.map(({ name }) => ({ plan: { case: 'reservedFor', value: name } })),
    pace: { standard: { interval: { seconds: BigInt(24 * HOUR), nanos: 0 } } },
    gameMaster: true,
    startWhenFull: true,
    requestId: crypto.randomUUID(),
  });
  const gameId = game?.gameId ?? '';
  for (const { games } of players) await games.joinGame({ gameId, requestId: crypto.randomUUID() });
  return gameId;
}

async function openDesk(
  page: import('@playwright/test').Page,
  place: Place,
  who: Person,
  id: string,
) {
  await openFor(page, place, who, `/game/${id}`);
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.locator('details.desk > summary').click();
  return page.locator('details.desk');
}

test('the game master pauses, extends, closes, excuses, automates, replaces, and declares', async ({
  elsewhere: player,
  page,
  place,
}) => {
  const [ann, bob, cyd, dan] = [
    await place.newcomer(),
    await place.newcomer(),
    await place.newcomer(),
    await place.newcomer(),
  ];
  const id = await led(ann, [bob, cyd], 'diplomacy');
  await openFor(player, place, bob, `/game/${id}`);
  await expect(player.locator('.prompt')).toContainText('Spring 1901');
  const desk = await openDesk(page, place, ann, id);
  const game = async () => (await ann.games.getGame({ gameId: id })).game;

  await desk.getByRole('button', { name: 'Pause' }).click();
  await expect(player.getByText('Paused', { exact: true })).toBeVisible();
  await expect(player.locator('.offer-button')).toHaveCount(0);
  await desk.getByRole('button', { name: 'Resume' }).click();
  await expect(player.locator('.offer-button').first()).toBeEnabled();

  const due = async () => Number((await game())?.dueTime?.seconds ?? 0n);
  const before = await due();
  await desk.getByLabel('Extend the deadline by').fill('48');
  await desk.getByRole('button', { name: 'Set', exact: true }).click();
  // The page counts whole seconds.
  await expect.poll(async () => Math.round(((await due()) - before) / HOUR)).toBe(48);
  await expect(player.locator('.question .countdown')).toContainText('2 d');

  // The deadline passes without orders. The game master can excuse this miss only once.
  const soon = Date.now() + 1_500;
  await ann.master.setDeadline({
    gameId: id,
    dueTime: { seconds: BigInt(Math.floor(soon / 1000)), nanos: (soon % 1000) * 1_000_000 },
  });
  await expect(player.locator('.prompt')).toContainText('Fall 1901');
  const excuse = desk.getByRole('button', { name: new RegExp(`^Excuse .*${bob.name}`) });
  const excused = page.waitForResponse(/ExcuseMiss/);
  await excuse.click();
  await (await excused).finished();
  await expect(excuse).toHaveAttribute('aria-busy', 'false');
  await expect(desk.getByRole('alert')).toHaveCount(0);
  await excuse.click();
  await expect(desk.getByRole('alert')).toContainText('has not missed a deadline');

  await desk.getByRole('button', { name: 'Close the phase' }).click();
  await page.getByRole('button', { name: 'Close it' }).click();
  await expect(player.locator('.prompt')).toContainText('1902');

  await desk.getByRole('button', { name: new RegExp(`^Automate .*${cyd.name}`) }).click();
  const back = desk.getByRole('button', { name: /^Hand back/ });
  await expect(back).toBeVisible();
  await expect(player.locator('.news, .awaited, .orders').first()).toBeVisible();
  await back.click();
  await expect(back).toHaveCount(0);

  const seat = desk.locator('.seats > li', { hasText: cyd.name });
  await seat.locator('summary').click();
  await seat.getByLabel('The new player').fill(dan.name);
  await seat.getByRole('button', { name: 'Replace', exact: true }).click();
  // Retried until the click has reached the engine.
  await expect(async () => {
    await dan.games.joinGame({ gameId: id, requestId: crypto.randomUUID() });
  }).toPass();
  await expect(desk).toContainText(dan.name);
  await expect(desk).not.toContainText(cyd.name);
  await expect(cyd.games.getOffers({ gameId: id })).rejects.toThrow();

  await desk.getByText('End the game').click();
  await desk.locator('fieldset').getByRole('checkbox').first().check();
  await desk.getByLabel('Reason, for the record').fill('The hall closes <b>now</b>.');
  await desk.getByRole('button', { name: 'Declare' }).click();
  await page.getByRole('button', { name: 'Declare it' }).click();
  await expect(player.locator('section.end')).toContainText('The hall closes <b>now</b>.');
  await expect(page.locator('section.end')).toBeVisible();
  const { outcome } = (await game()) ?? {};
  expect(outcome?.winners).toEqual([1]);
});

test('the game master of Star Empires gives orders', async ({ elsewhere: player, page, place }) => {
  const [ann, bob, cyd] = [await place.newcomer(), await place.newcomer(), await place.newcomer()];
  const id = await led(ann, [bob, cyd], 'star-empires');
  const desk = await openDesk(page, place, ann, id);
  const text = desk.getByRole('textbox', { name: "Game master's orders" });
  const give = desk.getByRole('button', { name: 'Give', exact: true });
  // An unreadable line shows the engine's error and stays in the field.
  await text.fill('MAKE IT SO');
  await give.click();
  await expect(desk.getByRole('alert')).toContainText('ADDWORLD');
  await expect(text).toHaveValue('MAKE IT SO');
  // A line that breaks a rule also stays in the field.
  await text.fill('REMOVEOBJECT world Nowhere');
  await give.click();
  await expect(desk.getByRole('alert')).toContainText('Nowhere');
  // Accepted lines are removed from the field.
  await text.fill('ADDSTORM (0,1) Breeze 1 CONSTANT\nREMOVEOBJECT world Elsewhere');
  await give.click();
  await expect(desk.getByRole('alert')).toContainText('Elsewhere');
  await expect(text).toHaveValue('REMOVEOBJECT world Elsewhere');
  await text.fill('ADDSTORM (0,0) Tempest 5 CONSTANT\nAPPLY NOW');
  await give.click();
  await expect(text).toHaveValue('');
  await expect(desk.getByRole('alert')).toHaveCount(0);
  await expect(page.locator('.stage')).toContainText('Tempest');
  await openFor(player, place, bob, `/game/${id}`);
  await player.getByRole('tab', { name: 'Table' }).click();
  await expect(player.getByRole('region', { name: 'Seats' })).toBeVisible();
  await expect(player.locator('details.desk')).toHaveCount(0);
});

test('a host has fewer controls than a game master, and can cancel the game', async ({
  page,
  place,
}) => {
  const [ann, bob] = [await place.newcomer(), await place.newcomer()];
  const id = await duel(ann, bob, 'starships-at-large', 'Hosted');
  const desk = await openDesk(page, place, ann, id);
  await expect(desk.locator('summary').first()).toHaveText('Host');
  for (const name of ['Close the phase', 'Declare', 'Give'])
    await expect(desk.getByRole('button', { name, exact: true })).toHaveCount(0);
  await desk.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  // A host cannot replace an active player and sees why.
  const seat = desk.locator('.seats > li', { hasText: bob.name });
  await seat.locator('summary').click();
  await seat.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect(seat.getByRole('alert')).toContainText('abandoned');
});
