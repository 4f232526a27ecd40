import { expect, test } from 'vitest';
import { GameStatus } from '../engine/contract';
import { filtersOf, requestOf, searchPath } from './search-filters';

test('an address keeps the filters', () => {
  const path = searchPath({
    player: ' Ann Lee ',
    kind: 'diplomacy',
    text: 'a&b',
    'ended-from': '',
  });
  expect(path).toBe('/search?text=a%26b&kind=diplomacy&player=Ann+Lee');
  const filters = filtersOf(path.slice(path.indexOf('?')));
  expect(filters).toMatchObject({ text: 'a&b', player: 'Ann Lee', state: '', 'ended-from': '' });
  expect(searchPath(filters)).toBe(path);
  expect(searchPath({})).toBe('/search');
});

test('filters become a request', () => {
  const found = requestOf(
    filtersOf('state=ended&rated=no&ended-from=2026-11-01&ended-to=2026-11-30'),
  );
  expect(found).toMatchObject({ status: GameStatus.ENDED, rated: false, search: '', player: '' });
  const [from, before] = [found.endedFromTime, found.endedBeforeTime];
  const day = (text: string) => BigInt(new Date(`${text}T00:00`).getTime() / 1000);
  expect([from?.seconds, before?.seconds]).toEqual([day('2026-11-01'), day('2026-12-01')]);
  expect('createdFromTime' in found).toBe(false);
});

test('unknown values are ignored', () => {
  const odd = requestOf(filtersOf('state=lost&created-from=yesterday&created-to=2026-99-99&x=y'));
  expect(odd.status).toBe(GameStatus.UNSPECIFIED);
  expect('createdFromTime' in odd || 'createdBeforeTime' in odd || 'rated' in odd).toBe(false);
});
