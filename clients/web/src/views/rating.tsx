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

/** Returns the points of the rating and of the band around it, in the plot's coordinates. */
export function plotOf(samples: readonly Pick<RatingSample, 'value' | 'deviation'>[]) {
  const low = Math.min(...samples.map(({ value, deviation }) => value - deviation));
  const high = Math.max(...samples.map(({ value, deviation }) => value + deviation));
  const x = (index: number) =>
    MARGIN + (index * (WIDTH - 2 * MARGIN)) / Math.max(1, samples.length - 1);
  const y = (value: number) =>
    HEIGHT - MARGIN - ((value - low) * (HEIGHT - 2 * MARGIN)) / Math.max(1, high - low);
  const point = (index: number, value: number) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`;
  const line = samples.map(({ value }, index) => point(index, value));
  const above = samples.map(({ value, deviation }, index) => point(index, value + deviation));
  const below = samples.map(({ value, deviation }, index) => point(index, value - deviation));
  return { line: line.join(' '), band: [...above, ...below.reverse()].join(' ') };
}

/** The history of a rating, with a band of one deviation. */
export function RatingPlot({ samples }: { samples: readonly RatingSample[] }) {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || samples.length < 2) return null;
  const { line, band } = plotOf(samples);
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
        <polyline class="rating-line" points={line} />
      </svg>
      <figcaption class="row between faint small">
        <span>{instant(msOf(first.time))}</span>
        <span>
          {least}–{most}
        </span>
        <span>{instant(msOf(last.time))}</span>
      </figcaption>
    </figure>
  );
}
