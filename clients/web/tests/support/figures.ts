// Figures that tests measure. `npm run measure` prints them as a table (manual/figures.ts).

import { test } from '@playwright/test';

/** How several measurements of the same name become one figure. */
type Fold = 'last' | 'least' | 'most' | 'sum';

export interface Figure {
  name: string;
  value: number | string;
  unit?: string;
  /** The limit in words, for the table. */
  limit?: string;
  fold?: Fold;
}

/** Notes a figure of the current test. */
export function figure(name: string, value: number | string, more: Partial<Figure> = {}): void {
  test.info().annotations.push({
    type: 'figure',
    description: JSON.stringify({ name, value, ...more } satisfies Figure),
  });
}

export function folded(figures: readonly Figure[]): Figure[] {
  const found = new Map<string, Figure>();
  for (const each of figures) {
    const before = found.get(each.name);
    const [one, other] = [Number(before?.value), Number(each.value)];
    const values = { last: each.value, least: Math.min(one, other), most: Math.max(one, other) };
    const value = each.fold === 'sum' ? one + other : values[each.fold ?? 'last'];
    found.set(each.name, before ? { ...each, value } : each);
  }
  return [...found.values()];
}
