// Exponential backoff between attempts, and waits that can be aborted.

import type { Refused } from './refused.js';

const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** Exponential backoff with jitter. A delay given by the engine takes precedence. */
export class Backoff {
  readonly #patience: number;
  #next = FIRST_MS;
  #began: number | undefined = performance.now();

  /** Limits all attempts to `patience` ms from now on, or from the first failure after `reset`. */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Resets the backoff after a response of the engine. */
  reset(): void {
    this.#next = FIRST_MS;
    this.#began = undefined;
  }

  /** Returns the milliseconds to wait. Throws the error if the wait would exceed `patience`. */
  after(refused: Refused): number {
    const now = performance.now();
    this.#began ??= now;
    const wait = this.#wait(refused);
    if (now + wait - this.#began > this.#patience) throw refused;
    return wait;
  }

  #wait(refused: Refused): number {
    if (refused.retryAfter !== undefined)
      return Math.ceil(refused.retryAfter * (1 + Math.random() / 10));
    const wait = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(this.#next * 2, LONGEST_MS);
    return wait;
  }
}

/** Waits for `ms` milliseconds. Throws the reason of the signal when aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
