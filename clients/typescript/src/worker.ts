// Answers the decisions of automated seats, which the engine leases to workers.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import {
  AutomationService,
  GiveBackCause,
  type Lease,
  type Refused as RefusedAnswer,
  type WorkerProfileSchema,
  type WorkRequestSchema,
  type WorkResponse,
} from "../gen/heliopause/v1/automation_pb.js";
import { type GameKind, GameService } from "../gen/heliopause/v1/game_pb.js";
import type { Vote } from "../gen/heliopause/v1/table_pb.js";
import type { OnFault, WorkOptions } from "./bot.js";
import type { Engine } from "./engine.js";
import { Offers } from "./offers.js";
import { type Answer, isEmpty, ordersOf } from "./orders.js";
import { Pause, sleep } from "./pause.js";
import { Random } from "./random.js";
import { type Refused, refusedBy, Unreachable } from "./refused.js";
import { Seat } from "./seat.js";

const SILENCE_MS = 60_000;
// A worker that stops takes no longer than this to give back what it holds.
const FAREWELL_MS = 5_000;

type Request = NonNullable<MessageInitShape<typeof WorkRequestSchema>["message"]>;

/** What plays for a worker. */
export interface Players {
  decide(seat: Seat, offers: Offers): Promise<Answer>;
  vote(seat: Seat, vote: Vote): Promise<boolean>;
  onFault: OnFault;
  /** Is told when no answer was found. */
  onFailure: OnFault;
}

/** Works until the signal is aborted; then it gives back what it holds. */
export async function work(
  engine: Engine,
  profiles: readonly string[],
  players: Players,
  { capacity = 4, onWelcome = () => {}, signal }: WorkOptions,
): Promise<void> {
  if (typeof process === "undefined")
    throw new TypeError("a browser cannot work for leases: gRPC-Web has no streams of requests");
  const { kinds } = await engine.client(GameService).listKinds({});
  const wanted = profiles.flatMap((text) => profilesOf(text, kinds));
  if (wanted.length === 0) throw new TypeError("name at least one profile, as KIND:PROFILE:LEVEL");
  const hello: Request = { case: "hello", value: { worker: "heliopause-typescript", profiles: wanted, capacity } };
  const pause = new Pause(engine.calls.options.streamPatience);
  while (!signal?.aborted) {
    let refused: Refused;
    try {
      await new Session(engine, players, pause, onWelcome).run(hello, signal);
      if (signal?.aborted) return;
      refused = new Unreachable("the stream has ended", { code: Code.Unavailable });
    } catch (error) {
      if (signal?.aborted) return;
      refused = refusedBy(error);
      if (!refused.mayRepeat) throw refused;
    }
    const wait = pause.after(refused);
    engine.calls.options.onRetry("Work", refused, wait);
    await engine.calls.lookElsewhere(refused);
    await sleep(wait, signal).catch(() => {});
  }
}

/** A seat as a lease shows it. A worker keeps no more of it than the lease brings. */
class Leased extends Seat {
  readonly gameId: string;
  readonly kind: string;
  readonly number: number;
  readonly decision;
  readonly #lease: Lease;

  constructor(lease: Lease) {
    super();
    this.#lease = lease;
    this.gameId = lease.gameId;
    this.kind = lease.kind;
    this.number = lease.seat;
    this.decision = lease.asked.case === "decision" ? lease.asked.value : undefined;
    this.level = lease.level;
    this.random = new Random(lease.seed);
    this.memo = lease.memo;
  }

  async view() {
    return this.#lease.view;
  }
}

/** A lease in work. */
interface Held {
  readonly lease: Lease;
  /** Ends the wait for what the engine says of the answer: a refusal, or nothing once the lease is over. */
  judged: (refused: RefusedAnswer | undefined) => void;
  gone: boolean;
}

/** One connection, from the first word to the last. */
class Session {
  readonly #engine: Engine;
  readonly #players: Players;
  readonly #pause: Pause;
  readonly #onWelcome: () => void;
  readonly #held = new Map<bigint, Held>();
  readonly #unsent = new Queue<MessageInitShape<typeof WorkRequestSchema>>();
  #leaseMs = 30_000;

  constructor(engine: Engine, players: Players, pause: Pause, onWelcome: () => void) {
    this.#engine = engine;
    this.#players = players;
    this.#pause = pause;
    this.#onWelcome = onWelcome;
  }

  async run(hello: Request, signal: AbortSignal | undefined): Promise<void> {
    const line = new AbortController();
    let silence: ReturnType<typeof setTimeout> | undefined;
    let farewell: ReturnType<typeof setTimeout> | undefined;
    let silent = false;
    const leave = () => {
      this.#giveAllBack();
      // The engine ends the stream once it has answered all.
      this.#unsent.end();
      farewell = setTimeout(() => line.abort(), FAREWELL_MS);
    };
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        silent = true;
        line.abort();
      }, SILENCE_MS);
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#say(hello);
    try {
      listen();
      for await (const part of this.#engine.client(AutomationService).work(this.#unsent, { signal: line.signal })) {
        listen();
        this.#pause.reset();
        this.#take(part);
      }
    } catch (error) {
      throw silent ? new Unreachable("nothing came for a minute", { code: Code.DeadlineExceeded }) : error;
    } finally {
      clearTimeout(silence);
      clearTimeout(farewell);
      signal?.removeEventListener("abort", leave);
      for (const id of [...this.#held.keys()]) this.#forget(id);
      this.#unsent.end();
      line.abort();
    }
  }

  /** Does what the engine says. Parts that this version does not know are passed over. */
  #take({ message }: WorkResponse): void {
    switch (message.case) {
      case "welcome":
        if (message.value.leaseTime) this.#leaseMs = durationMs(message.value.leaseTime) || this.#leaseMs;
        this.#onWelcome();
        return;
      case "lease": {
        const held: Held = { lease: message.value, judged: () => {}, gone: false };
        this.#held.set(idOf(held.lease), held);
        void this.#answer(held);
        return;
      }
      case "accepted":
      case "revoked":
        if (message.value.lease) this.#forget(message.value.lease.leaseId);
        return;
      case "refused":
        if (message.value.lease) this.#held.get(message.value.lease.leaseId)?.judged(message.value);
        return;
      default:
        return;
    }
  }

  /** Answers a lease, again after each refusal. What the bot cannot answer goes back to the engine. */
  async #answer(held: Held): Promise<void> {
    const seat = new Leased(held.lease);
    const ref = held.lease.lease ?? {};
    const renewing = setInterval(() => this.#say({ case: "renew", value: { lease: ref } }), this.#leaseMs / 2);
    try {
      while (!held.gone) {
        const judged = new Promise<RefusedAnswer | undefined>((resolve) => {
          held.judged = resolve;
        });
        const answer = await this.#think(held.lease, seat);
        if (held.gone) return;
        this.#say({ case: "answer", value: answer });
        const refused = await judged;
        if (!refused) return;
        this.#players.onFault(placeOf(seat), new Error(`refused: ${refused.message}`));
        seat.attempt += 1;
        seat.refused = refused.verdicts;
        if (refused.attemptsLeft === 0) this.#forget(idOf(held.lease));
      }
    } catch (error) {
      if (held.gone) return;
      this.#players.onFailure(placeOf(seat), error);
      this.#forget(idOf(held.lease));
      this.#say({ case: "giveBack", value: { lease: ref, reason: printable(String(error)) } });
    } finally {
      clearInterval(renewing);
    }
  }

  /** The answer to what a lease asks. */
  async #think({ lease, asked, offers, mayWrite }: Lease, seat: Seat) {
    const ref = lease ?? {};
    if (asked.case === "vote") return { lease: ref, vote: await this.#players.vote(seat, asked.value) };
    if (asked.case !== "decision" || !offers) throw new TypeError("the lease asks something that this version does not know");
    const decision = asked.value;
    const { phase = 0n, revision = 0n } = decision;
    const answer = await this.#players.decide(seat, new Offers(offers, { decision, phase, revision }));
    const ready = (answer.ready ?? true) && decision.revisable;
    if (isEmpty(answer.orders) && !ready) throw new TypeError("the bot answered no orders to a decision that needs one");
    return {
      lease: ref,
      ready,
      orders: ordersOf(answer.orders ?? ""),
      ...(answer.memo && { memo: answer.memo }),
      messages: mayWrite ? (answer.letters ?? []).map(({ to, text }) => ({ toSeats: [...to], text })) : [],
    };
  }

  #say(message: Request): void {
    this.#unsent.push({ message });
  }

  #forget(id: bigint): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    if (!held) return;
    held.gone = true;
    held.judged(undefined);
  }

  #giveAllBack(): void {
    for (const [id, { lease }] of [...this.#held]) {
      const cause = GiveBackCause.STOPPING;
      this.#say({ case: "giveBack", value: { lease: lease.lease ?? {}, reason: "it stops", cause } });
      this.#forget(id);
    }
  }
}

/** What is said, in order, as long as it lasts. */
class Queue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #ended = false;
  #wake: () => void = () => {};

  push(one: T): void {
    if (!this.#ended) this.#waiting.push(one);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** What a text such as "diplomacy:power:random" names. */
function profilesOf(text: string, kinds: readonly GameKind[]): MessageInitShape<typeof WorkerProfileSchema>[] {
  const [name, profile, level, ...more] = text.split(":");
  if (!name || profile === "" || level === "" || more.length > 0)
    throw new TypeError(`"${text}" is no profile: write KIND:PROFILE:LEVEL`);
  const kind = kinds.find((one) => one.kind === name);
  if (!kind) throw new TypeError(`"${text}": the kinds of game are ${kinds.map((one) => one.kind).join(", ")}`);
  // Wrong profiles and levels are refused by the engine, which lists the right ones.
  const levels = level ? [level] : kind.levels;
  return (profile ? [profile] : kind.profiles).map((one) => ({ kind: name, profile: one, levels }));
}

function idOf(lease: Lease): bigint {
  return lease.lease?.leaseId ?? 0n;
}

function placeOf({ gameId, number }: Seat): string {
  return `${gameId}, seat ${number}`;
}

/** A text as the contract takes it: one line of characters that can be seen. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, " ").slice(0, 200);
}
