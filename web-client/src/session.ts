// Who sits before the page, and what the server offers.

import { computed, signal } from '@preact/signals';
import { players, useToken } from './engine/calls';
import { AccountRole, type GetServerInfoResponse, type Player, WatchRule } from './engine/contract';
import { type Failure, failureOf } from './engine/failure';
import { keepToken, keptToken } from './engine/keep';

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

/** Takes a token: asks whose it is, and keeps it if the player wants that. */
export async function signIn(token: string, keep: boolean): Promise<void> {
  useToken(token.trim());
  try {
    const { player } = await players.getMe({});
    // First kept, then told: whoever sees their name may leave or reload at once.
    if (keep) await keepToken(token.trim());
    me.value = player;
    trouble.value = undefined;
  } catch (thrown) {
    useToken('');
    throw failureOf(thrown);
  }
}

/** Opens an account, and signs in with its token, which is returned: it is shown only once. */
export async function register(name: string, invitation: string, keep: boolean): Promise<string> {
  const { token } = await players.register({ name, invitation });
  await signIn(token, keep);
  return token;
}

/** Signs in with a code that is valid once. */
export async function signInByCode(code: string): Promise<void> {
  const { secret } = await players.signIn({ code });
  // A code opens a page without a question, so the page stays signed in.
  await signIn(secret, true);
}

/** The engine's name for the tokens that codes give. */
const BY_CODE = 'web page';

/** Leaves: this browser forgets the token. One that a code gave it was for this browser alone. */
export async function signOut(): Promise<void> {
  try {
    const { tokens } = await players.listTokens({});
    const mine = tokens.find((token) => token.current);
    if (mine?.name === BY_CODE) await players.revokeToken({ tokenId: mine.tokenId });
  } catch {
    // Without an engine the token is forgotten all the same.
  }
  useToken('');
  me.value = undefined;
  await keepToken('');
}

/** Comes back with the token that was kept, or with the code of a link. */
export async function resume(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  // The code must stand neither in the history nor in what is copied from the address.
  if (code !== null) history.replaceState(null, '', location.pathname);
  const info = players.getServerInfo({}).then(
    (found) => {
      server.value = found;
    },
    (thrown: unknown) => {
      trouble.value ??= failureOf(thrown);
    },
  );
  try {
    if (code !== null) await signInByCode(code);
  } catch (thrown) {
    trouble.value = failureOf(thrown);
  }
  try {
    const token = me.value ? '' : await keptToken();
    if (token !== '') await signIn(token, false);
    await info;
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure.reason === 'TOKEN_INVALID') await keepToken('');
    trouble.value ??= failure;
  }
  isKnown.value = true;
}
