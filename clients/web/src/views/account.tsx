// The account page: ways back, tokens, sign-in on other devices, notices, blocked players.

import { useSignal } from '@preact/signals';
import { players, signIns, usedToken } from '../engine/calls';
import {
  type NoticeChannel,
  NoticeChannelState,
  SignInKind,
  WebhookTemplate,
} from '../engine/contract';
import { askToNotify } from '../notices';
import { CAN_PUSH, isThisDevice, NOTICE_KINDS, ownKey, turnOff, turnOn } from '../push';
import { go, playerPath } from '../router';
import {
  hasWayBack,
  me,
  newRecoveryCodes,
  refreshWayBack,
  rename,
  server,
  signOut,
} from '../session';
import { notifies, THEMES, theme } from '../settings';
import { add, addPasskey, CAN_USE_PASSKEYS, codeProof, openProvider, sendCode } from '../sign-in';
import {
  ActionButton,
  CallForm,
  Checkbox,
  Copyable,
  Countdown,
  confirm,
  Dialog,
  ErrorLine,
  Field,
  Select,
  useLoaded,
} from '../ui/components';
import { instant, msOf } from '../words';
import { Data } from './own-data';
import { Codes, EarlierAccounts } from './sign-in';

export function Account() {
  const leaves = useSignal(false);
  return (
    <main class="page account">
      <header class="page-head">
        <h1>
          <bdi>{me.value?.name}</bdi>
        </h1>
        {hasWayBack.value ? (
          <ActionButton action={leave}>Sign out</ActionButton>
        ) : (
          <button type="button" class="button" onClick={() => (leaves.value = true)}>
            Sign out
          </button>
        )}
      </header>
      {me.value?.guest ? <ChooseName /> : null}
      <p class="faint">
        Dedication {me.value?.dedication ?? 0}: +1 for each turn with orders in time, −3 for each
        missed deadline. <a href={playerPath(me.value?.name ?? '')}>Your profile</a>
      </p>
      <div class="cards">
        <Here />
        <WaysBack />
        <Device />
        <Tokens />
        {server.value?.webhooksOn || server.value?.mailOn ? <Channels /> : null}
        <Blocked />
        <Data />
        <EarlierAccounts />
      </div>
      <p class="small">
        <a href="/licenses.txt" target="_blank" rel="noreferrer">
          Licenses of the fonts and packages
        </a>
      </p>
      {leaves.value ? <SignOut close={() => (leaves.value = false)} /> : null}
    </main>
  );
}

/** Signs out. Revokes the token if a sign-in created it for this browser. */
async function leave(): Promise<void> {
  const { tokens } = await players.listTokens({});
  const mine = tokens.find((token) => token.current);
  await signOut(mine?.signedIn ? mine.tokenId : undefined);
  go('/sign-in');
}

/** Lets a guest choose a name. */
function ChooseName() {
  const name = useSignal('');
  return (
    <CallForm class="card row wrap" label="Choose a name" action={() => rename(name.value)}>
      {(busy) => (
        <>
          <Field
            label="Choose your name"
            hint="You are a guest. With a name, the account is yours for good; your games stay."
          >
            {(id, hint) => (
              <input
                id={id}
                aria-describedby={hint}
                autocomplete="username"
                required
                maxLength={32}
                value={name.value}
                onInput={(event) => (name.value = event.currentTarget.value)}
              />
            )}
          </Field>
          <button type="submit" class="button strong" aria-busy={busy}>
            Take this name
          </button>
        </>
      )}
    </CallForm>
  );
}

const KINDS: Record<SignInKind, string> = {
  [SignInKind.UNSPECIFIED]: '',
  [SignInKind.PASSKEY]: 'passkey',
  [SignInKind.MAIL]: 'email',
  [SignInKind.PROVIDER]: 'account at',
};

/** The sign-in methods and recovery codes of the account. */
function WaysBack() {
  const codes = useSignal<readonly string[]>([]);
  const loaded = useLoaded(() => signIns.listSignInMethods({}));
  const info = server.value;
  const changed = async () => {
    await refreshWayBack();
    loaded.again();
  };
  const left = loaded.value.value?.recoveryCodesLeft ?? 0;
  return (
    <section class="card" aria-label="Ways back">
      <h2>Ways back into your account</h2>
      <ErrorLine failure={loaded.failure.value} />
      <ul class="plain">
        {loaded.value.value?.methods.map((method) => (
          <li key={method.methodId} class="row between">
            <span>
              {KINDS[method.kind]} <bdi>{method.name}</bdi>{' '}
              <span class="faint small">{instant(msOf(method.useTime ?? method.createTime))}</span>
            </span>
            <ActionButton
              class="button small"
              label={`Remove ${method.name}`}
              action={async () => {
                const isLast = loaded.value.value?.methods.length === 1 && left === 0;
                const warning = (
                  <p>Only your tokens remain. If you lose them, you lose the account.</p>
                );
                if (isLast && !(await confirm('Remove the last way back?', warning, 'Remove')))
                  return;
                const { methodId } = method;
                await signIns.removeSignInMethod({ methodId, confirmed: isLast });
                await changed();
              }}
            >
              Remove
            </ActionButton>
          </li>
        ))}
      </ul>
      <p class="row wrap">
        {info?.passkeysOn && CAN_USE_PASSKEYS ? (
          <ActionButton
            action={async () => {
              await addPasskey(browserName());
              await changed();
            }}
          >
            Add a passkey
          </ActionButton>
        ) : null}
        {info?.signInProviders.map((provider) => (
          <ActionButton
            key={provider}
            action={() => openProvider(provider, { adds: true, keep: true })}
          >
            Add an account at <bdi>{provider}</bdi>
          </ActionButton>
        ))}
      </p>
      {info?.mailSignInOn ? <AddMail added={changed} /> : null}
      <p>
        {left === 0 ? 'You have no recovery codes.' : `${left} unused recovery codes.`}{' '}
        <ActionButton
          class="button small"
          action={async () => {
            codes.value = await newRecoveryCodes();
            loaded.again();
          }}
        >
          {left === 0 ? 'Create recovery codes' : 'Replace them'}
        </ActionButton>
      </p>
      {codes.value.length > 0 ? <Codes codes={codes.value} /> : null}
    </section>
  );
}

/** Returns the name of this browser, as the name of a passkey. */
function browserName(): string {
  const agent = navigator.userAgent;
  const browser = ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => agent.includes(name));
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) =>
    agent.includes(name),
  );
  return [browser === 'Edg' ? 'Edge' : browser, system].filter(Boolean).join(' on ');
}

function AddMail({ added }: { added: () => Promise<void> }) {
  const address = useSignal('');
  const attempt = useSignal('');
  const code = useSignal('');
  const isSent = attempt.value !== '';
  return (
    <CallForm
      class="row wrap"
      label="Add an email address"
      action={async () => {
        if (!isSent) {
          attempt.value = await sendCode(address.value, true);
          return;
        }
        await add(attempt.value, codeProof(code.value));
        address.value = attempt.value = code.value = '';
        await added();
      }}
    >
      {(busy) => (
        <>
          <input
            type="email"
            aria-label="Email address"
            placeholder="ann@example.org"
            required
            readOnly={isSent}
            value={address.value}
            onInput={(event) => (address.value = event.currentTarget.value)}
          />
          {isSent ? (
            <input
              aria-label="Code from the email"
              inputMode="numeric"
              autocomplete="one-time-code"
              required
              value={code.value}
              onInput={(event) => (code.value = event.currentTarget.value)}
            />
          ) : null}
          <button type="submit" class="button small" aria-busy={busy}>
            {isSent ? 'Add the address' : 'Send a code'}
          </button>
        </>
      )}
    </CallForm>
  );
}

/** Asks before the stored token is deleted, and shows a token for signing in again. */
function SignOut({ close }: { close: () => void }) {
  const isCopied = useSignal(false);
  const made = useSignal('');
  const loaded = useLoaded(() => players.listTokens({}));
  const tokens = loaded.value.value?.tokens;
  if (!tokens && !loaded.failure.value) return null;
  const mine = tokens?.find((token) => token.current);
  const others = (tokens?.length ?? 1) - 1;
  // A token from a link is only for this browser: revoke it unless it is the account's only one.
  const ending = mine?.signedIn && others > 0 ? mine.tokenId : undefined;
  const shown = ending === undefined ? usedToken() : made.value;
  return (
    <Dialog title="Sign out?" class="confirm" close={close}>
      <p>
        {ending !== undefined
          ? 'You signed in here with a link. Signing out revokes the token of this browser. To sign in again, use a token that you have saved, or a link from a device that is signed in.'
          : others > 0
            ? 'This browser deletes your token. Save it to sign in again: the account has no sign-in method and no recovery codes.'
            : 'This token is the only way back into your account: it has no sign-in method and no recovery codes. Save it before you sign out.'}
      </p>
      {shown === '' ? (
        <ActionButton
          action={async () => {
            made.value = (await players.createToken({ name: 'saved at sign-out' })).secret;
          }}
        >
          Create a token to save
        </ActionButton>
      ) : (
        <Copyable text={shown} label="Copy token" copied={() => (isCopied.value = true)} />
      )}
      <footer>
        <button type="button" class="button strong" onClick={close}>
          Stay signed in
        </button>
        <ActionButton
          action={async () => {
            await signOut(ending);
            go('/sign-in');
          }}
        >
          {isCopied.value || shown === '' ? 'Sign out' : 'I have saved it: sign out'}
        </ActionButton>
      </footer>
    </Dialog>
  );
}

function Here() {
  return (
    <section class="card" aria-label="This device">
      <h2>This device</h2>
      <Field label="Colors">
        {(id) => (
          <Select
            id={id}
            value={theme.value}
            options={THEMES}
            set={(value) => (theme.value = value)}
          />
        )}
      </Field>
      <Checkbox value={notifies.value} set={(wish) => void askToNotify(wish)}>
        Notify me in this browser when it is my turn
      </Checkbox>
    </section>
  );
}

function Device() {
  const code = useSignal<{ code: string; due: number | undefined } | undefined>(undefined);
  return (
    <section class="card" aria-label="Another device">
      <h2>Another device</h2>
      <p>A link that signs in another device. It works once and expires after two minutes.</p>
      <ActionButton
        action={async () => {
          const made = await players.createSignInCode({});
          code.value = { code: made.code, due: msOf(made.expireTime) };
        }}
      >
        Create a link
      </ActionButton>
      {code.value ? (
        <p>
          <Copyable
            key={code.value.code}
            text={`${location.origin}/#code=${code.value.code}`}
            label="Copy link"
          />{' '}
          <Countdown due={code.value.due} />
        </p>
      ) : null}
    </section>
  );
}

function Tokens() {
  const name = useSignal('');
  const secret = useSignal('');
  const loaded = useLoaded(() => players.listTokens({}));
  return (
    <section class="card" aria-label="Tokens">
      <h2>Sessions and tokens</h2>
      <ErrorLine failure={loaded.failure.value} />
      <ul class="plain">
        {loaded.value.value?.tokens.map((token) => (
          <li key={token.tokenId} class="row between">
            <span>
              <bdi>{token.name || 'first token'}</bdi>{' '}
              <span class="faint small" title={token.agent}>
                {instant(msOf(token.useTime ?? token.createTime))}
                {token.signedIn ? ', signed in' : ''}
              </span>
            </span>
            {token.current ? (
              <span class="chip">this device</span>
            ) : (
              <ActionButton
                class="button small"
                label={`Revoke ${token.name}`}
                action={async () => {
                  await players.revokeToken({ tokenId: token.tokenId });
                  loaded.again();
                }}
              >
                Revoke
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
      <CallForm
        class="row wrap"
        label="New token"
        action={async () => {
          const made = await players.createToken({
            name: name.value.trim(),
          });
          secret.value = made.secret;
          name.value = '';
          loaded.again();
        }}
      >
        {(busy) => (
          <>
            <input
              aria-label="Purpose of the token"
              placeholder="For a bot"
              maxLength={64}
              required
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
            <button type="submit" class="button small" aria-busy={busy}>
              New token
            </button>
          </>
        )}
      </CallForm>
      {secret.value ? (
        <p>
          Shown only once: <Copyable key={secret.value} text={secret.value} label="Copy token" />
        </p>
      ) : null}
    </section>
  );
}

const STATES: Record<NoticeChannelState, string> = {
  [NoticeChannelState.UNSPECIFIED]: '',
  [NoticeChannelState.UNCONFIRMED]: 'not confirmed',
  [NoticeChannelState.ACTIVE]: 'on',
  [NoticeChannelState.OFF]: 'off',
};
const FORMS: readonly [string, string][] = [
  ['mail', 'Mail'],
  [String(WebhookTemplate.PLAIN), 'Webhook'],
  [String(WebhookTemplate.DISCORD), 'Discord'],
  [String(WebhookTemplate.SLACK), 'Slack'],
  [String(WebhookTemplate.NTFY), 'ntfy'],
];

function whereOf(target: NoticeChannel['target']): string | undefined {
  if (target.case === 'mail') return target.value.address;
  return target.case === 'push' ? target.value.name : target.value?.url;
}

/** The channels for notices while no page is open. */
function Channels() {
  const form = useSignal('mail');
  const target = useSignal('');
  const secret = useSignal('');
  const code = useSignal('');
  const own = useSignal<Uint8Array | undefined>(undefined);
  const loaded = useLoaded(async () => {
    own.value = await ownKey();
    return players.listNoticeChannels({});
  });
  const channels = loaded.value.value?.channels ?? [];
  const isOn = channels.some(({ target }) => isThisDevice(target, own.value));
  return (
    <section class="card" aria-label="Notices">
      <h2>Notices while you are away</h2>
      <ul class="plain">
        {channels.map((channel) => {
          const { channelId, target } = channel;
          const isOwn = isThisDevice(target, own.value);
          const isWaiting = channel.state === NoticeChannelState.UNCONFIRMED;
          return (
            <li key={channelId}>
              <p>
                <bdi>{whereOf(target)}</bdi>
                {isOwn ? ' (this device)' : ''} <span class="chip">{STATES[channel.state]}</span>{' '}
                {channel.offBecause}
              </p>
              <div class="row wrap">
                {isWaiting && target.case === 'push' ? null : isWaiting ? (
                  <>
                    <input
                      aria-label="Code"
                      value={code.value}
                      onInput={(event) => (code.value = event.currentTarget.value)}
                    />
                    <ActionButton
                      class="button small"
                      action={async () => {
                        await players.confirmNoticeChannel({ channelId, code: code.value.trim() });
                        loaded.again();
                      }}
                    >
                      Confirm
                    </ActionButton>
                  </>
                ) : (
                  <ActionButton
                    class="button small"
                    action={() => players.testNoticeChannel({ channelId })}
                  >
                    Test
                  </ActionButton>
                )}
                <ActionButton
                  class="button small danger"
                  action={async () => {
                    if (
                      !(await confirm(
                        'Remove this channel?',
                        <p>Waiting notices are lost.</p>,
                        'Remove',
                      ))
                    )
                      return;
                    if (isOwn) await turnOff();
                    await players.deleteNoticeChannel({ channelId });
                    loaded.again();
                  }}
                >
                  Remove
                </ActionButton>
              </div>
            </li>
          );
        })}
      </ul>
      {CAN_PUSH && !isOn && loaded.value.value?.webhooksOn ? (
        <ActionButton
          action={async () => {
            await turnOn();
            loaded.again();
          }}
        >
          Send notices to this device
        </ActionButton>
      ) : null}
      <CallForm
        class="row wrap"
        label="New channel"
        action={async () => {
          const made = await players.createNoticeChannel({
            target:
              form.value === 'mail'
                ? { case: 'mail', value: { address: target.value.trim() } }
                : {
                    case: 'webhook',
                    value: {
                      url: target.value.trim(),
                      format: Number(form.value) as WebhookTemplate,
                    },
                  },
            settings: {
              kinds: NOTICE_KINDS,
            },
          });
          secret.value = made.secret;
          target.value = '';
          loaded.again();
        }}
      >
        {(busy) => (
          <>
            <Select
              label="Kind of channel"
              value={form.value}
              options={FORMS}
              set={(value) => (form.value = value)}
            />
            <input
              aria-label="Address"
              placeholder={form.value === 'mail' ? 'ann@example.org' : 'https://…'}
              required
              value={target.value}
              onInput={(event) => (target.value = event.currentTarget.value)}
            />
            <button type="submit" class="button small" aria-busy={busy}>
              Add
            </button>
          </>
        )}
      </CallForm>
      {secret.value ? (
        <p>
          Secret that signs the requests. Save it now; it is not shown again:{' '}
          <code class="secret">{secret.value}</code>
        </p>
      ) : null}
    </section>
  );
}

function Blocked() {
  const name = useSignal('');
  const loaded = useLoaded(() => players.listBlockedPlayers({}));
  return (
    <section class="card" aria-label="Blocked players">
      <h2>Blocked players</h2>
      <ul class="plain">
        {loaded.value.value?.players.map((player) => (
          <li key={player.playerId} class="row between">
            <bdi>{player.name}</bdi>
            <ActionButton
              class="button small"
              label={`Unblock ${player.name}`}
              action={async () => {
                await players.unblockPlayer({ player: player.playerId });
                loaded.again();
              }}
            >
              Unblock
            </ActionButton>
          </li>
        ))}
      </ul>
      <CallForm
        class="row wrap"
        label="Block a player"
        action={async () => {
          await players.blockPlayer({ player: name.value.trim() });
          name.value = '';
          loaded.again();
        }}
      >
        {(busy) => (
          <>
            <input
              aria-label="Name of a player"
              required
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
            <button type="submit" class="button small" aria-busy={busy}>
              Block
            </button>
          </>
        )}
      </CallForm>
    </section>
  );
}
