// A sandbox on the bench: what is done to it, and what came of that.

import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { gameJson, gameOfJson } from '@heliopause/client/games';
import { batch, signal } from '@preact/signals';
import { games, master, sandbox } from '../engine/calls';
import { type Event, type Game, type GameKind, PaceSchema } from '../engine/contract';
import { Failure, failureOf } from '../engine/failure';
import type { Deed, Scenario, Step } from './scenario';

/** What came of a step. */
export interface Done {
  step: Step;
  /** Why it was refused; empty if it was not. */
  refused: string;
  /** What the game master was told of it. */
  told: readonly string[];
}

export class Bench {
  readonly game: Game;
  readonly scenario: Scenario;
  /** The position at the beginning, for the file that is saved. */
  readonly start: JsonValue;
  readonly done = signal<readonly Done[]>([]);
  /** The steps of the file that are still to come. */
  readonly ahead = signal<readonly Step[]>([]);
  /** Counts what was done: views are drawn anew when it changes. */
  readonly round = signal(0);
  readonly dice = signal<readonly number[]>([]);
  private readonly arm: string;
  private event: bigint;

  private constructor(
    game: Game,
    scenario: Scenario,
    arm: string,
    start: JsonValue,
    event: bigint,
  ) {
    this.game = game;
    this.scenario = scenario;
    this.arm = arm;
    this.start = start;
    this.event = event;
    this.ahead.value = scenario.steps;
    this.dice.value = scenario.dice;
  }

  /** Sets the game up. */
  static async set(scenario: Scenario, kinds: readonly GameKind[]): Promise<Bench> {
    const kind = kinds.find((each) => each.kind === scenario.game);
    const arm = kind?.defaultOptions?.game.case;
    if (!kind || !arm) throw new Failure(`There is no game "${scenario.game}".`, 'INVALID_FIELD');
    const { position, options, players, pace, automated, dice, name, seed } = scenario;
    const inArm = (content: 'position' | 'options', json: JsonObject) =>
      gameOfJson(content, json, arm);
    const { game } = await sandbox.createSandboxGame({
      kind: kind.kind,
      name: titled(name),
      ...(position ? { position: inArm('position', position) as never } : {}),
      ...(options ? { options: inArm('options', options) as never } : {}),
      ...(players === undefined ? {} : { players }),
      ...(pace ? { pace: fromJson(PaceSchema, pace) } : {}),
      seed: new Uint8Array((seed.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))),
      dice,
      automated: automated.map(({ seat, profile, level }) => ({ seat, by: { profile, level } })),
    });
    if (!game) throw new Failure('The engine made no game.', 'UNREACHABLE');
    const { position: at, lastEvent } = await sandbox.getPosition({ gameId: game.gameId });
    const start = gameJson('position', at)?.[arm] ?? {};
    return new Bench(game, scenario, arm, start, lastEvent);
  }

  /** Does the next step of the file. */
  async next(): Promise<void> {
    const [step, ...rest] = this.ahead.value;
    if (!step) return;
    this.ahead.value = rest;
    await this.take(step);
  }

  /** Does a step, and notes what came of it. A refusal is something that came of it. */
  async take(step: Step): Promise<void> {
    let refused = '';
    let judged: string[] = [];
    try {
      judged = await this.act(step.deed);
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure.reason === 'UNREACHABLE') throw failure;
      refused = `${failure.message}${failure.rule ? ` (${failure.rule})` : ''}`;
    }
    const told = [
      ...judged,
      ...(await this.news()).map((event) => event.text).filter((text) => text !== ''),
    ];
    const { dice } = await sandbox.getPosition({ gameId: this.game.gameId });
    batch(() => {
      this.done.value = [...this.done.value, { step, refused, told }];
      this.dice.value = dice;
      this.round.value += 1;
    });
  }

  private async news(): Promise<readonly Event[]> {
    const { events } = await sandbox.listMasterEvents({
      gameId: this.game.gameId,
      after: { number: this.event },
      pageSize: 200,
    });
    this.event = events.at(-1)?.number ?? this.event;
    return events;
  }

  private async act(deed: Deed): Promise<string[]> {
    const { gameId } = this.game;
    const id = { gameId };
    switch (deed.does) {
      case 'order':
        await this.order(deed.seat, deed.orders);
        return [];
      case 'validate': {
        const { verdicts, warnings } = await games.validateOrders({
          gameId,
          seat: deed.seat,
          orders: { text: deed.text },
        });
        const refusal = verdicts.find((verdict) => !verdict.accepted);
        if (refusal) throw new Failure(refusal.message, 'ORDER_REFUSED', { rule: refusal.rule });
        return warnings.map((warning) => warning.sentence);
      }
      case 'ready': {
        const { phase } = await games.getOffers({ gameId, seat: deed.seat });
        const { warnings } = await games.setReady({
          ...id,
          seat: deed.seat,
          phase: phase ?? 0n,
          ready: deed.ready,
        });
        return warnings.map((warning) => warning.sentence);
      }
      case 'say': {
        const { seat, to, anonymous, toGameMaster, text } = deed;
        const toAll = to.length === 0 && !toGameMaster;
        await games.sendMessage({
          ...id,
          ...(seat === undefined ? {} : { seat }),
          toSeats: to,
          toAll,
          toGameMaster,
          anonymous,
          text,
        });
        return [];
      }
      case 'resign':
        await games.resign({ ...id, seat: deed.seat });
        return [];
      case 'dice':
        await sandbox.scriptDice({ ...id, dice: deed.dice, replace: deed.replace });
        return [];
      case 'advance':
        await sandbox.advanceClock({
          ...id,
          by: { seconds: BigInt(Math.round(deed.ms / 1000)), nanos: 0 },
        });
        return [];
      case 'close':
        await sandbox.closeSandboxPhase(id);
        return [];
      case 'master':
        await master.submitMasterOrders({ ...id, text: deed.text });
        return [];
      case 'nothing':
        return [];
    }
  }

  private async order(seat: number, orders: readonly (string | JsonObject)[]): Promise<void> {
    const { gameId } = this.game;
    const { phase, revision } = await games.getOffers({ gameId, seat });
    const typed = orders
      .filter((each) => typeof each !== 'string')
      .map((each) => gameOfJson('order', { [this.arm]: each }) as never);
    const text = orders.filter((each) => typeof each === 'string').join('\n');
    const { refused } = await games.submitOrders({
      gameId,
      seat,
      phase: phase ?? 0n,
      revision: revision ?? 0n,
      orders: { orders: typed, text },
    });
    if (refused) throw new Failure(refused.message, 'ORDER_REFUSED', { rule: refused.rule });
  }
}

/** A name that a game may have. */
function titled(name: string): string {
  return [...name.normalize('NFC')].slice(0, 60).join('').trim();
}
