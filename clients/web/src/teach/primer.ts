// The terms of the games and their guides for beginners, loaded once for each kind of game.

import { games } from '../engine/calls';
import type { Guide, Term } from '../engine/contract';

export interface Primer {
  terms: readonly Term[];
  guides: readonly Guide[];
}

const loaded = new Map<string, Promise<Primer>>();

/** Returns the primer of a kind of game. A failed call is repeated by the next one. */
export function primerOf(kind: string): Promise<Primer> {
  const known = loaded.get(kind);
  if (known) return known;
  const loading: Promise<Primer> = games.listRules({ kind, withoutRules: true });
  loaded.set(kind, loading);
  void loading.catch(() => loaded.delete(kind));
  return loading;
}
