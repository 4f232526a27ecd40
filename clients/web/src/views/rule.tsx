// Shows the rule behind a sentence.

import { signal } from '@preact/signals';
import { games } from '../engine/calls';
import type { Event } from '../engine/contract';
import { rulePath } from '../router';
import type { Table } from '../table/table';
import { ruleParts } from '../teach/rules';
import { Dialog, ErrorLine, useLoaded } from '../ui/components';
import { t } from '../words';

interface RuleRequest {
  kind: string;
  rule: string;
  table?: Table | undefined;
  event?: Event | undefined;
}
const asked = signal<RuleRequest | undefined>(undefined);

/** A rule's number. A click shows the text; the link leads to the rulebook. */
export function Rule(props: {
  kind: string;
  rule: string;
  table?: Table;
  event?: Event;
  text?: string;
}) {
  const { kind, rule, table, event, text } = props;
  if (rule === '') return null;
  return (
    <a
      class={text === undefined ? 'rule' : 'rule-link'}
      href={rulePath(kind, rule)}
      aria-label={t('rule-number', { rule })}
      title={t('rule-number', { rule })}
      onClick={(click) => {
        click.stopPropagation();
        if (click.ctrlKey || click.metaKey || click.shiftKey) return;
        click.preventDefault();
        asked.value = { kind, rule, table, event };
      }}
    >
      {text ?? `§${rule}`}
    </a>
  );
}

/** A text in which the numbers of rules are links. */
export function RuledText({ kind, text }: { kind: string; text: string }) {
  return (
    <>
      {ruleParts(text).map(({ text: part, rule }, index) =>
        rule === '' ? part : <Rule key={index} kind={kind} rule={rule} text={part} />,
      )}
    </>
  );
}

export function RuleDialog() {
  const shown = asked.value;
  if (!shown) return null;
  return <Shown key={`${shown.kind} ${shown.rule} ${shown.event?.number}`} asked={shown} />;
}

function Shown({ asked: { kind, rule, table, event } }: { asked: RuleRequest }) {
  const loaded = useLoaded(async () => {
    if (!table || !event) return { ...(await games.getRule({ kind, rule })), sameStep: [] };
    const { seat } = table.as;
    return games.explain({
      gameId: table.id,
      event: event.number,
      ...(seat === undefined ? {} : { seat }),
    });
  });
  const answer = loaded.value.value;
  const number = answer?.rule?.number ?? rule;
  const close = () => {
    asked.value = undefined;
  };
  return (
    <Dialog title={t('rule-number', { rule: number })} close={close}>
      <ErrorLine failure={loaded.failure.value} />
      {event ? (
        <p class="quote" lang="en">
          {event.text}
        </p>
      ) : null}
      <p class="rule-text" lang="en">
        <RuledText kind={kind} text={answer?.rule?.text ?? ''} />
      </p>
      {answer && answer.sameStep.length > 0 ? (
        <>
          <h3>{t('rule-same-step')}</h3>
          <ul class="sentences" lang="en">
            {answer.sameStep.map((each) => (
              <li key={String(each.number)}>{each.text}</li>
            ))}
          </ul>
        </>
      ) : null}
      <p>
        <a class="button small" href={rulePath(kind, number)} onClick={close}>
          {t('rule-open-rulebook')}
        </a>
      </p>
    </Dialog>
  );
}
