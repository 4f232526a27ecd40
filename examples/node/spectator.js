// A spectator: prints what happens in a game, as everybody may see it, until the game is over.
//
//   npm ci
//   node spectator.js --engine 127.0.0.1:50051 [--game ID] [--token TOKEN]
//
// Without --game it takes the newest game that is being played, and waits for one if there is none. Without --token it opens an
// account. It passes `cli-client conformance --watch --printed`: whatever happens to the line or the engine, it goes on where it was.
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { detailsOf } from "./details.js";

const { values: options } = parseArgs({
  options: {
    engine: { type: "string", default: "127.0.0.1:50051" },
    game: { type: "string" },
    name: { type: "string", default: `spectator-${process.pid}` },
    token: { type: "string" },
  },
});

// proto-loader reads the contract itself: no code is generated.
const root = fileURLToPath(new URL("../../proto", import.meta.url));
const definition = loadSync(["heliopause/v1/player.proto", "heliopause/v1/game.proto"], {
  includeDirs: [root],
  keepCase: true,
  enums: String,
  longs: String,
  defaults: true,
  oneofs: true,
});
const { heliopause } = grpc.loadPackageDefinition(definition);
const credentials = grpc.credentials.createInsecure();
// A lost connection is opened again soon.
const patience = { "grpc.initial_reconnect_backoff_ms": 100, "grpc.max_reconnect_backoff_ms": 2000 };
const players = new heliopause.v1.PlayerService(options.engine, credentials, patience);
const games = new heliopause.v1.GameService(options.engine, credentials, patience);

// A heartbeat comes at least every 20 seconds. If nothing comes for so long, the line is dead, though nobody has said so.
const SILENCE = 60_000;
// How long to wait where the engine does not say.
const PAUSE = 200;

// How long to wait before the same is tried again; an error that no waiting mends is thrown.
function pauseAfter(error, silent) {
  const { reason, wait } = detailsOf(error);
  if (wait !== undefined) return wait;
  // A connection that breaks in the middle of an answer may end a call with any of these, but then without a reason.
  const { UNAVAILABLE, INTERNAL, UNKNOWN } = grpc.status;
  const lost = reason === undefined && [UNAVAILABLE, INTERNAL, UNKNOWN].includes(error.code);
  if (silent || lost || error.code === UNAVAILABLE) return PAUSE;
  throw error;
}

// A unary call, made again as long as that is what the engine asks for.
async function call(client, method, request, metadata = new grpc.Metadata()) {
  for (;;) {
    try {
      return await new Promise((resolve, reject) => {
        const done = (error, answer) => (error ? reject(error) : resolve(answer));
        client[method](request, metadata, { deadline: Date.now() + 30_000 }, done);
      });
    } catch (error) {
      await sleep(pauseAfter(error));
    }
  }
}

async function findGame(metadata) {
  for (;;) {
    const { games: found } = await call(games, "ListGames", { page_size: 1, status: "GAME_STATUS_RUNNING" }, metadata);
    if (found.length > 0) return found[0].game_id;
    await sleep(500);
  }
}

// Follows the game from its first event; after a lost connection it goes on where it was.
async function watch(gameId, metadata) {
  let cursor = { audience: { spectators: {} }, number: "0" };
  for (;;) {
    const stream = games.StreamEvents({ game_id: gameId, as_spectator: true, after: cursor }, metadata);
    let silent = false;
    const giveUp = () => {
      silent = true;
      stream.cancel();
    };
    let timer = setTimeout(giveUp, SILENCE);
    try {
      for await (const { part, opening, event } of stream) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, SILENCE);
        if (part === "opening") console.log(`watching ${opening.game.name} (${gameId}): ${opening.game.progress}`);
        // Everything else (caught up, fallen behind, a heartbeat, what a later version sends) changes nothing for who only looks.
        if (part !== "event") continue;
        cursor = { audience: { spectators: {} }, number: event.number, time: event.time };
        const rule = event.rule ? ` (rule ${event.rule})` : "";
        console.log(`${event.number.padStart(5)}  ${event.text}${rule}`);
        if (event.body === "game_ended") return;
      }
      await sleep(PAUSE);
    } catch (error) {
      const pause = pauseAfter(error, silent);
      console.log("the stream has ended; going on where it was");
      await sleep(pause);
    } finally {
      clearTimeout(timer);
      // A stream that nobody reads any more is given up, and then ends with an error that nobody needs.
      stream.on("error", () => {});
      stream.cancel();
    }
  }
}

try {
  const metadata = new grpc.Metadata();
  // If the answer is lost, the same id fetches the same token again.
  const registration = { name: options.name, request_id: randomUUID() };
  const token = options.token ?? (await call(players, "Register", registration)).token;
  metadata.set("authorization", `Bearer ${token}`);
  await watch(options.game ?? (await findGame(metadata)), metadata);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
players.close();
games.close();
