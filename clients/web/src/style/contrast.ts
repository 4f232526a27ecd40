// Contrast of colors, as the Web Content Accessibility Guidelines define it.

export type Rgb = readonly [number, number, number];

/** Parses a color of the form #rrggbb. */
export function parsed(hex: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
}

export function linear(color: Rgb): Rgb {
  return color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
}

export function sum(weights: Rgb, color: Rgb): number {
  return weights[0] * color[0] + weights[1] * color[1] + weights[2] * color[2];
}

/** Returns the contrast of two colors, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [one, other]
    .map((color) => sum([0.2126, 0.7152, 0.0722], linear(color)))
    .toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
