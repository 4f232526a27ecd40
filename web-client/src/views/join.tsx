// Joining by code.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import { gamePath, go } from '../router';
import { Ask, Field } from '../ui/parts';

export function Join({ game, code }: { game: string; code: string }) {
  const id = useSignal(game);
  const invite = useSignal(code);
  return (
    <main class="narrow">
      <h1>Join by code</h1>
      <Ask
        class="card"
        label="Join by code"
        does={async () => {
          const gameId = id.value.trim();
          await games.joinGame({ gameId, inviteCode: invite.value.trim() });
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
                    if (code) invite.value = code;
                  }}
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
                />
              )}
            </Field>
            <button type="submit" class="button strong" aria-busy={busy}>
              Take a seat
            </button>
          </>
        )}
      </Ask>
    </main>
  );
}
