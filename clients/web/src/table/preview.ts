// A preview of a phase of Diplomacy: the orders that the player has given, and those that the player
// expects of others, resolved by the engine without a game.

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AdjudicationService,
  diplomacy,
  type LineReport,
  Phase,
  type Power,
  type Resolution,
  type SituationSchema,
  type Unit,
  UnitKind,
  type View,
} from '@heliopause/client/games/diplomacy';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { engine, games } from '../engine/calls';
import { type Scene, SceneOutcome, type ScenePath, ScenePathSchema } from '../engine/contract';
import { type Failure, failureOf } from '../engine/failure';
import type { Spot } from '../scene/shapes';
import type { Subject } from './offers';
import type { Table } from './table';

/** The pause after the last change before the phase is resolved. */
const REST_MS = 250;
/** How far from the start of a move its supports and convoys point. */
const SUPPORTED = 0.6;
const CONVOYED = 0.5;

/** A unit with its order in the preview. */
export interface Row {
  seat: number;
  /** The unit, as in notation. */
  unit: string;
  order: string;
  /** Whether the player gave this order in the game. */
  isGiven: boolean;
  report: LineReport | undefined;
}

export class Preview {
  readonly chosen = signal<Subject | undefined>(undefined);
  readonly failure = signal<Failure | undefined>(undefined);
  readonly rows: ReadonlySignal<readonly Row[]>;
  /** The powers, in seat order. */
  readonly powers: ReadonlySignal<readonly Power[]>;
  /** Whether the phase can be previewed. */
  readonly isPossible: ReadonlySignal<boolean>;

  private readonly table: Table;
  private readonly view = signal<View | undefined>(undefined);
  /** The orders that the player expects, by unit. */
  private readonly expected = signal<ReadonlyMap<string, string>>(new Map());
  private readonly resolution = signal<Resolution | undefined>(undefined);
  /** The unit that the chosen unit supports or convoys. */
  private helped = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;

  constructor(table: Table) {
    this.table = table;
    this.powers = computed(() => this.view.value?.table?.powers ?? []);
    this.isPossible = computed(() => isMovement(this.view.value) || isRetreat(this.view.value));
    this.rows = computed(() => this.findRows());
  }

  /** Reads the position. Call again when the game has changed. */
  async load(): Promise<void> {
    try {
      const { view } = await games.getView(this.table.as);
      const read = diplomacy.view(view);
      const isSame = this.view.value?.table?.number === read?.table?.number;
      this.view.value = read;
      if (!isSame) this.clear();
      else this.resolveSoon();
    } catch (thrown) {
      this.failure.value = failureOf(thrown);
    }
  }

  private findRows(): Row[] {
    const view = this.view.value;
    const given = this.table.question.value.standing;
    const reports = this.resolution.value?.lines ?? [];
    return unitsOf(view).map(({ seat, unit }): Row => {
      const own =
        seat === this.table.seat ? given.find((line) => isOrderOf(line, unit)) : undefined;
      const expected = this.expected.value.get(unit);
      const order = expected ?? own ?? defaultOf(view, unit);
      const report = reports.find((each) => each.seat === seat && isOrderOf(each.line, unit));
      return { seat, unit, order, isGiven: expected === undefined && own !== undefined, report };
    });
  }

  /** Sets the order that the player expects. An empty order means the unit's own. */
  expect(unit: string, order: string): void {
    const expected = new Map(this.expected.value);
    if (order.trim() === '') expected.delete(unit);
    else expected.set(unit, order.trim());
    this.expected.value = expected;
    this.resolveSoon();
  }

  /** Forgets all expected orders. */
  clear(): void {
    this.expected.value = new Map();
    this.deselect();
    this.resolveSoon();
  }

  private deselect(): void {
    this.chosen.value = undefined;
    this.helped = '';
  }

  /**
   * Handles a click on the map: a unit, then its destination. A click on another unit supports it,
   * and a third click says where the other unit goes.
   */
  pick(subject: Subject | undefined): void {
    const unit = this.chosen.value?.piece ?? '';
    const isUnit = unitsOf(this.view.value).some((each) => each.unit === subject?.piece);
    if (subject && subject.piece !== unit) {
      if (unit === '') {
        if (isUnit) this.chosen.value = subject;
        return;
      }
      if (isRetreat(this.view.value)) {
        this.expect(unit, `${unit} R ${subject.place}`);
      } else if (this.helped !== '') {
        const verb = this.convoys(unit, this.helped) ? 'C' : 'S';
        this.expect(unit, `${unit} ${verb} ${this.helped} - ${subject.place}`);
      } else if (isUnit) {
        this.helped = subject.piece;
        this.expect(unit, `${unit} S ${subject.piece}`);
        return;
      } else {
        this.expect(unit, `${unit} - ${subject.place}`);
      }
    }
    this.deselect();
  }

  /** A fleet at sea most likely convoys the army of a click, and supports a fleet. */
  private convoys(unit: string, other: string): boolean {
    const place = unit.slice(2);
    // Names of seas are in capital letters.
    return unit.startsWith('F ') && place === place.toUpperCase() && other.startsWith('A ');
  }

  /** Returns the scene with the orders and results of the preview instead of those of the game. */
  scene(shown: Scene): Scene {
    const { value: resolution } = this.resolution;
    if (!resolution) return shown;
    const dislodged = new Set(resolution.dislodged.map(({ unit }) => nameOf(unit?.unit)));
    return {
      ...shown,
      paths: resolution.lines.flatMap((report) => pathOf(shown, report) ?? []),
      pieces: shown.pieces.map((piece) =>
        dislodged.has(piece.name) ? { ...piece, states: [...piece.states, 'dislodged'] } : piece,
      ),
    };
  }

  private resolveSoon(): void {
    clearTimeout(this.timer);
    this.round += 1;
    const { round } = this;
    this.timer = setTimeout(() => void this.resolve(round), REST_MS);
  }

  private async resolve(round: number): Promise<void> {
    const situation = this.situation();
    if (!situation) {
      this.resolution.value = undefined;
      return;
    }
    try {
      const client = engine.client(AdjudicationService);
      const { resolutions } = await client.adjudicate({ situations: [situation] });
      if (round !== this.round) return;
      this.resolution.value = resolutions[0];
      this.failure.value = undefined;
    } catch (thrown) {
      if (round === this.round) this.failure.value = failureOf(thrown);
    }
  }

  private situation(): MessageInitShape<typeof SituationSchema> | undefined {
    const { table } = this.view.value ?? {};
    if (!table || !this.isPossible.value) return undefined;
    const orders = table.powers.map(({ seat }) => ({
      seat,
      lines: this.rows.value.filter((row) => row.seat === seat).map(({ order }) => order),
    }));
    const { powers, dislodged } = table;
    return {
      powers,
      ...(table.options && { variant: table.options.variant }),
      phase: isRetreat(this.view.value)
        ? { case: 'retreats', value: { dislodged, orders } }
        : { case: 'movement', value: { orders } },
    };
  }
}

function isMovement(view: View | undefined): boolean {
  const phase = view?.table?.phase;
  return phase === Phase.SPRING_MOVEMENT || phase === Phase.FALL_MOVEMENT;
}

function isRetreat(view: View | undefined): boolean {
  const phase = view?.table?.phase;
  return phase === Phase.SPRING_RETREAT || phase === Phase.FALL_RETREAT;
}

function nameOf(unit: Unit | undefined): string {
  return unit ? `${unit.kind === UnitKind.FLEET ? 'F' : 'A'} ${unit.at}` : '';
}

/** Returns the units that can get orders in the phase. */
function unitsOf(view: View | undefined): { seat: number; unit: string }[] {
  const { table } = view ?? {};
  if (isRetreat(view)) {
    return (table?.dislodged ?? []).map(({ unit }) => ({
      seat: unit?.seat ?? 0,
      unit: nameOf(unit?.unit),
    }));
  }
  return (table?.powers ?? []).flatMap(({ seat, units }) =>
    units.map((unit) => ({ seat, unit: nameOf(unit) })),
  );
}

function defaultOf(view: View | undefined, unit: string): string {
  return isRetreat(view) ? `${unit} D` : `${unit} H`;
}

function isOrderOf(line: string, unit: string): boolean {
  return line.startsWith(`${unit} `);
}

const UNIT = String.raw`[AF] \S+`;
const MOVE = new RegExp(String.raw`^${UNIT} [-R] (\S+)`);
const SUPPORT = new RegExp(String.raw`^${UNIT} ([SC]) [AF] (\S+)(?: - (\S+))?`);
const FAILED = new Set(['bounced', 'no-convoy', 'no-room', 'cut', 'void', 'disrupted', 'illegal']);

/** Returns the path of a resolved order; undefined if the scene does not show its places. */
export function pathOf(scene: Scene, report: LineReport): ScenePath | undefined {
  const order = report.notation || report.line;
  const [, at = ''] = order.split(' ');
  const from = spotOf(scene, at);
  if (!from) return undefined;
  const made = (kind: string, spots: (Spot | undefined)[], destination = at) => {
    const points = spots.flatMap((spot) => spot ?? []);
    if (points.length < 2 * spots.length) return undefined;
    return create(ScenePathSchema, {
      kind,
      points,
      title: report.text === '' ? order : `${order}: ${report.text}`,
      owner: report.seat,
      outcome: FAILED.has(report.result) ? SceneOutcome.FAILURE : SceneOutcome.SUCCESS,
      origin: at,
      destination,
    });
  };
  const move = MOVE.exec(order)?.[1];
  if (move !== undefined) return made('move', [from, spotOf(scene, move)], move);
  const [, verb, other = '', to] = SUPPORT.exec(order) ?? [];
  if (verb === undefined) return made('hold', [from]);
  const start = spotOf(scene, other);
  if (to === undefined) return made('support', [from, start], other);
  const part = verb === 'S' ? SUPPORTED : CONVOYED;
  const between = pointBetween(start, spotOf(scene, to), part);
  return made(verb === 'S' ? 'support' : 'convoy', [from, between], to);
}

function pointBetween(start: Spot | undefined, end: Spot | undefined, part: number) {
  if (!start || !end) return undefined;
  const [x, y] = [start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part];
  return [x, y] as Spot;
}

/** Returns the position of a unit at a place, of the place, or of the province of a coast. */
function spotOf(scene: Scene, name: string): Spot | undefined {
  const is = (each: { name: string }) => each.name.toLowerCase() === name.toLowerCase();
  const found =
    scene.pieces.find((piece) => piece.place === name || piece.name.slice(2) === name) ??
    scene.places.find(is) ??
    scene.areas.find(is);
  if (found) return [found.x, found.y];
  const [province = name] = name.split('/');
  return province === name ? undefined : spotOf(scene, province);
}
