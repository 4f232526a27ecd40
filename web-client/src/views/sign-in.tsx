// The door: a token pasted, or a new account.

import { useSignal } from '@preact/signals';
import { RegistrationRule } from '../engine/contract';
import { go } from '../router';
import { maySee, me, register, server, signIn, trouble } from '../session';
import { Ask, Field, Tick, Trouble } from '../ui/parts';

export function SignIn() {
  const keep = useSignal(true);
  const given = useSignal('');
  if (given.value !== '') return <NewToken token={given.value} />;
  const rule = server.value?.registration;
  const isClosed = rule === RegistrationRule.CLOSED;
  return (
    <main class="door">
      <section class="hero">
        <Emblem />
        <h1>Heliopause</h1>
        <p class="lead">
          Space strategy by turns: seven games, secret orders, and dice that anybody can prove.
        </p>
      </section>
      <div class="door-forms">
        <Trouble failure={trouble.value} />
        {isClosed ? null : <Register keep={keep.value} give={(token) => (given.value = token)} />}
        <TokenForm keep={keep.value} />
        <Tick value={keep.value} set={(value) => (keep.value = value)}>
          Stay signed in on this device
        </Tick>
        {maySee.value ? (
          <p>
            <a href="/">Look around without an account</a>
          </p>
        ) : null}
      </div>
    </main>
  );
}

function Register({ keep, give }: { keep: boolean; give: (token: string) => void }) {
  const name = useSignal('');
  const invitation = useSignal('');
  const byInvitation = server.value?.registration === RegistrationRule.INVITE;
  return (
    <Ask
      class="card"
      label="New account"
      does={async () => give(await register(name.value, invitation.value, keep))}
    >
      {(busy) => (
        <>
          <h2>New here?</h2>
          <Field label="Your name" hint="1 to 32 letters and digits. Other players see it.">
            {(id, hint) => (
              <input
                id={id}
                aria-describedby={hint}
                value={name.value}
                onInput={(event) => (name.value = event.currentTarget.value)}
                autocomplete="username"
                required
                maxLength={32}
              />
            )}
          </Field>
          {byInvitation ? (
            <Field label="Invitation">
              {(id) => (
                <input
                  id={id}
                  value={invitation.value}
                  onInput={(event) => (invitation.value = event.currentTarget.value)}
                  autocomplete="off"
                  required
                />
              )}
            </Field>
          ) : null}
          <button type="submit" class="button strong" aria-busy={busy}>
            Open an account
          </button>
        </>
      )}
    </Ask>
  );
}

function TokenForm({ keep }: { keep: boolean }) {
  const token = useSignal('');
  return (
    <Ask
      class="card"
      label="Sign in"
      does={async () => {
        await signIn(token.value, keep);
        if (location.pathname === '/sign-in') go('/', true);
      }}
    >
      {(busy) => (
        <>
          <h2>You have an account</h2>
          <Field label="Token" hint="It begins with hp_. The server keeps only its hash.">
            {(id, hint) => (
              <input
                id={id}
                type="password"
                aria-describedby={hint}
                value={token.value}
                onInput={(event) => (token.value = event.currentTarget.value)}
                autocomplete="current-password"
                required
              />
            )}
          </Field>
          <button type="submit" class="button" aria-busy={busy}>
            Sign in
          </button>
        </>
      )}
    </Ask>
  );
}

/** The token of a new account, shown once. */
function NewToken({ token }: { token: string }) {
  const isCopied = useSignal(false);
  return (
    <main class="narrow">
      <h1>
        Welcome, <bdi>{me.value?.name}</bdi>
      </h1>
      <p>
        This token is your key: it signs you in on other devices, and nobody can show it to you
        again.
      </p>
      <p>
        <code class="secret">{token}</code>
      </p>
      <p class="row">
        <button
          type="button"
          class="button"
          onClick={() =>
            void navigator.clipboard.writeText(token).then(() => {
              isCopied.value = true;
            })
          }
        >
          {isCopied.value ? 'Copied' : 'Copy it'}
        </button>
        <button type="button" class="button strong" onClick={() => go('/', true)}>
          To the games
        </button>
      </p>
    </main>
  );
}

/** The emblem: a star, its winds, and where they end. */
export function Emblem() {
  return (
    <svg class="emblem" viewBox="0 0 64 64" aria-hidden="true">
      <circle cx="32" cy="32" r="30" class="e3" />
      <path d="M32 6a26 26 0 0 1 0 52" class="e2" />
      <path d="M32 15a17 17 0 0 0 0 34" class="e2" />
      <circle cx="32" cy="32" r="7" class="e1" />
      <circle cx="53" cy="17" r="3" class="e4" />
    </svg>
  );
}
