// Formats a game's options from their descriptors.

import type { DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { optionsOf, valuesOf } from '@heliopause/client/options';
import type { GameKind, GameOptions, OptionInfo } from './engine/contract';
import { t } from './words';

/** The values of a form that differ from the defaults, by option name. */
export type Values = Readonly<Record<string, JsonValue>>;

export { optionsOf };

/** Loads the descriptor of the options of a kind; undefined if this version lacks the game. */
export async function schemaOf(kind: GameKind): Promise<DescMessage | undefined> {
  const { GameCodec, ...games } = await import('@heliopause/client/games');
  const name = kind.defaultOptions?.game.case;
  const found = Object.values(games).find(
    (each) => each instanceof GameCodec && each.name === name,
  );
  return found instanceof GameCodec ? found.schemas.options : undefined;
}

/** Formats the name of an option: "max_rounds" is "Max rounds". */
export function optionName(info: OptionInfo): string {
  const words = info.name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function defaultWords(info: OptionInfo): string {
  const { type } = info;
  if (info.defaultText !== '') return info.defaultText;
  switch (type.case) {
    case 'flag':
      return type.value.defaultValue === undefined ? '' : flagWord(type.value.defaultValue);
    case 'number':
      return numberWords(info, type.value.defaultValue);
    case 'word':
      return meaningOf(info, type.value.defaultValue);
    default:
      return '';
  }
}

function flagWord(flag: boolean): string {
  return flag ? t('people-rated-yes') : t('people-rated-no');
}

function numberWords(info: OptionInfo, value: number | undefined): string {
  if (value === undefined) return '';
  const zero = info.type.case === 'number' ? info.type.value.zero : '';
  return value === 0 && zero !== '' ? zero : String(value);
}

function meaningOf(info: OptionInfo, value: string): string {
  if (info.type.case !== 'word') return value;
  return info.type.value.words.find((word) => word.value === value)?.meaning ?? value;
}

/** Formats the options that differ from the defaults: "Rounds: 14". */
export async function optionsInWords(
  kind: GameKind,
  options: GameOptions | undefined,
): Promise<string[]> {
  const values = (await valuesOf(options)) ?? {};
  const defaults = (await valuesOf(kind.defaultOptions)) ?? {};
  const words: string[] = [];
  for (const info of kind.options) {
    const value = values[info.name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(defaults[info.name]))
      continue;
    words.push(`${optionName(info)}: ${valueInWords(info, value)}`);
  }
  return words;
}

function valueInWords(info: OptionInfo, value: JsonValue): string {
  const { type } = info;
  if (typeof value === 'boolean') return flagWord(value);
  if (type.case === 'number') return numberWords(info, Number(value));
  if (type.case === 'word') return meaningOf(info, String(value));
  if (Array.isArray(value)) return value.join(', ');
  if (type.case === 'shares' && typeof value === 'object' && value !== null) {
    return type.value.shares
      .map((share) => `${(value as JsonObject)[share.name] ?? 0} ${share.label || share.name}`)
      .join(', ');
  }
  return typeof value === 'object' ? t('words-custom') : String(value);
}
