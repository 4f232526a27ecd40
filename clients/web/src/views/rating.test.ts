import { describe, expect, test } from 'vitest';
import { plotOf, ratingWords, ticksOf } from './rating';

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
    expect(points.map(([x]) => x)).toEqual([40, 177, 314]);
    const [first = 0, second = 0, third = 0] = points.map(([, y]) => y ?? 0);
    expect(second).toBeLessThan(third);
    expect(third).toBeLessThan(first);
    const heights = band.split(' ').map((point) => Number(point.split(',')[1]));
    expect([Math.min(...heights), Math.max(...heights)]).toEqual([6, 114]);
  });

  test('the axis has a few round values', () => {
    expect(ticksOf(1400, 1650)).toEqual([1400, 1500, 1600]);
    expect(ticksOf(1362.4, 1638)).toEqual([1400, 1500, 1600]);
    expect(ticksOf(1500, 1500)).toEqual([1500]);
    expect(ticksOf(1500.4, 1500.6)).toEqual([1501]);
    for (const high of [1501, 1530, 1777, 2400]) {
      const count = ticksOf(1450.5, high).length;
      expect(count).toBeGreaterThan(1);
      expect(count).toBeLessThan(5);
    }
  });

  test('a single rating is inside the plot', () => {
    expect(plotOf([{ value: 1500, deviation: 0 }]).line).toBe('40.0,114.0');
  });
});
