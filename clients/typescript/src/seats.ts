// Who sits where.

import type { Game, Seat as SeatMessage } from "../gen/heliopause/v1/table_pb.js";

/** Who has a seat. `unknown` is something that this version does not know. */
export type Occupant = "open" | "reserved" | "player" | "automated" | "unknown";

/** Who has a seat. */
export function occupantOf(seat: SeatMessage): Occupant {
  const { case: kind } = seat.occupant;
  return kind === "reservedFor" ? "reserved" : (kind ?? "unknown");
}

/** What to call a seat: its player, or its role. */
export function occupantName(game: Game, number: number): string {
  const seat = game.seats.find((one) => one.number === number);
  if (!seat) return `seat ${number}`;
  const { occupant, role } = seat;
  return (occupant.case === "player" && occupant.value) || role || `seat ${number}`;
}
