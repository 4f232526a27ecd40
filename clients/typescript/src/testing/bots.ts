// Bots that play while a test goes on.

import type { Bot, OnFault } from "../bot.js";
import { randomId } from "../calls.js";
import { connect } from "../engine.js";
import type { EngineProcess } from "./programs.js";

/**
 * Lets a bot play all games of a new account as long as the test needs it: `test` is told the account's name. Keep a seat for it:
 * `sandbox("...", {guests: {2: name}})`. If the bot fails, this throws the bot's error at once, unless the bot has its own `onFault`.
 */
export async function serving<T>(
  bot: Bot,
  engine: EngineProcess,
  test: (name: string) => Promise<T>,
  { name }: { name?: string } = {},
): Promise<T> {
  using client = connect(engine.address, { patience: Number.POSITIVE_INFINITY });
  const account = await client.register(name ?? `bot-${randomId().slice(0, 8)}`);
  return beside(
    (signal, onFailure) => bot.serve(client, { signal, onFailure }),
    () => test(account.name),
  );
}

/**
 * Lets a bot work for leases as long as the test needs it. Profiles: KIND[:PROFILE[:LEVEL]]. If the bot fails, this throws the bot's
 * error at once, unless the bot has its own `onFault`.
 */
export async function working<T>(
  bot: Bot,
  engine: EngineProcess,
  profiles: readonly string[],
  test: () => Promise<T>,
  { capacity }: { capacity?: number } = {},
): Promise<T> {
  using client = connect(engine.address, { token: engine.workerToken, patience: Number.POSITIVE_INFINITY });
  let welcomed = () => {};
  const taken = new Promise<void>((resolve) => {
    welcomed = resolve;
  });
  const work = (signal: AbortSignal, onFailure: OnFault) =>
    bot.work(client, profiles, { signal, onFailure, onWelcome: welcomed, ...(capacity !== undefined && { capacity }) });
  return beside(work, async () => {
    await taken;
    return test();
  });
}

/** Runs something until the test is done with it. */
async function beside<T>(play: (signal: AbortSignal, fail: OnFault) => Promise<void>, test: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  let failed: OnFault = () => {};
  const fault = new Promise<never>((_, reject) => {
    failed = (_, error) => reject(error);
  });
  const playing = play(stop.signal, failed);
  playing.catch((error: unknown) => failed("", error));
  // The test may be over already.
  fault.catch(() => {});
  try {
    return await Promise.race([test(), fault]);
  } finally {
    stop.abort();
    await playing.catch(() => {});
  }
}
