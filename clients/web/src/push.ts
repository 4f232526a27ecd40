// Push messages: notices on this device while the page is closed.

import { players } from './engine/calls';
import { type NoticeChannel, NoticeChannelState, NoticeKind } from './engine/contract';
import { Failure } from './engine/failure';
import { t } from './words';

export const NOTICE_KINDS = [
  NoticeKind.INVITED,
  NoticeKind.YOUR_DECISION,
  NoticeKind.DEADLINE_NEAR,
  NoticeKind.MESSAGE,
  NoticeKind.ENDED,
];

export const CAN_PUSH = 'serviceWorker' in navigator && 'PushManager' in window;

/** Turns on push messages on this device. */
export async function turnOn(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Failure(t('account-notices-forbidden'), 'NOTICES_OFF');
  }
  // A subscription of another account would keep its key.
  await (await current())?.unsubscribe();
  const { channel } = await players.createNoticeChannel({
    target: { case: 'push', value: { name: deviceName() } },
    settings: { kinds: NOTICE_KINDS },
  });
  if (channel?.target.case !== 'push') return;
  const { channelId } = channel;
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    const applicationServerKey = new Uint8Array(channel.target.value.serverKey);
    await subscribed(
      channelId,
      await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }),
    );
  } catch (error) {
    await players.deleteNoticeChannel({ channelId });
    if (error instanceof Failure) throw error;
    throw new Failure(t('account-push-impossible'), 'NOTICES_OFF');
  }
}

/** Ends the subscription of this device. Its channel remains. */
export async function turnOff(): Promise<void> {
  await (await current())?.unsubscribe();
}

/** Returns the key of the channel that this device has subscribed to. */
export async function ownKey(): Promise<Uint8Array | undefined> {
  const key = (await current())?.options.applicationServerKey;
  return key ? new Uint8Array(key) : undefined;
}

/** Sends the subscription to the engine again, because the browser may have renewed it. */
export async function renew(): Promise<void> {
  const subscription = await current();
  const key = subscription && (await ownKey());
  if (!key) return;
  const { channels } = await players.listNoticeChannels({});
  const own = channels.find(
    ({ target, state }) => state === NoticeChannelState.ACTIVE && isThisDevice(target, key),
  );
  if (own) await subscribed(own.channelId, subscription);
}

/** Returns whether a channel sends to the subscription with a key. */
export function isThisDevice(
  target: NoticeChannel['target'],
  key: Uint8Array | undefined,
): boolean {
  if (target.case !== 'push' || !key) return false;
  return target.value.serverKey.join() === key.join();
}

async function current(): Promise<PushSubscription | undefined> {
  if (!CAN_PUSH) return undefined;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? undefined;
}

async function subscribed(channelId: string, subscription: PushSubscription): Promise<void> {
  const bytes = (name: PushEncryptionKeyName) =>
    new Uint8Array(subscription.getKey(name) ?? new ArrayBuffer(0));
  await players.confirmNoticeChannel({
    channelId,
    subscription: { endpoint: subscription.endpoint, key: bytes('p256dh'), auth: bytes('auth') },
  });
}

/** Returns a name such as "Firefox on Linux". */
function deviceName(): string {
  const { userAgent } = navigator;
  const find = (names: readonly string[]) => names.find((name) => userAgent.includes(name));
  const browser = find(['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari']) ?? t('account-browser');
  const system = find(['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux']);
  const shown: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' };
  const name = shown[browser] ?? browser;
  return system ? t('page-browser-on-system', { browser: name, system }) : name;
}
