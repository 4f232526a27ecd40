// The page for joining a game by invite code.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import { type Game, GameStatus } from '../engine/contract';
import { gamePath, go } from '../router';
import { me } from '../session';
import { CallForm, Field, Select, useLoaded } from '../ui/components';
import { KindImage } from '../ui/thumbnail';
import { paceWords, rich, statusWord, t } from '../words';
import { seatChoices } from './forming';
import { KindName, People } from './lobby';
import { useOptionWords } from './option-words';

export function Join({ game, code }: { game: string; code: string }) {
  const id = useSignal(game);
  const invite = useSignal(code);
  const asked = useSignal({ gameId: game, inviteCode: code });
  const look = () => {
    asked.value = { gameId: id.value.trim(), inviteCode: invite.value.trim() };
  };
  // Seats can only be chosen once the address is complete.
  const found = useLoaded(async () =>
    asked.value.gameId === '' ? undefined : (await games.getGame(asked.value)).game,
  );
  const isFound = found.value.value?.gameId === id.value.trim();
  const shown = isFound ? found.value.value : undefined;
  const choices = shown ? seatChoices(shown, me.value?.name) : [];
  const wanted = useSignal('');
  const chosen = choices.some(([seat]) => seat === wanted.value) ? wanted.value : '';
  return (
    <main class="narrow">
      <h1>{t('lobby-join-by-code')}</h1>
      <CallForm
        class="card"
        label={t('lobby-join-by-code')}
        action={async () => {
          const gameId = id.value.trim();
          await games.joinGame({
            gameId,
            inviteCode: invite.value.trim(),
            ...(chosen === '' ? {} : { seat: Number(chosen) }),
          });
          go(gamePath(gameId));
        }}
      >
        {(busy) => (
          <>
            <Field label={t('join-game')} hint={t('join-game-hint')}>
              {(field, hint) => (
                <input
                  id={field}
                  aria-describedby={hint}
                  required
                  value={id.value}
                  onInput={(event) => {
                    const [, game, code] =
                      /\/join\/([^/\s]+)(?:\/([^/\s]+))?/.exec(event.currentTarget.value) ?? [];
                    id.value = game ?? event.currentTarget.value;
                    if (code) invite.value = code;
                    if (game) look();
                  }}
                  onChange={look}
                />
              )}
            </Field>
            <Field label={t('join-code')} hint={t('join-code-hint')}>
              {(field, hint) => (
                <input
                  id={field}
                  aria-describedby={hint}
                  value={invite.value}
                  onInput={(event) => (invite.value = event.currentTarget.value)}
                  onChange={look}
                />
              )}
            </Field>
            {shown ? <Invitation game={shown} /> : null}
            {choices.length > 0 ? (
              <Field label={t('join-seat')} hint={t('join-lots')}>
                {(field, hint) => (
                  <Select
                    id={field}
                    describedBy={hint}
                    value={chosen}
                    options={choices}
                    set={(seat) => (wanted.value = seat)}
                  />
                )}
              </Field>
            ) : null}
            <button type="submit" class="button strong" aria-busy={busy}>
              {t('join-take-seat')}
            </button>
          </>
        )}
      </CallForm>
    </main>
  );
}

/** The game that a link leads to. */
function Invitation({ game }: { game: Game }) {
  const words = useOptionWords(game);
  const host = game.host || game.gameMaster;
  return (
    <section class="invitation game-main" aria-label={t('join-the-game')}>
      <KindImage kind={game.kind} />
      <div class="game-what">
        <h2>
          <bdi>{game.name}</bdi>
        </h2>
        <p>
          <KindName kind={game.kind} />
          {host ? (
            <>
              {', '}
              {rich('join-host', { host: <bdi>{host}</bdi> })}
            </>
          ) : null}
          {game.status === GameStatus.FORMING ? '' : ` (${statusWord(game.status)})`}
        </p>
        <People game={game} />
        <p class="faint small">{[...words, paceWords(game.pace)].join(' · ')}</p>
      </div>
    </section>
  );
}
