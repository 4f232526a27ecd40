// Bots: a function chooses the orders, and the bot submits them.

import type { OpenDecision } from '../gen/heliopause/v1/game_pb.js';
import type { Outcome, Vote } from '../gen/heliopause/v1/table_pb.js';
import { collect, type Engine } from './engine.js';
import { Lobby } from './lobby.js';
import type { Offers } from './offers.js';
import { type Answer, answerOf, isEmpty, type Reply } from './orders.js';
import { Random } from './random.js';
import { type Reason, Refused, refusedBy } from './refused.js';
import type { Seat } from './seat.js';
import type { Table } from './table.js';

// The number of refused answers to a decision after which the bot gives up.
const ATTEMPTS = 5;
// Reasons that show a change of the state. The bot reads the state again.
const STATE_CHANGED: ReadonlySet<Reason> = new Set(['STALE_REVISION', 'PHASE_CLOSED']);
const ORDERS_REFUSED: ReadonlySet<Reason> = new Set(['ORDER_REFUSED', 'MALFORMED_ORDER']);

/** Chooses orders for a seat: a `Table` when playing, a `Seat` with only its view when working. */
export type Choose = (seat: Seat, offers: Offers) => Reply | Promise<Reply>;

/** Votes yes or no when a worker is asked. */
export type VoteHandler = (seat: Seat, vote: Vote) => boolean | Promise<boolean>;

export interface BotOptions {
  /** Answers votes as a worker. The default votes no. */
  vote?: VoteHandler;
  /** The seed of `seat.random` when playing at a table. */
  seed?: number | undefined;
  /** Called when one game fails while others continue. The default logs to the console. */
  onFault?: OnFault;
}

/** Called with the place of an error, such as "g-1, seat 2", and the error. */
export type OnFault = (place: string, error: unknown) => void;

/**
 * Plays with a function that chooses orders.
 *
 * `choose(seat, offers)` returns an order as text, several orders, or an `Answer`. Return all
 * orders together if the decision is revisable. The seat is then ready, unless the `Answer` says
 * otherwise. If the decision is not revisable, the function is called until the turn is over. After
 * a refusal, the function is called again with `seat.attempt` and `seat.refused`.
 */
export class Bot {
  readonly #choose: Choose;
  readonly #vote: VoteHandler;
  readonly #random: Random;
  readonly #memos = new Map<string, Uint8Array>();
  readonly #onFault: OnFault;
  readonly #own: OnFault | undefined;

  constructor(choose: Choose, { vote = () => false, seed, onFault }: BotOptions = {}) {
    this.#choose = choose;
    this.#vote = vote;
    this.#random = new Random(seed);
    this.#own = onFault;
    this.#onFault = onFault ?? logError;
  }

  /** Plays a seat until the game is over, across lost connections and restarts of the engine. */
  async play(
    table: Table,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Outcome | undefined> {
    for (;;) {
      try {
        for await (const { part } of table.parts({ signal })) {
          const happened = part.case === 'event' ? part.value.body.case : part.case;
          if (happened === 'gameEnded' || (happened === 'caughtUp' && table.over))
            return table.game.outcome;
          if (
            happened === 'caughtUp' ||
            happened === 'decisionOpened' ||
            happened === 'statusChanged'
          )
            await this.answer(table);
        }
        signal?.throwIfAborted();
      } catch (error) {
        // The operator restored a backup: later events never happened.
        if (!(error instanceof Refused && error.reason === 'CURSOR_INVALID')) throw error;
        table.startOver();
      }
    }
  }

  /**
   * Plays all games of an account, including invitations, until the signal is aborted. `onFailure`
   * is called when a decision fails, unless the bot has its own `onFault`.
   */
  async serve(
    engine: Engine,
    { signal, onFailure }: { signal?: AbortSignal; onFailure?: OnFault } = {},
  ): Promise<void> {
    const lobby = new Lobby(engine);
    const tables = new Map<string, Table>();
    const failed = new AbortController();
    let looking: Promise<void> = Promise.resolve();
    let asked = false;
    const look = async () => {
      asked = false;
      await this.#answerAll(lobby, tables, this.#failure(onFailure));
    };
    const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    for await (const { notice } of lobby.notices({ signal: stop })) {
      const hint =
        notice.case === 'caughtUp' || notice.case === 'fellBehind' || notice.case === 'game';
      // Notices that arrive meanwhile cause only one more pass.
      if (!hint || asked) continue;
      asked = true;
      looking = looking.then(look);
      looking.catch(() => failed.abort());
    }
    await looking;
  }

  /**
   * Plays automated seats as a worker until the signal is aborted. Profiles are KIND:PROFILE:LEVEL,
   * such as "diplomacy:power:random". Without a level or a profile, the worker plays all levels or
   * profiles of the kind. The account must be a worker.
   */
  async work(
    engine: Engine,
    profiles: readonly string[],
    options: WorkOptions = {},
  ): Promise<void> {
    const { work } = await import('./worker.js');
    const players = {
      decide: async (seat: Seat, offers: Offers) => answerOf(await this.#choose(seat, offers)),
      vote: async (seat: Seat, vote: Vote) => this.#vote(seat, vote),
      onFault: this.#onFault,
      onFailure: this.#failure(options.onFailure),
    };
    await work(engine, profiles, players, options);
  }

  /** Answers the decisions of a seat until there are none or the seat is ready. */
  async answer(table: Table): Promise<void> {
    let asked: bigint | undefined;
    for (;;) {
      try {
        const offers = await table.offers();
        if (!offers.decision || offers.decision.ready) return;
        if (asked !== offers.phase) {
          table.attempt = 0;
          table.refused = [];
          asked = offers.phase;
        }
        table.random = this.#random;
        table.memo = this.#memos.get(place(table)) ?? new Uint8Array();
        if (!(await this.#give(table, offers, answerOf(await this.#choose(table, offers))))) return;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (STATE_CHANGED.has(error.reason)) continue;
        // The game is paused or over. An event follows when the game continues.
        if (error.reason === 'WRONG_STATUS') return;
        if (!ORDERS_REFUSED.has(error.reason) || table.attempt + 1 >= ATTEMPTS) throw error;
        table.attempt += 1;
        table.refused = error.verdicts;
      }
    }
  }

  /** Submits an answer. Returns whether the seat may have more decisions. */
  async #give(table: Table, offers: Offers, answer: Answer): Promise<boolean> {
    const { revisable = false } = offers.decision ?? {};
    const ready = (answer.ready ?? true) && revisable;
    let more = true;
    if (answer.orders !== undefined && !isEmpty(answer.orders)) {
      const { phase, revision } = offers;
      const { refused } = await table.order(answer.orders, { ready, phase, revision });
      const fault = refused && refused.refusal !== 'decision-closed' ? refused : undefined;
      table.attempt = fault ? table.attempt + 1 : 0;
      table.refused = fault ? [fault] : [];
    } else if (ready) {
      await table.ready();
    } else if (revisable) {
      more = false;
    } else {
      throw new TypeError('the bot returned no orders, but this decision requires at least one');
    }
    if (answer.memo) this.#memos.set(place(table), answer.memo);
    for (const { to, text } of answer.messages ?? []) {
      try {
        await table.write(text, { to });
      } catch (error) {
        if (refusedBy(error).reason !== 'MESSAGE_REFUSED') throw error;
        this.#onFault(place(table), error);
      }
    }
    return more;
  }

  /** Accepts invitations and answers all pending decisions of the account. */
  async #answerAll(lobby: Lobby, tables: Map<string, Table>, onFailure: OnFault): Promise<void> {
    for (const { gameId, invited } of await collect(lobby.mine({ runningOnly: true }))) {
      if (!invited) continue;
      try {
        await lobby.join(gameId);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.#onFault(gameId, error);
      }
    }
    for (const owed of await collect(lobby.decisions())) {
      if (owed.decision?.ready) continue;
      try {
        await this.answer(await known(lobby, tables, owed));
      } catch (error) {
        // The other games continue.
        onFailure(`${owed.gameId}, seat ${owed.seat}`, error);
      }
    }
  }

  #failure(onFailure: OnFault | undefined): OnFault {
    return this.#own ?? onFailure ?? this.#onFault;
  }
}

export interface WorkOptions {
  /** The number of decisions handled at the same time. Default: 4. */
  capacity?: number;
  /** Called whenever an engine accepts the worker. */
  onWelcome?: () => void;
  /** Called when a decision fails, unless the bot has its own `onFault`. */
  onFailure?: OnFault;
  signal?: AbortSignal;
}

async function known(
  lobby: Lobby,
  tables: Map<string, Table>,
  { gameId, seat }: OpenDecision,
): Promise<Table> {
  const key = `${gameId}, seat ${seat}`;
  const table = tables.get(key) ?? (await lobby.table(gameId, { seat }));
  tables.set(key, table);
  return table;
}

function place({ gameId, number }: Seat): string {
  return `${gameId}, seat ${number}`;
}

function logError(place: string, error: unknown): void {
  console.error(`${place}:`, error);
}
