// What things are called.

import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';
import {
  DelegationRule,
  type Event,
  type Game,
  GameStatus,
  MissedDeadline,
  type Pace,
  type PhasePace,
  type Seat,
  VoteSubject,
} from './engine/contract';

export function count(number: number | bigint, one: string, many = `${one}s`): string {
  return `${number} ${Number(number) === 1 ? one : many}`;
}

export function capital(text: string): string {
  return text === '' ? text : text[0]?.toUpperCase() + text.slice(1);
}

/** An instant in milliseconds. */
export function msOf(time: Timestamp | undefined): number | undefined {
  return time && Number(time.seconds) * 1000 + time.nanos / 1e6;
}

export function durationMs(duration: Duration | undefined): number | undefined {
  return duration && Number(duration.seconds) * 1000 + duration.nanos / 1e6;
}

const DAY = 86_400;

/** A stretch of time in its two largest units: "1 d 4 h". */
export function span(seconds: number): string {
  const rest = Math.max(0, Math.floor(seconds));
  const days = Math.floor(rest / DAY);
  const hours = Math.floor((rest % DAY) / 3600);
  const minutes = Math.floor((rest % 3600) / 60);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes > 0)
    return rest % 60 > 0 && minutes < 10 ? `${minutes} min ${rest % 60} s` : `${minutes} min`;
  return `${rest} s`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const dated = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** An instant for people: the time alone if it is today. */
export function instant(ms: number | undefined, now = Date.now()): string {
  if (ms === undefined) return '';
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dated).format(ms);
}

const STATUS: Record<GameStatus, string> = {
  [GameStatus.UNSPECIFIED]: '',
  [GameStatus.FORMING]: 'gathering players',
  [GameStatus.REVEALING]: 'about to start',
  [GameStatus.RUNNING]: 'running',
  [GameStatus.PAUSED]: 'paused',
  [GameStatus.ENDED]: 'over',
  [GameStatus.CANCELLED]: 'cancelled',
};

export function statusWord(status: GameStatus): string {
  return STATUS[status] ?? '';
}

/** Why automation sleeps, and what wakes it; empty if it does not. */
export function sleepWords(game: Game): string {
  if (!game.automationSleepTime) return '';
  const isLeft =
    game.seats.some(({ vacant }) => vacant) &&
    !game.seats.some(({ occupant }) => occupant.case === 'player') &&
    game.gameMaster === '';
  return isLeft
    ? 'All players have left. Automation sleeps until somebody takes a seat over.'
    : 'Automation sleeps, because nobody looked for a while. It wakes when somebody who is signed in looks.';
}

/** Who has a seat. */
export function occupantOf(seat: Seat): string {
  const { occupant } = seat;
  switch (occupant.case) {
    case 'open':
      return 'open';
    case 'reservedFor':
      return `kept for ${occupant.value}`;
    case 'player':
      return occupant.value || 'a player';
    case 'automated':
      return `${occupant.value.profile} (${occupant.value.level || 'standard'})`;
    default:
      return '';
  }
}

/** What a seat is called: its role, and who plays it. */
export function seatName(game: Game | undefined, number: number | undefined): string {
  if (!number) return 'nobody';
  return game?.seats.find((seat) => seat.number === number)?.role || `Seat ${number}`;
}

/** The role with its player behind it, where there is one. */
export function seatWithPlayer(game: Game | undefined, number: number): string {
  const seat = game?.seats.find((each) => each.number === number);
  const player = seat?.occupant.case === 'player' ? seat.occupant.value : '';
  const role = seatName(game, number);
  return player === '' ? role : `${role} (${player})`;
}

const HOUSEKEEPING = new Set([
  'decisionOpened',
  'decisionClosed',
  'ordersAccepted',
  'flagsChanged',
  'deadlineChanged',
]);

/** Whether a player wants to read of it: what only keeps clients up to date is left out. */
export function isNews(event: Event): boolean {
  return event.text !== '' && !HOUSEKEEPING.has(event.body.case ?? '');
}

const SUBJECTS: readonly [VoteSubject, string, string][] = [
  [VoteSubject.DRAW, 'End as a draw', 'to end the game as a draw of all who are alive'],
  [VoteSubject.PAUSE, 'Pause', 'to pause the game'],
  [VoteSubject.RESUME, 'Resume', 'to go on with the game'],
  [VoteSubject.EXTEND, 'Extend the deadline', 'to put the deadline off'],
  [VoteSubject.CANCEL, 'Cancel the game', 'to cancel the game without a result'],
  [VoteSubject.REPLACE, 'Replace a player', 'to open a seat for a replacement'],
];
export const VOTES = SUBJECTS;

export function voteWords(subject: VoteSubject): string {
  return SUBJECTS.find(([each]) => each === subject)?.[2] ?? 'about something new';
}

const MISSED: Record<MissedDeadline, string> = {
  [MissedDeadline.UNSPECIFIED]: 'missing orders take the defaults',
  [MissedDeadline.DEFAULTS]: 'missing orders take the defaults',
  [MissedDeadline.EXTEND]: 'a missed deadline is put off once',
  [MissedDeadline.HOLD]: 'the game waits for missing orders',
  [MissedDeadline.AUTOMATE]: 'automation plays for who misses',
};
export const MISSED_WORDS = MISSED;

function phaseWords(pace: PhasePace): string {
  const parts: string[] = [];
  const interval = durationMs(pace.interval);
  if (interval !== undefined) parts.push(span(interval / 1000));
  if (pace.atMinute !== undefined) parts.push(`at ${minuteWords(pace.atMinute)}`);
  const grace = durationMs(pace.grace);
  if (grace) parts.push(`${span(grace / 1000)} of grace`);
  return parts.join(', ') || 'no deadline';
}

export function minuteWords(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

/** A pace in words. */
export function paceWords(pace: Pace | undefined): string {
  const kinds = Object.entries(pace?.byKind ?? {});
  if (!pace || (!pace.standard && kinds.length === 0)) return 'No deadlines';
  const parts = [pace.standard ? phaseWords(pace.standard) : 'no deadline'];
  for (const [kind, each] of kinds) parts.push(`${kind}: ${phaseWords(each)}`);
  parts.push(MISSED[pace.missed]);
  return capital(parts.join('; '));
}

export const DELEGATION: Record<DelegationRule, string> = {
  [DelegationRule.UNSPECIFIED]: 'In absence only',
  [DelegationRule.NONE]: 'Never',
  [DelegationRule.ABSENCE]: 'In absence only',
  [DelegationRule.FREE]: 'At any time',
};

/** Bytes as hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
