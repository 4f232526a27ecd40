// The controls of a game's host or game master.

import { useSignal } from '@preact/signals';
import { master } from '../engine/calls-table';
import { type Game, GameStatus, type Seat } from '../engine/contract';
import { Failure } from '../engine/failure';
import type { Table } from '../table/table';
import { ActionButton, CallForm, confirm, Field } from '../ui/components';
import { msOf, rich, seatWithPlayer, t } from '../words';

export function MasterControls({ table, game }: { table: Table; game: Game }) {
  const gameId = table.id;
  const isPlayed = game.status === GameStatus.RUNNING || game.status === GameStatus.PAUSED;
  const leads = game.youAreGameMaster || game.sandbox;
  if (!isPlayed) return null;
  const act = (does: () => Promise<unknown>) => () => table.act(does);
  return (
    <details class="desk">
      <summary>{leads ? t('people-master') : t('operator-host')}</summary>
      <div class="row wrap">
        {game.status === GameStatus.PAUSED ? (
          <ActionButton class="button small" action={act(() => master.resumeGame({ gameId }))}>
            {t('operator-resume')}
          </ActionButton>
        ) : (
          <ActionButton class="button small" action={act(() => master.pauseGame({ gameId }))}>
            {t('operator-pause')}
          </ActionButton>
        )}
        {leads ? (
          <ActionButton
            class="button small"
            action={async () => {
              const body = <p>{t('master-close-text')}</p>;
              if (await confirm(t('master-close-question'), body, t('master-close-it'))) {
                await table.act(() => master.closePhase({ gameId }));
              }
            }}
          >
            {t('master-close')}
          </ActionButton>
        ) : null}
      </div>
      <Deadline table={table} game={game} />
      <ul class="seats">
        {game.seats.map((seat) => (
          <SeatControls key={seat.number} seat={seat} game={game} table={table} leads={leads} />
        ))}
      </ul>
      {leads ? <MasterOrders table={table} /> : null}
      {leads ? <Ending table={table} game={game} /> : null}
    </details>
  );
}

function Deadline({ table, game }: { table: Table; game: Game }) {
  const hours = useSignal('24');
  const due = msOf(game.dueTime);
  if (due === undefined) return null;
  return (
    <CallForm
      class="row wrap"
      label={t('master-move-deadline')}
      action={() =>
        table.act(() => {
          const at = due + Number(hours.value) * 3_600_000;
          return master.setDeadline({
            gameId: table.id,
            dueTime: { seconds: BigInt(Math.round(at / 1000)), nanos: 0 },
          });
        })
      }
    >
      {(busy) => (
        <>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the input is a value of the message. */}
          <label class="inline">
            {rich('master-extend-by', {
              hours: (
                <input
                  type="number"
                  class="slot"
                  min={-720}
                  max={720}
                  value={hours.value}
                  onInput={(event) => (hours.value = event.currentTarget.value)}
                />
              ),
            })}
          </label>
          <button type="submit" class="button small" aria-busy={busy}>
            {t('operator-set')}
          </button>
        </>
      )}
    </CallForm>
  );
}

function SeatControls(props: { seat: Seat; game: Game; table: Table; leads: boolean }) {
  const { seat, game, table, leads } = props;
  const gameId = table.id;
  const { number } = seat;
  const player = useSignal('');
  const name = seatWithPlayer(game, number);
  const isAutomated = seat.occupant.case === 'automated' || seat.standIn !== undefined;
  return (
    <li class="wrap">
      <bdi class="seat-who">{name}</bdi>
      {leads && isAutomated ? (
        <ActionButton
          class="button small"
          label={t('master-hand-back-to', { name })}
          action={() => table.act(() => master.handBackSeat({ gameId, seat: number }))}
        >
          {t('master-hand-back')}
        </ActionButton>
      ) : null}
      {leads && !isAutomated ? (
        <ActionButton
          class="button small"
          label={t('master-automate-seat', { name })}
          action={() => table.act(() => master.automateSeat({ gameId, seat: number }))}
        >
          {t('master-automate')}
        </ActionButton>
      ) : null}
      {leads ? (
        <ActionButton
          class="button small"
          label={t('master-excuse-seat', { name })}
          action={() => table.act(() => master.excuseMiss({ gameId, seat: number }))}
        >
          {t('master-excuse')}
        </ActionButton>
      ) : null}
      <details>
        <summary class="small">{t('master-replace-more')}</summary>
        <CallForm
          class="row wrap"
          label={t('master-replace-player', { name })}
          action={() =>
            table.act(() =>
              master.replacePlayer({
                gameId,
                seat: number,
                player: player.value,
              }),
            )
          }
        >
          {(busy) => (
            <>
              <input
                aria-label={t('master-new-player')}
                placeholder={t('master-open-seat')}
                value={player.value}
                onInput={(event) => (player.value = event.currentTarget.value)}
              />
              <button type="submit" class="button small" aria-busy={busy}>
                {t('master-replace')}
              </button>
            </>
          )}
        </CallForm>
      </details>
    </li>
  );
}

/** A form for the orders that a game's rules reserve for the game master. */
function MasterOrders({ table }: { table: Table }) {
  const text = useSignal('');
  const answers = useSignal<readonly string[]>([]);
  return (
    <CallForm
      label={t('master-orders')}
      action={async () => {
        const answer = await table.act(() =>
          master.submitMasterOrders({ gameId: table.id, text: text.value }),
        );
        answers.value = answer.events.map((event) => event.text);
        if (answer.refused) {
          const { message, refusal, rule, field } = answer.refused;
          // Keep only the lines that were not accepted.
          const lines = text.value.split('\n').filter((line) => line.trim() !== '');
          text.value = lines.slice(answer.acceptedCount).join('\n');
          throw new Failure(message, 'ORDER_REFUSED', { refusal, rule, field });
        }
        text.value = '';
      }}
    >
      {(busy) => (
        <>
          <Field label={t('master-orders')} hint={t('master-orders-hint')}>
            {(id, hint) => (
              <textarea
                id={id}
                aria-describedby={hint}
                rows={2}
                value={text.value}
                onInput={(event) => (text.value = event.currentTarget.value)}
              />
            )}
          </Field>
          <button
            type="submit"
            class="button small"
            aria-busy={busy}
            disabled={text.value.trim() === ''}
          >
            {t('master-give')}
          </button>
          {answers.value.map((line) => (
            <p key={line} class="faint">
              {line}
            </p>
          ))}
        </>
      )}
    </CallForm>
  );
}

function Ending({ table, game }: { table: Table; game: Game }) {
  const winners = useSignal<ReadonlySet<number>>(new Set());
  const reason = useSignal('');
  const toggle = (seat: number) => {
    const next = new Set(winners.value);
    if (!next.delete(seat)) next.add(seat);
    winners.value = next;
  };
  return (
    <details>
      <summary>{t('master-end')}</summary>
      <fieldset class="several">
        <legend>{t('master-winners')}</legend>
        {game.seats.map((seat) => (
          <label key={seat.number} class="tick">
            <input
              type="checkbox"
              checked={winners.value.has(seat.number)}
              onChange={() => toggle(seat.number)}
            />
            <span>{seat.role}</span>
          </label>
        ))}
      </fieldset>
      <Field label={t('master-reason')}>
        {(id) => (
          <input
            id={id}
            value={reason.value}
            onInput={(event) => (reason.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="row">
        <ActionButton
          class="button small danger"
          action={async () => {
            if (
              !(await confirm(
                t('master-declare-question'),
                <p>{t('master-declare-text')}</p>,
                t('master-declare-it'),
              ))
            )
              return;
            await table.act(() =>
              master.declareOutcome({
                gameId: table.id,
                winners: [...winners.value],
                reason: reason.value,
              }),
            );
          }}
        >
          {t('master-declare')}
        </ActionButton>
        <ActionButton
          class="button small danger"
          action={async () => {
            if (
              !(await confirm(
                t('operator-cancel-question'),
                <p>{t('operator-cancel-text')}</p>,
                t('operator-cancel-it'),
              ))
            )
              return;
            await table.act(() => master.cancelGame({ gameId: table.id }));
          }}
        >
          {t('words-vote-cancel')}
        </ActionButton>
      </div>
    </details>
  );
}
