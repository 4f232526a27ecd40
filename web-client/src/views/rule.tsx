// The rule behind a sentence.

import { signal } from '@preact/signals';
import { games } from '../engine/calls';
import type { Event } from '../engine/contract';
import type { Table } from '../table/table';
import { Dialog, Trouble, useLoaded } from '../ui/parts';

interface Asked {
  kind: string;
  rule: string;
  table?: Table | undefined;
  event?: Event | undefined;
}
const asked = signal<Asked | undefined>(undefined);

/** A rule's number, which shows its text. */
export function Rule(props: { kind: string; rule: string; table?: Table; event?: Event }) {
  const { rule } = props;
  if (rule === '') return null;
  return (
    <button
      type="button"
      class="rule"
      aria-label={`Rule ${rule}`}
      title={`Rule ${rule}`}
      onClick={(click) => {
        click.stopPropagation();
        asked.value = { kind: props.kind, rule, table: props.table, event: props.event };
      }}
    >
      §{rule}
    </button>
  );
}

/** Where rules are shown. */
export function RuleDialog() {
  const shown = asked.value;
  if (!shown) return null;
  return <Shown key={`${shown.rule} ${shown.event?.number}`} asked={shown} />;
}

function Shown({ asked: { kind, rule, table, event } }: { asked: Asked }) {
  const loaded = useLoaded(async () => {
    if (!table || !event) return { ...(await games.getRule({ kind, rule })), sameStep: [] };
    const { seat } = table.as;
    return games.explain({
      gameId: table.id,
      event: event.number,
      ...(seat === undefined ? {} : { seat }),
    });
  });
  const told = loaded.value.value;
  const close = () => {
    asked.value = undefined;
  };
  return (
    <Dialog title={`Rule ${told?.rule?.number ?? rule}`} close={close}>
      <Trouble failure={loaded.failure.value} />
      {event ? <p class="quote">{event.text}</p> : null}
      <p class="rule-text">{told?.rule?.text}</p>
      {told && told.sameStep.length > 0 ? (
        <>
          <h3>In the same step</h3>
          <ul class="sentences">
            {told.sameStep.map((each) => (
              <li key={String(each.number)}>{each.text}</li>
            ))}
          </ul>
        </>
      ) : null}
    </Dialog>
  );
}
