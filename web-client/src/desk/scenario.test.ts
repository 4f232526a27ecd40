import { expect, test } from 'vitest';
import { readScenario, spanMs, stepWords, written } from './scenario';

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

test('a file becomes steps, its blocks unrolled', () => {
  const scenario = readScenario(FILE);
  expect(scenario.dice).toEqual([5, 2]);
  expect(scenario.steps.map((step) => step.deed.does)).toEqual([
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

test('what was done is written as a file that reads back', () => {
  const scenario = readScenario(FILE);
  const again = readScenario(written(scenario, { round: 1 }, scenario.steps.slice(0, 2)));
  expect(again.position).toEqual({ round: 1 });
  expect(again.steps.map((step) => step.source)).toEqual(
    scenario.steps.slice(0, 2).map((step) => step.source),
  );
});

test('what only the runner can do is refused with a sentence', () => {
  expect(() => readScenario('{"cases": []}')).toThrow('cli-client scenario');
  expect(() => readScenario('{"steps": [{"dance": true}]}')).toThrow('"dance"');
  expect(() => readScenario('{')).toThrow('JSON');
  expect(() => readScenario('[]')).toThrow('object');
});

test('spans of time', () => {
  expect(spanMs('26h')).toBe(26 * 36e5);
  expect(spanMs('1d 30m')).toBe(864e5 + 18e5);
  expect(() => spanMs('soon')).toThrow('no span');
});
