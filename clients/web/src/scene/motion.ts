// The animation of pieces that have moved since the previous scene.

import type { ScenePiece } from '../engine/contract';
import { namesOf } from './contents';
import type { Drawing } from './drawing';
import type { Spot } from './shapes';

const MOVE_MS = 550;
/** More moves than this show nothing to the eye. */
const MOVES_MAX = 120;

/** Moves tokens from where their pieces were in the previous drawing. */
export function animateMoves(before: Drawing, after: Drawing): void {
  const origins = new Map<string, { home: string; center: Spot }>();
  for (const { piece, center } of before.bodies()) {
    const at = { home: before.contents.homeOf(piece.place), center };
    for (const key of keysOf(piece)) origins.set(key, at);
  }
  const moves: (() => void)[] = [];
  for (const { piece, body, center } of after.bodies()) {
    const home = after.contents.homeOf(piece.place);
    const origin = originOf(piece, home, origins, after);
    if (!origin) continue;
    const from = `translate(${origin[0] - center[0]}px, ${origin[1] - center[1]}px)`;
    moves.push(() =>
      body.animate([{ transform: from }, { transform: 'translate(0, 0)' }], {
        duration: MOVE_MS,
        easing: 'ease-in-out',
      }),
    );
  }
  if (moves.length <= MOVES_MAX) for (const move of moves) move();
}

function keysOf(piece: ScenePiece): string[] {
  const names = namesOf(piece);
  return names.length > 0 ? names : [`${piece.kind} ${piece.owner ?? 0} at ${piece.place}`];
}

function originOf(
  piece: ScenePiece,
  home: string,
  origins: ReadonlyMap<string, { home: string; center: Spot }>,
  after: Drawing,
): Spot | undefined {
  const known = keysOf(piece)
    .map((key) => origins.get(key))
    .find((at) => at !== undefined);
  if (known) return known.home === home ? undefined : known.center;
  if (piece.name !== '') return undefined;
  // Pieces without names: a movement of the same owner that ends here.
  const { contents } = after;
  const move = contents.scene.paths.find(
    ({ kind, owner, origin, destination }) =>
      (kind === 'move' || kind === 'flight') &&
      owner === piece.owner &&
      contents.homeOf(destination) === home &&
      contents.homeOf(origin) !== home,
  );
  const start = move && (contents.area(move.origin) ?? contents.place(move.origin));
  return start && [start.x, start.y];
}
