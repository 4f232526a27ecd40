// Tests of the sentry with a real engine, explained in docs/testing.md.
import { fileURLToPath } from "node:url";
import { Bot } from "@heliopause/client";
import { gameOfJson, starshipsAtLarge } from "@heliopause/client/games";
import { serving, test } from "@heliopause/client/testing";
import { describe, expect } from "vitest";
import { choose } from "./sentry.js";

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

// Returns the kind of a game event.
const happened = ({ body }) => (body.case === "game" ? starshipsAtLarge.event(body.value).kind : undefined);

describe("it attacks intruders", () => {
  test.for([
    { ends: "it fights on and wins", dice: [5, 5, 2, 6], lost: 1 },
    { ends: "it loses", dice: [6, 2], lost: 2 },
  ])("$ends", async ({ dice, lost }, { engine, sandbox }) => {
    await serving(new Bot(choose), engine, async (name) => {
      const position = gameOfJson("position", { starshipsAtLarge: POSITION });
      const me = (await sandbox("starships-at-large", { position, dice, guests: { 2: name } })).seat(1);
      await me.order(["move A1 to (1,0)", "end"]);
      const told = await me.until((event) => happened(event)?.case === "lost");
      expect(happened(told).value).toMatchObject({ piece: { owner: lost } });
    });
  });
});

test("it waits for automation too", async ({ engine, aiClient: _ai, sandbox }) => {
  await serving(new Bot(choose), engine, async (name) => {
    const seats = { players: 3, guests: { 2: name }, automated: { 3: "standard" } };
    const me = (await sandbox("starships-at-large", seats)).seat(1);
    for (let turn = 0; turn < 2; turn++) {
      await me.untilAsked("turn");
      await me.order("end");
    }
  });
});

// The same as a scenario file, explained in docs/scenarios.md.
test("the scenario", async ({ engine, aiClient: _ai, scenario }) => {
  const file = fileURLToPath(new URL("../sentry.json", import.meta.url));
  await serving(new Bot(choose), engine, () => scenario(file, { withAi: true }), { name: "sentry" });
});
