// A table before the start: who sits, who is missing.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import type { Game } from '../engine/contract';
import { go } from '../router';
import { me } from '../session';
import type { Table } from '../table/table';
import { Act, Choose, Copyable, SeatDot } from '../ui/parts';
import { count, occupantOf, paceWords } from '../words';
import { kindsOf } from './kinds';
import { useOptionWords } from './option-words';

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
  const isKept = kept.some((seat) => seat.occupant.value === me.value?.name);
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
              {!isIn && me.value && seat.occupant.case === 'open' ? (
                <Act
                  class="button small"
                  label={`Take ${seat.role}`}
                  does={() =>
                    table.act(() =>
                      games.joinGame({
                        gameId: game.gameId,
                        seat: seat.number,
                        inviteCode,
                      }),
                    )
                  }
                >
                  Sit here
                </Act>
              ) : null}
            </li>
          ))}
        </ul>
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
          {isKept && !isIn ? (
            <>
              <Act
                class="button strong"
                does={() => table.act(() => games.joinGame({ gameId: game.gameId }))}
              >
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
