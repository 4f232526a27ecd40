// The filters of a search for games, as the address of the page keeps them.

import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { GameStatus } from '../engine/contract';

const FILTERS = [
  'text',
  'kind',
  'player',
  'state',
  'rated',
  'created-from',
  'created-to',
  'ended-from',
  'ended-to',
] as const;
export type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

export const STATES: Readonly<Record<string, GameStatus>> = {
  forming: GameStatus.FORMING,
  running: GameStatus.RUNNING,
  paused: GameStatus.PAUSED,
  ended: GameStatus.ENDED,
  canceled: GameStatus.CANCELLED,
};

/** Reads the filters from the query of an address. */
export function filtersOf(query: string): Filters {
  const found = new URLSearchParams(query);
  return Object.fromEntries(FILTERS.map((name) => [name, found.get(name) ?? ''])) as Filters;
}

/** Returns the address of a search. */
export function searchPath(filters: Partial<Filters>): string {
  const set = FILTERS.map((name) => [name, (filters[name] ?? '').trim()]);
  const query = new URLSearchParams(set.filter(([, value]) => value !== '')).toString();
  return query === '' ? '/search' : `/search?${query}`;
}

/** Returns the start of a day in the time zone of the browser, or of a day after it. */
function startOf(day: string, after = 0): Timestamp | undefined {
  const date = new Date(`${day}T00:00`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(date.getTime())) return undefined;
  date.setDate(date.getDate() + after);
  return timestampFromDate(date);
}

/** Returns the request for the games that match. The last days are included. */
export function requestOf(filters: Filters) {
  const times = {
    createdFromTime: startOf(filters['created-from']),
    createdBeforeTime: startOf(filters['created-to'], 1),
    endedFromTime: startOf(filters['ended-from']),
    endedBeforeTime: startOf(filters['ended-to'], 1),
  };
  const limits = Object.entries(times).filter(([, time]) => time !== undefined);
  return {
    search: filters.text,
    kind: filters.kind,
    player: filters.player.normalize('NFC'),
    status: STATES[filters.state] ?? GameStatus.UNSPECIFIED,
    ...(filters.rated === '' ? {} : { rated: filters.rated === 'yes' }),
    ...(Object.fromEntries(limits) as Partial<Record<keyof typeof times, Timestamp>>),
  };
}
