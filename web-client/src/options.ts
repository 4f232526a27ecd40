// The options of a game as its descriptors tell them: values of a form, messages, and words.

import { fromJson, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf';
import {
  type GameKind,
  type GameOptions,
  GameOptionsSchema,
  type OptionInfo,
} from './engine/contract';

/** The values of a form: what differs from the defaults, by the option's name. */
export type Values = Readonly<Record<string, JsonValue>>;

/** The field of the envelope that a kind's options stand in. */
export function envelopeField(kind: GameKind): string | undefined {
  return kind.defaultOptions && Object.keys(plain(kind.defaultOptions))[0];
}

function plain(options: GameOptions): JsonObject {
  return toJson(GameOptionsSchema, options, { useProtoFieldName: true }) as JsonObject;
}

/** The options that a form's values make. */
export function optionsOf(kind: GameKind, values: Values): GameOptions | undefined {
  const field = envelopeField(kind);
  if (field === undefined || Object.keys(values).length === 0) return undefined;
  return fromJson(GameOptionsSchema, { [field]: { ...values } });
}

/** The values of a game's options. */
export function valuesOf(kind: GameKind, options: GameOptions | undefined): Values {
  const field = envelopeField(kind);
  if (field === undefined || !options) return {};
  return (plain(options)[field] ?? {}) as Values;
}

/** A short name of an option: "max_rounds" is "Max rounds". */
export function optionName(info: OptionInfo): string {
  const words = info.name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The default of an option, in words. */
export function defaultWords(info: OptionInfo): string {
  const { type } = info;
  if (info.unsaid !== '') return info.unsaid;
  switch (type.case) {
    case 'flag':
      return type.value.defaultValue === undefined ? '' : type.value.defaultValue ? 'yes' : 'no';
    case 'number':
      return numberWords(info, type.value.defaultValue);
    case 'word':
      return meaningOf(info, type.value.defaultValue);
    default:
      return '';
  }
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

/** What a game's options say where they differ from the defaults: "Rounds: 14". */
export function optionsInWords(kind: GameKind, options: GameOptions | undefined): string[] {
  const values = valuesOf(kind, options);
  const defaults = valuesOf(kind, kind.defaultOptions);
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
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (type.case === 'number') return numberWords(info, Number(value));
  if (type.case === 'word') return meaningOf(info, String(value));
  if (Array.isArray(value)) return value.join(', ');
  if (type.case === 'shares' && typeof value === 'object' && value !== null) {
    return type.value.shares
      .map((share) => `${(value as JsonObject)[share.name] ?? 0} ${share.label || share.name}`)
      .join(', ');
  }
  return typeof value === 'object' ? 'as set' : String(value);
}
