// Observable values and their listeners.

export type Listener<T> = (value: T) => void;

/** An observable value. Each value is a new, frozen object. */
export class Observable<T> {
  #value: T;
  readonly #listeners = new Set<Listener<T>>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** Changes fields of the value and calls the listeners. */
  update(change: Partial<T>): void {
    this.#value = Object.freeze({ ...this.#value, ...change });
    notify(this.#listeners, this.#value);
  }

  /** Calls the listener now and on every change, until the returned function is called. */
  subscribe(listener: Listener<T>): () => void {
    const own = (value: T) => listener(value);
    this.#listeners.add(own);
    own(this.#value);
    return () => this.#listeners.delete(own);
  }
}

/** Calls all listeners, even if one throws. */
export function notify<T>(listeners: Iterable<Listener<T>>, value: T): void {
  for (const listener of [...listeners]) {
    try {
      listener(value);
    } catch (error) {
      reportError(error);
    }
  }
}

/** Reports an error of a listener as an uncaught exception. */
function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
