// The messages of Slingshot.

import { EventSchema, OptionsSchema, OrderSchema, ViewSchema } from "../../gen/heliopause/slingshot/v1/slingshot_pb.js";
import { GameCodec } from "./codec.js";

export * from "../../gen/heliopause/slingshot/v1/slingshot_pb.js";

/** Reads and writes the messages of Slingshot. */
export const slingshot = /*@__PURE__*/ new GameCodec("slingshot", {
  options: OptionsSchema,
  order: OrderSchema,
  event: EventSchema,
  view: ViewSchema,
  position: ViewSchema,
});
