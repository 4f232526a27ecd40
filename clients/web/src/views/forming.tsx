// The page of a game before its start: its seats and its options.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import type { Game, Seat } from '../engine/contract';
import { go } from '../router';
import { me } from '../session';
import type { Table } from '../table/table';
import { ActionButton, Copyable, Field, SeatDot, Select } from '../ui/components';
import { count, occupantOf, paceWords } from '../words';
import { kindsOf } from './kinds';
import { useOptionWords } from './option-words';

/** Returns the choices of a seat as pairs of number and role; empty if seats cannot be chosen. */
export function seatChoices(game: Game, name = ''): readonly (readonly [string, string])[] {
  const { seats, roles, lotsPending } = game;
  const kept = seats.filter(({ occupant }) => isReservedFor(occupant, name));
  const open = seats.filter(({ occupant, vacant }) => occupant.case === 'open' || vacant);
  const places = kept.length > 0 ? kept : open;
  const numberOf = (seat: Seat) => (lotsPending ? seat.chosenSeat : seat.number);
  const byLot = places.some((seat) => numberOf(seat) === undefined);
  const chosen = new Set(seats.map(numberOf));
  const named = roles
    .map((role, index) => [index + 1, role] as const)
    .filter(([at]) => places.some((seat) => numberOf(seat) === at) || (byLot && !chosen.has(at)))
    .map(([at, role]) => [String(at), role] as const);
  if (named.length === 0) return [];
  if (byLot) return [['', 'By lot'], ...named];
  return named.length > 1 ? [['', 'First open seat'], ...named] : [];
}

function isReservedFor(occupant: Seat['occupant'], name: string): boolean {
  return occupant.case === 'reservedFor' && occupant.value === name && name !== '';
}

export function Forming({
  table,
  game,
  inviteCode,
}: {
  table: Table;
  game: Game;
  inviteCode: string;
}) {
  const kind = kindsOf.value?.find((each) => each.kind === game.kind);
  const level = useSignal('standard');
  const openSeats = game.seats.filter((seat) => seat.occupant.case === 'open');
  const kept = game.seats.filter((seat) => seat.occupant.case === 'reservedFor');
  const leads = game.youAreHost || game.youAreGameMaster;
  const isIn = game.yourSeat !== undefined;
  const isReserved = kept.some(({ occupant }) => isReservedFor(occupant, me.value?.name ?? ''));
  const choices = isIn || !me.value || !game.lotsPending ? [] : seatChoices(game, me.value.name);
  const wanted = useSignal('');
  const chosen = choices.some(([seat]) => seat === wanted.value) ? wanted.value : '';
  const join = (seat: string) =>
    table.act(() =>
      games.joinGame({
        gameId: game.gameId,
        inviteCode,
        ...(seat === '' ? {} : { seat: Number(seat) }),
      }),
    );
  const words = useOptionWords(game);
  return (
    <div class="forming">
      <section class="card" aria-label="Seats">
        <h2>
          {openSeats.length > 0
            ? `Waiting for ${count(openSeats.length, 'player')}`
            : kept.length > 0
              ? `Waiting for ${kept.map((seat) => seat.occupant.value).join(', ')}`
              : 'All seats are taken'}
        </h2>
        <ul class="seats">
          {game.seats.map((seat) => (
            <li key={seat.number}>
              <SeatDot seat={seat.number} />
              <span class="seat-who">
                <strong>
                  <bdi>{seat.role}</bdi>
                </strong>{' '}
                <span class="faint">
                  <bdi>{seat.number === game.yourSeat ? 'you' : occupantOf(seat)}</bdi>
                </span>
              </span>
              {!isIn && me.value && seat.occupant.case === 'open' && !game.lotsPending ? (
                <ActionButton
                  class="button small"
                  label={`Take ${seat.role}`}
                  action={() => join(String(seat.number))}
                >
                  Take this seat
                </ActionButton>
              ) : null}
            </li>
          ))}
        </ul>
        {game.lotsPending && game.roles.length > 0 ? (
          <p class="hint">Seats are drawn by lot at the start, from the same seed as the dice.</p>
        ) : null}
        {choices.length > 0 ? (
          <Field label="Your seat">
            {(id) => (
              <Select
                id={id}
                value={chosen}
                options={choices}
                set={(seat) => (wanted.value = seat)}
              />
            )}
          </Field>
        ) : null}
        <div class="row wrap">
          {leads ? (
            <>
              <ActionButton
                class="button strong"
                action={() =>
                  table.act(() =>
                    games.startGame({
                      gameId: game.gameId,
                      ...(openSeats.length > 0
                        ? { fill: { profile: '', level: level.value } }
                        : {}),
                    }),
                  )
                }
              >
                {openSeats.length > 0 ? 'Start with automation' : 'Start'}
              </ActionButton>
              {openSeats.length > 0 ? (
                <Select
                  label="Level of automation for open seats"
                  value={level.value}
                  options={(kind?.levels ?? ['standard']).map((each) => [each, each] as const)}
                  set={(value) => (level.value = value)}
                />
              ) : null}
            </>
          ) : null}
          {!isIn && !isReserved && me.value && openSeats.length > 0 && game.lotsPending ? (
            <ActionButton class="button strong" action={() => join(chosen)}>
              Take a seat
            </ActionButton>
          ) : null}
          {isReserved && !isIn ? (
            <>
              <ActionButton class="button strong" action={() => join(chosen)}>
                Take the seat reserved for you
              </ActionButton>
              <ActionButton
                action={async () => {
                  await games.declineInvitation({ gameId: game.gameId });
                  go('/');
                }}
              >
                Decline
              </ActionButton>
            </>
          ) : null}
          {isIn ? (
            <ActionButton
              action={async () => {
                await games.leaveGame({ gameId: game.gameId });
                go('/');
              }}
            >
              Leave
            </ActionButton>
          ) : null}
        </div>
        {!leads && isIn ? <p class="hint">The host starts the game.</p> : null}
      </section>
      <section class="card" aria-label="About this game">
        <h2>{kind?.name ?? game.kind}</h2>
        <p>{kind?.summary}</p>
        <ul class="plain">
          {words.map((each) => (
            <li key={each}>{each}</li>
          ))}
          <li>{paceWords(game.pace)}</li>
          {game.isPrivate ? <li>Private</li> : null}
          {game.anonymous ? <li>Names are hidden until the end</li> : null}
          {game.hideReady ? <li>Who is ready stays hidden</li> : null}
          {game.openMessages ? <li>All messages become public after the end</li> : null}
        </ul>
        {game.inviteCode || (!game.isPrivate && openSeats.length > 0) ? (
          <div>
            <h3>Invite people</h3>
            <p>
              Send them this address:{' '}
              <Copyable
                text={[`${location.origin}/join/${game.gameId}`, game.inviteCode]
                  .filter(Boolean)
                  .join('/')}
                label="Copy link"
              />
            </p>
          </div>
        ) : null}
      </section>
    </div>
  );
}
