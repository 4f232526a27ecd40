// Bots: give a function that chooses, and it plays.

import type { OpenDecision } from "../gen/heliopause/v1/game_pb.js";
import type { Outcome, Vote } from "../gen/heliopause/v1/table_pb.js";
import { collect, type Engine } from "./engine.js";
import { Lobby } from "./lobby.js";
import type { Offers } from "./offers.js";
import { type Answer, answerOf, isEmpty, type Reply } from "./orders.js";
import { Random } from "./random.js";
import { type Reason, Refused, refusedBy } from "./refused.js";
import type { Seat } from "./seat.js";
import type { Table } from "./table.js";

// After so many refused answers to one decision the bot is at fault.
const ATTEMPTS = 5;
// Something happened while it thought: look again.
const LOOK_AGAIN: ReadonlySet<Reason> = new Set(["STALE_REVISION", "PHASE_CLOSED"]);
const OTHER_ORDERS: ReadonlySet<Reason> = new Set(["ORDER_REFUSED", "MALFORMED_ORDER"]);

/** Chooses orders for a seat: a `Table` where it plays, a `Seat` that knows its view alone where it works. */
export type Choose = (seat: Seat, offers: Offers) => Reply | Promise<Reply>;

/** Says yes or no to a vote that a worker is asked. */
export type Say = (seat: Seat, vote: Vote) => boolean | Promise<boolean>;

/** How a bot plays. */
export interface BotOptions {
  /** Answers the votes that a worker is asked; without it the answer is no. */
  vote?: Say;
  /** The seed of its chance at tables. */
  seed?: number | undefined;
  /** Is told what goes wrong while its other games go on; without it the console is. */
  onFault?: OnFault;
}

/** Is told a place, such as "g-1, seat 2", and what went wrong there. */
export type OnFault = (place: string, error: unknown) => void;

/**
 * Plays with a function that chooses.
 *
 * `choose(seat, offers)` answers an order as text, several orders, or an `Answer`. Where several orders belong together it gives all
 * of them: afterwards the seat is ready, unless the `Answer` says otherwise. Else it is asked again until its turn is over. After a
 * refusal it is asked again with `seat.attempt` and `seat.refused`.
 */
export class Bot {
  readonly #choose: Choose;
  readonly #vote: Say;
  readonly #random: Random;
  readonly #memos = new Map<string, Uint8Array>();
  readonly #onFault: OnFault;
  readonly #own: OnFault | undefined;

  constructor(choose: Choose, { vote = () => false, seed, onFault }: BotOptions = {}) {
    this.#choose = choose;
    this.#vote = vote;
    this.#random = new Random(seed);
    this.#own = onFault;
    this.#onFault = onFault ?? complain;
  }

  /** Plays a seat until the game is over, whatever happens to the line or the engine. */
  async play(table: Table, { signal }: { signal?: AbortSignal } = {}): Promise<Outcome | undefined> {
    for (;;) {
      try {
        for await (const { part } of table.parts({ signal })) {
          const happened = part.case === "event" ? part.value.body.case : part.case;
          if (happened === "gameEnded" || (happened === "caughtUp" && table.over)) return table.game.outcome;
          if (happened === "caughtUp" || happened === "decisionOpened" || happened === "statusChanged") await this.answer(table);
        }
        signal?.throwIfAborted();
      } catch (error) {
        // The operator has gone back to a backup: what came after it never happened.
        if (!(error instanceof Refused && error.reason === "CURSOR_INVALID")) throw error;
        table.startOver();
      }
    }
  }

  /**
   * Plays all games of an account, also those that it is invited to, until the signal is aborted. `onFailure` is told when the bot
   * fails at a decision, unless the bot has its own `onFault`.
   */
  async serve(engine: Engine, { signal, onFailure }: { signal?: AbortSignal; onFailure?: OnFault } = {}): Promise<void> {
    const lobby = new Lobby(engine);
    const tables = new Map<string, Table>();
    const failed = new AbortController();
    let looking: Promise<void> = Promise.resolve();
    let asked = false;
    const look = async () => {
      asked = false;
      await this.#look(lobby, tables, this.#failure(onFailure));
    };
    const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    for await (const { notice } of lobby.notices({ signal: stop })) {
      const hint = notice.case === "caughtUp" || notice.case === "fellBehind" || notice.case === "game";
      // Many notices while it looks make it look once more.
      if (!hint || asked) continue;
      asked = true;
      looking = looking.then(look);
      looking.catch(() => failed.abort());
    }
    await looking;
  }

  /**
   * Plays automated seats as a worker, until the signal is aborted. Profiles are written KIND:PROFILE:LEVEL, such as
   * "diplomacy:power:random"; without a level or a profile they are all that the kind has. The account must be a worker's.
   */
  async work(engine: Engine, profiles: readonly string[], options: WorkOptions = {}): Promise<void> {
    const { work } = await import("./worker.js");
    const players = {
      decide: async (seat: Seat, offers: Offers) => answerOf(await this.#choose(seat, offers)),
      vote: async (seat: Seat, vote: Vote) => this.#vote(seat, vote),
      onFault: this.#onFault,
      onFailure: this.#failure(options.onFailure),
    };
    await work(engine, profiles, players, options);
  }

  /** Answers what a seat is asked, until it is asked nothing more or is ready. */
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
        if (LOOK_AGAIN.has(error.reason)) continue;
        // The game rests or is over. If it goes on, an event tells.
        if (error.reason === "WRONG_STATUS") return;
        if (!OTHER_ORDERS.has(error.reason) || table.attempt + 1 >= ATTEMPTS) throw error;
        table.attempt += 1;
        table.refused = error.verdicts;
      }
    }
  }

  /** Gives an answer. Says whether the seat may be asked more. */
  async #give(table: Table, offers: Offers, answer: Answer): Promise<boolean> {
    const { revisable = false } = offers.decision ?? {};
    const ready = (answer.ready ?? true) && revisable;
    let more = true;
    if (answer.orders !== undefined && !isEmpty(answer.orders)) {
      const { phase, revision } = offers;
      const { refused } = await table.order(answer.orders, { ready, phase, revision });
      const fault = refused && refused.refusal !== "decision-closed" ? refused : undefined;
      table.attempt = fault ? table.attempt + 1 : 0;
      table.refused = fault ? [fault] : [];
    } else if (ready) {
      await table.ready();
    } else if (revisable) {
      more = false;
    } else {
      throw new TypeError("the bot answered no orders to a decision that needs one");
    }
    if (answer.memo) this.#memos.set(place(table), answer.memo);
    for (const { to, text } of answer.letters ?? []) {
      try {
        await table.write(text, { to });
      } catch (error) {
        if (refusedBy(error).reason !== "PRESS_REFUSED") throw error;
        this.#onFault(place(table), error);
      }
    }
    return more;
  }

  /** Takes the seats that are kept for the account, and answers all that it owes. */
  async #look(lobby: Lobby, tables: Map<string, Table>, onFailure: OnFault): Promise<void> {
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
        // Its other games go on.
        onFailure(`${owed.gameId}, seat ${owed.seat}`, error);
      }
    }
  }

  #failure(onFailure: OnFault | undefined): OnFault {
    return this.#own ?? onFailure ?? this.#onFault;
  }
}

/** How a bot works. */
export interface WorkOptions {
  /** How many decisions it takes at once. Default: 4. */
  capacity?: number;
  /** Is called whenever an engine has taken it on. */
  onWelcome?: () => void;
  /** Is told when the bot fails at a decision, unless the bot has its own `onFault`. */
  onFailure?: OnFault;
  signal?: AbortSignal;
}

async function known(lobby: Lobby, tables: Map<string, Table>, { gameId, seat }: OpenDecision): Promise<Table> {
  const key = `${gameId}, seat ${seat}`;
  const table = tables.get(key) ?? (await lobby.table(gameId, { seat }));
  tables.set(key, table);
  return table;
}

function place({ gameId, number }: Seat): string {
  return `${gameId}, seat ${number}`;
}

function complain(place: string, error: unknown): void {
  console.error(`${place}:`, error);
}
