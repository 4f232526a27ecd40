// Compiles the messages of the page from Project Fluent files. The English text goes to the place
// that shows it, so the first load needs neither a parser nor a catalog. Every other language is
// one file that the page loads on demand.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FluentResource, type Message } from '@fluent/bundle';
import type { Plugin } from 'vite';
import type { Part, Pattern } from './src/words/messages';

const FOLDER = new URL('src/words/', import.meta.url);
const SOURCES = fileURLToPath(new URL('src/', import.meta.url));
const SOURCE = 'en';
const VIRTUAL = 'virtual:languages';

/** A message file: the name of its group and its text. */
export interface MessageFile {
  group: string;
  text: string;
}

/** Returns the languages: the folders of message files. */
export function languageNames(): string[] {
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((each) => each.isDirectory());
  return folders.map(({ name }) => name).toSorted();
}

export function messageFiles(language: string): MessageFile[] {
  const folder = new URL(`${language}/`, FOLDER);
  const names = readdirSync(folder).filter((name) => name.endsWith('.ftl'));
  return names.toSorted().map((name) => ({
    group: name.slice(0, -'.ftl'.length),
    text: readFileSync(new URL(name, folder), 'utf8'),
  }));
}

/** Compiles the messages of files. Throws an error that names the file and the message. */
export function compile(files: readonly MessageFile[]): Map<string, Pattern> {
  const entries = new Map<string, Message>();
  for (const { group, text } of files) {
    const starts = [...text.matchAll(/^(-?[a-zA-Z][\w-]*)/gm)].map(([, id]) => id ?? '');
    const { body } = new FluentResource(text);
    for (const id of starts) {
      const found = body.filter((each) => each.id === id);
      if (found.length !== 1) throw new Error(`${group}.ftl: ${id} is broken or defined twice`);
      if (entries.has(id)) throw new Error(`${group}.ftl: ${id} is also in another file`);
      if (!id.startsWith(`${group}-`) && !id.startsWith('-'))
        throw new Error(`${group}.ftl: ${id} does not start with "${group}-"`);
      if (found[0]) entries.set(id, found[0]);
    }
  }
  const patterns = new Map<string, Pattern>();
  for (const [id, { value }] of entries) {
    if (!id.startsWith('-')) patterns.set(id, compilePattern(id, value, entries));
  }
  return patterns;
}

function compilePattern(
  id: string,
  pattern: Message['value'],
  entries: ReadonlyMap<string, Message>,
): Pattern {
  if (pattern === null) throw new Error(`${id} has no text`);
  const parts: Part[] = [];
  const add = (part: Part) => {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  const addAll = (found: Pattern) => {
    for (const part of typeof found === 'string' ? [found] : found) add(part);
  };
  for (const element of typeof pattern === 'string' ? [pattern] : pattern) {
    if (typeof element === 'string') {
      add(element.replace(/\n+/g, ' '));
      continue;
    }
    switch (element.type) {
      case 'str':
        add(element.value);
        break;
      case 'var':
        add([element.name]);
        break;
      case 'mesg':
      case 'term': {
        const other = `${element.type === 'term' ? '-' : ''}${element.name}`;
        if (other === id) throw new Error(`${id} refers to itself`);
        addAll(compilePattern(other, entries.get(other)?.value ?? null, entries));
        break;
      }
      case 'select': {
        const { selector, star, variants } = element;
        if (selector.type !== 'var')
          throw new Error(`${id} selects by something else than a value`);
        const texts = variants.map(
          ({ key, value }) => [`${key.value}`, compilePattern(id, value, entries)] as const,
        );
        const other = texts[star]?.[1] ?? '';
        add([selector.name, Object.fromEntries(texts.filter((_, at) => at !== star)), other]);
        break;
      }
      default:
        throw new Error(`${id} uses ${element.type}, which the page does not support`);
    }
  }
  if (parts.length === 0) return '';
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts;
}

/** Returns the short name of a message in the built page. */
export function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 5);
}

/** The calls of `t` and `rich`, with the id. */
export const CALLS = /\b(?:t|rich)\(\s*'([^']+)'/g;

/** Puts the English text into the calls of `t` and `rich`, and provides `virtual:languages`. */
export function fluent(): Plugin {
  let english: ReadonlyMap<string, Pattern> = new Map();
  return {
    name: 'fluent',
    enforce: 'pre',
    buildStart() {
      english = compile(messageFiles(SOURCE));
      const keys = new Set([...english.keys()].map(keyOf));
      if (keys.size < english.size) this.error('two messages have the same key: make it longer');
    },
    resolveId: (id) => (id.startsWith(VIRTUAL) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${VIRTUAL}`)) return undefined;
      const language = id.slice(VIRTUAL.length + 2);
      if (language !== '') {
        const entries = [...compile(messageFiles(language))];
        const catalog = Object.fromEntries(entries.map(([each, text]) => [keyOf(each), text]));
        return `export default ${JSON.stringify(catalog)}`;
      }
      const others = languageNames().filter((each) => each !== SOURCE);
      const loaders = others.map((each) => `"${each}": () => import("${VIRTUAL}/${each}")`);
      return `export const languages = { ${loaders.join(', ')} };`;
    },
    transform(code, id) {
      if (!id.startsWith(SOURCES) || !/\.tsx?(\?|$)/.test(id)) return undefined;
      const changed = code.replace(CALLS, (call, message: string) => {
        const text = english.get(message);
        if (text === undefined) this.error(`${id}: no message ${message} in src/words/${SOURCE}`);
        return call.replace(`'${message}'`, () => JSON.stringify([keyOf(message), text]));
      });
      return changed === code ? undefined : { code: changed, map: null };
    },
    hotUpdate({ file }) {
      if (!file.endsWith('.ftl')) return;
      english = compile(messageFiles(SOURCE));
      this.environment.moduleGraph.invalidateAll();
      this.environment.hot.send({ type: 'full-reload' });
    },
  };
}
