// The tables beside the map.

import { useSignal } from '@preact/signals';
import type { ScenePanel, SceneRow } from '../engine/contract';
import type { Subject } from '../table/offers';
import { SeatDot } from '../ui/components';
import { Terms } from '../views/term';
import { capital, t } from '../words';
import type { Contents } from './contents';
import { nextOrder, type Order, sortedRows } from './sorting';

/** Tables with as many columns have less space between them. */
const DENSE = 5;

type Show = (subjects: readonly Subject[]) => void;

export function Panels(props: { contents: Contents; kind: string; show: Show; close: () => void }) {
  const { contents, kind, show, close } = props;
  return (
    <section
      class="panels"
      aria-label={t('map-tables')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <button
        type="button"
        class="icon small"
        aria-label={t('map-close-tables')}
        title={t('map-close-tables')}
        onClick={close}
      >
        ×
      </button>
      <div class="panels-body" tabIndex={0} role="group" aria-label={t('map-tables')}>
        {contents.scene.panels.map((panel) => (
          <Panel key={panel.key} panel={panel} kind={kind} contents={contents} show={show} />
        ))}
      </div>
    </section>
  );
}

function Panel(props: { panel: ScenePanel; kind: string; contents: Contents; show: Show }) {
  const { panel, kind, contents, show } = props;
  const isOpen = useSignal(!panel.folded);
  return (
    <details
      class="panel-part"
      lang="en"
      data-panel={panel.key}
      open={isOpen.value}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>
        <bdi>{panel.title}</bdi>
      </summary>
      {panel.figures.length > 0 ? (
        <dl class="figures">
          {panel.figures.map(({ label, value, note }) => (
            <div key={label}>
              <dt>
                <bdi>
                  <Terms kind={kind} text={capital(label)} quiet />
                </bdi>
              </dt>
              <dd>
                <bdi>
                  <Terms kind={kind} text={value} quiet />
                </bdi>
                {note === '' ? null : <bdi class="faint small"> {note}</bdi>}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {panel.rows.length > 0 ? (
        <Rows panel={panel} kind={kind} contents={contents} show={show} />
      ) : null}
      {panel.note === '' ? null : (
        <p class="faint small">
          <bdi>{panel.note}</bdi>
        </p>
      )}
    </details>
  );
}

function Rows(props: { panel: ScenePanel; kind: string; contents: Contents; show: Show }) {
  const { panel, kind, contents, show } = props;
  const order = useSignal<Order | undefined>(undefined);
  const rows = sortedRows(panel, order.value);
  const hasHead = panel.columns.some(({ title }) => title !== '');
  // A column without cells takes no room. One without a title is written below the first cell.
  const filled = panel.columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ index }) => panel.rows.some((row) => (row.cells[index] ?? '') !== ''));
  const isRemark = ({ title, index }: { title: string; index: number }) =>
    hasHead && title === '' && index > 0;
  const columns = filled.filter((column) => !isRemark(column));
  const remarks = filled.filter(isRemark).map(({ index }) => index);
  return (
    <div class="scroll-x" tabIndex={0} role="group" aria-label={panel.title}>
      <table class={columns.length >= DENSE ? 'dense' : ''}>
        {hasHead ? (
          <thead>
            <tr>
              {columns.map(({ title, numeric, index }) => {
                if (title === '') return <td key={index} />;
                const isSorted = order.value?.column === index;
                const way = order.value?.isDescending ? 'descending' : 'ascending';
                return (
                  <th
                    key={index}
                    scope="col"
                    class={numeric ? 'number' : ''}
                    aria-sort={isSorted ? way : 'none'}
                  >
                    <button
                      type="button"
                      onClick={() => (order.value = nextOrder(order.value, index, numeric))}
                    >
                      <bdi>
                        <Terms kind={kind} text={capital(title)} plain />
                      </bdi>
                      {isSorted ? (way === 'ascending' ? ' ▴' : ' ▾') : ''}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
        ) : null}
        <tbody>
          {rows.map((row, index) => (
            <Row
              key={index}
              row={row}
              kind={kind}
              columns={columns}
              remarks={remarks}
              contents={contents}
              show={show}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row(props: {
  row: SceneRow;
  kind: string;
  columns: readonly { numeric: boolean; index: number }[];
  remarks: readonly number[];
  contents: Contents;
  show: Show;
}) {
  const { row, kind, columns, remarks, contents, show } = props;
  const remark = remarks
    .map((index) => row.cells[index] ?? '')
    .filter((text) => text !== '')
    .join(', ');
  const subjects = [
    ...row.pieces.map((piece) => contents.subjectOf('', piece)),
    ...row.places.map((place) => contents.subjectOf(place, '')),
  ].filter((subject) => subject !== undefined);
  const isLinked = subjects.length > 0;
  const first = columns.find(({ index }) => (row.cells[index] ?? '') !== '')?.index;
  const look = {
    class: `${row.states.join(' ')} ${isLinked ? 'linked' : ''}`,
    ...(isLinked ? { onClick: () => show(subjects) } : {}),
  };
  const cells = (
    <tr {...look}>
      {columns.map(({ numeric, index }) => {
        const isFirst = index === first;
        const mark = isFirst && row.states.includes('active') ? '▶ ' : '';
        const cell = `${mark}${row.cells[index] ?? ''}`;
        return (
          <td key={index} class={numeric ? 'number' : ''}>
            {isFirst && row.seat ? <SeatDot seat={row.seat} /> : null}
            {isFirst && isLinked ? (
              <button type="button" class="row-link">
                <bdi>{cell}</bdi>
              </button>
            ) : (
              <bdi>
                <Terms kind={kind} text={cell} plain />
              </bdi>
            )}
          </td>
        );
      })}
    </tr>
  );
  if (remark === '') return cells;
  return (
    <>
      {cells}
      <tr {...look} class={`${look.class} remark`}>
        <td colSpan={columns.length}>
          <bdi class={row.seat ? 'indent' : ''}>{remark}</bdi>
        </td>
      </tr>
    </>
  );
}
