// News of all the player's games: toasts, the browser's notices, and the title of the page.

import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { effect, signal } from '@preact/signals';
import { engine } from './engine/calls';
import {
  type GameNotice,
  GameNoticeSchema,
  GameService,
  NoticeKind,
  type StreamMyGamesResponse,
} from './engine/contract';
import { follow } from './engine/follow';
import { gamePath, go, route } from './router';
import { me } from './session';
import { notifies } from './settings';

/** Counts news: lists are read anew when it changes. */
export const news = signal(0);
/** The games that wait for the player. */
export const waiting = signal<ReadonlySet<string>>(new Set());
/** What is shown for a while in a corner. */
export const toasts = signal<readonly Toast[]>([]);

export interface Toast {
  key: number;
  text: string;
  /** The game that it is about: its id, and what it is called. */
  game: string;
  name: string;
}

const SHOWN_MS = 8_000;
let keys = 0;

/** Shows a sentence in a corner, for a while. */
export function toast(text: string, game = '', name = ''): void {
  keys += 1;
  const key = keys;
  toasts.value = [...toasts.value.slice(-3), { key, text, game, name }];
  setTimeout(() => dismiss(key), SHOWN_MS);
}

export function dismiss(key: number): void {
  toasts.value = toasts.value.filter((each) => each.key !== key);
}

/** A notice on its way from the tab that hears it to the others. */
interface Passed {
  notice: Uint8Array<ArrayBuffer>;
  isNews: boolean;
}

/** Follows the notices of whoever is signed in. */
export function startNotices(): void {
  effect(() => {
    const player = me.value?.playerId;
    if (player === undefined) return undefined;
    const name = `heliopause notices ${player}`;
    const others = new BroadcastChannel(name);
    others.onmessage = ({ data }: MessageEvent<Passed>) => {
      heard(fromBinary(GameNoticeSchema, data.notice), data.isNews, false);
    };
    const ended = new AbortController();
    // A browser has few connections to a server: one tab hears for all of them.
    const lead = () =>
      new Promise<void>((resolve) => {
        const stop = listen(others);
        ended.signal.addEventListener('abort', () => {
          stop();
          resolve();
        });
      });
    if ('locks' in navigator) {
      navigator.locks.request(name, { signal: ended.signal }, lead).catch(() => undefined);
    } else void lead();
    return () => {
      ended.abort();
      others.close();
    };
  });
  effect(() => {
    const count = waiting.value.size;
    document.title = count > 0 ? `(${count}) Heliopause` : 'Heliopause';
  });
}

/** Hears the notices, and passes them on to the other tabs. */
function listen(others: BroadcastChannel): () => void {
  // What is open at the start is no news.
  let isNews = false;
  return follow<StreamMyGamesResponse>({
    listen: (options) => {
      const request = () => {
        isNews = false;
        return {};
      };
      return engine.listen(GameService.method.streamMyGames, request, options);
    },
    hear: ({ notice }) => {
      if (notice.case === 'game') {
        const bytes = toBinary(GameNoticeSchema, notice.value) as Uint8Array<ArrayBuffer>;
        others.postMessage({ notice: bytes, isNews } satisfies Passed);
        heard(notice.value, isNews, true);
      }
      if (notice.case === 'caughtUp') isNews = true;
      if (notice.case === 'caughtUp' || notice.case === 'fellBehind') news.value += 1;
    },
    lost: () => undefined,
  });
}

function heard(notice: GameNotice, isNews: boolean, isFirst: boolean): void {
  const { gameId, kind } = notice;
  const next = new Set(waiting.value);
  if (kind === NoticeKind.YOUR_DECISION) next.add(gameId);
  if (kind === NoticeKind.ENDED) next.delete(gameId);
  waiting.value = next;
  if (!isNews) return;
  news.value += 1;
  const here = route.value;
  const isOpen =
    here.at === 'game' && here.game === gameId && document.visibilityState === 'visible';
  if (isOpen) return;
  toast(notice.text, gameId, notice.name);
  // One tab speaks for all of them.
  if (isFirst && document.visibilityState !== 'visible') notify(notice);
}

/** The game waits for the player no longer, or again. */
export function setWaiting(gameId: string, waits: boolean): void {
  if (waiting.value.has(gameId) === waits) return;
  const next = new Set(waiting.value);
  if (waits) next.add(gameId);
  else next.delete(gameId);
  waiting.value = next;
}

function notify({ name, text, gameId }: GameNotice): void {
  if (!notifies.value || !('Notification' in window) || Notification.permission !== 'granted')
    return;
  const shown = new Notification(name, { body: text, tag: gameId, icon: '/icon.svg' });
  shown.onclick = () => {
    focus();
    go(gamePath(gameId));
    shown.close();
  };
}

/** Asks the browser whether it shows notices. */
export async function askToNotify(wish: boolean): Promise<void> {
  notifies.value = wish && (await Notification.requestPermission()) === 'granted';
}
