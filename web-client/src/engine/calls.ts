// Calls to the engine: gRPC-Web on the port that served the page, safe to repeat.

import type { DescService } from '@bufbuild/protobuf';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { AdminService } from '../gen/heliopause/v1/admin_pb';
import { GameMasterService } from '../gen/heliopause/v1/game_master_pb';
import { GameService } from '../gen/heliopause/v1/game_pb';
import { PlayerService } from '../gen/heliopause/v1/player_pb';
import { SandboxService } from '../gen/heliopause/v1/sandbox_pb';
import { type Failure, failureOf } from './failure';

/** How often a call that failed in passing is made again before its caller is told. */
const TRIES_MAX = 6;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;

let token = '';

/** Sets the token that calls carry from now on; empty for none. */
export function useToken(value: string): void {
  token = value;
}

/** A fresh name for a request that changes something. */
export function requestId(): string {
  return crypto.randomUUID();
}

/** How long to wait before a try, with some luck in it so that tabs do not march in step. */
export function pause(tried: number, failure?: Failure): number {
  const waits = Math.min(FIRST_WAIT_MS * 2 ** tried, LONGEST_WAIT_MS);
  return Math.max(failure?.retryAfter ?? 0, waits) * (0.75 + Math.random() / 2);
}

/** Waits, or until the signal says that nobody waits any more. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}

const withToken: Interceptor = (next) => (request) => {
  if (token !== '' && !request.header.has('authorization')) {
    request.header.set('authorization', `Bearer ${token}`);
  }
  return next(request);
};

/** Calls that change something carry a request id, so every call may be made again. */
const persistent: Interceptor = (next) => async (request) => {
  if (request.stream) return next(request);
  for (let tried = 0; ; tried += 1) {
    try {
      return await next(request);
    } catch (thrown) {
      const failure = failureOf(thrown);
      const isLast = tried + 1 >= TRIES_MAX || request.signal.aborted;
      if (!failure.isTransient || isLast) throw failure;
      await sleep(pause(tried, failure), request.signal);
    }
  }
};

const transport = createGrpcWebTransport({
  baseUrl: import.meta.env['VITE_ENGINE'] ?? location.origin,
  interceptors: [persistent, withToken],
});

function client<S extends DescService>(service: S): Client<S> {
  return createClient(service, transport);
}

export const games = client(GameService);
export const players = client(PlayerService);
export const master = client(GameMasterService);
export const sandbox = client(SandboxService);
export const admin = client(AdminService);

/** A page of a list. */
interface Page {
  nextPageToken: string;
}

/** All pages of a list, or as many as are worth showing. */
export async function allPages<P extends Page, T>(
  ask: (pageToken: string) => Promise<P>,
  items: (page: P) => T[],
  most = 2_000,
): Promise<T[]> {
  const all: T[] = [];
  let pageToken = '';
  do {
    const page = await ask(pageToken);
    all.push(...items(page));
    pageToken = page.nextPageToken;
  } while (pageToken !== '' && all.length < most);
  return all;
}
