// Streams as a page follows them: the client opens them again after every break; the page says when
// nobody looks, and when a line that seems to hold is dead.

import type { ListenOptions } from '@heliopause/client';
import { Failure, failureOf } from './failure';

/** The engine says something at least every 20 seconds; after so long the line is dead. */
const SILENCE_MAX_MS = 45_000;
/** After so long a player who comes back to the page gets a new connection at once. */
const DOUBTFUL_MS = 25_000;
/** A page that nobody sees gives its line up after so long. */
const HIDDEN_MS = 60_000;
/** What tells that somebody is here again, perhaps after the machine has slept. */
const SIGNS = ['pointerdown', 'keydown', 'focus', 'pageshow', 'resume'] as const;

export interface Follower<T> {
  /** Listens to the stream, over all breaks. */
  listen(options: ListenOptions): AsyncIterable<T>;
  /** A part came. */
  hear(part: T): void;
  /** The line is lost; it is tried again unless the failure is final. */
  lost(failure: Failure, isFinal: boolean): void;
  /** Whether the line rests while nobody sees the page: a browser has few of them. */
  restsHidden?: boolean;
}

/** Follows a stream until the returned function is called. */
export function follow<T>(follower: Follower<T>): () => void {
  const ended = new AbortController();
  const options = { signal: ended.signal };
  let current = new AbortController();
  let heardAt = Date.now();
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const renew = () => current.abort();
  /** Gives up a line that was silent for so long, before anything is done on the strength of it. */
  const doubt = (most: number) => {
    if (Date.now() - heardAt <= most) return;
    heardAt = Date.now();
    follower.lost(new Failure('Nothing was heard of the engine.', 'UNREACHABLE'), false);
    renew();
  };
  const sign = () => doubt(SILENCE_MAX_MS);
  const turn = () => {
    clearTimeout(hiding);
    hiding = undefined;
    if (document.visibilityState === 'visible') doubt(DOUBTFUL_MS);
    else if (follower.restsHidden) hiding = setTimeout(renew, HIDDEN_MS);
  };
  addEventListener('online', renew, options);
  document.addEventListener('visibilitychange', turn, options);
  for (const name of SIGNS) addEventListener(name, sign, { ...options, capture: true });
  document.addEventListener('resume', sign, options);
  const watchdog = setInterval(sign, 1_000);
  ended.signal.addEventListener('abort', () => {
    clearInterval(watchdog);
    clearTimeout(hiding);
  });
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const isHidden = document.visibilityState !== 'visible' && hiding !== undefined;
      if (follower.restsHidden && isHidden && current.signal.aborted) await seen(ended.signal);
      current = new AbortController();
      heardAt = Date.now();
      const signal = AbortSignal.any([ended.signal, current.signal]);
      const onBreak: ListenOptions['onBreak'] = (refused) => {
        heardAt = Date.now();
        follower.lost(failureOf(refused), false);
      };
      for await (const part of follower.listen({ signal, onBreak })) {
        if (ended.signal.aborted) return;
        heardAt = Date.now();
        follower.hear(part);
      }
    }
  };
  run().catch((thrown: unknown) => {
    if (!ended.signal.aborted) follower.lost(failureOf(thrown), true);
  });
  return () => ended.abort();
}

/** Waits until somebody sees the page. */
function seen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}
