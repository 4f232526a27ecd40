// Buttons, forms, tabs, dialogs and other components that the views share.

import { type Signal, signal, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { type Failure, failureOf } from '../engine/failure';
import { dateAndTime, span, t } from '../words';

/** The current time in milliseconds, updated once a second while the page is visible. */
export const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1_000);
document.addEventListener('visibilitychange', () => {
  now.value = Date.now();
});

/** The time left until an instant of the engine's clock. */
export function Countdown({ due, ahead = 0 }: { due: number | undefined; ahead?: number }) {
  if (due === undefined) return null;
  const left = (due - now.value - ahead) / 1000;
  const tone = left < 0 ? 'late' : left < 300 ? 'near' : '';
  return (
    <time
      class={`countdown ${tone}`}
      dateTime={new Date(due).toISOString()}
      title={t('page-deadline', { time: dateAndTime(due) })}
    >
      {left < 0 ? t('page-due-now') : span(left)}
    </time>
  );
}

export function ErrorLine({ failure }: { failure: Failure | undefined }) {
  if (!failure) return null;
  return (
    <p class="trouble" role="alert">
      {failure.message}
    </p>
  );
}

/** A button that makes a call, is busy meanwhile, and shows the error if it fails. */
export function ActionButton(props: {
  action: () => Promise<unknown>;
  failed?: (failure: Failure) => void;
  class?: string;
  disabled?: boolean;
  label?: string | undefined;
  pressed?: boolean;
  submit?: boolean;
  children: ComponentChildren;
}) {
  const isBusy = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const act = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = undefined;
    try {
      await props.action();
    } catch (thrown) {
      const found = failureOf(thrown);
      if (props.failed) props.failed(found);
      else failure.value = found;
    }
    isBusy.value = false;
  };
  return (
    <>
      <button
        type="button"
        class={props.class ?? 'button'}
        disabled={props.disabled ?? false}
        aria-busy={isBusy.value}
        aria-label={props.label}
        {...(props.pressed === undefined ? {} : { 'aria-pressed': props.pressed })}
        onClick={() => void act()}
      >
        {props.children}
      </button>
      <ErrorLine failure={failure.value} />
    </>
  );
}

/** A form that makes a call, and shows the error if it fails. */
export function CallForm(props: {
  action: () => Promise<unknown>;
  class?: string;
  label?: string;
  children: (busy: boolean) => ComponentChildren;
}) {
  const isBusy = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = undefined;
    try {
      await props.action();
    } catch (thrown) {
      failure.value = failureOf(thrown);
    }
    isBusy.value = false;
  };
  return (
    <form class={props.class} aria-label={props.label} onSubmit={(event) => void submit(event)}>
      {props.children(isBusy.value)}
      <ErrorLine failure={failure.value} />
    </form>
  );
}

/** Text to save, with a button that copies it. */
export function Copyable(props: { text: string; label: string; copied?: () => void }) {
  const code = useRef<HTMLElement>(null);
  const state = useSignal<'new' | 'copied' | 'selected'>('new');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      state.value = 'copied';
    } catch {
      // Pages on plain HTTP have no clipboard API: the older command copies the selection.
      if (code.current) getSelection()?.selectAllChildren(code.current);
      state.value = document.execCommand('copy') ? 'copied' : 'selected';
    }
    if (state.value === 'copied') props.copied?.();
  };
  return (
    <span class="copyable">
      <code ref={code} class="secret">
        {props.text}
      </code>
      <button type="button" class="button small" onClick={() => void copy()}>
        {state.value === 'copied' ? t('page-copied') : props.label}
      </button>
      <span class="hint" role="status">
        {state.value === 'selected' ? t('page-selected') : ''}
      </span>
    </span>
  );
}

export function Field(props: {
  label: string;
  hint?: ComponentChildren;
  children: (id: string, hint: string | undefined) => ComponentChildren;
}) {
  const id = useId();
  const hint = props.hint ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children(id, hint)}
      {props.hint ? (
        <p class="hint" id={hint}>
          {props.hint}
        </p>
      ) : null}
    </div>
  );
}

/** A form for one player's name, which it passes to the action and then clears. */
export function NameForm(props: {
  label: string;
  field: string;
  hint?: string;
  button: string;
  danger?: boolean;
  action: (name: string) => Promise<unknown>;
}) {
  const name = useSignal('');
  return (
    <CallForm
      class="row wrap aligned"
      label={props.label}
      action={async () => {
        await props.action(name.value);
        name.value = '';
      }}
    >
      {(busy) => (
        <>
          <Field label={props.field} hint={props.hint}>
            {(id, hint) => (
              <input
                id={id}
                aria-describedby={hint}
                maxLength={32}
                required
                value={name.value}
                onInput={(event) => (name.value = event.currentTarget.value)}
              />
            )}
          </Field>
          <button
            type="submit"
            class={props.danger ? 'button small danger' : 'button small'}
            aria-busy={busy}
          >
            {props.button}
          </button>
        </>
      )}
    </CallForm>
  );
}

export function Checkbox(props: {
  value: boolean;
  set: (value: boolean) => void;
  disabled?: boolean;
  children: ComponentChildren;
}) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={props.value}
        disabled={props.disabled ?? false}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
      <span>{props.children}</span>
    </label>
  );
}

export function Select<T extends string>(props: {
  id?: string;
  label?: string;
  value: T;
  options: readonly (readonly [T, string])[];
  set: (value: T) => void;
  describedBy?: string | undefined;
  disabled?: boolean;
}) {
  const ref = useRef<HTMLSelectElement>(null);
  // The browser resets the selection when options are added later: set it again.
  useLayoutEffect(() => {
    if (ref.current) ref.current.value = props.value;
  });
  return (
    <select
      ref={ref}
      id={props.id}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      value={props.value}
      disabled={props.disabled ?? false}
      onChange={(event) => props.set(event.currentTarget.value as T)}
    >
      {props.options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

export interface Tab {
  key: string;
  name: string;
  /** The number of unseen items, or a sign that something waits. */
  mark?: number | string | undefined;
}

/** Tabs following the ARIA pattern: arrow keys move between them. */
export function Tabs(props: {
  tabs: readonly Tab[];
  open: string;
  label: string;
  choose: (key: string) => void;
  children: ComponentChildren;
}) {
  const id = useId();
  const key = (event: KeyboardEvent) => {
    const at = props.tabs.findIndex((tab) => tab.key === props.open);
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: -1 - at };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = props.tabs[(at + step + props.tabs.length) % props.tabs.length];
    if (!next) return;
    props.choose(next.key);
    document.getElementById(`${id}-${next.key}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={props.label} onKeyDown={key}>
        {props.tabs.map((tab) => (
          <button
            key={tab.key}
            id={`${id}-${tab.key}`}
            type="button"
            role="tab"
            aria-selected={tab.key === props.open}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === props.open ? 0 : -1}
            onClick={() => props.choose(tab.key)}
          >
            {tab.name}
            {tab.mark ? <span class="badge">{tab.mark}</span> : null}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${props.open}`}
        tabIndex={-1}
        class="panel-body"
      >
        {props.children}
      </div>
    </div>
  );
}

/** A modal dialog, closed by Escape. */
export function Dialog(props: {
  title: string;
  close: () => void;
  class?: string;
  children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={props.class}
      aria-labelledby={id}
      onClose={props.close}
      onClick={(event) => {
        if (event.target === ref.current) ref.current?.close();
      }}
    >
      <div class="dialog">
        <header>
          <h2 id={id}>{props.title}</h2>
          <button
            type="button"
            class="icon"
            aria-label={t('page-close')}
            title={t('page-close')}
            onClick={() => ref.current?.close()}
          >
            ×
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}

/** The body of a question. It may close its dialog, which answers no. */
type Body = ComponentChildren | ((close: () => void) => ComponentChildren);

interface Question {
  title: string;
  body: Body;
  yes: string;
  answer: (yes: boolean) => void;
}
const question = signal<Question | undefined>(undefined);

/** Asks for confirmation of an action that cannot be undone. */
export function confirm(title: string, body: Body, yes: string): Promise<boolean> {
  question.value?.answer(false);
  return new Promise((resolve) => {
    question.value = { title, body, yes, answer: resolve };
  });
}

export function Confirmations() {
  const asked = question.value;
  if (!asked) return null;
  const answer = (yes: boolean) => {
    if (question.value === asked) question.value = undefined;
    asked.answer(yes);
  };
  return (
    <Dialog key={asked.title} title={asked.title} class="confirm" close={() => answer(false)}>
      <div>{typeof asked.body === 'function' ? asked.body(() => answer(false)) : asked.body}</div>
      <footer>
        <button type="button" class="button" onClick={() => answer(false)}>
          {t('page-not-now')}
        </button>
        <button type="button" class="button strong" onClick={() => answer(true)}>
          {asked.yes}
        </button>
      </footer>
    </Dialog>
  );
}

/** Loads a value when its dependencies change, and again on request. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): {
  value: Signal<T | undefined>;
  failure: Signal<Failure | undefined>;
  isBusy: Signal<boolean>;
  again: () => void;
} {
  const value = useSignal<T | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(true);
  const round = useSignal(0);
  useSignalEffect(() => {
    round.value;
    const ended = new AbortController();
    isBusy.value = true;
    load(ended.signal).then(
      (loaded) => {
        if (ended.signal.aborted) return;
        value.value = loaded;
        failure.value = undefined;
        isBusy.value = false;
      },
      (thrown: unknown) => {
        if (ended.signal.aborted) return;
        failure.value = failureOf(thrown);
        isBusy.value = false;
      },
    );
    return () => ended.abort();
  });
  return { value, failure, isBusy, again: () => void (round.value += 1) };
}

/** The colours of seats on the shown map; empty without a map. */
export const seatColors = signal<ReadonlyMap<number, string>>(new Map());

export function SeatDot({ seat }: { seat: number }) {
  const ink = seatColors.value.get(seat);
  return (
    <span
      class={`dot ${ink ? '' : 'none'}`}
      style={ink ? { background: ink } : {}}
      aria-hidden="true"
    />
  );
}
