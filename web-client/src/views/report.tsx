// The report of a turn, as a page.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { games } from '../engine/calls';
import { GameStatus, ReportFormat } from '../engine/contract';
import { cleanHtml, ink } from '../picture/clean';
import { gamePath, go } from '../router';
import type { Table } from '../table/table';
import { Choose, Trouble, useLoaded } from '../ui/parts';

export function Report({ table, phase }: { table: Table; phase: bigint | undefined }) {
  const host = useRef<HTMLDivElement>(null);
  const at = useSignal(phase);
  at.value = phase;
  const loaded = useLoaded(async (signal) => {
    const wanted = at.value === undefined ? {} : { atPhase: at.value };
    const isOver = table.game.peek()?.status === GameStatus.ENDED;
    const revealed = isOver && table.seat === undefined;
    const request = { ...table.as, ...wanted, revealed, format: ReportFormat.HTML };
    return games.getReport(request, { signal });
  });
  const report = loaded.value.value;
  useEffect(() => {
    const element = host.current;
    if (!element || !report) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const { content, sheet } = cleanHtml(report.report);
    root.adoptedStyleSheets = sheet ? [sheet] : [];
    root.replaceChildren(content);
    ink(root);
    // Links within the report lead to places in its shadow.
    root.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const id = link?.getAttribute('href')?.slice(1);
      if (id) {
        event.preventDefault();
        root.getElementById(id)?.scrollIntoView();
      }
    });
  }, [report]);
  const phases = table.phases.value;
  const path = `${gamePath(table.id)}/report`;
  const options = [
    ['', 'Now'] as const,
    ...phases.toReversed().map((each) => [String(each.number), each.title] as const),
    ['0', 'The set-up'] as const,
  ];
  return (
    <main class="page report">
      <header class="page-head">
        <h1>Report</h1>
        <div class="row wrap">
          <Choose
            label="Of which phase"
            value={phase === undefined ? '' : String(phase)}
            options={options}
            set={(value) => go(value === '' ? path : `${path}/${value}`)}
          />
          <a class="button" href={gamePath(table.id, phase)}>
            To the table
          </a>
        </div>
      </header>
      <Trouble failure={loaded.failure.value} />
      {report || loaded.failure.value ? null : <p class="loading">Writing the report…</p>}
      <div ref={host} class="report-page" hidden={!report} />
    </main>
  );
}
