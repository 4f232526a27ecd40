import { create } from '@bufbuild/protobuf';
import { LineReportSchema } from '@heliopause/client/games/diplomacy';
import { describe, expect, test, vi } from 'vitest';
import { SceneOutcome, SceneSchema } from '../engine/contract';
import { pathOf } from './preview';

// The calls need a page.
vi.mock('../engine/calls', () => ({}));

const scene = create(SceneSchema, {
  areas: [
    { name: 'Par', x: 10, y: 10 },
    { name: 'Bur', x: 20, y: 20 },
    { name: 'Mun', x: 30, y: 20 },
    { name: 'Spa', x: 0, y: 40 },
  ],
});

const report = (notation: string, result = 'succeeds') =>
  create(LineReportSchema, { seat: 3, line: notation, notation, result, text: result });

describe('the path of a resolved order', () => {
  test('leads to the destination of a move', () => {
    const path = pathOf(scene, report('A Par - Bur', 'bounced'));
    expect(path).toMatchObject({
      kind: 'move',
      points: [10, 10, 20, 20],
      owner: 3,
      outcome: SceneOutcome.FAILURE,
      title: 'A Par - Bur: bounced',
    });
  });

  test('points at what a unit supports or convoys', () => {
    expect(pathOf(scene, report('A Par S A Bur', 'given'))?.points).toEqual([10, 10, 20, 20]);
    const support = pathOf(scene, report('A Par S A Bur - Mun', 'cut'));
    expect(support).toMatchObject({ kind: 'support', points: [10, 10, 26, 20] });
    expect(pathOf(scene, report('F Par C A Bur - Mun', 'given'))).toMatchObject({
      kind: 'convoy',
      points: [10, 10, 25, 20],
      outcome: SceneOutcome.SUCCESS,
    });
  });

  test('is at the province of a coast, and at the unit that holds', () => {
    expect(pathOf(scene, report('A Bur - Spa/nc'))?.points).toEqual([20, 20, 0, 40]);
    expect(pathOf(scene, report('A Mun H', 'holds'))).toMatchObject({ kind: 'hold' });
    expect(pathOf(scene, report('A Nowhere - Bur'))).toBeUndefined();
    expect(pathOf(scene, report('A Par - Nowhere'))).toBeUndefined();
  });
});
