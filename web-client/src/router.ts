// The page's addresses: /game/ID/phase/N and the like, by the history API.

import { signal } from '@preact/signals';

export type Route =
  | { at: 'lobby' }
  | { at: 'sign-in' }
  | { at: 'new' }
  | { at: 'join'; code: string; game: string }
  | { at: 'account' }
  | { at: 'operator'; part: string }
  | { at: 'desk' }
  | { at: 'game'; game: string; part: GamePart; phase: bigint | undefined }
  | { at: 'nowhere' };

export type GamePart = 'table' | 'report' | 'proof';

/** Reads an address. */
export function read(path: string): Route {
  const [first = '', second = '', third = '', fourth = '', ...rest] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  if (rest.length > 0) return { at: 'nowhere' };
  switch (first) {
    case '':
      return { at: 'lobby' };
    case 'sign-in':
    case 'new':
    case 'account':
    case 'desk':
      return second === '' ? { at: first } : { at: 'nowhere' };
    case 'join':
      return { at: 'join', game: second, code: third };
    case 'operator':
      return { at: 'operator', part: second };
    case 'game':
      return second === '' ? { at: 'nowhere' } : readGame(second, third, fourth);
    default:
      return { at: 'nowhere' };
  }
}

function readGame(game: string, part: string, phase: string): Route {
  const at = 'game';
  const number = /^\d{1,18}$/.test(phase) ? BigInt(phase) : undefined;
  if (part === '') return { at, game, part: 'table', phase: undefined };
  if (part === 'phase' && number !== undefined) return { at, game, part: 'table', phase: number };
  if (part === 'report' && (phase === '' || number !== undefined)) {
    return { at, game, part: 'report', phase: number };
  }
  if (part === 'proof' && phase === '') return { at, game, part: 'proof', phase: undefined };
  return { at: 'nowhere' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a game, or of a phase of it. */
export function gamePath(game: string, phase?: bigint): string {
  const path = `/game/${encodeURIComponent(game)}`;
  return phase === undefined ? path : `${path}/phase/${phase}`;
}

/** Where the page is. */
export const route = signal<Route>(read(location.pathname));

/** Goes to an address. */
export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, '', path);
  else if (path !== location.pathname) history.pushState(null, '', path);
  route.value = read(path);
}

/** Follows links and the browser's own buttons. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    route.value = read(location.pathname);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!link || !isPlain || link.target !== '' || link.origin !== location.origin) return;
    if (link.hasAttribute('download') || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    go(link.pathname);
    scrollTo(0, 0);
  });
}
