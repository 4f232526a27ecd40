// A bot without rules plays every kind of game to the end, one seat as player, others as worker.

import { atRandom, Bot, collect } from '@heliopause/client';
import { GameStatus } from '@heliopause/client/contract';
import { gameOfJson } from '@heliopause/client/games';
import { serving, test, working } from '@heliopause/client/testing';
import { describe, expect } from 'vitest';

const SHORT = {
  'starships-at-large': { starshipsAtLarge: { rounds: 3 } },
  'star-empires': { starEmpires: { lastTurn: 6 } },
  'stellar-conquest': undefined,
  'fate-of-empire': undefined,
  'alone-in-outer-space': undefined,
  diplomacy: { diplomacy: { lastYear: 1902 } },
  'it-came-from-outer-space': { diplomacy: { lastYear: 1902 } },
};
// The number of the game's own seats: the Death Star, pirates and independent worlds.
const OWN: Record<string, number> = { 'starships-at-large': 1, 'fate-of-empire': 2 };

describe('the random player plays', () => {
  test('all kinds', async ({ account: { lobby } }) => {
    expect((await lobby.kinds()).map(({ kind }) => kind).sort()).toEqual(Object.keys(SHORT).sort());
  });

  for (const [kind, json] of Object.entries(SHORT)) {
    test(kind, { timeout: 700_000 }, async ({ engine, account: { lobby }, sandbox }) => {
      const described = (await lobby.kinds()).find((one) => one.kind === kind);
      const players = Math.min(Math.max(described?.playersMin ?? 0, 2), described?.playersMax ?? 0);
      const others = Array.from({ length: players + (OWN[kind] ?? 0) - 1 }, (_, at) => [
        at + 2,
        'random',
      ]);
      const faults: unknown[] = [];
      const bot = new Bot(atRandom, { seed: 1, onFault: () => {} });
      const player = new Bot(atRandom, { seed: 1, onFault: (_, error) => faults.push(error) });
      const seat = await serving(player, engine, (name) =>
        working(bot, engine, [kind], async () => {
          const game = await sandbox(kind, {
            players,
            options: json && gameOfJson('options', json),
            guests: { 1: name },
            automated: Object.fromEntries(others),
            seed: new Uint8Array(32),
          });
          const seat = game.seat(1);
          const outcome = await seat.untilOver({ timeout: 600_000 });
          expect(outcome?.summary).not.toBe('');
          return seat;
        }),
      );
      expect((await seat.refresh()).status).toBe(GameStatus.ENDED);
      const bodies = (await collect(seat.history())).map(({ body }) => body);
      const accepted = bodies.flatMap((body) =>
        body.case === 'ordersAccepted' ? [body.value] : [],
      );
      // The bot played the player's seat, with its own orders instead of defaults.
      expect(accepted.length).toBeGreaterThan(0);
      expect(accepted.every(({ automation }) => automation === '')).toBe(true);
      expect(faults).toEqual([]);
    });
  }
});
