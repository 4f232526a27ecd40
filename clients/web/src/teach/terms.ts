// Finds the terms and abbreviations of a game in texts.

import type { Term } from '../engine/contract';

/** A part of a text. `term` is what it names; undefined for other text. */
export interface TermPart {
  text: string;
  term: Term | undefined;
}

/** Splits a text where a term is first used. Only whole words count; abbreviations keep their case. */
export function termParts(text: string, terms: readonly Term[]): TermPart[] {
  const parts: TermPart[] = [];
  const used = new Set<Term>();
  let from = 0;
  for (const found of text.matchAll(patternOf(terms))) {
    const term = termOf(found[0], terms);
    if (!term || used.has(term)) continue;
    used.add(term);
    if (found.index > from) parts.push({ text: text.slice(from, found.index), term: undefined });
    parts.push({ text: found[0], term });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), term: undefined });
  return parts;
}

/** Before a word. A hyphen or a dot continues a word: the C of "C-4" is not a corvette. */
const ALONE = String.raw`(?<![\p{L}\d#.-])`;
/** Before an abbreviation: a number. */
const COUNTED = String.raw`(?<=${ALONE}\d+ ?)`;

const patterns = new WeakMap<readonly Term[], RegExp>();

function patternOf(terms: readonly Term[]): RegExp {
  const known = patterns.get(terms);
  if (known) return known;
  const words = terms
    .map(({ term }) => term)
    .toSorted((a, b) => b.length - a.length)
    .map((word) => {
      const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      if (!isAbbreviation(word)) return `${ALONE}${anyCase(escaped)}s?`;
      // A letter is a term only after a number ("3 C", "20CT") or before a place ("A Par").
      const isLetter = word.length === 1;
      const alone = isLetter ? `${ALONE}${word}(?= [A-Z][A-Za-z]{2}\\b)` : `${ALONE}${escaped}`;
      return `(?:${COUNTED}${escaped}|${alone})`;
    });
  const made = new RegExp(`(?:${words.join('|')})(?![\\p{L}\\d-])`, 'gu');
  patterns.set(terms, made);
  return made;
}

function isAbbreviation(word: string): boolean {
  return !/[a-z]{3}/.test(word);
}

/** Lets a word start with a capital, as at the start of a sentence. */
function anyCase(word: string): string {
  const first = word[0] ?? '';
  return `[${first.toLowerCase()}${first.toUpperCase()}]${word.slice(1)}`;
}

function termOf(word: string, terms: readonly Term[]): Term | undefined {
  const low = word.toLowerCase();
  return (
    terms.find(({ term }) => term === word) ??
    terms.find(({ term }) => !isAbbreviation(term) && [term, `${term}s`].includes(low))
  );
}
