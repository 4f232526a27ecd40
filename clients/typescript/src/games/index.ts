// The messages of all games. Pages should load the module of a single game instead, on demand.

import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import type {
  GameEvent,
  GameOptions,
  GameOrder,
  GamePosition,
  GameView,
} from '../../gen/heliopause/v1/envelope_pb.js';
import { type GameCase, GameCodec, type GameSchemas, unwrapped } from './codec.js';
import { diplomacy } from './diplomacy.js';
import { starEmpires } from './star-empires.js';
import { starshipsAtLarge } from './starships-at-large.js';
import { stellarConquest } from './stellar-conquest.js';

export {
  diplomacy,
  type GameCase,
  GameCodec,
  type GameSchemas,
  starEmpires,
  starshipsAtLarge,
  stellarConquest,
};

const GAMES: Readonly<Record<GameCase, GameSchemas>> = {
  diplomacy: diplomacy.schemas,
  starEmpires: starEmpires.schemas,
  starshipsAtLarge: starshipsAtLarge.schemas,
  stellarConquest: stellarConquest.schemas,
};

/** The kind of message in an envelope, such as `options`. */
export type Content = keyof GameSchemas;

type Envelope = GameOptions | GameOrder | GameEvent | GameView | GamePosition;

/** Converts an envelope to proto3 JSON: `{"diplomacy": {...}}`, or undefined if unknown. */
export function gameJson(content: Content, envelope: Envelope | undefined): JsonObject | undefined {
  const game = envelope?.game;
  if (!game?.case) return undefined;
  const schema = GAMES[game.case][content];
  return { [game.case]: toJson(schema, fromBinary(schema, game.value)) };
}

/**
 * Converts proto3 JSON, such as `{"diplomacy": {...}}`, to an envelope for a request. If `game` is
 * given, the JSON may lack the envelope.
 */
export function gameOfJson(
  content: Content,
  json: JsonObject,
  game?: GameCase,
): { game: { case: GameCase; value: Uint8Array } } {
  const entries = Object.entries(game ? { [game]: unwrapped(game, json) } : json);
  const [name, value] = entries[0] ?? [];
  if (entries.length !== 1 || name === undefined || value === undefined || !isGame(name)) {
    throw new TypeError(`expected exactly one of these games: ${Object.keys(GAMES).join(', ')}`);
  }
  return { game: { case: name, value: encoded(GAMES[name][content], value) } };
}

function encoded(schema: DescMessage, json: JsonValue): Uint8Array {
  return toBinary(schema, fromJson(schema, json));
}

function isGame(name: string): name is GameCase {
  return name in GAMES;
}
