// Changes every response on its way to the page, so that hostile text appears everywhere. The
// engine rejects most of this text as input.

import { type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import {
  AdminService,
  GameService,
  PlayerService,
  SandboxService,
} from '@heliopause/client/contract';

/** Fields with displayed text. All others are identifiers. */
const WORDS = new Set([
  'fault',
  'failure',
  'game_master',
  'help',
  'host',
  'first_characters',
  'label',
  'labels',
  'meaning',
  'message',
  'name',
  'off_because',
  'operator_pause',
  'phrase',
  'player',
  'progress',
  'prompt',
  'reserved_for',
  'role',
  'sentence',
  'summary',
  'text',
  'title',
  'unit',
  'why',
  'worker',
]);

const SERVICES = [AdminService, GameService, PlayerService, SandboxService];

/** Messages whose names are identifiers. */
const NAMED = new Set(
  ['Slot', 'OptionInfo', 'OptionShare', 'Metric'].map((name) => `heliopause.v1.${name}`),
);

type Lie = (text: string, field: string) => string;

function answerOf(path: string): DescMessage | undefined {
  const [, service, method] = path.split('/');
  return SERVICES.find(({ typeName }) => typeName === service)?.methods.find(
    ({ name }) => name === method,
  )?.output;
}

function twist(message: ReturnType<typeof reflect>, lie: Lie): void {
  for (const field of message.sortedFields) {
    if (!message.isSet(field)) continue;
    const isWords =
      WORDS.has(field.name) && !(field.name === 'name' && NAMED.has(message.desc.typeName));
    if (field.fieldKind === 'message') twist(message.get(field), lie);
    else if (field.fieldKind === 'scalar' && isWords) {
      const value = message.get(field);
      if (typeof value === 'string' && value !== '') message.set(field, lie(value, field.name));
    } else if (field.fieldKind === 'list') {
      const list = message.get(field);
      for (let at = 0; at < list.size; at += 1) {
        const value = list.get(at);
        if (field.listKind === 'message') twist(value as ReturnType<typeof reflect>, lie);
        else if (typeof value === 'string' && isWords) list.set(at, lie(value, field.name));
      }
    } else if (field.fieldKind === 'map' && field.mapKind === 'message') {
      for (const value of message.get(field).values())
        twist(value as ReturnType<typeof reflect>, lie);
    }
  }
}

/** Returns a function that changes the text in responses of known calls. */
export function withHostileTexts(lie: Lie): (path: string, message: Uint8Array) => Uint8Array {
  return (path, bytes) => {
    const schema = answerOf(path);
    if (!schema) return bytes;
    const message = fromBinary(schema, bytes);
    twist(reflect(schema, message), lie);
    return toBinary(schema, message);
  };
}
