// The preview of a phase of Diplomacy: a list of units with the expected order of each.

import { useSignalEffect } from '@preact/signals';
import { useEffect, useId, useMemo } from 'preact/hooks';
import type { Scene } from '../engine/contract';
import type { Overlay } from '../map/map-image';
import type { Subject } from '../table/offers';
import { Preview, type Row } from '../table/preview';
import type { Table } from '../table/table';
import { ErrorLine, SeatDot } from '../ui/components';
import { t } from '../words';

export function PreviewPanel(props: {
  table: Table;
  show: (overlay: Overlay | undefined) => void;
}) {
  const { table, show } = props;
  const preview = useMemo(() => new Preview(table), [table]);
  useSignalEffect(() => {
    table.shownEvent.value;
    void preview.load();
  });
  useEffect(() => {
    show({
      chosen: preview.chosen,
      pick: (subject: Subject | undefined) => preview.pick(subject),
      scene: (scene: Scene) => preview.scene(scene),
    });
    return () => show(undefined);
  }, [preview]);
  const powers = preview.powers.value;
  if (!preview.isPossible.value) {
    return (
      <>
        <ErrorLine failure={preview.failure.value} />
        <p class="hint">{t('analysis-preview-impossible')}</p>
      </>
    );
  }
  return (
    <div class="expected-orders">
      <p class="hint">{t('analysis-preview-help')}</p>
      <ErrorLine failure={preview.failure.value} />
      {powers.map(({ seat, name }) => {
        const rows = preview.rows.value.filter((row) => row.seat === seat);
        return rows.length === 0 ? null : (
          <fieldset key={seat}>
            <legend>
              <SeatDot seat={seat} /> {name}
            </legend>
            {rows.map((row) => (
              <ExpectedOrder key={row.unit} preview={preview} row={row} />
            ))}
          </fieldset>
        );
      })}
      <button type="button" class="button small" onClick={() => preview.clear()}>
        {t('analysis-preview-clear')}
      </button>
    </div>
  );
}

function ExpectedOrder({ preview, row }: { preview: Preview; row: Row }) {
  const { unit, order, isGiven, report } = row;
  const id = useId();
  const isChosen = preview.chosen.value?.piece === unit;
  return (
    <div class={`preview-row ${isChosen ? 'chosen' : ''}`}>
      <input
        aria-label={t('analysis-preview-order', { unit })}
        aria-describedby={id}
        spellcheck={false}
        value={order}
        onChange={(event) => preview.expect(unit, event.currentTarget.value)}
      />
      <span id={id} class="faint">
        {isGiven ? `${t('analysis-preview-given')} ` : ''}
        {report?.text ?? ''}
      </span>
    </div>
  );
}
