// How the messages of one game travel in the envelope.

import {
  create,
  type DescMessage,
  fromBinary,
  type JsonObject,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  type GameEvent,
  type GameOptions,
  GameOptionsSchema,
  type GameOrder,
  GameOrderSchema,
  type GamePosition,
  GamePositionSchema,
  type GameView,
} from "../../gen/heliopause/v1/envelope_pb.js";

/** A game's place in the envelope. */
export type GameCase = NonNullable<GameView["game"]["case"]>;

/** A game's own message in proto3 JSON, without the envelope that may be around it. */
export function unwrapped(game: GameCase, json: JsonObject): JsonValue {
  const { [game]: inner, ...rest } = json;
  return inner === undefined || Object.keys(rest).length > 0 ? json : inner;
}

/** The messages of one game. */
export interface GameSchemas {
  readonly options: DescMessage;
  readonly order: DescMessage;
  readonly event: DescMessage;
  readonly view: DescMessage;
  readonly position: DescMessage;
}

type Envelope = GameOptions | GameOrder | GameEvent | GameView | GamePosition;

/**
 * The way of one game's messages into the envelope and out of it. What is read is absent if there is nothing, or something of
 * another game.
 */
export class GameCodec<S extends GameSchemas> {
  /** Its place in the envelope. */
  readonly name: GameCase;
  readonly schemas: S;

  constructor(name: GameCase, schemas: S) {
    this.name = name;
    this.schemas = schemas;
  }

  /** What a viewer may know. */
  view(envelope: GameView | undefined): MessageShape<S["view"]> | undefined {
    return this.#read<S["view"]>(this.schemas.view, envelope);
  }

  /** What happened. */
  event(envelope: GameEvent | undefined): MessageShape<S["event"]> | undefined {
    return this.#read<S["event"]>(this.schemas.event, envelope);
  }

  /** The rules options. */
  options(envelope: GameOptions | undefined): MessageShape<S["options"]> | undefined {
    return this.#read<S["options"]>(this.schemas.options, envelope);
  }

  /** A typed order, such as `parse` and offers have them. */
  order(envelope: GameOrder | undefined): MessageShape<S["order"]> | undefined {
    return this.#read<S["order"]>(this.schemas.order, envelope);
  }

  /** A whole position. */
  position(envelope: GamePosition | undefined): MessageShape<S["position"]> | undefined {
    return this.#read<S["position"]>(this.schemas.position, envelope);
  }

  /** Rules options for a new game. */
  ofOptions(options: MessageInitShape<S["options"]>): GameOptions {
    return create(GameOptionsSchema, { game: this.#written<S["options"]>(this.schemas.options, options) });
  }

  /** An order to give. */
  ofOrder(order: MessageInitShape<S["order"]>): GameOrder {
    return create(GameOrderSchema, { game: this.#written<S["order"]>(this.schemas.order, order) });
  }

  /** A position for a sandbox. */
  ofPosition(position: MessageInitShape<S["position"]>): GamePosition {
    return create(GamePositionSchema, { game: this.#written<S["position"]>(this.schemas.position, position) });
  }

  #read<D extends DescMessage>(schema: D, envelope: Envelope | undefined): MessageShape<D> | undefined {
    const game = envelope?.game;
    return game?.case === this.name ? fromBinary(schema, game.value) : undefined;
  }

  #written<D extends DescMessage>(schema: D, message: MessageInitShape<D>): { case: GameCase; value: Uint8Array } {
    return { case: this.name, value: toBinary(schema, create(schema, message)) };
  }
}
