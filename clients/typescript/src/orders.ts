// What a bot answers when it is asked, and orders as the contract has them.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OrdersSchema } from "../gen/heliopause/v1/game_pb.js";

/** Orders: in the notation of the game, as a text with one a line or as a list; or a message, which may hold typed ones. */
export type Orders = string | readonly string[] | MessageInitShape<typeof OrdersSchema>;

/** A message to other seats. */
export interface Letter {
  /** The seats that receive it, from 1. */
  readonly to: readonly number[];
  readonly text: string;
}

/** Orders, and what goes with them. */
export interface Answer {
  /** The orders. */
  readonly orders?: Orders;
  /** Whether that is all; the default. It matters for decisions that may be revised; if not, the seat is asked again. */
  readonly ready?: boolean;
  /** What the seat's next decision brings back. Absent keeps the last memo. */
  readonly memo?: Uint8Array;
  /** What the seat writes to others, once the orders are taken. */
  readonly letters?: readonly Letter[];
}

/** What a bot may answer: an `Answer`, or its orders alone. Nothing means: ready, nothing more. */
export type Reply = Answer | string | readonly string[] | undefined;

/** The answer that a reply stands for. */
export function answerOf(reply: Reply): Answer {
  return typeof reply === "string" || isList(reply) ? { orders: reply } : (reply ?? {});
}

/** Orders as the contract has them. */
export function ordersOf(orders: Orders): MessageInitShape<typeof OrdersSchema> {
  if (typeof orders === "string") return { text: orders };
  return isList(orders) ? { text: orders.join("\n") } : orders;
}

/** Whether there is no order among them. */
export function isEmpty(orders: Orders | undefined): boolean {
  const { text = "", orders: typed = [] } = ordersOf(orders ?? "");
  return !text.trim() && typed.length === 0;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
