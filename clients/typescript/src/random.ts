/** A generator that gives the same numbers for the same seed. It is for bots, not for secrets. */
export class Random {
  readonly #state: Uint32Array;

  /** Without a seed, the numbers differ each time. */
  constructor(seed?: number | Uint8Array) {
    const bytes = seed === undefined ? crypto.getRandomValues(new Uint8Array(16)) : seed;
    this.#state = new Uint32Array([0x9e3779b9, 0x243f6a88, 0xb7e15162, 1]);
    for (const byte of typeof bytes === 'number'
      ? new Uint8Array(new Float64Array([bytes]).buffer)
      : bytes) {
      this.#state[0] = ((this.#state[0] ?? 0) ^ byte) >>> 0;
      this.#next();
    }
    for (let warm = 0; warm < 12; warm++) this.#next();
  }

  /** Returns a number of at least 0 and less than 1. */
  next(): number {
    return this.#next() / 2 ** 32;
  }

  /** Returns a whole number from `least` to `most`, inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('there are no items to choose from');
    return from[this.between(0, from.length - 1)] as T;
  }

  /** Returns one of several items, with probabilities by weight. */
  weighted<T>(from: readonly T[], weight: (one: T) => number): T {
    let left = this.next() * from.reduce((sum, one) => sum + weight(one), 0);
    for (const one of from) {
      left -= weight(one);
      if (left < 0) return one;
    }
    return this.pick(from);
  }

  /** Returns `count` different items in random order. */
  sample<T>(from: readonly T[], count: number): T[] {
    const rest = [...from];
    const taken = Math.min(count, rest.length);
    for (let at = 0; at < taken; at++) {
      const other = this.between(at, rest.length - 1);
      [rest[at], rest[other]] = [rest[other] as T, rest[at] as T];
    }
    return rest.slice(0, taken);
  }

  /** Performs a step of sfc32. */
  #next(): number {
    const [a = 0, b = 0, c = 0, count = 0] = this.#state;
    const sum = (a + b + count) >>> 0;
    this.#state.set([b ^ (b >>> 9), c + (c << 3), ((c << 21) | (c >>> 11)) + sum, count + 1]);
    return sum;
  }
}
