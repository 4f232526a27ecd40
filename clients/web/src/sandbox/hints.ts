// Texts of the tutorials as the page shows them.

import type { Offer } from '@heliopause/client';
import { type Choices, parts, sentenceOf } from '../table/offers';
import { t } from '../words';

/** Removes the sentences about commands of the terminal client, which are in backticks. */
export function tellOf(text: string): string {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z`(])/);
  return sentences.filter((sentence) => !sentence.includes('`')).join(' ');
}

/** Replaces ranges of ships, such as `#1-3,7`, by the single ships, as offers name them. */
export function spelledOut(line: string): string {
  return line.replace(/#\d+(?:[-,]\d+)+/g, (ships) => {
    const each = ships.slice(1).split(',');
    const all = each.flatMap((part) => {
      const [from = 0, to = from] = part.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, index) => `#${from + index}`);
    });
    return all.join(',');
  });
}

/** The number of chosen values that a hint names. */
const NAMED_MAX = 4;

function manyWords(kind: string, count: number): string {
  return kind === 'pieces' ? t('tutorial-units', { count }) : t('tutorial-choices', { count });
}

/** Returns an offer as a sentence. Of long lists of values, it gives the number. */
export function briefSentence(line: Offer, choices: Choices): string {
  const isLong = (name: string) => (choices[name]?.length ?? 0) > NAMED_MAX;
  if (!line.slots.some(({ name }) => isLong(name))) return sentenceOf(line, choices);
  return parts(line.label, line)
    .map((part) => {
      if ('text' in part) return part.text;
      const { name, kind } = part.slot;
      const chosen = choices[name] ?? [];
      if (isLong(name)) return manyWords(kind, chosen.length);
      return chosen.length === 0 ? '' : chosen.map((each) => part.slot.labelOf(each)).join(', ');
    })
    .join('');
}
