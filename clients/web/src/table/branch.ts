// How the owner of a branch views it: from a seat, and with or without what the seat does not see.

import { signal } from '@preact/signals';
import type { Viewer } from './table';

const viewers = signal<ReadonlyMap<string, Viewer>>(new Map());

/** Whether maps of branches show everything, including guesses. */
export const showsAll = signal(false);

/** Returns how the player views a branch; undefined before the player has opened it. */
export function branchViewer(game: string): Viewer | undefined {
  return viewers.value.get(game);
}

/** Views a branch from a seat. The player can act for this seat. */
export function playAs(game: string, seat: number): void {
  viewers.value = new Map(viewers.value).set(game, { seat, asSpectator: false });
}
