// A form for an option that is a message, built from the descriptor of the message.

import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from '@bufbuild/protobuf';
import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedInputEvent } from 'preact';
import type { GameKind, OptionInfo } from '../engine/contract';
import { optionName, schemaOf } from '../options';
import { Checkbox, ErrorLine, Field, Select, useLoaded } from '../ui/components';
import { capital, t } from '../words';

interface Edited {
  value: JsonValue | undefined;
  /** Stores the value; undefined means the default. */
  set: (value: JsonValue | undefined) => void;
}

export function MessageField(props: Edited & { kind: GameKind; info: OptionInfo; hint: string }) {
  const { kind, info, hint, value, set } = props;
  const loaded = useLoaded(() => schemaOf(kind));
  const field = loaded.value.value?.fields.find((each) => each.name === info.name);
  return (
    <fieldset class="message">
      <legend>{optionName(info)}</legend>
      <p class="hint">{hint}</p>
      <ErrorLine failure={loaded.failure.value} />
      {field ? <Content field={field} value={value} set={set} /> : null}
      <FromFile set={set} />
    </fieldset>
  );
}

/** A button that reads the value from a JSON file. */
function FromFile({ set }: Pick<Edited, 'set'>) {
  const fault = useSignal('');
  const load = async (file: File | undefined) => {
    if (!file) return;
    try {
      set(JSON.parse(await file.text()) as JsonValue);
      fault.value = '';
    } catch {
      fault.value = t('message-field-not-json', { file: file.name });
    }
  };
  return (
    <Field label={t('message-field-load')}>
      {(id) => (
        <>
          <input
            id={id}
            type="file"
            accept=".json,application/json"
            onChange={(event) => void load(event.currentTarget.files?.[0])}
          />
          {fault.value ? <p class="trouble">{fault.value}</p> : null}
        </>
      )}
    </Field>
  );
}

function labelOf(field: DescField): string {
  return capital(field.name.replaceAll('_', ' '));
}

/** The value of a field, without its name. */
function Content({ field, value, set }: Edited & { field: DescField }) {
  switch (field.fieldKind) {
    case 'list':
      return <List field={field} value={value} set={set} />;
    case 'message':
      return value === undefined ? (
        <button type="button" class="button small" onClick={() => set({})}>
          {t('account-add')}
        </button>
      ) : (
        <>
          <Fields message={field.message} value={value} set={set} />
          <button type="button" class="button small" onClick={() => set(undefined)}>
            {t('page-remove')}
          </button>
        </>
      );
    default:
      return null;
  }
}

function List({ field, value, set }: Edited & { field: DescField & { fieldKind: 'list' } }) {
  const items = Array.isArray(value) ? value : [];
  const store = (next: JsonValue[]) => set(next.length > 0 ? next : undefined);
  const first = field.listKind === 'message' ? {} : field.listKind === 'enum' ? 0 : '';
  const name = field.name.replaceAll('_', ' ');
  return (
    <>
      <ol class="message-list">
        {items.map((item, index) => {
          const edited = {
            value: item,
            set: (next: JsonValue | undefined) => store(items.with(index, next ?? first)),
          };
          const label = `${capital(name)} ${index + 1}`;
          return (
            <li key={index}>
              {field.listKind === 'message' ? (
                <fieldset class="message">
                  <legend>{label}</legend>
                  <Fields message={field.message} {...edited} />
                </fieldset>
              ) : (
                <Single field={field} label={label} {...edited} />
              )}
              <button
                type="button"
                class="button small"
                aria-label={t('message-field-remove-item', { name, number: index + 1 })}
                onClick={() => store(items.toSpliced(index, 1))}
              >
                {t('page-remove')}
              </button>
            </li>
          );
        })}
      </ol>
      <button
        type="button"
        class="button small"
        aria-label={t('message-field-add-to', { name })}
        onClick={() => store([...items, first])}
      >
        {t('account-add')}
      </button>
    </>
  );
}

function Fields({ message, value, set }: Edited & { message: DescMessage }) {
  const given = (value ?? {}) as JsonObject;
  return (
    <div class="fields">
      {message.fields.map((field) => {
        const edited = {
          value: given[field.name] ?? given[field.jsonName],
          set: (next: JsonValue | undefined) => {
            const { [field.name]: _, [field.jsonName]: __, ...rest } = given;
            set(next === undefined ? rest : { ...rest, [field.name]: next });
          },
        };
        return field.fieldKind === 'scalar' || field.fieldKind === 'enum' ? (
          <Single key={field.name} field={field} label={labelOf(field)} {...edited} />
        ) : (
          <Part key={field.name} label={labelOf(field)}>
            <Content field={field} {...edited} />
          </Part>
        );
      })}
    </div>
  );
}

function Part({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <fieldset class="message">
      <legend>{label}</legend>
      {children}
    </fieldset>
  );
}

/** A field or list item that is a number, a text, a flag or a word. */
function Single(props: Edited & { field: DescField; label: string }) {
  const { field, label, value, set } = props;
  if (field.enum) {
    const { values, sharedPrefix = '' } = field.enum;
    const options = values
      .filter(({ name, number }) => number !== 0 || !name.endsWith('UNSPECIFIED'))
      .map(({ name }) => [name, wordOf(name, sharedPrefix)] as const);
    const choose = (name: string) => set(name === '' ? undefined : name);
    const chosen = values.find(({ name, number }) => value === name || value === number);
    return (
      <Field label={label}>
        {(id) => (
          <Select
            id={id}
            value={chosen?.name ?? ''}
            options={[['', t('new-game-default')], ...options]}
            set={choose}
          />
        )}
      </Field>
    );
  }
  if (field.scalar === ScalarType.BOOL) {
    return (
      <Checkbox value={value === true} set={(flag) => set(flag || undefined)}>
        {label}
      </Checkbox>
    );
  }
  const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
  const isSigned = field.scalar !== ScalarType.UINT32 && field.scalar !== ScalarType.UINT64;
  return (
    <Field label={label}>
      {(id) => {
        const input = {
          id,
          value: value === undefined ? '' : String(value),
          onInput: ({ currentTarget: { value: text } }: TargetedInputEvent<HTMLInputElement>) =>
            set(text === '' ? undefined : isText ? text : Number(text)),
        };
        if (isText) return <input {...input} />;
        return <input type="number" {...input} {...(isSigned ? {} : { min: 0 })} />;
      }}
    </Field>
  );
}

function wordOf(name: string, prefix: string): string {
  const word = name.toLowerCase().startsWith(prefix) ? name.slice(prefix.length) : name;
  return capital(word.replaceAll('_', ' ').toLowerCase());
}
