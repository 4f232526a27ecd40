// A bot works for leases alongside other workers.

import {
  type Answer,
  atRandom,
  Bot,
  type Choose,
  collect,
  connect,
  Lobby,
  type Reply,
  type Sandbox,
  type Seat,
} from '@heliopause/client';
import { AccountRole, AdminService, VoteSubject } from '@heliopause/client/contract';
import { test, working } from '@heliopause/client/testing';
import { describe, expect } from 'vitest';
import { KIND, rounds } from './duel.js';

const ALL = {
  players: 2,
  options: rounds(3),
  automated: { 1: 'random', 2: 'random', 3: 'random' },
  seed: new Uint8Array(32),
};

function over(game: Sandbox) {
  return game.seat(1).untilOver({ timeout: 200_000 });
}

const atOnce = async (seat: Seat, offers: Parameters<Choose>[1]): Promise<Answer> => ({
  orders: (await atRandom(seat, offers)) as string,
});

describe('a bad worker does not block decisions', () => {
  const bads: [string, () => Reply | Promise<Reply>][] = [
    ['fails', () => Promise.reject(new Error('it always fails'))],
    ['returns invalid orders', () => 'to be or not to be'],
    ['returns no orders', () => undefined],
  ];
  test.for(bads)('if it %s', async ([, bad], { engine, account: { name }, sandbox }) => {
    using admin = connect(engine.address, { token: engine.adminToken });
    const { token } = await admin
      .client(AdminService)
      .grantRole({ name: `${name}-w`, role: AccountRole.WORKER });
    using second = connect(engine.address, { token });
    let [asked, good] = [() => {}, 0];
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const faults: unknown[] = [];
    const badly = new Bot(
      () => {
        asked();
        return bad();
      },
      { onFault: (_, error) => faults.push(error) },
    );
    const well = new Bot(async (seat, offers) => {
      // The bad worker takes one decision at a time, so other workers get the remaining games.
      await wasAsked;
      good += 1;
      return atRandom(seat, offers);
    });
    const stop = new AbortController();
    const working2 = well.work(second, [KIND], { capacity: 1, signal: stop.signal });
    await working(badly, engine, [KIND], async () => {
      const made = [1, 2, 3].map(() =>
        sandbox(KIND, { players: 1, automated: { 1: 'random', 2: 'random' } }),
      );
      for (const game of await Promise.all(made)) {
        // After five failures, the engine uses only the other account's worker.
        const given = await game
          .seat(1)
          .until(({ body }) => body.case === 'ordersAccepted', { timeout: 120_000 });
        expect(given.body.case === 'ordersAccepted' && given.body.value.automation).toBeTruthy();
      }
    });
    stop.abort();
    await working2;
    expect(good).toBeGreaterThanOrEqual(3);
    expect(faults.length).toBeGreaterThanOrEqual(5);
  });
});

test('a stopping worker returns its leases', async ({ engine, sandbox }) => {
  const game = await sandbox(KIND, ALL);
  let asked = () => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const thinks: Choose = () => {
    asked();
    return new Promise(() => {});
  };
  await working(new Bot(thinks), engine, [KIND], () => wasAsked);
  expect(
    (await working(new Bot(atRandom), engine, [KIND], () => over(game)))?.summary,
  ).toBeTruthy();
});

test('a refused answer can be corrected', async ({ engine, sandbox }) => {
  const game = await sandbox(KIND, ALL);
  const refused: string[] = [];
  const choose: Choose = (seat, offers) => {
    if (seat.attempt === 0) return 'move A1 to (0,0)\nmove A1 to (3,0)';
    refused.push(...seat.refused.map(({ message }) => message));
    return offers.atRandom(seat.random);
  };
  await working(new Bot(choose), engine, [KIND], () => over(game));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(Boolean)).toBe(true);
});

test('a lease has the memo and the view, and the same seed makes the same game', async ({
  engine,
  sandbox,
}) => {
  const histories: string[][] = [];
  for (let time = 0; time < 2; time++) {
    const game = await sandbox(KIND, ALL);
    const memos = new Map<number, number[]>();
    const choose: Choose = async (seat, offers) => {
      // Games of other tests continue at the same time.
      if (seat.gameId !== game.gameId) return atOnce(seat, offers);
      const found = memos.get(seat.number) ?? [];
      memos.set(seat.number, [...found, seat.memo[0] ?? 0]);
      expect((await seat.view())?.game.case).toBe('starshipsAtLarge');
      expect(seat.level).toBe('random');
      return { ...(await atOnce(seat, offers)), memo: new Uint8Array([found.length + 1]) };
    };
    await working(new Bot(choose), engine, [KIND], () => over(game));
    for (const found of memos.values()) expect(found).toEqual(found.map((_, at) => at));
    histories.push((await collect(game.seat(1).history())).map(({ text }) => text));
  }
  expect(histories[0]).toEqual(histories[1]);
});

test('a worker votes', async ({ engine, account: { lobby } }) => {
  const voices: VoteSubject[] = [];
  const bot = new Bot(atRandom, {
    vote: (_, { subject }) => {
      voices.push(subject);
      return true;
    },
  });
  await working(bot, engine, [KIND], async () => {
    const table = await lobby.create(KIND, { opponents: 1, level: 'random' });
    await table.propose(VoteSubject.DRAW);
    expect((await table.untilOver({ timeout: 60_000 }))?.draw).toBe(true);
  });
  expect(voices).toEqual([VoteSubject.DRAW]);
});

test('invalid profiles are named', async ({ engine, account }) => {
  using worker = connect(engine.address, { token: engine.workerToken });
  const bot = new Bot(atRandom);
  await expect(bot.work(worker, ['chess'])).rejects.toThrow(
    '"chess": unknown kind of game; the kinds are',
  );
  await expect(bot.work(worker, ['a:b:c:d'])).rejects.toThrow('expected KIND:PROFILE:LEVEL');
  await expect(bot.work(worker, [`${KIND}:nobody`])).rejects.toMatchObject({
    reason: 'INVALID_FIELD',
  });
  await expect(bot.work(worker, [])).rejects.toThrow('specify at least one profile');
  await expect(bot.work(account.engine, [KIND])).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
  expect(new Lobby(worker).state.connection).toBe('idle');
});
