// The kinds and names of the occupants of seats.

import type { Game, Seat as SeatMessage } from '../gen/heliopause/v1/table_pb.js';

/** The kind of an occupant, or `unknown` if this version does not support it. */
export type Occupant = 'open' | 'reserved' | 'player' | 'automated' | 'unknown';

/** Returns the kind of a seat's occupant. */
export function occupantOf(seat: SeatMessage): Occupant {
  const { case: kind } = seat.occupant;
  return kind === 'reservedFor' ? 'reserved' : (kind ?? 'unknown');
}

/** Returns the player of a seat, or else the role of the seat. */
export function occupantName(game: Game, number: number): string {
  const seat = game.seats.find((one) => one.number === number);
  if (!seat) return `seat ${number}`;
  const { occupant, role } = seat;
  return (occupant.case === 'player' && occupant.value) || role || `seat ${number}`;
}
