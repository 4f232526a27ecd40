// The test fixtures.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atRandom, Bot, connect } from '@heliopause/client';
import { AdminService } from '@heliopause/client/contract';
import {
  EngineProcess,
  ProgramError,
  program,
  serving,
  test,
  working,
} from '@heliopause/client/testing';
import { describe, expect, vi } from 'vitest';
import { KIND } from './duel.js';

const SCENARIO = {
  name: 'A turn is ended',
  game: KIND,
  position: {
    hexes: [1, 2].map((owner) => ({
      hex: { q: 0, r: owner === 1 ? 2 : -2 },
      marker: 'MARKER_FRIENDLY',
      owner,
    })),
    players: [2, -2].map((r) => ({
      bases: [{ at: { q: 0, r } }],
      starships: [{ serial: 1, at: { q: 0, r } }],
    })),
  },
  steps: [{ seat: 1, order: 'end', expect: { decision: { '1': null } } }],
};

test('scenarios are run, and a failing one throws', async ({ engine, scenario, aiClient }) => {
  const write = (name: string, made: object) => {
    const path = join(engine.data, name);
    writeFileSync(path, JSON.stringify(made));
    return path;
  };
  const good = write('good.json', SCENARIO);
  expect(await scenario(good)).toContain('A turn is ended');
  expect(await scenario([good], { withAi: true })).toMatch(/pass/);
  const bad = write('bad.json', { ...SCENARIO, steps: [{ seat: 1, order: 'fly away' }] });
  await expect(scenario([good, bad])).rejects.toThrow(/fly away/);
  expect(aiClient.running).toBe(true);
});

describe('programs', () => {
  test('that are missing are named', () => {
    expect(() => program('chess-service')).toThrow(
      new ProgramError(
        `chess-service was not found in ${process.env['HELIOPAUSE_BIN']} (from HELIOPAUSE_BIN)`,
      ),
    );
    vi.stubEnv('HELIOPAUSE_BIN', '');
    vi.stubEnv('PATH', '');
    expect(() => program('chess-service')).toThrow('on the PATH or in a target folder');
    vi.unstubAllEnvs();
  });

  test('that do not start or exit by themselves show their log', async ({
    engine,
    onTestFinished,
  }) => {
    const wrong = new EngineProcess(engine.data, ['--no-such-flag']);
    await expect(wrong.start()).rejects.toThrow(/the engine is not ready:\n(.|\n)*--no-such-flag/);
    expect(wrong.running).toBe(false);
    await wrong.stop();
    const folder = mkdtempSync(join(engine.data, 'other-'));
    const other = new EngineProcess(folder);
    onTestFinished(() => other.kill());
    await other.start();
    await expect(other.start()).rejects.toThrow('is already running');
    using admin = connect(other.address, { token: other.adminToken });
    await admin.client(AdminService).drain({});
    await vi.waitUntil(() => !other.running, { timeout: 60_000 });
    await expect(other.stop()).rejects.toThrow(/exited unexpectedly with 0:\n(.|\n)*draining/);
  });
});

describe('bots that fail', () => {
  test('make their test fail', async ({ engine }) => {
    const bot = new Bot(atRandom);
    await expect(working(bot, engine, ['chess'], () => new Promise(() => {}))).rejects.toThrow(
      '"chess"',
    );
    using admin = connect(engine.address, { token: engine.adminToken });
    expect((await admin.me()).name).toBeTruthy();
  });

  test('in one game are reported and play the other games', async ({ engine, sandbox }) => {
    const faults: string[] = [];
    let first = '';
    const bot = new Bot(
      (seat) => {
        first ||= seat.gameId;
        if (seat.gameId === first) throw new Error('it fails');
        return 'end';
      },
      { onFault: (place) => faults.push(place) },
    );
    await serving(bot, engine, async (name) => {
      for (let made = 0; made < 2; made++) {
        const game = await sandbox(KIND, { players: 1, guests: { 1: name } });
        const done =
          made === 0
            ? async () => await vi.waitUntil(() => faults.length > 0, { timeout: 30_000 })
            : () => game.seat(1).until(({ body }) => body.case === 'ordersAccepted');
        await done();
      }
    });
    expect(faults.every((place) => place === `${first}, seat 1`)).toBe(true);
  });
});

describe('a failing bot ends its test immediately with its own error', () => {
  const failing = () => new Bot(() => Promise.reject(new Error('the bot has a fault')));
  const endless = () => new Promise<never>(() => {});

  test('when serving', async ({ engine, sandbox }) => {
    const played = serving(failing(), engine, async (name) => {
      const me = (await sandbox(KIND, { players: 2, guests: { 2: name } })).seat(1);
      await me.untilAsked('turn');
      await me.order('end');
      return endless();
    });
    await expect(played).rejects.toThrow('the bot has a fault');
  });

  test('when working', async ({ engine, sandbox }) => {
    const worked = working(failing(), engine, [KIND], async () => {
      await sandbox(KIND, { players: 1, automated: { 1: 'random' } });
      return endless();
    });
    await expect(worked).rejects.toThrow('the bot has a fault');
  });
});
