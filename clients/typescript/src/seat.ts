// What a decision is made by: a seat, as its own player sees it.

import type { GameView } from "../gen/heliopause/v1/envelope_pb.js";
import type { Verdict } from "../gen/heliopause/v1/game_pb.js";
import type { Decision } from "../gen/heliopause/v1/table_pb.js";
import { Random } from "./random.js";

/** A seat at a game, with what its player may know. A `Table` is one, and so is what a worker is leased. */
export abstract class Seat {
  /** The level that a lease asks for; empty at a table. */
  level = "";
  /** Chance for this decision. In a lease the same decision has the same. */
  random = new Random();
  /** The memo of the seat's last answer. At a table it lasts as long as the bot. */
  memo: Uint8Array = new Uint8Array();
  /** How many answers to this decision were refused. */
  attempt = 0;
  /** Why the last answer was refused; empty at the first attempt. */
  refused: readonly Verdict[] = [];

  /** The id of the game. */
  abstract readonly gameId: string;
  /** Its kind: "diplomacy". */
  abstract readonly kind: string;
  /** The seat, from 1; 0 for who has none. */
  abstract readonly number: number;
  /** The open decision; absent if the seat owes none. */
  abstract readonly decision: Decision | undefined;

  /** What the seat may know now. `games/...` reads it. */
  abstract view(): Promise<GameView | undefined>;
}
