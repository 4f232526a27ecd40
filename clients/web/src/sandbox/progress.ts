// The player's progress in the tutorials, kept in this browser.

import { recall, remember } from '../engine/storage';
import type { Action } from './scenario';

export interface Progress {
  /** The sandbox game in which the tutorial is played. */
  game: string;
  /** The number of steps of the file that have been taken. */
  at: number;
  isDone: boolean;
  /** The action that the player has sent for the next step, until the engine has answered. */
  sent?: Action;
}

const NAME = 'lessons';

function all(): Readonly<Record<string, Progress>> {
  return recall<Readonly<Record<string, Progress>>>(NAME, {});
}

/** Returns the progress in the tutorial of a kind of game, if it was started. */
export function progressIn(kind: string): Progress | undefined {
  return all()[kind];
}

/** Returns the kind of game that is taught in a game, if it is a tutorial. */
export function lessonIn(game: string): string | undefined {
  return Object.entries(all()).find(([, progress]) => progress.game === game)?.[0];
}

export function keepProgress(kind: string, progress: Progress): void {
  remember(NAME, { ...all(), [kind]: progress });
}
