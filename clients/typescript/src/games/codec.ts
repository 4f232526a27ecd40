// Encodes and decodes the messages of one game in the envelope.

import {
  create,
  type DescMessage,
  fromBinary,
  type JsonObject,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import {
  type GameEvent,
  type GameOptions,
  GameOptionsSchema,
  type GameOrder,
  GameOrderSchema,
  type GamePosition,
  GamePositionSchema,
  type GameView,
} from '../../gen/heliopause/v1/envelope_pb.js';

/** The name of a game in the envelope. */
export type GameCase = NonNullable<GameView['game']['case']>;

/** Returns a game's message in proto3 JSON without the envelope, if there is one. */
export function unwrapped(game: GameCase, json: JsonObject): JsonValue {
  const { [game]: inner, ...rest } = json;
  return inner === undefined || Object.keys(rest).length > 0 ? json : inner;
}

export interface GameSchemas {
  readonly options: DescMessage;
  readonly order: DescMessage;
  readonly event: DescMessage;
  readonly view: DescMessage;
  readonly position: DescMessage;
}

type Envelope = GameOptions | GameOrder | GameEvent | GameView | GamePosition;

/**
 * Encodes and decodes one game's messages in the envelope. Decoding returns undefined if the
 * envelope is empty or contains another game.
 */
export class GameCodec<S extends GameSchemas> {
  readonly name: GameCase;
  readonly schemas: S;

  constructor(name: GameCase, schemas: S) {
    this.name = name;
    this.schemas = schemas;
  }

  view(envelope: GameView | undefined): MessageShape<S['view']> | undefined {
    return this.#read<S['view']>(this.schemas.view, envelope);
  }

  event(envelope: GameEvent | undefined): MessageShape<S['event']> | undefined {
    return this.#read<S['event']>(this.schemas.event, envelope);
  }

  options(envelope: GameOptions | undefined): MessageShape<S['options']> | undefined {
    return this.#read<S['options']>(this.schemas.options, envelope);
  }

  /** Decodes a typed order from `parse` or an offer. */
  order(envelope: GameOrder | undefined): MessageShape<S['order']> | undefined {
    return this.#read<S['order']>(this.schemas.order, envelope);
  }

  position(envelope: GamePosition | undefined): MessageShape<S['position']> | undefined {
    return this.#read<S['position']>(this.schemas.position, envelope);
  }

  /** Encodes options for a new game. */
  ofOptions(options: MessageInitShape<S['options']>): GameOptions {
    return create(GameOptionsSchema, {
      game: this.#written<S['options']>(this.schemas.options, options),
    });
  }

  ofOrder(order: MessageInitShape<S['order']>): GameOrder {
    return create(GameOrderSchema, { game: this.#written<S['order']>(this.schemas.order, order) });
  }

  /** Encodes a position for a sandbox. */
  ofPosition(position: MessageInitShape<S['position']>): GamePosition {
    return create(GamePositionSchema, {
      game: this.#written<S['position']>(this.schemas.position, position),
    });
  }

  #read<D extends DescMessage>(
    schema: D,
    envelope: Envelope | undefined,
  ): MessageShape<D> | undefined {
    const game = envelope?.game;
    return game?.case === this.name ? fromBinary(schema, game.value) : undefined;
  }

  #written<D extends DescMessage>(
    schema: D,
    message: MessageInitShape<D>,
  ): { case: GameCase; value: Uint8Array } {
    return { case: this.name, value: toBinary(schema, create(schema, message)) };
  }
}
