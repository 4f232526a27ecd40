// A table as one viewer sees it: what the engine told, kept current over any break of the line.

import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { allPages, engine, games } from '../engine/calls';
import {
  type Cursor,
  type Decision,
  type Event,
  type Game,
  GameService,
  GameStatus,
  type Goal,
  type Message,
  type Phase,
  type StreamEventsResponse,
  type SubmitOrdersResponse,
  type Verdict,
  type Vote,
  type Warning,
} from '../engine/contract';
import { Failure, failureOf } from '../engine/failure';
import { follow } from '../engine/follow';
import { EMPTY_MENU, type Menu, menuOf } from './offers';

/** Events come in bursts: how things stand is asked when none came for so long. */
const QUIET_MS = 60;
/** So many of the latest events are read when somebody sits down. */
const EVENTS_AT_FIRST = 120;
/** So many are kept, besides those that somebody asked for: a fast game goes on for hours. */
const EVENTS_KEPT = 1_000;
const EARLIER = 200;

/** Whether what is shown holds now. */
export type Line = 'connecting' | 'live' | 'behind';

/** Who looks at a game. */
export interface Viewer {
  /** A seat of a sandbox; undefined for the caller's own. */
  seat: number | undefined;
  asSpectator: boolean;
}

/** What a seat is asked, and what it may answer. */
export interface Question {
  decision: Decision | undefined;
  menu: Menu;
  phase: bigint;
  revision: bigint;
  /** The orders that stand in this phase, as the notation writes them. */
  standing: readonly string[];
}

const NO_QUESTION: Question = {
  decision: undefined,
  menu: EMPTY_MENU,
  phase: 0n,
  revision: 0n,
  standing: [],
};

export class Table {
  readonly id: string;
  readonly viewer: Viewer;
  readonly line = signal<Line>('connecting');
  /** Why there is nothing to see. */
  readonly failure = signal<Failure | undefined>(undefined);
  readonly game = signal<Game | undefined>(undefined);
  readonly goals = signal<readonly Goal[]>([]);
  readonly question = signal<Question>(NO_QUESTION);
  readonly events = signal<readonly Event[]>([]);
  readonly letters = signal<readonly Message[]>([]);
  readonly votes = signal<readonly Vote[]>([]);
  readonly phases = signal<readonly Phase[]>([]);
  /** Counts what was told: pictures are drawn anew when it changes. */
  readonly told = signal(0n);
  /** How far the engine's clock is ahead of this machine's, in milliseconds. */
  readonly clockAhead = signal(0);
  readonly isOver: ReadonlySignal<boolean>;
  /** Whether the question on the screen is the one that is open. */
  readonly isCurrent: ReadonlySignal<boolean>;

  private readonly isSettled = signal(false);
  private cursor: Cursor | undefined;
  private heard = 0n;
  private kept = EVENTS_KEPT;
  private stop: (() => void) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isLooking = false;
  private looksAgain = false;
  private isClosed = false;
  private hasPast = false;
  /** Counts how often the past was forgotten: answers that were asked for before are dropped. */
  private generation = 0;
  /** Where the game stands, in words: a new phase begins when they change. */
  private stands = '';

  constructor(id: string, viewer: Viewer = { seat: undefined, asSpectator: false }) {
    this.id = id;
    this.viewer = viewer;
    this.isOver = computed(() => {
      const status = this.game.value?.status;
      return status === GameStatus.ENDED || status === GameStatus.CANCELLED;
    });
    this.isCurrent = computed(() => this.line.value === 'live' && this.isSettled.value);
  }

  /** The seat that is looked at; undefined for a spectator. */
  get seat(): number | undefined {
    if (this.viewer.asSpectator) return undefined;
    return this.viewer.seat ?? this.game.value?.yourSeat;
  }

  /** What requests say of the viewer. */
  get as(): { gameId: string; seat?: number; asSpectator: boolean } {
    const { seat, asSpectator } = this.viewer;
    return { gameId: this.id, asSpectator, ...(seat === undefined ? {} : { seat }) };
  }

  private get asSeat(): { gameId: string; seat?: number } {
    const { seat } = this.viewer;
    return { gameId: this.id, ...(seat === undefined ? {} : { seat }) };
  }

  /** Begins to follow the game; the returned function ends it. */
  open(): () => void {
    this.stop?.();
    this.isClosed = false;
    this.stop = follow<StreamEventsResponse>({
      listen: (options) =>
        engine.listen(
          GameService.method.streamEvents,
          () => ({ ...this.as, ...(this.cursor ? { after: this.cursor } : {}) }),
          options,
        ),
      hear: (part) => this.hear(part),
      lost: (failure, isFinal) => this.lost(failure, isFinal),
      restsHidden: true,
    });
    return () => {
      this.isClosed = true;
      this.stop?.();
      clearTimeout(this.timer);
    };
  }

  /** Waits until the question on the screen is the one that is open. */
  async current(): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = effect(() => {
        if (!this.isCurrent.value) return;
        resolve();
        queueMicrotask(() => stop());
      });
    });
  }

  private lost(failure: Failure, isFinal: boolean): void {
    this.isSettled.value = false;
    this.line.value = 'behind';
    // The database went back to an earlier state, or the seat is another's: what was told is void.
    if (failure.reason === 'CURSOR_INVALID' || failure.reason === 'NOT_YOUR_SEAT') {
      this.forget();
      if (isFinal) this.open();
      return;
    }
    if (isFinal) this.failure.value = failure;
  }

  /** Forgets all that was told; the next opening begins anew, and the past is read again. */
  private forget(): void {
    this.generation += 1;
    this.cursor = undefined;
    this.heard = 0n;
    this.hasPast = false;
    clearTimeout(this.timer);
    batch(() => {
      this.told.value = 0n;
      this.events.value = [];
      this.letters.value = [];
      this.votes.value = [];
      this.phases.value = [];
    });
  }

  private hear({ part }: StreamEventsResponse): void {
    switch (part.case) {
      case 'opening': {
        const { game, goals, cursor } = part.value;
        if (game) this.game.value = game;
        this.goals.value = goals;
        // Lots gave the player another seat: letters before the start name the seats now, too.
        if (this.cursor && cursor && readerOf(cursor) !== readerOf(this.cursor)) this.forget();
        if (!this.cursor && cursor) {
          this.cursor = cursor;
          this.heard = cursor.number;
        }
        this.failure.value = undefined;
        break;
      }
      case 'event':
        this.hearEvents([part.value]);
        this.isSettled.value = false;
        this.lookSoon();
        break;
      case 'caughtUp':
        this.line.value = 'live';
        clearTimeout(this.timer);
        void this.look();
        break;
      case 'fellBehind':
        this.line.value = 'behind';
        break;
      case 'heartbeat':
        if (part.value.time) this.setClock(Number(part.value.time.seconds) * 1000);
        break;
    }
  }

  private setClock(engineMs: number): void {
    const ahead = engineMs - Date.now();
    // The heartbeat counts whole seconds: smaller differences are noise.
    this.clockAhead.value = Math.abs(ahead) < 2_000 ? 0 : ahead;
  }

  private hearEvents(events: readonly Event[]): void {
    for (const event of events) {
      if (event.number > this.heard) {
        this.heard = event.number;
        this.cursor = {
          ...(this.cursor as Cursor),
          number: event.number,
          ...(event.time && { time: event.time }),
        };
        this.follows(event);
      }
    }
    this.events.value = joined(this.events.value, events).slice(-this.kept);
  }

  private follows({ body }: Event): void {
    if (body.case === 'message') {
      this.letters.value = joined(this.letters.value, [body.value]);
    } else if (body.case === 'vote') {
      this.votes.value = joined(this.votes.value.toReversed(), [body.value]).toReversed();
    }
  }

  private lookSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), QUIET_MS);
  }

  /** Asks how things stand. */
  async look(): Promise<void> {
    if (this.isLooking) {
      this.looksAgain = true;
      return;
    }
    this.isLooking = true;
    try {
      do {
        this.looksAgain = false;
        await this.lookOnce();
      } while (this.looksAgain && !this.isClosed);
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure.isTransient) this.timer = setTimeout(() => void this.look(), 1_000);
      else this.failure.value = failure;
    } finally {
      this.isLooking = false;
    }
  }

  private async lookOnce(): Promise<void> {
    const heard = this.heard;
    // What was played a moment ago is most likely still played: all is asked at once.
    const known = this.game.value;
    const guess = isPlayed(known) ? this.ask(known).catch(() => undefined) : undefined;
    const [{ game }, guessed] = await Promise.all([games.getGame({ gameId: this.id }), guess]);
    if (!game || this.isClosed) return;
    const { seat, asSpectator } = this.viewer;
    if (known && !asSpectator && seat === undefined && game.yourSeat !== known.yourSeat) {
      // The player took a seat: its events are those of another stream.
      this.game.value = game;
      this.forget();
      this.open();
      return;
    }
    const isSame = guessed !== undefined && game.status === this.game.value?.status;
    this.game.value = game;
    const asked = isSame ? guessed : await this.ask(game);
    this.goals.value = asked.goals;
    this.question.value = asked.question;
    const stands = `${game.progress} ${game.onTurn} ${game.status}`;
    this.told.value = this.heard;
    this.isSettled.value = heard === this.heard;
    // Whoever is asked may answer while the past is still being read.
    if (!this.hasPast) await this.readPast();
    else if (stands !== this.stands) await this.readPhases();
    this.stands = stands;
    if (heard !== this.heard) {
      this.isSettled.value = false;
      this.looksAgain = true;
    }
  }

  /** Asks for the goals, and for what may be ordered. */
  private async ask(
    game: Game | undefined,
  ): Promise<{ goals: readonly Goal[]; question: Question }> {
    if (!isPlayed(game)) return { goals: [], question: NO_QUESTION };
    const isAsked = this.seat !== undefined && game?.status === GameStatus.RUNNING;
    const [{ goals }, asked] = await Promise.all([
      games.getView(this.as),
      isAsked ? games.getOffers(this.asSeat) : undefined,
    ]);
    if (!asked) return { goals, question: NO_QUESTION };
    const { decision, offers, phase = 0n, revision = 0n, standingOrders } = asked;
    return {
      goals,
      question: { decision, menu: menuOf(offers), phase, revision, standing: standingOrders },
    };
  }

  private async readPast(): Promise<void> {
    if (!this.cursor) return;
    const { generation } = this;
    const first = this.heard > BigInt(EVENTS_AT_FIRST) ? this.heard - BigInt(EVENTS_AT_FIRST) : 0n;
    await this.readEvents(first, EVENTS_AT_FIRST + 20);
    if (generation !== this.generation) return;
    this.hasPast = true;
    await Promise.all([this.readLetters(), this.readVotes(), this.readPhases()]);
  }

  private async readEvents(after: bigint, most: number): Promise<void> {
    const { generation } = this;
    const events = await allPages(
      (pageToken) =>
        games.getHistory({ ...this.as, after: { number: after }, pageSize: 200, pageToken }),
      (page) => page.events,
      most,
    );
    if (generation === this.generation) this.hearEvents(events);
  }

  /** Reads events before those that are known. */
  async readEarlier(): Promise<void> {
    const first = this.events.value[0]?.number ?? 1n;
    const after = first > BigInt(EARLIER) ? first - BigInt(EARLIER) - 1n : 0n;
    this.kept += EARLIER;
    if (first > 1n) await this.readEvents(after, EARLIER);
  }

  async readLetters(): Promise<void> {
    const game = this.game.value;
    if (this.seat === undefined && !game?.youAreGameMaster) return;
    const { generation } = this;
    const letters = await allPages(
      (pageToken) => games.listMessages({ ...this.asSeat, pageSize: 200, pageToken }),
      (page) => page.messages,
    );
    if (generation === this.generation) this.letters.value = joined(this.letters.value, letters);
  }

  async readVotes(): Promise<void> {
    const { votes } = await games.listVotes({ gameId: this.id, pageSize: 50 });
    this.votes.value = votes;
  }

  async readPhases(): Promise<void> {
    this.phases.value = await allPages(
      (pageToken) => games.listPhases({ gameId: this.id, pageSize: 200, pageToken }),
      (page) => page.phases,
      20_000,
    );
  }

  /** Judges lines without giving them. */
  async validate(text: string): Promise<{ verdicts: Verdict[]; warnings: Warning[] }> {
    return games.validateOrders({ ...this.asSeat, orders: { text } });
  }

  /** What the seat would leave undone if it were ready now. */
  async warnings(): Promise<Warning[]> {
    const { phase } = this.question.value;
    const answer = await games.setReady({ ...this.asSeat, phase, ready: true, dryRun: true });
    return answer.warnings;
  }

  /** Gives orders. */
  async order(text: string, ready = false): Promise<SubmitOrdersResponse> {
    const { phase, revision } = this.question.value;
    const answer = await this.act(() =>
      games.submitOrders({
        ...this.asSeat,
        phase,
        revision,
        orders: { text },
        ready,
      }),
    );
    this.hearEvents(answer.events);
    if (answer.refused) {
      const { message, refusal, rule, field } = answer.refused;
      throw new Failure(
        answer.taken > 0 ? `${answer.taken} taken; then: ${message}` : message,
        'ORDER_REFUSED',
        { refusal, rule, field },
      );
    }
    return answer;
  }

  async ready(ready: boolean): Promise<void> {
    const { phase } = this.question.value;
    await this.act(() => games.setReady({ ...this.asSeat, phase, ready }));
  }

  async wait(wait: boolean): Promise<void> {
    const { phase } = this.question.value;
    await this.act(() => games.setWait({ ...this.asSeat, phase, wait }));
  }

  async takeBack(): Promise<void> {
    const { phase } = this.question.value;
    await this.act(() => games.takeBack({ ...this.asSeat, phase }));
  }

  /** Does something, and then looks: what is shown is stale until then. */
  async act<T>(does: () => Promise<T>): Promise<T> {
    this.isSettled.value = false;
    try {
      return await does();
    } finally {
      this.lookSoon();
    }
  }

  async write(
    to: { seats: number[]; all: boolean; gameMaster: boolean; anonymous: boolean },
    text: string,
  ): Promise<void> {
    const { message } = await games.sendMessage({
      ...this.asSeat,
      toSeats: to.seats,
      toAll: to.all,
      toGameMaster: to.gameMaster,
      anonymous: to.anonymous,
      text,
    });
    if (message) this.letters.value = joined(this.letters.value, [message]);
  }
}

/** Whose events a cursor counts. */
function readerOf({ audience }: Cursor): string {
  const { case: kind, value } = audience?.kind ?? {};
  return kind === 'seat' ? `seat ${value}` : `${kind}`;
}

function isPlayed(game: Game | undefined): boolean {
  return game?.status === GameStatus.RUNNING || game?.status === GameStatus.PAUSED;
}

/** Joins lists of numbered things, each once, in the order of their numbers. */
function joined<T extends { number: bigint }>(known: readonly T[], more: readonly T[]): T[] {
  const [last, next] = [known.at(-1), more[0]];
  // Nearly always what comes is newer than all that was.
  if (more.length === 1 && next && (!last || last.number < next.number)) return [...known, next];
  const all = new Map(known.map((each) => [each.number, each]));
  for (const each of more) all.set(each.number, each);
  return [...all.values()].sort((a, b) => (a.number < b.number ? -1 : 1));
}
