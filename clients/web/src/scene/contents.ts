// The places and pieces of a scene by name and by area.

import type { Scene, SceneArea, SceneMember, ScenePiece, ScenePlace } from '../engine/contract';
import type { Subject } from '../table/offers';
import type { Spot } from './shapes';

export class Contents {
  readonly scene: Scene;
  private readonly areas = new Map<string, SceneArea>();
  private readonly places = new Map<string, ScenePlace>();
  /** The names of areas by the names of their places. */
  private readonly homes = new Map<string, string>();
  private readonly inArea = new Map<string, { places: ScenePlace[]; pieces: ScenePiece[] }>();
  private readonly named = new Map<string, ScenePiece>();

  constructor(scene: Scene) {
    this.scene = scene;
    for (const place of scene.places) {
      this.homes.set(place.name, place.area || place.name);
      this.places.set(place.name, place);
      this.inside(place.area || place.name).places.push(place);
    }
    for (const area of scene.areas) {
      if (area.name === '') continue;
      this.homes.set(area.name, area.name);
      this.areas.set(area.name, area);
    }
    for (const piece of scene.pieces) {
      this.inside(this.homeOf(piece.place)).pieces.push(piece);
      for (const name of namesOf(piece)) this.named.set(name, piece);
    }
  }

  private inside(area: string): { places: ScenePlace[]; pieces: ScenePiece[] } {
    let inside = this.inArea.get(area);
    if (!inside) {
      inside = { places: [], pieces: [] };
      this.inArea.set(area, inside);
    }
    return inside;
  }

  /** Returns the name of the area that a place is in. */
  homeOf(place: string): string {
    return this.homes.get(place) ?? place;
  }

  area(name: string): SceneArea | undefined {
    return this.areas.get(name);
  }

  place(name: string): ScenePlace | undefined {
    return this.places.get(name);
  }

  placesIn(area: string): readonly ScenePlace[] {
    return this.inArea.get(area)?.places ?? [];
  }

  piecesIn(area: string): readonly ScenePiece[] {
    return this.inArea.get(area)?.pieces ?? [];
  }

  /** Returns the group that a piece belongs to. */
  groupOf(piece: string): ScenePiece | undefined {
    return this.named.get(piece);
  }

  /** Returns the displayed name of a subject with its facts. */
  titleOf({ place, piece }: Subject): string {
    const found =
      piece === '' ? (this.areas.get(place) ?? this.places.get(place)) : this.named.get(piece);
    return found?.title || piece || place;
  }

  /** Returns the point around which an area's symbols are arranged. */
  centerOf(place: string, otherwise: Spot): Spot {
    const home = this.homeOf(place);
    const center = this.areas.get(home) ?? this.places.get(home);
    return center ? [center.x, center.y] : otherwise;
  }

  /** Returns the subject that a name of a row or path means. */
  subjectOf(place: string, piece: string): Subject | undefined {
    if (piece !== '') {
      const group = this.named.get(piece);
      return group && { place: group.place, piece };
    }
    return this.homes.has(place) ? { place, piece: '' } : undefined;
  }
}

/** Returns the name of a piece, or the names of the members of a group. */
export function namesOf(piece: ScenePiece): string[] {
  return piece.name === '' ? piece.members.map((member) => member.name) : [piece.name];
}

export function memberText({ name, kind, condition }: SceneMember): string {
  const words = kind === '' ? name : `${name} ${kind}`;
  return condition === '' ? words : `${words}, ${condition}`;
}
