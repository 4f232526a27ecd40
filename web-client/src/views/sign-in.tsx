// The door: a token pasted, a new account, and the questions on the way in.

import { useSignal } from '@preact/signals';
import { RegistrationRule } from '../engine/contract';
import { go } from '../router';
import {
  accountsBefore,
  answerOffer,
  confirmKept,
  freshToken,
  maySee,
  me,
  offered,
  register,
  server,
  signIn,
  switchTo,
  trouble,
} from '../session';
import { Act, Ask, Copyable, Field, Tick, Trouble } from '../ui/parts';

export function SignIn() {
  const keep = useSignal(true);
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
        {isClosed ? null : <Register keep={keep.value} />}
        <AccountsBefore />
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

function Register({ keep }: { keep: boolean }) {
  const name = useSignal('');
  const invitation = useSignal('');
  const byInvitation = server.value?.registration === RegistrationRule.INVITE;
  return (
    <Ask class="card" label="New account" does={() => register(name.value, invitation.value, keep)}>
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
        leaveDoor();
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

/** Leaves the address of the door; other addresses stay. */
function leaveDoor(): void {
  if (location.pathname === '/sign-in') go('/', true);
}

/** Buttons for the accounts that were signed in on this device before. */
export function AccountsBefore() {
  if (accountsBefore.value.length === 0) return null;
  return (
    <section class="card" aria-label="Accounts on this device">
      <h2>Accounts on this device</h2>
      <ul class="plain">
        {accountsBefore.value.map((account) => (
          <li key={account.name} class="row between">
            <bdi>{account.name}</bdi>
            <Act
              class="button small"
              label={`Sign in as ${account.name}`}
              does={async () => {
                await switchTo(account);
                leaveDoor();
              }}
            >
              Sign in
            </Act>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The token of a new account. The step ends when the player has kept it. */
export function NewToken() {
  const isCopied = useSignal(false);
  return (
    <main class="narrow">
      <h1>
        Welcome, <bdi>{me.value?.name}</bdi>
      </h1>
      <p>
        <strong>Keep this token. It is the only way back into your account.</strong> There is no
        password and no mail. The token signs you in after you sign out, when this browser loses its
        data, and on other devices. Do not show it to other people.
      </p>
      <p>
        <Copyable
          text={freshToken.value}
          label="Copy the token"
          copied={() => (isCopied.value = true)}
        />
      </p>
      <Act
        class="button strong"
        does={async () => {
          await confirmKept();
          leaveDoor();
        }}
      >
        {isCopied.value ? 'Continue' : 'I have kept it'}
      </Act>
    </main>
  );
}

/** Asks whether the account of a link replaces the one that is signed in. */
export function OtherAccount() {
  const link = offered.value;
  return (
    <main class="narrow">
      <h1>Sign in as another account?</h1>
      <p>
        You are signed in as{' '}
        <strong>
          <bdi>{me.value?.name}</bdi>
        </strong>
        . The link that you opened signs this browser in as{' '}
        <strong>
          <bdi>{link?.name}</bdi>
        </strong>
        . If the link is not yours, stay.
      </p>
      <p class="hint">
        If you sign in as <bdi>{link?.name}</bdi>, this browser keeps the token of{' '}
        <bdi>{me.value?.name}</bdi>. You can go back on the page of your account.
      </p>
      <p class="row wrap">
        <Act class="button strong" does={() => answerOffer(false)}>
          Stay <bdi>{me.value?.name}</bdi>
        </Act>
        <Act does={() => answerOffer(true)}>
          Sign in as <bdi>{link?.name}</bdi>
        </Act>
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
