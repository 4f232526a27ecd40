// A game as one viewer sees it, kept current across connection losses.

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
import { t } from '../words';
import { Chat } from './chat';
import { EMPTY_MENU, type Menu, menuOf } from './offers';

/** The pause after the last event before the state is read, because events come in bursts. */
const QUIET_MS = 60;
/** The number of latest events that are read when the table is opened. */
const EVENTS_INITIAL = 120;
/** The number of events kept, besides requested ones. A fast game can run for hours. */
const EVENTS_KEPT = 1_000;
const EARLIER = 200;

export type ConnectionState = 'connecting' | 'live' | 'behind';

export interface Viewer {
  /** A seat of a sandbox; undefined for the caller's own. */
  seat: number | undefined;
  asSpectator: boolean;
}

/** The pending decision of a seat and the possible answers. */
export interface Question {
  decision: Decision | undefined;
  menu: Menu;
  phase: bigint;
  revision: bigint;
  /** The submitted orders of this phase, in the game's notation. */
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
  readonly chat: Chat;
  /** Whether a tutorial tells the player what to do. */
  readonly isTaught: boolean = false;
  readonly connection = signal<ConnectionState>('connecting');
  readonly failure = signal<Failure | undefined>(undefined);
  readonly game = signal<Game | undefined>(undefined);
  readonly goals = signal<readonly Goal[]>([]);
  readonly question = signal<Question>(NO_QUESTION);
  readonly events = signal<readonly Event[]>([]);
  readonly messages = signal<readonly Message[]>([]);
  readonly votes = signal<readonly Vote[]>([]);
  readonly phases = signal<readonly Phase[]>([]);
  /** The number of the last event in the shown state: map images are redrawn when it changes. */
  readonly shownEvent = signal(0n);
  /** How far the engine's clock is ahead of this machine's, in milliseconds. */
  readonly clockAhead = signal(0);
  readonly isOver: ReadonlySignal<boolean>;
  /** Whether the shown decision is the pending one. */
  readonly isCurrent: ReadonlySignal<boolean>;

  private readonly isSettled = signal(false);
  private cursor: Cursor | undefined;
  private lastEvent = 0n;
  private kept = EVENTS_KEPT;
  private stop: (() => void) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isRefreshing = false;
  private refreshAgain = false;
  private isClosed = false;
  private hasHistory = false;
  /** Incremented when the state is discarded, so that late responses can be dropped. */
  private generation = 0;
  /** The game's progress in words: a change means that a new phase may have started. */
  private progress = '';

  constructor(id: string, viewer: Viewer = { seat: undefined, asSpectator: false }) {
    this.id = id;
    this.viewer = viewer;
    this.chat = new Chat(id);
    this.isOver = computed(() => {
      const status = this.game.value?.status;
      return status === GameStatus.ENDED || status === GameStatus.CANCELLED;
    });
    this.isCurrent = computed(() => this.connection.value === 'live' && this.isSettled.value);
  }

  /** The seat whose view is shown; undefined for a spectator. */
  get seat(): number | undefined {
    if (this.viewer.asSpectator) return undefined;
    return this.viewer.seat ?? this.game.value?.yourSeat;
  }

  /** The fields with which requests name the viewer. */
  get as(): { gameId: string; seat?: number; asSpectator: boolean } {
    const { seat, asSpectator } = this.viewer;
    return { gameId: this.id, asSpectator, ...(seat === undefined ? {} : { seat }) };
  }

  private get asSeat(): { gameId: string; seat?: number } {
    const { seat } = this.viewer;
    return { gameId: this.id, ...(seat === undefined ? {} : { seat }) };
  }

  /** Starts to follow the game. Returns a function that stops. */
  open(): () => void {
    this.stop?.();
    this.isClosed = false;
    this.stop = follow<StreamEventsResponse>({
      listen: (options) =>
        engine.listen(
          GameService.method.streamEvents,
          () => ({ ...this.as, chat: true, ...(this.cursor ? { after: this.cursor } : {}) }),
          options,
        ),
      receive: (part) => this.receive(part),
      lost: (failure, isFinal) => this.lost(failure, isFinal),
      pausesWhenHidden: true,
    });
    return () => {
      this.isClosed = true;
      this.stop?.();
      clearTimeout(this.timer);
    };
  }

  /** Resolves once the shown decision is the pending one. */
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
    this.connection.value = 'behind';
    // The database was restored to an earlier state, or the seat changed: discard all state.
    if (failure.reason === 'CURSOR_INVALID' || failure.reason === 'NOT_YOUR_SEAT') {
      this.forget();
      if (isFinal) this.open();
      return;
    }
    if (isFinal) this.failure.value = failure;
  }

  /** Discards all events. The next stream starts over, and the history is read again. */
  private forget(): void {
    this.generation += 1;
    this.cursor = undefined;
    this.lastEvent = 0n;
    this.hasHistory = false;
    clearTimeout(this.timer);
    batch(() => {
      this.shownEvent.value = 0n;
      this.events.value = [];
      this.messages.value = [];
      this.votes.value = [];
      this.phases.value = [];
    });
  }

  private receive({ part }: StreamEventsResponse): void {
    switch (part.case) {
      case 'snapshot': {
        const { game, goals, cursor } = part.value;
        if (game) this.game.value = game;
        this.goals.value = goals;
        // Seats were drawn by lot: reread messages from before the start, which name seats.
        if (this.cursor && cursor && readerOf(cursor) !== readerOf(this.cursor)) this.forget();
        if (!this.cursor && cursor) {
          this.cursor = cursor;
          this.lastEvent = cursor.number;
        }
        this.failure.value = undefined;
        if (game && !game.sandbox) void this.chat.load();
        break;
      }
      case 'event':
        this.addEvents([part.value]);
        this.isSettled.value = false;
        this.refreshSoon();
        break;
      case 'caughtUp':
        this.connection.value = 'live';
        clearTimeout(this.timer);
        void this.refresh();
        break;
      case 'fellBehind':
        this.connection.value = 'behind';
        break;
      case 'chat':
        this.chat.receive(part.value);
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

  private addEvents(events: readonly Event[]): void {
    for (const event of events) {
      if (event.number > this.lastEvent) {
        this.lastEvent = event.number;
        this.cursor = {
          ...(this.cursor as Cursor),
          number: event.number,
          ...(event.time && { time: event.time }),
        };
        this.apply(event);
      }
    }
    this.events.value = joined(this.events.value, events).slice(-this.kept);
  }

  private apply({ body }: Event): void {
    if (body.case === 'message') {
      this.messages.value = joined(this.messages.value, [body.value]);
    } else if (body.case === 'vote') {
      this.votes.value = joined(this.votes.value.toReversed(), [body.value]).toReversed();
    }
  }

  private refreshSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), QUIET_MS);
  }

  async refresh(): Promise<void> {
    if (this.isRefreshing) {
      this.refreshAgain = true;
      return;
    }
    this.isRefreshing = true;
    try {
      do {
        this.refreshAgain = false;
        await this.refreshOnce();
      } while (this.refreshAgain && !this.isClosed);
    } catch (thrown) {
      const failure = failureOf(thrown);
      // The game ended or stopped between two calls.
      const isOutdated = failure.reason === 'WRONG_STATUS';
      if (failure.isTransient || isOutdated)
        this.timer = setTimeout(() => void this.refresh(), 1_000);
      else this.failure.value = failure;
    } finally {
      this.isRefreshing = false;
    }
  }

  private async refreshOnce(): Promise<void> {
    const lastEvent = this.lastEvent;
    // A game that was being played is most likely still running: send all requests at once.
    const known = this.game.value;
    const guess = isPlayed(known) ? this.ask(known).catch(() => undefined) : undefined;
    const [{ game }, guessed] = await Promise.all([games.getGame({ gameId: this.id }), guess]);
    if (!game || this.isClosed) return;
    const { seat, asSpectator } = this.viewer;
    if (known && !asSpectator && seat === undefined && game.yourSeat !== known.yourSeat) {
      // The player took a seat. The events of the seat are a different stream.
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
    const progress = `${game.progress} ${game.onTurn} ${game.status}`;
    this.shownEvent.value = this.lastEvent;
    this.isSettled.value = lastEvent === this.lastEvent;
    // The player can act before the history is read.
    if (!this.hasHistory) await this.readHistory();
    else if (progress !== this.progress) await this.readPhases();
    this.progress = progress;
    if (lastEvent !== this.lastEvent) {
      this.isSettled.value = false;
      this.refreshAgain = true;
    }
  }

  private async ask(
    game: Game | undefined,
  ): Promise<{ goals: readonly Goal[]; question: Question }> {
    if (!isPlayed(game)) return { goals: [], question: NO_QUESTION };
    const hasDecision = this.seat !== undefined && game?.status === GameStatus.RUNNING;
    const [{ goals }, asked] = await Promise.all([
      games.getView(this.as),
      hasDecision ? games.getOffers(this.asSeat) : undefined,
    ]);
    if (!asked) return { goals, question: NO_QUESTION };
    const { decision, offers, phase = 0n, revision = 0n, currentOrders: standingOrders } = asked;
    return {
      goals,
      question: { decision, menu: menuOf(offers), phase, revision, standing: standingOrders },
    };
  }

  private async readHistory(): Promise<void> {
    if (!this.cursor) return;
    const { generation } = this;
    const first =
      this.lastEvent > BigInt(EVENTS_INITIAL) ? this.lastEvent - BigInt(EVENTS_INITIAL) : 0n;
    await this.readEvents(first, EVENTS_INITIAL + 20);
    if (generation !== this.generation) return;
    this.hasHistory = true;
    await Promise.all([this.readMessages(), this.readVotes(), this.readPhases()]);
  }

  private async readEvents(after: bigint, most: number): Promise<void> {
    const { generation } = this;
    const events = await allPages(
      (pageToken) =>
        games.getHistory({ ...this.as, after: { number: after }, pageSize: 200, pageToken }),
      (page) => page.events,
      most,
    );
    if (generation === this.generation) this.addEvents(events);
  }

  /** Reads events before the earliest one that is loaded. */
  async readEarlier(): Promise<void> {
    const first = this.events.value[0]?.number ?? 1n;
    const after = first > BigInt(EARLIER) ? first - BigInt(EARLIER) - 1n : 0n;
    this.kept += EARLIER;
    if (first > 1n) await this.readEvents(after, EARLIER);
  }

  async readMessages(): Promise<void> {
    const game = this.game.value;
    if (this.seat === undefined && !game?.youAreGameMaster) return;
    const { generation } = this;
    const messages = await allPages(
      (pageToken) => games.listMessages({ ...this.asSeat, pageSize: 200, pageToken }),
      (page) => page.messages,
    );
    if (generation === this.generation) this.messages.value = joined(this.messages.value, messages);
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

  async validate(text: string): Promise<{ verdicts: Verdict[]; warnings: Warning[] }> {
    return games.validateOrders({ ...this.asSeat, orders: { text } });
  }

  /** Returns warnings about what the seat would leave undone if it were ready now. */
  async warnings(): Promise<Warning[]> {
    const { phase } = this.question.value;
    const answer = await games.setReady({ ...this.asSeat, phase, ready: true, dryRun: true });
    return answer.warnings;
  }

  /** The request id of the next orders, message or ready mark; empty for a random one. */
  protected get requestId(): string {
    return '';
  }

  async order(text: string, ready = false): Promise<SubmitOrdersResponse> {
    const { phase, revision } = this.question.value;
    const answer = await this.act(() =>
      games.submitOrders({
        ...this.asSeat,
        phase,
        revision,
        orders: { text },
        ready,
        requestId: this.requestId,
      }),
    );
    this.addEvents(answer.events);
    if (answer.refused) {
      const { message, refusal, rule, field } = answer.refused;
      throw new Failure(
        answer.acceptedCount > 0
          ? t('order-partly-accepted', { count: answer.acceptedCount, message })
          : message,
        'ORDER_REFUSED',
        { refusal, rule, field },
      );
    }
    return answer;
  }

  async ready(ready: boolean): Promise<void> {
    const { phase } = this.question.value;
    const { requestId } = this;
    await this.act(() => games.setReady({ ...this.asSeat, phase, ready, requestId }));
  }

  async wait(wait: boolean): Promise<void> {
    const { phase } = this.question.value;
    await this.act(() => games.setWait({ ...this.asSeat, phase, wait }));
  }

  async takeBack(): Promise<void> {
    const { phase } = this.question.value;
    await this.act(() => games.withdrawOrders({ ...this.asSeat, phase }));
  }

  /** Runs a call and then reads the state. The state is stale in between. */
  async act<T>(does: () => Promise<T>): Promise<T> {
    this.isSettled.value = false;
    try {
      return await does();
    } finally {
      this.refreshSoon();
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
      requestId: this.requestId,
    });
    if (message) this.messages.value = joined(this.messages.value, [message]);
  }
}

function readerOf({ audience }: Cursor): string {
  const { case: kind, value } = audience?.kind ?? {};
  return kind === 'seat' ? `seat ${value}` : `${kind}`;
}

export function isPlayed(game: Game | undefined): boolean {
  return game?.status === GameStatus.RUNNING || game?.status === GameStatus.PAUSED;
}

/** Merges two lists by number, without duplicates. */
function joined<T extends { number: bigint }>(known: readonly T[], more: readonly T[]): T[] {
  const [last, next] = [known.at(-1), more[0]];
  // The common case: one new item at the end.
  if (more.length === 1 && next && (!last || last.number < next.number)) return [...known, next];
  const all = new Map(known.map((each) => [each.number, each]));
  for (const each of more) all.set(each.number, each);
  return [...all.values()].sort((a, b) => (a.number < b.number ? -1 : 1));
}
