// The sign-in page: signing in with a token, creating an account, and the steps after that.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { RegistrationRule } from '../engine/contract';
import { go } from '../router';
import {
  adopt,
  answerAccountSwitch,
  canBrowse,
  confirmSaved,
  createdToken,
  earlierAccounts,
  linkedAccount,
  me,
  newRecoveryCodes,
  playAsGuest,
  register,
  server,
  sessionFailure,
  signIn,
  switchTo,
} from '../session';
import {
  CAN_USE_PASSKEYS,
  codeProof,
  finish,
  openProvider,
  recover,
  sendCode,
  signInWithPasskey,
} from '../sign-in';
import {
  ActionButton,
  CallForm,
  Checkbox,
  Copyable,
  ErrorLine,
  Field,
  useLoaded,
} from '../ui/components';

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
          Space strategy by turns: seven games, secret orders, and dice that anyone can verify.
        </p>
      </section>
      <div class="door-forms">
        <ErrorLine failure={sessionFailure.value} />
        {isClosed ? null : <Register keep={keep.value} />}
        <EarlierAccounts />
        <Methods keep={keep.value} />
        <TokenForm keep={keep.value} />
        <Recovery keep={keep.value} />
        <Checkbox value={keep.value} set={(value) => (keep.value = value)}>
          Stay signed in on this device
        </Checkbox>
        <p>
          <a href="/learn">Learn the games: tutorials and rulebooks</a>
        </p>
        {canBrowse.value ? (
          <p>
            <a href="/">Watch without an account</a>
          </p>
        ) : null}
        <p class="small">
          <a href="/licenses.txt" target="_blank" rel="noreferrer">
            Licenses of the fonts and packages
          </a>
        </p>
      </div>
    </main>
  );
}

function Register({ keep }: { keep: boolean }) {
  const name = useSignal('');
  const invitation = useSignal('');
  const byInvitation = server.value?.registration === RegistrationRule.INVITE;
  return (
    <CallForm
      class="card"
      label="New account"
      action={() => register(name.value, invitation.value, keep)}
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
          <p class="row wrap">
            <button type="submit" class="button strong" aria-busy={busy}>
              Create an account
            </button>
            <ActionButton
              action={async () => {
                await playAsGuest(invitation.value, keep);
                leaveSignIn();
              }}
            >
              Play as a guest
            </ActionButton>
          </p>
        </>
      )}
    </CallForm>
  );
}

/** The sign-in methods that the operator has enabled, besides tokens. */
function Methods({ keep }: { keep: boolean }) {
  const info = server.value;
  const hasPasskeys = info?.passkeysOn && CAN_USE_PASSKEYS;
  const providers = info?.signInProviders ?? [];
  if (!hasPasskeys && !info?.mailSignInOn && providers.length === 0) return null;
  return (
    <section class="card" aria-label="Other ways">
      <h2>Without a token</h2>
      <p class="row wrap">
        {hasPasskeys ? (
          <ActionButton
            action={async () => {
              await adopt(await signInWithPasskey(), keep);
              leaveSignIn();
            }}
          >
            Use a passkey
          </ActionButton>
        ) : null}
        {providers.map((provider) => (
          <ActionButton key={provider} action={() => openProvider(provider, { adds: false, keep })}>
            Continue with <bdi>{provider}</bdi>
          </ActionButton>
        ))}
      </p>
      {info?.mailSignInOn ? <MailForm keep={keep} /> : null}
    </section>
  );
}

function MailForm({ keep }: { keep: boolean }) {
  const address = useSignal('');
  const attempt = useSignal('');
  const code = useSignal('');
  const invitation = useSignal('');
  const byInvitation = server.value?.registration === RegistrationRule.INVITE;
  if (attempt.value === '') {
    return (
      <CallForm
        label="By email"
        action={async () => {
          attempt.value = await sendCode(address.value, false);
        }}
      >
        {(busy) => (
          <>
            <Field label="Email address">
              {(id) => (
                <input
                  id={id}
                  type="email"
                  autocomplete="email"
                  required
                  value={address.value}
                  onInput={(event) => (address.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <button type="submit" class="button" aria-busy={busy}>
              Send a code
            </button>
          </>
        )}
      </CallForm>
    );
  }
  return (
    <CallForm
      label="Code"
      action={async () => {
        const done = await finish(attempt.value, codeProof(code.value), invitation.value);
        await adopt(done, keep);
        if (done.created) go('/account', true);
        else leaveSignIn();
      }}
    >
      {(busy) => (
        <>
          <Field
            label="Code from the email"
            hint={
              <>
                Sent to <bdi>{address.value}</bdi>. It is valid for 10 minutes.
              </>
            }
          >
            {(id, hint) => (
              <input
                id={id}
                aria-describedby={hint}
                autocomplete="one-time-code"
                inputMode="numeric"
                required
                value={code.value}
                onInput={(event) => (code.value = event.currentTarget.value)}
              />
            )}
          </Field>
          {byInvitation ? (
            <Field label="Invitation for a new account">
              {(id) => (
                <input
                  id={id}
                  autocomplete="off"
                  value={invitation.value}
                  onInput={(event) => (invitation.value = event.currentTarget.value)}
                />
              )}
            </Field>
          ) : null}
          <p class="row wrap">
            <button type="submit" class="button strong" aria-busy={busy}>
              Continue
            </button>
            <button type="button" class="button" onClick={() => (attempt.value = '')}>
              Another address
            </button>
          </p>
        </>
      )}
    </CallForm>
  );
}

function Recovery({ keep }: { keep: boolean }) {
  const name = useSignal('');
  const code = useSignal('');
  return (
    <details class="card">
      <summary>Lost your token?</summary>
      <CallForm
        label="Recovery"
        action={async () => {
          await adopt(await recover(name.value, code.value), keep);
          leaveSignIn();
        }}
      >
        {(busy) => (
          <>
            <Field label="Name of your account">
              {(id) => (
                <input
                  id={id}
                  autocomplete="username"
                  required
                  value={name.value}
                  onInput={(event) => (name.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <Field label="Recovery code">
              {(id) => (
                <input
                  id={id}
                  autocomplete="off"
                  required
                  value={code.value}
                  onInput={(event) => (code.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <button type="submit" class="button" aria-busy={busy}>
              Use the code
            </button>
          </>
        )}
      </CallForm>
    </details>
  );
}

/** Recovery codes, which are shown only once. */
export function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p>Shown only once. Each code signs you in once, without a token:</p>
      <p class="codes">
        <Copyable text={codes.join('\n')} label="Copy codes" />
      </p>
    </>
  );
}

function TokenForm({ keep }: { keep: boolean }) {
  const token = useSignal('');
  return (
    <CallForm
      class="card"
      label="Sign in"
      action={async () => {
        await signIn(token.value, keep);
        leaveSignIn();
      }}
    >
      {(busy) => (
        <>
          <h2>Have an account?</h2>
          <Field label="Token" hint="It starts with hp_. The server stores only its hash.">
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
    </CallForm>
  );
}

function leaveSignIn(): void {
  if (location.pathname === '/sign-in') go('/', true);
}

/** Buttons for accounts that were signed in on this device before. */
export function EarlierAccounts() {
  if (earlierAccounts.value.length === 0) return null;
  return (
    <section class="card" aria-label="Accounts on this device">
      <h2>Accounts on this device</h2>
      <ul class="plain">
        {earlierAccounts.value.map((account) => (
          <li key={account.name} class="row between">
            <bdi>{account.name}</bdi>
            <ActionButton
              class="button small"
              label={`Sign in as ${account.name}`}
              action={async () => {
                await switchTo(account);
                leaveSignIn();
              }}
            >
              Sign in
            </ActionButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows the token of a new account until the player confirms having saved it. */
export function NewToken() {
  const isCopied = useSignal(false);
  // Codes are not stored, so a reload of this step creates others.
  const codes = useLoaded(newRecoveryCodes);
  return (
    <main class="narrow">
      <h1>
        Welcome, <bdi>{me.value?.name}</bdi>
      </h1>
      <ErrorLine failure={codes.failure.value} />
      {codes.value.value ? <Codes codes={codes.value.value} /> : null}
      <p>
        <strong>Save these codes or this token: they are the way back into your account.</strong>{' '}
        There is no password. The token signs you in after you sign out, when this browser loses its
        data, and on other devices. Do not show it to other people.
      </p>
      <p>
        <Copyable
          text={createdToken.value}
          label="Copy token"
          copied={() => (isCopied.value = true)}
        />
      </p>
      <ActionButton
        class="button strong"
        action={async () => {
          await confirmSaved();
          leaveSignIn();
        }}
      >
        {isCopied.value ? 'Continue' : 'I have saved it'}
      </ActionButton>
    </main>
  );
}

/** Asks whether the account of a link replaces the one that is signed in. */
export function OtherAccount() {
  const link = linkedAccount.value;
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
        . If you did not expect this, do not sign in.
      </p>
      <p class="hint">
        If you sign in as <bdi>{link?.name}</bdi>, this browser stores the token of{' '}
        <bdi>{me.value?.name}</bdi>. You can switch back on your account page.
      </p>
      <p class="row wrap">
        <ActionButton class="button strong" action={() => answerAccountSwitch(false)}>
          Stay <bdi>{me.value?.name}</bdi>
        </ActionButton>
        <ActionButton action={() => answerAccountSwitch(true)}>
          Sign in as <bdi>{link?.name}</bdi>
        </ActionButton>
      </p>
    </main>
  );
}

/** Shown if the page opens without a connection. */
export function Unreachable() {
  useEffect(() => {
    const again = () => location.reload();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  return (
    <main class="narrow empty">
      <Emblem />
      <h1>No connection</h1>
      <p>The server cannot be reached. Your games continue without this page.</p>
      <button type="button" class="button strong" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}

/** The logo: a star behind its bow shock. */
export function Emblem() {
  return (
    <svg class="emblem" viewBox="-2.7 8 60 60" aria-hidden="true">
      <g transform="rotate(-30 32 32)">
        <path d="M8 8C34 8 56 18 56 32S34 56 8 56C32 50 44 42 44 32S32 14 8 8Z" class="shock" />
        <circle cx="25" cy="32" r="8" class="star" />
      </g>
    </svg>
  );
}
