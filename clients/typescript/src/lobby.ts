// Finding a table: games that can be played, games that are played, and one's own.

import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { GameOptionsSchema, GamePositionSchema } from "../gen/heliopause/v1/envelope_pb.js";
import {
  type CreateGameRequestSchema,
  type GameKind,
  type GameNotice,
  GameService,
  type GameSummary,
  type OpenDecision,
  type SeatPlanSchema,
  type StreamMyGamesResponse,
} from "../gen/heliopause/v1/game_pb.js";
import { type MyGame, PlayerService } from "../gen/heliopause/v1/player_pb.js";
import { type CreateSandboxGameRequestSchema, SandboxService } from "../gen/heliopause/v1/sandbox_pb.js";
import { type DelegationRule, type Game, GameStatus, type PaceSchema } from "../gen/heliopause/v1/table_pb.js";
import type { ListenOptions } from "./calls.js";
import { collect, type Engine } from "./engine.js";
import { type Listener, Observable, tell } from "./observable.js";
import { type Refused, refusedBy } from "./refused.js";
import { Sandbox } from "./sandbox.js";
import { type LineState, Table } from "./table.js";

/** What a lobby knows of the account's games. Each change makes a new object. */
export interface LobbyState {
  readonly line: LineState;
  /** The games in which the account sits, is invited, or which it leads; newest first. */
  readonly mine: readonly MyGame[];
  /** Why the line broke; absent while it holds. */
  readonly refused: Refused | undefined;
}

/** Which games are listed. */
export interface ListOptions {
  kind?: string;
  /** Only games whose name holds this text. */
  search?: string;
  status?: GameStatus;
  /** Only games with a seat that the account could take. */
  joinable?: boolean;
}

/** Rules options: typed by `games/...`, or in proto3 JSON with or without the game's envelope. Absent options have their defaults. */
export type GivenOptions = MessageInitShape<typeof GameOptionsSchema> | JsonObject;
/** A position: typed by `games/...`, or in proto3 JSON with or without the game's envelope. */
export type GivenPosition = MessageInitShape<typeof GamePositionSchema> | JsonObject;

/** What a new game is to be. */
export interface NewGame {
  name?: string;
  options?: GivenOptions | undefined;
  pace?: MessageInitShape<typeof PaceSchema> | undefined;
  /** The plans of the players' seats; without them they follow from the next five. */
  seats?: MessageInitShape<typeof SeatPlanSchema>[] | undefined;
  /** The account's own seat, from 1; without it lots decide at the start. */
  seat?: number;
  /** How many seats automation plays, and at which level. */
  opponents?: number;
  level?: string;
  /** How many seats are for anybody, beside the account's own. */
  openSeats?: number;
  /** Players whom seats are kept for, by name. */
  invited?: readonly string[];
  private?: boolean;
  /** Hide players' names until the end. */
  anonymous?: boolean;
  /** The account leads the game and sees everything, or takes no seat. */
  gameMaster?: boolean;
  spectate?: boolean;
  /** Start as soon as no seat is open; the default. */
  startWhenFull?: boolean;
  /** Draw no lots: the first plan is for seat 1, and so on. */
  seatsInOrder?: boolean;
  /** Tell nobody who is ready, and let everybody read all letters at the end. */
  hideReady?: boolean;
  openLetters?: boolean;
  delegation?: DelegationRule;
  /** The automation of the seats that the game itself owns. */
  automatonLevel?: string;
  /** SHA-256 of the account's own entropy for the dice. */
  entropyCommitment?: Uint8Array;
}

/** What a sandbox game is to be. */
export interface NewSandbox {
  players?: number;
  position?: GivenPosition | undefined;
  options?: GivenOptions | undefined;
  pace?: MessageInitShape<typeof PaceSchema> | undefined;
  /** The seed of the dice, 32 bytes, and the dice that are rolled first. */
  seed?: Uint8Array;
  dice?: number[];
  /** Levels of automation, and accounts for which seats are kept, by seats. All other seats are the account's. */
  automated?: Readonly<Record<number, string>>;
  guests?: Readonly<Record<number, string>>;
  name?: string;
}

/** The games that can be played, that are played, and the account's own. `follow` keeps its own ones current. */
export class Lobby {
  readonly #engine: Engine;
  readonly #state = new Observable<LobbyState>({ line: "idle", mine: [], refused: undefined });
  readonly #listeners = new Set<Listener<GameNotice>>();
  #kinds: Promise<readonly GameKind[]> | undefined;
  #stop: AbortController | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** All that is known now. */
  get state(): LobbyState {
    return this.#state.value;
  }

  /** Tells the state now and whenever it changes, until the answer is called. */
  subscribe(listener: Listener<LobbyState>): () => void {
    return this.#state.subscribe(listener);
  }

  /** Tells every notice, until the answer is called. */
  onNotice(listener: Listener<GameNotice>): () => void {
    const own = (notice: GameNotice) => listener(notice);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Keeps the list of the account's games current, until the answer is called. */
  follow(): () => void {
    if (this.#stop) throw new Error("this lobby is followed already");
    const stop = new AbortController();
    this.#stop = stop;
    this.#state.update({ line: "connecting", refused: undefined });
    void this.#followed(stop.signal);
    return () => {
      stop.abort();
      if (this.#stop === stop) this.#stop = undefined;
      this.#state.update({ line: "idle" });
    };
  }

  /** Fetches the list of the account's games anew. */
  async refresh(): Promise<readonly MyGame[]> {
    const mine = await collect(this.mine());
    this.#state.update({ mine });
    return mine;
  }

  /** The games that can be played. They are fetched once. */
  kinds(): Promise<readonly GameKind[]> {
    this.#kinds ??= this.#games.listKinds({}).then(
      ({ kinds }) => kinds,
      (error) => {
        this.#kinds = undefined;
        throw error;
      },
    );
    return this.#kinds;
  }

  /** The games in which the account sits, is invited, or which it leads; newest first. */
  async *mine({ runningOnly = false } = {}): AsyncGenerator<MyGame, void, undefined> {
    for await (const page of this.#engine.pages(PlayerService.method.listMyGames, { runningOnly, pageSize: 200 }))
      yield* page.games;
  }

  /** The games that the account may see, newest first. */
  async *list(which: ListOptions = {}): AsyncGenerator<GameSummary, void, undefined> {
    for await (const page of this.#engine.pages(GameService.method.listGames, which)) yield* page.games;
  }

  /** The games with a seat that the account could take, newest first. */
  open(which: Pick<ListOptions, "kind" | "search"> = {}): AsyncGenerator<GameSummary, void, undefined> {
    return this.list({ ...which, joinable: true });
  }

  /** The games that have ended, newest first. */
  finished(which: Pick<ListOptions, "kind" | "search"> = {}): AsyncGenerator<GameSummary, void, undefined> {
    return this.list({ ...which, status: GameStatus.ENDED });
  }

  /** The decisions that the account owes, in all its games and seats. */
  async *decisions(): AsyncGenerator<OpenDecision, void, undefined> {
    for await (const page of this.#engine.pages(GameService.method.listMyDecisions, {})) yield* page.decisions;
  }

  /** What happens in all games of the account, as hints to look. It never ends by itself. */
  notices(options?: ListenOptions): AsyncGenerator<StreamMyGamesResponse, void, undefined> {
    return this.#engine.listen(GameService.method.streamMyGames, () => ({}), options);
  }

  /** Makes a game. The account takes part, unless told otherwise. */
  async create(kind: string, wanted: NewGame = {}): Promise<Table> {
    const options = await this.#options(kind, wanted.options);
    const { name = "", pace, entropyCommitment, startWhenFull = true, delegation, automatonLevel = "" } = wanted;
    const request: MessageInitShape<typeof CreateGameRequestSchema> = {
      kind,
      name,
      seats: wanted.seats ?? seatsOf(wanted),
      isPrivate: wanted.private ?? false,
      anonymous: wanted.anonymous ?? false,
      gameMaster: wanted.gameMaster ?? false,
      spectate: wanted.spectate ?? false,
      hideReady: wanted.hideReady ?? false,
      openLetters: wanted.openLetters ?? false,
      seatsInOrder: wanted.seatsInOrder ?? false,
      startWhenFull,
      automatonLevel,
      ...(options && { options }),
      ...(pace && { pace }),
      ...(delegation && { delegation }),
      ...(entropyCommitment && { entropyCommitment }),
    };
    const { game } = await this.#games.createGame(request);
    return new Table(this.#engine, there(game));
  }

  /** Takes a seat: the one named, else one by lot, or the first that the account may take. */
  async join(
    gameId: string,
    { seat, inviteCode = "", entropyCommitment }: { seat?: number; inviteCode?: string; entropyCommitment?: Uint8Array } = {},
  ): Promise<Table> {
    const { game } = await this.#games.joinGame({
      gameId,
      inviteCode,
      ...(seat !== undefined && { seat }),
      ...(entropyCommitment && { entropyCommitment }),
    });
    return new Table(this.#engine, there(game));
  }

  /** Declines the seat that is kept for the account. */
  async decline(gameId: string): Promise<void> {
    await this.#games.declineInvitation({ gameId });
  }

  /**
   * The seat that the account has in a game, or a spectator's place if it has none. In a sandbox its owner may name any seat.
   */
  async table(
    gameId: string,
    { inviteCode = "", ...place }: { seat?: number; spectator?: boolean; inviteCode?: string } = {},
  ): Promise<Table> {
    const { game, decision } = await this.#games.getGame({ gameId, inviteCode });
    const own = !place.spectator && (place.seat ?? game?.yourSeat) === game?.yourSeat;
    return new Table(this.#engine, there(game), { ...place, inviteCode, ...(own && decision && { decision }) });
  }

  /** A spectator's place at a game. */
  watch(gameId: string, { inviteCode = "" } = {}): Promise<Table> {
    return this.table(gameId, { spectator: true, inviteCode });
  }

  /** Makes a sandbox game, from a position or by its options. */
  async sandbox(kind: string, wanted: NewSandbox = {}): Promise<Sandbox> {
    const { players, pace, seed, dice = [], automated = {}, guests = {}, name = "" } = wanted;
    const options = await this.#options(kind, wanted.options);
    const position = await this.#position(kind, wanted.position);
    const request: MessageInitShape<typeof CreateSandboxGameRequestSchema> = {
      kind,
      name,
      dice,
      automated: Object.entries(automated).map(([seat, level]) => ({ seat: Number(seat), by: { level } })),
      guests: Object.entries(guests).map(([seat, player]) => ({ seat: Number(seat), player })),
      ...(players !== undefined && { players }),
      ...(position && { position }),
      ...(options && { options }),
      ...(pace && { pace }),
      ...(seed && { seed }),
    };
    const { game } = await this.#engine.client(SandboxService).createSandboxGame(request);
    return new Sandbox(this.#engine, there(game));
  }

  get #games() {
    return this.#engine.client(GameService);
  }

  async #kind(kind: string): Promise<GameKind | undefined> {
    return (await this.kinds()).find((one) => one.kind === kind);
  }

  /** Options in their envelope. Those of an unknown kind are left out: the engine refuses the kind. */
  async #options(kind: string, given: GivenOptions | undefined) {
    if (!given || isEnvelope<typeof GameOptionsSchema>(given)) return given;
    const described = await this.#kind(kind);
    return described && (await import("./options.js")).optionsOf(described, given);
  }

  /** A position in its envelope; that of an unknown kind is left out. */
  async #position(kind: string, given: GivenPosition | undefined) {
    if (!given || isEnvelope<typeof GamePositionSchema>(given)) return given;
    const game = (await this.#kind(kind))?.defaultOptions?.game.case;
    return game && (await import("./games/index.js")).gameOfJson("position", given, game);
  }

  async #followed(signal: AbortSignal): Promise<void> {
    const onBreak = (refused: Refused) => this.#state.update({ line: "stale", refused });
    try {
      for await (const { notice } of this.notices({ signal, onBreak })) {
        if (notice.case === "game") tell(this.#listeners, notice.value);
        // Any part says that the line holds; but for heartbeats each is a hint to look.
        if (notice.case !== "heartbeat" || this.state.line !== "live") this.#lookSoon(signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#state.update({ line: "closed", refused: refusedBy(error) });
    } finally {
      if (this.#stop?.signal === signal) this.#stop = undefined;
    }
  }

  /** Looks at the list. What happens meanwhile makes it look once more. */
  #lookSoon(signal: AbortSignal): void {
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    const live = () => {
      if (!signal.aborted) this.#state.update({ line: "live", refused: undefined });
    };
    this.#looking = this.refresh()
      .then(live, () => {}) // The stream tells if the engine is gone.
      .finally(() => {
        this.#looking = undefined;
        const again = this.#lookAgain;
        this.#lookAgain = false;
        if (again && !signal.aborted) this.#lookSoon(signal);
      });
  }
}

function seatsOf({ seat, opponents = 0, level = "", openSeats = 0, invited = [], spectate, gameMaster }: NewGame) {
  type Plan = MessageInitShape<typeof SeatPlanSchema>;
  const own: Plan[] = spectate || gameMaster ? [] : [{ plan: { case: "open", value: {} }, ...(seat !== undefined && { seat }) }];
  return [
    ...own,
    ...Array.from({ length: openSeats }, (): Plan => ({ plan: { case: "open", value: {} } })),
    ...invited.map((player): Plan => ({ plan: { case: "reservedFor", value: player } })),
    ...Array.from({ length: opponents }, (): Plan => ({ plan: { case: "automated", value: { level } } })),
  ];
}

/** Whether a game's message is in its envelope as the contract has it, and not JSON. */
function isEnvelope<S extends typeof GameOptionsSchema | typeof GamePositionSchema>(
  given: MessageInitShape<S> | JsonObject,
): given is MessageInitShape<S> {
  const { game } = given;
  return "$typeName" in given || (typeof game === "object" && game !== null && "case" in game);
}

function there(game: Game | undefined): Game {
  if (!game) throw new TypeError("the engine answered no game");
  return game;
}
