// The messages of Diplomacy and "...It Came From Outer Space!".

import { EventSchema } from '../../gen/heliopause/diplomacy/v1/event_pb.js';
import { OptionsSchema } from '../../gen/heliopause/diplomacy/v1/options_pb.js';
import { OrderSchema } from '../../gen/heliopause/diplomacy/v1/order_pb.js';
import { PositionSchema } from '../../gen/heliopause/diplomacy/v1/position_pb.js';
import { ViewSchema } from '../../gen/heliopause/diplomacy/v1/view_pb.js';
import { GameCodec } from './codec.js';

export * from '../../gen/heliopause/diplomacy/v1/adjudication_pb.js';
export * from '../../gen/heliopause/diplomacy/v1/event_pb.js';
export * from '../../gen/heliopause/diplomacy/v1/map_pb.js';
export * from '../../gen/heliopause/diplomacy/v1/options_pb.js';
export * from '../../gen/heliopause/diplomacy/v1/order_pb.js';
export * from '../../gen/heliopause/diplomacy/v1/position_pb.js';
export * from '../../gen/heliopause/diplomacy/v1/table_pb.js';
export * from '../../gen/heliopause/diplomacy/v1/view_pb.js';

export const diplomacy = /*@__PURE__*/ new GameCodec('diplomacy', {
  options: OptionsSchema,
  order: OrderSchema,
  event: EventSchema,
  view: ViewSchema,
  position: PositionSchema,
});
