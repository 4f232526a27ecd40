// Fixtures for vitest: an engine, accounts, sandboxes, scenarios.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type TestAPI } from 'vitest';
import { randomId } from '../calls.js';
import { connect, type Engine } from '../engine.js';
import { Lobby, type NewSandbox } from '../lobby.js';
import type { Sandbox } from '../sandbox.js';
import { AiProcess, EngineProcess, runScenario } from './programs.js';

export { serving, working } from './bots.js';
export { AiProcess, EngineProcess, ProgramError, program, runScenario } from './programs.js';

/** A client with its own account. */
export interface Account {
  readonly engine: Engine;
  readonly lobby: Lobby;
  readonly name: string;
}

export interface Fixtures {
  /** Arguments of the engine besides address and data: `test.extend({engineArguments: [...]})`. */
  engineArguments: readonly string[];
  /** An engine with an empty data folder, shared by the tests of a file. */
  engine: EngineProcess;
  /** A process that plays the engine's automated seats. */
  aiClient: AiProcess;
  account: Account;
  /** Creates sandbox games owned by the test: `sandbox("diplomacy", {players: 2})`. */
  sandbox: (kind: string, wanted?: NewSandbox) => Promise<Sandbox>;
  /** Runs scenario files against the engine. Throws if one fails. */
  scenario: (files: string | readonly string[], options?: { withAi?: boolean }) => Promise<string>;
}

/** vitest's `test` with these fixtures: `test("...", async ({engine, sandbox}) => ...)`. */
export const test: TestAPI<Fixtures> = base.extend<Fixtures>({
  engineArguments: [['--sandbox'], { scope: 'file' }],
  engine: [
    async ({ engineArguments }, use) => {
      await inTemporaryFolder(async (folder) => {
        const engine = await new EngineProcess(folder, engineArguments).start();
        await useAndStop(engine, () => use(engine));
      });
    },
    { scope: 'file' },
  ],
  aiClient: [
    async ({ engine }, use) => {
      await inTemporaryFolder(async (folder) => {
        const made = new AiProcess(folder, engine).start();
        await useAndStop(made, () => use(made));
      });
    },
    { scope: 'file' },
  ],
  account: async ({ engine: { address } }, use) => {
    using engine = connect(address);
    const { name } = await engine.register(`test-${randomId().slice(0, 8)}`);
    await use({ engine, lobby: new Lobby(engine), name });
  },
  sandbox: async ({ account: { lobby } }, use) => {
    await use((kind, wanted) => lobby.sandbox(kind, wanted));
  },
  scenario: async ({ engine }, use) => {
    await inTemporaryFolder((folder) =>
      use((files, options) => runScenario(engine, folder, [files].flat(), options)),
    );
  },
});

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'heliopause-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Uses a process and stops it. Throws if the process exited by itself. */
async function useAndStop(
  made: { stop(): Promise<void> },
  use: () => Promise<void>,
): Promise<void> {
  try {
    await use();
  } finally {
    await made.stop();
  }
}
