// Ratings in words, and the plot of a rating's history.

import type { Rating, RatingSample } from '../engine/contract';
import { instant, msOf, t } from '../words';

/** Formats a rating: "1612 ± 45", with a note while it is provisional. */
export function ratingWords({ value, deviation, provisional }: Rating): string {
  const rating = `${value.toFixed(0)} ± ${deviation.toFixed(0)}`;
  return provisional ? t('rating-provisional', { rating }) : rating;
}

const WIDTH = 320;
const HEIGHT = 120;
const MARGIN = 6;
/** The room for the labels of the axis. */
const LEFT = 40;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Returns two to four round values between the limits, lowest first. */
export function ticksOf(low: number, high: number): number[] {
  const inside = (step: number) => {
    const first = Math.ceil(low / step);
    const count = Math.max(0, Math.floor(high / step) - first + 1);
    return Array.from({ length: Math.min(count, 5) }, (_, index) => (first + index) * step);
  };
  const found = STEPS.map(inside).find((values) => values.length <= 4) ?? [];
  return found.length > 0 ? found : [Math.round((low + high) / 2)];
}

/** Returns the rating, the band around it and the labelled values, in the plot's coordinates. */
export function plotOf(samples: readonly Pick<RatingSample, 'value' | 'deviation'>[]) {
  const low = Math.min(...samples.map(({ value, deviation }) => value - deviation));
  const high = Math.max(...samples.map(({ value, deviation }) => value + deviation));
  const x = (index: number) =>
    LEFT + (index * (WIDTH - LEFT - MARGIN)) / Math.max(1, samples.length - 1);
  const y = (value: number) =>
    HEIGHT - MARGIN - ((value - low) * (HEIGHT - 2 * MARGIN)) / Math.max(1, high - low);
  const point = (index: number, value: number) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`;
  const line = samples.map(({ value }, index) => point(index, value));
  const above = samples.map(({ value, deviation }, index) => point(index, value + deviation));
  const below = samples.map(({ value, deviation }, index) => point(index, value - deviation));
  const ticks = ticksOf(low, high).map((value) => ({ value, y: Number(y(value).toFixed(1)) }));
  return { line: line.join(' '), band: [...above, ...below.reverse()].join(' '), ticks };
}

/** The history of a rating, with a band of one deviation. */
export function RatingPlot({ samples }: { samples: readonly RatingSample[] }) {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || samples.length < 2) return null;
  const { line, band, ticks } = plotOf(samples);
  const values = samples.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)].map((each) => each.toFixed(0));
  const told = t('rating-history', {
    count: samples.length,
    first: first.value.toFixed(0),
    last: last.value.toFixed(0),
    least: least ?? '',
    most: most ?? '',
  });
  return (
    <figure class="rating-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={told}>
        <polygon class="rating-band" points={band} />
        {ticks.map(({ value, y }) => (
          <g key={value}>
            <line class="rating-tick" x1={LEFT} x2={WIDTH - MARGIN} y1={y} y2={y} />
            <text x={LEFT - 5} y={y} text-anchor="end" dominant-baseline="central">
              {value}
            </text>
          </g>
        ))}
        <polyline class="rating-line" points={line} />
      </svg>
      <figcaption class="faint small">
        <span class="row between">
          <span>{instant(msOf(first.time))}</span>
          <span>{instant(msOf(last.time))}</span>
        </span>
        {t('rating-plot')}
      </figcaption>
    </figure>
  );
}
