// The lines that a player types: kept in this browser until they are given, judged as they stand.

import { batch, effect, signal } from '@preact/signals';
import type { Verdict, Warning } from '../engine/contract';
import { failureOf } from '../engine/failure';
import { forget, recall, remember } from '../engine/keep';
import type { Table } from './table';

/** Typing rests for so long before the engine judges. */
const REST_MS = 220;

/** What the engine says of a line. */
export interface Judged {
  accepted: boolean;
  sentence: string;
  rule: string;
}

/** What the engine says of all rows. */
interface Judgement {
  judged: readonly (Judged | undefined)[];
  warnings: readonly Warning[];
}

export class Sheet {
  readonly rows = signal<readonly string[]>(['']);
  readonly judged = signal<readonly (Judged | undefined)[]>([]);
  readonly warnings = signal<readonly Warning[]>([]);
  /** The stored sheet became another one while this one was being written. */
  readonly isOvertaken = signal(false);

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

  /** Begins: takes up what was typed before, and follows what is stored. */
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
    const judge = effect(() => {
      this.table.question.value;
      this.judgeSoon(this.rows.value);
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
      judge();
      clearTimeout(this.timer);
      removeEventListener('storage', otherTab);
    };
  }

  /** The stored sheet is the beginning of what one writes, until one has written something else. */
  private adopt(stored: string): void {
    const mine = this.text;
    if (mine === stored) {
      this.based = stored;
      this.isOvertaken.value = false;
    } else if (mine === this.based || mine === '') {
      this.based = stored;
      this.rows.value = stored === '' ? [''] : stored.split('\n');
    } else {
      this.isOvertaken.value = stored !== this.based;
    }
  }

  /** Takes the stored sheet instead of what was typed. */
  takeStored(): void {
    const stored = this.table.question.value.standing.join('\n');
    this.based = stored;
    this.isOvertaken.value = false;
    this.change(stored === '' ? [''] : stored.split('\n'));
  }

  get text(): string {
    return this.rows.value
      .map((row) => row.trim())
      .filter((row) => row !== '')
      .join('\n');
  }

  /** Whether there is something that was not given yet. */
  get isDirty(): boolean {
    return this.table.question.value.menu.sheet ? this.text !== this.based : this.text !== '';
  }

  change(rows: readonly string[]): void {
    this.rows.value = rows.length === 0 ? [''] : rows;
    if (this.text === '' && this.based === '') forget(this.name);
    else remember(this.name, { rows: this.rows.value, based: this.based });
  }

  setRow(index: number, text: string): void {
    // What is pasted with line ends is several lines.
    const lines = text.split(/\r?\n/);
    this.change(this.rows.value.toSpliced(index, 1, ...lines));
  }

  /** Adds a line; answers what the engine says against it, and leaves it out, if it cannot stand there. */
  async add(line: string): Promise<Judged | undefined> {
    const before = () => this.rows.value.filter((row) => row.trim() !== '');
    const added = (await this.judgement([...before(), line]))?.judged.at(-1);
    if (added?.accepted === false) return added;
    this.change([...before(), line, '']);
    return undefined;
  }

  remove(index: number): void {
    this.change(this.rows.value.toSpliced(index, 1));
  }

  /** What was typed is given: it need not be kept any more. */
  given(): void {
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

  private judgeSoon(rows: readonly string[]): void {
    clearTimeout(this.timer);
    this.round += 1;
    const { round } = this;
    if (rows.every((row) => row.trim() === '')) {
      this.judged.value = [];
      return;
    }
    this.timer = setTimeout(() => void this.judge(rows, round), REST_MS);
  }

  private async judge(rows: readonly string[], round: number): Promise<void> {
    const found = await this.judgement(rows);
    if (!found || round !== this.round) return;
    batch(() => {
      this.judged.value = found.judged;
      this.warnings.value = found.warnings;
    });
  }

  /** What the engine says of these rows; nothing if it cannot say so now. */
  private async judgement(rows: readonly string[]): Promise<Judgement | undefined> {
    const written = rows
      .map((row, index) => ({ row: row.trim(), index }))
      .filter(({ row }) => row !== '');
    const judged: (Judged | undefined)[] = rows.map(() => undefined);
    let warnings: readonly Warning[] = [];
    try {
      const answer = await this.table.validate(written.map(({ row }) => row).join('\n'));
      warnings = answer.warnings;
      const places = written.map(({ index }) => index);
      if (this.table.question.value.menu.sheet) spread(answer.verdicts[0], places, judged);
      else {
        for (const [order, verdict] of answer.verdicts.entries()) {
          const place = places[order];
          if (place !== undefined) judged[place] = judgedOf(verdict);
        }
      }
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure.isTransient || failure.reason === 'WRONG_STATUS') return undefined;
      const line = Number(failure.metadata['line'] ?? Number(failure.metadata['order'] ?? 0) + 1);
      const place = written[Math.min(Math.max(line, 1), written.length) - 1]?.index;
      if (place !== undefined) {
        judged[place] = { accepted: false, sentence: failure.message, rule: failure.rule };
      }
    }
    return { judged, warnings };
  }
}

function judgedOf(verdict: Verdict): Judged {
  const [line] = verdict.lines;
  return {
    accepted: verdict.accepted,
    sentence: verdict.accepted ? (line?.sentence ?? '') : verdict.message,
    rule: verdict.rule,
  };
}

/** Lays what becomes of a sheet's lines beside the rows that they were typed in. */
function spread(
  verdict: Verdict | undefined,
  places: readonly number[],
  judged: (Judged | undefined)[],
): void {
  if (!verdict) return;
  for (const { line, accepted, sentence, rule } of verdict.lines) {
    const place = places[line - 1];
    if (place !== undefined) judged[place] = { accepted, sentence, rule };
  }
  const last = places.at(-1);
  if (!verdict.accepted && verdict.lines.every((line) => line.accepted) && last !== undefined) {
    judged[last] = { accepted: false, sentence: verdict.message, rule: verdict.rule };
  }
}
