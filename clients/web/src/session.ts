// The signed-in player, the account tokens, and what the server allows visitors.

import { computed, signal } from '@preact/signals';
import { players, profiles, revoke, usedToken, useToken } from './engine/calls';
import { AccountRole, type GetServerInfoResponse, type Player, WatchRule } from './engine/contract';
import { type Failure, failureOf } from './engine/failure';
import {
  forget,
  recall,
  remember,
  type StoredAccount,
  storeAccounts,
  storedAccounts,
  storedToken,
  storeToken,
} from './engine/storage';
import { go } from './router';
import {
  add,
  codeProof,
  createRecoveryCodes,
  finish,
  type SignedIn,
  takeMailLink,
  takeReturn,
} from './sign-in';

/** Whether the session is loaded, so that an undefined `me` means a guest. */
export const isSessionLoaded = signal(false);
/** The signed-in player; undefined for a guest. */
export const me = signal<Player | undefined>(undefined);
/** Whether the account can be entered without its tokens. */
export const hasWayBack = signal(false);
/** Why the session could not be loaded. */
export const sessionFailure = signal<Failure | undefined>(undefined);
export const server = signal<GetServerInfoResponse | undefined>(undefined);

const isOffline = signal(!navigator.onLine);
for (const change of ['online', 'offline']) {
  addEventListener(change, () => {
    isOffline.value = !navigator.onLine;
  });
}
/** Whether the session cannot be loaded because there is no connection. */
export const isUnreachable = computed(() => {
  if (me.value) return false;
  return isSessionLoaded.value
    ? sessionFailure.value?.reason === 'UNREACHABLE' && !server.value
    : isOffline.value;
});

export const isAdmin = computed(() => me.value?.role === AccountRole.ADMIN);
/** Whether the visitor may see games. */
export const canBrowse = computed(
  () => me.value !== undefined || server.value?.watch === WatchRule.PUBLIC,
);

/** The token of a new account, until the player confirms having saved it. */
export const createdToken = signal('');
/** The account of a sign-in link that any page could have opened. The player accepts it or not. */
export const linkedAccount = signal<LinkedAccount | undefined>(undefined);
/** Accounts that were signed in on this device before the current one. */
export const earlierAccounts = signal<readonly StoredAccount[]>([]);

interface LinkedAccount extends StoredAccount {
  tokenId: string;
}

/** A record that is stored until the player confirms having saved the token of a new account. */
interface UnsavedToken {
  playerId: string;
  /** Whether the player wants to stay signed in. */
  stays: boolean;
}
const UNSAVED_TOKEN = 'unsaved';

/** Signs in with a token, and stores it if the player wants to stay signed in. */
export async function signIn(token: string, keep: boolean): Promise<void> {
  const before = usedToken();
  useToken(token.trim());
  try {
    const found = await players.getMe({});
    // Stored before the name is shown: a player who sees it may leave or reload immediately.
    if (keep) await storeToken(token.trim());
    me.value = found.player;
    hasWayBack.value = found.hasWayBack;
    sessionFailure.value = undefined;
  } catch (thrown) {
    useToken(before);
    throw failureOf(thrown);
  }
}

/** Creates an account and signs in. Stores the token until the player has saved it. */
export async function register(name: string, invitation: string, stays: boolean): Promise<void> {
  const { player, token } = await players.register({ name, invitation });
  remember(UNSAVED_TOKEN, { playerId: player?.playerId ?? '', stays } satisfies UnsavedToken);
  // Stored before the token is shown: a player who sees it may reload immediately.
  await storeToken(token);
  // Set before the next call, which can fail: only this response contains the token.
  createdToken.value = token;
  await signIn(token, false);
}

/** Creates a guest account and signs in. */
export async function playAsGuest(invitation: string, stays: boolean): Promise<void> {
  const { token } = await players.register({ name: '', invitation });
  await signIn(token, stays);
}

/** Changes the name of the signed-in account. */
export async function rename(name: string): Promise<void> {
  me.value = (await profiles.renameMe({ name: name.trim().normalize('NFC') })).player;
}

/** Deletes the signed-in account and forgets its token. */
export async function deleteAccount(name: string): Promise<void> {
  await profiles.deleteMe({ name: name.trim().normalize('NFC') });
  await signOut(undefined);
}

/** Creates recovery codes for the account, which replace earlier ones. */
export async function newRecoveryCodes(): Promise<string[]> {
  const codes = await createRecoveryCodes();
  hasWayBack.value = true;
  return codes;
}

/** Reads again whether the account has a way back. */
export async function refreshWayBack(): Promise<void> {
  hasWayBack.value = (await players.getMe({})).hasWayBack;
}

/** Finishes the step that shows the token of a new account. */
export async function confirmSaved(): Promise<void> {
  const unsaved = recall<UnsavedToken | undefined>(UNSAVED_TOKEN, undefined);
  if (unsaved?.stays === false) await storeToken('');
  forget(UNSAVED_TOKEN);
  createdToken.value = '';
}

/** Signs in as another account. The current account can be chosen again in this browser. */
export async function switchTo({ name, token }: StoredAccount): Promise<void> {
  const before = me.value && { name: me.value.name, token: usedToken() };
  const known = earlierAccounts.value;
  const rest = known.filter((each) => each.name !== name);
  const others = before ? [before, ...rest.filter((each) => each.name !== before.name)] : rest;
  // Stored before the new name is shown: a player who sees it may reload immediately.
  await storeAccounts(others);
  try {
    await signIn(token, true);
  } catch (thrown) {
    const failure = failureOf(thrown);
    await setEarlierAccounts(failure.reason === 'TOKEN_INVALID' ? rest : known);
    throw failure;
  }
  earlierAccounts.value = others;
}

async function setEarlierAccounts(accounts: readonly StoredAccount[]): Promise<void> {
  earlierAccounts.value = accounts;
  await storeAccounts(accounts);
}

/** Signs in with the one-time code of a link. */
async function signInByCode(code: string): Promise<void> {
  // A link has no form with the choice to stay signed in, so its token is stored.
  await adopt(await players.signIn({ code }), true, false);
}

/**
 * Uses the token of a finished sign-in. Asks first if another account is signed in, or if this
 * browser did not start the sign-in.
 */
export async function adopt(
  { player, token, secret }: SignedIn,
  keep: boolean,
  isOwn = true,
): Promise<void> {
  const tokenId = token?.tokenId ?? '';
  if (!me.value && isOwn) await signIn(secret, keep);
  else if (player && player.playerId === me.value?.playerId) await revoke(secret, tokenId);
  else linkedAccount.value = { name: player?.name ?? '', token: secret, tokenId };
}

/** Signs in as the account of the link, or does not. */
export async function answerAccountSwitch(accepts: boolean): Promise<void> {
  const link = linkedAccount.value;
  if (!link) return;
  if (accepts) await switchTo(link);
  // Revokes the unused token. If the engine is unreachable, the token stays unused.
  else await revoke(link.token, link.tokenId).catch(() => undefined);
  linkedAccount.value = undefined;
}

/** Signs out and deletes the stored token. Also revokes the token with this id, if given. */
export async function signOut(tokenId: string | undefined): Promise<void> {
  // Deleted first: a player who has clicked may leave or reload immediately.
  await storeToken('');
  if (tokenId !== undefined) await players.revokeToken({ tokenId }).catch(() => undefined);
  useToken('');
  me.value = undefined;
  hasWayBack.value = false;
  createdToken.value = '';
  forget(UNSAVED_TOKEN);
}

/** Removes the code from the address, so that it is not in the history or in a copied address. */
function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname);
  return code;
}

/** Restores the session from the stored token and from a link's code. */
export async function resume(): Promise<void> {
  const code = takeCode();
  const info = players.getServerInfo({}).then(
    (found) => {
      server.value = found;
    },
    (thrown: unknown) => {
      sessionFailure.value ??= failureOf(thrown);
    },
  );
  try {
    await restoreSession();
    if (code !== null) await signInByCode(code);
    await finishFromAddress();
  } catch (thrown) {
    sessionFailure.value = failureOf(thrown);
  }
  await info;
  isSessionLoaded.value = true;
  // Opening a link in a tab that shows this page changes only the fragment.
  addEventListener('hashchange', () => {
    const next = takeCode();
    const signsIn = next === null ? finishFromAddress() : signInByCode(next);
    signsIn.catch((thrown: unknown) => {
      sessionFailure.value = failureOf(thrown);
    });
  });
}

/** Finishes the sign-in of a link from an email, or of the page of a provider. */
async function finishFromAddress(): Promise<void> {
  const link = takeMailLink();
  if (link) {
    const done = await finish(link.attemptId, codeProof(link.code), '');
    await adopt(done, true, link.isOwn);
    go(done.created ? '/account' : '/', true);
  }
  const returned = takeReturn();
  if (!returned) return;
  const { waiting, proof } = returned;
  if (waiting.adds) {
    await add(waiting.attemptId, proof);
    await refreshWayBack();
    go('/account', true);
    return;
  }
  const done = await finish(waiting.attemptId, proof, waiting.invitation);
  await adopt(done, waiting.keep);
  go(done.created ? '/account' : '/', true);
}

async function restoreSession(): Promise<void> {
  earlierAccounts.value = await storedAccounts();
  const token = await storedToken();
  if (token === '') return;
  try {
    await signIn(token, false);
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure.reason !== 'TOKEN_INVALID') throw failure;
    await storeToken('');
    sessionFailure.value = failure;
    return;
  }
  const unsaved = recall<UnsavedToken | undefined>(UNSAVED_TOKEN, undefined);
  if (unsaved && unsaved.playerId === me.value?.playerId) createdToken.value = token;
}
