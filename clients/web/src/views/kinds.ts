// The games of the server, loaded once.

import { signal } from '@preact/signals';
import { games } from '../engine/calls';
import type { GameKind } from '../engine/contract';

export const kindsOf = signal<readonly GameKind[] | undefined>(undefined);

export async function loadKinds(): Promise<readonly GameKind[]> {
  if (!kindsOf.value) kindsOf.value = (await games.listKinds({})).kinds;
  return kindsOf.value;
}
