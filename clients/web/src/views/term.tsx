// Terms of the games in texts, and the card that explains a term.

import '../style/terms.css';
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Term } from '../engine/contract';
import { rulePath } from '../router';
import { primerOf } from '../teach/primer';
import { termParts } from '../teach/terms';
import { t } from '../words';

const known = signal<ReadonlyMap<string, readonly Term[]>>(new Map());
const loading = new Set<string>();

/** Returns the terms of a kind of game; none until they are loaded. */
function knownTerms(kind: string): readonly Term[] {
  if (kind !== '' && !loading.has(kind)) {
    loading.add(kind);
    void primerOf(kind).then(
      ({ terms }) => {
        known.value = new Map(known.peek()).set(kind, terms);
      },
      () => loading.delete(kind),
    );
  }
  return known.value.get(kind) ?? [];
}

interface Shown {
  kind: string;
  term: Term;
  /** The word to which the card belongs. */
  at: Element;
  /** Whether the card stays until it is closed. */
  isKept: boolean;
}
const shown = signal<Shown | undefined>(undefined);

/**
 * A text in which terms show a card: on hover, and on a tap or by the keyboard. In long lists, terms
 * are `quiet`: the keyboard skips them. Within a button, which takes the taps, they are `plain`.
 */
export function Terms(props: { kind: string; text: string; plain?: boolean; quiet?: boolean }) {
  const { kind, text, plain = false, quiet = false } = props;
  const terms = knownTerms(kind);
  if (terms.length === 0) return <bdi>{text}</bdi>;
  const parts = termParts(text, terms);
  const isButton = (index: number) => !plain && !quiet && parts[index]?.term !== undefined;
  // A line may break after a button, but not before the punctuation that follows.
  const stopAfter = (index: number) =>
    (isButton(index) && /^[.,;:!?)]+/.exec(parts[index + 1]?.text ?? '')?.[0]) || '';
  return (
    <bdi>
      {parts.map(({ text: part, term }, index) => {
        if (!term) return part.slice(stopAfter(index - 1).length);
        const show = (at: Element, isKept: boolean) => {
          shown.value = { kind, term, at, isKept };
        };
        const hover = {
          onPointerEnter: (event: PointerEvent & { currentTarget: Element }) => {
            if (event.pointerType === 'mouse' && !shown.value?.isKept) {
              show(event.currentTarget, false);
            }
          },
          onPointerLeave: () => {
            if (!shown.value?.isKept) shown.value = undefined;
          },
        };
        const click = (event: MouseEvent & { currentTarget: Element }) => {
          event.stopPropagation();
          show(event.currentTarget, true);
        };
        if (plain || quiet) {
          return (
            <span key={index} class="term" {...hover} {...(plain ? {} : { onClick: click })}>
              {part}
            </span>
          );
        }
        return (
          <span key={index} class="unbroken">
            <button
              type="button"
              class="term"
              aria-label={t('rule-what-is', { term: part })}
              {...hover}
              onClick={click}
            >
              {part}
            </button>
            {stopAfter(index)}
          </span>
        );
      })}
    </bdi>
  );
}

/** The card of the term that the player points at or has tapped. */
export function TermCard() {
  const ref = useRef<HTMLDivElement>(null);
  const { value } = shown;
  useEffect(() => {
    const close = (event: Event) => {
      const isInside = event.target instanceof Node && ref.current?.contains(event.target);
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !isInside) {
        shown.value = undefined;
      }
    };
    addEventListener('keydown', close);
    addEventListener('pointerdown', close);
    addEventListener('popstate', close);
    return () => {
      removeEventListener('keydown', close);
      removeEventListener('pointerdown', close);
      removeEventListener('popstate', close);
    };
  }, []);
  useLayoutEffect(() => {
    const card = ref.current;
    if (!card || !value) return;
    const word = value.at.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = card;
    const isRoomBelow = word.bottom + 6 + height <= innerHeight;
    card.style.left = `${Math.max(4, Math.min(word.left, innerWidth - width - 8))}px`;
    card.style.top = `${Math.max(4, isRoomBelow ? word.bottom + 6 : word.top - height - 6)}px`;
  });
  if (!value) return null;
  const { kind, term } = value;
  return (
    <div ref={ref} class="term-card" role="status">
      <p lang="en">
        <strong>{term.name}</strong>
      </p>
      <p lang="en">{term.meaning}</p>
      {term.rule === '' ? null : (
        <p>
          <a href={rulePath(kind, term.rule)} onClick={() => (shown.value = undefined)}>
            {t('rule-number', { rule: term.rule })}
          </a>
        </p>
      )}
    </div>
  );
}
