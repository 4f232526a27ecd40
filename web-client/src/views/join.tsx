// Joining by code.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import { gamePath, go } from '../router';
import { me } from '../session';
import { Ask, Choose, Field, useLoaded } from '../ui/parts';
import { seatChoices } from './forming';

export function Join({ game, code }: { game: string; code: string }) {
  const id = useSignal(game);
  const invite = useSignal(code);
  const asked = useSignal({ gameId: game, inviteCode: code });
  const look = () => {
    asked.value = { gameId: id.value.trim(), inviteCode: invite.value.trim() };
  };
  // Until the address is complete there is nothing to choose from.
  const found = useLoaded(async () =>
    asked.value.gameId === '' ? undefined : (await games.getGame(asked.value)).game,
  );
  const isFound = found.value.value?.gameId === id.value.trim();
  const choices =
    found.value.value && isFound ? seatChoices(found.value.value, me.value?.name) : [];
  const wanted = useSignal('');
  const chosen = choices.some(([seat]) => seat === wanted.value) ? wanted.value : '';
  return (
    <main class="narrow">
      <h1>Join by code</h1>
      <Ask
        class="card"
        label="Join by code"
        does={async () => {
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
            <Field label="Game" hint="Its id, as the host tells it; or paste the whole address.">
              {(field, hint) => (
                <input
                  id={field}
                  aria-describedby={hint}
                  required
                  value={id.value}
                  onInput={(event) => {
                    const [, game, code] =
                      /\/join\/([^/]+)\/([^/\s]+)/.exec(event.currentTarget.value) ?? [];
                    id.value = game ?? event.currentTarget.value;
                    if (!code) return;
                    invite.value = code;
                    look();
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
            {choices.length > 0 ? (
              <Field
                label="Your seat"
                hint="Seats by lot are drawn at the start, from the seed that proves every roll."
              >
                {(field, hint) => (
                  <Choose
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
      </Ask>
    </main>
  );
}
