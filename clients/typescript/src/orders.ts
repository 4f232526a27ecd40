// Answers of bots, and their conversion to protobuf messages.

import type { MessageInitShape } from '@bufbuild/protobuf';
import type { OrdersSchema } from '../gen/heliopause/v1/game_pb.js';

/** Orders: text with one per line, a list of lines, or a message with typed orders. */
export type Orders = string | readonly string[] | MessageInitShape<typeof OrdersSchema>;

/** A message to other seats. */
export interface OutgoingMessage {
  /** The seats that receive the message, from 1. */
  readonly to: readonly number[];
  readonly text: string;
}

/** Orders with additional data. */
export interface Answer {
  readonly orders?: Orders;
  /** Whether the seat is ready (default). If not, a revisable decision remains pending. */
  readonly ready?: boolean;
  /** Data for the seat's next decision. Without a memo, the last memo is kept. */
  readonly memo?: Uint8Array;
  /** Messages to other seats, sent once the orders are accepted. */
  readonly messages?: readonly OutgoingMessage[];
}

/** A bot's reply: an `Answer`, or only its orders. Undefined means ready without orders. */
export type Reply = Answer | string | readonly string[] | undefined;

export function answerOf(reply: Reply): Answer {
  return typeof reply === 'string' || isList(reply) ? { orders: reply } : (reply ?? {});
}

export function ordersOf(orders: Orders): MessageInitShape<typeof OrdersSchema> {
  if (typeof orders === 'string') return { text: orders };
  return isList(orders) ? { text: orders.join('\n') } : orders;
}

export function isEmpty(orders: Orders | undefined): boolean {
  const { text = '', orders: typed = [] } = ordersOf(orders ?? '');
  return !text.trim() && typed.length === 0;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
