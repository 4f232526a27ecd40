// The desk of whoever leads a game.

import { useSignal } from '@preact/signals';
import { master } from '../engine/calls';
import { type Game, GameStatus, type Seat } from '../engine/contract';
import { Failure } from '../engine/failure';
import type { Table } from '../table/table';
import { Act, Ask, confirm, Field } from '../ui/parts';
import { msOf, seatWithPlayer } from '../words';

export function Desk({ table, game }: { table: Table; game: Game }) {
  const gameId = table.id;
  const isPlayed = game.status === GameStatus.RUNNING || game.status === GameStatus.PAUSED;
  const leads = game.youAreGameMaster || game.sandbox;
  if (!isPlayed) return null;
  const act = (does: () => Promise<unknown>) => () => table.act(does);
  return (
    <details class="desk">
      <summary>{leads ? "The game master's desk" : "The host's desk"}</summary>
      <div class="row wrap">
        {game.status === GameStatus.PAUSED ? (
          <Act class="button small" does={act(() => master.resumeGame({ gameId }))}>
            Go on
          </Act>
        ) : (
          <Act class="button small" does={act(() => master.pauseGame({ gameId }))}>
            Pause
          </Act>
        )}
        {leads ? (
          <Act
            class="button small"
            does={async () => {
              const body = <p>Whoever has not ordered gets the defaults of the game.</p>;
              if (await confirm('Close the phase now?', body, 'Close it')) {
                await table.act(() => master.closePhase({ gameId }));
              }
            }}
          >
            Close the phase
          </Act>
        ) : null}
      </div>
      <Deadline table={table} game={game} />
      <ul class="seats">
        {game.seats.map((seat) => (
          <SeatDesk key={seat.number} seat={seat} game={game} table={table} leads={leads} />
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
    <Ask
      class="row wrap"
      label="Move the deadline"
      does={() =>
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
            Put the deadline off by
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
    </Ask>
  );
}

function SeatDesk(props: { seat: Seat; game: Game; table: Table; leads: boolean }) {
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
        <Act
          class="button small"
          label={`Hand back ${name}`}
          does={() => table.act(() => master.handBackSeat({ gameId, seat: number }))}
        >
          Hand back
        </Act>
      ) : null}
      {leads && !isAutomated ? (
        <Act
          class="button small"
          label={`Automate ${name}`}
          does={() => table.act(() => master.automateSeat({ gameId, seat: number }))}
        >
          Automate
        </Act>
      ) : null}
      {leads ? (
        <Act
          class="button small"
          label={`Excuse ${name}`}
          does={() => table.act(() => master.excuseMiss({ gameId, seat: number }))}
        >
          Excuse
        </Act>
      ) : null}
      <details>
        <summary class="small">Replace…</summary>
        <Ask
          class="row wrap"
          label={`Replace the player of ${name}`}
          does={() =>
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
                placeholder="anybody"
                value={player.value}
                onInput={(event) => (player.value = event.currentTarget.value)}
              />
              <button type="submit" class="button small" aria-busy={busy}>
                Replace
              </button>
            </>
          )}
        </Ask>
      </details>
    </li>
  );
}

/** The orders that a game's rules reserve to its master. */
function MasterOrders({ table }: { table: Table }) {
  const text = useSignal('');
  const told = useSignal<readonly string[]>([]);
  return (
    <Ask
      label="Orders of the game master"
      does={async () => {
        const answer = await table.act(() =>
          master.submitMasterOrders({ gameId: table.id, text: text.value }),
        );
        told.value = answer.events.map((event) => event.text);
        if (answer.refused) {
          const { message, refusal, rule, field } = answer.refused;
          // What was taken is not given a second time.
          const lines = text.value.split('\n').filter((line) => line.trim() !== '');
          text.value = lines.slice(answer.taken).join('\n');
          throw new Failure(message, 'ORDER_REFUSED', { refusal, rule, field });
        }
        text.value = '';
      }}
    >
      {(busy) => (
        <>
          <Field label="Orders of the game master" hint="One a line; they take effect at once.">
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
          {told.value.map((line) => (
            <p key={line} class="faint">
              {line}
            </p>
          ))}
        </>
      )}
    </Ask>
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
        <legend>Who wins; nobody ticked is a draw of all who are alive</legend>
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
      <Field label="Why, for the record">
        {(id) => (
          <input
            id={id}
            value={reason.value}
            onInput={(event) => (reason.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="row">
        <Act
          class="button small danger"
          does={async () => {
            if (
              !(await confirm('Declare the result?', <p>The game ends at once.</p>, 'Declare it'))
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
        </Act>
        <Act
          class="button small danger"
          does={async () => {
            if (!(await confirm('Cancel the game?', <p>It ends without a result.</p>, 'Cancel it')))
              return;
            await table.act(() => master.cancelGame({ gameId: table.id }));
          }}
        >
          Cancel the game
        </Act>
      </div>
    </details>
  );
}
