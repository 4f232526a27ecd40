// Scenes for the board without an engine.

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type Scene,
  type SceneArea,
  SceneAreaSchema,
  type SceneLabel,
  SceneLabelSchema,
  SceneOutcome,
  type ScenePath,
  ScenePathSchema,
  type ScenePiece,
  ScenePieceSchema,
  type ScenePlace,
  ScenePlaceSchema,
  SceneSchema,
  SceneSight,
} from '../src/engine/contract';

const RADIUS = 40;

function middle(column: number, row: number): [number, number] {
  return [RADIUS * 1.5 * column, RADIUS * 1.732 * (row + (column % 2) / 2)];
}

/** Returns a galaxy of 1,000 hexes with 12 empires. */
export function galaxy(): Scene {
  const [columns, rows] = [40, 25];
  const areas: SceneArea[] = [];
  const places: ScenePlace[] = [];
  const pieces: ScenePiece[] = [];
  const labels: SceneLabel[] = [];
  const paths: ScenePath[] = [];
  let state = 7;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(((state >>> 8) / 2 ** 24) * limit);
  };
  for (let column = 0; column < columns; column += 1) {
    for (let row = 0; row < rows; row += 1) {
      const [x, y] = middle(column, row);
      const name = `${column},${row}`;
      const seat = 1 + Math.floor(column / 10) * 3 + Math.floor(row / 9);
      const isOwned = below(3) > 0;
      areas.push(
        create(SceneAreaSchema, {
          name,
          title: `Hex ${name}`,
          x,
          y,
          terrain: below(12) === 0 ? 'cloud' : 'space',
          sight: 1 + below(3),
          ...(isOwned ? { owner: seat } : {}),
        }),
      );
      labels.push(
        create(SceneLabelSchema, {
          text: name,
          x,
          y,
          offset: -27,
          kind: 'coordinates',
          minZoom: 0.9,
          place: name,
        }),
      );
      if (below(4) === 0) {
        const world = `World${column}${row}`;
        places.push(
          create(ScenePlaceSchema, {
            name: world,
            area: name,
            title: `${world} of empire ${seat}`,
            x,
            y: y - 6,
            kind: below(9) === 0 ? 'homeworld' : 'world',
            owner: seat,
            value: below(30),
          }),
        );
        labels.push(
          create(SceneLabelSchema, {
            text: world,
            fullText: `${world}, the great`,
            x,
            y: y - 6,
            offset: 14,
            free: true,
            kind: 'name',
            owner: seat,
            priority: 3 + below(3),
            place: world,
          }),
        );
      }
      const count = below(5) === 0 ? 1 + below(4) : 0;
      for (let nth = 0; nth < count; nth += 1) {
        const owner = nth > 1 ? 1 + below(12) : seat;
        pieces.push(
          create(ScenePieceSchema, {
            place: name,
            title: `Ships of empire ${owner}`,
            x: x - 12 + 12 * nth,
            y: y + 18,
            kind: 'ships',
            owner,
            count: 1 + below(9),
            members: [{ name: `#${column}${row}${nth}`, kind: 'Scout', condition: '' }],
          }),
        );
      }
      if (count > 0 && column > 0 && below(3) === 0) {
        const [fromX, fromY] = middle(column - 1, row);
        paths.push(
          create(ScenePathSchema, {
            kind: 'flight',
            points: [fromX, fromY, x, y],
            owner: seat,
            origin: `${column - 1},${row}`,
            destination: name,
          }),
        );
      }
    }
  }
  const [width, height] = middle(columns, rows);
  return create(SceneSchema, {
    title: 'Galaxy',
    frame: {
      left: -RADIUS,
      top: -RADIUS,
      width: width + RADIUS,
      height: height + RADIUS,
      starry: true,
    },
    hexRadius: RADIUS,
    seats: Array.from({ length: 12 }, (_, index) => ({ seat: index + 1, name: `Empire ${index}` })),
    areas,
    places,
    pieces,
    labels,
    paths,
  });
}

const PLACES: readonly MessageInitShape<typeof ScenePlaceSchema>[] = [
  { kind: 'star', color: 'blue', states: ['explored'], owner: 1 },
  { kind: 'star', color: 'red', states: ['contested'] },
  { kind: 'star', color: 'yellow', states: ['border', 'explored'] },
  { kind: 'earth' },
  { kind: 'friendly', states: ['secret'] },
  { kind: 'hostile' },
  { kind: 'dead' },
  { kind: 'death-star' },
  { kind: 'asteroids' },
  { kind: 'world', owner: 2, value: 12, states: ['blockaded'] },
  { kind: 'homeworld', owner: 9, value: 40, states: ['interdicted'] },
  { kind: 'portal', states: ['navigable'] },
  { kind: 'portal', states: ['collapsed'] },
  { kind: 'storm', value: 4 },
  { kind: 'nebula', value: 0 },
  { kind: 'center', owner: 3 },
  { kind: 'unknown' },
  { kind: 'coast' },
  { kind: 'planet' },
];

const PIECES: readonly MessageInitShape<typeof ScenePieceSchema>[] = [
  { kind: 'army', owner: 1, label: 'A' },
  { kind: 'army', owner: 2, label: 'Vie', states: ['dislodged'] },
  { kind: 'fleet', owner: 3, label: 'F' },
  { kind: 'ship', owner: 4, label: 'D1' },
  { kind: 'ship', owner: 4, label: 'D2', states: ['disrupted'] },
  { kind: 'base', owner: 5, label: 'E', states: ['out'] },
  { kind: 'base', owner: 13, label: 'M' },
  { kind: 'ships', owner: 6, count: 12 },
  { kind: 'ships', count: 0 },
  { kind: 'ships', owner: 7, label: '3S 1E', states: ['own'], count: 4 },
  { kind: 'ships', owner: 8, label: '12S 1E 2D', states: ['old'], count: 4 },
  { kind: 'wreck', count: 3 },
  { kind: 'colony', owner: 9, label: '3', states: ['besieged'] },
  { kind: 'colony', owner: 10, holder: 11, label: '40', states: ['shielded'] },
  { kind: 'post', owner: 11 },
  { kind: 'flag', owner: 12, label: 'L' },
  { kind: 'waiting', owner: 1, label: '+2' },
  { kind: 'brand-new', owner: 2, label: 'N' },
];

const AREAS: readonly MessageInitShape<typeof SceneAreaSchema>[] = [
  { terrain: 'space', sight: SceneSight.VISIBLE },
  { terrain: 'space', sight: SceneSight.STALE, owner: 1 },
  { terrain: 'space', sight: SceneSight.HIDDEN },
  { terrain: 'cloud' },
  { terrain: 'waste' },
  { terrain: 'sea' },
  { terrain: 'land', owner: 2 },
  { terrain: 'barred' },
  { terrain: 'space', owner: 3, states: ['owned-edge'] },
  { terrain: 'space', states: ['shared'] },
  { terrain: 'space', states: ['entry'] },
  { terrain: 'space', claim: 4 },
  { terrain: 'lava' },
];

const KINDS = [
  'move',
  'flight',
  'support',
  'convoy',
  'course',
  'way',
  'border',
  'hold',
  'settle',
  'build',
  'remove',
];

/** Returns a scene with every kind of area, place, piece and path, and a stack of six ships. */
export function signs(): Scene {
  const at = (index: number, row: number): [number, number] =>
    middle(index % 10, row + Math.floor(index / 10));
  const areas: SceneArea[] = [];
  for (let column = 0; column < 10; column += 1) {
    for (let row = 0; row < 9; row += 1) {
      const [x, y] = middle(column, row);
      const nth = row * 10 + column - 70;
      const own = nth >= 0 ? AREAS[nth] : undefined;
      areas.push(
        create(SceneAreaSchema, {
          name: `${column},${row}`,
          title: `Hex ${column},${row}`,
          terrain: 'space',
          ...own,
          x,
          y,
        }),
      );
    }
  }
  const places = PLACES.map((place, index) => {
    const [x, y] = at(index, 0);
    return create(ScenePlaceSchema, {
      name: `P${index}`,
      area: `${index % 10},${Math.floor(index / 10)}`,
      title: `A ${place.kind}`,
      ...place,
      x,
      y,
    });
  });
  const pieces = PIECES.map((piece, index) => {
    const [x, y] = at(index, 2);
    return create(ScenePieceSchema, {
      name: `T${index}`,
      place: `${index % 10},${2 + Math.floor(index / 10)}`,
      title: `A ${piece.kind}`,
      ...piece,
      x,
      y,
    });
  });
  const [stackX, stackY] = middle(9, 3);
  for (let nth = 0; nth < 6; nth += 1) {
    pieces.push(
      create(ScenePieceSchema, {
        name: `S${nth}`,
        place: '9,3',
        title: `Ship S${nth}`,
        kind: 'ship',
        owner: 1 + (nth % 2),
        label: `S${nth}`,
        x: stackX - 40 + nth * 16,
        y: stackY + 10,
        count: 1,
      }),
    );
  }
  const paths = KINDS.map((kind, index) => {
    const [x, y] = at(index, 4);
    return create(ScenePathSchema, {
      kind,
      points: kind === 'border' ? [x - 20, y - 20, x + 20, y + 20] : [x, y, x + 60, y + 40],
      owner: 1 + index,
      outcome: index % 2 ? SceneOutcome.FAILURE : SceneOutcome.SUCCESS,
      states: kind === 'hold' ? ['dislodged'] : kind === 'way' ? ['one-way'] : [],
    });
  });
  const labels = PLACES.map((place, index) => {
    const [x, y] = at(index, 0);
    return create(SceneLabelSchema, {
      text: place.kind ?? '',
      x,
      y,
      offset: 14,
      free: true,
      kind: index % 5 === 4 ? 'detail' : 'name',
      place: `P${index}`,
      priority: 2,
    });
  });
  const [width, height] = middle(10, 9);
  return create(SceneSchema, {
    title: 'Signs',
    frame: { left: -RADIUS, top: -RADIUS, width: width + 20, height: height + 30 },
    hexRadius: RADIUS,
    seats: Array.from({ length: 13 }, (_, index) => ({ seat: index + 1, name: `Seat ${index}` })),
    areas,
    places,
    pieces,
    labels,
    paths,
  });
}
