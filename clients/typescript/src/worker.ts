// Answers decisions of automated seats, leased by the engine to workers.

import type { MessageInitShape } from '@bufbuild/protobuf';
import { durationMs } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import {
  AutomationService,
  type Lease,
  type Refused as RefusedAnswer,
  ReleaseCause,
  type WorkerProfileSchema,
  type WorkRequestSchema,
  type WorkResponse,
} from '../gen/heliopause/v1/automation_pb.js';
import { type GameKind, GameService } from '../gen/heliopause/v1/game_pb.js';
import type { Vote } from '../gen/heliopause/v1/table_pb.js';
import { Backoff, sleep } from './backoff.js';
import type { OnFault, WorkOptions } from './bot.js';
import type { Engine } from './engine.js';
import { Offers } from './offers.js';
import { type Answer, isEmpty, ordersOf } from './orders.js';
import { Random } from './random.js';
import { type Refused, refusedBy, Unreachable } from './refused.js';
import { Seat } from './seat.js';

const SILENCE_MS = 60_000;
// The time that a stopping worker waits until the engine has taken back its leases.
const STOP_MS = 5_000;

type Request = NonNullable<MessageInitShape<typeof WorkRequestSchema>['message']>;

export interface Players {
  decide(seat: Seat, offers: Offers): Promise<Answer>;
  vote(seat: Seat, vote: Vote): Promise<boolean>;
  onFault: OnFault;
  /** Called when a decision could not be answered. */
  onFailure: OnFault;
}

/** Works until the signal is aborted, then returns all leases. */
export async function work(
  engine: Engine,
  profiles: readonly string[],
  players: Players,
  { capacity = 4, onWelcome = () => {}, signal }: WorkOptions,
): Promise<void> {
  if (typeof process === 'undefined')
    throw new TypeError('workers do not run in browsers: gRPC-Web has no request streams');
  const { kinds } = await engine.client(GameService).listKinds({});
  const wanted = profiles.flatMap((text) => profilesOf(text, kinds));
  if (wanted.length === 0)
    throw new TypeError('specify at least one profile as KIND:PROFILE:LEVEL');
  const hello: Request = {
    case: 'hello',
    value: { worker: 'heliopause-typescript', profiles: wanted, capacity },
  };
  const pause = new Backoff(engine.calls.options.streamPatience);
  while (!signal?.aborted) {
    let refused: Refused;
    try {
      await new Session(engine, players, pause, onWelcome).run(hello, signal);
      if (signal?.aborted) return;
      refused = new Unreachable('the stream has ended', { code: Code.Unavailable });
    } catch (error) {
      if (signal?.aborted) return;
      refused = refusedBy(error);
      if (!refused.retryable) throw refused;
    }
    const wait = pause.after(refused);
    engine.calls.options.onRetry('Work', refused, wait);
    await engine.calls.failOver(refused);
    await sleep(wait, signal).catch(() => {});
  }
}

/** A leased seat. Only the content of the lease is available. */
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
    this.decision = lease.asked.case === 'decision' ? lease.asked.value : undefined;
    this.level = lease.level;
    this.random = new Random(lease.seed);
    this.memo = lease.memo;
  }

  async view() {
    return this.#lease.view;
  }
}

interface Held {
  readonly lease: Lease;
  /** Ends the wait for the verdict, with a refusal or with undefined once the lease is over. */
  judged: (refused: RefusedAnswer | undefined) => void;
  gone: boolean;
}

class Session {
  readonly #engine: Engine;
  readonly #players: Players;
  readonly #pause: Backoff;
  readonly #onWelcome: () => void;
  readonly #held = new Map<bigint, Held>();
  readonly #unsent = new Queue<MessageInitShape<typeof WorkRequestSchema>>();
  #leaseMs = 30_000;

  constructor(engine: Engine, players: Players, pause: Backoff, onWelcome: () => void) {
    this.#engine = engine;
    this.#players = players;
    this.#pause = pause;
    this.#onWelcome = onWelcome;
  }

  async run(hello: Request, signal: AbortSignal | undefined): Promise<void> {
    const connection = new AbortController();
    let silence: ReturnType<typeof setTimeout> | undefined;
    let stopTimer: ReturnType<typeof setTimeout> | undefined;
    let silent = false;
    const leave = () => {
      this.#giveAllBack();
      // The engine ends the stream once it has processed all messages.
      this.#unsent.end();
      stopTimer = setTimeout(() => connection.abort(), STOP_MS);
    };
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        silent = true;
        connection.abort();
      }, SILENCE_MS);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#say(hello);
    try {
      listen();
      for await (const part of this.#engine
        .client(AutomationService)
        .work(this.#unsent, { signal: connection.signal })) {
        listen();
        this.#pause.reset();
        this.#take(part);
      }
    } catch (error) {
      throw silent
        ? new Unreachable('the engine sent nothing for a minute', { code: Code.DeadlineExceeded })
        : error;
    } finally {
      clearTimeout(silence);
      clearTimeout(stopTimer);
      signal?.removeEventListener('abort', leave);
      for (const id of [...this.#held.keys()]) this.#forget(id);
      this.#unsent.end();
      connection.abort();
    }
  }

  /** Handles a message of the engine. Messages unknown to this version are ignored. */
  #take({ message }: WorkResponse): void {
    switch (message.case) {
      case 'welcome':
        if (message.value.leaseTime)
          this.#leaseMs = durationMs(message.value.leaseTime) || this.#leaseMs;
        this.#onWelcome();
        return;
      case 'lease': {
        const held: Held = { lease: message.value, judged: () => {}, gone: false };
        this.#held.set(idOf(held.lease), held);
        void this.#answer(held);
        return;
      }
      case 'accepted':
      case 'revoked':
        if (message.value.lease) this.#forget(message.value.lease.leaseId);
        return;
      case 'refused':
        if (message.value.lease) this.#held.get(message.value.lease.leaseId)?.judged(message.value);
        return;
      default:
        return;
    }
  }

  /**
   * Answers a lease, and repeats this after each refusal. Returns the lease to the engine if
   * deciding fails.
   */
  async #answer(held: Held): Promise<void> {
    const seat = new Leased(held.lease);
    const ref = held.lease.lease ?? {};
    const renewing = setInterval(
      () => this.#say({ case: 'renew', value: { lease: ref } }),
      this.#leaseMs / 2,
    );
    try {
      while (!held.gone) {
        const judged = new Promise<RefusedAnswer | undefined>((resolve) => {
          held.judged = resolve;
        });
        const answer = await this.#think(held.lease, seat);
        if (held.gone) return;
        this.#say({ case: 'answer', value: answer });
        const refused = await judged;
        if (!refused) return;
        this.#players.onFault(placeOf(seat), new Error(`rejected: ${refused.message}`));
        seat.attempt += 1;
        seat.refused = refused.verdicts;
        if (refused.attemptsLeft === 0) this.#forget(idOf(held.lease));
      }
    } catch (error) {
      if (held.gone) return;
      this.#players.onFailure(placeOf(seat), error);
      this.#forget(idOf(held.lease));
      this.#say({ case: 'release', value: { lease: ref, reason: printable(String(error)) } });
    } finally {
      clearInterval(renewing);
    }
  }

  async #think({ lease, asked, offers, mayWrite }: Lease, seat: Seat) {
    const ref = lease ?? {};
    if (asked.case === 'vote')
      return { lease: ref, vote: await this.#players.vote(seat, asked.value) };
    if (asked.case !== 'decision' || !offers)
      throw new TypeError('the lease contains a request that this client version does not support');
    const decision = asked.value;
    const { phase = 0n, revision = 0n } = decision;
    const answer = await this.#players.decide(
      seat,
      new Offers(offers, { decision, phase, revision }),
    );
    const ready = (answer.ready ?? true) && decision.revisable;
    if (isEmpty(answer.orders) && !ready)
      throw new TypeError('the bot returned no orders, but this decision requires at least one');
    return {
      lease: ref,
      ready,
      orders: ordersOf(answer.orders ?? ''),
      ...(answer.memo && { memo: answer.memo }),
      messages: mayWrite
        ? (answer.messages ?? []).map(({ to, text }) => ({ toSeats: [...to], text }))
        : [],
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
      const cause = ReleaseCause.STOPPING;
      this.#say({
        case: 'release',
        value: { lease: lease.lease ?? {}, reason: 'the worker is stopping', cause },
      });
      this.#forget(id);
    }
  }
}

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

/** Parses a profile such as "diplomacy:power:random". */
function profilesOf(
  text: string,
  kinds: readonly GameKind[],
): MessageInitShape<typeof WorkerProfileSchema>[] {
  const [name, profile, level, ...more] = text.split(':');
  if (!name || profile === '' || level === '' || more.length > 0)
    throw new TypeError(`"${text}" is not a profile; expected KIND:PROFILE:LEVEL`);
  const kind = kinds.find((one) => one.kind === name);
  if (!kind)
    throw new TypeError(
      `"${text}": unknown kind of game; the kinds are ${kinds.map((one) => one.kind).join(', ')}`,
    );
  // The engine rejects unknown profiles and levels and lists the valid ones.
  const levels = level ? [level] : kind.levels;
  return (profile ? [profile] : kind.profiles).map((one) => ({ kind: name, profile: one, levels }));
}

function idOf(lease: Lease): bigint {
  return lease.lease?.leaseId ?? 0n;
}

function placeOf({ gameId, number }: Seat): string {
  return `${gameId}, seat ${number}`;
}

/** Converts text to one line of printable ASCII, as the contract requires. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
}
