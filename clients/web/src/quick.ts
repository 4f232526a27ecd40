// Quick play: the player's entry in the queue, and the way into the game of a match.

import type { MessageInitShape } from '@bufbuild/protobuf';
import { effect, signal } from '@preact/signals';
import { quickPlay } from './engine/calls';
import { type JoinQueueRequestSchema, type QueueEntry, QueueState } from './engine/contract';
import { news } from './notices';
import { gamePath, go, route } from './router';
import { me } from './session';

/** The engine removes players of live games who do not call for two minutes. */
const POLL_MS = 3_000;

/** The player's entry in the queue. */
export const queued = signal<QueueEntry | undefined>(undefined);

/** Whether this page has seen the player wait. The page then opens the game of the match. */
let hasWaited = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Looks for an entry of the signed-in player, now and after each notice while one exists. */
export function startQueue(): void {
  effect(() => {
    const player = me.value?.playerId;
    queued.value = undefined;
    hasWaited = false;
    if (player !== undefined) void look();
  });
  effect(() => {
    news.value;
    if (queued.peek()) void look();
  });
  document.addEventListener('visibilitychange', enterGame);
}

async function look(): Promise<void> {
  clearTimeout(timer);
  const player = me.peek()?.playerId;
  if (player === undefined) return;
  try {
    const { entry } = await quickPlay.getQueue({});
    if (me.peek()?.playerId !== player) return;
    show(entry);
  } catch {
    // The next look may succeed.
  }
  clearTimeout(timer);
  const state = queued.peek()?.state;
  if (state === QueueState.WAITING || state === QueueState.MATCHED)
    timer = setTimeout(() => void look(), POLL_MS);
}

function show(entry: QueueEntry | undefined): void {
  queued.value = entry;
  if (!entry) hasWaited = false;
  else if (entry.state === QueueState.READY) enterGame();
  else hasWaited = true;
}

/** Opens the game of a match if the player waits for it on a visible page. */
function enterGame(): void {
  const entry = queued.peek();
  const waits = hasWaited || route.peek().at === 'lobby';
  if (entry?.state !== QueueState.READY || !waits || document.visibilityState !== 'visible') return;
  dismissEntry();
  go(gamePath(entry.gameId));
}

/** Removes the entry of a match that the player has seen. */
export function dismissEntry(): void {
  queued.value = undefined;
  hasWaited = false;
  // If this fails, the page shows the match again on the next visit.
  quickPlay.leaveQueue({}).catch(() => undefined);
}

export async function joinQueue(
  request: MessageInitShape<typeof JoinQueueRequestSchema>,
): Promise<void> {
  const { entry } = await quickPlay.joinQueue(request);
  show(entry);
  void look();
}

export async function leaveQueue(): Promise<void> {
  await quickPlay.leaveQueue({});
  show(undefined);
}
