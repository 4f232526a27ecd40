// Calls to the engine: gRPC-Web on the port that served the page, retried where that is safe.

import { connect } from '@heliopause/client';
import {
  GameService,
  PlayerService,
  ProfileService,
  QuickPlayService,
  SignInService,
} from './contract';

/** How long a call is retried before it fails with UNREACHABLE. */
const PATIENCE_MS = 15_000;

export const engine = connect(location.origin, { patience: PATIENCE_MS });

export const games = engine.client(GameService);
export const players = engine.client(PlayerService);
export const profiles = engine.client(ProfileService);
export const quickPlay = engine.client(QuickPlayService);
export const signIns = engine.client(SignInService);

export function useToken(value: string): void {
  engine.token = value === '' ? undefined : value;
}

export function usedToken(): string {
  return engine.token ?? '';
}

export async function revoke(secret: string, tokenId: string): Promise<void> {
  const other = connect(location.origin, { patience: PATIENCE_MS, token: secret });
  await other.client(PlayerService).revokeToken({ tokenId });
  other.close();
}

/** Retries waiting calls immediately once the network is back. */
addEventListener('online', () => engine.retryNow());

interface Page {
  nextPageToken: string;
}

/** Reads all pages of a list, up to `most` items. */
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
