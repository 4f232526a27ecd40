import type { GameView } from '../gen/heliopause/v1/envelope_pb.js';
import type { Verdict } from '../gen/heliopause/v1/game_pb.js';
import type { Decision } from '../gen/heliopause/v1/table_pb.js';
import { Random } from './random.js';

/** A seat with the view of its player: a `Table`, or a seat leased to a worker. */
export abstract class Seat {
  /** The level that a lease requests, or an empty string at a table. */
  level = '';
  /** Random numbers for this decision. A repeated lease of a decision gets the same numbers. */
  random = new Random();
  /** The memo of the seat's last answer. At a table, the bot keeps the memo in memory. */
  memo: Uint8Array = new Uint8Array();
  /** The number of refused answers to this decision. */
  attempt = 0;
  /** The verdicts on the last answer. Empty at the first attempt. */
  refused: readonly Verdict[] = [];

  abstract readonly gameId: string;
  /** The kind of game, such as "diplomacy". */
  abstract readonly kind: string;
  /** The number of the seat, from 1, or 0 for a spectator. */
  abstract readonly number: number;
  /** The pending decision, or undefined if there is none. */
  abstract readonly decision: Decision | undefined;

  /** Returns the current view. Decode it with `games/...`. */
  abstract view(): Promise<GameView | undefined>;
}
