import { create } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { EventSchema, GameSchema, PaceSchema, PhaseSchema } from '../engine/contract';
import {
  headline,
  isNews,
  listed,
  paceWords,
  peopleWords,
  phaseNames,
  pointsTitle,
  pointsWords,
  span,
  suspensionWords,
} from './format';

test('durations have at most two units', () => {
  expect(span(5)).toBe('5 s');
  expect(span(65)).toBe('1 min 5 s');
  expect(span(3_700)).toBe('1 h 1 min');
  expect(span(90_000)).toBe('1 d 1 h');
  expect(span(-3)).toBe('0 s');
});

test('a pace is described in words', () => {
  expect(paceWords(undefined)).toBe('No deadlines');
  const interval = { seconds: 86_400n, nanos: 0 };
  const pace = create(PaceSchema, { standard: { interval, atMinute: 20 * 60 } });
  expect(paceWords(pace)).toBe('1 d, at 20:00; missing orders are replaced by defaults');
});

test('a game with suspended automation tells when it resumes', () => {
  const automated = { case: 'automated' as const, value: { profile: 'power' } };
  const seats = [
    { number: 1, occupant: automated, vacant: true },
    { number: 2, occupant: automated },
  ];
  const automationSuspendTime = { seconds: 1n };
  expect(suspensionWords(create(GameSchema, { seats }))).toBe('');
  const left = create(GameSchema, { seats, automationSuspendTime });
  expect(suspensionWords(left)).toContain('until a player takes over a seat');
  const led = create(GameSchema, { seats, automationSuspendTime, gameMaster: 'Ann' });
  const player = { number: 3, occupant: { case: 'player' as const, value: 'Bob' } };
  const played = create(GameSchema, { seats: [...seats, player], automationSuspendTime });
  const standIn = { profile: 'power' };
  const absent = create(GameSchema, { seats: [{ ...player, standIn }], automationSuspendTime });
  expect(suspensionWords(absent)).toContain('until a player takes over a seat');
  for (const game of [led, played])
    expect(suspensionWords(game)).toContain('because the game had no viewers');
});

test('housekeeping events are not shown as news', () => {
  const isShown = (body: object) =>
    isNews(create(EventSchema, { text: 'A sentence.', body: body as never }));
  expect(isShown({ case: 'flagsChanged', value: {} })).toBe(false);
  expect(isShown({ case: 'statusChanged', value: {} })).toBe(true);
});

test('a result is a sentence', () => {
  const seats = ['Austria', 'England', 'France'].map((role, index) => ({
    number: index + 1,
    role,
  }));
  const result = (outcome: object, yourSeat?: number) =>
    headline(create(GameSchema, { seats, outcome, ...(yourSeat ? { yourSeat } : {}) }));
  expect(result({ winners: [1, 2], draw: true })).toBe('A draw between Austria and England');
  expect(result({ winners: [1, 2, 3], draw: true }, 1)).toBe(
    'A draw between Austria, England and France',
  );
  expect(result({ winners: [2] })).toBe('England wins');
  expect(result({ winners: [2] }, 2)).toBe('You win');
  expect(result({ winners: [1, 2, 3] })).toBe('Austria, England and France win');
  expect(result({ winners: [] })).toBe('No winner');
  expect(listed([])).toBe('');
  expect(pointsTitle('point')).toBe('Points');
  expect(pointsTitle('credit')).toBe('Points (credit)');
  expect([pointsWords(244n, 1), pointsWords(-3n, 0)]).toEqual(['24.4', '-3']);
});

test('phases with the same title have different names', () => {
  const seats = [
    { number: 1, role: 'Player A' },
    { number: 2, role: 'Player B' },
  ];
  const game = create(GameSchema, { seats });
  const names = (...phases: [string, number?][]) =>
    phaseNames(
      game,
      phases.map(([title, onTurn], index) =>
        create(PhaseSchema, { number: BigInt(index + 1), title, ...(onTurn ? { onTurn } : {}) }),
      ),
    );
  expect(names(['round 1', 1], ['round 3', 1], ['round 3', 2])).toEqual([
    'round 1',
    'round 3, Player A',
    'round 3, Player B',
  ]);
  expect(names(['round 3', 1], ['round 3', 1], ['round 3', 2])).toEqual([
    'round 3, Player A, phase 1',
    'round 3, Player A, phase 2',
    'round 3, Player B',
  ]);
  expect(names(['Spring 1901'], ['Fall 1901'])).toEqual(['Spring 1901', 'Fall 1901']);
});

test('a card names the players of a game', () => {
  const seat = (number: number, occupant: object) => ({ number, occupant: occupant as never });
  const player = (value: string) => ({ case: 'player', value });
  const mixed = create(GameSchema, {
    yourSeat: 2,
    seats: [
      seat(1, player('Ann')),
      seat(2, player('Bob')),
      seat(3, player('')),
      seat(4, { case: 'reservedFor', value: 'Cem' }),
      seat(5, { case: 'automated', value: {} }),
      seat(6, { case: 'open', value: {} }),
    ],
  });
  expect(peopleWords(mixed).join(', ')).toBe(
    'Ann, you, a player, Cem (invited), 1 automated, 1 open',
  );
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  const many = names.map((name, index) => seat(index + 1, player(name)));
  expect(peopleWords(create(GameSchema, { seats: many })).join(', ')).toBe('A, B, C, D, 2 more');
});
