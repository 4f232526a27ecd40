import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { EventSchema, GameSchema, PaceSchema } from './engine/contract';
import { count, isNews, paceWords, sleepWords, span } from './words';

test('spans have two units at most', () => {
  expect(span(5)).toBe('5 s');
  expect(span(65)).toBe('1 min 5 s');
  expect(span(3_700)).toBe('1 h 1 min');
  expect(span(90_000)).toBe('1 d 1 h');
  expect(span(-3)).toBe('0 s');
});

test('a pace is told in words', () => {
  expect(paceWords(undefined)).toBe('No deadlines');
  const interval = { seconds: 86_400n, nanos: 0 };
  const pace = create(PaceSchema, { standard: { interval, atMinute: 20 * 60 } });
  expect(paceWords(pace)).toBe('1 d, at 20:00; missing orders take the defaults');
});

test('a game that sleeps says what wakes it', () => {
  const automated = { case: 'automated' as const, value: { profile: 'power' } };
  const seats = [
    { number: 1, occupant: automated, vacant: true },
    { number: 2, occupant: automated },
  ];
  const automationSleepTime = { seconds: 1n };
  expect(sleepWords(create(GameSchema, { seats }))).toBe('');
  const left = create(GameSchema, { seats, automationSleepTime });
  expect(sleepWords(left)).toContain('until somebody takes a seat over');
  const led = create(GameSchema, { seats, automationSleepTime, gameMaster: 'Ann' });
  const player = { number: 3, occupant: { case: 'player' as const, value: 'Bob' } };
  const played = create(GameSchema, { seats: [...seats, player], automationSleepTime });
  for (const game of [led, played]) expect(sleepWords(game)).toContain('because nobody looked');
});

test('housekeeping is no news', () => {
  const told = (body: object) =>
    isNews(create(EventSchema, { text: 'A sentence.', body: body as never }));
  expect(told({ case: 'flagsChanged', value: {} })).toBe(false);
  expect(told({ case: 'statusChanged', value: {} })).toBe(true);
  expect(count(1, 'entry', 'entries')).toBe('1 entry');
  expect(count(2n, 'entry', 'entries')).toBe('2 entries');
});
