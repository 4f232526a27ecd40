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

/** An account that this browser can sign in as. */
export interface KeptAccount {
  name: string;
  token: string;
}

async function read(key: string): Promise<unknown> {
  try {
    return await inStore('readonly', (store) => store.get(key));
  } catch {
    // A browser without storage keeps nothing.
    return undefined;
  }
}

async function write(key: string, value: unknown): Promise<void> {
  try {
    await inStore<unknown>('readwrite', (store) =>
      value === undefined ? store.delete(key) : store.put(value, key),
    );
  } catch {
    // The value is lost when the page closes.
  }
}

/** Returns the token that was kept, if the player asked for it. */
export async function keptToken(): Promise<string> {
  const token = await read('token');
  return typeof token === 'string' ? token : '';
}

/** Keeps a token; an empty one forgets it. */
export async function keepToken(token: string): Promise<void> {
  await write('token', token === '' ? undefined : token);
}

/** Returns the accounts that were signed in before the current one. */
export async function keptAccounts(): Promise<KeptAccount[]> {
  const accounts = await read('accounts');
  return Array.isArray(accounts) ? (accounts as KeptAccount[]) : [];
}

/** Keeps the accounts that were signed in before the current one. */
export async function keepAccounts(accounts: readonly KeptAccount[]): Promise<void> {
  await write('accounts', accounts.length === 0 ? undefined : accounts);
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
