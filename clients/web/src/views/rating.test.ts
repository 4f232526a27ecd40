import { describe, expect, test } from 'vitest';
import { plotOf, ratingWords } from './rating';

describe('ratings', () => {
  test('a provisional rating says so', () => {
    const rating = { value: 1612.4, deviation: 45.2, provisional: false, games: 9 };
    const as = (other: object) => ratingWords({ ...rating, ...other } as never);
    expect(as({})).toBe('1612 ± 45');
    expect(as({ provisional: true })).toBe('1612 ± 45 (provisional)');
  });

  test('the plot spans its area and higher ratings are higher', () => {
    const { line, band } = plotOf([
      { value: 1500, deviation: 100 },
      { value: 1600, deviation: 50 },
      { value: 1550, deviation: 50 },
    ]);
    const points = line.split(' ').map((point) => point.split(',').map(Number));
    expect(points.map(([x]) => x)).toEqual([6, 160, 314]);
    const [first = 0, second = 0, third = 0] = points.map(([, y]) => y ?? 0);
    expect(second).toBeLessThan(third);
    expect(third).toBeLessThan(first);
    const heights = band.split(' ').map((point) => Number(point.split(',')[1]));
    expect([Math.min(...heights), Math.max(...heights)]).toEqual([6, 114]);
  });

  test('a single rating is inside the plot', () => {
    expect(plotOf([{ value: 1500, deviation: 0 }]).line).toBe('6.0,114.0');
  });
});
