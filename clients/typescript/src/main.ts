// Runs a bot as a command-line program for Node.js.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import type { Bot } from './bot.js';
import { type Retry, randomId } from './calls.js';
import { type ConnectOptions, connect, type Engine } from './engine.js';
import { Lobby } from './lobby.js';
import { Refused, Unreachable } from './refused.js';
import type { Table } from './table.js';

/** The options for the engine and the account. */
export const CONNECTION = {
  engine: { type: 'string' },
  'tls-ca': { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
  name: { type: 'string' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const SEAT = {
  game: { type: 'string' },
  new: { type: 'string' },
  opponents: { type: 'string' },
  level: { type: 'string' },
  options: { type: 'string' },
  serve: { type: 'boolean' },
  work: { type: 'string', multiple: true },
  patience: { type: 'string' },
} as const;

export const CONNECTION_HELP = `  --engine ADDRESS     the engine, or several separated by commas
  --tls-ca FILE        certificate authority for https:// engines
  --token TOKEN        token of the account [default: HELIOPAUSE_TOKEN, else a new account]
  --token-file FILE    file with the token; a new account's token is written to it
  --name NAME          name of a new account
  --verbose            log every retry`;

const HELP = `Play Heliopause. Specify one of --game, --new, --serve and --work.

  --game ID            play this game; join it if necessary [default: HELIOPAUSE_GAME]
  --new KIND           create a game of this kind and play it
  --opponents N        number of automated opponents in a new game [default: 1]
  --level LEVEL        level of automated opponents
  --options JSON       options of a new game
  --serve              play all games of the account until stopped
  --work KIND[:PROFILE[:LEVEL]]
                       play automated seats as a worker (repeatable); requires a worker's token
  --patience SECONDS   exit if no engine responds for this long [default: no limit]
${CONNECTION_HELP}`;

// A restart of the engine takes less than the first period. Later failures are printed once per
// minute.
const REPORT_AFTER_MS = 5_000;
const REPORT_EVERY_MS = 60_000;

/** The values of `CONNECTION`. */
export type Connection = {
  [Name in keyof typeof CONNECTION]?: (typeof CONNECTION)[Name]['type'] extends 'string'
    ? string
    : boolean;
};

/** Runs a bot. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no engine. */
export function main(bot: Bot, args = process.argv.slice(2)): Promise<void> {
  return run(async () => {
    const { values } = parseArgs({ args, options: { ...CONNECTION, ...SEAT } });
    if (values.help) return console.log(HELP);
    const game = values.game ?? process.env['HELIOPAUSE_GAME'];
    if (!(game || values.new || values.serve || values.work))
      throw new TypeError('nothing to play: specify --game, --new, --serve or --work');
    const signal = interruptSignal();
    const patience =
      values.patience === undefined
        ? Number.POSITIVE_INFINITY
        : Number(values.patience || '?') * 1000;
    if (!(patience >= 0))
      throw new TypeError(
        `--patience: "${values.patience}" is not a number of seconds; the minimum is 0`,
      );
    using engine = open(values, { patience, streamPatience: patience, signal });
    const name = await signIn(engine, values);
    if (values.work) return bot.work(engine, values.work, { signal });
    if (values.serve) {
      console.log(`playing all games of ${visible(name)}`);
      return bot.serve(engine, { signal });
    }
    const table = values.new
      ? await newGame(engine, values.new, values)
      : await takeSeat(engine, game ?? '');
    console.log(`playing ${table.gameId} as ${visible(name)}`);
    const outcome = await bot.play(table, { signal });
    console.log(`the game is over: ${visible(outcome?.summary ?? '')}`);
  });
}

/** Runs a program. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no engine. */
export async function run(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const interrupt = error instanceof Error && error.name === 'AbortError';
    if (!interrupt) console.error(visible(error instanceof Error ? error.message : String(error)));
    process.exitCode = interrupt
      ? 130
      : error instanceof Unreachable
        ? 3
        : error instanceof TypeError
          ? 2
          : 1;
    if (
      !(interrupt || error instanceof Refused || error instanceof TypeError) &&
      error instanceof Error
    )
      console.error(error.stack);
  }
}

/** Opens the connection in the options. Prints persistent failures, or all with `verbose`. */
export function open(values: Connection, options: ConnectOptions = {}): Engine {
  const token =
    values.token ??
    process.env['HELIOPAUSE_TOKEN'] ??
    (values['token-file'] && readToken(values['token-file']));
  return connect(values.engine, {
    ...options,
    ...(token && { token }),
    ...(values['tls-ca'] && { tls: { ca: readFileSync(values['tls-ca']) } }),
    onRetry: reportRetries(values.verbose ?? false),
  });
}

/** Returns the name of the account. Creates an account if there is none. */
export async function signIn(engine: Engine, values: Connection): Promise<string> {
  if (engine.token) return (await engine.me()).name;
  const { name } = await engine.register(values.name ?? `typescript-${randomId().slice(0, 8)}`);
  if (values['token-file'])
    writeFileSync(values['token-file'], `${engine.token}\n`, { mode: 0o600 });
  return name;
}

/** Makes text safe for a terminal: characters that hide or reorder are shown as code points. */
export function visible(text: string): string {
  return text.replace(
    /[^\n\P{C}]|[\p{Zl}\p{Zp}]/gu,
    (one) => `<U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}

async function newGame(
  engine: Engine,
  kind: string,
  values: { opponents?: string; level?: string; options?: string },
): Promise<Table> {
  const lobby = new Lobby(engine);
  const opponents = Number(values.opponents ?? 1);
  if (!(Number.isInteger(opponents) && opponents >= 0))
    throw new TypeError(
      `--opponents: "${values.opponents}" is not a whole number; the minimum is 0`,
    );
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
    throw new TypeError(
      `--options is not valid JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Prints persistent failures: the first after some seconds, then one per minute. */
function reportRetries(verbose: boolean): Retry {
  let [began, last, reported] = [0, 0, 0];
  return (call, refused, wait) => {
    const now = performance.now();
    // A call can run for 30 s before it fails, so failures of one outage can be this far apart.
    if (now - last > 2 * REPORT_EVERY_MS || last === 0) [began, reported] = [now, 0];
    last = now;
    const failing = now + wait - began;
    const reports = failing >= (reported ? reported + REPORT_EVERY_MS : REPORT_AFTER_MS);
    if (reports) reported = failing;
    if (reports || verbose)
      console.error(visible(`${call}: ${refused.message}; retrying in ${Math.round(wait)} ms`));
  };
}

function interruptSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
