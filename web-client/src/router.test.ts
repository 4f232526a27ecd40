import { beforeAll, expect, test, vi } from 'vitest';

let router: typeof import('./router');
beforeAll(async () => {
  vi.stubGlobal('location', { pathname: '/' });
  router = await import('./router');
});

test('addresses name pages, and phases of games', () => {
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
  expect(read('/join/abc/code')).toEqual({ at: 'join', game: 'abc', code: 'code' });
  for (const odd of [
    '/game',
    '/game/a/phase/x',
    '/game/a/b',
    '/new/x',
    '/game/a/phase/1/2',
    '/nowhere',
    '/%',
  ]) {
    expect(read(odd)).toEqual({ at: 'nowhere' });
  }
});

test('an address is made so that it reads back', () => {
  expect(router.gamePath('a b', 3n)).toBe('/game/a%20b/phase/3');
  expect(router.read(router.gamePath('a b', 3n))).toMatchObject({ game: 'a b', phase: 3n });
});
