// The pending decision and the player's answer.

import type { Offer } from '@heliopause/client';
import { computed, signal, useSignal } from '@preact/signals';
import { GameStatus, OfferWeight, type Warning } from '../engine/contract';
import { Failure, failureOf } from '../engine/failure';
import { Meanings } from '../map/meanings';
import { isPhone } from '../settings';
import {
  type Form,
  fill,
  isSameOffer,
  menuOf,
  readLine,
  rebase,
  sentenceOf,
  startOf,
} from '../table/offers';
import { Picker } from '../table/picker';
import type { Sheet } from '../table/sheet';
import type { Table } from '../table/table';
import { ActionButton, Countdown, confirm, ErrorLine, SeatDot } from '../ui/components';
import { msOf, rich, seatWithPlayer, span, suspensionWords, t } from '../words';
import { BeginnerBox } from './beginner';
import { Composer } from './composer';
import { isEnd, OfferList, RemoveButton, UnfinishedOrder } from './offers';
import { PendingVotes } from './people';
import { Rule } from './rule';
import { Terms } from './term';

/** The player's answer to the pending decision, and the verdicts on it. */
export class Answer {
  /** The selection. It passes complete orders on to this object. */
  readonly picker: Picker;
  /** Complete orders that wait until the shown decision is the pending one. */
  readonly waiting = signal<readonly Form[]>([]);
  /** Sentences about unfinished orders that are no longer possible. */
  readonly dropped = signal<readonly string[]>([]);
  readonly failure = signal<Failure | undefined>(undefined);
  private readonly table: Table;
  readonly sheet: Sheet;
  private last: Promise<void> = Promise.resolve();

  constructor(table: Table, sheet: Sheet) {
    this.table = table;
    this.sheet = sheet;
    this.picker = new Picker(
      computed(() => table.question.value.menu),
      {
        canReplace: () => {
          const { decision, menu } = table.question.value;
          return menu.sheet || decision?.revisable === true;
        },
        given: () => {
          const { decision, menu } = table.question.value;
          return menu.sheet || decision?.revisable ? this.given : [];
        },
        hasOrderOf: (piece) =>
          this.waiting.value.some(({ line }) => line.pieces[0] === piece) ||
          this.ordersOf(piece).length > 0,
        give: (form, replaced) => this.take(form, replaced),
        refusal: async (line) => {
          const verdict = await sheet.judge(line, []);
          return verdict && !verdict.accepted ? verdict.sentence : '';
        },
      },
    );
  }

  /** The given orders, or the lines of the sheet. */
  get given(): readonly string[] {
    const { menu, standing } = this.table.question.value;
    return menu.sheet ? this.sheet.rows.value.filter((row) => row.trim() !== '') : standing;
  }

  /** Returns the given orders of a piece. */
  ordersOf(piece: string): readonly string[] {
    const lines = this.table.question.value.menu.lines.filter((line) => line.pieces[0] === piece);
    return this.given.filter((text) => lines.some((line) => readLine(line, text)));
  }

  /** Moves unfinished orders to the current decision. */
  follow(): void {
    const { decision, menu } = this.table.question.value;
    const isPaused = this.table.game.peek()?.status === GameStatus.PAUSED;
    // A pause hides the decision. It is the same after the pause.
    if (!decision && isPaused) return;
    const dropped = this.picker.follow(menu, decision?.phase);
    if (dropped.length > 0) this.dropped.value = dropped;
  }

  /** Queues an order. It is submitted once the shown decision is the pending one. */
  private take(form: Form, replaced: Form | undefined): void {
    const phase = this.table.question.value.decision?.phase;
    if (replaced) this.withdraw(replaced);
    this.waiting.value = [...this.waiting.value, form];
    this.last = this.last.then(() => this.giveWaiting(form, phase, replaced));
  }

  private async giveWaiting(
    form: Form,
    phase: bigint | undefined,
    replaced: Form | undefined,
  ): Promise<void> {
    await this.table.current();
    const isWaiting = this.waiting.value.includes(form);
    this.withdraw(form);
    if (!isWaiting) return;
    const { decision, menu } = this.table.question.value;
    const line = menu.lines.find((each) => isSameOffer(each, form.line));
    const next = line && rebase(form, line);
    if (next && next.lost.length === 0 && decision?.phase === phase) {
      await this.offer(next.form.line, next.form.choices, replaced);
    } else
      this.dropped.value = [
        t('orders-not-submitted', { order: sentenceOf(form.line, form.choices) }),
      ];
  }

  withdraw(form: Form): void {
    this.waiting.value = this.waiting.value.filter((each) => each !== form);
  }

  /** Takes the offer that fixes a warning: submits it, or opens its form. */
  async fix(offer: Offer): Promise<void> {
    const { lines } = this.table.question.value.menu;
    // Use the line of the menu, so that its form opens there.
    const line = lines.find((each) => isSameOffer(each, offer)) ?? offer;
    if (line.slots.length === 0) await this.offer(line, {});
    else this.picker.begin(line);
  }

  /** Submits a filled offer. If the engine rejects it, its form opens again. */
  async offer(line: Offer, choices: Form['choices'], replaced?: Form): Promise<void> {
    this.dropped.value = [];
    if (!(await this.accepted(line, choices, replaced))) this.picker.putBack({ line, choices });
  }

  /** Submits an offer or adds it to the sheet. Returns whether it was accepted. */
  private async accepted(line: Offer, choices: Form['choices'], replaced?: Form): Promise<boolean> {
    const order = fill(line, choices);
    if (order === undefined) return false;
    const former = replaced && fill(replaced.line, replaced.choices);
    const { menu } = this.table.question.value;
    if (menu.sheet) {
      const refused = await this.sheet.add(order, former);
      this.failure.value =
        refused && new Failure(refused.sentence, 'ORDER_REFUSED', { rule: refused.rule });
      return refused === undefined;
    }
    if (line.weight === OfferWeight.GRAVE) {
      const body = <p>{t('orders-grave', { order: sentenceOf(line, choices) })}</p>;
      if (!(await confirm(t('orders-sure'), body, t('orders-do-it')))) return false;
    }
    if (!(await this.give(order))) return false;
    if (former !== undefined && former !== order) {
      // In most games, the new order of a piece has replaced the former one.
      await this.table.current();
      if (this.table.question.value.standing.includes(former)) await this.remove(former);
    }
    return true;
  }

  /** Withdraws one of the given orders. */
  async remove(order: string): Promise<void> {
    const { table, sheet } = this;
    this.failure.value = undefined;
    if (table.question.value.menu.sheet) {
      sheet.remove(sheet.rows.value.indexOf(order));
      return;
    }
    const others = table.question.value.standing.filter((each) => each !== order);
    try {
      await table.takeBack();
    } catch (thrown) {
      this.failure.value = failureOf(thrown);
      return;
    }
    await table.current();
    // Orders that cannot be given again remain as typed lines.
    if (others.length > 0 && !(await this.give(others.join('\n')))) {
      sheet.change([...sheet.rows.value.filter((row) => row.trim() !== ''), ...others]);
    }
  }

  /** Submits lines after the player confirmed the warnings. Returns whether that happened. */
  async give(text: string, ready = false): Promise<boolean> {
    this.failure.value = undefined;
    try {
      const { decision, menu } = this.table.question.value;
      if (decision && !decision.revisable && !menu.sheet) {
        const { verdicts } = await this.table.validate(text);
        const warnings = verdicts.flatMap((verdict) => verdict.warnings);
        if (!(await confirmWarnings(warnings, this.table, this))) return false;
      }
      await this.table.order(text, ready);
      return true;
    } catch (thrown) {
      this.failure.value = failureOf(thrown);
      return false;
    }
  }

  async submitTyped(): Promise<void> {
    const { text } = this.sheet;
    if (text !== '' && (await this.give(text))) this.sheet.markSubmitted();
  }

  /** Submits the typed lines and marks the player as ready. */
  async ready(): Promise<void> {
    this.failure.value = undefined;
    try {
      const { sheet, table } = this;
      if (sheet.isDirty && sheet.text !== '') {
        if (!(await this.give(sheet.text))) return;
        sheet.markSubmitted();
        await table.refresh();
      }
      if (await confirmWarnings(await table.warnings(), table, this)) await table.ready(true);
    } catch (thrown) {
      this.failure.value = failureOf(thrown);
    }
  }
}

/** Asks the player to confirm warnings. Returns whether the player confirmed them. */
async function confirmWarnings(
  warnings: readonly Warning[],
  table: Table,
  answer: Answer,
): Promise<boolean> {
  if (warnings.length === 0) return true;
  return confirm(
    t('orders-before'),
    (close) => (
      <Warnings
        warnings={warnings}
        table={table}
        fix={(offer) => {
          close();
          void answer.fix(offer);
        }}
      />
    ),
    t('orders-anyway'),
  );
}

/** Warnings, with a button for each that an offer resolves. */
function Warnings(props: {
  warnings: readonly Warning[];
  table: Table;
  fix: (offer: Offer) => void;
  disabled?: boolean;
  class?: string;
}) {
  const { warnings, table, fix, disabled = false } = props;
  const kind = table.game.value?.kind ?? '';
  return (
    <ul class={`warnings ${props.class ?? ''}`} lang="en">
      {warnings.map((warning) => {
        const [offer] = menuOf(warning.fix).lines;
        return (
          <li key={`${warning.code} ${warning.sentence}`}>
            <Terms kind={kind} text={warning.sentence} /> <Rule kind={kind} rule={warning.rule} />
            {offer ? (
              <button
                type="button"
                class="button small mend"
                data-fix={offer.key}
                title={offer.notation}
                disabled={disabled}
                onClick={() => fix(offer)}
              >
                <bdi>{startOf(offer)}</bdi>
                {offer.slots.length > 0 ? <span aria-hidden="true"> …</span> : null}
              </button>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

export function Orders(props: { table: Table; sheet: Sheet; answer: Answer }) {
  const { table, sheet, answer } = props;
  const { picker } = answer;
  const { decision, menu, standing } = table.question.value;
  const game = table.game.value;
  const kind = game?.kind ?? '';
  const isCurrent = table.isCurrent.value;
  const isBusy = useSignal(false);
  const doing = async (does: () => Promise<unknown>) => {
    isBusy.value = true;
    await does();
    isBusy.value = false;
  };
  const remove = (order: string) => void doing(() => answer.remove(order));
  if (!decision && !isCurrent) return <p class="loading">{t('page-loading')}</p>;
  if (!decision) {
    return (
      <div class="orders">
        <PendingVotes table={table} />
        <Dropped answer={answer} />
        <UnfinishedOrder picker={picker} />
        <Awaited table={table} />
        <ErrorLine failure={answer.failure.value} />
      </div>
    );
  }
  const isLocked = !isCurrent || isBusy.value;
  return (
    <div
      class={`orders ${isLocked ? 'stale' : ''}`}
      data-question={`${decision.phase}.${decision.revision}`}
    >
      <header class="question">
        <h2 class="prompt" lang="en">
          <Terms kind={kind} text={decision.prompt} />
        </h2>
        {decision.dueTime || decision.ready || !isCurrent ? (
          <p class="faint">
            {decision.dueTime ? (
              <Countdown due={msOf(decision.dueTime)} ahead={table.clockAhead.value} />
            ) : null}{' '}
            {decision.ready ? <span class="chip good">{t('orders-ready')}</span> : null}{' '}
            {isCurrent ? null : <span class="chip">{t('orders-updating')}</span>}
          </p>
        ) : null}
      </header>
      <PendingVotes table={table} />
      <Dropped answer={answer} />
      <ErrorLine failure={answer.failure.value} />
      {answer.failure.value?.rule ? (
        <p>
          <Rule kind={kind} rule={answer.failure.value.rule} />
        </p>
      ) : null}
      {isPhone.value && picker.meanings.value.length > 0 ? (
        <section class="meanings docked" aria-label={t('orders-others')}>
          <Meanings picker={picker} />
        </section>
      ) : null}
      {standing.length > 0 && !menu.sheet ? (
        <section class="standing" aria-label={t('orders-yours')}>
          <h3>{t('orders-yours')}</h3>
          <ul>
            {standing.map((line) => (
              <li key={line} class="row between">
                <code>{line}</code>
                {decision.revisable ? (
                  <RemoveButton name={line} disabled={isLocked} remove={() => remove(line)} />
                ) : null}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <WaitingOrders answer={answer} />
      {table.isTaught ? null : <BeginnerBox table={table} />}
      {menu.sheet ? <h3>{t('orders-sheet')}</h3> : null}
      {sheet.isOutdated.value ? (
        <p class="note" role="status">
          {rich('orders-sheet-changed', {
            load: (
              <button type="button" class="link" onClick={() => sheet.useStored()}>
                {t('orders-load-sheet')}
              </button>
            ),
          })}
        </p>
      ) : null}
      <Composer
        sheet={sheet}
        menu={menu}
        kind={kind}
        disabled={isLocked}
        give={() => void doing(() => answer.submitTyped())}
      />
      {sheet.warnings.value.length > 0 && sheet.isDirty ? (
        <Warnings
          class="soft"
          warnings={sheet.warnings.value}
          table={table}
          disabled={isLocked}
          fix={(offer) => void doing(() => answer.fix(offer))}
        />
      ) : null}
      <div class="row actions">
        {sheet.isDirty ? (
          <button
            type="button"
            class="button"
            disabled={isLocked || sheet.text === ''}
            onClick={() => void doing(() => answer.submitTyped())}
          >
            {menu.sheet ? t('orders-store-sheet') : t('orders-submit-typed')}
          </button>
        ) : null}
        {menu.lines.filter(isEnd).map((line) => (
          <button
            key={line.notation}
            type="button"
            class="button strong"
            data-end
            disabled={isLocked}
            title={line.notation}
            onClick={() => void doing(() => answer.offer(line, {}))}
          >
            {line.label}
          </button>
        ))}
        {decision.revisable ? (
          <ReadyButtons table={table} answer={answer} isLocked={isLocked} doing={doing} />
        ) : null}
      </div>
      <OfferList
        menu={menu}
        picker={picker}
        kind={kind}
        disabled={isLocked}
        give={(line, choices) => void doing(() => answer.offer(line, choices))}
        given={menu.sheet || decision.revisable ? answer.given : []}
        judge={(order, others) => sheet.judge(order, others)}
        remove={remove}
      />
    </div>
  );
}

/** Unfinished orders that are no longer possible. */
function Dropped({ answer }: { answer: Answer }) {
  const { dropped } = answer;
  if (dropped.value.length === 0) return null;
  return (
    <div class="note dropped" role="status">
      {dropped.value.map((sentence) => (
        <p key={sentence}>
          <bdi>{sentence}</bdi>
        </p>
      ))}
      <button type="button" class="link" onClick={() => (dropped.value = [])}>
        {t('page-dismiss')}
      </button>
    </div>
  );
}

function WaitingOrders({ answer }: { answer: Answer }) {
  const forms = answer.waiting.value;
  if (forms.length === 0) return null;
  return (
    <section class="standing waiting" aria-label={t('orders-queued')}>
      <h3>{t('orders-waiting-server')}</h3>
      <ul>
        {forms.map((form, index) => (
          <li key={index} class="row between">
            <bdi>{sentenceOf(form.line, form.choices)}</bdi>
            <button type="button" class="link" onClick={() => answer.withdraw(form)}>
              {t('orders-withdraw')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReadyButtons(props: {
  table: Table;
  answer: Answer;
  isLocked: boolean;
  doing: (does: () => Promise<unknown>) => Promise<void>;
}) {
  const { table, answer, isLocked, doing } = props;
  const { decision, standing } = table.question.value;
  if (!decision) return null;
  return (
    <>
      {decision.ready ? (
        <ActionButton disabled={isLocked} action={() => table.ready(false)}>
          {t('orders-not-ready')}
        </ActionButton>
      ) : (
        <button
          type="button"
          class="button strong"
          disabled={isLocked}
          onClick={() => void doing(() => answer.ready())}
        >
          {t('orders-am-ready')}
        </button>
      )}
      {standing.length > 0 ? (
        <ActionButton disabled={isLocked} action={() => table.takeBack()}>
          {t('orders-withdraw')}
        </ActionButton>
      ) : null}
      {decision.dueTime ? (
        <ActionButton
          disabled={isLocked}
          pressed={decision.wait}
          action={() => table.wait(!decision.wait)}
        >
          {decision.wait ? t('orders-kept-open') : t('orders-keep-open')}
        </ActionButton>
      ) : null}
    </>
  );
}

/** The players that the game waits for. */
export function Awaited({ table }: { table: Table }) {
  const game = table.game.value;
  if (!game) return null;
  const waiting = game.pendingSeats.filter((each) => each.ready !== true);
  const suspended = suspensionWords(game);
  return (
    <section class="awaited" aria-label={t('orders-waiting')}>
      <h3>{table.seat === undefined ? t('game-now') : t('orders-not-your-turn')}</h3>
      {waiting.length > 0 ? (
        <ul>
          {waiting.map(({ seat, waitStartTime: askedTime }) => (
            <li key={seat}>
              <SeatDot seat={seat} />
              {rich('orders-waiting-for', { player: <bdi>{seatWithPlayer(game, seat)}</bdi> })}
              {askedTime ? (
                <span class="faint">
                  {' '}
                  {t('orders-waiting-time', {
                    span: span((Date.now() - (msOf(askedTime) ?? 0)) / 1000),
                  })}
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p>
          {game.onTurn
            ? t('orders-to-move', { player: seatWithPlayer(game, game.onTurn) })
            : t('orders-others-first')}
        </p>
      )}
      {suspended !== '' ? <p class="note">{suspended}</p> : null}
      {suspended === '' && game.waitsForAutomation ? (
        <p class="note">{t('orders-waits-automated')}</p>
      ) : null}
      {game.operatorPause ? (
        <p class="note">{t('orders-operator-pause', { reason: game.operatorPause })}</p>
      ) : null}
    </section>
  );
}
