// The account: keys, another device, notices, whom one does not want to hear of.

import { useSignal } from '@preact/signals';
import { players, usedToken } from '../engine/calls';
import { NoticeChannelState, NoticeKind, WebhookTemplate } from '../engine/contract';
import { askToNotify } from '../notices';
import { go } from '../router';
import { me, server, signOut } from '../session';
import { notifies, THEMES, theme } from '../settings';
import {
  Act,
  Ask,
  Choose,
  Copyable,
  Countdown,
  confirm,
  Dialog,
  Field,
  Tick,
  Trouble,
  useLoaded,
} from '../ui/parts';
import { instant, msOf } from '../words';
import { AccountsBefore } from './sign-in';

export function Account() {
  const leaves = useSignal(false);
  return (
    <main class="page account">
      <header class="page-head">
        <h1>
          <bdi>{me.value?.name}</bdi>
        </h1>
        <button type="button" class="button" onClick={() => (leaves.value = true)}>
          Sign out
        </button>
      </header>
      <p class="faint">
        Dedication {me.value?.dedication ?? 0}: turns given in time count 1, missed ones −3.
      </p>
      <div class="cards">
        <Here />
        <Device />
        <Tokens />
        {server.value?.webhooksOn || server.value?.mailOn ? <Channels /> : null}
        <Blocked />
        <AccountsBefore />
      </div>
      {leaves.value ? <SignOut close={() => (leaves.value = false)} /> : null}
    </main>
  );
}

/** Asks before this browser forgets its token, and shows a token that signs in again. */
function SignOut({ close }: { close: () => void }) {
  const isCopied = useSignal(false);
  const made = useSignal('');
  const loaded = useLoaded(() => players.listTokens({}));
  const tokens = loaded.value.value?.tokens;
  if (!tokens && !loaded.failure.value) return null;
  const mine = tokens?.find((token) => token.current);
  const others = (tokens?.length ?? 1) - 1;
  // The token of a code is for this browser alone: it ends now, unless the account has no other.
  const ending = mine?.signedIn && others > 0 ? mine.tokenId : undefined;
  const shown = ending === undefined ? usedToken() : made.value;
  return (
    <Dialog title="Sign out?" class="confirm" close={close}>
      <p>
        {ending !== undefined
          ? 'A link signed this browser in. Its token ends when you sign out. You come back with a token that you have kept, or with a link from a device that is signed in.'
          : others > 0
            ? 'This browser forgets your token. Keep it to sign in again: there is no password and no mail.'
            : 'This token is the only way back into your account: there is no password and no mail. Keep it before you sign out.'}
      </p>
      {shown === '' ? (
        <Act
          does={async () => {
            made.value = (await players.createToken({ name: 'kept at sign-out' })).secret;
          }}
        >
          Make a token to keep
        </Act>
      ) : (
        <Copyable text={shown} label="Copy the token" copied={() => (isCopied.value = true)} />
      )}
      <footer>
        <button type="button" class="button strong" onClick={close}>
          Stay signed in
        </button>
        <Act
          does={async () => {
            await signOut(ending);
            go('/sign-in');
          }}
        >
          {isCopied.value || shown === '' ? 'Sign out' : 'I have kept it: sign out'}
        </Act>
      </footer>
    </Dialog>
  );
}

function Here() {
  return (
    <section class="card" aria-label="This device">
      <h2>This device</h2>
      <Field label="Colours">
        {(id) => (
          <Choose
            id={id}
            value={theme.value}
            options={THEMES}
            set={(value) => (theme.value = value)}
          />
        )}
      </Field>
      <Tick value={notifies.value} set={(wish) => void askToNotify(wish)}>
        Tell me by a notice of the browser when it is my turn
      </Tick>
    </section>
  );
}

/** A code for a second device. */
function Device() {
  const code = useSignal<{ code: string; due: number | undefined } | undefined>(undefined);
  return (
    <section class="card" aria-label="Another device">
      <h2>Another device</h2>
      <p>An address that signs another device in, once, within two minutes.</p>
      <Act
        does={async () => {
          const made = await players.createSignInCode({});
          code.value = { code: made.code, due: msOf(made.expireTime) };
        }}
      >
        Make an address
      </Act>
      {code.value ? (
        <p>
          <Copyable
            key={code.value.code}
            text={`${location.origin}/#code=${code.value.code}`}
            label="Copy the address"
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
      <h2>Tokens</h2>
      <Trouble failure={loaded.failure.value} />
      <ul class="plain">
        {loaded.value.value?.tokens.map((token) => (
          <li key={token.tokenId} class="row between">
            <span>
              <bdi>{token.name || 'first token'}</bdi>{' '}
              <span class="faint small">{instant(msOf(token.createTime))}</span>
            </span>
            {token.current ? (
              <span class="chip">this device</span>
            ) : (
              <Act
                class="button small"
                label={`Revoke ${token.name}`}
                does={async () => {
                  await players.revokeToken({ tokenId: token.tokenId });
                  loaded.again();
                }}
              >
                Revoke
              </Act>
            )}
          </li>
        ))}
      </ul>
      <Ask
        class="row wrap"
        label="New token"
        does={async () => {
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
              aria-label="What the token is for"
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
      </Ask>
      {secret.value ? (
        <p>
          Shown only now: <Copyable key={secret.value} text={secret.value} label="Copy the token" />
        </p>
      ) : null}
    </section>
  );
}

const STATES: Record<NoticeChannelState, string> = {
  [NoticeChannelState.UNSPECIFIED]: '',
  [NoticeChannelState.UNCONFIRMED]: 'waits for its code',
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

/** Channels by which notices come while no page is open. */
function Channels() {
  const form = useSignal('mail');
  const target = useSignal('');
  const secret = useSignal('');
  const code = useSignal('');
  const loaded = useLoaded(() => players.listNoticeChannels({}));
  return (
    <section class="card" aria-label="Notices">
      <h2>Notices while you are away</h2>
      <ul class="plain">
        {loaded.value.value?.channels.map((channel) => {
          const where =
            channel.target.case === 'mail'
              ? channel.target.value.address
              : channel.target.value?.url;
          const { channelId } = channel;
          return (
            <li key={channelId}>
              <p>
                <bdi>{where}</bdi> <span class="chip">{STATES[channel.state]}</span>{' '}
                {channel.offBecause}
              </p>
              <div class="row wrap">
                {channel.state === NoticeChannelState.UNCONFIRMED ? (
                  <>
                    <input
                      aria-label="Code"
                      value={code.value}
                      onInput={(event) => (code.value = event.currentTarget.value)}
                    />
                    <Act
                      class="button small"
                      does={async () => {
                        await players.confirmNoticeChannel({ channelId, code: code.value.trim() });
                        loaded.again();
                      }}
                    >
                      Confirm
                    </Act>
                  </>
                ) : (
                  <Act class="button small" does={() => players.testNoticeChannel({ channelId })}>
                    Test
                  </Act>
                )}
                <Act
                  class="button small danger"
                  does={async () => {
                    if (!(await confirm('Remove it?', <p>Waiting notices are lost.</p>, 'Remove')))
                      return;
                    await players.deleteNoticeChannel({ channelId });
                    loaded.again();
                  }}
                >
                  Remove
                </Act>
              </div>
            </li>
          );
        })}
      </ul>
      <Ask
        class="row wrap"
        label="New channel"
        does={async () => {
          const made = await players.createNoticeChannel({
            target:
              form.value === 'mail'
                ? { case: 'mail', value: { address: target.value.trim() } }
                : {
                    case: 'webhook',
                    value: {
                      url: target.value.trim(),
                      form: Number(form.value) as WebhookTemplate,
                    },
                  },
            settings: {
              kinds: [
                NoticeKind.INVITED,
                NoticeKind.YOUR_DECISION,
                NoticeKind.DEADLINE_NEAR,
                NoticeKind.MESSAGE,
                NoticeKind.ENDED,
              ],
            },
          });
          secret.value = made.secret;
          target.value = '';
          loaded.again();
        }}
      >
        {(busy) => (
          <>
            <Choose
              label="By what"
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
      </Ask>
      {secret.value ? (
        <p>
          The secret that signs its requests, shown only now:{' '}
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
      <h2>No invitations from</h2>
      <ul class="plain">
        {loaded.value.value?.players.map((player) => (
          <li key={player.playerId} class="row between">
            <bdi>{player.name}</bdi>
            <Act
              class="button small"
              label={`Unblock ${player.name}`}
              does={async () => {
                await players.unblockPlayer({ player: player.playerId });
                loaded.again();
              }}
            >
              Unblock
            </Act>
          </li>
        ))}
      </ul>
      <Ask
        class="row wrap"
        label="Block a player"
        does={async () => {
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
      </Ask>
    </section>
  );
}
