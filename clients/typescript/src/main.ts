// A bot as a program, with options from the command line. For Node.js.

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Bot } from "./bot.js";
import { type Retry, randomId } from "./calls.js";
import { type ConnectOptions, connect, type Engine } from "./engine.js";
import { Lobby } from "./lobby.js";
import { Refused, Unreachable } from "./refused.js";
import type { Table } from "./table.js";

/** The options that say where the engine is and who plays. */
export const CONNECTION = {
  engine: { type: "string" },
  "tls-ca": { type: "string" },
  token: { type: "string" },
  "token-file": { type: "string" },
  name: { type: "string" },
  verbose: { type: "boolean" },
  help: { type: "boolean" },
} as const;

const SEAT = {
  game: { type: "string" },
  new: { type: "string" },
  opponents: { type: "string" },
  level: { type: "string" },
  options: { type: "string" },
  serve: { type: "boolean" },
  work: { type: "string", multiple: true },
  patience: { type: "string" },
} as const;

/** What the options of a connection mean, for people. */
export const CONNECTION_HELP = `  --engine ADDRESS     the engine; of several, with commas between them
  --tls-ca FILE        trust this authority for https:// engines
  --token TOKEN        the account [default: HELIOPAUSE_TOKEN, else a new one]
  --token-file FILE    the account; a new one's token is written here
  --name NAME          the name of a new account
  --verbose            say when the line is lost and tried again`;

const HELP = `Plays Heliopause. It needs one of --game, --new, --serve and --work.

  --game ID            play this game; joins it if need be [default: HELIOPAUSE_GAME]
  --new KIND           make a new game of this kind and play it
  --opponents N        automated opponents of a new game [default: 1]
  --level LEVEL        their level
  --options JSON       the rules options of a new game
  --serve              play all games of the account, and go on for ever
  --work KIND[:PROFILE[:LEVEL]]
                       play automated seats as a worker; may be repeated. Needs a worker's token
  --patience SECONDS   end when no engine has answered for so long [default: wait without limit]
${CONNECTION_HELP}`;

// A restart of the engine takes less than the first of these. Failures are printed again after each further period.
const TELL_AFTER_MS = 5_000;
const TELL_EVERY_MS = 60_000;

/** Values of the options of a connection. */
export type Connection = {
  [Name in keyof typeof CONNECTION]?: (typeof CONNECTION)[Name]["type"] extends "string" ? string : boolean;
};

/** Runs a bot with options from the command line, to its exit code: 0 done, 1 refused or failed, 2 wrong usage, 3 no engine. */
export function main(bot: Bot, args = process.argv.slice(2)): Promise<void> {
  return run(async () => {
    const { values } = parseArgs({ args, options: { ...CONNECTION, ...SEAT } });
    if (values.help) return console.log(HELP);
    const game = values.game ?? process.env["HELIOPAUSE_GAME"];
    if (!(game || values.new || values.serve || values.work))
      throw new TypeError("say what to play: --game, --new, --serve or --work");
    const signal = interrupted();
    const patience = values.patience === undefined ? Number.POSITIVE_INFINITY : Number(values.patience || "?") * 1000;
    if (!(patience >= 0)) throw new TypeError("--patience needs a number of seconds");
    using engine = open(values, { patience, streamPatience: patience, signal });
    const name = await signIn(engine, values);
    if (values.work) return bot.work(engine, values.work, { signal });
    if (values.serve) {
      console.log(`playing all games of ${visible(name)}`);
      return bot.serve(engine, { signal });
    }
    const table = values.new ? await newGame(engine, values.new, values) : await takeSeat(engine, game ?? "");
    console.log(`playing ${table.gameId} as ${visible(name)}`);
    const outcome = await bot.play(table, { signal });
    console.log(`the game is over: ${visible(outcome?.summary ?? "")}`);
  });
}

/** Runs a program to its exit code: 0 done, 1 refused or failed, 2 wrong usage, 3 no engine. */
export async function run(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const interrupt = error instanceof Error && error.name === "AbortError";
    if (!interrupt) console.error(visible(error instanceof Error ? error.message : String(error)));
    process.exitCode = interrupt ? 130 : error instanceof Unreachable ? 3 : error instanceof TypeError ? 2 : 1;
    if (!(interrupt || error instanceof Refused || error instanceof TypeError) && error instanceof Error)
      console.error(error.stack);
  }
}

/** The connection that the options name. Prints failures that last: all of them if the options say so. */
export function open(values: Connection, options: ConnectOptions = {}): Engine {
  const token = values.token ?? process.env["HELIOPAUSE_TOKEN"] ?? (values["token-file"] && written(values["token-file"]));
  return connect(values.engine, {
    ...options,
    ...(token && { token }),
    ...(values["tls-ca"] && { tls: { ca: readFileSync(values["tls-ca"]) } }),
    onRetry: telling(values.verbose ?? false),
  });
}

/** Answers the account's name; opens an account if there is none yet. */
export async function signIn(engine: Engine, values: Connection): Promise<string> {
  if (engine.token) return (await engine.me()).name;
  const { name } = await engine.register(values.name ?? `typescript-${randomId().slice(0, 8)}`);
  if (values["token-file"]) writeFileSync(values["token-file"], `${engine.token}\n`, { mode: 0o600 });
  return name;
}

/** A text of others for a terminal: what could hide or reorder is shown as its code point. */
export function visible(text: string): string {
  return text.replace(
    /[^\n\P{C}]|[\p{Zl}\p{Zp}]/gu,
    (one) => `<U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

async function newGame(
  engine: Engine,
  kind: string,
  values: { opponents?: string; level?: string; options?: string },
): Promise<Table> {
  const lobby = new Lobby(engine);
  const opponents = Number(values.opponents ?? 1);
  if (!(Number.isInteger(opponents) && opponents >= 0)) throw new TypeError("--opponents needs a number");
  const options = values.options ? parsed(values.options) : undefined;
  return lobby.create(kind, { opponents, ...(values.level && { level: values.level }), options });
}

async function takeSeat(engine: Engine, game: string): Promise<Table> {
  const lobby = new Lobby(engine);
  const table = await lobby.table(game);
  return table.spectator ? lobby.join(game) : table;
}

function parsed(text: string): JsonObject {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`--options is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function written(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** Prints failures that last: after some seconds, and then every minute. */
function telling(verbose: boolean): Retry {
  let [began, last, told] = [0, 0, 0];
  return (call, refused, wait) => {
    const now = performance.now();
    // A call that may take 30 s fails later than its pause.
    if (now - last > 2 * TELL_EVERY_MS || last === 0) [began, told] = [now, 0];
    last = now;
    const failing = now + wait - began;
    const tells = failing >= (told ? told + TELL_EVERY_MS : TELL_AFTER_MS);
    if (tells) told = failing;
    if (tells || verbose) console.error(visible(`${call}: ${refused.message}; again in ${Math.round(wait)} ms`));
  };
}

/** Is aborted when the program is asked to stop. */
function interrupted(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
