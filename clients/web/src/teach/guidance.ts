// What a beginner can do in each phase of a game.

import type { Decision, Guide } from '../engine/contract';

import { t } from '../words';

export interface Guidance {
  /** The name under which the browser keeps that the player knows the phase. */
  key: string;
  /** What the phase is for, and what players usually do. */
  text: string;
  /** How the phase ends for the player. */
  end: string;
}

/**
 * Returns what to tell a beginner about a decision; undefined if the game has no text for it.
 * `end` is the label of the offer that ends the decision, if there is one.
 */
export function guidanceFor(
  kind: string,
  guides: readonly Guide[],
  { kind: decision, prompt, revisable }: Pick<Decision, 'kind' | 'prompt' | 'revisable'>,
  end = '',
): Guidance | undefined {
  const applies = (guide: Guide) => guide.decision === decision && prompt.startsWith(guide.prompt);
  const at = guides.findIndex(applies);
  const guide = guides[at];
  if (!guide) return undefined;
  const button = end && t('guidance-press', { end });
  return {
    key: `${kind}/${decision}/${at}`,
    text: guide.text,
    end: guide.end || (revisable ? t('guidance-ready') : button),
  };
}
