// The command, the command line of a bot, and the code in README.md.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test as base, EngineProcess } from '@heliopause/client/testing';
import { describe, expect } from 'vitest';
import { KIND } from './duel.js';

const HERE = import.meta.dirname;
const PACKAGE = dirname(createRequire(import.meta.url).resolve('@heliopause/client/package.json'));
const COMMAND = join(PACKAGE, 'dist', 'command.js');
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const [BOT = '', CLIENT = '', TEST = ''] = [...README.matchAll(/```ts\n(.*?)```/gs)].map(
  ([, code = '']) => code,
);

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

const test = base.extend<{
  run: (program: string, ...args: string[]) => Promise<Ran>;
  folder: string;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads needed fixtures from the pattern.
  folder: async ({}, use) => {
    // The folder is in this directory, so that programs in the folder find the package.
    const folder = mkdtempSync(join(HERE, 'made-'));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  run: async ({ engine, folder }, use) => {
    const env = { ...process.env, HELIOPAUSE_ENGINE: engine.address };
    await use(
      (program, ...args) =>
        new Promise((resolve) => {
          execFile(
            process.execPath,
            [program, ...args],
            { cwd: folder, env },
            (error, stdout, stderr) => {
              resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
            },
          );
        }),
    );
  },
});

describe('README.md', () => {
  test('the first bot plays a game', async ({ run, folder, aiClient }) => {
    expect(aiClient.running).toBe(true);
    expect(BOT.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
    const [, args = ''] = /^node bot\.js (--new .*)$/m.exec(README) ?? [];
    writeFileSync(join(folder, 'bot.js'), BOT);
    const ran = await run('bot.js', ...args.split(' '));
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('\nthe game is over: ');
  });

  test('the client runs', async ({ engine, run, folder, aiClient }) => {
    expect(aiClient.running).toBe(true);
    writeFileSync(join(folder, 'client.js'), CLIENT.replaceAll('127.0.0.1:50051', engine.address));
    const ran = await run('client.js');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('Round 1');
    expect(ran.stdout).toMatch(/^4 /m);
    expect(ran.stdout).toContain(' Ordered: end.\n');
  });

  test('the test passes', async ({ run, folder }) => {
    writeFileSync(join(folder, 'readme.test.js'), TEST);
    writeFileSync(join(folder, 'vitest.config.js'), 'export default {};\n');
    const vitest = join(
      dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
      'vitest.mjs',
    );
    const ran = await run(vitest, 'run', '--root', folder);
    expect(ran.stdout + ran.stderr).toMatch(/1 passed/);
    expect(ran.code).toBe(0);
  });
});

describe('a bot without an engine', () => {
  // No engine is at this address.
  const nowhere = ['--engine', '127.0.0.1:1', '--new', KIND];

  test('reports it without --verbose, and exits immediately on a signal', async () => {
    const bot = spawn(process.execPath, [COMMAND, 'random', ...nowhere], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    bot.stderr.on('data', (part: Buffer) => {
      output += part;
    });
    await once(bot.stderr, 'data');
    expect(output).toMatch(/^Register: .*; retrying in \d+ ms\n/);
    bot.kill('SIGTERM');
    const [code] = await once(bot, 'exit');
    expect(code).toBe(130);
  });

  test('exits when its patience is over', async ({ run }) => {
    const ran = await run(COMMAND, 'random', ...nowhere, '--patience', '0.5');
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringMatching(/ECONNREFUSED|connect/) });
    expect(await run(COMMAND, 'random', ...nowhere, '--patience', 'x')).toMatchObject({ code: 2 });
  });

  test('exits when its patience is over during a game', async ({ onTestFinished, folder }) => {
    const engine = await new EngineProcess(folder).start();
    onTestFinished(() => engine.kill());
    const args = [COMMAND, 'random', '--engine', engine.address, '--new', KIND, '--patience', '1'];
    // The opponent never plays.
    const bot = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(bot.stdout, 'data');
    await engine.kill();
    const [code] = await once(bot, 'exit');
    expect(code).toBe(3);
  });
});

describe('the command', () => {
  test('plays, watches and verifies a game', async ({ run, folder, aiClient }) => {
    expect(aiClient.running).toBe(true);
    const token = join(folder, 'token');
    const options = JSON.stringify({ starshipsAtLarge: { rounds: 2 } });
    const played = await run(
      COMMAND,
      'random',
      '--new',
      KIND,
      '--options',
      options,
      '--token-file',
      token,
      '--name',
      'Béatrice',
    );
    expect(played).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(token, 'utf8')).toMatch(/^hp_\w+\n$/);
    const [, game = ''] = /^playing (\S+) as Béatrice$/m.exec(played.stdout) ?? [];
    const watched = await run(COMMAND, 'watch', '--game', game);
    expect(
      watched.stdout
        .trimEnd()
        .split('\n')
        .map((line) => Number.parseInt(line, 10)),
    ).toEqual(
      watched.stdout
        .trimEnd()
        .split('\n')
        .map((_, at) => at + 1),
    );
    const proved = await run(COMMAND, 'verify', '--game', game, '--steps', '--token-file', token);
    expect(proved).toMatchObject({ code: 0, stderr: '' });
    expect(proved.stdout).toMatch(/^The secret [0-9a-f]{64} has the SHA-256 .*\n/);
    expect(proved.stdout).toMatch(/\nverified entries: \d+; verified rolls: \d+\n$/);
  });

  test('reports errors with a message and an exit code', async ({ run, sandbox, account }) => {
    expect(await run(COMMAND, 'random')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing to play'),
    });
    expect(await run(COMMAND, 'random', '--chess')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--chess'),
    });
    expect(await run(COMMAND, 'random', '--new', KIND, '--options', '{')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not valid JSON'),
    });
    expect(await run(COMMAND, 'random', '--new', KIND, '--opponents', 'x')).toMatchObject({
      code: 2,
    });
    expect(await run(COMMAND, 'random', '--new', KIND, '--engine', 'nowhere')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/\S/),
    });
    expect(await run(COMMAND, 'random', '--new', 'chess')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('chess'),
    });
    expect(await run(COMMAND, 'chess')).toMatchObject({ code: 2 });
    expect(await run(COMMAND, '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('heliopause-client COMMAND'),
    });
    const { gameId } = await sandbox(KIND);
    const running = await run(
      COMMAND,
      'verify',
      '--game',
      gameId,
      '--token',
      account.engine.token ?? '',
    );
    expect(running).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('export the game again after it ends'),
    });
  });
});
