// A position of Starships at Large for several tests.

import { gameOfJson } from '@heliopause/client/games';

export const KIND = 'starships-at-large';

export const DUEL = {
  hexes: [
    { hex: { q: 0, r: 2 }, marker: 'MARKER_FRIENDLY', owner: 1 },
    { hex: { q: 0, r: -2 }, marker: 'MARKER_FRIENDLY', owner: 2 },
  ],
  players: [
    { bases: [{ at: { q: 0, r: 2 } }], starships: [{ serial: 1, at: { q: 0, r: 0 } }] },
    { bases: [{ at: { q: 0, r: -2 } }], starships: [{ serial: 1, at: { q: 1, r: 0 } }] },
  ],
};

export const rounds = (count: number) =>
  gameOfJson('options', { starshipsAtLarge: { rounds: count } });
