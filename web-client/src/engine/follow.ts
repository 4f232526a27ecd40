// Streams that outlive their connections.

import { pause, sleep } from './calls';
import { type Failure, failureOf } from './failure';

/** The engine says something at least every 20 seconds; after so long the line is dead. */
const SILENCE_MAX_MS = 45_000;
/** After so long a player who comes back to the page gets a new connection at once. */
const DOUBTFUL_MS = 25_000;
/** A page that nobody sees gives its line up after so long. */
const HIDDEN_MS = 60_000;

export interface Follower<T> {
  /** Opens the stream, from where the last one broke. */
  open(signal: AbortSignal): AsyncIterable<T>;
  /** A part came. */
  hear(part: T): void;
  /** The line is lost; it is tried again unless the failure is final. */
  lost(failure: Failure, isFinal: boolean): void;
  /** Whether the line rests while nobody sees the page: a browser has few of them. */
  restsHidden?: boolean;
}

const FINAL = new Set([
  'GAME_NOT_FOUND',
  'BANNED',
  'TOKEN_INVALID',
  'ROLE_REQUIRED',
  'SEES_TOO_MUCH',
  'CURSOR_INVALID',
]);

/** Follows a stream until the returned function is called. */
export function follow<T>(follower: Follower<T>): () => void {
  const ended = new AbortController();
  let current = new AbortController();
  let heardAt = Date.now();
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const doubt = () => {
    clearTimeout(hiding);
    if (document.visibilityState === 'visible') {
      if (Date.now() - heardAt > DOUBTFUL_MS) current.abort();
    } else if (follower.restsHidden) hiding = setTimeout(renew, HIDDEN_MS);
  };
  const renew = () => current.abort();
  addEventListener('online', renew);
  document.addEventListener('visibilitychange', doubt);
  const watchdog = setInterval(() => {
    if (Date.now() - heardAt > SILENCE_MAX_MS) current.abort();
  }, 5_000);
  ended.signal.addEventListener('abort', () => {
    current.abort();
    clearInterval(watchdog);
    clearTimeout(hiding);
    removeEventListener('online', renew);
    document.removeEventListener('visibilitychange', doubt);
  });
  const listen = async (): Promise<void> => {
    for await (const part of follower.open(current.signal)) {
      heardAt = Date.now();
      if (ended.signal.aborted) return;
      follower.hear(part);
    }
  };
  const run = async (): Promise<void> => {
    for (let tried = 0; !ended.signal.aborted; tried += 1) {
      const isHidden = document.visibilityState !== 'visible' && hiding !== undefined;
      if (follower.restsHidden && isHidden) await seen(ended.signal);
      if (ended.signal.aborted) return;
      const began = Date.now();
      current = new AbortController();
      heardAt = began;
      let failure: Failure | undefined;
      try {
        await listen();
      } catch (thrown) {
        failure = failureOf(thrown);
      }
      if (ended.signal.aborted) return;
      const isFinal = failure !== undefined && FINAL.has(failure.reason);
      follower.lost(failure ?? failureOf(new Error('ended')), isFinal);
      if (isFinal) return;
      // A line that held for a while is tried again at once.
      if (Date.now() - began > 10_000) tried = 0;
      await sleep(pause(Math.min(tried, 4), failure), ended.signal);
    }
  };
  void run();
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
