// The box that tells a beginner what to do in a phase.

import { signal, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Guide, OfferWeight } from '../engine/contract';
import { recall, remember } from '../engine/storage';
import { isPhone } from '../settings';
import { rankOf } from '../table/offers';
import type { Table } from '../table/table';
import { guidanceFor } from '../teach/guidance';
import { primerOf } from '../teach/primer';
import { rich, t } from '../words';
import { isEnd } from './offers';
import { Terms } from './term';

/** How often a phase is explained. */
const TIMES = 3;
/** The number of kinds of actions that the box names. */
const ACTIONS = 6;

interface Known {
  /** Whether the player wants no explanations any more. */
  isOff: boolean;
  /** The phases, as game and number, in which an explanation was shown, by its key. */
  shown: Readonly<Record<string, readonly string[]>>;
}
const known = signal<Known>(recall<Known>('beginner', { isOff: false, shown: {} }));

function keep(next: Known): void {
  known.value = next;
  remember('beginner', next);
}

function withCommas(names: readonly string[]) {
  return names.map((name, index) => (
    <Fragment key={name}>
      {index === 0 ? '' : ', '}
      <bdi>{name}</bdi>
    </Fragment>
  ));
}

function inWords(names: readonly string[]) {
  const last = withCommas(names.slice(-1));
  return names.length < 2
    ? last
    : rich('words-list', { names: withCommas(names.slice(0, -1)), last });
}

export function BeginnerBox({ table }: { table: Table }) {
  const { decision, menu } = table.question.value;
  const kind = table.game.value?.kind ?? '';
  const guides = useSignal<readonly Guide[]>([]);
  const { isOff, shown } = known.value;
  useEffect(() => {
    if (kind === '' || isOff) return;
    // Without the texts, the game is playable all the same.
    void primerOf(kind).then(
      (primer) => (guides.value = primer.guides),
      () => undefined,
    );
  }, [kind, isOff]);
  const end = menu.lines.find(isEnd)?.label;
  const guidance = decision && guidanceFor(kind, guides.value, decision, end);
  const key = guidance?.key ?? '';
  const phase = `${table.id} ${decision?.phase}`;
  const before = shown[key] ?? [];
  const isKnown = !before.includes(phase) && before.length >= TIMES;
  useEffect(() => {
    if (key === '' || isKnown || before.includes(phase)) return;
    keep({ ...known.value, shown: { ...known.value.shown, [key]: [...before, phase] } });
  }, [key, phase]);
  if (!guidance || isOff || isKnown) return null;
  const open = menu.lines.filter(({ weight }) => weight !== OfferWeight.END);
  const usualFirst = open.toSorted((a, b) => rankOf(a) - rankOf(b));
  const actions = [...new Set(usualFirst.map(({ title, key }) => (title || key).toLowerCase()))];
  const named = actions.slice(0, ACTIONS);
  return (
    <section class="beginner" aria-label={t('beginner-title')}>
      <details open={!isPhone.value}>
        <summary>{t('beginner-title')}</summary>
        <p>
          <Terms kind={kind} text={guidance.text} />
        </p>
        {named.length > 0 ? (
          <p class="faint">
            {actions.length > named.length
              ? rich('beginner-possible-more', { actions: withCommas(named) })
              : rich('beginner-possible', { actions: inWords(named) })}
          </p>
        ) : null}
        {guidance.end === '' ? null : <p>{guidance.end}</p>}
        <p class="row wrap">
          <button
            type="button"
            class="link"
            onClick={() => {
              const all = Array.from({ length: TIMES }, (_, index) => `known ${index}`);
              keep({ ...known.value, shown: { ...known.value.shown, [key]: all } });
            }}
          >
            {t('beginner-got-it')}
          </button>
          <button type="button" class="link" onClick={() => keep({ ...known.value, isOff: true })}>
            {t('beginner-no-more')}
          </button>
        </p>
      </details>
    </section>
  );
}
