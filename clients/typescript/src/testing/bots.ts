// Runs bots during a test.

import type { Bot, OnFault } from '../bot.js';
import { randomId } from '../calls.js';
import { connect } from '../engine.js';
import type { EngineProcess } from './programs.js';

/**
 * Lets a bot play all games of a new account during `test`, which receives the account's name.
 * Reserve a seat for the account: `sandbox("...", {guests: {2: name}})`. If the bot fails, this
 * throws the bot's error immediately, unless the bot has its own `onFault`.
 */
export async function serving<T>(
  bot: Bot,
  engine: EngineProcess,
  test: (name: string) => Promise<T>,
  { name }: { name?: string } = {},
): Promise<T> {
  using client = connect(engine.address, { patience: Number.POSITIVE_INFINITY });
  const account = await client.register(name ?? `bot-${randomId().slice(0, 8)}`);
  return inBackground(
    (signal, onFailure) => bot.serve(client, { signal, onFailure }),
    () => test(account.name),
  );
}

/**
 * Lets a bot work for leases during a test. Profiles are KIND[:PROFILE[:LEVEL]]. If the bot fails,
 * this throws the bot's error immediately, unless the bot has its own `onFault`.
 */
export async function working<T>(
  bot: Bot,
  engine: EngineProcess,
  profiles: readonly string[],
  test: () => Promise<T>,
  { capacity }: { capacity?: number } = {},
): Promise<T> {
  using client = connect(engine.address, {
    token: engine.workerToken,
    patience: Number.POSITIVE_INFINITY,
  });
  let welcomed = () => {};
  const taken = new Promise<void>((resolve) => {
    welcomed = resolve;
  });
  const work = (signal: AbortSignal, onFailure: OnFault) =>
    bot.work(client, profiles, {
      signal,
      onFailure,
      onWelcome: welcomed,
      ...(capacity !== undefined && { capacity }),
    });
  return inBackground(work, async () => {
    await taken;
    return test();
  });
}

/** Runs `play` in the background until `test` is done. */
async function inBackground<T>(
  play: (signal: AbortSignal, fail: OnFault) => Promise<void>,
  test: () => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let failed: OnFault = () => {};
  const fault = new Promise<never>((_, reject) => {
    failed = (_, error) => reject(error);
  });
  const playing = play(stop.signal, failed);
  playing.catch((error: unknown) => failed('', error));
  // A fault after the end of the test must not be an unhandled rejection.
  fault.catch(() => {});
  try {
    return await Promise.race([test(), fault]);
  } finally {
    stop.abort();
    await playing.catch(() => {});
  }
}
