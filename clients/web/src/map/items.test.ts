import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { SceneSchema } from '../engine/contract';
import { Contents } from '../scene/contents';
import { mapItemsOf } from './items';

const scene = create(SceneSchema, {
  areas: [
    { name: '(1,0)', title: 'Hex (1,0)', owner: 2 },
    { name: '', title: 'the sea around' },
  ],
  places: [{ name: 'Ceti', area: '(1,0)', title: 'Ceti, a world', x: 5, y: 6 }],
  pieces: [
    { name: 'A1', place: '(1,0)', title: 'Starship A1', owner: 1 },
    { place: 'Ceti', owner: 2, members: [{ name: '#4', kind: 'Scout', condition: 'damaged' }] },
    { place: 'Ceti', owner: 3, count: 2 },
  ],
});

test('places have their pieces, and groups their members', () => {
  expect(mapItemsOf(scene)).toMatchObject([
    {
      name: '(1,0)',
      title: 'Hex (1,0)',
      owner: 2,
      pieces: [{ name: 'A1', title: 'Starship A1', owner: 1 }],
    },
    { name: 'Ceti', title: 'Ceti, a world', pieces: [{ name: '#4', title: '#4 Scout, damaged' }] },
  ]);
});

test('pieces are found by the names of their members', () => {
  const contents = new Contents(scene);
  expect(contents.subjectOf('', '#4')).toEqual({ place: 'Ceti', piece: '#4' });
  expect(contents.subjectOf('Ceti', '')).toEqual({ place: 'Ceti', piece: '' });
  expect(contents.subjectOf('Vega', '')).toBeUndefined();
  expect(contents.homeOf('Ceti')).toBe('(1,0)');
  expect(contents.piecesIn('(1,0)')).toHaveLength(3);
  expect(contents.centerOf('Ceti', [9, 9])).toEqual([0, 0]);
});
