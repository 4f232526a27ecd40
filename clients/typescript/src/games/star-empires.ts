// The messages of Star Empires.

import { EventSchema } from '../../gen/heliopause/star_empires/v1/event_pb.js';
import { OptionsSchema } from '../../gen/heliopause/star_empires/v1/options_pb.js';
import { OrderSchema } from '../../gen/heliopause/star_empires/v1/order_pb.js';
import { PositionSchema } from '../../gen/heliopause/star_empires/v1/position_pb.js';
import { ViewSchema } from '../../gen/heliopause/star_empires/v1/view_pb.js';
import { GameCodec } from './codec.js';

export * from '../../gen/heliopause/star_empires/v1/chart_pb.js';
export * from '../../gen/heliopause/star_empires/v1/event_pb.js';
export * from '../../gen/heliopause/star_empires/v1/galaxy_pb.js';
export * from '../../gen/heliopause/star_empires/v1/map_pb.js';
export * from '../../gen/heliopause/star_empires/v1/options_pb.js';
export * from '../../gen/heliopause/star_empires/v1/order_pb.js';
export * from '../../gen/heliopause/star_empires/v1/position_pb.js';
export * from '../../gen/heliopause/star_empires/v1/report_pb.js';
export * from '../../gen/heliopause/star_empires/v1/view_pb.js';

export const starEmpires = /*@__PURE__*/ new GameCodec('starEmpires', {
  options: OptionsSchema,
  order: OrderSchema,
  event: EventSchema,
  view: ViewSchema,
  position: PositionSchema,
});
