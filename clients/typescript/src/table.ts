// A seat at a game: what it knows, what it may order, and what happens.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampDate, timestampFromDate, timestampMs } from "@bufbuild/protobuf/wkt";
import type { GameView } from "../gen/heliopause/v1/envelope_pb.js";
import { type Cursor, CursorSchema, type Event } from "../gen/heliopause/v1/event_pb.js";
import {
  type DrawMapRequestSchema,
  type DrawMapResponse,
  type ExplainResponse,
  type ExportHeader,
  GameService,
  type GetReportResponse,
  type GetViewResponse,
  MapFormat,
  MapTheme,
  type ParseOrdersResponse,
  type Phase,
  ReportFormat,
  type RuleHeading,
  type RuleText,
  type StreamEventsResponse,
  type SubmitOrdersResponse,
  type TakeBackResponse,
  type ValidateOrdersResponse,
} from "../gen/heliopause/v1/game_pb.js";
import type { Warning } from "../gen/heliopause/v1/offer_pb.js";
import {
  type Decision,
  type Game,
  GameStatus,
  type Goal,
  type Message,
  type Outcome,
  type Vote,
  type VoteSubject,
} from "../gen/heliopause/v1/table_pb.js";
import type { Engine } from "./engine.js";
import { intoDecision, intoGame, isOver } from "./fold.js";
import { type Listener, Observable, tell } from "./observable.js";
import { Offers } from "./offers.js";
import { type Orders, ordersOf } from "./orders.js";
import { Refused, refusedBy } from "./refused.js";
import { Seat } from "./seat.js";
import { occupantName } from "./seats.js";

/**
 * How current a state is:
 * - `idle`: nobody follows the events
 * - `connecting`: the line is being opened for the first time
 * - `catching-up`: what happened before is being read
 * - `live`: events come as they happen
 * - `behind`: this client was too slow; what it missed is being read
 * - `stale`: the line broke and is being opened again; something may have happened
 * - `closed`: the engine refused to go on; `refused` says why
 */
export type LineState = "idle" | "connecting" | "catching-up" | "live" | "behind" | "stale" | "closed";

/** What a table knows. Each change makes a new object. */
export interface TableState {
  readonly line: LineState;
  /** The game as this seat may see it. */
  readonly game: Game;
  /** The open decision; absent if the seat owes none. */
  readonly decision: Decision | undefined;
  /** What each seat is on the way to, as of the last look. */
  readonly goals: readonly Goal[];
  /** The number of the last event that was read; absent before the first stream. */
  readonly cursor: bigint | undefined;
  /** Why the line broke; absent while it holds. */
  readonly refused: Refused | undefined;
  /** By how many milliseconds the engine's clock is ahead of this machine's. */
  readonly clockAhead: number;
}

/** Where a viewer stands and when they look. */
export interface At {
  /** The phase at whose end to look, as `phases` numbers them; 0 is the set-up. Absent is now. */
  atPhase?: bigint | number | undefined;
  /** See everything, once the game is over. */
  revealed?: boolean;
}

/** How a map is drawn. */
export interface MapOptions extends At {
  /** A picture (the default), lines of text for a terminal, or sentences for who hears it. */
  format?: "svg" | "text" | "list";
  theme?: "dark" | "light" | "color-blind";
  /** The place in the middle, and how far the map reaches from there. */
  around?: string;
  radius?: number;
  /** Only this layer of a map whose layers are drawn apart. */
  layer?: string;
  /** Layers that a picture leaves out: "labels". */
  hiddenLayers?: string[];
  /** How many columns a text may have, and whether it may use colours and symbols beyond ASCII. */
  width?: number;
  colors?: boolean;
  symbols?: boolean;
}

/** How a report is written. */
export interface ReportOptions extends At {
  format?: "text" | "html";
  width?: number;
  colors?: boolean;
  symbols?: boolean;
}

/** Which decision orders are for, and what goes with them. */
export interface OrderOptions {
  /** Whether the seat is ready too, if all orders are taken. */
  ready?: boolean;
  /** The decision, if not the one that this table was last told of. */
  phase?: bigint;
  revision?: bigint;
  /** A name for the request, if the same orders may have to be sent again by another process. */
  requestId?: string;
}

/** Somebody who is waited for. */
export interface WaitedFor {
  readonly seat: number;
  readonly name: string;
  /** Whether their orders are ready, and whether orders of theirs stand; absent where it is hidden. */
  readonly ready: boolean | undefined;
  readonly ordered: boolean | undefined;
  /** Since when the game has waited for them. */
  readonly since: Date | undefined;
}

/** The journal of a game, or the caller's part of it. */
export interface Export {
  readonly header: ExportHeader;
  /** Journal entries, as the hash chain covers them: if the journal itself may be had. */
  readonly entries: readonly Uint8Array[];
  /** The caller's events otherwise. */
  readonly events: readonly Event[];
}

const FORMATS = { svg: MapFormat.SVG, text: MapFormat.TEXT, list: MapFormat.LIST };
const THEMES = { dark: MapTheme.DARK, light: MapTheme.LIGHT, "color-blind": MapTheme.COLOR_BLIND };
const WAIT_MS = 30_000;
// Then events are read, so it shows if something has happened.
const CURRENT: ReadonlySet<LineState> = new Set(["catching-up", "live", "behind"]);

/**
 * A seat at a game, or a place beside it.
 *
 * `follow` keeps `state` current; `subscribe` and `onEvent` tell of it. Programs that play read `events` themselves: then `game`,
 * `decision` and `cursor` follow what was read, and `refresh` fetches what no event tells (the progress, whose turn it is, who is
 * waited for). A view cannot be made from events without the rules, so `view` fetches it anew once something has happened.
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
  // Up to this event `game` and `decision` know all.
  #known = 0n;
  #viewed: GetViewResponse | undefined;
  #stop: AbortController | undefined;
  #refreshing: Promise<void> | undefined;
  #refreshAgain = false;

  /** Tables come from a `Lobby`. */
  constructor(
    engine: Engine,
    game: Game,
    place: { seat?: number; spectator?: boolean; inviteCode?: string; decision?: Decision } = {},
  ) {
    super();
    this.#engine = engine;
    this.#seat = place.seat;
    this.#spectator = place.spectator ?? false;
    this.#inviteCode = place.inviteCode ?? "";
    this.#state = new Observable<TableState>({
      line: "idle",
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

  /** Whether this is no player's place. */
  get spectator(): boolean {
    return this.number === 0;
  }

  /** The game as this seat may see it. */
  get game(): Game {
    return this.state.game;
  }

  get decision(): Decision | undefined {
    return this.state.decision;
  }

  /** The number of the last event that was read; absent before the first stream. */
  get cursor(): bigint | undefined {
    return this.#cursor?.number;
  }

  /** Whether the game has ended or was cancelled. */
  get over(): boolean {
    return isOver(this.game);
  }

  /** All that is known now. */
  get state(): TableState {
    return this.#state.value;
  }

  /** Tells the state now and whenever it changes, until the answer is called. */
  subscribe(listener: Listener<TableState>): () => void {
    return this.#state.subscribe(listener);
  }

  /** Tells every event that is read, until the answer is called. */
  onEvent(listener: Listener<Event>): () => void {
    const own = (event: Event) => listener(event);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /**
   * Keeps the state current, whatever happens to the line or the engine, until the answer is called. Events are told from the one
   * after `after` on; without it from now on, or from where this table was.
   */
  follow({ after }: { after?: bigint | number } = {}): () => void {
    if (this.#stop) throw new Error("this table is followed already");
    const stop = new AbortController();
    this.#stop = stop;
    this.#state.update({ line: this.#cursor ? "stale" : "connecting", refused: undefined });
    void this.#followed(after, stop.signal);
    return () => {
      stop.abort();
      if (this.#stop === stop) this.#stop = undefined;
      this.#state.update({ line: "idle" });
    };
  }

  /** Fetches the game and the open decision anew. */
  async refresh(): Promise<Game> {
    const { game, decision } = await this.#games.getGame({ gameId: this.gameId, inviteCode: this.#inviteCode });
    if (!game) return this.game;
    const own = !this.#spectator && (this.#seat ?? game.yourSeat) === game.yourSeat;
    this.#state.update(own ? { game, decision } : { game });
    return game;
  }

  /**
   * What the viewer may know: now, at the end of an earlier phase, or everything once the game is over. The present view is kept
   * until an event is read or an order is given.
   */
  async view(at: At = {}): Promise<GameView | undefined> {
    return (await this.viewed(at)).view;
  }

  /** The view with its cursor, decision and goals. */
  async viewed(at: At = {}): Promise<GetViewResponse> {
    if (at.atPhase !== undefined || at.revealed) return this.#games.getView({ ...this.#viewer, ...looked(at) });
    const known = this.#viewed;
    if (known && CURRENT.has(this.state.line) && (known.cursor?.number ?? 0n) >= (this.cursor ?? 0n)) return known;
    const viewed = await this.#games.getView(this.#viewer);
    this.#heard(viewed.decision, viewed.phase, viewed.revision);
    this.#viewed = viewed;
    this.#state.update({ goals: viewed.goals });
    return viewed;
  }

  /** All that the seat may order now, with the decision, phase and revision that belong to it. */
  async offers(): Promise<Offers> {
    const answer = await this.#games.getOffers(this.#asked);
    this.#heard(answer.decision, answer.phase, answer.revision);
    return Offers.answered(answer);
  }

  /** Judges orders without giving them: a verdict for each, as if it alone were given now; and what would be left undone. */
  async validate(orders: Orders): Promise<ValidateOrdersResponse> {
    return this.#games.validateOrders({ ...this.#asked, orders: ordersOf(orders) });
  }

  /** Reads orders in the notation of the game as typed ones. */
  async parse(text: string): Promise<ParseOrdersResponse["orders"]> {
    return (await this.#games.parseOrders({ ...this.#asked, text })).orders;
  }

  /**
   * Gives orders; they are durable when this returns. They are for the decision that this table was last told of, by `offers`,
   * `view`, the last `order` or an event that opened it. Orders that resolve at once are taken one by one: look at `taken` and
   * `refused` of the answer.
   */
  async order(orders: Orders, options: OrderOptions = {}): Promise<SubmitOrdersResponse> {
    const { ready = false, requestId = "" } = options;
    const phase = options.phase ?? (await this.#named()).phase;
    const revision = options.revision ?? (await this.#named()).revision;
    const answer = await this.#games.submitOrders({
      ...this.#asked,
      phase,
      revision,
      requestId,
      ready,
      orders: ordersOf(orders),
    });
    this.#heard(answer.decision, answer.phase, answer.revision);
    return answer;
  }

  /** Marks the orders as ready, or not: a phase closes early when all are. Answers what the seat leaves undone. */
  async ready(ready = true): Promise<readonly Warning[]> {
    const { phase } = await this.#named();
    return (await this.#games.setReady({ ...this.#asked, phase, ready })).warnings;
  }

  /** Of what the seat would be warned if it were ready now: what it leaves undone. Nothing changes. */
  async warnings(): Promise<readonly Warning[]> {
    const { phase } = await this.#named();
    return (await this.#games.setReady({ ...this.#asked, phase, ready: true, dryRun: true })).warnings;
  }

  /** Keeps the phase open until its deadline even if all are ready, or not. */
  async wait(wait = true): Promise<void> {
    const { phase } = await this.#named();
    await this.#games.setWait({ ...this.#asked, phase, wait });
  }

  /** Takes back all orders of the open phase that are kept until it closes. */
  async takeBack(): Promise<TakeBackResponse> {
    const { phase } = await this.#named();
    const answer = await this.#games.takeBack({ ...this.#asked, phase });
    this.#heard(answer.decision, answer.phase, answer.revision);
    return answer;
  }

  /** Sends a letter to seats, to all that the rules let it reach, or to the game master. */
  async write(
    text: string,
    { to = [], ...how }: { to?: readonly number[]; toAll?: boolean; toGameMaster?: boolean; anonymous?: boolean },
  ): Promise<Message | undefined> {
    return (await this.#games.sendMessage({ ...this.#asked, toSeats: [...to], ...how, text })).message;
  }

  /** The letters that the seat sent and received, oldest first. */
  async *letters(): AsyncGenerator<Message, void, undefined> {
    for await (const page of this.#engine.pages(GameService.method.listMessages, { ...this.#asked, pageSize: 200 }))
      yield* page.messages;
  }

  /** The votes of the game, newest first. */
  async *votes(): AsyncGenerator<Vote, void, undefined> {
    for await (const page of this.#engine.pages(GameService.method.listVotes, { gameId: this.gameId })) yield* page.votes;
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
    return (await this.#games.proposeVote({ ...this.#asked, subject, ...about })).vote;
  }

  /** Votes yes or no; this may be changed while the vote is open. */
  async vote(number: bigint, yes: boolean): Promise<Vote | undefined> {
    return (await this.#games.castVote({ ...this.#asked, vote: number, yes })).vote;
  }

  /** The phases of the game so far, oldest first. */
  async *phases(): AsyncGenerator<Phase, void, undefined> {
    const request = { gameId: this.gameId, pageSize: 200 };
    for await (const page of this.#engine.pages(GameService.method.listPhases, request)) yield* page.phases;
  }

  /** The events so far, oldest first: all of them, those after one, or those of one phase. */
  async *history({ after, ...at }: At & { after?: bigint | number } = {}): AsyncGenerator<Event, void, undefined> {
    const from = after === undefined ? {} : { after: { number: BigInt(after) } };
    const request = { ...this.#viewer, ...looked(at), ...from, pageSize: 200 };
    for await (const page of this.#engine.pages(GameService.method.getHistory, request)) yield* page.events;
  }

  /** The map: a picture, lines of text, or sentences. */
  async map({ format = "svg", theme, radius, atPhase, revealed, ...how }: MapOptions = {}): Promise<DrawMapResponse> {
    const request: MessageInitShape<typeof DrawMapRequestSchema> = {
      ...this.#viewer,
      ...looked({ atPhase, ...(revealed && { revealed }) }),
      ...how,
      format: FORMATS[format],
      ...(theme && { theme: THEMES[theme] }),
      ...(radius !== undefined && { radius }),
    };
    return this.#games.drawMap(request);
  }

  /** The report of a turn as text or as a page of HTML, in games that have one. */
  async report({ format = "text", atPhase, revealed, ...how }: ReportOptions = {}): Promise<GetReportResponse> {
    const written = format === "html" ? ReportFormat.HTML : ReportFormat.TEXT;
    return this.#games.getReport({
      ...this.#viewer,
      ...looked({ atPhase, ...(revealed && { revealed }) }),
      ...how,
      format: written,
    });
  }

  /** Why an event came out as it did: its rule, and what else happened in the same step. */
  async explain(event: bigint): Promise<ExplainResponse> {
    return this.#games.explain({ ...this.#asked, event });
  }

  /** The text of a rule by its number. */
  async rule(rule: string): Promise<RuleText | undefined> {
    return (await this.#games.getRule({ kind: this.kind, rule })).rule;
  }

  /** The index of the game's rules: the number and heading of each. */
  async rules(): Promise<RuleHeading[]> {
    return (await this.#games.listRules({ kind: this.kind })).rules;
  }

  /** Starts the game, as its host. `fill` names the level of the automation that takes the open seats. */
  async start({ fill }: { fill?: string } = {}): Promise<Game> {
    const { game } = await this.#games.startGame({ gameId: this.gameId, ...(fill !== undefined && { fill: { level: fill } }) });
    if (game) this.#state.update({ game });
    return this.game;
  }

  /** Gives the seat up for good; before the start it is open again. */
  async resign(): Promise<void> {
    if (this.game.status === GameStatus.FORMING) await this.#games.leaveGame({ gameId: this.gameId });
    else await this.#games.resign(this.#asked);
  }

  /** Hands the seat to automation of a level, if need be until some time; without a level it takes the seat back. */
  async delegate(level?: string, { until }: { until?: Date } = {}): Promise<void> {
    const to = level === undefined ? {} : { to: { level, ...(until && { endTime: timestampFromDate(until) }) } };
    await this.#games.delegate({ ...this.#asked, ...to });
  }

  /** Takes so many days of vacation, or with 0 ends it; answers how many are left. */
  async vacation(days: number): Promise<number> {
    return (await this.#games.setVacation({ ...this.#asked, days })).daysLeft;
  }

  /** The journal of a game that is over, which `proof` verifies; of a running game the caller's events. */
  async export({ full = false } = {}): Promise<Export> {
    let header: ExportHeader | undefined;
    const entries: Uint8Array[] = [];
    const events: Event[] = [];
    for await (const { part } of this.#games.exportGame({ gameId: this.gameId, full })) {
      if (part.case === "header") header = part.value;
      if (part.case === "entry") entries.push(part.value);
      if (part.case === "event") events.push(part.value);
    }
    if (!header) throw new TypeError("the export has no header");
    return { header, entries, events };
  }

  /** The seats that owe a decision, where the rules do not make that a secret. */
  get waiting(): readonly WaitedFor[] {
    return this.game.waiting.map(({ seat, ready, ordered, askedTime }) => ({
      seat,
      name: this.nameOf(seat),
      ready,
      ordered,
      since: askedTime && timestampDate(askedTime),
    }));
  }

  /** What to call a seat: its player, or its role. */
  nameOf(seat: number): string {
    return occupantName(this.game, seat);
  }

  /** When the seat's decision falls due, else the open phase; absent if there is no deadline. */
  get due(): Date | undefined {
    const time = this.decision?.dueTime ?? this.game.dueTime;
    return time && timestampDate(time);
  }

  /** How many milliseconds are left by the engine's clock; absent if there is no deadline. */
  remaining(): number | undefined {
    return this.due && this.due.getTime() - Date.now() - this.state.clockAhead;
  }

  /**
   * All parts of the stream of events; it goes on where it was after any break, and never ends by itself. It begins after the event
   * of that number: 0 is the beginning. Without a number it goes on after the last event that this table has read, or begins now.
   */
  async *parts({
    after,
    signal,
  }: {
    after?: bigint | number | undefined;
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<StreamEventsResponse, void, undefined> {
    if (this.#reading) throw new Error("the events of this table are being read already: make another table");
    if (after !== undefined) this.#cursor = create(CursorSchema, { number: BigInt(after) });
    this.#reading = true;
    const onBreak = (refused: Refused) => this.#state.update({ line: "stale", refused });
    const request = () => ({ ...this.#viewer, ...(this.#cursor && { after: this.#cursor }) });
    try {
      for await (const part of this.#engine.listen(GameService.method.streamEvents, request, { signal, onBreak })) {
        if (this.#read(part)) yield part;
      }
    } finally {
      this.#reading = false;
      if (CURRENT.has(this.state.line)) this.#state.update({ line: "idle" });
    }
  }

  /** Forgets which events were read: the next stream begins now. */
  startOver(): void {
    this.#cursor = undefined;
    this.#viewed = undefined;
    this.#known = 0n;
    this.#state.update({ cursor: undefined });
  }

  /** The events as they happen, each once and in order, until the game is over. */
  async *events(from: { after?: bigint | number; signal?: AbortSignal } = {}): AsyncGenerator<Event, void, undefined> {
    for await (const { part } of this.parts(from)) {
      if (part.case === "event") {
        yield part.value;
        if (part.value.body.case === "gameEnded") return;
      }
      // The game may have ended before the first event that was asked for.
      if (part.case === "caughtUp" && this.over) return;
    }
  }

  /**
   * Waits for the next event that matches, from the first that this table has not read. If none comes in time the error lists the
   * events that came instead.
   */
  async until(matches: (event: Event) => boolean, { timeout = WAIT_MS }: { timeout?: number } = {}): Promise<Event> {
    const told: string[] = [];
    const signal = timeout === Number.POSITIVE_INFINITY ? undefined : AbortSignal.timeout(timeout);
    for await (const { part } of this.parts({ after: this.cursor ?? 0n, signal })) {
      if (part.case !== "event") continue;
      if (matches(part.value)) return part.value;
      told.push(part.value.text);
    }
    throw new Error(["nothing matched; these events came:", ...told].join("\n  "));
  }

  /** Waits until the seat is asked something, of this kind if one is named. */
  async untilAsked(kind?: string, options?: { timeout?: number }): Promise<Decision> {
    const { body } = await this.until(({ body }) => {
      return body.case === "decisionOpened" && (kind === undefined || body.value.decision?.kind === kind);
    }, options);
    if (body.case !== "decisionOpened" || !body.value.decision) throw new TypeError("a decision opened without a decision");
    return body.value.decision;
  }

  /** Waits until the game is over. */
  async untilOver({ timeout }: { timeout?: number } = {}): Promise<Outcome | undefined> {
    const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
    for await (const _ of this.events(signal ? { signal } : {})) if (this.over) break;
    if (!this.over) throw new Error("the game is not over");
    return this.game.outcome;
  }

  get #games() {
    return this.#engine.client(GameService);
  }

  /** What names this seat in requests. */
  get #asked(): { gameId: string; seat?: number } {
    return { gameId: this.gameId, ...(this.#seat !== undefined && { seat: this.#seat }) };
  }

  /** What names who looks. */
  get #viewer() {
    return { ...this.#asked, asSpectator: this.#spectator };
  }

  /** The phase and revision that the next order names. */
  async #named(): Promise<{ phase: bigint; revision: bigint }> {
    if (this.#phase === undefined || this.#revision === undefined) await this.offers();
    return { phase: this.#phase ?? 0n, revision: this.#revision ?? 0n };
  }

  /** Takes what an answer says about the decision. A view of another revision is out of date. */
  #heard(decision: Decision | undefined, phase: bigint | undefined, revision: bigint | undefined): void {
    if (this.#viewed && (this.#viewed.phase !== phase || this.#viewed.revision !== revision)) this.#viewed = undefined;
    this.#phase = phase;
    this.#revision = revision;
    this.#state.update({ decision });
  }

  /** Takes a decision that the stream tells of: the next order is for it. */
  #opened(decision: Decision | undefined): void {
    this.#state.update({ decision });
    if (decision) {
      this.#phase = decision.phase;
      this.#revision = decision.revision;
    }
  }

  /** Takes what a part says. Answers whether it is to be handed on: an event that was read before is not. */
  #read({ part }: StreamEventsResponse): boolean {
    switch (part.case) {
      case "opening": {
        const { game, cursor, decision, goals } = part.value;
        this.#viewed = undefined;
        this.#known = cursor?.number ?? 0n;
        if (!this.#cursor) this.#cursor = cursor && { ...cursor };
        // From now on another audience's events are refused and not taken for these.
        else if (!this.#cursor.audience && cursor?.audience) this.#cursor = { ...this.#cursor, audience: cursor.audience };
        this.#opened(decision);
        this.#state.update({ line: "catching-up", goals, cursor: this.cursor, refused: undefined, ...(game && { game }) });
        return true;
      }
      case "event":
        return this.#happened(part.value);
      case "caughtUp":
        this.#state.update({ line: "live" });
        return true;
      case "fellBehind":
        this.#state.update({ line: "behind" });
        return true;
      case "heartbeat":
        if (part.value.time) this.#state.update({ clockAhead: timestampMs(part.value.time) - Date.now() });
        return true;
      default:
        return true;
    }
  }

  #happened(event: Event): boolean {
    if (this.#cursor) {
      if (event.number <= this.#cursor.number) return false;
      this.#cursor = { ...this.#cursor, number: event.number, ...(event.time && { time: event.time }) };
    }
    if (event.number > this.#known) {
      const opened = event.body.case === "decisionOpened";
      if (opened) this.#opened(intoDecision(event, this.decision));
      this.#state.update({ game: intoGame(event, this.game), decision: intoDecision(event, this.decision) });
    }
    this.#state.update({ cursor: this.cursor });
    tell(this.#listeners, event);
    return true;
  }

  async #followed(after: bigint | number | undefined, signal: AbortSignal): Promise<void> {
    let from = after;
    let heard = false;
    const listen = async () => {
      for await (const { part } of this.parts({ after: from, signal })) {
        heard = true;
        const news = part.case === "event" ? part.value.number > this.#known : part.case === "heartbeat";
        if (news) this.#refreshSoon(signal);
      }
    };
    const startsOver = (error: unknown) => {
      // The database went back to an earlier state: what came after it never happened.
      if (!(heard && error instanceof Refused && error.reason === "CURSOR_INVALID")) throw error;
      [from, heard] = [undefined, false];
      this.startOver();
      this.#refreshSoon(signal);
      return true;
    };
    try {
      while (await listen().then(() => false, startsOver));
    } catch (error) {
      if (!signal.aborted) this.#state.update({ line: "closed", refused: refusedBy(error) });
    } finally {
      if (this.#stop?.signal === signal) this.#stop = undefined;
    }
  }

  /** Fetches what no event tells. What happens meanwhile makes it look once more. */
  #refreshSoon(signal: AbortSignal): void {
    if (this.#refreshing) {
      this.#refreshAgain = true;
      return;
    }
    this.#refreshing = this.refresh()
      .then(
        () => {},
        () => {}, // The stream tells if the engine is gone.
      )
      .finally(() => {
        this.#refreshing = undefined;
        const again = this.#refreshAgain;
        this.#refreshAgain = false;
        if (again && !signal.aborted) this.#refreshSoon(signal);
      });
  }
}

function looked({ atPhase, revealed }: At) {
  return { ...(atPhase !== undefined && { atPhase: BigInt(atPhase) }), ...(revealed && { revealed }) };
}
