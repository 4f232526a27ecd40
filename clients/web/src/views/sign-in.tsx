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
import { rich, t } from '../words';
import { LanguageSelect } from './language';

export function SignIn() {
  const keep = useSignal(true);
  const rule = server.value?.registration;
  const isClosed = rule === RegistrationRule.CLOSED;
  return (
    <main class="door">
      <section class="hero">
        <Emblem />
        <h1>Heliopause</h1>
        <p class="lead">{t('sign-in-lead')}</p>
      </section>
      <div class="door-forms">
        <ErrorLine failure={sessionFailure.value} />
        {isClosed ? null : <Register keep={keep.value} />}
        <EarlierAccounts />
        <Methods keep={keep.value} />
        <TokenForm keep={keep.value} />
        <Recovery keep={keep.value} />
        <Checkbox value={keep.value} set={(value) => (keep.value = value)}>
          {t('sign-in-stay')}
        </Checkbox>
        <p>
          <a href="/learn">{t('sign-in-learn')}</a>
        </p>
        {canBrowse.value ? (
          <p>
            <a href="/">{t('sign-in-watch')}</a>
          </p>
        ) : null}
        <Field label={t('account-language')}>{(id) => <LanguageSelect id={id} />}</Field>
        <p class="small">
          <a href="/licenses.txt" target="_blank" rel="noreferrer">
            {t('page-licenses')}
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
      label={t('sign-in-new-account')}
      action={() => register(name.value, invitation.value, keep)}
    >
      {(busy) => (
        <>
          <h2>{t('sign-in-new-here')}</h2>
          <Field label={t('sign-in-name')} hint={t('sign-in-name-hint')}>
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
            <Field label={t('sign-in-invitation')}>
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
              {t('sign-in-create')}
            </button>
            <ActionButton
              action={async () => {
                await playAsGuest(invitation.value, keep);
                leaveSignIn();
              }}
            >
              {t('sign-in-guest')}
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
    <section class="card" aria-label={t('sign-in-other-ways')}>
      <h2>{t('sign-in-no-token')}</h2>
      <p class="row wrap">
        {hasPasskeys ? (
          <ActionButton
            action={async () => {
              await adopt(await signInWithPasskey(), keep);
              leaveSignIn();
            }}
          >
            {t('sign-in-passkey')}
          </ActionButton>
        ) : null}
        {providers.map((provider) => (
          <ActionButton key={provider} action={() => openProvider(provider, { adds: false, keep })}>
            {rich('sign-in-provider', { provider: <bdi>{provider}</bdi> })}
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
        label={t('sign-in-by-mail')}
        action={async () => {
          attempt.value = await sendCode(address.value, false);
        }}
      >
        {(busy) => (
          <>
            <Field label={t('sign-in-mail-address')}>
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
              {t('sign-in-send-code')}
            </button>
          </>
        )}
      </CallForm>
    );
  }
  return (
    <CallForm
      label={t('sign-in-code')}
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
            label={t('sign-in-mail-code')}
            hint={rich('sign-in-sent', { address: <bdi>{address.value}</bdi> })}
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
            <Field label={t('sign-in-new-account-invitation')}>
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
              {t('sign-in-continue')}
            </button>
            <button type="button" class="button" onClick={() => (attempt.value = '')}>
              {t('sign-in-another-address')}
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
      <summary>{t('sign-in-lost-token')}</summary>
      <CallForm
        label={t('sign-in-recovery')}
        action={async () => {
          await adopt(await recover(name.value, code.value), keep);
          leaveSignIn();
        }}
      >
        {(busy) => (
          <>
            <Field label={t('sign-in-account-name')}>
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
            <Field label={t('sign-in-recovery-code')}>
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
              {t('sign-in-use-code')}
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
      <p>{t('sign-in-codes-shown-once')}</p>
      <p class="codes">
        <Copyable text={codes.join('\n')} label={t('sign-in-copy-codes')} />
      </p>
    </>
  );
}

function TokenForm({ keep }: { keep: boolean }) {
  const token = useSignal('');
  return (
    <CallForm
      class="card"
      label={t('page-sign-in')}
      action={async () => {
        await signIn(token.value, keep);
        leaveSignIn();
      }}
    >
      {(busy) => (
        <>
          <h2>{t('sign-in-have-account')}</h2>
          <Field label={t('sign-in-token')} hint={t('sign-in-token-hint')}>
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
            {t('page-sign-in')}
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
    <section class="card" aria-label={t('sign-in-accounts-here')}>
      <h2>{t('sign-in-accounts-here')}</h2>
      <ul class="plain">
        {earlierAccounts.value.map((account) => (
          <li key={account.name} class="row between">
            <bdi>{account.name}</bdi>
            <ActionButton
              class="button small"
              label={t('sign-in-sign-in-as', { name: account.name })}
              action={async () => {
                await switchTo(account);
                leaveSignIn();
              }}
            >
              {t('page-sign-in')}
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
      <h1>{rich('sign-in-welcome', { name: <bdi>{me.value?.name}</bdi> })}</h1>
      <ErrorLine failure={codes.failure.value} />
      {codes.value.value ? <Codes codes={codes.value.value} /> : null}
      <p>{rich('sign-in-save-token', { save: <strong>{t('sign-in-save-codes')}</strong> })}</p>
      <p>
        <Copyable
          text={createdToken.value}
          label={t('page-copy-token')}
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
        {isCopied.value ? t('sign-in-continue') : t('sign-in-saved')}
      </ActionButton>
    </main>
  );
}

/** Asks whether to sign in as the account of a link, also in place of the one that is signed in. */
export function OtherAccount() {
  const other = <bdi>{linkedAccount.value?.name}</bdi>;
  const current = me.value ? <bdi>{me.value.name}</bdi> : undefined;
  return (
    <main class="narrow">
      <h1>{current ? t('sign-in-other-account') : t('sign-in-by-link')}</h1>
      <p>
        {current
          ? rich('sign-in-other-account-text', {
              current: <strong>{current}</strong>,
              other: <strong>{other}</strong>,
            })
          : rich('sign-in-by-link-text', { other: <strong>{other}</strong> })}
      </p>
      {current ? (
        <p class="hint">{rich('sign-in-other-account-hint', { other, current })}</p>
      ) : null}
      <p class="row wrap">
        <ActionButton class="button strong" action={() => answerAccountSwitch(false)}>
          {current ? rich('sign-in-stay-as', { name: current }) : t('sign-in-not-now')}
        </ActionButton>
        <ActionButton action={() => answerAccountSwitch(true)}>
          {rich('sign-in-sign-in-as', { name: other })}
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
      <h1>{t('sign-in-no-connection')}</h1>
      <p>{t('sign-in-unreachable')}</p>
      <button type="button" class="button strong" onClick={() => location.reload()}>
        {t('sign-in-try-again')}
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
