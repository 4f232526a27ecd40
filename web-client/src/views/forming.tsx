// A table before the start: who sits, who is missing.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import type { Game, Seat } from '../engine/contract';
import { go } from '../router';
import { me } from '../session';
import type { Table } from '../table/table';
import { Act, Choose, Copyable, Field, SeatDot } from '../ui/parts';
import { count, occupantOf, paceWords } from '../words';
import { kindsOf } from './kinds';
import { useOptionWords } from './option-words';

/** The seats that a player can choose by name, each with its number; none if they are all alike. */
export function seatChoices(game: Game, name = ''): readonly (readonly [string, string])[] {
  const { seats, roles, lotsPending } = game;
  const kept = seats.filter(({ occupant }) => isKeptFor(occupant, name));
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
  return named.length > 1 ? [['', 'The first that is open'], ...named] : [];
}

function isKeptFor(occupant: Seat['occupant'], name: string): boolean {
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
  const leads = game.youHost || game.youAreGameMaster;
  const isIn = game.yourSeat !== undefined;
  const isKept = kept.some(({ occupant }) => isKeptFor(occupant, me.value?.name ?? ''));
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
              : 'Everybody is here'}
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
                <Act
                  class="button small"
                  label={`Take ${seat.role}`}
                  does={() => join(String(seat.number))}
                >
                  Sit here
                </Act>
              ) : null}
            </li>
          ))}
        </ul>
        {game.lotsPending && game.roles.length > 0 ? (
          <p class="hint">
            Seats by lot are drawn at the start, from the seed that proves every roll.
          </p>
        ) : null}
        {choices.length > 0 ? (
          <Field label="Your seat">
            {(id) => (
              <Choose
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
              <Act
                class="button strong"
                does={() =>
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
              </Act>
              {openSeats.length > 0 ? (
                <Choose
                  label="Level of automation for open seats"
                  value={level.value}
                  options={(kind?.levels ?? ['standard']).map((each) => [each, each] as const)}
                  set={(value) => (level.value = value)}
                />
              ) : null}
            </>
          ) : null}
          {!isIn && !isKept && me.value && openSeats.length > 0 && game.lotsPending ? (
            <Act class="button strong" does={() => join(chosen)}>
              Take a seat
            </Act>
          ) : null}
          {isKept && !isIn ? (
            <>
              <Act class="button strong" does={() => join(chosen)}>
                Take the seat that is kept for you
              </Act>
              <Act
                does={async () => {
                  await games.declineInvitation({ gameId: game.gameId });
                  go('/');
                }}
              >
                Decline
              </Act>
            </>
          ) : null}
          {isIn ? (
            <Act
              does={async () => {
                await games.leaveGame({ gameId: game.gameId });
                go('/');
              }}
            >
              Leave
            </Act>
          ) : null}
        </div>
        {!leads && isIn ? <p class="hint">The host starts the game.</p> : null}
      </section>
      <section class="card" aria-label="What was agreed">
        <h2>{kind?.name ?? game.kind}</h2>
        <p>{kind?.summary}</p>
        <ul class="plain">
          {words.map((each) => (
            <li key={each}>{each}</li>
          ))}
          <li>{paceWords(game.pace)}</li>
          {game.isPrivate ? <li>Private</li> : null}
          {game.anonymous ? <li>Names are hidden until it ends</li> : null}
          {game.hideReady ? <li>Nobody sees who is ready</li> : null}
          {game.openLetters ? <li>Everybody may read all letters once it is over</li> : null}
        </ul>
        {game.inviteCode ? (
          <div>
            <h3>Invite people</h3>
            <p>
              Send them this address:{' '}
              <Copyable
                text={`${location.origin}/join/${game.gameId}/${game.inviteCode}`}
                label="Copy the address"
              />
            </p>
          </div>
        ) : null}
      </section>
    </div>
  );
}
