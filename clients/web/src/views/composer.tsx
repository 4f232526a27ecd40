// Typed lines with completion from the offers, each with its verdict below.

import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { complete, type Menu } from '../table/offers';
import type { Sheet } from '../table/sheet';
import { t } from '../words';
import { Rule } from './rule';

export function Composer(props: {
  sheet: Sheet;
  menu: Menu;
  kind: string;
  disabled: boolean;
  give: () => void;
}) {
  const { sheet, menu, kind, disabled, give } = props;
  const list = useRef<HTMLOListElement>(null);
  const focus = (index: number) => {
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[index]?.focus());
  };
  return (
    <ol class="composer" ref={list} aria-label={t('composer-title')}>
      {sheet.rows.value.map((row, index) => (
        <Row
          key={index}
          index={index}
          row={row}
          sheet={sheet}
          menu={menu}
          kind={kind}
          disabled={disabled}
          give={give}
          focus={focus}
        />
      ))}
    </ol>
  );
}

function Row(props: {
  index: number;
  row: string;
  sheet: Sheet;
  menu: Menu;
  kind: string;
  disabled: boolean;
  give: () => void;
  focus: (index: number) => void;
}) {
  const { index, row, sheet, menu, kind, focus } = props;
  const id = useId();
  const isOpen = useSignal(false);
  const active = useSignal(-1);
  const judged = sheet.judged.value[index];
  const ways = isOpen.value && row.trim() !== '' ? complete(menu, row) : [];
  const accept = (text: string) => {
    sheet.setRow(index, text);
    active.value = -1;
  };
  const key = (event: KeyboardEvent) => {
    const chosen = ways[active.value];
    const rows = sheet.rows.value;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) props.give();
    else if (event.key === 'ArrowDown' && ways.length > 0) {
      active.value = Math.min(active.value + 1, ways.length - 1);
    } else if (event.key === 'ArrowUp' && active.value >= 0) active.value -= 1;
    else if (event.key === 'ArrowDown' && index + 1 < rows.length) focus(index + 1);
    else if (event.key === 'ArrowUp' && index > 0) focus(index - 1);
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) accept(chosen);
    else if (event.key === 'Enter' && (menu.sheet || event.shiftKey)) {
      sheet.change(rows.toSpliced(index + 1, 0, ''));
      focus(index + 1);
    } else if (event.key === 'Enter') props.give();
    else if (event.key === 'Backspace' && row === '' && rows.length > 1) {
      sheet.remove(index);
      focus(Math.max(index - 1, 0));
    } else if (event.key === 'Escape' && ways.length > 0) isOpen.value = false;
    else return;
    event.preventDefault();
  };
  const tone = judged ? (judged.accepted ? 'good' : 'bad') : '';
  return (
    <li class={`row-line ${tone}`}>
      <div class="row-input">
        <input
          type="text"
          role="combobox"
          aria-label={t('composer-order', { number: index + 1 })}
          aria-autocomplete="list"
          aria-expanded={ways.length > 0}
          aria-controls={`${id}-ways`}
          {...(active.value >= 0 ? { 'aria-activedescendant': `${id}-${active.value}` } : {})}
          aria-invalid={judged ? !judged.accepted : false}
          aria-describedby={`${id}-verdict`}
          placeholder={index === 0 ? t('composer-placeholder') : ''}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          value={row}
          onInput={(event) => {
            isOpen.value = true;
            active.value = -1;
            sheet.setRow(index, event.currentTarget.value);
          }}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text') ?? '';
            if (!text.includes('\n')) return;
            event.preventDefault();
            sheet.setRow(index, row + text);
          }}
          onBlur={() => {
            isOpen.value = false;
          }}
          onKeyDown={key}
        />
        {row !== '' ? (
          <button
            type="button"
            class="icon small"
            aria-label={t('composer-remove', { number: index + 1 })}
            title={t('composer-remove', { number: index + 1 })}
            onClick={() => sheet.remove(index)}
          >
            ×
          </button>
        ) : null}
        <ul
          id={`${id}-ways`}
          role="listbox"
          aria-label={t('composer-completions')}
          class="ways"
          hidden={ways.length === 0}
        >
          {ways.map((way, place) => (
            <li
              key={way}
              id={`${id}-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === active.value}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => accept(way)}
            >
              {way}
            </li>
          ))}
        </ul>
      </div>
      <p id={`${id}-verdict`} class="verdict" aria-live="polite">
        {judged?.sentence || (judged?.accepted ? t('composer-possible') : '')}
        {judged && !judged.accepted ? <Rule kind={kind} rule={judged.rule} /> : null}
      </p>
    </li>
  );
}
