// An engine that lies: a front changes every answer on its way, so that hostile texts stand wherever
// the page shows one. (The engine itself refuses most of them where they are written.)

import { type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import {
  AdminService,
  GameService,
  PlayerService,
  SandboxService,
} from '@heliopause/client/contract';

/** Fields that hold words for people. All others are names for programs. */
const WORDS = new Set([
  'fault',
  'failure',
  'game_master',
  'help',
  'host',
  'initials',
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

/** Messages whose names programs go by. */
const NAMED = new Set(
  ['Slot', 'OptionInfo', 'OptionShare', 'Metric'].map((name) => `heliopause.v1.${name}`),
);

type Lie = (text: string, field: string) => string;

/** The message that a call answers with, by the path of the call. */
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

/** Changes the words in the answer to a call; other answers stay. */
export function lying(lie: Lie): (path: string, message: Uint8Array) => Uint8Array {
  return (path, bytes) => {
    const schema = answerOf(path);
    if (!schema) return bytes;
    const message = fromBinary(schema, bytes);
    twist(reflect(schema, message), lie);
    return toBinary(schema, message);
  };
}
