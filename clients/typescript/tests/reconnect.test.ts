// Bots and clients resume after lost connections and restarts of the engine.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  atRandom,
  Bot,
  type Choose,
  type ConnectionState,
  collect,
  connect,
  Lobby,
  randomId,
  Unreachable,
} from '@heliopause/client';
import type { Event } from '@heliopause/client/contract';
import { AdminService } from '@heliopause/client/contract';
import { test as base, EngineProcess, serving } from '@heliopause/client/testing';
import { describe, expect, onTestFinished } from 'vitest';
import { KIND, rounds } from './duel.js';
import { CuttingProxy } from './proxy.js';

const test = base.extend<{ started: (data?: string) => Promise<EngineProcess> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads needed fixtures from the pattern.
  started: async ({}, use) => {
    const made: { engine: EngineProcess; folder: string }[] = [];
    await use(async (data) => {
      const folder = mkdtempSync(join(tmpdir(), 'heliopause-'));
      if (data) cpSync(data, join(folder, 'data'), { recursive: true });
      const engine = new EngineProcess(folder);
      made.push({ engine, folder });
      return engine.start();
    });
    for (const { engine, folder } of made) {
      await engine.stop();
      rmSync(folder, { recursive: true });
    }
  },
});

const numbers = (events: readonly Event[]) => events.map(({ number }) => number);
const accepted = (events: readonly Event[]) =>
  events.filter(({ body }) => body.case === 'ordersAccepted').length;
const dense = (events: readonly Event[]) => events.map((_, at) => BigInt(at + 1));

/** Returns a random player and the number of its calls. */
function counted(): { choose: Choose; asked: () => number } {
  let asked = 0;
  return {
    choose: (seat, offers) => {
      asked += 1;
      return atRandom(seat, offers);
    },
    asked: () => asked,
  };
}

describe('a bot continues', () => {
  test('after the engine was killed during a game', async ({ started }) => {
    const engine = await started();
    let asked = 0;
    const choose: Choose = async (seat, offers) => {
      asked += 1;
      if (asked === 5) {
        // The bot submits its order to an engine that has stopped.
        await engine.kill();
        using wary = connect(engine.address, { patience: 0 });
        await expect(wary.register('Nobody')).rejects.toBeInstanceOf(Unreachable);
        setTimeout(() => void engine.start(), 300);
      }
      return atRandom(seat, offers);
    };
    using owner = connect(engine.address);
    await owner.register('Owner');
    const events = await serving(new Bot(choose, { seed: 1 }), engine, async (name) => {
      const game = await new Lobby(owner).sandbox(KIND, {
        players: 1,
        options: rounds(4),
        guests: { 1: name },
        seed: new Uint8Array(32),
      });
      return collect(game.seat(1).events({ after: 0 }));
    });
    expect(asked).toBeGreaterThan(5);
    expect(numbers(events)).toEqual(dense(events));
    expect(accepted(events)).toBe(asked);
    expect(events.at(-1)?.body.case).toBe('gameEnded');
  });

  test('after connections were cut again and again', async ({ engine, account, sandbox }) => {
    const proxy = await new CuttingProxy(engine.address, { cut: 3000 }).start();
    onTestFinished(() => proxy.stop());
    const game = await sandbox(KIND, { players: 1, options: rounds(4), seed: new Uint8Array(32) });
    const options = { token: account.engine.token, patience: Number.POSITIVE_INFINITY };
    using player = connect(proxy.address, options);
    using watcher = connect(proxy.address, options);
    const { choose, asked } = counted();
    const seat = (client: typeof player) => new Lobby(client).table(game.gameId, { seat: 1 });
    const [, events] = await Promise.all([
      new Bot(choose, { seed: 3 }).play(await seat(player)),
      collect((await seat(watcher)).events({ after: 0 })),
    ]);
    expect(proxy.cuts).toBeGreaterThan(5);
    expect(numbers(events)).toEqual(dense(events));
    expect(accepted(events)).toBe(asked());
    expect(numbers(await collect(game.seat(1).history())).slice(0, events.length)).toEqual(
      numbers(events),
    );
  });
});

test('a followed table becomes stale after a lost connection, then live again', async ({
  engine,
  account,
  sandbox,
}) => {
  const proxy = await new CuttingProxy(engine.address).start();
  onTestFinished(() => proxy.stop());
  const game = await sandbox(KIND, { players: 2 });
  using client = connect(proxy.address, { token: account.engine.token });
  const table = await new Lobby(client).table(game.gameId, { seat: 1 });
  const states: ConnectionState[] = [];
  const live = (times: number) =>
    new Promise<void>((resolve) => {
      const off = table.subscribe(({ connection }) => {
        if (states.at(-1) !== connection) states.push(connection);
        if (states.filter((one) => one === 'live').length >= times) {
          queueMicrotask(() => off());
          resolve();
        }
      });
    });
  const events: Event[] = [];
  table.onEvent((event) => events.push(event));
  const stop = table.follow({ after: 0 });
  await live(1);
  proxy.cutAll();
  await live(2);
  stop();
  expect(states.filter((state) => state !== 'idle')).toEqual([
    'connecting',
    'catching-up',
    'live',
    'stale',
    'catching-up',
    'live',
  ]);
  expect(table.state.refused).toBeUndefined();
  expect(numbers(events)).toEqual(dense(events));
});

describe('with several engines', () => {
  test('the first that is ready is used', async ({ started }) => {
    const first = await started();
    const name = `test-${randomId().slice(0, 8)}`;
    using alone = connect(first.address);
    await alone.register(name);
    const game = await new Lobby(alone).sandbox(KIND, { players: 1, options: rounds(4) });
    await first.stop();
    const second = await started(first.data);
    await first.start();
    using client = connect(['127.0.0.1:1', first.address, second.address], { token: alone.token });
    expect((await client.me()).name).toBe(name);
    expect(client.url).toBe(`http://${first.address}`);
    const table = await new Lobby(client).table(game.gameId, { seat: 1 });
    const events = table.events({ after: 0 });
    expect((await events.next()).value?.number).toBe(1n);
    await first.kill();
    expect((await client.me()).name).toBe(name);
    expect(client.url).toBe(`http://${second.address}`);
    expect((await events.next()).value?.number).toBe(2n);
    await events.return();
    await first.start();
  });

  test('one that drains is not used any more', async ({ started }) => {
    const first = await started();
    using alone = connect(first.address);
    await alone.register('Ada');
    await first.stop();
    const second = await started(first.data);
    await first.start();
    using client = connect([first.address, second.address], { token: alone.token });
    const lobby = new Lobby(client);
    const notices = lobby.notices();
    expect((await notices.next()).value?.notice.case).toBe('caughtUp');
    using admin = connect(first.address, { token: first.adminToken });
    await admin.client(AdminService).drain({});
    expect((await notices.next()).value?.notice.case).toBe('caughtUp');
    expect(client.url).toBe(`http://${second.address}`);
    await notices.return();
    // A drained engine exits by itself.
    await first.kill();
    await first.start();
  });

  test('an error says if none is ready', async () => {
    using client = connect(['127.0.0.1:1', '127.0.0.1:2'], { patience: 300 });
    await expect(client.me()).rejects.toMatchObject({
      name: 'Unreachable',
      message: 'none of the engines is ready: http://127.0.0.1:1, http://127.0.0.1:2',
    });
  });
});
