import { expect, test } from 'vitest';
import { durationMs, fileOf, readScenario, stepWords } from './scenario';

const FILE = JSON.stringify({
  name: 'A duel',
  game: 'starships-at-large',
  dice: [5, 2],
  steps: [
    { seat: 1, order: 'attack A1 B1', expect: {} },
    { seat: 2, order: { fightOn: {} } },
    { repeat: 2, steps: [{ close: true }, { advance: '1d 2h' }] },
    { say: { to: [2], text: 'Hello' } },
  ],
});

test('a file is read as steps, with repeated blocks unrolled', () => {
  const scenario = readScenario(FILE);
  expect(scenario.dice).toEqual([5, 2]);
  expect(scenario.steps.map((step) => step.action.does)).toEqual([
    'order',
    'order',
    'close',
    'advance',
    'close',
    'advance',
    'say',
  ]);
  expect(stepWords(scenario.steps[1] as never)).toBe('Seat 2: {"fightOn":{}}');
});

test('recorded steps are written as a file that can be read again', () => {
  const scenario = readScenario(FILE);
  const again = readScenario(fileOf(scenario, { round: 1 }, scenario.steps.slice(0, 2)));
  expect(again.position).toEqual({ round: 1 });
  expect(again.steps.map((step) => step.source)).toEqual(
    scenario.steps.slice(0, 2).map((step) => step.source),
  );
});

test('a file for the command-line runner is rejected with a sentence', () => {
  expect(() => readScenario('{"cases": []}')).toThrow('cli-client scenario');
  expect(() => readScenario('{"steps": [{"dance": true}]}')).toThrow('"dance"');
  expect(() => readScenario('{')).toThrow('JSON');
  expect(() => readScenario('[]')).toThrow('object');
});

test('durations are parsed, with or without a unit', () => {
  expect(durationMs('26h')).toBe(26 * 36e5);
  expect(durationMs('1d 30m')).toBe(864e5 + 18e5);
  expect(() => durationMs('soon')).toThrow('is not a duration');
});
