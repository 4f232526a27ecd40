// Typed lines: stored in this browser until they are submitted, and validated while typing.

import { batch, effect, signal } from '@preact/signals';
import type { Verdict, Warning } from '../engine/contract';
import { failureOf } from '../engine/failure';
import { forget, recall, remember } from '../engine/storage';
import type { Table } from './table';

/** The pause in typing before the lines are validated. */
const REST_MS = 220;

export interface RowVerdict {
  accepted: boolean;
  /** Whether the line is possible but will not have its full effect. */
  warned: boolean;
  sentence: string;
  rule: string;
}

interface RowVerdicts {
  judged: readonly (RowVerdict | undefined)[];
  warnings: readonly Warning[];
}

export class Sheet {
  readonly rows = signal<readonly string[]>(['']);
  readonly judged = signal<readonly (RowVerdict | undefined)[]>([]);
  readonly warnings = signal<readonly Warning[]>([]);
  /** Whether the stored sheet changed while the player was editing. */
  readonly isOutdated = signal(false);

  private readonly table: Table;
  private based = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;

  constructor(table: Table) {
    this.table = table;
  }

  private get name(): string {
    return `lines/${this.table.id}/${this.table.seat ?? 0}`;
  }

  /** Restores the typed lines and follows the stored sheet. Returns a function that stops. */
  open(): () => void {
    const kept = recall<{ rows: string[]; based: string } | undefined>(this.name, undefined);
    if (kept?.rows.some((row) => row.trim() !== '')) {
      this.rows.value = kept.rows;
      this.based = kept.based;
    }
    const follow = effect(() => {
      const { menu, standing, decision } = this.table.question.value;
      if (decision && menu.sheet) this.adopt(standing.join('\n'));
    });
    const validate = effect(() => {
      this.table.question.value;
      this.validateSoon(this.rows.value);
    });
    const otherTab = (event: StorageEvent) => {
      if (event.key !== this.name || event.newValue === null) return;
      const other = recall<{ rows: string[]; based: string }>(this.name, { rows: [''], based: '' });
      this.based = other.based;
      this.rows.value = other.rows;
    };
    addEventListener('storage', otherTab);
    return () => {
      follow();
      validate();
      clearTimeout(this.timer);
      removeEventListener('storage', otherTab);
    };
  }

  /** Replaces the rows with the stored sheet unless the player has edited them. */
  private adopt(stored: string): void {
    const mine = this.text;
    if (mine === stored) {
      this.based = stored;
      this.isOutdated.value = false;
    } else if (mine === this.based || mine === '') {
      this.based = stored;
      this.rows.value = stored === '' ? [''] : stored.split('\n');
    } else {
      this.isOutdated.value = stored !== this.based;
    }
  }

  useStored(): void {
    const stored = this.table.question.value.standing.join('\n');
    this.based = stored;
    this.isOutdated.value = false;
    this.change(stored === '' ? [''] : stored.split('\n'));
  }

  get text(): string {
    return this.rows.value
      .map((row) => row.trim())
      .filter((row) => row !== '')
      .join('\n');
  }

  get isDirty(): boolean {
    return this.table.question.value.menu.sheet ? this.text !== this.based : this.text !== '';
  }

  change(rows: readonly string[]): void {
    this.rows.value = rows.length === 0 ? [''] : rows;
    if (this.text === '' && this.based === '') forget(this.name);
    else remember(this.name, { rows: this.rows.value, based: this.based });
  }

  setRow(index: number, text: string): void {
    // Pasted text with line breaks becomes several rows.
    const lines = text.split(/\r?\n/);
    this.change(this.rows.value.toSpliced(index, 1, ...lines));
  }

  /**
   * Adds a line, or returns the verdict if the engine rejects it. The line replaces a former one.
   */
  async add(line: string, former?: string): Promise<RowVerdict | undefined> {
    const before = () => {
      const rows = this.rows.value.filter((row) => row.trim() !== '');
      const at = former === undefined ? -1 : rows.lastIndexOf(former);
      return at < 0 ? rows : rows.toSpliced(at, 1);
    };
    const added = (await this.validateRows([...before(), line]))?.judged.at(-1);
    if (added?.accepted === false) return added;
    this.change([...before(), line, '']);
    return undefined;
  }

  /** Returns the verdict on an order beside others; undefined if the engine cannot judge now. */
  async judge(order: string, others: readonly string[]): Promise<RowVerdict | undefined> {
    const before = this.table.question.value.menu.sheet ? others : [];
    return (await this.validateRows([...before, order]))?.judged.at(-1);
  }

  remove(index: number): void {
    this.change(this.rows.value.toSpliced(index, 1));
  }

  /** Marks the typed lines as submitted, so that they need not be stored any longer. */
  markSubmitted(): void {
    if (this.table.question.value.menu.sheet) {
      this.based = this.text;
      remember(this.name, { rows: this.rows.value, based: this.based });
      return;
    }
    batch(() => {
      this.rows.value = [''];
      this.judged.value = [];
      this.warnings.value = [];
    });
    forget(this.name);
  }

  private validateSoon(rows: readonly string[]): void {
    clearTimeout(this.timer);
    this.round += 1;
    const { round } = this;
    if (rows.every((row) => row.trim() === '')) {
      this.judged.value = [];
      return;
    }
    this.timer = setTimeout(() => void this.validate(rows, round), REST_MS);
  }

  private async validate(rows: readonly string[], round: number): Promise<void> {
    const found = await this.validateRows(rows);
    if (!found || round !== this.round) return;
    batch(() => {
      this.judged.value = found.judged;
      this.warnings.value = found.warnings;
    });
  }

  /** Validates rows; returns undefined if the engine cannot do so now. */
  private async validateRows(rows: readonly string[]): Promise<RowVerdicts | undefined> {
    const written = rows
      .map((row, index) => ({ row: row.trim(), index }))
      .filter(({ row }) => row !== '');
    const judged: (RowVerdict | undefined)[] = rows.map(() => undefined);
    let warnings: readonly Warning[] = [];
    try {
      const answer = await this.table.validate(written.map(({ row }) => row).join('\n'));
      warnings = answer.warnings;
      const places = written.map(({ index }) => index);
      if (this.table.question.value.menu.sheet) spread(answer.verdicts[0], places, judged);
      else {
        for (const [order, verdict] of answer.verdicts.entries()) {
          const place = places[order];
          if (place !== undefined) judged[place] = verdictOf(verdict);
        }
      }
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure.isTransient || failure.reason === 'WRONG_STATUS') return undefined;
      const line = Number(failure.metadata['line'] ?? Number(failure.metadata['order'] ?? 0) + 1);
      const place = written[Math.min(Math.max(line, 1), written.length) - 1]?.index;
      if (place !== undefined) {
        judged[place] = {
          accepted: false,
          warned: false,
          sentence: failure.message,
          rule: failure.rule,
        };
      }
    }
    return { judged, warnings };
  }
}

function verdictOf(verdict: Verdict): RowVerdict {
  const [line] = verdict.lines;
  return {
    accepted: verdict.accepted,
    warned: line?.warned ?? false,
    sentence: verdict.accepted ? (line?.sentence ?? '') : verdict.message,
    rule: verdict.rule,
  };
}

/** Assigns the verdicts on a sheet's lines to the rows they were typed in. */
function spread(
  verdict: Verdict | undefined,
  places: readonly number[],
  judged: (RowVerdict | undefined)[],
): void {
  if (!verdict) return;
  for (const { line, accepted, warned, sentence, rule } of verdict.lines) {
    const place = places[line - 1];
    if (place !== undefined) judged[place] = { accepted, warned, sentence, rule };
  }
  const last = places.at(-1);
  if (!verdict.accepted && verdict.lines.every((line) => line.accepted) && last !== undefined) {
    judged[last] = {
      accepted: false,
      warned: false,
      sentence: verdict.message,
      rule: verdict.rule,
    };
  }
}
