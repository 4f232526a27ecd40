// How the sentry plays, against a real engine. `npx vitest run` runs it; docs/testing.md explains it.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test as base, describe, expect } from "vitest";
import { folder, Program, program, register, Sandbox, writeToken } from "./harness.js";

// Fixtures: real processes on free ports, with folders of their own that are removed afterwards.
const test = base.extend({
  engine: [
    async ({}, use) => {
      const made = folder();
      const args = ["--listen", "127.0.0.1:0", "--sandbox", "--data", made.at("data")];
      const process = new Program(program("engine-service"), args);
      await use({ address: await process.ready(), workerToken: made.at("data/worker.token") });
      await process.stop();
      made.remove();
    },
    { scope: "file" },
  ],
  // A process that plays the automated seats of the engine, with the token that the engine's first start wrote.
  ai: [
    async ({ engine }, use) => {
      const args = ["--engine", `http://${engine.address}`, "--token-file", engine.workerToken];
      const process = new Program(program("ai-client"), args);
      await use(process);
      await process.stop();
    },
    { scope: "file" },
  ],
  // An account of the test's own, which owns the sandbox games.
  owner: async ({ engine }, use) => {
    const { calls } = await register(engine.address, "test");
    await use(calls);
    calls.close();
  },
  // The bot under test, with an account of its own: it runs as long as the test.
  sentry: async ({ engine }, use) => {
    const [made, account] = [folder(), await register(engine.address, "sentry")];
    const token = writeToken(made.at("token"), account.token);
    const script = fileURLToPath(new URL("sentry.js", import.meta.url));
    const bot = new Program(process.execPath, [script, "--engine", engine.address, "--token-file", token]);
    await use(account);
    await bot.stop();
    account.calls.close();
    made.remove();
  },
});

// Two outsiders. Seat 1 is on turn, one step from the sentry's only starship.
const POSITION = {
  hexes: [
    { hex: { q: 0, r: 2 }, marker: "MARKER_FRIENDLY", owner: 1 },
    { hex: { q: 0, r: -2 }, marker: "MARKER_FRIENDLY", owner: 2 },
  ],
  players: [
    { bases: [{ at: { q: 0, r: 2 } }], starships: [{ serial: 1, at: { q: 0, r: 0 } }] },
    { bases: [{ at: { q: 0, r: -2 } }], starships: [{ serial: 1, at: { q: 1, r: 0 } }] },
  ],
};

// A game from the position, with the sentry at seat 2 and the test at seat 1.
const duel = (owner, sentry, more = {}) =>
  Sandbox.create(owner, {
    kind: "starships-at-large",
    position: { starships_at_large: POSITION },
    guests: [{ seat: 2, player: sentry.name }],
    ...more,
  });

test("it takes its seat and its turn", async ({ owner, sentry }) => {
  const scripted = (await duel(owner, sentry)).seat(1);
  await scripted.until("the sentry sits", (event) => event.seat_changed?.seat.player === sentry.name);
  await scripted.order("end");
  // It thinks for a second. Nothing is slept through here: the test goes on with the event.
  await scripted.untilAsked("turn");
  expect((await scripted.view()).known.players[1].starships).toHaveLength(1);
});

describe("it attacks whoever comes", () => {
  test.for([
    { ends: "it fights on and wins", dice: [5, 5, 2, 6], lost: 1 },
    { ends: "it loses", dice: [6, 2], lost: 2 },
  ])("$ends", async ({ dice, lost }, { owner, sentry }) => {
    const scripted = (await duel(owner, sentry, { dice })).seat(1);
    await scripted.order("move A1 to (1,0)", "end");
    expect((await scripted.untilTold("lost")).piece.owner).toBe(lost);
    await scripted.untilAsked("turn");
    expect((await scripted.view()).known.players[lost - 1].starships ?? []).toEqual([]);
  });
});

test("it waits for automation too", async ({ owner, sentry, ai: _ai }) => {
  const table = await Sandbox.create(owner, {
    kind: "starships-at-large",
    players: 3,
    guests: [{ seat: 2, player: sentry.name }],
    automated: [{ seat: 3, by: { level: "standard" } }],
  });
  const scripted = table.seat(1);
  for (let turn = 0; turn < 2; turn++) {
    await scripted.untilAsked("turn");
    await scripted.order("end");
  }
});

// The same as a file: docs/scenarios.md.
test("the scenario", async ({ engine, sentry, ai: _ai }) => {
  const made = folder();
  const scenario = JSON.parse(readFileSync(new URL("../sentry.json", import.meta.url), "utf8"));
  writeFileSync(made.at("sentry.json"), JSON.stringify({ ...scenario, let: { bot: sentry.name } }));
  const command = ["scenario", "--keep-going", made.at("sentry.json"), "--engine", `http://${engine.address}`];
  const worker = ["--with-ai", "--ai-token-file", engine.workerToken];
  const env = { ...process.env, HOME: made.at("") };
  const ran = spawnSync(program("cli-client"), [...command, ...worker], { env, encoding: "utf8" });
  made.remove();
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
});
