// Who sits before the page, and what the server offers.

import { computed, signal } from '@preact/signals';
import { players, revoke, usedToken, useToken } from './engine/calls';
import { AccountRole, type GetServerInfoResponse, type Player, WatchRule } from './engine/contract';
import { type Failure, failureOf } from './engine/failure';
import {
  forget,
  type KeptAccount,
  keepAccounts,
  keepToken,
  keptAccounts,
  keptToken,
  recall,
  remember,
} from './engine/keep';

/** Whether it is known yet who is here. */
export const isKnown = signal(false);
/** Who is here; undefined for a guest. */
export const me = signal<Player | undefined>(undefined);
/** Why the engine could not tell who is here. */
export const trouble = signal<Failure | undefined>(undefined);
/** What the server offers. */
export const server = signal<GetServerInfoResponse | undefined>(undefined);

export const isAdmin = computed(() => me.value?.role === AccountRole.ADMIN);
/** Whether there is something to see for who is here. */
export const maySee = computed(
  () => me.value !== undefined || server.value?.watch === WatchRule.PUBLIC,
);

/** The token of a new account, until its owner has kept it. */
export const freshToken = signal('');
/** The account of a link, if another account is signed in: the player chooses between the two. */
export const offered = signal<Offered | undefined>(undefined);
/** Accounts that were signed in on this device before the current one. */
export const accountsBefore = signal<readonly KeptAccount[]>([]);

interface Offered extends KeptAccount {
  tokenId: string;
}

/** Marks in this browser that the token of a new account was not confirmed as kept. */
interface Unkept {
  playerId: string;
  /** Whether the player wants to stay signed in. */
  stays: boolean;
}
const UNKEPT = 'unkept';

/** Takes a token: asks whose it is, and keeps it if the player wants that. */
export async function signIn(token: string, keep: boolean): Promise<void> {
  const before = usedToken();
  useToken(token.trim());
  try {
    const { player } = await players.getMe({});
    // First kept, then told: whoever sees their name may leave or reload at once.
    if (keep) await keepToken(token.trim());
    me.value = player;
    trouble.value = undefined;
  } catch (thrown) {
    useToken(before);
    throw failureOf(thrown);
  }
}

/** Opens an account and signs in. The token is kept here at least until its owner has kept it. */
export async function register(name: string, invitation: string, stays: boolean): Promise<void> {
  const { player, token } = await players.register({ name, invitation });
  remember(UNKEPT, { playerId: player?.playerId ?? '', stays } satisfies Unkept);
  // Shown even if the next call fails: only this answer holds the token.
  freshToken.value = token;
  await signIn(token, true);
}

/** Ends the step that shows the token of a new account. */
export async function confirmKept(): Promise<void> {
  const unkept = recall<Unkept | undefined>(UNKEPT, undefined);
  if (unkept?.stays === false) await keepToken('');
  forget(UNKEPT);
  freshToken.value = '';
}

/** Signs in as another account. The current account stays reachable in this browser. */
export async function switchTo({ name, token }: KeptAccount): Promise<void> {
  const before = me.value && { name: me.value.name, token: usedToken() };
  const rest = accountsBefore.value.filter((each) => each.name !== name);
  try {
    await signIn(token, true);
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure.reason === 'TOKEN_INVALID') await setAccountsBefore(rest);
    throw failure;
  }
  const others = rest.filter((each) => each.name !== before?.name);
  await setAccountsBefore(before ? [before, ...others] : others);
}

async function setAccountsBefore(accounts: readonly KeptAccount[]): Promise<void> {
  accountsBefore.value = accounts;
  await keepAccounts(accounts);
}

/** Signs in by a code that is valid once. Asks first if another account is signed in. */
async function signInByCode(code: string): Promise<void> {
  const { player, token, secret } = await players.signIn({ code });
  const tokenId = token?.tokenId ?? '';
  // A code opens a page without a question, so the page stays signed in.
  if (!me.value) await signIn(secret, true);
  else if (player?.playerId === me.value.playerId) await revoke(secret, tokenId);
  else offered.value = { name: player?.name ?? '', token: secret, tokenId };
}

/** Signs in as the account of the link, or stays with the current one. */
export async function answerOffer(accepts: boolean): Promise<void> {
  const link = offered.value;
  if (!link) return;
  if (accepts) await switchTo(link);
  // The token of the link must not outlive the refusal; without an engine it cannot be used here.
  else await revoke(link.token, link.tokenId).catch(() => undefined);
  offered.value = undefined;
}

/** Signs out: this browser forgets the token. `tokenId` names a token that ends with the session. */
export async function signOut(tokenId: string | undefined): Promise<void> {
  // Without an engine the token is forgotten all the same.
  if (tokenId !== undefined) await players.revokeToken({ tokenId }).catch(() => undefined);
  useToken('');
  me.value = undefined;
  freshToken.value = '';
  forget(UNKEPT);
  await keepToken('');
}

/** Takes the code out of the address: it must be neither in the history nor in a copied address. */
function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname);
  return code;
}

/** Comes back with the token that was kept, and takes the code of a link. */
export async function resume(): Promise<void> {
  const code = takeCode();
  const info = players.getServerInfo({}).then(
    (found) => {
      server.value = found;
    },
    (thrown: unknown) => {
      trouble.value ??= failureOf(thrown);
    },
  );
  try {
    await comeBack();
    if (code !== null) await signInByCode(code);
  } catch (thrown) {
    trouble.value = failureOf(thrown);
  }
  await info;
  isKnown.value = true;
  // A link that is opened in a tab with this page changes only the fragment.
  addEventListener('hashchange', () => {
    const next = takeCode();
    if (next === null) return;
    signInByCode(next).catch((thrown: unknown) => {
      trouble.value = failureOf(thrown);
    });
  });
}

/** Signs in with the token that was kept, if there is one. */
async function comeBack(): Promise<void> {
  accountsBefore.value = await keptAccounts();
  const token = await keptToken();
  if (token === '') return;
  try {
    await signIn(token, false);
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure.reason !== 'TOKEN_INVALID') throw failure;
    await keepToken('');
    trouble.value = failure;
    return;
  }
  const unkept = recall<Unkept | undefined>(UNKEPT, undefined);
  if (unkept && unkept.playerId === me.value?.playerId) freshToken.value = token;
}
