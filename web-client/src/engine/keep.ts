// What this browser keeps between visits.

const DATABASE = 'heliopause';
const STORE = 'kept';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** What is written is there for the next page only once its transaction is over. */
function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const done = committed(transaction);
    const [answered] = await Promise.all([answer<T>(act(transaction.objectStore(STORE))), done]);
    return answered;
  } finally {
    database.close();
  }
}

/** The token that was kept, if the player asked for it. */
export async function keptToken(): Promise<string> {
  try {
    const token: unknown = await inStore('readonly', (store) => store.get('token'));
    return typeof token === 'string' ? token : '';
  } catch {
    // A browser without storage keeps nothing.
    return '';
  }
}

/** Keeps a token; an empty one forgets it. */
export async function keepToken(token: string): Promise<void> {
  try {
    await inStore<unknown>('readwrite', (store) =>
      token === '' ? store.delete('token') : store.put(token, 'token'),
    );
  } catch {
    // Then it holds for this visit.
  }
}

/** A small value of this browser's, by name; never a secret. */
export function recall<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Keeps a small value by name. */
export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A full or closed storage costs comfort, nothing else.
  }
}

/** Forgets a value. */
export function forget(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // As above.
  }
}
