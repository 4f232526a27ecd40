// What this browser stores between visits.

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

/** Resolves after the commit: only then can the next page read the value. */
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

export interface StoredAccount {
  name: string;
  token: string;
}

async function read(key: string): Promise<unknown> {
  try {
    return await inStore('readonly', (store) => store.get(key));
  } catch {
    return undefined;
  }
}

async function write(key: string, value: unknown): Promise<void> {
  try {
    await inStore<unknown>('readwrite', (store) =>
      value === undefined ? store.delete(key) : store.put(value, key),
    );
  } catch {
    // Without storage, the value is lost when the page closes.
  }
}

/** Returns the stored token; empty if the player did not ask to stay signed in. */
export async function storedToken(): Promise<string> {
  const token = await read('token');
  return typeof token === 'string' ? token : '';
}

export async function storeToken(token: string): Promise<void> {
  await write('token', token === '' ? undefined : token);
}

/** Returns the accounts that were signed in before the current one. */
export async function storedAccounts(): Promise<StoredAccount[]> {
  const accounts = await read('accounts');
  return Array.isArray(accounts) ? (accounts as StoredAccount[]) : [];
}

export async function storeAccounts(accounts: readonly StoredAccount[]): Promise<void> {
  await write('accounts', accounts.length === 0 ? undefined : accounts);
}

/** Returns a small stored value by name, or `otherwise`. Never used for secrets. */
export function recall<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Settings are lost if storage is full or disabled; the page works without them.
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {}
}
