// The engine's conformance kit finds no errors in the random player and the spectator.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { program } from '@heliopause/client/testing';
import { expect, onTestFinished, test } from 'vitest';

const COMMAND = join(
  dirname(createRequire(import.meta.url).resolve('@heliopause/client/package.json')),
  'dist',
  'command.js',
);
const WHERE = ['--engine', '{engine}', '--token', '{token}', '--game', '{game}'];

function kit(...args: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'heliopause-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    HELIOPAUSE_CONFIG_DIR: folder,
    HELIOPAUSE_ENGINE_BIN: program('engine-service'),
    HELIOPAUSE_AI_BIN: program('ai-client'),
    HOME: folder,
    PATH: process.env['PATH'],
  };
  return new Promise((resolve) => {
    execFile(
      program('cli-client'),
      ['conformance', '--patience', '300', ...args],
      { env },
      (error, stdout, stderr) => {
        resolve(`${stdout}${stderr}${error ? `\nended with ${error.code}` : ''}`);
      },
    );
  });
}

test.concurrent('the random player passes', { timeout: 900_000 }, async () => {
  expect(await kit('--', process.execPath, COMMAND, 'random', ...WHERE)).toMatch(
    /The client passed \d+ cases\.\n$/,
  );
});

test.concurrent('the spectator passes', { timeout: 900_000 }, async () => {
  expect(
    await kit('--watch', '--printed', '--', process.execPath, COMMAND, 'watch', ...WHERE),
  ).toMatch(/The client passed \d+ cases\.\n$/);
});
