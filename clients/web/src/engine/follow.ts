// Streams of a page: the client reopens them after every break. This module closes them while the
// page is hidden, and detects connections that are dead but look open.

import type { ListenOptions } from '@heliopause/client';
import { t } from '../words';
import { Failure, failureOf } from './failure';

/** The engine sends a heartbeat every 20 seconds; after two missed ones the connection is dead. */
const SILENCE_MAX_MS = 45_000;
/** A page that becomes visible after this long without a message reconnects immediately. */
const SILENCE_BEFORE_RENEWAL_MS = 25_000;
/** A page that is hidden for this long closes its connection. */
const HIDDEN_MS = 60_000;
/** Events that show activity, for example after the machine has slept. */
const ACTIVITY = ['pointerdown', 'keydown', 'focus', 'pageshow', 'resume'] as const;

export interface Follower<T> {
  /** Opens the stream and reopens it after every break. */
  listen(options: ListenOptions): AsyncIterable<T>;
  receive(part: T): void;
  /** Called when the connection is lost; it is reopened unless the failure is final. */
  lost(failure: Failure, isFinal: boolean): void;
  /** Whether the stream is closed while the page is hidden: a browser allows few connections. */
  pausesWhenHidden?: boolean;
}

export function follow<T>(follower: Follower<T>): () => void {
  const ended = new AbortController();
  const options = { signal: ended.signal };
  let current = new AbortController();
  let receivedAt = Date.now();
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const renew = () => current.abort();
  /** Drops a connection that was silent for longer than `most`, before the page relies on it. */
  const dropIfSilent = (most: number) => {
    if (Date.now() - receivedAt <= most) return;
    receivedAt = Date.now();
    follower.lost(new Failure(t('page-silence'), 'UNREACHABLE'), false);
    renew();
  };
  const onActivity = () => dropIfSilent(SILENCE_MAX_MS);
  const onVisibility = () => {
    clearTimeout(hiding);
    hiding = undefined;
    if (document.visibilityState === 'visible') dropIfSilent(SILENCE_BEFORE_RENEWAL_MS);
    else if (follower.pausesWhenHidden) hiding = setTimeout(renew, HIDDEN_MS);
  };
  addEventListener('online', renew, options);
  document.addEventListener('visibilitychange', onVisibility, options);
  for (const name of ACTIVITY) addEventListener(name, onActivity, { ...options, capture: true });
  document.addEventListener('resume', onActivity, options);
  const watchdog = setInterval(onActivity, 1_000);
  ended.signal.addEventListener('abort', () => {
    clearInterval(watchdog);
    clearTimeout(hiding);
  });
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const isHidden = document.visibilityState !== 'visible' && hiding !== undefined;
      if (follower.pausesWhenHidden && isHidden && current.signal.aborted)
        await untilVisible(ended.signal);
      current = new AbortController();
      receivedAt = Date.now();
      const signal = AbortSignal.any([ended.signal, current.signal]);
      const onBreak: ListenOptions['onBreak'] = (refused) => {
        receivedAt = Date.now();
        follower.lost(failureOf(refused), false);
      };
      for await (const part of follower.listen({ signal, onBreak })) {
        if (ended.signal.aborted) return;
        receivedAt = Date.now();
        follower.receive(part);
      }
    }
  };
  run().catch((thrown: unknown) => {
    if (!ended.signal.aborted) follower.lost(failureOf(thrown), true);
  });
  return () => ended.abort();
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      signal.removeEventListener('abort', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}
