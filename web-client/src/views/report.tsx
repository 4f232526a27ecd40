// The report of a turn, as a page.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { games } from '../engine/calls';
import { GameStatus, MapFormat, MapTheme, ReportFormat } from '../engine/contract';
import { cleanHtml, cleanSvg, ink } from '../picture/clean';
import { MapSentences } from '../picture/picture';
import { gamePath, go } from '../router';
import { mapTheme, shownTheme } from '../settings';
import type { Table } from '../table/table';
import { Choose, Trouble, useLoaded } from '../ui/parts';
import { News, PhaseNews } from './news';

/** The report takes the colours of the page. The engine writes it for a dark page of its own. */
const PAGE_COLOURS = `
:host { color-scheme: inherit; --ground: inherit; --ink: inherit; --sheet: var(--raised);
  --line: var(--edge); --faint: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); } .notice { color: var(--warm); }
tbody tr:nth-child(even) td { background: none; }
td { border-bottom: 1px solid var(--line); }
`;

export function Report({ table, phase }: { table: Table; phase: bigint | undefined }) {
  const host = useRef<HTMLDivElement>(null);
  const at = useSignal(phase);
  at.value = phase;
  const isOver = table.game.peek()?.status === GameStatus.ENDED;
  const revealed = isOver && table.seat === undefined;
  const request = () => {
    const wanted = at.value === undefined ? {} : { atPhase: at.value };
    return { ...table.as, ...wanted, revealed };
  };
  const loaded = useLoaded((signal) =>
    games.getReport({ ...request(), format: ReportFormat.HTML }, { signal }),
  );
  // The picture of a report is dark: another theme has a picture of its own.
  const drawn = useLoaded(async (signal) => {
    const theme = mapTheme.value;
    const wanted = request();
    if (theme === MapTheme.DARK) return undefined;
    return games.drawMap({ ...wanted, format: MapFormat.SVG, theme }, { signal });
  });
  const report = loaded.value.value;
  const map = drawn.value.value?.map;
  const theme = shownTheme.value;
  useEffect(() => {
    const element = host.current;
    if (!element || !report) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const { content, sheet } = cleanHtml(report.report);
    const colours = new CSSStyleSheet();
    colours.replaceSync(PAGE_COLOURS);
    root.adoptedStyleSheets = [...(sheet ? [sheet] : []), colours];
    root.replaceChildren(content);
    if (map) root.querySelector('figure')?.replaceChildren(cleanSvg(map).content);
    ink(root, root.querySelector('section') ?? element);
  }, [report, map, theme]);
  useEffect(() => {
    // Links within the report lead to places in its shadow.
    const follow = (event: Event) => {
      const [target] = event.composedPath();
      const link = target instanceof Element ? target.closest('a') : null;
      const id = link?.getAttribute('href')?.slice(1);
      if (!id) return;
      event.preventDefault();
      host.current?.shadowRoot?.getElementById(id)?.scrollIntoView();
    };
    host.current?.addEventListener('click', follow);
  }, []);
  const hasNone = loaded.failure.value?.reason === 'NOT_FOUND';
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
      {hasNone ? (
        <Written key={String(phase)} table={table} phase={phase} revealed={revealed} />
      ) : (
        <Trouble failure={loaded.failure.value} />
      )}
      {report || loaded.failure.value ? null : <p class="loading">Writing the report…</p>}
      <div ref={host} class="report-page" hidden={!report || hasNone} />
    </main>
  );
}

/** What takes the place of a report in games that have none: the news, and the map in sentences. */
function Written(props: { table: Table; phase: bigint | undefined; revealed: boolean }) {
  const { table, phase, revealed } = props;
  const moment = { phase, revealed };
  return (
    <div class="cards">
      <section class="card">
        <h2>What happened</h2>
        {phase === undefined ? <News table={table} /> : <PhaseNews table={table} moment={moment} />}
      </section>
      <section class="card">
        <h2>The map in sentences</h2>
        <MapSentences table={table} moment={moment} />
      </section>
    </div>
  );
}
