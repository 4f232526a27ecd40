// What is asked of the player, and their answer.

import type { Offer } from '@heliopause/client';
import { computed, signal, useSignal } from '@preact/signals';
import { GameStatus, OfferWeight, type Warning } from '../engine/contract';
import { Failure, failureOf } from '../engine/failure';
import { type Form, fill, isSameOffer, menuOf, moved, say } from '../table/offers';
import { Picker } from '../table/picker';
import type { Sheet } from '../table/sheet';
import type { Table } from '../table/table';
import { Act, Countdown, confirm, SeatDot, Trouble } from '../ui/parts';
import { msOf, seatWithPlayer, sleepWords, span } from '../words';
import { Composer } from './composer';
import { isEnd, OfferList } from './offers';
import { Rule } from './rule';

/** What a player's answer does, and what came of it. */
export class Answer {
  /** What the player points at; whole orders come here. */
  readonly picker: Picker;
  /** Orders that are whole and wait until the question is current. */
  readonly waiting = signal<readonly Form[]>([]);
  /** What the player was making and cannot give any more, as sentences. */
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
      table.isCurrent,
      (form) => this.take(form),
    );
  }

  /** Moves what the player is making to the question as it is now. */
  follow(): void {
    const { decision, menu } = this.table.question.value;
    const isPaused = this.table.game.peek()?.status === GameStatus.PAUSED;
    // A pause asks nothing, and goes on with the same question.
    if (!decision && isPaused) return;
    const dropped = this.picker.follow(menu, decision?.phase);
    if (dropped.length > 0) this.dropped.value = dropped;
  }

  /** Gives an order as soon as the question is current, after those that wait already. */
  private take(form: Form): void {
    const phase = this.table.question.value.decision?.phase;
    this.waiting.value = [...this.waiting.value, form];
    this.last = this.last.then(() => this.giveWaiting(form, phase));
  }

  private async giveWaiting(form: Form, phase: bigint | undefined): Promise<void> {
    await this.table.current();
    const isWaiting = this.waiting.value.includes(form);
    this.withdraw(form);
    if (!isWaiting) return;
    const { decision, menu } = this.table.question.value;
    const line = menu.lines.find((each) => isSameOffer(each, form.line));
    const next = line && moved(form, line);
    if (next && next.lost.length === 0 && decision?.phase === phase) {
      await this.offer(next.form.line, next.form.choices);
    } else this.dropped.value = [`Not given: ${say(form.line, form.choices)}.`];
  }

  /** Takes back an order that still waits. */
  withdraw(form: Form): void {
    this.waiting.value = this.waiting.value.filter((each) => each !== form);
  }

  /** Takes up the offer that would mend what a warning tells of: gives it, or opens its form. */
  async mend(offer: Offer): Promise<void> {
    const { lines } = this.table.question.value.menu;
    // The same line of the menu, so that its form stands where the line does.
    const line = lines.find((each) => isSameOffer(each, offer)) ?? offer;
    if (line.slots.length === 0) await this.offer(line, {});
    else this.picker.begin(line);
  }

  /** Gives an offer that is filled. If it is not accepted, its form opens again. */
  async offer(line: Offer, choices: Form['choices']): Promise<void> {
    this.dropped.value = [];
    if (!(await this.accepted(line, choices))) this.picker.putBack({ line, choices });
  }

  /** Gives an offer to the engine, or puts it onto the sheet; returns whether it was accepted. */
  private async accepted(line: Offer, choices: Form['choices']): Promise<boolean> {
    const order = fill(line, choices);
    if (order === undefined) return false;
    const { menu } = this.table.question.value;
    if (menu.sheet) {
      const refused = await this.sheet.add(order);
      this.failure.value =
        refused && new Failure(refused.sentence, 'ORDER_REFUSED', { rule: refused.rule });
      return refused === undefined;
    }
    if (line.weight === OfferWeight.GRAVE) {
      const body = <p>{say(line, choices)}. This cannot be made good.</p>;
      if (!(await confirm('Are you sure?', body, 'Yes, do it'))) return false;
    }
    return this.give(order);
  }

  /** Gives lines, after the player was warned of what they bring about. */
  async give(text: string, ready = false): Promise<boolean> {
    this.failure.value = undefined;
    try {
      const { decision, menu } = this.table.question.value;
      if (decision && !decision.revisable && !menu.sheet) {
        const { verdicts } = await this.table.validate(text);
        const warnings = verdicts.flatMap((verdict) => verdict.warnings);
        if (!(await heed(warnings, this.table, this))) return false;
      }
      await this.table.order(text, ready);
      return true;
    } catch (thrown) {
      this.failure.value = failureOf(thrown);
      return false;
    }
  }

  async giveTyped(): Promise<void> {
    const { text } = this.sheet;
    if (text !== '' && (await this.give(text))) this.sheet.given();
  }

  /** Says that the player is done, and gives what they have typed before. */
  async ready(): Promise<void> {
    this.failure.value = undefined;
    try {
      const { sheet, table } = this;
      if (sheet.isDirty && sheet.text !== '') {
        if (!(await this.give(sheet.text))) return;
        sheet.given();
        await table.look();
      }
      if (await heed(await table.warnings(), table, this)) await table.ready(true);
    } catch (thrown) {
      this.failure.value = failureOf(thrown);
    }
  }
}

/** Asks the player whether they go on in spite of what they are warned of. */
async function heed(warnings: readonly Warning[], table: Table, answer: Answer): Promise<boolean> {
  if (warnings.length === 0) return true;
  return confirm(
    'Before you go on',
    (close) => (
      <Warnings
        warnings={warnings}
        table={table}
        mend={(offer) => {
          close();
          void answer.mend(offer);
        }}
      />
    ),
    'Go on all the same',
  );
}

/** What the player would leave undone, each with a button that does it. */
function Warnings(props: {
  warnings: readonly Warning[];
  table: Table;
  mend: (offer: Offer) => void;
  disabled?: boolean;
  class?: string;
}) {
  const { warnings, table, mend, disabled = false } = props;
  const kind = table.game.value?.kind ?? '';
  return (
    <ul class={`warnings ${props.class ?? ''}`}>
      {warnings.map((warning) => {
        const [offer] = menuOf(warning.mend).lines;
        return (
          <li key={`${warning.code} ${warning.sentence}`}>
            {warning.sentence} <Rule kind={kind} rule={warning.rule} />
            {offer ? (
              <button
                type="button"
                class="button small mend"
                data-mend={offer.key}
                title={offer.notation}
                disabled={disabled}
                onClick={() => mend(offer)}
              >
                <bdi>{say(offer, {})}</bdi>
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
  if (!decision && !isCurrent) return <p class="loading">Asking the engine…</p>;
  if (!decision) {
    return (
      <div class="orders">
        <Dropped answer={answer} />
        <Awaited table={table} />
        <Trouble failure={answer.failure.value} />
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
        <p class="prompt">{decision.prompt}</p>
        <p class="faint">
          {decision.dueTime ? (
            <Countdown due={msOf(decision.dueTime)} ahead={table.clockAhead.value} />
          ) : null}
          {decision.ready ? <span class="chip good">You are ready</span> : null}
          {isCurrent ? null : <span class="chip">Asking the engine…</span>}
        </p>
      </header>
      <Dropped answer={answer} />
      <Trouble failure={answer.failure.value} />
      {answer.failure.value?.rule ? (
        <p>
          <Rule kind={kind} rule={answer.failure.value.rule} />
        </p>
      ) : null}
      {standing.length > 0 && !menu.sheet ? (
        <section class="standing" aria-label="Your orders">
          <h3>Your orders</h3>
          <ul>
            {standing.map((line) => (
              <li key={line}>
                <code>{line}</code>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <WaitingOrders answer={answer} />
      {menu.sheet ? <h3>Your sheet</h3> : null}
      {sheet.isOvertaken.value ? (
        <p class="note" role="status">
          The stored sheet was changed elsewhere.{' '}
          <button type="button" class="link" onClick={() => sheet.takeStored()}>
            Take it
          </button>
        </p>
      ) : null}
      <Composer
        sheet={sheet}
        menu={menu}
        kind={kind}
        disabled={isLocked}
        give={() => void doing(() => answer.giveTyped())}
      />
      {sheet.warnings.value.length > 0 && sheet.isDirty ? (
        <Warnings
          class="soft"
          warnings={sheet.warnings.value}
          table={table}
          disabled={isLocked}
          mend={(offer) => void doing(() => answer.mend(offer))}
        />
      ) : null}
      <div class="row actions">
        {sheet.isDirty ? (
          <button
            type="button"
            class="button"
            disabled={isLocked || sheet.text === ''}
            onClick={() => void doing(() => answer.giveTyped())}
          >
            {menu.sheet ? 'Store the sheet' : 'Give what is typed'}
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
      />
    </div>
  );
}

/** What the player was making and cannot give any more. */
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
        Dismiss
      </button>
    </div>
  );
}

/** Orders that are given as soon as the question is current. */
function WaitingOrders({ answer }: { answer: Answer }) {
  const forms = answer.waiting.value;
  if (forms.length === 0) return null;
  return (
    <section class="standing waiting" aria-label="Orders that wait">
      <h3>Waiting for the engine</h3>
      <ul>
        {forms.map((form, index) => (
          <li key={index} class="row between">
            <bdi>{say(form.line, form.choices)}</bdi>
            <button type="button" class="link" onClick={() => answer.withdraw(form)}>
              Take back
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
        <Act disabled={isLocked} does={() => table.ready(false)}>
          Not ready yet
        </Act>
      ) : (
        <button
          type="button"
          class="button strong"
          disabled={isLocked}
          onClick={() => void doing(() => answer.ready())}
        >
          I am ready
        </button>
      )}
      {standing.length > 0 ? (
        <Act disabled={isLocked} does={() => table.takeBack()}>
          Take back
        </Act>
      ) : null}
      {decision.dueTime ? (
        <Act disabled={isLocked} pressed={decision.wait} does={() => table.wait(!decision.wait)}>
          {decision.wait ? 'Keeping it open' : 'Keep open until the deadline'}
        </Act>
      ) : null}
    </>
  );
}

/** Whom everybody waits for. */
export function Awaited({ table }: { table: Table }) {
  const game = table.game.value;
  if (!game) return null;
  const waiting = game.waiting.filter((each) => each.ready !== true);
  const asleep = sleepWords(game);
  return (
    <section class="awaited" aria-label="Who is waited for">
      <h3>{table.seat === undefined ? 'Now' : 'It is not your turn'}</h3>
      {waiting.length > 0 ? (
        <ul>
          {waiting.map(({ seat, askedTime }) => (
            <li key={seat}>
              <SeatDot seat={seat} />
              Waiting for <bdi>{seatWithPlayer(game, seat)}</bdi>
              {askedTime ? (
                <span class="faint"> for {span((Date.now() - (msOf(askedTime) ?? 0)) / 1000)}</span>
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p>
          {game.onTurn ? `${seatWithPlayer(game, game.onTurn)} is on turn.` : 'The others decide.'}
        </p>
      )}
      {asleep !== '' ? <p class="note">{asleep}</p> : null}
      {asleep === '' && game.waitsForAutomation ? (
        <p class="note">
          An automated seat owes a decision. If nothing happens, no AI client is connected.
        </p>
      ) : null}
      {game.operatorPause ? <p class="note">Paused by the operator: {game.operatorPause}</p> : null}
    </section>
  );
}
