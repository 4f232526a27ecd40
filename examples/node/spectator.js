// A spectator: prints the events of a game until it is over.
//
//   npm ci
//   node spectator.js --engine 127.0.0.1:50051 [--game ID] [--token TOKEN]
//
// Without --game, it watches the newest running game, or waits for a game. Without --token, it
// creates an account. It resumes after lost connections and restarts of the engine, and passes
// `cli-client conformance --watch --printed`.
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

// proto-loader reads the contract at run time, without generated code.
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
// Limits the delay between attempts to reconnect to two seconds.
const patience = { "grpc.initial_reconnect_backoff_ms": 100, "grpc.max_reconnect_backoff_ms": 2000 };
const players = new heliopause.v1.PlayerService(options.engine, credentials, patience);
const games = new heliopause.v1.GameService(options.engine, credentials, patience);

// The engine sends a heartbeat at least every 20 seconds. After this silence, the connection is
// considered dead.
const SILENCE = 60_000;
// The delay before a retry if the engine gives none.
const PAUSE = 200;

// Returns the milliseconds to wait before a retry. Throws errors that a retry cannot fix.
function pauseAfter(error, silent) {
  const { reason, wait } = detailsOf(error);
  if (wait !== undefined) return wait;
  // A connection that breaks during a response can cause any of these codes, but without a reason.
  const { UNAVAILABLE, INTERNAL, UNKNOWN } = grpc.status;
  const lost = reason === undefined && [UNAVAILABLE, INTERNAL, UNKNOWN].includes(error.code);
  if (silent || lost || error.code === UNAVAILABLE) return PAUSE;
  throw error;
}

// Makes a unary call and retries it as long as the error allows a retry.
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

// Follows the game from its first event. After a lost connection, resumes after the last event.
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
      for await (const { part, snapshot, event } of stream) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, SILENCE);
        if (part === "snapshot") console.log(`watching ${snapshot.game.name} (${gameId}): ${snapshot.game.progress}`);
        // Other parts (caught up, fell behind, heartbeats, additions of later versions) do not
        // matter here.
        if (part !== "event") continue;
        cursor = { audience: { spectators: {} }, number: event.number, time: event.time };
        const rule = event.rule ? ` (rule ${event.rule})` : "";
        console.log(`${event.number.padStart(5)}  ${event.text}${rule}`);
        if (event.body === "game_ended") return;
      }
      await sleep(PAUSE);
    } catch (error) {
      const pause = pauseAfter(error, silent);
      console.log("the stream has ended; resuming");
      await sleep(pause);
    } finally {
      clearTimeout(timer);
      // Ignore the error that canceling the stream emits.
      stream.on("error", () => {});
      stream.cancel();
    }
  }
}

try {
  const metadata = new grpc.Metadata();
  // Repeating the request with the same id returns the same token.
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
