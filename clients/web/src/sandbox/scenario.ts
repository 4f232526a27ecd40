// Reads the steps of scenario files that the page can play.

import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { t } from '../words';

/** The action of a step. Only `cli-client scenario` checks expectations. */
export type Action =
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
  action: Action;
  note: string;
  /** What a tutorial tells the player, who takes the step; empty for other steps. */
  tell: string;
  /** The JSON of the step, for saving. */
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

/** An error for a file with a step that the page cannot play. */
export class UnsupportedScenario extends Error {}

const RUNNER_ONLY = ['let', 'extends', 'cases', 'same', 'seats'];

export function readScenario(text: string): Scenario {
  let json: JsonValue;
  try {
    json = JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new UnsupportedScenario(
      t('sandbox-not-json', { problem: error instanceof Error ? error.message : String(error) }),
    );
  }
  const file = objectOf(json, t('sandbox-the-file'));
  for (const word of RUNNER_ONLY) {
    if (word in file) {
      throw new UnsupportedScenario(t('sandbox-runner-only', { word }));
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
      const seat = objectOf(each, t('sandbox-automated-seat'));
      return {
        seat: Number(seat['seat']),
        profile: textOf(seat['profile']),
        level: textOf(seat['level']),
      };
    }),
    seed: textOf(file['seed']),
    dice: listOf(file['dice']).map(Number),
    steps: listOf(file['steps']).flatMap((each, index) =>
      stepsOf(objectOf(each, t('sandbox-step', { number: index + 1 })), index),
    ),
  };
}

/** Returns the steps of a file's entry. A block is unrolled. */
function stepsOf(source: JsonObject, index: number): Step[] {
  const times = Number(source['repeat'] ?? 1);
  if (Array.isArray(source['steps'])) {
    const inner = source['steps'].flatMap((each) =>
      stepsOf(objectOf(each, t('sandbox-step', { number: index + 1 })), index),
    );
    return Array.from({ length: times }, () => inner).flat();
  }
  const step = {
    action: actionOf(source, index),
    note: textOf(source['note'] ?? source['tell']),
    tell: textOf(source['tell']),
    source,
  };
  return Array.from({ length: times }, () => step);
}

function actionOf(step: JsonObject, index: number): Action {
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
    return { does: 'advance', ms: durationMs(textOf(step['advance'])) };
  if (step['close'] === true) return { does: 'close' };
  if (typeof step['master'] === 'string') return { does: 'master', text: step['master'] };
  const known = ['expect', 'note', 'tell', 'settle', 'await', 'seat', 'repeat'];
  const odd = Object.keys(step).find((word) => !known.includes(word));
  if (odd !== undefined)
    throw new UnsupportedScenario(t('sandbox-unknown-step', { number: index + 1, word: odd }));
  return { does: 'nothing' };
}

const UNITS: Record<string, number> = { s: 1e3, m: 6e4, min: 6e4, h: 36e5, d: 864e5 };

/** Parses a duration such as "26h", "90s" or "1d 2h". */
export function durationMs(text: string): number {
  let all = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(min|[smhd])/g)) {
    all += Number(number) * (UNITS[unit ?? 's'] ?? 0);
  }
  if (all === 0) throw new UnsupportedScenario(t('sandbox-no-duration', { text }));
  return all;
}

export function stepWords({ action }: Step): string {
  switch (action.does) {
    case 'order':
      return t('sandbox-step-orders', {
        seat: action.seat,
        orders: action.orders
          .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
          .join('; '),
      });
    case 'validate':
      return t('sandbox-step-tries', { seat: action.seat, orders: action.text || '–' });
    case 'ready':
      return action.ready
        ? t('sandbox-step-ready', { seat: action.seat })
        : t('sandbox-step-not-ready', { seat: action.seat });
    case 'say':
      return action.seat === undefined
        ? t('sandbox-step-master-writes', { text: action.text })
        : t('sandbox-step-writes', { seat: action.seat, text: action.text });
    case 'resign':
      return t('sandbox-step-resigns', { seat: action.seat });
    case 'dice':
      return t('sandbox-step-dice', { dice: action.dice.join(' ') });
    case 'advance':
      return t('sandbox-step-clock', { count: action.ms / 36e5 });
    case 'close':
      return t('sandbox-step-close');
    case 'master':
      return t('sandbox-step-master', { text: action.text });
    case 'nothing':
      return t('sandbox-step-looks');
  }
}

/** Writes the applied steps as a file for `cli-client scenario`. */
export function fileOf(
  scenario: Pick<Scenario, 'name' | 'game' | 'dice'>,
  position: JsonValue,
  steps: readonly Step[],
): string {
  const file = {
    name: scenario.name || t('sandbox-my-steps'),
    game: scenario.game,
    position,
    ...(scenario.dice.length > 0 ? { dice: scenario.dice } : {}),
    steps: steps.map((step) => step.source),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function objectOf(value: JsonValue | undefined, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnsupportedScenario(t('sandbox-must-be-object', { what }));
  }
  return value;
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
