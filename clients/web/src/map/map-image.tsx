// The map with its tools, its tables, and the tree of places and pieces.

import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { games } from '../engine/calls';
import { MapFormat, type Scene } from '../engine/contract';
import { type Failure, failureOf } from '../engine/failure';
import { Card } from '../scene/card';
import { seatColorsOf } from '../scene/colors';
import { Contents } from '../scene/contents';
import { Legend } from '../scene/legend';
import { Panels } from '../scene/panels';
import { isDocked, isPhone, shownTheme, showsPanels, showsTree } from '../settings';
import type { Subject } from '../table/offers';
import type { Picker } from '../table/picker';
import type { Table } from '../table/table';
import { Dialog, ErrorLine, seatColors, useLoaded } from '../ui/components';
import { capital, t } from '../words';
import { mapItemsOf } from './items';
import { Meanings, PointMenu } from './meanings';
import { nameOf, type Pointed, Stage } from './stage';
import { Tree } from './tree';
import type { Point } from './view';

export interface Moment {
  phase: bigint | undefined;
  revealed: boolean;
}

/** What the map shows, and what clicks mean, while the player tries something. */
export interface Overlay {
  readonly chosen: ReadonlySignal<Subject | undefined>;
  pick(subject: Subject | undefined): void;
  scene(shown: Scene): Scene;
}

const coarse = matchMedia('(pointer: coarse)');

export function MapImage(props: {
  table: Table;
  moment: ReadonlySignal<Moment>;
  picker: Picker;
  label: string;
  overlay?: ReadonlySignal<Overlay | undefined>;
  /** Additional tools. */
  children?: ComponentChildren;
}) {
  const { table, moment, picker, label, overlay } = props;
  const host = useRef<HTMLDivElement>(null);
  const stage = useSignal<Stage | undefined>(undefined);
  const contents = useSignal<Contents | undefined>(undefined);
  const layers = useSignal<readonly string[]>([]);
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const pointed = useSignal<Pointed | undefined>(undefined);
  const clicked = useSignal<Point>({ x: 0, y: 0 });
  const asked = useSignal<readonly Subject[]>([]);
  /** Why the last drag gave no order. */
  const refusal = useSignal('');
  const failure = useSignal<Failure | undefined>(undefined);
  const isDrawn = useSignal(false);
  const open = useSignal<'' | 'legend' | 'sentences'>('');
  const isSheetOpen = useSignal(false);
  const pick = (subject: Subject | undefined, at: Point) => {
    clicked.value = at;
    asked.value = [];
    refusal.value = '';
    if (overlay?.value) {
      overlay.value.pick(subject);
      return;
    }
    picker.pick(subject);
    // A finger does not hover, so the card opens with the selection.
    const chosen = picker.chosen.value;
    pointed.value = chosen && coarse.matches ? stage.value?.pointOf(chosen) : undefined;
  };
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const made = new Stage(element, {
      pick: (subject, at) => pick(subject, at),
      ask: (subjects, at) => {
        clicked.value = at;
        pointed.value = undefined;
        asked.value = subjects;
        refusal.value = '';
      },
      drag: (from) => {
        pointed.value = undefined;
        refusal.value = '';
        if (!overlay?.value) picker.drag(from?.piece);
      },
      drop: (from, target, at) => {
        clicked.value = at;
        if (overlay?.value) {
          overlay.value.pick(from.piece);
          overlay.value.pick(target);
          return;
        }
        void picker.drop(from.piece, from.end, target).then((why) => {
          refusal.value = why;
        });
      },
      hover: (at) => {
        pointed.value = at;
      },
    });
    stage.value = made;
    return () => {
      made.destroy();
      seatColors.value = new Map();
    };
  }, [picker]);
  useScene({ table, moment, contents, failure });
  useSignalEffect(() => {
    const theme = shownTheme.value;
    const shown = contents.value;
    if (!stage.value || !shown) return;
    const found = overlay?.value ? new Contents(overlay.value.scene(shown.scene)) : shown;
    layers.value = stage.value.show(found, theme, isDrawn.peek());
    stage.value.hide(hidden.peek());
    pointed.value = undefined;
    asked.value = [];
    picker.mapItems.value = mapItemsOf(found.scene);
    seatColors.value = seatColorsOf(found.scene);
    isDrawn.value = true;
  });
  useSignalEffect(() => stage.value?.hide(hidden.value));
  useSignalEffect(() => {
    const isNow = moment.value.phase === undefined && table.isCurrent.value;
    contents.value;
    if (overlay?.value) {
      const none = new Set<string>();
      const chosen = overlay.value.chosen.value;
      stage.value?.mark({ chosen, able: none, targets: none, next: none, shown: [] });
      return;
    }
    stage.value?.mark({
      chosen: picker.chosen.value,
      able: isNow ? picker.able.value : new Set(),
      targets: isNow ? picker.targets.value : new Set(),
      next: isNow ? picker.next.value : new Set(),
      shown: picker.shown.value,
    });
  });
  const show = (subjects: readonly Subject[]) => {
    picker.show(subjects);
    stage.value?.reveal(...subjects);
  };
  const scene = contents.value?.scene;
  const hasMeanings = moment.value.phase === undefined && picker.meanings.value.length > 0;
  const panelsOpen = isDocked.value ? showsPanels : isSheetOpen;
  const hasPanels = (scene?.panels.length ?? 0) > 0;
  const panels =
    contents.value && hasPanels && panelsOpen.value ? (
      <Panels
        contents={contents.value}
        kind={table.game.value?.kind ?? ''}
        show={show}
        close={() => (panelsOpen.value = false)}
      />
    ) : null;
  return (
    <div
      class={`picture ${showsTree.value ? 'with-tree' : ''} ${
        panels && isDocked.value ? 'with-panels' : ''
      }`}
    >
      <div class="stage-frame">
        <div class="stage-ground">
          <div
            ref={host}
            class="stage"
            role="group"
            tabIndex={0}
            aria-label={t('map-keys', { label })}
            data-drawn={isDrawn.value ? '' : undefined}
          />
          {isDrawn.value || failure.value ? null : <p class="stage-note">{t('map-drawing')}</p>}
          {failure.value ? (
            <div class="stage-note">
              <ErrorLine failure={failure.value} />
            </div>
          ) : null}
          {scene && open.value === 'legend' ? (
            <Legend scene={scene} theme={shownTheme.value} close={() => (open.value = '')} />
          ) : null}
          {hasMeanings && !isPhone.value ? (
            <PointMenu
              label={t('orders-others')}
              at={clicked.value}
              avoid={stage.value?.pointsOf(picker.next.value) ?? []}
            >
              <Meanings picker={picker} />
            </PointMenu>
          ) : null}
          {contents.value && asked.value.length > 0 ? (
            <PointMenu label={t('map-which')} at={clicked.value} avoid={[]}>
              <ul>
                {asked.value.map((subject) => (
                  <li key={nameOf(subject)}>
                    <button type="button" onClick={() => pick(subject, clicked.value)}>
                      <bdi>{contents.value?.titleOf(subject)}</bdi>
                    </button>
                  </li>
                ))}
              </ul>
            </PointMenu>
          ) : null}
          {refusal.value !== '' ? (
            <PointMenu label={t('map-not-possible')} at={clicked.value} avoid={[]}>
              <p role="alert">{refusal.value}</p>
            </PointMenu>
          ) : null}
          {contents.value && pointed.value && !hasMeanings ? (
            <Card contents={contents.value} pointed={pointed.value} />
          ) : null}
        </div>
        <Tools stage={stage.value}>
          {hasPanels ? (
            <Toggle
              label={t('map-tables')}
              pressed={panelsOpen.value}
              toggle={() => {
                panelsOpen.value = !panelsOpen.value;
                pointed.value = undefined;
              }}
            >
              ▤
            </Toggle>
          ) : null}
          <More>
            <Layers layers={layers.value} hidden={hidden} />
            {scene && scene.legend.length > 0 ? (
              <Toggle
                label={t('map-legend')}
                pressed={open.value === 'legend'}
                toggle={() => (open.value = open.value === 'legend' ? '' : 'legend')}
              >
                ?
              </Toggle>
            ) : null}
            <Toggle
              label={t('map-show-tree')}
              pressed={showsTree.value}
              toggle={() => (showsTree.value = !showsTree.value)}
            >
              ☰
            </Toggle>
            <button
              type="button"
              class="icon"
              aria-label={t('map-sentences')}
              title={t('map-sentences')}
              onClick={() => (open.value = 'sentences')}
            >
              ¶
            </button>
            {props.children}
          </More>
        </Tools>
      </div>
      {panels}
      {showsTree.value ? (
        <Tree
          table={table}
          picker={picker}
          show={(subject) => stage.value?.reveal(subject)}
          pick={(subject) => {
            clicked.value = stage.value?.pointOf(subject) ?? clicked.value;
            if (overlay?.value) overlay.value.pick(subject);
            else picker.pick(subject);
          }}
        />
      ) : null}
      {open.value === 'sentences' ? (
        <Sentences table={table} moment={moment.value} close={() => (open.value = '')} />
      ) : null}
    </div>
  );
}

/** Loads the scene again when its phase or the game's state changes. */
function useScene(with_: {
  table: Table;
  moment: ReadonlySignal<Moment>;
  contents: { value: Contents | undefined };
  failure: { value: Failure | undefined };
}) {
  const { table, moment, contents, failure } = with_;
  const hasGame = useComputed(() => table.game.value !== undefined);
  const shownEvent = useComputed(() =>
    moment.value.phase === undefined ? table.shownEvent.value : -1n,
  );
  useSignalEffect(() => {
    const { phase, revealed } = moment.value;
    shownEvent.value;
    if (!hasGame.value) return undefined;
    const ended = new AbortController();
    const request = {
      ...table.as,
      revealed,
      ...(phase === undefined ? {} : { atPhase: phase }),
    };
    games.getScene(request, { signal: ended.signal }).then(
      ({ scene }) => {
        if (ended.signal.aborted || !scene) return;
        contents.value = new Contents(scene);
        failure.value = undefined;
      },
      (thrown: unknown) => {
        if (!ended.signal.aborted) failure.value = failureOf(thrown);
      },
    );
    return () => ended.abort();
  });
}

export function Toggle(props: {
  label: string;
  pressed: boolean;
  toggle: () => void;
  children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class="icon"
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.pressed}
      onClick={props.toggle}
    >
      {props.children}
    </button>
  );
}

function Tools({ stage, children }: { stage: Stage | undefined; children: ComponentChildren }) {
  const zooms = [
    [t('map-enlarge'), '+', () => stage?.zoom(1.5)],
    [t('map-zoom-out'), '−', () => stage?.zoom(1 / 1.5)],
    [t('map-show-all'), '⤢', () => stage?.showAll()],
  ] as const;
  return (
    <div class="stage-tools" role="toolbar" aria-label={t('game-map')}>
      {zooms.map(([label, sign, act]) => (
        <button
          key={label}
          type="button"
          class="icon"
          aria-label={label}
          title={label}
          onClick={act}
        >
          {sign}
        </button>
      ))}
      {children}
    </div>
  );
}

/** The tools that a phone shows on demand. */
function More({ children }: { children: ComponentChildren }) {
  if (!isPhone.value) return <>{children}</>;
  return (
    <details class="layers">
      <summary class="icon" aria-label={t('page-more')} title={t('map-more-tools')}>
        ⋯
      </summary>
      <div class="more-tools">{children}</div>
    </details>
  );
}

function Layers(props: { layers: readonly string[]; hidden: { value: ReadonlySet<string> } }) {
  const { layers, hidden } = props;
  const toggle = (layer: string) => {
    const next = new Set(hidden.value);
    if (!next.delete(layer)) next.add(layer);
    hidden.value = next;
  };
  return (
    <details class="layers">
      <summary class="icon" aria-label={t('map-layers')} title={t('map-layers')}>
        ≋
      </summary>
      <fieldset>
        <legend>{t('map-layers')}</legend>
        {layers.map((layer) => (
          <label key={layer} class="tick">
            <input
              type="checkbox"
              checked={!hidden.value.has(layer)}
              onChange={() => toggle(layer)}
            />
            <span>{capital(layer)}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function Sentences({ table, moment, close }: { table: Table; moment: Moment; close: () => void }) {
  return (
    <Dialog title={t('map-sentences')} close={close}>
      <MapSentences table={table} moment={moment} />
    </Dialog>
  );
}

/** The map as a list of sentences. */
function MapSentences({ table, moment }: { table: Table; moment: Moment }) {
  const loaded = useLoaded(async () => {
    const { phase, revealed } = moment;
    const at = phase === undefined ? {} : { atPhase: phase };
    return games.drawMap({ ...table.as, revealed, format: MapFormat.LIST, ...at });
  });
  const lines = loaded.value.value?.map.split('\n').filter((line) => line !== '') ?? [];
  return (
    <>
      <ErrorLine failure={loaded.failure.value} />
      <ul class="sentences" lang="en">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}
