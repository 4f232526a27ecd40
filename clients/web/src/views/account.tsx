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
import { notifies, theme, themes } from '../settings';
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
  NameForm,
  Select,
  useLoaded,
} from '../ui/components';
import { instant, msOf, rich, t } from '../words';
import { clientName } from './client-name';
import { LanguageSelect } from './language';
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
          <ActionButton action={leave}>{t('account-sign-out')}</ActionButton>
        ) : (
          <button type="button" class="button" onClick={() => (leaves.value = true)}>
            {t('account-sign-out')}
          </button>
        )}
      </header>
      {me.value?.guest ? <ChooseName /> : null}
      <p class="faint">
        {rich('account-dedication', {
          dedication: me.value?.dedication ?? 0,
          profile: <a href={playerPath(me.value?.name ?? '')}>{t('account-your-profile')}</a>,
        })}
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
          {t('page-licenses')}
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
    <CallForm
      class="card row wrap"
      label={t('account-choose-name')}
      action={() => rename(name.value)}
    >
      {(busy) => (
        <>
          <Field label={t('account-choose-your-name')} hint={t('account-guest-hint')}>
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
            {t('account-take-name')}
          </button>
        </>
      )}
    </CallForm>
  );
}

function kindWords(kind: SignInKind): string {
  switch (kind) {
    case SignInKind.PASSKEY:
      return t('account-kind-passkey');
    case SignInKind.MAIL:
      return t('account-kind-mail');
    case SignInKind.PROVIDER:
      return t('account-kind-provider');
    default:
      return '';
  }
}

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
    <section class="card" aria-label={t('account-ways-back')}>
      <h2>{t('account-ways-back-title')}</h2>
      <ErrorLine failure={loaded.failure.value} />
      <ul class="plain">
        {loaded.value.value?.methods.map((method) => (
          <li key={method.methodId} class="row between">
            <span>
              {kindWords(method.kind)} <bdi>{method.name}</bdi>{' '}
              <span class="faint small">{instant(msOf(method.useTime ?? method.createTime))}</span>
            </span>
            <ActionButton
              class="button small"
              label={t('account-remove-method', { name: method.name })}
              action={async () => {
                const isLast = loaded.value.value?.methods.length === 1 && left === 0;
                const warning = <p>{t('account-last-way-text')}</p>;
                if (isLast && !(await confirm(t('account-last-way'), warning, t('page-remove'))))
                  return;
                const { methodId } = method;
                await signIns.removeSignInMethod({ methodId, confirmed: isLast });
                await changed();
              }}
            >
              {t('page-remove')}
            </ActionButton>
          </li>
        ))}
      </ul>
      <p class="row wrap">
        {info?.passkeysOn && CAN_USE_PASSKEYS ? (
          <ActionButton
            action={async () => {
              await addPasskey(clientName(navigator.userAgent));
              await changed();
            }}
          >
            {t('account-add-passkey')}
          </ActionButton>
        ) : null}
        {info?.signInProviders.map((provider) => (
          <ActionButton
            key={provider}
            action={() => openProvider(provider, { adds: true, keep: true })}
          >
            {rich('account-add-provider', { provider: <bdi>{provider}</bdi> })}
          </ActionButton>
        ))}
      </p>
      {info?.mailSignInOn ? <AddMail added={changed} /> : null}
      <p class="row wrap">
        {left === 0 ? t('account-no-codes') : t('account-codes-left', { count: left })}{' '}
        <ActionButton
          class="button small"
          action={async () => {
            codes.value = await newRecoveryCodes();
            loaded.again();
          }}
        >
          {left === 0 ? t('account-create-codes') : t('account-replace-codes')}
        </ActionButton>
      </p>
      {codes.value.length > 0 ? <Codes codes={codes.value} /> : null}
    </section>
  );
}

function AddMail({ added }: { added: () => Promise<void> }) {
  const address = useSignal('');
  const attempt = useSignal('');
  const code = useSignal('');
  const isSent = attempt.value !== '';
  return (
    <CallForm
      class="row wrap aligned"
      label={t('account-add-mail')}
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
          <Field label={t('sign-in-mail-address')}>
            {(id) => (
              <input
                type="email"
                id={id}
                placeholder="ann@example.org"
                required
                readOnly={isSent}
                value={address.value}
                onInput={(event) => (address.value = event.currentTarget.value)}
              />
            )}
          </Field>
          {isSent ? (
            <Field label={t('sign-in-mail-code')}>
              {(id) => (
                <input
                  id={id}
                  inputMode="numeric"
                  autocomplete="one-time-code"
                  required
                  value={code.value}
                  onInput={(event) => (code.value = event.currentTarget.value)}
                />
              )}
            </Field>
          ) : null}
          <button type="submit" class="button small" aria-busy={busy}>
            {isSent ? t('account-add-address') : t('sign-in-send-code')}
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
    <Dialog title={t('account-sign-out-question')} class="confirm" close={close}>
      <p>
        {ending !== undefined
          ? t('account-sign-out-link')
          : others > 0
            ? t('account-sign-out-others')
            : t('account-sign-out-last')}
      </p>
      {shown === '' ? (
        <ActionButton
          action={async () => {
            made.value = (
              await players.createToken({ name: t('account-saved-at-sign-out') })
            ).secret;
          }}
        >
          {t('account-create-token')}
        </ActionButton>
      ) : (
        <Copyable
          text={shown}
          label={t('page-copy-token')}
          copied={() => (isCopied.value = true)}
        />
      )}
      <footer>
        <button type="button" class="button strong" onClick={close}>
          {t('account-stay')}
        </button>
        <ActionButton
          action={async () => {
            await signOut(ending);
            go('/sign-in');
          }}
        >
          {isCopied.value || shown === '' ? t('account-sign-out') : t('account-saved-sign-out')}
        </ActionButton>
      </footer>
    </Dialog>
  );
}

function Here() {
  return (
    <section class="card" aria-label={t('account-this-device')}>
      <h2>{t('account-this-device')}</h2>
      <Field label={t('account-colors')}>
        {(id) => (
          <Select
            id={id}
            value={theme.value}
            options={themes()}
            set={(value) => (theme.value = value)}
          />
        )}
      </Field>
      <Field label={t('account-language')}>{(id) => <LanguageSelect id={id} />}</Field>
      <Checkbox value={notifies.value} set={(wish) => void askToNotify(wish)}>
        {t('account-notify')}
      </Checkbox>
    </section>
  );
}

function Device() {
  const code = useSignal<{ code: string; due: number | undefined } | undefined>(undefined);
  return (
    <section class="card" aria-label={t('account-another-device')}>
      <h2>{t('account-another-device')}</h2>
      <p>{t('account-device-link')}</p>
      <ActionButton
        action={async () => {
          const made = await players.createSignInCode({});
          code.value = { code: made.code, due: msOf(made.expireTime) };
        }}
      >
        {t('account-create-link')}
      </ActionButton>
      {code.value ? (
        <p>
          <Copyable
            key={code.value.code}
            text={`${location.origin}/#code=${code.value.code}`}
            label={t('page-copy-link')}
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
    <section class="card" aria-label={t('account-tokens')}>
      <h2>{t('account-sessions')}</h2>
      <ErrorLine failure={loaded.failure.value} />
      <ul class="plain">
        {loaded.value.value?.tokens.map((token) => (
          <li key={token.tokenId} class="row between">
            <span>
              <bdi>{token.name || t('account-first-token')}</bdi>{' '}
              <span class="faint small" title={token.agent}>
                {[
                  clientName(token.agent),
                  token.useTime
                    ? t('account-last-use', { time: instant(msOf(token.useTime)) })
                    : t('account-created', { time: instant(msOf(token.createTime)) }),
                  token.signedIn ? t('account-signed-in') : '',
                ]
                  .filter((words) => words !== '')
                  .join(', ')}
              </span>
            </span>
            {token.current ? (
              <span class="chip">{t('account-this-device-chip')}</span>
            ) : (
              <ActionButton
                class="button small"
                label={t('account-revoke-token', { name: token.name })}
                action={async () => {
                  await players.revokeToken({ tokenId: token.tokenId });
                  loaded.again();
                }}
              >
                {t('account-revoke')}
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
      <CallForm
        class="row wrap aligned"
        label={t('account-new-token')}
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
            <Field label={t('account-token-purpose')}>
              {(id) => (
                <input
                  id={id}
                  placeholder={t('account-for-a-bot')}
                  maxLength={64}
                  required
                  value={name.value}
                  onInput={(event) => (name.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <button type="submit" class="button small" aria-busy={busy}>
              {t('account-new-token')}
            </button>
          </>
        )}
      </CallForm>
      {secret.value ? (
        <p>
          {rich('account-shown-once', {
            token: <Copyable key={secret.value} text={secret.value} label={t('page-copy-token')} />,
          })}
        </p>
      ) : null}
    </section>
  );
}

function stateWords(state: NoticeChannelState): string {
  switch (state) {
    case NoticeChannelState.UNCONFIRMED:
      return t('account-channel-unconfirmed');
    case NoticeChannelState.ACTIVE:
      return t('account-channel-on');
    case NoticeChannelState.OFF:
      return t('account-channel-off');
    default:
      return '';
  }
}

const WEBHOOK_FORMS: readonly [string, string][] = [
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
    <section class="card" aria-label={t('account-notices')}>
      <h2>{t('account-notices-title')}</h2>
      <ul class="plain">
        {channels.map((channel) => {
          const { channelId, target } = channel;
          const isOwn = isThisDevice(target, own.value);
          const isWaiting = channel.state === NoticeChannelState.UNCONFIRMED;
          return (
            <li key={channelId}>
              <p>
                <bdi>{whereOf(target)}</bdi>
                {isOwn ? ` (${t('account-this-device-chip')})` : ''}{' '}
                <span class="chip">{stateWords(channel.state)}</span> {channel.offBecause}
              </p>
              <div class="row wrap">
                {isWaiting && target.case === 'push' ? null : isWaiting ? (
                  <>
                    <input
                      aria-label={t('sign-in-code')}
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
                      {t('account-confirm')}
                    </ActionButton>
                  </>
                ) : (
                  <ActionButton
                    class="button small"
                    action={() => players.testNoticeChannel({ channelId })}
                  >
                    {t('account-test')}
                  </ActionButton>
                )}
                <ActionButton
                  class="button small danger"
                  action={async () => {
                    if (
                      !(await confirm(
                        t('account-remove-channel'),
                        <p>{t('account-notices-lost')}</p>,
                        t('page-remove'),
                      ))
                    )
                      return;
                    if (isOwn) await turnOff();
                    await players.deleteNoticeChannel({ channelId });
                    loaded.again();
                  }}
                >
                  {t('page-remove')}
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
          {t('account-push-here')}
        </ActionButton>
      ) : null}
      <CallForm
        class="row wrap aligned"
        label={t('account-new-channel')}
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
            <Field label={t('account-channel-kind')}>
              {(id) => (
                <Select
                  id={id}
                  value={form.value}
                  options={[['mail', t('account-channel-mail')], ...WEBHOOK_FORMS]}
                  set={(value) => (form.value = value)}
                />
              )}
            </Field>
            <Field label={t('account-address')}>
              {(id) => (
                <input
                  id={id}
                  placeholder={form.value === 'mail' ? 'ann@example.org' : 'https://…'}
                  required
                  value={target.value}
                  onInput={(event) => (target.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <button type="submit" class="button small" aria-busy={busy}>
              {t('account-add')}
            </button>
          </>
        )}
      </CallForm>
      {secret.value ? (
        <p>{rich('account-secret', { secret: <code class="secret">{secret.value}</code> })}</p>
      ) : null}
    </section>
  );
}

function Blocked() {
  const loaded = useLoaded(() => players.listBlockedPlayers({}));
  return (
    <section class="card" aria-label={t('account-blocked')}>
      <h2>{t('account-blocked')}</h2>
      <ul class="plain">
        {loaded.value.value?.players.map((player) => (
          <li key={player.playerId} class="row between">
            <bdi>{player.name}</bdi>
            <ActionButton
              class="button small"
              label={t('account-unblock-player', { name: player.name })}
              action={async () => {
                await players.unblockPlayer({ player: player.playerId });
                loaded.again();
              }}
            >
              {t('account-unblock')}
            </ActionButton>
          </li>
        ))}
      </ul>
      <NameForm
        label={t('account-block-player')}
        field={t('account-player-name')}
        button={t('account-block')}
        action={async (name) => {
          await players.blockPlayer({ player: name.trim() });
          loaded.again();
        }}
      />
    </section>
  );
}
