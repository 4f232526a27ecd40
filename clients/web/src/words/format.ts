// Formats times, seats and other data of the contract as displayed text.

import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';
import { computed } from '@preact/signals';
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
} from '../engine/contract';
import { locale, t } from './messages';

/** Lists names: "Austria, England and France". */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : t('words-list', { names: names.slice(0, -1).join(', '), last });
}

export function capital(text: string): string {
  return text === '' ? text : text[0]?.toUpperCase() + text.slice(1);
}

/** Returns the numbers of players that a kind of game takes: "2–7 players". */
export function playersWords({ playersMin, playersMax }: GameKind): string {
  if (playersMin === playersMax) return t('words-players', { count: playersMax });
  return t('words-players-range', { min: playersMin, max: playersMax });
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
  if (days > 0)
    return hours > 0 ? t('words-days-hours', { days, hours }) : t('words-days', { days });
  if (hours > 0)
    return minutes > 0 ? t('words-hours-minutes', { hours, minutes }) : t('words-hours', { hours });
  if (minutes > 0)
    return rest % 60 > 0 && minutes < 10
      ? t('words-minutes-seconds', { minutes, seconds: rest % 60 })
      : t('words-minutes', { minutes });
  return t('words-seconds', { seconds: rest });
}

const clock = computed(
  () => new Intl.DateTimeFormat(locale.value, { hour: '2-digit', minute: '2-digit' }),
);
const dated = computed(
  () =>
    new Intl.DateTimeFormat(locale.value, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }),
);
const complete = computed(
  () => new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short' }),
);

/** Formats an instant, without the date if it is today. */
export function instant(ms: number | undefined, now = Date.now()): string {
  if (ms === undefined) return '';
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dated).value.format(ms);
}

/** Formats an instant with the date and the year. */
export function dateAndTime(ms: number): string {
  return complete.value.format(ms);
}

export function statusWord(status: GameStatus): string {
  switch (status) {
    case GameStatus.FORMING:
      return t('words-status-forming');
    case GameStatus.REVEALING:
      return t('words-status-revealing');
    case GameStatus.RUNNING:
      return t('words-status-running');
    case GameStatus.PAUSED:
      return t('words-status-paused');
    case GameStatus.ENDED:
      return t('words-status-ended');
    case GameStatus.CANCELLED:
      return t('words-status-cancelled');
    default:
      return '';
  }
}

/** Returns why automation is suspended and when it resumes; empty if it is not suspended. */
export function suspensionWords(game: Game): string {
  if (!game.automationSuspendTime) return '';
  const isLeft =
    game.seats.some(({ vacant, standIn }) => vacant || standIn) &&
    !game.seats.some(({ occupant, standIn }) => occupant.case === 'player' && !standIn) &&
    game.gameMaster === '';
  return isLeft ? t('words-suspended-left') : t('words-suspended-unwatched');
}

export function occupantOf(seat: Seat): string {
  const { occupant } = seat;
  switch (occupant.case) {
    case 'open':
      return t('words-seat-open');
    case 'reservedFor':
      return t('words-seat-reserved', { player: occupant.value });
    case 'player':
      return occupant.value || t('words-some-player');
    case 'automated':
      return `${occupant.value.profile} (${occupant.value.level || t('words-level-standard')})`;
    default:
      return '';
  }
}

/** Returns the name of a seat: its role, or else its number. */
export function seatName(game: Game | undefined, number: number | undefined): string {
  if (!number) return t('words-no-one');
  const role = game?.seats.find((seat) => seat.number === number)?.role;
  return role || t('words-seat', { number });
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
  if (!outcome) return t('words-result-canceled');
  const winners = outcome.winners.map((seat) => seatName(game, seat));
  const count = winners.length;
  const names = listed(winners);
  if (outcome.draw) return t('words-result-draw', { count, names });
  const level = outcome.level ? `, ${outcome.level}` : '';
  const isMine = game.yourSeat !== undefined && outcome.winners.includes(game.yourSeat);
  if (isMine && count === 1) return t('words-result-you-win', { level });
  return t('words-result-win', { count, names, level });
}

/** Formats points of a result: "24.4" for 244 points with one decimal place. */
export function pointsWords(points: bigint, decimals: number): string {
  return (Number(points) / 10 ** decimals).toFixed(decimals);
}

/** Returns the heading of a column of points: "Points", or "Points (credit)". */
export function pointsTitle(unit: string): string {
  return /^(points?)?$/i.test(unit) ? t('words-points') : t('words-points-unit', { unit });
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
    isRepeated(name)
      ? t('words-phase-number', { name, number: String(phases[index]?.number ?? '') })
      : name,
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
      ? [t('words-you')]
      : occupant.case === 'player'
        ? [occupant.value || t('words-some-player')]
        : occupant.case === 'reservedFor'
          ? [t('words-invited', { player: occupant.value })]
          : [],
  );
  const numberOf = (kind: string) => seats.filter(({ occupant }) => occupant.case === kind).length;
  const more = people.length - NAMED_MAX;
  const automated = numberOf('automated');
  const open = numberOf('open');
  return [
    ...people.slice(0, NAMED_MAX),
    ...(more > 0 ? [t('words-more', { count: more })] : []),
    ...(automated > 0 ? [t('words-automated', { count: automated })] : []),
    ...(open > 0 ? [t('words-open', { count: open })] : []),
  ];
}

/** The subjects of votes, with the names of the buttons. */
export function votes(): [VoteSubject, string][] {
  return [
    [VoteSubject.DRAW, t('words-vote-draw')],
    [VoteSubject.PAUSE, t('words-vote-pause')],
    [VoteSubject.RESUME, t('words-vote-resume')],
    [VoteSubject.EXTEND, t('words-vote-extend')],
    [VoteSubject.CANCEL, t('words-vote-cancel')],
    [VoteSubject.REPLACE, t('words-vote-replace')],
  ];
}

/** Returns what a vote is for: "to pause the game". */
export function voteWords(subject: VoteSubject): string {
  switch (subject) {
    case VoteSubject.DRAW:
      return t('words-vote-to-draw');
    case VoteSubject.PAUSE:
      return t('words-vote-to-pause');
    case VoteSubject.RESUME:
      return t('words-vote-to-resume');
    case VoteSubject.EXTEND:
      return t('words-vote-to-extend');
    case VoteSubject.CANCEL:
      return t('words-vote-to-cancel');
    case VoteSubject.REPLACE:
      return t('words-vote-to-replace');
    default:
      return t('words-vote-unknown');
  }
}

export function missedWords(missed: MissedDeadline): string {
  switch (missed) {
    case MissedDeadline.EXTEND:
      return t('words-missed-extend');
    case MissedDeadline.HOLD:
      return t('words-missed-hold');
    case MissedDeadline.AUTOMATE:
      return t('words-missed-automate');
    default:
      return t('words-missed-defaults');
  }
}

function phaseWords(pace: PhasePace): string {
  const parts: string[] = [];
  const interval = durationMs(pace.interval);
  if (interval !== undefined) parts.push(span(interval / 1000));
  if (pace.atMinute !== undefined)
    parts.push(t('words-at-time', { time: minuteWords(pace.atMinute) }));
  const grace = durationMs(pace.grace);
  if (grace) parts.push(t('words-grace', { span: span(grace / 1000) }));
  return parts.join(', ') || t('words-no-deadline');
}

export function minuteWords(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

export function paceWords(pace: Pace | undefined): string {
  const kinds = Object.entries(pace?.byKind ?? {});
  if (!pace || (!pace.standard && kinds.length === 0)) return t('words-no-deadlines');
  const parts = [pace.standard ? phaseWords(pace.standard) : t('words-no-deadline')];
  for (const [kind, each] of kinds) parts.push(`${kind}: ${phaseWords(each)}`);
  parts.push(missedWords(pace.missed));
  return capital(parts.join('; '));
}

export function delegationWords(rule: DelegationRule): string {
  switch (rule) {
    case DelegationRule.NONE:
      return t('words-delegation-never');
    case DelegationRule.FREE:
      return t('words-delegation-any-time');
    default:
      return t('words-delegation-absent');
  }
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
