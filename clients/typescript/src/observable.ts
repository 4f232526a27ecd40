// A value that can be watched.

/** Is told the value. */
export type Listener<T> = (value: T) => void;

/** A value that can be watched. Each value is a new object, and none of them changes any more. */
export class Observable<T> {
  #value: T;
  readonly #listeners = new Set<Listener<T>>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** Changes some fields of the value, and tells. */
  update(change: Partial<T>): void {
    this.#value = Object.freeze({ ...this.#value, ...change });
    tell(this.#listeners, this.#value);
  }

  /** Tells the value now and whenever it changes, until the answer is called. */
  subscribe(listener: Listener<T>): () => void {
    const own = (value: T) => listener(value);
    this.#listeners.add(own);
    own(this.#value);
    return () => this.#listeners.delete(own);
  }
}

/** Tells all listeners, also those after one that throws. */
export function tell<T>(listeners: Iterable<Listener<T>>, value: T): void {
  for (const listener of [...listeners]) {
    try {
      listener(value);
    } catch (error) {
      reportError(error);
    }
  }
}

/** A fault of a listener: its author is told, as of any other fault that nobody catches. */
function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
