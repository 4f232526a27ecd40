// How long to wait before the next attempt.

import type { Refused } from "./refused.js";

const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** As long as the engine says, else longer each time. No two clients wait alike, so a crowd does not come back at once. */
export class Pause {
  readonly #patience: number;
  #next = FIRST_MS;
  #began: number | undefined = performance.now();

  /** All attempts since now, or since the first failure after a `reset`, may take `patience` milliseconds. */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Starts again with short pauses: the engine has answered. */
  reset(): void {
    this.#next = FIRST_MS;
    this.#began = undefined;
  }

  /** The milliseconds to wait after a refusal. Throws the refusal when the patience is over. */
  after(refused: Refused): number {
    const now = performance.now();
    this.#began ??= now;
    const wait = this.#wait(refused);
    if (now + wait - this.#began > this.#patience) throw refused;
    return wait;
  }

  #wait(refused: Refused): number {
    if (refused.retryAfter !== undefined) return Math.ceil(refused.retryAfter * (1 + Math.random() / 10));
    const wait = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(this.#next * 2, LONGEST_MS);
    return wait;
  }
}

/** Waits; throws the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
