// Fixtures for vitest: a real engine, accounts, sandboxes, scenarios.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, type TestAPI } from "vitest";
import { randomId } from "../calls.js";
import { connect, type Engine } from "../engine.js";
import { Lobby, type NewSandbox } from "../lobby.js";
import type { Sandbox } from "../sandbox.js";
import { AiProcess, EngineProcess, runScenario } from "./programs.js";

export { serving, working } from "./bots.js";
export { AiProcess, EngineProcess, ProgramError, program, runScenario } from "./programs.js";

/** A client with an account of the test's own. */
export interface Account {
  readonly engine: Engine;
  readonly lobby: Lobby;
  readonly name: string;
}

/** What tests may ask for. */
export interface Fixtures {
  /** The arguments of the engine, but for address and data. Extend the test with others: `test.extend({engineArguments: [...]})`. */
  engineArguments: readonly string[];
  /** An engine with an empty data folder. It serves all tests of a file: each makes its own games and accounts. */
  engine: EngineProcess;
  /** A process that plays the automated seats of the engine. */
  aiClient: AiProcess;
  account: Account;
  /** Makes sandbox games, which the test owns: `sandbox("diplomacy", {players: 2})`. */
  sandbox: (kind: string, wanted?: NewSandbox) => Promise<Sandbox>;
  /** Runs scenario files against the engine. Throws where one fails. */
  scenario: (files: string | readonly string[], options?: { withAi?: boolean }) => Promise<string>;
}

/** vitest's `test`, with these fixtures: `test("it ends its turn", async ({engine, sandbox}) => ...)`. */
export const test: TestAPI<Fixtures> = base.extend<Fixtures>({
  engineArguments: [["--sandbox"], { scope: "file" }],
  engine: [
    async ({ engineArguments }, use) => {
      await within(async (folder) => {
        const engine = await new EngineProcess(folder, engineArguments).start();
        await ended(engine, () => use(engine));
      });
    },
    { scope: "file" },
  ],
  aiClient: [
    async ({ engine }, use) => {
      await within(async (folder) => {
        const made = new AiProcess(folder, engine).start();
        await ended(made, () => use(made));
      });
    },
    { scope: "file" },
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
    await within((folder) => use((files, options) => runScenario(engine, folder, [files].flat(), options)));
  },
});

/** Gives a folder that is gone afterwards. */
async function within(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "heliopause-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Uses a process, and stops it. If it had ended by itself the test fails. */
async function ended(made: { stop(): Promise<void> }, use: () => Promise<void>): Promise<void> {
  try {
    await use();
  } finally {
    await made.stop();
  }
}
