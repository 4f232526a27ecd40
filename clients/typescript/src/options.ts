// Options of games as forms: descriptors from the contract, and messages loaded on demand.

import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import type { GameOptions } from '../gen/heliopause/v1/envelope_pb.js';
import type { GameKind, OptionInfo } from '../gen/heliopause/v1/game_pb.js';
import { type GameCase, unwrapped } from './games/codec.js';

/** Options by name in proto3 JSON, with or without the envelope: `{rounds: 12}`. */
export type OptionValues = JsonObject;

const SCHEMAS: Readonly<Record<GameCase, () => Promise<DescMessage>>> = {
  diplomacy: async () =>
    (await import('../gen/heliopause/diplomacy/v1/options_pb.js')).OptionsSchema,
  starEmpires: async () =>
    (await import('../gen/heliopause/star_empires/v1/options_pb.js')).OptionsSchema,
  starshipsAtLarge: async () =>
    (await import('../gen/heliopause/starships_at_large/v1/starships_pb.js')).OptionsSchema,
  stellarConquest: async () =>
    (await import('../gen/heliopause/stellar_conquest/v1/options_pb.js')).OptionsSchema,
};

/**
 * Returns the values of options by name, or undefined if this version does not support the game.
 */
export async function valuesOf(
  options: GameOptions | undefined,
): Promise<OptionValues | undefined> {
  const game = options?.game;
  if (!game?.case) return undefined;
  const schema = await SCHEMAS[game.case]();
  const json = toJson(schema, fromBinary(schema, game.value), { useProtoFieldName: true });
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
}

/**
 * Returns the options for a new game of a kind. Missing options have their defaults. Throws a
 * `TypeError` that names a value of the wrong type. The engine checks ranges.
 */
export async function optionsOf(kind: GameKind, values: OptionValues): Promise<GameOptions> {
  const game = kind.defaultOptions?.game;
  if (!game?.case)
    throw new TypeError(
      `this client version does not support the options of ${kind.name}; update the client`,
    );
  const schema = await SCHEMAS[game.case]();
  return {
    $typeName: 'heliopause.v1.GameOptions',
    game: { case: game.case, value: encoded(schema, unwrapped(game.case, values)) },
  };
}

/**
 * Returns the default of an option in proto3 JSON, or undefined if the default depends on other
 * options.
 */
export function defaultOf({ type }: OptionInfo): OptionValues[string] | undefined {
  switch (type.case) {
    case 'flag':
    case 'number':
      return type.value.defaultValue;
    case 'word':
      return type.value.defaultValue || undefined;
    case 'shares':
      return Object.fromEntries(
        type.value.shares.map(({ name, defaultValue }) => [name, defaultValue]),
      );
    case 'names':
      return [];
    default:
      return undefined;
  }
}

function encoded(schema: DescMessage, values: JsonValue): Uint8Array {
  try {
    return toBinary(schema, fromJson(schema, values));
  } catch (error) {
    throw new TypeError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
