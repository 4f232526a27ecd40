// The page for joining a game by invite code.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import { type Game, GameStatus } from '../engine/contract';
import { gamePath, go } from '../router';
import { me } from '../session';
import { CallForm, Field, Select, useLoaded } from '../ui/components';
import { KindImage } from '../ui/thumbnail';
import { paceWords, statusWord } from '../words';
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
      <h1>Join by code</h1>
      <CallForm
        class="card"
        label="Join by code"
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
            <Field label="Game" hint="The id from the host, or the whole link.">
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
            <Field label="Invite code" hint="Only private games have one.">
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
              <Field
                label="Your seat"
                hint="Seats are drawn by lot at the start, from the same seed as the dice."
              >
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
              Take a seat
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
    <section class="invitation game-main" aria-label="The game">
      <KindImage kind={game.kind} />
      <div class="game-what">
        <h2>
          <bdi>{game.name}</bdi>
        </h2>
        <p>
          <KindName kind={game.kind} />
          {host ? (
            <>
              {', hosted by '}
              <bdi>{host}</bdi>
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
