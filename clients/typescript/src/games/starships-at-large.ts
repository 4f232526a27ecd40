// The messages of Starships at Large.

import {
  EventSchema,
  OptionsSchema,
  OrderSchema,
  PositionSchema,
  ViewSchema,
} from '../../gen/heliopause/starships_at_large/v1/starships_pb.js';
import { GameCodec } from './codec.js';

export * from '../../gen/heliopause/starships_at_large/v1/starships_pb.js';

export const starshipsAtLarge = /*@__PURE__*/ new GameCodec('starshipsAtLarge', {
  options: OptionsSchema,
  order: OrderSchema,
  event: EventSchema,
  view: ViewSchema,
  position: PositionSchema,
});
