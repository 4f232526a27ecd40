// Small menus beside the pointer. They block no click.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { sentenceOf } from '../table/offers';
import type { Picker } from '../table/picker';
import { t } from '../words';
import { clearOf, type Point } from './view';

/** Half the size of what the menu leaves free around a place, in pixels. */
const FREE = 14;

export function PointMenu(props: {
  label: string;
  at: Point;
  avoid: readonly Point[];
  children: ComponentChildren;
}) {
  const { label, at, avoid, children } = props;
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = ref.current;
    const frame = menu?.parentElement;
    if (!menu || !frame) return;
    const size = { width: menu.offsetWidth, height: menu.offsetHeight };
    const whole = { width: frame.clientWidth, height: frame.clientHeight };
    const { x, y } = clearOf([...avoid, at], at, size, whole, FREE);
    menu.style.left = `${x}px`;
    menu.style.top = `${y}px`;
  });
  return (
    <div ref={ref} class="meanings" role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** The other meanings of the last click on the map. */
export function Meanings({ picker }: { picker: Picker }) {
  return (
    <>
      {picker.given.value ? <p class="faint">{t('map-instead')}</p> : null}
      <ul>
        {picker.meanings.value.map((form) => (
          <li key={`${form.line.notation} ${JSON.stringify(form.choices)}`}>
            <button type="button" onClick={() => picker.mean(form)}>
              <bdi>{sentenceOf(form.line, form.choices)}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
