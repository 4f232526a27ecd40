// The texts of the page in the player's language. The texts are in the message files in en/ and
// de/; fluent.ts compiles them.

import { languages } from 'virtual:languages';
import { computed, effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { recall, remember } from '../engine/storage';

/** A compiled text: a string, or its parts. */
export type Pattern = string | readonly Part[];
/** A text, a value, or a choice between texts by a value. */
export type Part =
  | string
  | readonly [value: string]
  | readonly [value: string, texts: Readonly<Record<string, Pattern>>, other: Pattern];
/** The texts of a language, by the short name of the message. */
export type Catalog = Readonly<Record<string, Pattern>>;
/** What fluent.ts puts in place of an id: the short name and the English text. */
type Compiled = readonly [key: string, english: Pattern];

const SOURCE = 'en';
/** The languages of the page, with their own names. */
export const LANGUAGES: readonly [string, string][] = [SOURCE, ...Object.keys(languages)].map(
  (code) => [code, new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code],
);

/** The language that the player chose. Empty if the browser's languages decide. */
export const chosenLanguage = signal<string>(recall('language', ''));

function browserLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : (navigator.languages ?? []);
}

const baseOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';

/** Returns the first language that the page has. */
export function bestLanguage(tags: readonly string[]): string {
  const isKnown = (code: string) => LANGUAGES.some(([each]) => each === code);
  return tags.map(baseOf).find(isKnown) ?? SOURCE;
}

const shown = signal<{ code: string; catalog: Catalog }>({ code: SOURCE, catalog: {} });
/** The language of the shown texts. */
export const language = computed(() => shown.value.code);
/** The language with the browser's region, for numbers and dates. */
export const locale = computed(
  () => browserLanguages().find((tag) => baseOf(tag) === language.value) ?? language.value,
);

/** Shows the player's language, now and after each choice. Resolves when the texts are loaded. */
export async function startLanguage(): Promise<void> {
  let first: Promise<void> | undefined;
  effect(() => {
    remember('language', chosenLanguage.value);
    const loaded = show(bestLanguage([chosenLanguage.value, ...browserLanguages()]));
    first ??= loaded;
  });
  await first;
}

let latest = '';

async function show(code: string): Promise<void> {
  latest = code;
  // English is in the page. It also replaces a language that cannot be loaded.
  const catalog = await languages[code]?.().then(
    (module) => module.default,
    () => undefined,
  );
  if (latest !== code) return;
  shown.value = { code: catalog ? code : SOURCE, catalog: catalog ?? {} };
  document.documentElement.lang = language.value;
}

const numbers = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

function numberIn(tag: string, value: number): string {
  const format = numbers.get(tag) ?? new Intl.NumberFormat(tag);
  numbers.set(tag, format);
  return format.format(value);
}

function pluralIn(tag: string, value: number): string {
  const rules = plurals.get(tag) ?? new Intl.PluralRules(tag);
  plurals.set(tag, rules);
  return rules.select(value);
}

/** Formats a number for the player's locale. */
export function number(value: number): string {
  return numberIn(locale.value, value);
}

/** Puts values into a text. Numbers are formatted for the locale. */
export function piecesOf<V>(
  pattern: Pattern,
  values: Readonly<Record<string, V>>,
  tag: string,
): (V | string)[] {
  if (typeof pattern === 'string') return [pattern];
  return pattern.flatMap((part): (V | string)[] => {
    if (typeof part === 'string') return [part];
    const [name, texts, other] = part;
    const value = values[name];
    if (texts) {
      const category = typeof value === 'number' ? pluralIn(tag, value) : '';
      return piecesOf(texts[String(value)] ?? texts[category] ?? other ?? '', values, tag);
    }
    return [typeof value === 'number' ? numberIn(tag, value) : (value ?? `{${name}}`)];
  });
}

function patternOf(id: unknown): Pattern {
  if (typeof id === 'string') throw new Error(`the id ${id} is not a literal in the call of t`);
  const [key, english] = id as Compiled;
  return shown.value.catalog[key] ?? english;
}

/** Returns the text of a message. Numbers among the values are formatted for the locale. */
export function t(id: string, values: Readonly<Record<string, string | number>> = {}): string {
  return piecesOf(patternOf(id), values, locale.value).join('');
}

/** Returns the text of a message whose values may be elements. */
export function rich(
  id: string,
  values: Readonly<Record<string, ComponentChildren>>,
): ComponentChildren {
  return piecesOf(patternOf(id), values, locale.value);
}
