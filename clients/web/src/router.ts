// The page's addresses, such as /game/ID/phase/N and /rules/KIND#4.2, with the history API.

import { signal } from '@preact/signals';

export type Route =
  | { at: 'lobby' }
  | { at: 'search'; query: string }
  | { at: 'sign-in' }
  | { at: 'new' }
  | { at: 'join'; code: string; game: string }
  | { at: 'account' }
  | { at: 'player'; player: string }
  | { at: 'ratings'; kind: string }
  | { at: 'tournaments'; part: 'list' | 'new' }
  | { at: 'tournament'; id: string }
  | { at: 'operator'; part: string }
  | { at: 'desk' }
  | { at: 'learn'; kind: string }
  | { at: 'rules'; kind: string; rule: string }
  | { at: 'game'; game: string; part: GamePart; phase: bigint | undefined }
  | { at: 'nowhere' };

export type GamePart = 'table' | 'report' | 'proof';

export function read(address: string): Route {
  const [whole = '', anchor = ''] = address.split('#');
  const [path = '', query = ''] = whole.split('?');
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
    case 'search':
      return second === '' ? { at: 'search', query } : { at: 'nowhere' };
    case 'g':
      return second === '' || third !== '' ? { at: 'nowhere' } : readGame(second, '', '');
    case 'join':
      return { at: 'join', game: second, code: third };
    case 'learn':
      return third === '' ? { at: 'learn', kind: second } : { at: 'nowhere' };
    case 'player':
      if (second === '' || third !== '') return { at: 'nowhere' };
      return { at: 'player', player: second };
    case 'ratings':
      return third === '' ? { at: 'ratings', kind: second } : { at: 'nowhere' };
    case 'tournaments':
      if (third !== '' || (second !== '' && second !== 'new')) return { at: 'nowhere' };
      return { at: 'tournaments', part: second === '' ? 'list' : 'new' };
    case 'tournament':
      if (second === '' || third !== '') return { at: 'nowhere' };
      return { at: 'tournament', id: second };
    case 'rules':
      if (second === '' || third !== '') return { at: 'nowhere' };
      return { at: 'rules', kind: second, rule: decoded(anchor) };
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

export function gamePath(game: string, phase?: bigint): string {
  const path = `/game/${encodeURIComponent(game)}`;
  return phase === undefined ? path : `${path}/phase/${phase}`;
}

/** Returns the address of a player's profile. */
export function playerPath(player: string): string {
  return `/player/${encodeURIComponent(player)}`;
}

/** Returns the address of a tournament. */
export function tournamentPath(id: string): string {
  return `/tournament/${encodeURIComponent(id)}`;
}

/** Returns the address of a rule in the rulebook of a game, or of the rulebook. */
export function rulePath(kind: string, rule = ''): string {
  const path = `/rules/${encodeURIComponent(kind)}`;
  return rule === '' ? path : `${path}#${encodeURIComponent(rule)}`;
}

const shown = () => location.pathname + location.search + location.hash;

export const route = signal<Route>(read(shown()));

export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, '', path);
  else if (path !== shown()) history.pushState(null, '', path);
  route.value = read(path);
}

/** Handles clicks on links and the browser's back and forward buttons. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    route.value = read(shown());
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!link || !isPlain || link.target !== '' || link.origin !== location.origin) return;
    if (link.hasAttribute('download') || link.getAttribute('href')?.startsWith('#')) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
    if (link.hash === '') scrollTo(0, 0);
  });
}
