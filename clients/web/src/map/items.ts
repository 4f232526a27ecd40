// The places and pieces of a scene as a tree, for screen readers, keyboards and clicks.

import type { Scene } from '../engine/contract';
import { memberText } from '../scene/contents';
import { t } from '../words';

/** A place or piece on the map. */
export interface MapItem {
  /** The name in the game's notation. */
  name: string;
  /** The displayed name. */
  title: string;
  /** The number of the owning seat, if there is one. */
  owner: number | undefined;
  pieces: MapItem[];
}

/** Returns the places of a scene with their pieces, in drawing order. */
export function mapItemsOf(scene: Scene): MapItem[] {
  const places = new Map<string, MapItem>();
  const add = (name: string, title: string, owner: number | undefined) => {
    const known = places.get(name);
    if (!known) {
      places.set(name, { name, title: title || name || t('map-elsewhere'), owner, pieces: [] });
      return;
    }
    if (known.title === name && title !== '') known.title = title;
    known.owner ??= owner;
  };
  for (const { name, title, owner, claim } of scene.areas) {
    if (name !== '') add(name, title, owner ?? claim);
  }
  for (const { name, title, owner } of scene.places) if (name !== '') add(name, title, owner);
  for (const piece of scene.pieces) {
    const { owner } = piece;
    const named =
      piece.name === ''
        ? piece.members.map((member) => ({ name: member.name, title: memberText(member) }))
        : [{ name: piece.name, title: piece.title || piece.name }];
    if (named.length === 0) continue;
    add(piece.place, '', undefined);
    const spot = places.get(piece.place);
    for (const { name, title } of named) {
      if (spot?.pieces.some((each) => each.name === name)) continue;
      spot?.pieces.push({ name, title, owner, pieces: [] });
    }
  }
  return [...places.values()];
}
