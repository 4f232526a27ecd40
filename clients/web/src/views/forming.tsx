// The page of a game before its start: its seats and its options.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import type { Game, Seat } from '../engine/contract';
import { go } from '../router';
import { me } from '../session';
import type { Table } from '../table/table';
import { ActionButton, Copyable, Field, SeatDot, Select } from '../ui/components';
import { occupantOf, paceWords, rich, t } from '../words';
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
  if (byLot) return [['', t('forming-by-lot')], ...named];
  return named.length > 1 ? [['', t('forming-first-open')], ...named] : [];
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
      <section class="card" aria-label={t('forming-seats')}>
        <h2>
          {openSeats.length > 0
            ? t('forming-waiting', { count: openSeats.length })
            : kept.length > 0
              ? t('forming-waiting-for', {
                  players: kept.map((seat) => seat.occupant.value).join(', '),
                })
              : t('forming-full')}
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
                  <bdi>{seat.number === game.yourSeat ? t('words-you') : occupantOf(seat)}</bdi>
                </span>
              </span>
              {!isIn && me.value && seat.occupant.case === 'open' && !game.lotsPending ? (
                <ActionButton
                  class="button small"
                  label={t('forming-take-role', { role: seat.role })}
                  action={() => join(String(seat.number))}
                >
                  {t('forming-take-this')}
                </ActionButton>
              ) : null}
            </li>
          ))}
        </ul>
        {game.lotsPending && game.roles.length > 0 ? <p class="hint">{t('join-lots')}</p> : null}
        {choices.length > 0 ? (
          <Field label={t('join-seat')}>
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
                {openSeats.length > 0 ? t('forming-start-automated') : t('forming-start')}
              </ActionButton>
              {openSeats.length > 0 ? (
                <Select
                  label={t('forming-level')}
                  value={level.value}
                  options={(kind?.levels ?? ['standard']).map((each) => [each, each] as const)}
                  set={(value) => (level.value = value)}
                />
              ) : null}
            </>
          ) : null}
          {!isIn && !isReserved && me.value && openSeats.length > 0 && game.lotsPending ? (
            <ActionButton class="button strong" action={() => join(chosen)}>
              {t('join-take-seat')}
            </ActionButton>
          ) : null}
          {isReserved && !isIn ? (
            <>
              <ActionButton class="button strong" action={() => join(chosen)}>
                {t('forming-take-reserved')}
              </ActionButton>
              <ActionButton
                action={async () => {
                  await games.declineInvitation({ gameId: game.gameId });
                  go('/');
                }}
              >
                {t('page-decline')}
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
              {t('forming-leave')}
            </ActionButton>
          ) : null}
        </div>
        {!leads && isIn ? <p class="hint">{t('forming-host-starts')}</p> : null}
      </section>
      <section class="card" aria-label={t('forming-about')}>
        <h2>{kind?.name ?? game.kind}</h2>
        <p lang="en">{kind?.summary}</p>
        <ul class="plain">
          {words.map((each) => (
            <li key={each}>{each}</li>
          ))}
          <li>{paceWords(game.pace)}</li>
          {game.isPrivate ? <li>{t('forming-private')}</li> : null}
          {game.anonymous ? <li>{t('forming-anonymous')}</li> : null}
          {game.hideReady ? <li>{t('forming-hide-ready')}</li> : null}
          {game.openMessages ? <li>{t('forming-open-messages')}</li> : null}
        </ul>
        {game.inviteCode || (!game.isPrivate && openSeats.length > 0) ? (
          <div>
            <h3>{t('forming-invite')}</h3>
            <p>
              {rich('forming-address', {
                link: (
                  <Copyable
                    text={[`${location.origin}/join/${game.gameId}`, game.inviteCode]
                      .filter(Boolean)
                      .join('/')}
                    label={t('page-copy-link')}
                  />
                ),
              })}
            </p>
          </div>
        ) : null}
      </section>
    </div>
  );
}
