// The controls of a game's host or game master.

import { useSignal } from '@preact/signals';
import { master } from '../engine/calls';
import { type Game, GameStatus, type Seat } from '../engine/contract';
import { Failure } from '../engine/failure';
import type { Table } from '../table/table';
import { ActionButton, CallForm, confirm, Field } from '../ui/components';
import { msOf, seatWithPlayer } from '../words';

export function MasterControls({ table, game }: { table: Table; game: Game }) {
  const gameId = table.id;
  const isPlayed = game.status === GameStatus.RUNNING || game.status === GameStatus.PAUSED;
  const leads = game.youAreGameMaster || game.sandbox;
  if (!isPlayed) return null;
  const act = (does: () => Promise<unknown>) => () => table.act(does);
  return (
    <details class="desk">
      <summary>{leads ? 'Game master' : 'Host'}</summary>
      <div class="row wrap">
        {game.status === GameStatus.PAUSED ? (
          <ActionButton class="button small" action={act(() => master.resumeGame({ gameId }))}>
            Resume
          </ActionButton>
        ) : (
          <ActionButton class="button small" action={act(() => master.pauseGame({ gameId }))}>
            Pause
          </ActionButton>
        )}
        {leads ? (
          <ActionButton
            class="button small"
            action={async () => {
              const body = <p>Missing orders are replaced by defaults.</p>;
              if (await confirm('Close the phase now?', body, 'Close it')) {
                await table.act(() => master.closePhase({ gameId }));
              }
            }}
          >
            Close the phase
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
      label="Move the deadline"
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
          <label class="inline">
            Extend the deadline by
            <input
              type="number"
              class="slot"
              min={-720}
              max={720}
              value={hours.value}
              onInput={(event) => (hours.value = event.currentTarget.value)}
            />
            hours
          </label>
          <button type="submit" class="button small" aria-busy={busy}>
            Set
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
          label={`Hand back ${name}`}
          action={() => table.act(() => master.handBackSeat({ gameId, seat: number }))}
        >
          Hand back
        </ActionButton>
      ) : null}
      {leads && !isAutomated ? (
        <ActionButton
          class="button small"
          label={`Automate ${name}`}
          action={() => table.act(() => master.automateSeat({ gameId, seat: number }))}
        >
          Automate
        </ActionButton>
      ) : null}
      {leads ? (
        <ActionButton
          class="button small"
          label={`Excuse the missed deadline of ${name}`}
          action={() => table.act(() => master.excuseMiss({ gameId, seat: number }))}
        >
          Excuse
        </ActionButton>
      ) : null}
      <details>
        <summary class="small">Replace…</summary>
        <CallForm
          class="row wrap"
          label={`Replace the player of ${name}`}
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
                aria-label="The new player"
                placeholder="open seat"
                value={player.value}
                onInput={(event) => (player.value = event.currentTarget.value)}
              />
              <button type="submit" class="button small" aria-busy={busy}>
                Replace
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
      label="Game master's orders"
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
          <Field label="Game master's orders" hint="One per line. They take effect immediately.">
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
            Give
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
      <summary>End the game</summary>
      <fieldset class="several">
        <legend>Winners (none selected: a draw among all survivors)</legend>
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
      <Field label="Reason, for the record">
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
                'Declare the result?',
                <p>The game ends immediately.</p>,
                'Declare it',
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
          Declare
        </ActionButton>
        <ActionButton
          class="button small danger"
          action={async () => {
            if (!(await confirm('Cancel the game?', <p>It ends without a result.</p>, 'Cancel it')))
              return;
            await table.act(() => master.cancelGame({ gameId: table.id }));
          }}
        >
          Cancel the game
        </ActionButton>
      </div>
    </details>
  );
}
