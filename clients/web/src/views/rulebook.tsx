// The rulebook of a game: its manual, its terms, and all rules by number.

import '../style/learn.css';
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { games } from '../engine/calls';
import type { RuleHeading, Term } from '../engine/contract';
import { rulePath } from '../router';
import { hasLesson } from '../sandbox/lesson';
import { reducesMotion } from '../settings';
import { type Block, type Inline, plainText, readManual, type Section } from '../teach/manual';
import { ErrorLine, useLoaded } from '../ui/components';
import { rich, t } from '../words';
import { KindName } from './lobby';
import { Rule, RuledText } from './rule';

const MANUALS = import.meta.glob<string>(
  '../../../../docs/{alone-in-outer-space,diplomacy,fate-of-empire,it-came-from-outer-space,star-empires,starships-at-large,stellar-conquest}.md',
  { query: '?raw', import: 'default' },
);

async function manualOf(kind: string): Promise<Section[]> {
  const file = Object.entries(MANUALS).find(([path]) => path.endsWith(`/${kind}.md`))?.[1];
  return file ? readManual(await file()) : [];
}

export function Rulebook({ kind, rule }: { kind: string; rule: string }) {
  const search = useSignal('');
  const manual = useLoaded(() => manualOf(kind));
  const listed = useLoaded(() => games.listRules({ kind }));
  const rules = listed.value.value?.rules;
  const isComplete = [manual, listed].every(({ value }) => value.value !== undefined);
  useAnchor(rule, rules !== undefined, isComplete);
  const wanted = search.value.trim().toLowerCase();
  const sections = manual.value.value ?? [];
  const title = sections.find(({ level }) => level === 1)?.title;
  const shownSections = sections.filter((each) => plainText(each).includes(wanted));
  const shownRules = (rules ?? []).filter((each) =>
    `${each.number} ${each.heading} ${each.text}`.toLowerCase().includes(wanted),
  );
  const shownTerms = (listed.value.value?.terms ?? []).filter((each) =>
    `${each.term} ${each.name} ${each.meaning}`.toLowerCase().includes(wanted),
  );
  const isRule = ({ number }: RuleHeading) => number.toLowerCase() === rule.toLowerCase();
  // Other anchors lead to sections of the manual.
  const isAnchor = rule.startsWith(CHAPTER) || sections.some(({ id }) => id === rule);
  const isUnknown = /\d/.test(rule) && !isAnchor && rules?.some(isRule) === false;
  const isEmpty = shownSections.length + shownRules.length + shownTerms.length === 0;
  return (
    <main class="page rulebook">
      <header class="page-head">
        <h1>
          {rich('rulebook-title', { title: title ? <bdi>{title}</bdi> : <KindName kind={kind} /> })}
        </h1>
        <div class="row wrap no-print">
          {hasLesson(kind) ? (
            <a class="button" href={`/learn/${kind}`}>
              {t('rulebook-tutorial')}
            </a>
          ) : null}
          <button type="button" class="button" onClick={() => print()}>
            {t('rulebook-print')}
          </button>
        </div>
      </header>
      <div class="rulebook-grid">
        <nav aria-label={t('rulebook-contents')} class="no-print">
          <input
            type="search"
            aria-label={t('rulebook-search')}
            placeholder={t('rulebook-search')}
            value={search.value}
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
          <details open={matchMedia('(min-width: 900px)').matches}>
            <summary>{t('rulebook-contents')}</summary>
            <ol class="plain">
              {sections.map(({ id, level, title }) =>
                level === 2 ? (
                  <li key={id}>
                    <a href={`#${id}`} lang="en">
                      {title}
                    </a>
                  </li>
                ) : null,
              )}
              {shownTerms.length > 0 ? (
                <li>
                  <a href="#terms">{t('rulebook-terms')}</a>
                </li>
              ) : null}
              {chaptersOf(rules ?? []).map(({ chapter, rules }) => (
                <li key={chapter}>
                  <a href={`#${chapterAnchor(rules)}`} lang={chapter === '' ? undefined : 'en'}>
                    {chapter === '' ? t('new-game-rules') : chapter}
                  </a>
                  <ol class="plain">
                    {rules.filter(isSection).map(({ number, heading }) => (
                      <li key={number}>
                        <a href={rulePath(kind, number)}>
                          {number}{' '}
                          <span class="faint" lang="en">
                            {briefly(heading)}
                          </span>
                        </a>
                      </li>
                    ))}
                  </ol>
                </li>
              ))}
            </ol>
          </details>
        </nav>
        <div class="rulebook-text">
          <ErrorLine failure={manual.failure.value} />
          {isEmpty && rules ? (
            <p class="empty">{t('rulebook-nothing', { text: search.value })}</p>
          ) : null}
          {isUnknown ? <p class="note">{t('rulebook-no-rule', { rule })}</p> : null}
          {shownSections.map(({ id, level, title, blocks }) => (
            <section key={id} id={id} lang="en">
              {level === 1 ? null : level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
              <Blocks blocks={blocks} kind={kind} />
            </section>
          ))}
          {shownTerms.length > 0 ? <Terms terms={shownTerms} kind={kind} /> : null}
          <ErrorLine failure={listed.failure.value} />
          {shownRules.length > 0 ? <h2 id="rules">{t('rulebook-by-number')}</h2> : null}
          {chaptersOf(shownRules).map(({ chapter, rules }) => (
            <Fragment key={chapter}>
              {chapter === '' ? null : (
                <h3 id={chapterAnchor(rules)} lang="en">
                  {chapter}
                </h3>
              )}
              {rules.map((each) => (
                <section
                  key={each.number}
                  id={anchorOf(each.number)}
                  class={`rule-entry ${isRule(each) ? 'target' : ''} ${isSection(each) ? 'chapter' : ''}`}
                  aria-label={t('rule-number', { rule: each.number })}
                >
                  <a class="rule-number" href={rulePath(kind, each.number)}>
                    {each.number}
                  </a>
                  <div lang="en">
                    {each.text.startsWith(each.heading) ? null : <h4>{each.heading}</h4>}
                    <RuleBody kind={kind} text={each.text} />
                  </div>
                </section>
              ))}
            </Fragment>
          ))}
        </div>
      </div>
    </main>
  );
}

function anchorOf(number: string): string {
  return `rule-${number.toLowerCase()}`;
}

const CHAPTER = 'chapter-';

interface Chapter {
  chapter: string;
  rules: readonly RuleHeading[];
}

/** Groups rules by their chapters. The rules of a chapter follow each other. */
function chaptersOf(rules: readonly RuleHeading[]): Chapter[] {
  const chapters = new Map<string, RuleHeading[]>();
  for (const rule of rules) {
    const known = chapters.get(rule.chapter);
    if (known) known.push(rule);
    else chapters.set(rule.chapter, [rule]);
  }
  return [...chapters].map(([chapter, rules]) => ({ chapter, rules }));
}

function chapterAnchor([first]: readonly RuleHeading[]): string {
  return `${CHAPTER}${(first?.number ?? '').toLowerCase()}`;
}

function isSection({ number }: RuleHeading): boolean {
  return /^(fate-|space-)?[A-Z]?\d+$/.test(number) && !/^R\d/.test(number);
}

const BRIEF = 48;

function briefly(heading: string): string {
  return heading.length <= BRIEF ? heading : `${heading.slice(0, BRIEF).replace(/\s\S*$/, '')}…`;
}

/** Scrolls to a rule when it is chosen, and again when texts above it are loaded. */
function useAnchor(rule: string, isListed: boolean, isComplete: boolean): void {
  const hasMoved = useRef(false);
  useEffect(() => {
    hasMoved.current = false;
    const moved = () => {
      hasMoved.current = true;
    };
    for (const kind of ['wheel', 'touchmove', 'keydown'] as const) addEventListener(kind, moved);
    return () => {
      for (const kind of ['wheel', 'touchmove', 'keydown'] as const) {
        removeEventListener(kind, moved);
      }
    };
  }, [rule]);
  useEffect(() => {
    if (rule === '' || hasMoved.current) return;
    const behavior = isComplete && !reducesMotion() ? 'auto' : 'instant';
    document.getElementById(anchorOf(rule))?.scrollIntoView({ block: 'start', behavior });
  }, [rule, isListed, isComplete]);
}

/** The text of a rule. Lines with columns keep them. */
function RuleBody({ kind, text }: { kind: string; text: string }) {
  return (
    <>
      {text.split('\n\n').map((part, index) =>
        /\S {2,}\S/.test(part) ? (
          <pre key={index} tabIndex={0}>
            {part}
          </pre>
        ) : (
          <p key={index} class="rule-text">
            <RuledText kind={kind} text={part} />
          </p>
        ),
      )}
    </>
  );
}

function Terms({ terms, kind }: { terms: readonly Term[]; kind: string }) {
  return (
    <section id="terms">
      <h2>{t('rulebook-terms')}</h2>
      <dl class="terms" lang="en">
        {terms.map(({ term, name, meaning, rule }) => (
          <div key={term}>
            <dt>
              <strong>{term}</strong>
              {name === term ? '' : ` ${name}`}
            </dt>
            <dd>
              {meaning}{' '}
              {rule === ''
                ? null
                : rich('rulebook-rule-of-term', {
                    rule: <Rule kind={kind} rule={rule} text={rule} />,
                  })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Blocks({ blocks, kind }: { blocks: readonly Block[]; kind: string }) {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} kind={kind} />
      ))}
    </>
  );
}

function BlockView({ block, kind }: { block: Block; kind: string }) {
  const inline = (parts: readonly Inline[]) => <Inlines parts={parts} kind={kind} />;
  switch (block.is) {
    case 'paragraph':
      return <p>{inline(block.parts)}</p>;
    case 'code':
      return <pre tabIndex={0}>{block.text}</pre>;
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index}>
          {item.map((each, at) =>
            // The text of an item needs no paragraph.
            each.is === 'paragraph' && at === 0 ? (
              inline(each.parts)
            ) : (
              <BlockView key={at} block={each} kind={kind} />
            ),
          )}
        </li>
      ));
      return block.isNumbered ? <ol class="bullets">{items}</ol> : <ul class="bullets">{items}</ul>;
    }
    case 'table':
      return (
        <div class="scroll-x" tabIndex={0} role="group" aria-label={t('rulebook-table')}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    {inline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function Inlines({ parts, kind }: { parts: readonly Inline[]; kind: string }) {
  return (
    <>
      {parts.map((part, index) => (
        <InlineView key={index} part={part} kind={kind} />
      ))}
    </>
  );
}

function InlineView({ part, kind }: { part: Inline; kind: string }) {
  if (part.is === 'text') return <RuledText kind={kind} text={part.text} />;
  if (part.is === 'code') return <code>{part.text}</code>;
  const text = <Inlines parts={part.parts} kind={kind} />;
  if (part.is === 'strong') return <strong>{text}</strong>;
  if (part.is === 'em') return <em>{text}</em>;
  const to = addressOf(part.to);
  return to ? <a href={to}>{text}</a> : <span>{text}</span>;
}

/** Returns the address of a link of a manual in the page; undefined for other documents. */
function addressOf(to: string): string | undefined {
  const [, file, anchor] = /^(?:([\w-]+)\.md)?(#[\w-]+)?$/.exec(to) ?? [];
  if (file === undefined) return anchor;
  const isManual = Object.keys(MANUALS).some((path) => path.endsWith(`/${file}.md`));
  return isManual ? rulePath(file) : undefined;
}
