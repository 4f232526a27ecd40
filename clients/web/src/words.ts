// Formats times, seats and other data of the contract as displayed text.

import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';
import {
  DelegationRule,
  type Event,
  type Game,
  type GameKind,
  GameStatus,
  MissedDeadline,
  type Pace,
  type Phase,
  type PhasePace,
  type Seat,
  VoteSubject,
} from './engine/contract';

export function count(number: number | bigint, one: string, many = `${one}s`): string {
  return `${number} ${Number(number) === 1 ? one : many}`;
}

/** Lists names: "Austria, England and France". */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

export function capital(text: string): string {
  return text === '' ? text : text[0]?.toUpperCase() + text.slice(1);
}

/** Returns the numbers of players that a kind of game takes: "2–7 players". */
export function playersWords({ playersMin, playersMax }: GameKind): string {
  if (playersMin === playersMax) return count(playersMax, 'player');
  return `${playersMin}–${count(playersMax, 'player')}`;
}

export function msOf(time: Timestamp | undefined): number | undefined {
  return time && Number(time.seconds) * 1000 + time.nanos / 1e6;
}

export function durationMs(duration: Duration | undefined): number | undefined {
  return duration && Number(duration.seconds) * 1000 + duration.nanos / 1e6;
}

const DAY = 86_400;

/** Formats a duration in its two largest units: "1 d 4 h". */
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

/** Formats an instant, without the date if it is today. */
export function instant(ms: number | undefined, now = Date.now()): string {
  if (ms === undefined) return '';
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dated).format(ms);
}

const STATUS: Record<GameStatus, string> = {
  [GameStatus.UNSPECIFIED]: '',
  [GameStatus.FORMING]: 'waiting for players',
  [GameStatus.REVEALING]: 'about to start',
  [GameStatus.RUNNING]: 'running',
  [GameStatus.PAUSED]: 'paused',
  [GameStatus.ENDED]: 'over',
  [GameStatus.CANCELLED]: 'canceled',
};

export function statusWord(status: GameStatus): string {
  return STATUS[status] ?? '';
}

/** Returns why automation is suspended and when it resumes; empty if it is not suspended. */
export function suspensionWords(game: Game): string {
  if (!game.automationSuspendTime) return '';
  const isLeft =
    game.seats.some(({ vacant }) => vacant) &&
    !game.seats.some(({ occupant }) => occupant.case === 'player') &&
    game.gameMaster === '';
  return isLeft
    ? 'All players have left. Automation is suspended until a player takes over a seat.'
    : 'Automation is suspended because the game had no viewers for a while. It resumes when a signed-in player opens the game.';
}

export function occupantOf(seat: Seat): string {
  const { occupant } = seat;
  switch (occupant.case) {
    case 'open':
      return 'open';
    case 'reservedFor':
      return `reserved for ${occupant.value}`;
    case 'player':
      return occupant.value || 'a player';
    case 'automated':
      return `${occupant.value.profile} (${occupant.value.level || 'standard'})`;
    default:
      return '';
  }
}

/** Returns the name of a seat: its role, or else its number. */
export function seatName(game: Game | undefined, number: number | undefined): string {
  if (!number) return 'no one';
  return game?.seats.find((seat) => seat.number === number)?.role || `Seat ${number}`;
}

/** Returns the role, followed by the player if there is one. */
export function seatWithPlayer(game: Game | undefined, number: number): string {
  const seat = game?.seats.find((each) => each.number === number);
  const player = seat?.occupant.case === 'player' ? seat.occupant.value : '';
  const role = seatName(game, number);
  return player === '' ? role : `${role} (${player})`;
}

/** Returns the result of a finished game: "Austria wins", or "A draw between Austria and England". */
export function headline(game: Game): string {
  const { outcome } = game;
  if (!outcome) return 'Canceled';
  const winners = outcome.winners.map((seat) => seatName(game, seat));
  if (outcome.draw) {
    if (winners.length === 0) return 'A draw';
    return `A draw ${winners.length > 1 ? 'between' : 'for'} ${listed(winners)}`;
  }
  const level = outcome.level ? `, ${outcome.level}` : '';
  if (winners.length === 0) return `No winner${level}`;
  const isMine = game.yourSeat !== undefined && outcome.winners.includes(game.yourSeat);
  if (isMine && winners.length === 1) return `You win${level}`;
  return `${listed(winners)} ${winners.length > 1 ? 'win' : 'wins'}${level}`;
}

/** Formats points of a result: "24.4" for 244 points with one decimal place. */
export function pointsWords(points: bigint, decimals: number): string {
  return (Number(points) / 10 ** decimals).toFixed(decimals);
}

/** Returns the heading of a column of points: "Points", or "Points (credit)". */
export function pointsTitle(unit: string): string {
  return /^(points?)?$/i.test(unit) ? 'Points' : `Points (${unit})`;
}

function isSecond(): (name: string) => boolean {
  const seen = new Set<string>();
  return (name) => seen.size === seen.add(name).size;
}

/** Returns a name for each phase. Phases with the same title are told apart by seat and number. */
export function phaseNames(game: Game | undefined, phases: readonly Phase[]): string[] {
  const repeated = (names: readonly string[]) => {
    const again = new Set(names.filter(isSecond()));
    return (name: string) => again.has(name);
  };
  const titles = phases.map(({ title }) => title);
  const isRepeatedTitle = repeated(titles);
  const seated = phases.map(({ title, onTurn }) =>
    onTurn && isRepeatedTitle(title) ? `${title}, ${seatName(game, onTurn)}` : title,
  );
  const isRepeated = repeated(seated);
  return seated.map((name, index) =>
    isRepeated(name) ? `${name}, phase ${phases[index]?.number}` : name,
  );
}

const HOUSEKEEPING = new Set([
  'decisionOpened',
  'decisionClosed',
  'ordersAccepted',
  'flagsChanged',
  'deadlineChanged',
]);

/** Returns whether an event is shown to players. Housekeeping events only update clients. */
export function isNews(event: Event): boolean {
  return event.text !== '' && !HOUSEKEEPING.has(event.body.case ?? '');
}

/** The number of players that a line names. */
const NAMED_MAX = 4;

/** Returns who plays a game: "you", "Bob", "3 automated", "1 open". */
export function peopleWords({ seats, yourSeat }: Game): string[] {
  const people = seats.flatMap(({ number, occupant }) =>
    number === yourSeat
      ? ['you']
      : occupant.case === 'player'
        ? [occupant.value || 'a player']
        : occupant.case === 'reservedFor'
          ? [`${occupant.value} (invited)`]
          : [],
  );
  const numberOf = (kind: string) => seats.filter(({ occupant }) => occupant.case === kind).length;
  const more = people.length - NAMED_MAX;
  return [
    ...people.slice(0, NAMED_MAX),
    ...(more > 0 ? [`${more} more`] : []),
    ...(['automated', 'open'] as const).flatMap((kind) =>
      numberOf(kind) > 0 ? [`${numberOf(kind)} ${kind}`] : [],
    ),
  ];
}

const SUBJECTS: readonly [VoteSubject, string, string][] = [
  [VoteSubject.DRAW, 'End as a draw', 'to end the game as a draw among all survivors'],
  [VoteSubject.PAUSE, 'Pause', 'to pause the game'],
  [VoteSubject.RESUME, 'Resume', 'to resume the game'],
  [VoteSubject.EXTEND, 'Extend the deadline', 'to extend the deadline'],
  [VoteSubject.CANCEL, 'Cancel the game', 'to cancel the game without a result'],
  [VoteSubject.REPLACE, 'Replace a player', 'to replace a player'],
];
export const VOTES = SUBJECTS;

export function voteWords(subject: VoteSubject): string {
  return SUBJECTS.find(([each]) => each === subject)?.[2] ?? 'on an unknown subject';
}

const MISSED: Record<MissedDeadline, string> = {
  [MissedDeadline.UNSPECIFIED]: 'missing orders are replaced by defaults',
  [MissedDeadline.DEFAULTS]: 'missing orders are replaced by defaults',
  [MissedDeadline.EXTEND]: 'a missed deadline is extended once',
  [MissedDeadline.HOLD]: 'the game waits for missing orders',
  [MissedDeadline.AUTOMATE]: 'automation plays for players who miss it',
};
export const MISSED_WORDS = MISSED;

function phaseWords(pace: PhasePace): string {
  const parts: string[] = [];
  const interval = durationMs(pace.interval);
  if (interval !== undefined) parts.push(span(interval / 1000));
  if (pace.atMinute !== undefined) parts.push(`at ${minuteWords(pace.atMinute)}`);
  const grace = durationMs(pace.grace);
  if (grace) parts.push(`${span(grace / 1000)} grace period`);
  return parts.join(', ') || 'no deadline';
}

export function minuteWords(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

export function paceWords(pace: Pace | undefined): string {
  const kinds = Object.entries(pace?.byKind ?? {});
  if (!pace || (!pace.standard && kinds.length === 0)) return 'No deadlines';
  const parts = [pace.standard ? phaseWords(pace.standard) : 'no deadline'];
  for (const [kind, each] of kinds) parts.push(`${kind}: ${phaseWords(each)}`);
  parts.push(MISSED[pace.missed]);
  return capital(parts.join('; '));
}

export const DELEGATION: Record<DelegationRule, string> = {
  [DelegationRule.UNSPECIFIED]: 'Only while absent',
  [DelegationRule.NONE]: 'Never',
  [DelegationRule.ABSENCE]: 'Only while absent',
  [DelegationRule.FREE]: 'At any time',
};

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
