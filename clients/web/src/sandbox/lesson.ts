// A tutorial: a scenario whose steps with text are taken by the player at seat 1.

import { gameJson } from '@heliopause/client/games';
import { computed, signal } from '@preact/signals';
import { games } from '../engine/calls';
import { Failure, failureOf } from '../engine/failure';
import { Table } from '../table/table';
import { loadKinds } from '../views/kinds';
import { t } from '../words';
import { canonical } from './canonical';
import { keepProgress, progressIn } from './progress';
import { SandboxRun } from './run';
import { type Action, readScenario, type Scenario, type Step } from './scenario';

export const LEARNER = 1;

const FILES = import.meta.glob<string>('../../../../examples/scenarios/tutorials/*.json', {
  query: '?raw',
  import: 'default',
});

function fileOf(kind: string): (() => Promise<string>) | undefined {
  return Object.entries(FILES).find(([path]) => path.endsWith(`/${kind}.json`))?.[1];
}

export function hasLesson(kind: string): boolean {
  return fileOf(kind) !== undefined;
}

/** Returns the kinds of games that have a tutorial. */
export function lessonKinds(): string[] {
  return Object.keys(FILES).map((path) => path.replace(/^.*\/|\.json$/g, ''));
}

export async function scenarioOf(kind: string): Promise<Scenario> {
  const file = fileOf(kind);
  if (!file) throw new Failure(t('tutorial-none', { kind }), 'NOT_FOUND');
  return readScenario(await file());
}

/** Returns the number of the steps that the player takes. */
export function lengthOf({ steps }: Scenario): number {
  return steps.filter(({ tell }) => tell !== '').length;
}

/** Creates the game of a tutorial and returns its id. */
export async function startLesson(kind: string): Promise<string> {
  const run = await SandboxRun.set(await scenarioOf(kind), await loadKinds());
  const game = run.game.gameId;
  keepProgress(kind, { game, at: 0, isDone: false });
  return game;
}

export class Lesson {
  readonly kind: string;
  readonly steps: readonly Step[];
  /** The number of steps of the file that have been taken. */
  readonly at = signal(0);
  /** Why the last order was not the expected one; empty if there is no such order. */
  readonly objection = signal('');
  /** Whether the steps of the other players are being taken. */
  readonly isBusy = signal(false);
  readonly failure = signal<Failure | undefined>(undefined);
  /** The step that the player takes now; undefined at the end. */
  readonly step = computed(() => this.steps[this.at.value]);
  readonly isDone = computed(() => this.at.value >= this.steps.length);
  /** The number of the player's current step, from 1. */
  readonly number = computed(
    () => this.steps.slice(0, this.at.value + 1).filter(({ tell }) => tell !== '').length,
  );
  readonly length: number;
  private readonly run: SandboxRun;

  private constructor(kind: string, run: SandboxRun, at: number) {
    this.kind = kind;
    this.run = run;
    this.steps = run.scenario.steps;
    this.length = lengthOf(run.scenario);
    this.at.value = at;
  }

  /** Continues the tutorial of a kind of game where the player left it. */
  static async resume(kind: string): Promise<Lesson> {
    const { game: gameId = '', at = 0, sent } = progressIn(kind) ?? {};
    const [scenario, { game }] = await Promise.all([scenarioOf(kind), games.getGame({ gameId })]);
    if (!game) throw new Failure(t('tutorial-game-gone'), 'GAME_NOT_FOUND');
    const lesson = new Lesson(kind, await SandboxRun.resume(game, scenario), at);
    if (sent) await lesson.send(sent);
    await lesson.takeOthers();
    return lesson;
  }

  /** Rejects an action of the player that is not the current step. */
  async require(action: Action): Promise<void> {
    const wanted = this.step.value?.action;
    if (!wanted) return;
    if (await this.isSame(action, wanted)) return;
    this.object();
    throw new Failure(
      t('tutorial-do-instead', { objection: this.objection.value, wanted: expectation(wanted) }),
      'ORDER_REFUSED',
    );
  }

  object(): void {
    this.objection.value = t('tutorial-not-expected');
  }

  /** Returns whether an action is the wanted one, in any spelling. */
  async isSame(action: Action, wanted: Action): Promise<boolean> {
    if (action.does === 'order' && wanted.does === 'order') {
      const [given, expected] = await Promise.all([
        this.parsed(linesOf(action)),
        this.parsed(linesOf(wanted)),
      ]);
      return given !== undefined && given === expected;
    }
    if (action.does === 'ready' && wanted.does === 'ready') return action.ready === wanted.ready;
    if (action.does === 'say' && wanted.does === 'say') {
      return String(action.to) === String(wanted.to) && action.text.trim() !== '';
    }
    return false;
  }

  private async parsed(text: string): Promise<string | undefined> {
    try {
      const { gameId } = this.run.game;
      const { orders } = await games.parseOrders({ gameId, seat: LEARNER, text });
      return canonical(orders.map((order) => gameJson('order', order) ?? {}));
    } catch (thrown) {
      if (failureOf(thrown).isTransient) throw thrown;
      return undefined;
    }
  }

  /**
   * The request id of the current step. A page that closes during a step can repeat it, and the
   * engine applies it once.
   */
  get requestId(): string {
    return this.isDone.value ? '' : `step-${this.at.value}`;
  }

  /** Sends the action of a page that closed before the engine had answered. */
  private async send(action: Action): Promise<void> {
    const step = this.step.value;
    if (!step) return;
    const { refused } = await this.run.take({ ...step, action }, this.requestId);
    this.keep(this.at.value + (refused === '' ? 1 : 0));
  }

  /** Runs the player's current step. Keeps its action until the engine has answered. */
  async attempt<T>(action: Action, does: () => Promise<T>): Promise<T> {
    this.keep(this.at.value, action);
    try {
      return await does();
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure.reason === 'REQUEST_ID_REUSED') await this.advance();
      else if (!failure.isTransient) this.keep(this.at.value);
      throw failure;
    }
  }

  /** Continues after the player's step: takes the steps of the other players. */
  async advance(): Promise<void> {
    if (this.isDone.value) return;
    this.keep(this.at.value + 1);
    await this.takeOthers();
  }

  async takeOthers(): Promise<void> {
    this.failure.value = undefined;
    this.isBusy.value = true;
    try {
      for (let step = this.step.value; step && step.tell === ''; step = this.step.value) {
        await this.run.take(step, this.requestId);
        this.keep(this.at.value + 1);
      }
    } catch (thrown) {
      this.failure.value = failureOf(thrown);
    }
    this.isBusy.value = false;
  }

  private keep(at: number, sent?: Action): void {
    this.objection.value = '';
    this.at.value = at;
    const progress = { game: this.run.game.gameId, at, isDone: this.isDone.value };
    keepProgress(this.kind, sent ? { ...progress, sent } : progress);
  }
}

/** The table of the player in a tutorial: it accepts only the action of the current step. */
export class LessonTable extends Table {
  readonly lesson: Lesson;
  override readonly isTaught = true;

  constructor(id: string, lesson: Lesson) {
    super(id, { seat: LEARNER, asSpectator: false });
    this.lesson = lesson;
  }

  private async guarded<T>(action: Action, does: () => Promise<T>): Promise<T> {
    const { lesson } = this;
    if (lesson.isDone.value) return does();
    await lesson.require(action);
    const answer = await lesson.attempt(action, does);
    await lesson.advance();
    return answer;
  }

  protected override get requestId(): string {
    return this.lesson.requestId;
  }

  override order(text: string, ready = false) {
    const action: Action = { does: 'order', seat: LEARNER, orders: text.split('\n') };
    return this.guarded(action, () => super.order(text, ready));
  }

  override ready(ready: boolean): Promise<void> {
    return this.guarded({ does: 'ready', seat: LEARNER, ready }, () => super.ready(ready));
  }

  override write(to: Parameters<Table['write']>[0], text: string): Promise<void> {
    const action: Action = {
      does: 'say',
      seat: LEARNER,
      to: to.seats,
      anonymous: to.anonymous,
      toGameMaster: to.gameMaster,
      text,
    };
    return this.guarded(action, () => super.write(to, text));
  }

  override async takeBack(): Promise<void> {
    if (this.lesson.isDone.value) return super.takeBack();
    throw new Failure(t('tutorial-orders-stay'), 'ORDER_REFUSED');
  }
}

export function linesOf(action: Action & { does: 'order' }): string {
  return action.orders.map(String).join('\n');
}

/** Describes the action of a step to the player. */
export function expectation(action: Action): string {
  if (action.does === 'order') return linesOf(action).split('\n').at(-1) ?? '';
  if (action.does === 'ready') return t('tutorial-do-ready');
  if (action.does === 'say') return t('tutorial-do-say', { seats: action.to.join(', ') });
  return t('tutorial-do-continue');
}
