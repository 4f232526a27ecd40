// The messages of Stellar Conquest, The Fate of Empire and Alone in Outer Space.

import { EventSchema } from '../../gen/heliopause/stellar_conquest/v1/event_pb.js';
import { OptionsSchema } from '../../gen/heliopause/stellar_conquest/v1/options_pb.js';
import { OrderSchema } from '../../gen/heliopause/stellar_conquest/v1/order_pb.js';
import { PositionSchema } from '../../gen/heliopause/stellar_conquest/v1/position_pb.js';
import { ViewSchema } from '../../gen/heliopause/stellar_conquest/v1/view_pb.js';
import { GameCodec } from './codec.js';

export * from '../../gen/heliopause/stellar_conquest/v1/battle_pb.js';
export * from '../../gen/heliopause/stellar_conquest/v1/board_pb.js';
export * from '../../gen/heliopause/stellar_conquest/v1/event_pb.js';
export * from '../../gen/heliopause/stellar_conquest/v1/fate_pb.js';
export * from '../../gen/heliopause/stellar_conquest/v1/options_pb.js';
export * from '../../gen/heliopause/stellar_conquest/v1/order_pb.js';
export * from '../../gen/heliopause/stellar_conquest/v1/outer_space_pb.js';
export * from '../../gen/heliopause/stellar_conquest/v1/position_pb.js';
export * from '../../gen/heliopause/stellar_conquest/v1/view_pb.js';

export const stellarConquest = /*@__PURE__*/ new GameCodec('stellarConquest', {
  options: OptionsSchema,
  order: OrderSchema,
  event: EventSchema,
  view: ViewSchema,
  position: PositionSchema,
});
