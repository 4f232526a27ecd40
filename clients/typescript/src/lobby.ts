// Lists, creates and joins games.

import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { durationFromMs, type Timestamp } from '@bufbuild/protobuf/wkt';
import {
  type Analysis,
  AnalysisService,
  type CreateAnalysisRequestSchema,
} from '../gen/heliopause/v1/analysis_pb.js';
import type { GameOptionsSchema, GamePositionSchema } from '../gen/heliopause/v1/envelope_pb.js';
import {
  type CreateGameRequestSchema,
  type GameKind,
  type GameNotice,
  GameService,
  type GameSummary,
  type OpenDecision,
  type SeatPlanSchema,
  type StreamMyGamesResponse,
} from '../gen/heliopause/v1/game_pb.js';
import { type MyGame, PlayerService } from '../gen/heliopause/v1/player_pb.js';
import {
  type LadderSize,
  type LeaderboardEntry,
  ProfileService,
} from '../gen/heliopause/v1/profile_pb.js';
import { QueueState, QuickPace, QuickPlayService } from '../gen/heliopause/v1/quick_play_pb.js';
import {
  type CreateSandboxGameRequestSchema,
  SandboxService,
} from '../gen/heliopause/v1/sandbox_pb.js';
import type { Board } from '../gen/heliopause/v1/scene_pb.js';
import {
  type DelegationRule,
  type Game,
  GameStatus,
  type PaceSchema,
} from '../gen/heliopause/v1/table_pb.js';
import {
  type GetTournamentResponse,
  type Tournament,
  TournamentService,
  type TournamentStatus,
} from '../gen/heliopause/v1/tournament_pb.js';
import type { ListenOptions } from './calls.js';
import { collect, type Engine } from './engine.js';
import { type Listener, notify, Observable } from './observable.js';
import { type Refused, refusedBy } from './refused.js';
import { Sandbox } from './sandbox.js';
import { type ConnectionState, Table } from './table.js';

/** The interval of calls while waiting for opponents. */
const POLL_MS = 2_000;

/** The state of a lobby. Each change creates a new object. */
export interface LobbyState {
  readonly connection: ConnectionState;
  /** Games in which the account has a seat, is invited, or is the game master, newest first. */
  readonly mine: readonly MyGame[];
  /** Why the connection broke, or undefined while it is open. */
  readonly refused: Refused | undefined;
}

/** Filters for lists of games. */
export interface ListOptions {
  kind?: string;
  /** Only games whose name contains this text. */
  search?: string;
  status?: GameStatus;
  /** Only games with a seat that the account can take. */
  joinable?: boolean;
  /** Only games in which this player has a seat. */
  player?: string;
  rated?: boolean;
  createdFromTime?: Timestamp;
  createdBeforeTime?: Timestamp;
  /** Only games that ended with a result. The list is then sorted by the end. */
  endedFromTime?: Timestamp;
  endedBeforeTime?: Timestamp;
}

/** Options, typed by `games/...` or as proto3 JSON. Missing options have their defaults. */
export type GivenOptions = MessageInitShape<typeof GameOptionsSchema> | JsonObject;
/** A position, typed by `games/...` or as proto3 JSON with or without the envelope. */
export type GivenPosition = MessageInitShape<typeof GamePositionSchema> | JsonObject;

export interface NewGame {
  name?: string;
  options?: GivenOptions | undefined;
  pace?: MessageInitShape<typeof PaceSchema> | undefined;
  /** The plans of the seats. Without plans, the next five fields determine the seats. */
  seats?: MessageInitShape<typeof SeatPlanSchema>[] | undefined;
  /** The account's own seat, from 1. Drawn by lot if absent. */
  seat?: number;
  /** The number of automated opponents, and their level. */
  opponents?: number;
  level?: string;
  /** The number of open seats in addition to the account's own. */
  openSeats?: number;
  /** The names of players with a reserved seat. */
  invited?: readonly string[];
  private?: boolean;
  /** Hide the names of players until the end. */
  anonymous?: boolean;
  /** Join as game master, who sees everything, instead of playing. */
  gameMaster?: boolean;
  /** Join as spectator instead of playing. */
  spectate?: boolean;
  /** Start when all seats are taken. The default. */
  startWhenFull?: boolean;
  /** Assign the plans to seats 1, 2, ... instead of drawing lots. */
  seatsInOrder?: boolean;
  /** Hide who is ready, and make all messages public after the end. */
  hideReady?: boolean;
  openMessages?: boolean;
  /** Change the players' ratings by the result. */
  rated?: boolean;
  /** Forbid branches before the end. */
  noAnalysis?: boolean;
  delegation?: DelegationRule;
  /** The level of automation of the game's own seats. */
  automatonLevel?: string;
  /** The SHA-256 hash of the account's own entropy for the dice. */
  entropyCommitment?: Uint8Array;
}

export interface QuickGame {
  /** The deadlines. Default: five minutes for each phase. */
  pace?: QuickPace;
  /** The smallest and the largest number of players. Default: the usual number. */
  players?: readonly [least: number, most: number];
  rated?: boolean;
  /** After this time in ms, automation takes the missing seats. Default: never. */
  botsAfter?: number;
  /** The preferred seats, best first. */
  preferences?: readonly number[];
  /** Leaves the queue when aborted. */
  signal?: AbortSignal;
}

export interface NewSandbox {
  players?: number;
  position?: GivenPosition | undefined;
  options?: GivenOptions | undefined;
  pace?: MessageInitShape<typeof PaceSchema> | undefined;
  /** The seed of the dice (32 bytes), and the results of the first dice. */
  seed?: Uint8Array;
  dice?: number[];
  /** Levels of automation and names of guests, by seat. The account has all other seats. */
  automated?: Readonly<Record<number, string>>;
  guests?: Readonly<Record<number, string>>;
  name?: string;
}

export interface NewAnalysis {
  /** The phase at whose end the branch starts. The default is the current state. */
  phase?: bigint;
  /** The seat that the account mainly plays. The default is its own. */
  seat?: number;
  /** Start from the true state, once the game is over. */
  revealed?: boolean;
  /** The level of the automation that plays all other seats. Without it, the account plays them. */
  level?: string;
  name?: string;
  /** The seed of the guesses and of the dice (32 bytes). */
  seed?: Uint8Array;
}

/** Lists, creates and joins games. `follow` keeps the list of the account's own games current. */
export class Lobby {
  readonly #engine: Engine;
  readonly #state = new Observable<LobbyState>({
    connection: 'idle',
    mine: [],
    refused: undefined,
  });
  readonly #listeners = new Set<Listener<GameNotice>>();
  #kinds: Promise<readonly GameKind[]> | undefined;
  #stop: AbortController | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get state(): LobbyState {
    return this.#state.value;
  }

  /** Calls the listener now and on every change, until the returned function is called. */
  subscribe(listener: Listener<LobbyState>): () => void {
    return this.#state.subscribe(listener);
  }

  /** Calls the listener with every notice, until the returned function is called. */
  onNotice(listener: Listener<GameNotice>): () => void {
    const own = (notice: GameNotice) => listener(notice);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Keeps the list of the account's games current, until the returned function is called. */
  follow(): () => void {
    if (this.#stop)
      throw new Error(
        'this lobby is already being followed; first call the function that `follow` returned',
      );
    const stop = new AbortController();
    this.#stop = stop;
    this.#state.update({ connection: 'connecting', refused: undefined });
    void this.#followed(stop.signal);
    return () => {
      stop.abort();
      if (this.#stop === stop) this.#stop = undefined;
      this.#state.update({ connection: 'idle' });
    };
  }

  /** Reloads the list of the account's games. */
  async refresh(): Promise<readonly MyGame[]> {
    const mine = await collect(this.mine());
    this.#state.update({ mine });
    return mine;
  }

  /** Returns the kinds of games, which are loaded only once. */
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

  /** Lists games in which the account has a seat, is invited, or is game master, newest first. */
  async *mine({ runningOnly = false } = {}): AsyncGenerator<MyGame, void, undefined> {
    for await (const page of this.#engine.pages(PlayerService.method.listMyGames, {
      runningOnly,
      pageSize: 200,
    }))
      yield* page.games;
  }

  /** Lists games that the account may see, newest first. */
  async *list(which: ListOptions = {}): AsyncGenerator<GameSummary, void, undefined> {
    for await (const page of this.#engine.pages(GameService.method.listGames, which))
      yield* page.games;
  }

  /** Lists games with a seat that the account can take, newest first. */
  open(
    which: Pick<ListOptions, 'kind' | 'search'> = {},
  ): AsyncGenerator<GameSummary, void, undefined> {
    return this.list({ ...which, joinable: true });
  }

  /** Lists games that have ended, newest first. */
  finished(
    which: Pick<ListOptions, 'kind' | 'search'> = {},
  ): AsyncGenerator<GameSummary, void, undefined> {
    return this.list({ ...which, status: GameStatus.ENDED });
  }

  /** Lists the pending decisions of the account in all its games and seats. */
  async *decisions(): AsyncGenerator<OpenDecision, void, undefined> {
    for await (const page of this.#engine.pages(GameService.method.listMyDecisions, {}))
      yield* page.decisions;
  }

  /** Streams notices of all games of the account, without an end. */
  notices(options?: ListenOptions): AsyncGenerator<StreamMyGamesResponse, void, undefined> {
    return this.#engine.listen(GameService.method.streamMyGames, () => ({}), options);
  }

  /** Lists the certain ratings of a kind, best first. `size` may be omitted if there is only one. */
  async leaderboard(kind: string, size?: LadderSize): Promise<LeaderboardEntry[]> {
    const request = { kind, ...(size !== undefined && { size }) };
    const pages = await collect(this.#engine.pages(ProfileService.method.listLeaderboard, request));
    return pages.flatMap(({ entries }) => entries);
  }

  /** Lists tournaments: first those that are not over, in the order of their start. */
  async *tournaments(
    which: { kind?: string; status?: TournamentStatus } = {},
  ): AsyncGenerator<Tournament, void, undefined> {
    const pages = this.#engine.pages(TournamentService.method.listTournaments, which);
    for await (const page of pages) yield* page.tournaments;
  }

  /** Returns a tournament with its standings, rounds and games. */
  async tournament(tournamentId: string): Promise<GetTournamentResponse> {
    return this.#engine.client(TournamentService).getTournament({ tournamentId });
  }

  /** Enters a tournament. */
  async enter(tournamentId: string): Promise<void> {
    await this.#engine.client(TournamentService).joinTournament({ tournamentId });
  }

  /** Withdraws from a tournament. */
  async withdraw(tournamentId: string): Promise<void> {
    await this.#engine.client(TournamentService).withdrawFromTournament({ tournamentId });
  }

  /** Creates a game. The account plays unless the options say otherwise. */
  async create(kind: string, wanted: NewGame = {}): Promise<Table> {
    const options = await this.#options(kind, wanted.options);
    const {
      name = '',
      pace,
      entropyCommitment,
      startWhenFull = true,
      delegation,
      automatonLevel = '',
    } = wanted;
    const request: MessageInitShape<typeof CreateGameRequestSchema> = {
      kind,
      name,
      seats: wanted.seats ?? seatsOf(wanted),
      isPrivate: wanted.private ?? false,
      anonymous: wanted.anonymous ?? false,
      gameMaster: wanted.gameMaster ?? false,
      spectate: wanted.spectate ?? false,
      hideReady: wanted.hideReady ?? false,
      openMessages: wanted.openMessages ?? false,
      rated: wanted.rated ?? false,
      noAnalysis: wanted.noAnalysis ?? false,
      seatsInOrder: wanted.seatsInOrder ?? false,
      startWhenFull,
      automatonLevel,
      ...(options && { options }),
      ...(pace && { pace }),
      ...(delegation && { delegation }),
      ...(entropyCommitment && { entropyCommitment }),
    };
    const { game } = await this.#games.createGame(request);
    return new Table(this.#engine, required(game));
  }

  /**
   * Waits in the queue for opponents, and returns the table of the new game. Returns undefined if
   * the wait was aborted, or the engine has removed the entry.
   */
  async quickPlay(kind: string, wanted: QuickGame = {}): Promise<Table | undefined> {
    const { pace = QuickPace.LIVE, players = [0, 0], rated = false, botsAfter, signal } = wanted;
    const queue = this.#engine.client(QuickPlayService);
    let { entry } = await queue.joinQueue({
      kind,
      playersMin: players[0],
      playersMax: players[1],
      pace,
      rated,
      ...(botsAfter !== undefined && { botsAfter: durationFromMs(botsAfter) }),
      preferences: [...(wanted.preferences ?? [])],
    });
    while (entry && entry.state !== QueueState.READY) {
      if (signal?.aborted && entry.state === QueueState.WAITING) {
        await queue.leaveQueue({});
        return undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      ({ entry } = await queue.getQueue({}));
    }
    return entry && this.table(entry.gameId);
  }

  /** Creates the rematch of a finished game with rotated seats, or joins it. */
  async rematch(gameId: string): Promise<Table> {
    const { game } = await this.#engine.client(QuickPlayService).rematchGame({ gameId });
    return new Table(this.#engine, required(game));
  }

  /** Joins a game at the given seat, or else at a seat drawn by lot or the first open seat. */
  async join(
    gameId: string,
    {
      seat,
      inviteCode = '',
      entropyCommitment,
    }: { seat?: number; inviteCode?: string; entropyCommitment?: Uint8Array } = {},
  ): Promise<Table> {
    const { game } = await this.#games.joinGame({
      gameId,
      inviteCode,
      ...(seat !== undefined && { seat }),
      ...(entropyCommitment && { entropyCommitment }),
    });
    return new Table(this.#engine, required(game));
  }

  /** Declines the seat reserved for the account. */
  async decline(gameId: string): Promise<void> {
    await this.#games.declineInvitation({ gameId });
  }

  /**
   * Opens a game at the account's seat, or as spectator if it has none. The owner of a sandbox may
   * name any seat.
   */
  async table(
    gameId: string,
    { inviteCode = '', ...place }: { seat?: number; spectator?: boolean; inviteCode?: string } = {},
  ): Promise<Table> {
    const { game, decision } = await this.#games.getGame({ gameId, inviteCode });
    const own = !place.spectator && (place.seat ?? game?.yourSeat) === game?.yourSeat;
    return new Table(this.#engine, required(game), {
      ...place,
      inviteCode,
      ...(own && decision && { decision }),
    });
  }

  /** Opens a game as spectator. */
  watch(gameId: string, { inviteCode = '' } = {}): Promise<Table> {
    return this.table(gameId, { spectator: true, inviteCode });
  }

  /** Returns what is fixed of the board of a kind: places, and the steps between them. */
  async board(
    kind: string,
    {
      options: wanted,
      distances = false,
    }: { options?: GivenOptions | undefined; distances?: boolean } = {},
  ): Promise<Board> {
    const options = await this.#options(kind, wanted);
    const request = { kind, distances, ...(options && { options }) };
    const { board } = await this.#games.getBoard(request);
    if (!board) throw new TypeError('the engine returned no board');
    return board;
  }

  /** Creates a sandbox game from a position or from options. */
  async sandbox(kind: string, wanted: NewSandbox = {}): Promise<Sandbox> {
    const { players, pace, seed, dice = [], automated = {}, guests = {}, name = '' } = wanted;
    const options = await this.#options(kind, wanted.options);
    const position = await this.#position(kind, wanted.position);
    const request: MessageInitShape<typeof CreateSandboxGameRequestSchema> = {
      kind,
      name,
      dice,
      automated: Object.entries(automated).map(([seat, level]) => ({
        seat: Number(seat),
        automation: { level },
      })),
      guests: Object.entries(guests).map(([seat, player]) => ({ seat: Number(seat), player })),
      ...(players !== undefined && { players }),
      ...(position && { position }),
      ...(options && { options }),
      ...(pace && { pace }),
      ...(seed && { seed }),
    };
    const { game } = await this.#engine.client(SandboxService).createSandboxGame(request);
    return new Sandbox(this.#engine, required(game));
  }

  /** Branches a game: creates a sandbox game in which the account tries what could happen. */
  async analyze(gameId: string, wanted: NewAnalysis = {}): Promise<Sandbox> {
    const { phase, seat, revealed = false, level = '', name = '', seed } = wanted;
    const request: MessageInitShape<typeof CreateAnalysisRequestSchema> = {
      gameId,
      revealed,
      automationLevel: level,
      name,
      ...(phase !== undefined && { atPhase: phase }),
      ...(seat !== undefined && { seat }),
      ...(seed && { seed }),
    };
    const { game } = await this.#engine.client(AnalysisService).createAnalysis(request);
    return new Sandbox(this.#engine, required(game));
  }

  /** Lists the account's branches of a game, oldest first. */
  async analyses(gameId: string): Promise<Analysis[]> {
    return (await this.#engine.client(AnalysisService).listAnalyses({ gameId })).analyses;
  }

  /** Renames a branch. The id is that of the branch's own game. */
  async renameAnalysis(gameId: string, name: string): Promise<void> {
    await this.#engine.client(AnalysisService).renameAnalysis({ gameId, name });
  }

  /** Deletes a branch. The id is that of the branch's own game. */
  async deleteAnalysis(gameId: string): Promise<void> {
    await this.#engine.client(AnalysisService).deleteAnalysis({ gameId });
  }

  get #games() {
    return this.#engine.client(GameService);
  }

  async #kind(kind: string): Promise<GameKind | undefined> {
    return (await this.kinds()).find((one) => one.kind === kind);
  }

  /** Returns options in their envelope. Drops the options of an unknown kind. */
  async #options(kind: string, given: GivenOptions | undefined) {
    if (!given || isEnvelope<typeof GameOptionsSchema>(given)) return given;
    const described = await this.#kind(kind);
    return described && (await import('./options.js')).optionsOf(described, given);
  }

  /** Returns a position in its envelope. Drops the position of an unknown kind. */
  async #position(kind: string, given: GivenPosition | undefined) {
    if (!given || isEnvelope<typeof GamePositionSchema>(given)) return given;
    const game = (await this.#kind(kind))?.defaultOptions?.game.case;
    return game && (await import('./games/index.js')).gameOfJson('position', given, game);
  }

  async #followed(signal: AbortSignal): Promise<void> {
    const onBreak = (refused: Refused) => this.#state.update({ connection: 'stale', refused });
    try {
      for await (const { notice } of this.notices({ signal, onBreak })) {
        if (notice.case === 'game') notify(this.#listeners, notice.value);
        // Reload after every notice, but after a heartbeat only if the connection is not yet live.
        if (notice.case !== 'heartbeat' || this.state.connection !== 'live') this.#lookSoon(signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#state.update({ connection: 'closed', refused: refusedBy(error) });
    } finally {
      if (this.#stop?.signal === signal) this.#stop = undefined;
    }
  }

  /** Reloads the list. Changes during a reload cause one more reload. */
  #lookSoon(signal: AbortSignal): void {
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    const live = () => {
      if (!signal.aborted) this.#state.update({ connection: 'live', refused: undefined });
    };
    this.#looking = this.refresh()
      .then(live, () => {}) // The stream reports lost connections.
      .finally(() => {
        this.#looking = undefined;
        const again = this.#lookAgain;
        this.#lookAgain = false;
        if (again && !signal.aborted) this.#lookSoon(signal);
      });
  }
}

function seatsOf({
  seat,
  opponents = 0,
  level = '',
  openSeats = 0,
  invited = [],
  spectate,
  gameMaster,
}: NewGame) {
  type Plan = MessageInitShape<typeof SeatPlanSchema>;
  const own: Plan[] =
    spectate || gameMaster
      ? []
      : [{ plan: { case: 'open', value: {} }, ...(seat !== undefined && { seat }) }];
  return [
    ...own,
    ...Array.from({ length: openSeats }, (): Plan => ({ plan: { case: 'open', value: {} } })),
    ...invited.map((player): Plan => ({ plan: { case: 'reservedFor', value: player } })),
    ...Array.from(
      { length: opponents },
      (): Plan => ({ plan: { case: 'automated', value: { level } } }),
    ),
  ];
}

/** Returns whether a game's message is an envelope of the contract instead of JSON. */
function isEnvelope<S extends typeof GameOptionsSchema | typeof GamePositionSchema>(
  given: MessageInitShape<S> | JsonObject,
): given is MessageInitShape<S> {
  const { game } = given;
  return '$typeName' in given || (typeof game === 'object' && game !== null && 'case' in game);
}

function required(game: Game | undefined): Game {
  if (!game) throw new TypeError('the engine returned no game');
  return game;
}
