// Tables that follow and play games of a real engine.

import {
  type ConnectionState,
  collect,
  connect,
  FillError,
  Lobby,
  Refused,
  type Table,
  type TableState,
} from '@heliopause/client';
import { type Event, VoteState, VoteSubject } from '@heliopause/client/contract';
import { gameJson, gameOfJson, starshipsAtLarge } from '@heliopause/client/games';
import { test } from '@heliopause/client/testing';
import { describe, expect, vi } from 'vitest';
import { DUEL, KIND } from './duel.js';

const HOUR = 3_600_000;

function until(table: Table, wanted: (state: TableState) => boolean): Promise<TableState> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the table is ${table.state.connection}`)),
      30_000,
    );
    const off = table.subscribe((state) => {
      if (!wanted(state)) return;
      clearTimeout(timer);
      queueMicrotask(() => off());
      resolve(state);
    });
  });
}

describe('a followed table', () => {
  test('has the state of the game and the awaited seats', async ({ sandbox }) => {
    const game = await sandbox(KIND, { position: DUEL });
    const [mine, other] = [game.seat(1), game.seat(1)];
    const states: ConnectionState[] = [];
    const heard: Event[] = [];
    mine.subscribe(({ connection }) => states.at(-1) !== connection && states.push(connection));
    mine.onEvent((event) => heard.push(event));
    const stop = mine.follow({ after: 0 });
    expect(() => mine.follow()).toThrow('already being followed');
    const before = await until(mine, ({ connection }) => connection === 'live');
    expect([before.decision?.phase, before.decision?.revision, before.game.onTurn]).toEqual([
      1n,
      0n,
      1,
    ]);
    expect(mine.waiting.map(({ seat, name }) => [seat, name])).toEqual([[1, mine.nameOf(1)]]);
    expect(before.goals.length).toBeGreaterThan(0);
    await other.order('move A1 to (0,1)');
    await until(mine, ({ decision }) => decision?.revision === 1n);
    await other.order('end');
    const after = await until(mine, ({ game: { onTurn }, decision }) => onTurn === 2 && !decision);
    expect(after).not.toBe(before);
    expect([before.game.onTurn, before.decision?.revision]).toEqual([1, 0n]);
    expect(mine.waiting.map(({ seat }) => seat)).toEqual([2]);
    expect(heard.map(({ number }) => number)).toEqual(heard.map((_, at) => BigInt(at + 1)));
    expect(mine.cursor).toBe(heard.at(-1)?.number);
    stop();
    expect(mine.state.connection).toBe('idle');
    expect(states).toEqual(['idle', 'connecting', 'catching-up', 'live', 'idle']);
  });

  test('caches a view until an event arrives', async ({ sandbox }) => {
    const game = await sandbox(KIND, { position: DUEL });
    const [mine, other] = [game.seat(1), game.seat(1)];
    const stop = mine.follow();
    await until(mine, ({ connection }) => connection === 'live');
    const first = await mine.view();
    expect(await mine.view()).toBe(first);
    await other.order('move A1 to (0,1)');
    await until(mine, ({ decision }) => decision?.revision === 1n);
    const second = await mine.view();
    const row = (view: typeof first) =>
      starshipsAtLarge.view(view)?.known?.players[0]?.starships[0]?.at?.r;
    expect([row(first), row(second)]).toEqual([0, 1]);
    expect(gameJson('view', second)).toHaveProperty('starshipsAtLarge.known');
    stop();
  });

  test('calls the other listeners if one throws', async ({ sandbox }) => {
    const mine = (await sandbox(KIND, { position: DUEL })).seat(1);
    const fault = new Promise<Error>((resolve) => process.once('uncaughtException', resolve));
    const listeners = process.listeners('uncaughtException').slice(0, -1);
    for (const listener of listeners) process.off('uncaughtException', listener);
    const listener = vi.fn();
    mine.onEvent(() => {
      throw new Error("a listener's own fault");
    });
    mine.onEvent(listener);
    const [event] = await collect(mine.events({ after: 0 }), 1);
    expect((await fault).message).toBe("a listener's own fault");
    for (const listener of listeners) process.on('uncaughtException', listener);
    expect(listener).toHaveBeenCalledWith(event);
  });
});

describe('events', () => {
  test('arrive once and in order, and resume', async ({ sandbox }) => {
    const game = await sandbox(KIND, { position: DUEL });
    await game.seat(1).order('move A1 to (0,1)');
    const numbers = (await collect(game.seat(1).history())).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, at) => BigInt(at + 1)));
    const table = game.seat(1);
    expect((await collect(table.events({ after: 0 }), 2)).map(({ number }) => number)).toEqual([
      1n,
      2n,
    ]);
    expect(table.cursor).toBe(2n);
    expect((await collect(table.events(), 1)).map(({ number }) => number)).toEqual([3n]);
    expect((await collect(table.history({ after: 2 })))[0]?.number).toBe(3n);
  });

  test('are awaited with a timeout', async ({ sandbox }) => {
    const game = await sandbox(KIND, { position: DUEL });
    expect((await game.seat(1).untilAsked('turn')).kind).toBe('turn');
    await expect(game.seat(1).until(() => false, { timeout: 500 })).rejects.toThrow(
      /these events arrived:\n {2}.+/,
    );
    await expect(game.seat(1).untilOver({ timeout: 100 })).rejects.toThrow('not over');
  });
});

test('rules have their texts', async ({ sandbox }) => {
  const table = (await sandbox(KIND, { position: DUEL })).seat(1);
  expect(table.game.anonymousMessages).toBe(false);
  const [first] = await table.rules();
  expect(first?.chapter).toBe('Starships at Large');
  expect(first?.text).toBe((await table.rule(first?.number ?? ''))?.text);
  const { terms, guides } = await table.primer();
  expect(terms.map(({ term }) => term)).toContain('warp');
  expect(guides[0]?.decision).toBe('turn');
});

describe('an open decision', () => {
  test('is not missed', async ({ sandbox }) => {
    const game = await sandbox(KIND, { position: DUEL });
    const table = game.seat(1);
    const opened = await table.untilAsked('turn');
    const before = table.cursor;
    // Its opening was read, and nothing happened since.
    expect(await table.untilAsked('turn')).toEqual(opened);
    await table.order('move A1 to (0,1)');
    expect((await table.untilAsked()).revision).toBe(1n);
    // The events since the opening are still unread.
    expect(table.cursor).toBe(before);
    await expect(table.untilAsked('battle', { timeout: 500 })).rejects.toThrow('no event matched');
    // The decision closed, so its opening is no longer one to return.
    await table.order('end');
    await expect(game.seat(1).untilAsked(undefined, { timeout: 500 })).rejects.toThrow();
    await game.seat(2).order('end');
    const next = await table.untilAsked('turn');
    expect(next.phase).toBe((await game.seat(1).offers()).phase);
    expect(next.phase).not.toBe(opened.phase);
  });
});

describe('orders', () => {
  test('are offered, validated, submitted, and refused with their rule', async ({ sandbox }) => {
    const table = (await sandbox(KIND, { position: DUEL })).seat(1);
    const offers = await table.offers();
    const [move] = offers.of('move').filter((offer) => offer.isAbout('(0,1)'));
    if (!move) throw new Error('no move is offered');
    const choices = Object.fromEntries(
      move.slots.map((slot) => [slot.name, slot.kind === 'places' ? '(0,1)' : slot.values[0]]),
    );
    expect(() => move.fill({})).toThrow(FillError);
    const order = move.fill(choices);
    const { verdicts } = await table.validate([order, 'move A1 to (0,-3)']);
    expect(verdicts.map(({ accepted, rule }) => [accepted, rule])).toEqual([
      [true, ''],
      [false, '4'],
    ]);
    const refused = await table.order('move A1 to (0,-3)').catch((error) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ reason: 'ORDER_REFUSED', rule: '4' });
    await expect(table.order('to be or not to be')).rejects.toMatchObject({
      reason: 'MALFORMED_ORDER',
    });
    const answer = await table.order([order, 'move A1 to (0,-3)']);
    expect([answer.acceptedCount, answer.refused?.rule]).toEqual([1, 'R3']);
    const [typed] = await table.parse('end');
    expect(starshipsAtLarge.order(typed)).toBeDefined();
    await table.order({ orders: typed ? [typed] : [] });
    expect((await table.refresh()).onTurn).toBe(2);
    expect((await table.rule('4'))?.text).toBeTruthy();
    const closed = (await collect(table.history())).find(
      ({ body }) => body.case === 'ordersAccepted',
    );
    expect((await table.explain(closed?.number ?? 0n)).event?.number).toBe(closed?.number);
  });

  test('of a simultaneous phase are withdrawn and made ready, with warnings', async ({
    sandbox,
  }) => {
    const game = await sandbox('diplomacy', { players: 3 });
    const [one, two, three] = [game.seat(1), game.seat(2), game.seat(3)];
    expect((await one.warnings()).map(({ code }) => code)).not.toEqual([]);
    const orders = (await one.offers()).orders().slice(0, 1);
    await one.order(orders);
    expect((await one.offers()).decision?.revision).toBe(1n);
    await one.takeBack();
    expect((await one.ready()).length).toBeGreaterThan(0);
    expect((await one.offers()).decision?.ready).toBe(true);
    await one.ready(false);
    await one.wait();
    expect((await one.offers()).decision).toMatchObject({ ready: false, wait: true });
    await one.write('Alliance?', { to: [2] });
    expect((await collect(two.messages())).map(({ fromSeat, text }) => [fromSeat, text])).toEqual([
      [1, 'Alliance?'],
    ]);
    expect(await collect(three.messages())).toEqual([]);
    expect(await one.report()).toMatchObject({ mediaType: 'text/plain' });
    expect((await one.report({ format: 'html' })).report).toContain('<html');
  });
});

describe('past phases', () => {
  test('have maps, views and events', async ({ sandbox }) => {
    const table = (await sandbox(KIND, { position: DUEL })).seat(1);
    const before = await table.map({ format: 'text' });
    await table.order('move A1 to (0,1)');
    await table.order('end');
    expect(before.map).toContain('Round 1');
    const picture = await table.map({ theme: 'light', hiddenLayers: ['labels'] });
    expect(picture.map).toContain('<svg');
    expect(picture.layers).toContain('pieces');
    expect((await table.map({ format: 'list' })).mediaType).toBe('text/plain');
    expect((await collect(table.phases())).map(({ number }) => number)).toEqual([1n, 2n]);
    const row = async (atPhase?: number) =>
      starshipsAtLarge.view(await table.view({ atPhase }))?.known?.players[0]?.starships[0]?.at?.r;
    expect([await row(0), await row()]).toEqual([0, 1]);
    expect((await table.map({ format: 'text', atPhase: 0 })).map).not.toBe(
      (await table.map({ format: 'text' })).map,
    );
    const turn = await collect(table.history({ atPhase: 1 }));
    expect(turn.map(({ text }) => text)).toContain('Ordered: end.');
    expect(turn.length).toBeLessThan((await collect(table.history())).length);
  });
});

test('a test controls the dice, clock and position of a sandbox', async ({ sandbox }) => {
  const pace = { standard: { interval: { seconds: 3600n } } };
  const game = await sandbox(KIND, { position: DUEL, pace, dice: [5, 5] });
  expect(await game.scriptDice([2, 6])).toBe(4);
  expect((await game.position()).dice).toEqual([5, 5, 2, 6]);
  expect(await game.scriptDice([1], { replace: true })).toBe(1);
  const one = game.seat(1);
  expect((await one.refresh()).onTurn).toBe(1);
  const due = one.due?.getTime() ?? 0;
  expect(one.remaining()).toBeGreaterThan(HOUR - 60_000);
  expect((await game.advanceClock(2 * HOUR)).getTime()).toBeGreaterThan(due);
  expect((await one.refresh()).onTurn).toBe(2);
  await game.closePhase();
  expect((await one.refresh()).onTurn).toBe(1);
  expect((await collect(game.masterEvents())).length).toBeGreaterThan(0);
  expect(() => game.seat(9)).toThrow('seat 9 does not exist; the seats are 1 to');
});

test('a board has places and steps, of a kind and of a game', async ({ account, sandbox }) => {
  const map = await account.lobby.board('diplomacy', { distances: true });
  const paris = map.places.findIndex(({ name }) => name === 'Par');
  const army = map.movers.find(({ kind }) => kind === 'army');
  const near = army?.steps[paris]?.places.map((place) => map.places[place]?.name);
  expect(near).toEqual(['Bre', 'Bur', 'Gas', 'Pic']);
  const brest = map.places.findIndex(({ name }) => name === 'Bre');
  expect(army?.distances[paris * map.places.length + brest]).toBe(1);
  const game = await sandbox(KIND);
  expect((await game.seat(1).board()).places).toHaveLength(37);
});

test('copies of a sandbox continue independently', async ({ sandbox }) => {
  const game = await sandbox(KIND, { position: DUEL, dice: [5] });
  const [one, other] = await game.clone(2, { seed: new Uint8Array(32).fill(7) });
  expect(new Set([game.gameId, one?.gameId, other?.gameId]).size).toBe(3);
  expect((await one?.position())?.position).toEqual((await game.position()).position);
  expect((await one?.position())?.dice).toEqual([5]);
  await one?.closePhase();
  expect((await one?.seat(1).refresh())?.onTurn).toBe(2);
  expect((await other?.seat(1).refresh())?.onTurn).toBe(1);
});

test('a vote ends a game', async ({ engine, account, aiClient }) => {
  expect(aiClient.running).toBe(true);
  using other = connect(engine.address);
  await other.register(`${account.name}-2`);
  const mine = await account.lobby.create(KIND, { openSeats: 1, seatsInOrder: true });
  const theirs = await new Lobby(other).join(mine.gameId);
  const vote = await mine.propose(VoteSubject.DRAW);
  expect([vote?.proposedBy, vote?.state]).toEqual([1, VoteState.OPEN]);
  expect((await collect(theirs.votes())).map(({ number }) => number)).toEqual([vote?.number]);
  expect((await theirs.vote(vote?.number ?? 0n, true))?.state).toBe(VoteState.PASSED);
  expect((await mine.untilOver({ timeout: 30_000 }))?.draw).toBe(true);
  await expect(mine.order('end', { phase: 1n, revision: 0n })).rejects.toMatchObject({
    reason: 'WRONG_STATUS',
  });
});

test('an invalid option is named', () => {
  expect(() => gameOfJson('options', { chess: {} })).toThrow(
    'expected exactly one of these games: diplomacy',
  );
  expect(() => gameOfJson('options', { starshipsAtLarge: { rounds: 'many' } })).toThrow(/rounds/);
});
