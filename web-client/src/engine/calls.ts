// Calls to the engine: gRPC-Web on the port that served the page, repeated where that is safe.

import { connect } from '@heliopause/client';
import {
  AdminService,
  GameMasterService,
  GameService,
  PlayerService,
  SandboxService,
} from './contract';

/** A call is made again for so long before its caller is told that no engine answers. */
const PATIENCE_MS = 15_000;

export const engine = connect(location.origin, { patience: PATIENCE_MS });

export const games = engine.client(GameService);
export const players = engine.client(PlayerService);
export const master = engine.client(GameMasterService);
export const sandbox = engine.client(SandboxService);
export const admin = engine.client(AdminService);

/** Sets the token that calls carry from now on; empty for none. */
export function useToken(value: string): void {
  engine.token = value === '' ? undefined : value;
}

/** Returns the token that calls carry; empty if there is none. */
export function usedToken(): string {
  return engine.token ?? '';
}

/** Revokes a token by its own secret. */
export async function revoke(secret: string, tokenId: string): Promise<void> {
  const other = connect(location.origin, { patience: PATIENCE_MS, token: secret });
  await other.client(PlayerService).revokeToken({ tokenId });
  other.close();
}

/** Whatever waits to be tried again is tried now, as when the network is back. */
addEventListener('online', () => engine.hurry());

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
