// Checks the message files, their use in the page, and the page for texts outside of them.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { CALLS, compile, languageNames, messageFiles } from '../../fluent';
import { bestLanguage, LANGUAGES, type Pattern, piecesOf } from './messages';

const SOURCE = resolve(import.meta.dirname, '..');
const english = compile(messageFiles('en'));
const others = languageNames().filter((language) => language !== 'en');

/** Returns the names of the values of a text. */
function valuesOf(pattern: Pattern): Set<string> {
  if (typeof pattern === 'string') return new Set();
  return new Set(
    pattern.flatMap((part) => {
      if (typeof part === 'string') return [];
      const [name, texts = {}, other = ''] = part;
      return [name, ...[...Object.values(texts), other].flatMap((text) => [...valuesOf(text)])];
    }),
  );
}

/** Returns the source files of the page, without tests and declarations. */
function sourceFiles(): string[] {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name)).toSorted();
}

/** A node of a parsed file. */
interface Node {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function parsed(file: string): Node {
  const { program, errors } = parseSync(file, readFileSync(resolve(SOURCE, file), 'utf8'));
  expect(errors, file).toEqual([]);
  return program as unknown as Node;
}

const named = (node: unknown): string =>
  isNode(node) ? String((node['name'] as string | Node | undefined) ?? '') : '';

const isCall = (node: Node): boolean =>
  node.type === 'CallExpression' && ['t', 'rich'].includes(named(node['callee']));

interface Use {
  where: string;
  /** The id; undefined if it is not a literal. */
  id: string | undefined;
  /** The names of the given values; undefined if they are not written out. */
  values: string[] | undefined;
  /** Whether the text is taken when the module is loaded, before the language is known. */
  isEarly: boolean;
}

function usesIn(file: string): Use[] {
  const uses: Use[] = [];
  const visit = (node: Node, isInFunction: boolean): void => {
    if (isCall(node)) {
      const [id, values] = node['arguments'] as Node[];
      const properties =
        values?.type === 'ObjectExpression' ? (values['properties'] as Node[]) : [];
      const isKnown = values === undefined || values.type === 'ObjectExpression';
      uses.push({
        where: `${file}:${node.start}`,
        id: id?.type === 'Literal' ? String(id['value']) : undefined,
        values: isKnown ? properties.map((each) => named(each['key'])) : undefined,
        isEarly: !isInFunction,
      });
    }
    const isFunction = /Function|MethodDefinition/.test(node.type);
    for (const child of childrenOf(node)) visit(child, isInFunction || isFunction);
  };
  visit(parsed(file), false);
  return uses;
}

const uses = sourceFiles()
  .filter((file) => file !== 'words/messages.ts')
  .flatMap(usesIn);

describe('the use of messages', () => {
  test('each call names a message and gives its values', () => {
    const faults = uses.flatMap(({ where, id, values, isEarly }) => {
      if (id === undefined) return [`${where}: the id is not a literal`];
      const pattern = english.get(id);
      if (pattern === undefined) return [`${where}: no message ${id}`];
      const wanted = [...valuesOf(pattern)].toSorted();
      const given = values?.toSorted();
      if (given?.join() !== wanted.join()) return [`${where}: ${id} needs ${wanted}, not ${given}`];
      return isEarly ? [`${where}: ${id} is outside of a function`] : [];
    });
    expect(faults).toEqual([]);
  });

  test('each message is used', () => {
    const used = new Set(uses.map(({ id }) => id));
    expect([...english.keys()].filter((id) => !used.has(id))).toEqual([]);
  });

  test('the build finds each call', () => {
    const found = sourceFiles().flatMap((file) =>
      [...readFileSync(resolve(SOURCE, file), 'utf8').matchAll(CALLS)].map(([, id]) => id),
    );
    expect(found.toSorted()).toEqual(uses.map(({ id }) => id).toSorted());
  });
});

describe.each(others)('the language %s', (language) => {
  const translated = compile(messageFiles(language));

  test('it has the same messages as English', () => {
    expect([...translated.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  test('its messages have the same values as the English ones', () => {
    const faults = [...english].filter(([id, pattern]) => {
      const [own, theirs] = [valuesOf(translated.get(id) ?? ''), valuesOf(pattern)];
      return own.size !== theirs.size || [...theirs].some((name) => !own.has(name));
    });
    expect(faults.map(([id]) => id)).toEqual([]);
  });

  test('it has a file for each of the English files', () => {
    const groupsOf = (of: string) => messageFiles(of).map(({ group }) => group);
    expect(groupsOf(language)).toEqual(groupsOf('en'));
  });
});

describe.each(languageNames())('the texts in %s', (language) => {
  test('they are those of the reference implementation', () => {
    const bundle = new FluentBundle(language, { useIsolating: false });
    for (const { text } of messageFiles(language)) bundle.addResource(new FluentResource(text));
    for (const [id, pattern] of compile(messageFiles(language))) {
      for (const sample of [0, 1, 2, 5, 1_234.5, 'x']) {
        const values = Object.fromEntries([...valuesOf(pattern)].map((name) => [name, sample]));
        const expected = bundle.formatPattern(bundle.getMessage(id)?.value ?? '', values);
        const words = piecesOf(pattern, values, language).join('');
        expect(words, id).toBe(expected.replace(/\n+/g, ' '));
      }
    }
  });
});

test('the best language is the first that the page has', () => {
  expect(LANGUAGES).toContainEqual(['de', 'Deutsch']);
  expect(bestLanguage(['fr-CH', 'de-CH', 'en'])).toBe('de');
  expect(bestLanguage(['', 'en-GB'])).toBe('en');
  expect(bestLanguage(['fr'])).toBe('en');
});

test('a broken message file is refused with the name of the message', () => {
  const file = (text: string) => [{ group: 'x', text }];
  expect(() => compile(file('x-a = { $b'))).toThrow('x-a is broken');
  expect(() => compile(file('x-a = A\nx-a = B'))).toThrow('x-a is broken or defined twice');
  expect(() => compile(file('y-a = A'))).toThrow('y-a does not start with "x-"');
  expect(() => compile(file('x-a = { NUMBER($b) }'))).toThrow('x-a uses func');
  expect(compile(file('-x = X\nx-a = { -x } and { x-b }\nx-b = B\n    C')).get('x-a')).toBe(
    'X and B C',
  );
});

/** Attributes and properties whose text players read. */
const READ = /^(title|aria-label|aria-valuetext|placeholder|alt|label|hint|text|summary|heading)$/;
/** Names, units and examples that are the same in all languages. */
const SAME = new Set([
  'Heliopause',
  'Webhook',
  'Discord',
  'Slack',
  'ntfy',
  'ann@example.org',
  'https://…',
  '1 6 3',
  'mod',
  // The start of a prompt of the engine.
  'Choose where',
]);
/** Files without texts of the page. The terms explain the rules, which are in English. */
const EXCEPT = new Set(['teach/tables.ts', 'scene/drawing.ts', 'scene/styles.ts']);

const hasLetters = (text: string): boolean => /\p{L}{2}/u.test(text) && !/^[/#]/.test(text);
/** Whether a string in code looks like a sentence or a phrase for players. */
const isProse = (text: string): boolean =>
  /^[“"(]?\p{Lu}\p{L}*[,:]?( [“"(]?[\p{L}\d’'.,:;!?…”")]+)+$/u.test(text) && /\p{L}{3}/u.test(text);

/** Returns the texts of a file that players see and that are in no message file. */
function textsIn(file: string, source = parsed(file)): string[] {
  const found: string[] = [];
  const check = (text: string, isRead: boolean) => {
    const words = text.trim().replace(/\s+/g, ' ');
    if (SAME.has(words)) return;
    if (isRead ? hasLetters(words) : isProse(words)) found.push(`${file}: ${words}`);
  };
  const visit = (node: Node, isRead: boolean): void => {
    switch (node.type) {
      case 'JSXText':
        check(String(node['value']), true);
        return;
      case 'JSXAttribute':
        for (const child of childrenOf(node)) visit(child, READ.test(nameOfAttribute(node)));
        return;
      case 'Literal':
        if (typeof node['value'] === 'string') check(node['value'], isRead);
        return;
      case 'TemplateLiteral':
        check((node['quasis'] as Node[]).map(cooked).join(isRead ? ' ' : ' x '), isRead);
        for (const each of node['expressions'] as Node[]) visit(each, false);
        return;
      case 'CallExpression':
        // The arguments of calls are not texts, except in an attribute.
        for (const child of isCall(node)
          ? (node['arguments'] as Node[]).slice(1)
          : childrenOf(node))
          visit(child, false);
        return;
      case 'JSXExpressionContainer':
      case 'ConditionalExpression':
      case 'LogicalExpression':
        for (const child of childrenOf(node))
          visit(child, isRead && child !== node['test'] && child.type !== 'BinaryExpression');
        return;
      case 'ImportDeclaration':
        return;
      default:
        for (const child of childrenOf(node)) visit(child, false);
    }
  };
  visit(source, false);
  return found;
}

const nameOfAttribute = (node: Node): string => named(node['name']);
const cooked = (node: Node): string => (node['value'] as { cooked: string }).cooked;

describe('texts outside of the message files', () => {
  test.each(sourceFiles().filter((file) => !EXCEPT.has(file)))('%s has none', (file) => {
    expect(textsIn(file)).toEqual([]);
  });

  test('the check finds them', () => {
    const find = (code: string) =>
      textsIn('x.tsx', parseSync('x.tsx', code).program as unknown as Node);
    expect(find('const a = <p>Good day</p>;')).toEqual(['x.tsx: Good day']);
    expect(find('const a = <p title="over">{b}</p>;')).toEqual(['x.tsx: over']);
    expect(find('const a = <p title={b ? "over" : ""} class="button" />;')).toEqual([
      'x.tsx: over',
    ]);
    const value = ['$', '{b}'].join('');
    expect(find(`const a = <p aria-label={\`over ${value}\`} />;`)).toEqual(['x.tsx: over']);
    expect(find('throw new Failure("The server is gone.", "GONE");')).toEqual([
      'x.tsx: The server is gone.',
    ]);
    expect(find(`const a = \`Not submitted: ${value}.\`;`)).toEqual(['x.tsx: Not submitted: x .']);
    expect(find('const a = <p class="a b">{t("a-b", { c: "d" })} · {d}</p>;')).toEqual([]);
  });
});
