// The report of a turn as a page.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { games } from '../engine/calls';
import { GameStatus, MapFormat, MapTheme, ReportFormat } from '../engine/contract';
import { colorNames, sanitizeHtml, sanitizeSvg } from '../map/sanitize';
import { gamePath, go, rulePath } from '../router';
import { mapTheme, shownTheme } from '../settings';
import type { Table } from '../table/table';
import { ruleParts } from '../teach/rules';
import { ErrorLine, Select, useLoaded } from '../ui/components';
import { phaseNames, t } from '../words';

/** Overrides the font and the colours of the report, which the engine writes for a dark page. */
const PAGE_COLOURS = `
:host { font-family: var(--font); color-scheme: inherit; --ground: inherit; --ink: inherit; --sheet: var(--raised);
  --line: var(--edge); --faint: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); } .notice { color: var(--warm); }
tbody tr:nth-child(even) td { background: none; }
td { border-bottom: 1px solid var(--line); }
a { color: var(--accent); }
`;

/** Makes the numbers of rules in the report links to the rulebook. */
function linkRules(root: ShadowRoot, kind: string): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const parts = ruleParts(text.data);
    if (text.parentElement?.closest('a, style, svg') || parts.every(({ rule }) => rule === '')) {
      continue;
    }
    text.replaceWith(
      ...parts.map((part) => {
        if (part.rule === '') return part.text;
        const link = document.createElement('a');
        link.href = rulePath(kind, part.rule);
        link.textContent = part.text;
        return link;
      }),
    );
  }
}

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
  // The report contains the dark map image. For other themes, the image is loaded separately.
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
    const { content, sheet } = sanitizeHtml(report.report);
    const colours = new CSSStyleSheet();
    colours.replaceSync(PAGE_COLOURS);
    root.adoptedStyleSheets = [...(sheet ? [sheet] : []), colours];
    root.replaceChildren(content);
    if (map) root.querySelector('figure')?.replaceChildren(sanitizeSvg(map).content);
    linkRules(root, table.game.peek()?.kind ?? '');
    colorNames(root, root.querySelector('section') ?? element);
  }, [report, map, theme]);
  useEffect(() => {
    // Links within the report point into its shadow root.
    const follow = (event: Event) => {
      const [target] = event.composedPath();
      const link = target instanceof Element ? target.closest('a') : null;
      const address = link?.getAttribute('href');
      if (!address) return;
      event.preventDefault();
      if (address.startsWith('/')) go(address);
      else host.current?.shadowRoot?.getElementById(address.slice(1))?.scrollIntoView();
    };
    host.current?.addEventListener('click', follow);
  }, []);
  const phases = table.phases.value;
  const names = phaseNames(table.game.value, phases);
  const path = `${gamePath(table.id)}/report`;
  const options = [
    ['', t('game-now')] as const,
    ...phases
      .map(({ number }, index) => [String(number), names[index] ?? ''] as const)
      .toReversed(),
    ['0', t('timeline-setup')] as const,
  ];
  return (
    <main class="page report">
      <header class="page-head">
        <h1>{t('game-report')}</h1>
        <div class="row wrap">
          <Select
            label={t('timeline-phase')}
            value={phase === undefined ? '' : String(phase)}
            options={options}
            set={(value) => go(value === '' ? path : `${path}/${value}`)}
          />
          <a class="button" href={gamePath(table.id, phase)}>
            {t('report-to-table')}
          </a>
        </div>
      </header>
      <ErrorLine failure={loaded.failure.value} />
      {report || loaded.failure.value ? null : <p class="loading">{t('report-loading')}</p>}
      <div ref={host} class="report-page" lang="en" hidden={!report} />
    </main>
  );
}
