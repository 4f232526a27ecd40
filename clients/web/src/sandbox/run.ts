// A sandbox game that applies the steps of a scenario and records their results.

import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { gameJson, gameOfJson } from '@heliopause/client/games';
import { batch, signal } from '@preact/signals';
import { games } from '../engine/calls';
import { master, sandbox } from '../engine/calls-table';
import { type Event, type Game, type GameKind, PaceSchema } from '../engine/contract';
import { Failure, failureOf } from '../engine/failure';
import { t } from '../words';
import type { Action, Scenario, Step } from './scenario';

export interface StepResult {
  step: Step;
  /** Why the engine rejected the step; empty if it accepted it. */
  refused: string;
  /** The events that the game master received because of the step. */
  masterEvents: readonly string[];
}

export class SandboxRun {
  readonly game: Game;
  readonly scenario: Scenario;
  /** The initial position, for the saved file. */
  readonly start: JsonValue;
  readonly done = signal<readonly StepResult[]>([]);
  /** The steps of the file that have not been applied yet. */
  readonly remaining = signal<readonly Step[]>([]);
  /** Incremented after each step: views are redrawn when it changes. */
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
    this.remaining.value = scenario.steps;
    this.dice.value = scenario.dice;
  }

  static async set(scenario: Scenario, kinds: readonly GameKind[]): Promise<SandboxRun> {
    const kind = kinds.find((each) => each.kind === scenario.game);
    const arm = kind?.defaultOptions?.game.case;
    if (!kind || !arm)
      throw new Failure(t('sandbox-unknown-game', { game: scenario.game }), 'INVALID_FIELD');
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
    if (!game) throw new Failure(t('sandbox-no-game'), 'UNREACHABLE');
    return SandboxRun.resume(game, scenario);
  }

  /** Continues a sandbox game that was created from a scenario. */
  static async resume(game: Game, scenario: Scenario): Promise<SandboxRun> {
    const { position: at, lastEvent } = await sandbox.getPosition({ gameId: game.gameId });
    const [[arm, start] = ['', {}]] = Object.entries(gameJson('position', at) ?? {});
    return new SandboxRun(game, scenario, arm, start, lastEvent);
  }

  async next(): Promise<void> {
    const [step, ...rest] = this.remaining.value;
    if (!step) return;
    this.remaining.value = rest;
    await this.take(step);
  }

  /**
   * Applies a step and records the result. A rejected order is a result, not an error. A step with
   * a request id takes effect at most once, and applying it again succeeds.
   */
  async take(step: Step, requestId = ''): Promise<StepResult> {
    let refused = '';
    let judged: string[] = [];
    try {
      judged = await this.act(step.action, requestId);
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure.reason === 'UNREACHABLE') throw failure;
      // The id is known, but the game has changed since: the step was applied before.
      if (failure.reason !== 'REQUEST_ID_REUSED')
        refused = `${failure.message}${failure.rule ? ` (${failure.rule})` : ''}`;
    }
    const masterEvents = [
      ...judged,
      ...(await this.news()).map((event) => event.text).filter((text) => text !== ''),
    ];
    const { dice } = await sandbox.getPosition({ gameId: this.game.gameId });
    const result = { step, refused, masterEvents };
    batch(() => {
      this.done.value = [...this.done.value, result];
      this.dice.value = dice;
      this.round.value += 1;
    });
    return result;
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

  private async act(action: Action, requestId: string): Promise<string[]> {
    const { gameId } = this.game;
    const id = { gameId, requestId };
    switch (action.does) {
      case 'order':
        await this.order(action.seat, action.orders, requestId);
        return [];
      case 'validate': {
        const { verdicts, warnings } = await games.validateOrders({
          gameId,
          seat: action.seat,
          orders: { text: action.text },
        });
        const refusal = verdicts.find((verdict) => !verdict.accepted);
        if (refusal) throw new Failure(refusal.message, 'ORDER_REFUSED', { rule: refusal.rule });
        return warnings.map((warning) => warning.sentence);
      }
      case 'ready': {
        const { phase } = await games.getOffers({ gameId, seat: action.seat });
        const { warnings } = await games.setReady({
          ...id,
          seat: action.seat,
          phase: phase ?? 0n,
          ready: action.ready,
        });
        return warnings.map((warning) => warning.sentence);
      }
      case 'say': {
        const { seat, to, anonymous, toGameMaster, text } = action;
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
        await games.resign({ ...id, seat: action.seat });
        return [];
      case 'dice':
        await sandbox.scriptDice({ ...id, dice: action.dice, replace: action.replace });
        return [];
      case 'advance':
        await sandbox.advanceClock({
          ...id,
          duration: { seconds: BigInt(Math.round(action.ms / 1000)), nanos: 0 },
        });
        return [];
      case 'close':
        await sandbox.closeSandboxPhase(id);
        return [];
      case 'master':
        await master.submitMasterOrders({ ...id, text: action.text });
        return [];
      case 'nothing':
        return [];
    }
  }

  private async order(
    seat: number,
    orders: readonly (string | JsonObject)[],
    requestId: string,
  ): Promise<void> {
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
      requestId,
    });
    if (refused) throw new Failure(refused.message, 'ORDER_REFUSED', { rule: refused.rule });
  }
}

/** Shortens a name to what a game's title may hold. */
function titled(name: string): string {
  return [...name.normalize('NFC')].slice(0, 60).join('').trim();
}
