// Signing in with passkeys, by email and with accounts of other providers, and adding such methods.

import { signIns } from './engine/calls';
import type { SignInChoice, SignInProof } from './engine/contract';
import { Failure } from './engine/failure';
import { recall, remember } from './engine/storage';
import { t } from './words';

type Choice = SignInChoice['method'];
type Proof = SignInProof['proof'];

/** Whether this browser has passkeys. They need https or localhost. */
export const CAN_USE_PASSKEYS =
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'toJSON' in PublicKeyCredential.prototype;

export const PASSKEY: Choice = {
  case: 'passkey',
  value: { $typeName: 'heliopause.v1.PasskeyChoice' },
};

export function mailChoice(address: string): Choice {
  return {
    case: 'mail',
    value: { $typeName: 'heliopause.v1.MailChoice', address: address.trim() },
  };
}

/** What a finished sign-in returns. */
export interface SignedIn {
  player?: { playerId: string; name: string } | undefined;
  token?: { tokenId: string } | undefined;
  secret: string;
}

async function start(choice: Choice, adds: boolean) {
  const request = { choice: { method: choice } };
  const { attempt } = adds
    ? await signIns.startSignInMethod(request)
    : await signIns.startSignIn(request);
  if (!attempt) throw new Failure(t('sign-in-not-started'), 'INTERNAL');
  return attempt;
}

/** Finishes an attempt to sign in. */
export function finish(
  attemptId: string,
  proof: Proof,
  invitation: string,
): Promise<SignedIn & { created: boolean }> {
  return signIns.finishSignIn({ attemptId, proof: { proof }, invitation });
}

/** Finishes an attempt to add a method. */
export async function add(attemptId: string, proof: Proof, name = ''): Promise<void> {
  await signIns.addSignInMethod({ attemptId, proof: { proof }, name });
}

/** The last sign-in by email that this browser started. */
const MAIL_ATTEMPT = 'mail sign-in';

/** Sends a code to an email address. Returns the id of the attempt. */
export async function sendCode(address: string, adds: boolean): Promise<string> {
  const { attemptId } = await start(mailChoice(address), adds);
  remember(MAIL_ATTEMPT, attemptId);
  return attemptId;
}

export function codeProof(code: string): Proof {
  return { case: 'code', value: code.trim() };
}

/** Asks the browser for a passkey and signs in with it. */
export async function signInWithPasskey(): Promise<SignedIn> {
  const attempt = await start(PASSKEY, false);
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(
    JSON.parse(attempt.passkeyOptions),
  );
  const value = await credential(navigator.credentials.get({ publicKey: options }));
  return finish(attempt.attemptId, { case: 'passkey', value }, '');
}

/** Asks the browser for a new passkey and adds it to the account. */
export async function addPasskey(name: string): Promise<void> {
  const attempt = await start(PASSKEY, true);
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(
    JSON.parse(attempt.passkeyOptions),
  );
  const value = await credential(navigator.credentials.create({ publicKey: options }));
  await add(attempt.attemptId, { case: 'passkey', value }, name);
}

async function credential(asked: Promise<Credential | null>): Promise<string> {
  try {
    const found = await asked;
    if (found instanceof PublicKeyCredential) return JSON.stringify(found.toJSON());
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'InvalidStateError') {
      throw new Failure(t('sign-in-passkey-exists'), 'SIGN_IN_TAKEN');
    }
    if (!(thrown instanceof DOMException)) throw thrown;
  }
  throw new Failure(t('sign-in-no-passkey'), 'CANCELED');
}

/** An attempt that continues after the page of the provider. */
interface Waiting {
  attemptId: string;
  state: string;
  adds: boolean;
  keep: boolean;
  invitation: string;
}
const WAITING = 'provider sign-in';

/** Opens the page of a provider. It opens this page again, which then calls {@link takeReturn}. */
export async function openProvider(
  provider: string,
  { adds, keep, invitation = '' }: { adds: boolean; keep: boolean; invitation?: string },
): Promise<void> {
  const choice: Choice = {
    case: 'provider',
    value: { $typeName: 'heliopause.v1.ProviderChoice', provider },
  };
  const { attemptId, url } = await start(choice, adds);
  const state = new URL(url).searchParams.get('state') ?? '';
  // Only this tab can finish the attempt, so no foreign link can sign this browser in.
  const waiting: Waiting = { attemptId, state, adds, keep, invitation };
  sessionStorage.setItem(WAITING, JSON.stringify(waiting));
  location.assign(url);
}

/** Returns the attempt that the provider has sent back, and removes it from the address. */
export function takeReturn(): { waiting: Waiting; proof: Proof } | undefined {
  const query = new URLSearchParams(location.search);
  const state = query.get('state');
  if (location.pathname !== '/sign-in' || state === null) return undefined;
  history.replaceState(null, '', location.pathname);
  const stored = sessionStorage.getItem(WAITING);
  sessionStorage.removeItem(WAITING);
  const waiting = stored === null ? undefined : (JSON.parse(stored) as Waiting);
  if (waiting?.state !== state) {
    throw new Failure(t('sign-in-other-tab'), 'NOT_FOUND');
  }
  const code = query.get('code');
  if (code === null) throw new Failure(t('sign-in-provider-refused'), 'CANCELED');
  const value = { $typeName: 'heliopause.v1.ProviderProof' as const, code, state };
  return { waiting, proof: { case: 'provider', value } };
}

/** The attempt of a link from an email. */
interface MailLink {
  attemptId: string;
  code: string;
  /** Whether this browser started the attempt. */
  isOwn: boolean;
}

/** Returns the attempt and the code of a link from an email, and removes them from the address. */
export function takeMailLink(): MailLink | undefined {
  const link = new URLSearchParams(location.hash.slice(1)).get('mail');
  if (link === null) return undefined;
  history.replaceState(null, '', location.pathname);
  const [attemptId = '', code = ''] = link.split('.');
  return { attemptId, code, isOwn: recall(MAIL_ATTEMPT, '') === attemptId };
}

/** Signs in with a recovery code. */
export function recover(player: string, code: string): Promise<SignedIn> {
  return signIns.signInWithRecoveryCode({ player: player.trim(), code });
}

export async function createRecoveryCodes(): Promise<string[]> {
  return (await signIns.createRecoveryCodes({})).codes;
}
