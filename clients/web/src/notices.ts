// Notices of the player's games: toasts, browser notifications, and the page's title.

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

/** Incremented by new notices and reconnections: lists are reloaded when it changes. */
export const news = signal(0);
/** The games in which the player has a pending decision. */
export const waiting = signal<ReadonlySet<string>>(new Set());
export const toasts = signal<readonly Toast[]>([]);

export interface Toast {
  key: number;
  kind: NoticeKind;
  text: string;
  /** The id and the title of the game, if the toast is about one. */
  game: string;
  name: string;
}

const SHOWN_MS = 8_000;
let keys = 0;

export function toast(text: string, game = '', name = '', kind = NoticeKind.UNSPECIFIED): void {
  keys += 1;
  const key = keys;
  // A vote is shown once, with its latest state.
  const isOlder = (each: Toast) => kind === NoticeKind.VOTE && each.kind === kind;
  const others = toasts.value.filter((each) => !isOlder(each) || each.game !== game);
  toasts.value = [...others.slice(-3), { key, kind, text, game, name }];
  setTimeout(() => dismiss(key), SHOWN_MS);
}

export function dismiss(key: number): void {
  toasts.value = toasts.value.filter((each) => each.key !== key);
}

/** For how long the notices of the player's own vote may arrive. */
const OWN_VOTE_MS = 3_000;
let ownVote = { game: '', until: 0 };

/** Suppresses the notices of a vote that the player proposes or casts on this page. */
export function expectOwnVote(game: string): void {
  ownVote = { game, until: Date.now() + OWN_VOTE_MS };
}

/** A notice forwarded from the tab that receives it to the others. */
interface ForwardedNotice {
  notice: Uint8Array<ArrayBuffer>;
  isNews: boolean;
}

export function startNotices(): void {
  effect(() => {
    const player = me.value?.playerId;
    if (player === undefined) return undefined;
    const name = `heliopause notices ${player}`;
    const others = new BroadcastChannel(name);
    others.onmessage = ({ data }: MessageEvent<ForwardedNotice>) => {
      handle(fromBinary(GameNoticeSchema, data.notice), data.isNews, false);
    };
    const ended = new AbortController();
    // A browser allows few connections to a server: one tab receives for all of them.
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

/** Receives notices and forwards them to the other tabs. */
function listen(others: BroadcastChannel): () => void {
  // Notices before the stream has caught up are not new.
  let isNews = false;
  return follow<StreamMyGamesResponse>({
    listen: (options) => {
      const request = () => {
        isNews = false;
        return {};
      };
      return engine.listen(GameService.method.streamMyGames, request, options);
    },
    receive: ({ notice }) => {
      if (notice.case === 'game') {
        const bytes = toBinary(GameNoticeSchema, notice.value) as Uint8Array<ArrayBuffer>;
        others.postMessage({ notice: bytes, isNews } satisfies ForwardedNotice);
        handle(notice.value, isNews, true);
      }
      if (notice.case === 'caughtUp') isNews = true;
      if (notice.case === 'caughtUp' || notice.case === 'fellBehind') news.value += 1;
    },
    lost: () => undefined,
  });
}

function handle(notice: GameNotice, isNews: boolean, isFirst: boolean): void {
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
  // An open table shows its other events itself.
  const isOwn = ownVote.game === gameId && Date.now() < ownVote.until;
  if (isOpen && (kind !== NoticeKind.VOTE || isOwn)) return;
  toast(notice.text, gameId, notice.name, kind);
  // Only one tab shows the browser's notification.
  if (isFirst && document.visibilityState !== 'visible') notify(notice);
}

/** Sets whether a game has a pending decision of the player. */
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

/** Asks for the browser's permission to show notifications. */
export async function askToNotify(wish: boolean): Promise<void> {
  notifies.value = wish && (await Notification.requestPermission()) === 'granted';
}
