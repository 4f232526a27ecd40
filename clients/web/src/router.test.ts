import { beforeAll, expect, test, vi } from 'vitest';

let router: typeof import('./router');
beforeAll(async () => {
  vi.stubGlobal('location', { pathname: '/', search: '', hash: '' });
  router = await import('./router');
});

test('addresses are parsed as pages and phases of games', () => {
  const { read } = router;
  expect(read('/')).toEqual({ at: 'lobby' });
  expect(read('/game/abc')).toEqual({ at: 'game', game: 'abc', part: 'table', phase: undefined });
  expect(read('/game/abc/phase/7')).toEqual({ at: 'game', game: 'abc', part: 'table', phase: 7n });
  expect(read('/game/abc/report/0')).toEqual({
    at: 'game',
    game: 'abc',
    part: 'report',
    phase: 0n,
  });
  expect(read('/player/Ann%20Lee')).toEqual({ at: 'player', player: 'Ann Lee' });
  expect(read('/ratings')).toEqual({ at: 'ratings', kind: '' });
  expect(read('/ratings/diplomacy')).toEqual({ at: 'ratings', kind: 'diplomacy' });
  expect(read('/tournaments')).toEqual({ at: 'tournaments', part: 'list' });
  expect(read('/tournaments/new')).toEqual({ at: 'tournaments', part: 'new' });
  expect(read(router.tournamentPath('abc'))).toEqual({ at: 'tournament', id: 'abc' });
  expect(read('/join/abc/code')).toEqual({ at: 'join', game: 'abc', code: 'code' });
  expect(read('/search')).toEqual({ at: 'search', query: '' });
  expect(read('/search?kind=a&player=b#c')).toEqual({ at: 'search', query: 'kind=a&player=b' });
  expect(read('/g/abc')).toEqual(read('/game/abc'));
  for (const odd of [
    '/g',
    '/g/a/report',
    '/search/x',
    '/game',
    '/game/a/phase/x',
    '/game/a/b',
    '/new/x',
    '/player',
    '/ratings/a/b',
    '/tournament',
    '/tournaments/x',
    '/tournament/a/b',
    '/game/a/phase/1/2',
    '/nowhere',
    '/%',
  ]) {
    expect(read(odd)).toEqual({ at: 'nowhere' });
  }
});

test('a formatted address can be parsed again', () => {
  expect(router.gamePath('a b', 3n)).toBe('/game/a%20b/phase/3');
  expect(router.read(router.gamePath('a b', 3n))).toMatchObject({ game: 'a b', phase: 3n });
});

test('the address of a rule leads to it', () => {
  const { read, rulePath } = router;
  expect(rulePath('diplomacy')).toBe('/rules/diplomacy');
  expect(read('/rules/diplomacy')).toEqual({ at: 'rules', kind: 'diplomacy', rule: '' });
  expect(read(rulePath('diplomacy', 'D3.4'))).toEqual({
    at: 'rules',
    kind: 'diplomacy',
    rule: 'D3.4',
  });
  expect(read('/learn')).toEqual({ at: 'learn', kind: '' });
  expect(read('/learn/diplomacy')).toEqual({ at: 'learn', kind: 'diplomacy' });
  expect(read('/rules')).toEqual({ at: 'nowhere' });
  expect(read('/#code=abc')).toEqual({ at: 'lobby' });
});
