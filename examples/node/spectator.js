// A spectator: prints what happens in a game, as everybody may see it, until the game is over.
//
//   npm ci
//   node spectator.js --engine 127.0.0.1:50051 [--game ID]
//
// Without --game it takes the newest game that is being played, and waits for one if there is none.
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const { values: options } = parseArgs({
  options: {
    engine: { type: "string", default: "127.0.0.1:50051" },
    game: { type: "string" },
    name: { type: "string", default: `spectator-${process.pid}` },
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
const players = new heliopause.v1.PlayerService(options.engine, credentials);
const games = new heliopause.v1.GameService(options.engine, credentials);

// A unary call as a promise.
const call = (client, method, request, metadata = new grpc.Metadata()) =>
  new Promise((resolve, reject) =>
    client[method](request, metadata, (error, answer) => (error ? reject(error) : resolve(answer))),
  );

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

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
    try {
      for await (const { part, opening, event } of stream) {
        if (part === "opening") console.log(`watching ${opening.game.name} (${gameId}): ${opening.game.progress}`);
        if (part !== "event") continue;
        cursor = { audience: { spectators: {} }, number: event.number };
        const rule = event.rule ? ` (rule ${event.rule})` : "";
        console.log(`${event.number.padStart(5)}  ${event.text}${rule}`);
        if (event.body === "game_ended") return;
      }
    } catch (error) {
      if (error.code !== grpc.status.UNAVAILABLE) throw error;
      console.log("the connection is lost; trying again");
    }
    await sleep(500);
  }
}

const { token } = await call(players, "Register", { name: options.name });
const metadata = new grpc.Metadata();
metadata.set("authorization", `Bearer ${token}`);
try {
  await watch(options.game ?? (await findGame(metadata)), metadata);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
players.close();
games.close();
// The stream may still be open; nothing is left to do.
process.exit(0);
