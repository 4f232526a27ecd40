// Scenario files: what of them the page can play by itself, step by step.

import type { JsonObject, JsonValue } from '@bufbuild/protobuf';

/** What a step of a file does; what it expects is the runner's business. */
export type Deed =
  | { does: 'order'; seat: number; orders: (string | JsonObject)[] }
  | { does: 'validate'; seat: number; text: string }
  | { does: 'ready'; seat: number; ready: boolean }
  | {
      does: 'say';
      seat: number | undefined;
      to: number[];
      anonymous: boolean;
      toGameMaster: boolean;
      text: string;
    }
  | { does: 'resign'; seat: number }
  | { does: 'dice'; dice: number[]; replace: boolean }
  | { does: 'advance'; ms: number }
  | { does: 'close' }
  | { does: 'master'; text: string }
  | { does: 'nothing' };

export interface Step {
  deed: Deed;
  note: string;
  /** The step as the file has it, for saving. */
  source: JsonObject;
}

export interface Scenario {
  name: string;
  game: string;
  players: number | undefined;
  position: JsonObject | undefined;
  options: JsonObject | undefined;
  pace: JsonObject | undefined;
  automated: { seat: number; profile: string; level: string }[];
  seed: string;
  dice: number[];
  steps: Step[];
}

/** Something in a file that this page cannot play. */
export class Unplayable extends Error {}

const RUNNERS = ['let', 'extends', 'cases', 'same', 'seats'];

/** Reads a file. */
export function readScenario(text: string): Scenario {
  let json: JsonValue;
  try {
    json = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new Unplayable(`This is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  const file = objectOf(json, 'The file');
  for (const word of RUNNERS) {
    if (word in file) {
      throw new Unplayable(`"${word}" is for \`cli-client scenario\`, which runs this file.`);
    }
  }
  return {
    name: textOf(file['name']),
    game: textOf(file['game']),
    players: file['players'] === undefined ? undefined : Number(file['players']),
    position: file['position'] === undefined ? undefined : objectOf(file['position'], '"position"'),
    options: file['options'] === undefined ? undefined : objectOf(file['options'], '"options"'),
    pace: file['pace'] === undefined ? undefined : objectOf(file['pace'], '"pace"'),
    automated: listOf(file['automated']).map((each) => {
      const seat = objectOf(each, 'An automated seat');
      return {
        seat: Number(seat['seat']),
        profile: textOf(seat['profile']),
        level: textOf(seat['level']),
      };
    }),
    seed: textOf(file['seed']),
    dice: listOf(file['dice']).map(Number),
    steps: listOf(file['steps']).flatMap((each, index) =>
      stepsOf(objectOf(each, `Step ${index + 1}`), index),
    ),
  };
}

/** The steps that one of the file becomes: a block is unrolled. */
function stepsOf(source: JsonObject, index: number): Step[] {
  const times = Number(source['repeat'] ?? 1);
  if (Array.isArray(source['steps'])) {
    const inner = source['steps'].flatMap((each) =>
      stepsOf(objectOf(each, `Step ${index + 1}`), index),
    );
    return Array.from({ length: times }, () => inner).flat();
  }
  const step = {
    deed: deedOf(source, index),
    note: textOf(source['note'] ?? source['tell']),
    source,
  };
  return Array.from({ length: times }, () => step);
}

function deedOf(step: JsonObject, index: number): Deed {
  const seat = Number(step['seat'] ?? 0);
  const orders = (value: JsonValue) =>
    (Array.isArray(value) ? value : [value]) as (string | JsonObject)[];
  if (step['order'] !== undefined) return { does: 'order', seat, orders: orders(step['order']) };
  if (step['orders'] !== undefined) return { does: 'order', seat, orders: orders(step['orders']) };
  if (step['validate'] !== undefined) {
    return { does: 'validate', seat, text: orders(step['validate']).map(String).join('\n') };
  }
  if (step['ready'] !== undefined) return { does: 'ready', seat, ready: step['ready'] === true };
  if (step['say'] !== undefined) {
    const say = objectOf(step['say'], '"say"');
    return {
      does: 'say',
      seat: step['seat'] === undefined ? undefined : seat,
      to: listOf(say['to']).map(Number),
      anonymous: say['anonymous'] === true,
      toGameMaster: say['toGameMaster'] === true,
      text: textOf(say['text']),
    };
  }
  if (step['resign'] === true) return { does: 'resign', seat };
  if (step['dice'] !== undefined)
    return { does: 'dice', dice: listOf(step['dice']).map(Number), replace: false };
  if (step['advance'] !== undefined)
    return { does: 'advance', ms: spanMs(textOf(step['advance'])) };
  if (step['close'] === true) return { does: 'close' };
  if (typeof step['master'] === 'string') return { does: 'master', text: step['master'] };
  const known = ['expect', 'note', 'tell', 'settle', 'await', 'seat', 'repeat'];
  const odd = Object.keys(step).find((word) => !known.includes(word));
  if (odd !== undefined) throw new Unplayable(`Step ${index + 1}: this page does not do "${odd}".`);
  return { does: 'nothing' };
}

const UNITS: Record<string, number> = { s: 1e3, m: 6e4, min: 6e4, h: 36e5, d: 864e5 };

/** "26h", "90s", "1d 2h". */
export function spanMs(text: string): number {
  let all = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(min|[smhd])/g)) {
    all += Number(number) * (UNITS[unit ?? 's'] ?? 0);
  }
  if (all === 0) throw new Unplayable(`"${text}" is no span of time; write 26h.`);
  return all;
}

/** A step in words. */
export function stepWords({ deed }: Step): string {
  switch (deed.does) {
    case 'order':
      return `Seat ${deed.seat}: ${deed.orders.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('; ')}`;
    case 'validate':
      return `Seat ${deed.seat} tries: ${deed.text || 'nothing'}`;
    case 'ready':
      return `Seat ${deed.seat} is ${deed.ready ? '' : 'not '}ready`;
    case 'say':
      return `${deed.seat === undefined ? 'The game master' : `Seat ${deed.seat}`} writes: ${deed.text}`;
    case 'resign':
      return `Seat ${deed.seat} resigns`;
    case 'dice':
      return `Dice: ${deed.dice.join(' ')}`;
    case 'advance':
      return `The clock goes on by ${deed.ms / 36e5} hours`;
    case 'close':
      return 'The phase closes';
    case 'master':
      return `Game master: ${deed.text}`;
    case 'nothing':
      return 'Looks';
  }
}

/** What was done as a file, which `cli-client scenario` runs. */
export function written(
  scenario: Pick<Scenario, 'name' | 'game' | 'dice'>,
  position: JsonValue,
  steps: readonly Step[],
): string {
  const file = {
    name: scenario.name || 'What I did',
    game: scenario.game,
    position,
    ...(scenario.dice.length > 0 ? { dice: scenario.dice } : {}),
    steps: steps.map((step) => step.source),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function objectOf(value: JsonValue | undefined, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unplayable(`${what} must be an object.`);
  }
  return value;
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
