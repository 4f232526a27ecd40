// The state, the orders and the events of a game as visible to one viewer.

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  durationFromMs,
  timestampDate,
  timestampFromDate,
  timestampMs,
} from '@bufbuild/protobuf/wkt';
import { ChatChannel, type ChatLine, ChatService } from '../gen/heliopause/v1/chat_pb.js';
import type { GameView } from '../gen/heliopause/v1/envelope_pb.js';
import { type Cursor, CursorSchema, type Event } from '../gen/heliopause/v1/event_pb.js';
import {
  type DrawMapRequestSchema,
  type DrawMapResponse,
  type ExplainResponse,
  type ExportHeader,
  GameService,
  type GetReportResponse,
  type GetSceneResponse,
  type GetViewResponse,
  type ListRulesResponse,
  MapFormat,
  MapTheme,
  type ParseOrdersResponse,
  type Phase,
  ReportFormat,
  type RuleHeading,
  type RuleText,
  type StreamEventsResponse,
  type SubmitOrdersResponse,
  type ValidateOrdersResponse,
  type WithdrawOrdersResponse,
} from '../gen/heliopause/v1/game_pb.js';
import type { Warning } from '../gen/heliopause/v1/offer_pb.js';
import type { Board } from '../gen/heliopause/v1/scene_pb.js';
import {
  type Decision,
  type Game,
  GameStatus,
  type Goal,
  type Message,
  type Outcome,
  type Vote,
  type VoteSubject,
} from '../gen/heliopause/v1/table_pb.js';
import { applyToDecision, applyToGame, isOver } from './apply.js';
import type { Engine } from './engine.js';
import { type Listener, notify, Observable } from './observable.js';
import { Offers } from './offers.js';
import { type Orders, ordersOf } from './orders.js';
import { Refused, refusedBy } from './refused.js';
import { Seat } from './seat.js';
import { occupantName } from './seats.js';

/**
 * The state of the connection:
 * - `idle`: events are not followed
 * - `connecting`: the stream is opened for the first time
 * - `catching-up`: earlier events are being read
 * - `live`: events arrive as they happen
 * - `behind`: this client was too slow and is reading missed events
 * - `stale`: the connection broke and is being reopened; events may be missing
 * - `closed`: the engine refused to continue; `refused` gives the reason
 */
export type ConnectionState =
  | 'idle'
  | 'connecting'
  | 'catching-up'
  | 'live'
  | 'behind'
  | 'stale'
  | 'closed';

/** The state of a table. Each change creates a new object. */
export interface TableState {
  readonly connection: ConnectionState;
  /** The game as visible to this seat. */
  readonly game: Game;
  /** The pending decision, or undefined if there is none. */
  readonly decision: Decision | undefined;
  /** The goals of all seats, as of the last view. */
  readonly goals: readonly Goal[];
  /** The number of the last event read, or undefined before the first stream. */
  readonly cursor: bigint | undefined;
  /** Why the connection broke, or undefined while it is open. */
  readonly refused: Refused | undefined;
  /** How far the engine's clock is ahead of this machine's, in milliseconds. */
  readonly clockAhead: number;
}

/** The time of a view. */
export interface At {
  /** View the end of this phase, as numbered by `phases`. 0 is the setup. The default is now. */
  atPhase?: bigint | number | undefined;
  /** View everything, once the game is over. */
  revealed?: boolean;
}

export interface MapOptions extends At {
  /** An SVG (the default), text for a terminal, or a list of sentences for screen readers. */
  format?: 'svg' | 'text' | 'list';
  theme?: 'dark' | 'light' | 'color-blind';
  /** The place in the center, and the radius of the map around that place. */
  around?: string;
  radius?: number;
  /** Only this layer, for maps with separate layers. */
  layer?: string;
  /** Layers to hide in an SVG, such as "labels". */
  hiddenLayers?: string[];
  /** The width of text in columns, and whether it may use colors and non-ASCII symbols. */
  width?: number;
  colors?: boolean;
  symbols?: boolean;
}

export interface SceneOptions extends At {
  /** Only this layer, for maps with separate layers. */
  layer?: string;
}

export interface ReportOptions extends At {
  format?: 'text' | 'html';
  width?: number;
  colors?: boolean;
  symbols?: boolean;
}

/** Options for submitting orders. */
export interface OrderOptions {
  /** Whether the seat becomes ready if all orders are accepted. */
  ready?: boolean;
  /**
   * The decision that the orders answer. By default, the last decision that this table received.
   */
  phase?: bigint;
  revision?: bigint;
  /** The request id, if another process may have to repeat the request. */
  requestId?: string;
}

/** A seat that the game waits for. */
export interface WaitedFor {
  readonly seat: number;
  readonly name: string;
  /** Whether the seat is ready and has submitted orders, or undefined where hidden. */
  readonly ready: boolean | undefined;
  readonly ordered: boolean | undefined;
  /** When the game started to wait for the seat. */
  readonly since: Date | undefined;
}

/** The journal of a game, or the caller's events. */
export interface Export {
  readonly header: ExportHeader;
  /** Encoded journal entries, as covered by the hash chain, if the journal is public. */
  readonly entries: readonly Uint8Array[];
  /** The caller's events, if the journal is not public. */
  readonly events: readonly Event[];
}

const FORMATS = { svg: MapFormat.SVG, text: MapFormat.TEXT, list: MapFormat.LIST };
const THEMES = { dark: MapTheme.DARK, light: MapTheme.LIGHT, 'color-blind': MapTheme.COLOR_BLIND };
const WAIT_MS = 30_000;
// The states in which the table reads events and thus notices changes since the last view.
const CURRENT: ReadonlySet<ConnectionState> = new Set(['catching-up', 'live', 'behind']);

/**
 * A seat in a game, or a spectator.
 *
 * `follow` keeps `state` current, and `subscribe` and `onEvent` report changes. Programs that play
 * read `events` themselves. `game`, `decision` and `cursor` then follow the events, and `refresh`
 * loads what events do not contain: progress, the seat on turn, awaited seats. Views cannot be
 * derived from events without the rules, so `view` reloads after each change.
 */
export class Table extends Seat {
  readonly #engine: Engine;
  readonly #seat: number | undefined;
  readonly #spectator: boolean;
  readonly #inviteCode: string;
  readonly #state: Observable<TableState>;
  readonly #listeners = new Set<Listener<Event>>();
  #phase: bigint | undefined;
  #revision: bigint | undefined;
  #cursor: Cursor | undefined;
  #reading = false;
  // The last event that `game` and `decision` include.
  #known = 0n;
  // The phase of the last decision whose opening was read.
  #opened: bigint | undefined;
  #viewed: GetViewResponse | undefined;
  #stop: AbortController | undefined;
  #refreshing: Promise<void> | undefined;
  #refreshAgain = false;

  /** Use `Lobby` or `Sandbox.seat` to create a table. */
  constructor(
    engine: Engine,
    game: Game,
    place: { seat?: number; spectator?: boolean; inviteCode?: string; decision?: Decision } = {},
  ) {
    super();
    this.#engine = engine;
    this.#seat = place.seat;
    this.#spectator = place.spectator ?? false;
    this.#inviteCode = place.inviteCode ?? '';
    this.#state = new Observable<TableState>({
      connection: 'idle',
      game,
      decision: place.decision,
      goals: [],
      cursor: undefined,
      refused: undefined,
      clockAhead: 0,
    });
  }

  get gameId(): string {
    return this.game.gameId;
  }

  get kind(): string {
    return this.game.kind;
  }

  get number(): number {
    return this.#spectator ? 0 : (this.#seat ?? this.game.yourSeat ?? 0);
  }

  get spectator(): boolean {
    return this.number === 0;
  }

  /** The game as visible to this seat. */
  get game(): Game {
    return this.state.game;
  }

  get decision(): Decision | undefined {
    return this.state.decision;
  }

  /** The number of the last event read, or undefined before the first stream. */
  get cursor(): bigint | undefined {
    return this.#cursor?.number;
  }

  get over(): boolean {
    return isOver(this.game);
  }

  get state(): TableState {
    return this.#state.value;
  }

  /** Calls the listener now and on every change, until the returned function is called. */
  subscribe(listener: Listener<TableState>): () => void {
    return this.#state.subscribe(listener);
  }

  /**
   * Calls the listener with every event that the table reads, until the returned function is
   * called.
   */
  onEvent(listener: Listener<Event>): () => void {
    const own = (event: Event) => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /**
   * Keeps the state current, across lost connections and restarts of the engine, until the returned
   * function is called. Reports the events after event `after`. The default is the last event that
   * this table read, or now.
   */
  follow({ after }: { after?: bigint | number } = {}): () => void {
    if (this.#stop)
      throw new Error(
        'this table is already being followed; first call the function that `follow` returned',
      );
    const stop = new AbortController();
    this.#stop = stop;
    this.#state.update({ connection: this.#cursor ? 'stale' : 'connecting', refused: undefined });
    void this.#followed(after, stop.signal);
    return () => {
      stop.abort();
      if (this.#stop === stop) this.#stop = undefined;
      this.#state.update({ connection: 'idle' });
    };
  }

  /** Reloads the game and the pending decision. */
  async refresh(): Promise<Game> {
    const { game, decision } = await this.#games.getGame({
      gameId: this.gameId,
      inviteCode: this.#inviteCode,
    });
    if (!game) return this.game;
    const own = !this.#spectator && (this.#seat ?? game.yourSeat) === game.yourSeat;
    this.#state.update(own ? { game, decision } : { game });
    return game;
  }

  /**
   * Returns the view: now, at the end of an earlier phase, or of everything once the game is over.
   * The current view is cached until an event is read or an order is submitted.
   */
  async view(at: At = {}): Promise<GameView | undefined> {
    return (await this.viewed(at)).view;
  }

  /** Returns the view with its cursor, decision and goals. */
  async viewed(at: At = {}): Promise<GetViewResponse> {
    if (at.atPhase !== undefined || at.revealed)
      return this.#games.getView({ ...this.#viewerFields, ...timeFields(at) });
    const known = this.#viewed;
    if (
      known &&
      CURRENT.has(this.state.connection) &&
      (known.cursor?.number ?? 0n) >= (this.cursor ?? 0n)
    )
      return known;
    const viewed = await this.#games.getView(this.#viewerFields);
    this.#applyDecision(viewed.decision, viewed.phase, viewed.revision);
    this.#viewed = viewed;
    this.#state.update({ goals: viewed.goals });
    return viewed;
  }

  /** Returns all possible orders with their decision, phase and revision. */
  async offers(): Promise<Offers> {
    const answer = await this.#games.getOffers(this.#seatFields);
    this.#applyDecision(answer.decision, answer.phase, answer.revision);
    return Offers.answered(answer);
  }

  /**
   * Validates orders without submitting them. Returns warnings, and a verdict on each order by
   * itself.
   */
  async validate(orders: Orders): Promise<ValidateOrdersResponse> {
    return this.#games.validateOrders({ ...this.#seatFields, orders: ordersOf(orders) });
  }

  /** Parses orders in the game's notation to typed orders. */
  async parse(text: string): Promise<ParseOrdersResponse['orders']> {
    return (await this.#games.parseOrders({ ...this.#seatFields, text })).orders;
  }

  /**
   * Submits orders for the decision last received from `offers`, `view`, `order` or an event. The
   * orders are durable when this returns. The engine accepts orders that resolve immediately one by
   * one: check `acceptedCount` and `refused` of the response.
   */
  async order(orders: Orders, options: OrderOptions = {}): Promise<SubmitOrdersResponse> {
    const { ready = false, requestId = '' } = options;
    const phase = options.phase ?? (await this.#current()).phase;
    const revision = options.revision ?? (await this.#current()).revision;
    const answer = await this.#games.submitOrders({
      ...this.#seatFields,
      phase,
      revision,
      requestId,
      ready,
      orders: ordersOf(orders),
    });
    this.#applyDecision(answer.decision, answer.phase, answer.revision);
    return answer;
  }

  /**
   * Marks the seat as ready or not. A phase closes early when all seats are ready. Returns
   * warnings.
   */
  async ready(ready = true): Promise<readonly Warning[]> {
    const { phase } = await this.#current();
    return (await this.#games.setReady({ ...this.#seatFields, phase, ready })).warnings;
  }

  /** Returns warnings about what the seat would leave undone if it were ready. Changes nothing. */
  async warnings(): Promise<readonly Warning[]> {
    const { phase } = await this.#current();
    return (await this.#games.setReady({ ...this.#seatFields, phase, ready: true, dryRun: true }))
      .warnings;
  }

  /**
   * Keeps the phase open until its deadline. With false, the phase may close when all seats are
   * ready.
   */
  async wait(wait = true): Promise<void> {
    const { phase } = await this.#current();
    await this.#games.setWait({ ...this.#seatFields, phase, wait });
  }

  /** Withdraws all orders of the open phase that have not been executed. */
  async takeBack(): Promise<WithdrawOrdersResponse> {
    const { phase } = await this.#current();
    const answer = await this.#games.withdrawOrders({ ...this.#seatFields, phase });
    this.#applyDecision(answer.decision, answer.phase, answer.revision);
    return answer;
  }

  /**
   * Sends a message to seats, to all seats that the rules allow, or to the game master. `anonymous`
   * hides the sender. It is allowed if `game.anonymousMessages` is set.
   */
  async write(
    text: string,
    {
      to = [],
      ...how
    }: { to?: readonly number[]; toAll?: boolean; toGameMaster?: boolean; anonymous?: boolean },
  ): Promise<Message | undefined> {
    return (await this.#games.sendMessage({ ...this.#seatFields, toSeats: [...to], ...how, text }))
      .message;
  }

  /** Lists the messages that the seat sent and received, oldest first. */
  async *messages(): AsyncGenerator<Message, void, undefined> {
    for await (const page of this.#engine.pages(GameService.method.listMessages, {
      ...this.#seatFields,
      pageSize: 200,
    }))
      yield* page.messages;
  }

  /** Writes a chat line: to the table if the account plays, otherwise to the spectators. */
  async chat(text: string, channel = this.#channel): Promise<ChatLine> {
    const request = { gameId: this.gameId, channel, text };
    const { line } = await this.#engine.client(ChatService).writeChat(request);
    if (!line) throw new TypeError('the engine returned no line');
    return line;
  }

  /** Lists the chat lines that the account can read, newest first. */
  async *chatLines(channel = this.#channel): AsyncGenerator<ChatLine, void, undefined> {
    const request = { gameId: this.gameId, channel, pageSize: 200 };
    for await (const page of this.#engine.pages(ChatService.method.listChat, request))
      yield* page.lines;
  }

  get #channel(): ChatChannel {
    const { yourSeat, youAreGameMaster } = this.game;
    const isAtTable = yourSeat !== undefined || youAreGameMaster;
    return isAtTable ? ChatChannel.TABLE : ChatChannel.SPECTATORS;
  }

  /** Lists the votes, newest first. */
  async *votes(): AsyncGenerator<Vote, void, undefined> {
    for await (const page of this.#engine.pages(GameService.method.listVotes, {
      gameId: this.gameId,
    }))
      yield* page.votes;
  }

  /** Proposes a vote. `extension` is in milliseconds. */
  async propose(
    subject: VoteSubject,
    { targetSeat, extension }: { targetSeat?: number; extension?: number } = {},
  ): Promise<Vote | undefined> {
    const about = {
      ...(targetSeat !== undefined && { targetSeat }),
      ...(extension !== undefined && { extension: durationFromMs(extension) }),
    };
    return (await this.#games.proposeVote({ ...this.#seatFields, subject, ...about })).vote;
  }

  /** Votes yes or no. The choice may be changed while the vote is open. */
  async vote(number: bigint, yes: boolean): Promise<Vote | undefined> {
    return (await this.#games.castVote({ ...this.#seatFields, vote: number, yes })).vote;
  }

  /** Lists the phases so far, oldest first. */
  async *phases(): AsyncGenerator<Phase, void, undefined> {
    const request = { gameId: this.gameId, pageSize: 200 };
    for await (const page of this.#engine.pages(GameService.method.listPhases, request))
      yield* page.phases;
  }

  /** Lists the events so far, oldest first: all, those after an event, or those of a phase. */
  async *history({
    after,
    ...at
  }: At & { after?: bigint | number } = {}): AsyncGenerator<Event, void, undefined> {
    const from = after === undefined ? {} : { after: { number: BigInt(after) } };
    const request = { ...this.#viewerFields, ...timeFields(at), ...from, pageSize: 200 };
    for await (const page of this.#engine.pages(GameService.method.getHistory, request))
      yield* page.events;
  }

  /** Returns the map as SVG, text or sentences. */
  async map({
    format = 'svg',
    theme,
    radius,
    atPhase,
    revealed,
    ...how
  }: MapOptions = {}): Promise<DrawMapResponse> {
    const request: MessageInitShape<typeof DrawMapRequestSchema> = {
      ...this.#viewerFields,
      ...timeFields({ atPhase, ...(revealed && { revealed }) }),
      ...how,
      format: FORMATS[format],
      ...(theme && { theme: THEMES[theme] }),
      ...(radius !== undefined && { radius }),
    };
    return this.#games.drawMap(request);
  }

  /** Returns what is fixed of the board, as far as visible: places, and the steps between them. */
  async board({ distances = false } = {}): Promise<Board> {
    const { board } = await this.#games.getBoard({ ...this.#viewerFields, distances });
    if (!board) throw new TypeError('the engine returned no board');
    return board;
  }

  /** Returns the board and the tables beside the board as data for drawing. */
  async scene({ atPhase, revealed, layer = '' }: SceneOptions = {}): Promise<GetSceneResponse> {
    return this.#games.getScene({
      ...this.#viewerFields,
      ...timeFields({ atPhase, ...(revealed && { revealed }) }),
      layer,
    });
  }

  /** Returns the report of a turn as text or HTML, in games with reports. */
  async report({
    format = 'text',
    atPhase,
    revealed,
    ...how
  }: ReportOptions = {}): Promise<GetReportResponse> {
    const written = format === 'html' ? ReportFormat.HTML : ReportFormat.TEXT;
    return this.#games.getReport({
      ...this.#viewerFields,
      ...timeFields({ atPhase, ...(revealed && { revealed }) }),
      ...how,
      format: written,
    });
  }

  /** Returns the rule that decided an event, and the other events of the same step. */
  async explain(event: bigint): Promise<ExplainResponse> {
    return this.#games.explain({ ...this.#seatFields, event });
  }

  /** Returns the text of a rule by number. */
  async rule(rule: string): Promise<RuleText | undefined> {
    return (await this.#games.getRule({ kind: this.kind, rule })).rule;
  }

  /** Lists the rules of the game with their chapters, headings and texts. */
  async rules(): Promise<RuleHeading[]> {
    return (await this.#games.listRules({ kind: this.kind })).rules;
  }

  /** Returns the terms of the game, and the guides for beginners. */
  async primer(): Promise<Pick<ListRulesResponse, 'terms' | 'guides'>> {
    return this.#games.listRules({ kind: this.kind, withoutRules: true });
  }

  /** Starts the game as its host. `fill` is the level of automation for open seats. */
  async start({ fill }: { fill?: string } = {}): Promise<Game> {
    const { game } = await this.#games.startGame({
      gameId: this.gameId,
      ...(fill !== undefined && { fill: { level: fill } }),
    });
    if (game) this.#state.update({ game });
    return this.game;
  }

  /** Gives up the seat for good. Before the start, the seat becomes open again. */
  async resign(): Promise<void> {
    if (this.game.status === GameStatus.FORMING)
      await this.#games.leaveGame({ gameId: this.gameId });
    else await this.#games.resign(this.#seatFields);
  }

  /**
   * Delegates the seat to automation of a level, optionally until a time. Without a level, ends the
   * delegation.
   */
  async delegate(level?: string, { until }: { until?: Date } = {}): Promise<void> {
    const to =
      level === undefined
        ? {}
        : { to: { level, ...(until && { endTime: timestampFromDate(until) }) } };
    await this.#games.delegate({ ...this.#seatFields, ...to });
  }

  /** Starts a vacation of some days. 0 ends the current vacation. Returns the days left. */
  async vacation(days: number): Promise<number> {
    return (await this.#games.setVacation({ ...this.#seatFields, days })).daysLeft;
  }

  /** Exports the journal of a finished game, or the caller's events of a running one. */
  async export({ full = false } = {}): Promise<Export> {
    let header: ExportHeader | undefined;
    const entries: Uint8Array[] = [];
    const events: Event[] = [];
    for await (const { part } of this.#games.exportGame({ gameId: this.gameId, full })) {
      if (part.case === 'header') header = part.value;
      if (part.case === 'entry') entries.push(part.value);
      if (part.case === 'event') events.push(part.value);
    }
    if (!header) throw new TypeError('the export has no header');
    return { header, entries, events };
  }

  /** The seats with a pending decision, unless the rules hide them. */
  get waiting(): readonly WaitedFor[] {
    return this.game.pendingSeats.map(({ seat, ready, ordered, waitStartTime: askedTime }) => ({
      seat,
      name: this.nameOf(seat),
      ready,
      ordered,
      since: askedTime && timestampDate(askedTime),
    }));
  }

  /** Returns the player of a seat, or else the role of the seat. */
  nameOf(seat: number): string {
    return occupantName(this.game, seat);
  }

  /** The deadline of the decision, or else of the phase, or undefined if there is none. */
  get due(): Date | undefined {
    const time = this.decision?.dueTime ?? this.game.dueTime;
    return time && timestampDate(time);
  }

  /** Returns the milliseconds left by the engine's clock, or undefined without a deadline. */
  remaining(): number | undefined {
    return this.due && this.due.getTime() - Date.now() - this.state.clockAhead;
  }

  /**
   * Streams all parts without an end and resumes after lost connections. Starts after event `after`
   * (0 for the beginning). By default, starts after the last event that this table read, or now.
   */
  async *parts({
    after,
    signal,
  }: {
    after?: bigint | number | undefined;
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<StreamEventsResponse, void, undefined> {
    if (this.#reading)
      throw new Error('the events of this table are already being read; create another table');
    if (after !== undefined) this.#cursor = create(CursorSchema, { number: BigInt(after) });
    this.#reading = true;
    const onBreak = (refused: Refused) => this.#state.update({ connection: 'stale', refused });
    const request = () => ({ ...this.#viewerFields, ...(this.#cursor && { after: this.#cursor }) });
    try {
      for await (const part of this.#engine.listen(GameService.method.streamEvents, request, {
        signal,
        onBreak,
      })) {
        if (this.#read(part)) yield part;
      }
    } finally {
      this.#reading = false;
      if (CURRENT.has(this.state.connection)) this.#state.update({ connection: 'idle' });
    }
  }

  /** Forgets which events were read, so that the next stream starts now. */
  startOver(): void {
    this.#cursor = undefined;
    this.#viewed = undefined;
    this.#known = 0n;
    this.#opened = undefined;
    this.#state.update({ cursor: undefined });
  }

  /** Streams the events, each once and in order, until the game is over. */
  async *events(
    from: { after?: bigint | number; signal?: AbortSignal } = {},
  ): AsyncGenerator<Event, void, undefined> {
    for await (const { part } of this.parts(from)) {
      if (part.case === 'event') {
        yield part.value;
        if (part.value.body.case === 'gameEnded') return;
      }
      // The game may have ended before the first requested event.
      if (part.case === 'caughtUp' && this.over) return;
    }
  }

  /**
   * Waits for the next matching event among those that this table has not read. On timeout, the
   * error lists the events that arrived.
   */
  async until(
    matches: (event: Event) => boolean,
    options: { timeout?: number } = {},
  ): Promise<Event> {
    const matching = ({ part }: StreamEventsResponse) =>
      part.case === 'event' && matches(part.value) ? part.value : undefined;
    return this.#search(matching, options);
  }

  /** Returns what `find` finds in the first unread part in which it finds something. */
  async #search<T>(
    find: (part: StreamEventsResponse) => T | undefined,
    { timeout = WAIT_MS }: { timeout?: number } = {},
  ): Promise<T> {
    const texts: string[] = [];
    const signal = timeout === Number.POSITIVE_INFINITY ? undefined : AbortSignal.timeout(timeout);
    for await (const response of this.parts({ after: this.cursor ?? 0n, signal })) {
      const found = find(response);
      if (found !== undefined) return found;
      if (response.part.case === 'event') texts.push(response.part.value.text);
    }
    throw new Error(['no event matched; these events arrived:', ...texts].join('\n  '));
  }

  /**
   * Returns the open decision of the seat, or waits for the next one, optionally of a kind. A
   * decision that the seat has marked ready is not returned. Reads the events up to the opening of
   * the decision, unless they were read before.
   */
  async untilAsked(kind?: string, options?: { timeout?: number }): Promise<Decision> {
    return this.#search(({ part }) => {
      const { decision } = this;
      if (!decision || decision.ready || (kind ?? decision.kind) !== decision.kind)
        return undefined;
      const isRead = this.#opened === decision.phase;
      const isFound =
        part.case === 'event'
          ? isRead || part.value.number > this.#known
          : part.case === 'snapshot'
            ? isRead
            : part.case === 'caughtUp';
      return isFound ? decision : undefined;
    }, options);
  }

  /** Waits until the game is over. Returns the result. */
  async untilOver({ timeout }: { timeout?: number } = {}): Promise<Outcome | undefined> {
    const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
    for await (const _ of this.events(signal ? { signal } : {})) if (this.over) break;
    if (!this.over) {
      const after = timeout === undefined ? '' : ` after ${timeout} ms`;
      throw new Error(`game ${this.gameId} is not over${after}`);
    }
    return this.game.outcome;
  }

  get #games() {
    return this.#engine.client(GameService);
  }

  get #seatFields(): { gameId: string; seat?: number } {
    return { gameId: this.gameId, ...(this.#seat !== undefined && { seat: this.#seat }) };
  }

  get #viewerFields() {
    return { ...this.#seatFields, asSpectator: this.#spectator };
  }

  async #current(): Promise<{ phase: bigint; revision: bigint }> {
    if (this.#phase === undefined || this.#revision === undefined) await this.offers();
    return { phase: this.#phase ?? 0n, revision: this.#revision ?? 0n };
  }

  /** Applies the decision of a response. A view of another revision is discarded. */
  #applyDecision(
    decision: Decision | undefined,
    phase: bigint | undefined,
    revision: bigint | undefined,
  ): void {
    if (this.#viewed && (this.#viewed.phase !== phase || this.#viewed.revision !== revision))
      this.#viewed = undefined;
    this.#phase = phase;
    this.#revision = revision;
    this.#state.update({ decision });
  }

  /** Applies a decision of the stream. The next order is for this decision. */
  #openDecision(decision: Decision | undefined): void {
    this.#state.update({ decision });
    if (decision) {
      this.#phase = decision.phase;
      this.#revision = decision.revision;
    }
  }

  /** Applies a part. Returns whether to pass it on, which is false for events already read. */
  #read({ part }: StreamEventsResponse): boolean {
    switch (part.case) {
      case 'snapshot': {
        const { game, cursor, decision, goals } = part.value;
        this.#viewed = undefined;
        this.#known = cursor?.number ?? 0n;
        if (!this.#cursor) this.#cursor = cursor && { ...cursor };
        // Add the audience, so that the engine rejects the cursor if the audience changes.
        else if (!this.#cursor.audience && cursor?.audience)
          this.#cursor = { ...this.#cursor, audience: cursor.audience };
        this.#openDecision(decision);
        this.#state.update({
          connection: 'catching-up',
          goals,
          cursor: this.cursor,
          refused: undefined,
          ...(game && { game }),
        });
        return true;
      }
      case 'event':
        return this.#happened(part.value);
      case 'caughtUp':
        this.#state.update({ connection: 'live' });
        return true;
      case 'fellBehind':
        this.#state.update({ connection: 'behind' });
        return true;
      case 'heartbeat':
        if (part.value.time)
          this.#state.update({ clockAhead: timestampMs(part.value.time) - Date.now() });
        return true;
      default:
        return true;
    }
  }

  #happened(event: Event): boolean {
    if (this.#cursor) {
      if (event.number <= this.#cursor.number) return false;
      this.#cursor = {
        ...this.#cursor,
        number: event.number,
        ...(event.time && { time: event.time }),
      };
    }
    if (event.body.case === 'decisionOpened') this.#opened = event.body.value.decision?.phase;
    if (event.number > this.#known) {
      const opened = event.body.case === 'decisionOpened';
      if (opened) this.#openDecision(applyToDecision(event, this.decision));
      this.#state.update({
        game: applyToGame(event, this.game),
        decision: applyToDecision(event, this.decision),
      });
    }
    this.#state.update({ cursor: this.cursor });
    notify(this.#listeners, event);
    return true;
  }

  async #followed(after: bigint | number | undefined, signal: AbortSignal): Promise<void> {
    let from = after;
    let heard = false;
    const listen = async () => {
      for await (const { part } of this.parts({ after: from, signal })) {
        heard = true;
        const news =
          part.case === 'event' ? part.value.number > this.#known : part.case === 'heartbeat';
        if (news) this.#refreshSoon(signal);
      }
    };
    const startsOver = (error: unknown) => {
      // The database was restored to an earlier state: later events never happened.
      if (!(heard && error instanceof Refused && error.reason === 'CURSOR_INVALID')) throw error;
      [from, heard] = [undefined, false];
      this.startOver();
      this.#refreshSoon(signal);
      return true;
    };
    try {
      while (await listen().then(() => false, startsOver));
    } catch (error) {
      if (!signal.aborted) this.#state.update({ connection: 'closed', refused: refusedBy(error) });
    } finally {
      if (this.#stop?.signal === signal) this.#stop = undefined;
    }
  }

  /** Loads what events do not contain. Changes during a load cause one more load. */
  #refreshSoon(signal: AbortSignal): void {
    if (this.#refreshing) {
      this.#refreshAgain = true;
      return;
    }
    this.#refreshing = this.refresh()
      .then(
        () => {},
        () => {}, // The stream reports lost connections.
      )
      .finally(() => {
        this.#refreshing = undefined;
        const again = this.#refreshAgain;
        this.#refreshAgain = false;
        if (again && !signal.aborted) this.#refreshSoon(signal);
      });
  }
}

function timeFields({ atPhase, revealed }: At) {
  return {
    ...(atPhase !== undefined && { atPhase: BigInt(atPhase) }),
    ...(revealed && { revealed }),
  };
}
