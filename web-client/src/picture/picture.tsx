// The engine's picture of the game, with its tools, and the tree of places and pieces beside it.

import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { games } from '../engine/calls';
import { MapFormat } from '../engine/contract';
import { type Failure, failureOf } from '../engine/failure';
import { mapTheme, shownTheme, showsTree } from '../settings';
import type { Picker } from '../table/picker';
import type { Table } from '../table/table';
import { Dialog, inks, Trouble, useLoaded } from '../ui/parts';
import { capital } from '../words';
import { atlasOf, inksOf } from './atlas';
import { cleanSvg } from './clean';
import { Stage } from './stage';
import { Tree } from './tree';

/** Which picture is shown. */
export interface Moment {
  phase: bigint | undefined;
  revealed: boolean;
}

export function Picture(props: {
  table: Table;
  moment: ReadonlySignal<Moment>;
  picker: Picker;
  label: string;
}) {
  const { table, moment, picker, label } = props;
  const host = useRef<HTMLDivElement>(null);
  const stage = useSignal<Stage | undefined>(undefined);
  const layers = useSignal<readonly string[]>([]);
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const hover = useSignal('');
  const failure = useSignal<Failure | undefined>(undefined);
  const isDrawn = useSignal(false);
  const reads = useSignal(false);
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const made = new Stage(element, {
      pick: (subject) => picker.pick(subject),
      hover: (title) => {
        hover.value = title;
      },
    });
    stage.value = made;
    return () => {
      made.destroy();
      inks.value = new Map();
    };
  }, [picker]);
  useDrawing({ table, moment, picker, stage, layers, hidden, failure, isDrawn });
  useSignalEffect(() => {
    const isNow = moment.value.phase === undefined && table.isCurrent.value;
    isDrawn.value;
    stage.value?.mark({
      chosen: picker.chosen.value,
      able: isNow ? picker.able.value : new Set(),
      targets: isNow ? picker.targets.value : new Set(),
    });
  });
  return (
    <div class={`picture ${showsTree.value ? 'with-tree' : ''}`}>
      <div class="stage-frame">
        <div
          ref={host}
          class="stage"
          role="group"
          tabIndex={0}
          aria-label={`${label}. Arrows move it, plus and minus enlarge it, 0 shows all of it.`}
          data-paper={shownTheme.value === 'light' ? '' : undefined}
          data-drawn={isDrawn.value ? '' : undefined}
        />
        {isDrawn.value || failure.value ? null : <p class="stage-note">Drawing the map…</p>}
        {failure.value ? (
          <div class="stage-note">
            <Trouble failure={failure.value} />
          </div>
        ) : null}
        <output class="stage-hover" hidden={hover.value === ''}>
          {hover.value}
        </output>
        <Tools
          stage={stage.value}
          layers={layers.value}
          hidden={hidden}
          read={() => (reads.value = true)}
        />
      </div>
      {showsTree.value ? (
        <Tree table={table} picker={picker} show={(subject) => stage.value?.reveal(subject)} />
      ) : null}
      {reads.value ? (
        <Sentences table={table} moment={moment.value} close={() => (reads.value = false)} />
      ) : null}
    </div>
  );
}

/** Draws anew whenever another picture is due. */
function useDrawing(with_: {
  table: Table;
  moment: ReadonlySignal<Moment>;
  picker: Picker;
  stage: ReadonlySignal<Stage | undefined>;
  layers: { value: readonly string[] };
  hidden: ReadonlySignal<ReadonlySet<string>>;
  failure: { value: Failure | undefined };
  isDrawn: { value: boolean };
}) {
  const { table, moment, picker, stage, layers, hidden, failure, isDrawn } = with_;
  const hasGame = useComputed(() => table.game.value !== undefined);
  const told = useComputed(() => (moment.value.phase === undefined ? table.told.value : -1n));
  useSignalEffect(() => {
    const { phase, revealed } = moment.value;
    const shown = stage.value;
    const theme = mapTheme.value;
    told.value;
    if (!shown || !hasGame.value) return undefined;
    const ended = new AbortController();
    const request = {
      ...table.as,
      revealed,
      format: MapFormat.SVG,
      theme,
      ...(phase === undefined ? {} : { atPhase: phase }),
    };
    games.drawMap(request, { signal: ended.signal }).then(
      (drawn) => {
        if (ended.signal.aborted) return;
        shown.show(cleanSvg(drawn.map));
        shown.hide(hidden.peek());
        layers.value = drawn.layers;
        picker.atlas.value = atlasOf(shown.content);
        inks.value = inksOf(shown.content);
        failure.value = undefined;
        // The marks of the picture before are gone with it.
        isDrawn.value = false;
        isDrawn.value = true;
      },
      (thrown: unknown) => {
        if (!ended.signal.aborted) failure.value = failureOf(thrown);
      },
    );
    return () => ended.abort();
  });
  useSignalEffect(() => stage.value?.hide(hidden.value));
}

function Tools(props: {
  stage: Stage | undefined;
  layers: readonly string[];
  hidden: { value: ReadonlySet<string> };
  read: () => void;
}) {
  const { stage, layers, hidden, read } = props;
  const toggle = (layer: string) => {
    const next = new Set(hidden.value);
    if (!next.delete(layer)) next.add(layer);
    hidden.value = next;
  };
  return (
    <div class="stage-tools" role="toolbar" aria-label="Map">
      <button type="button" class="icon" aria-label="Enlarge" onClick={() => stage?.zoom(1.5)}>
        +
      </button>
      <button
        type="button"
        class="icon"
        aria-label="Make smaller"
        onClick={() => stage?.zoom(1 / 1.5)}
      >
        −
      </button>
      <button type="button" class="icon" aria-label="Show all" onClick={() => stage?.fit()}>
        ⤢
      </button>
      <details class="layers">
        <summary class="icon" aria-label="Layers">
          ≋
        </summary>
        <fieldset>
          <legend>Layers</legend>
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
      <button
        type="button"
        class="icon"
        aria-label="Places and pieces as a tree"
        aria-pressed={showsTree.value}
        onClick={() => {
          showsTree.value = !showsTree.value;
        }}
      >
        ☰
      </button>
      <button type="button" class="icon" aria-label="The map in sentences" onClick={read}>
        ¶
      </button>
    </div>
  );
}

/** The map for who hears it. */
function Sentences({ table, moment, close }: { table: Table; moment: Moment; close: () => void }) {
  return (
    <Dialog title="The map in sentences" close={close}>
      <MapSentences table={table} moment={moment} />
    </Dialog>
  );
}

/** The map as a list of sentences. */
export function MapSentences({ table, moment }: { table: Table; moment: Moment }) {
  const loaded = useLoaded(async () => {
    const { phase, revealed } = moment;
    const at = phase === undefined ? {} : { atPhase: phase };
    return games.drawMap({ ...table.as, revealed, format: MapFormat.LIST, ...at });
  });
  const lines = loaded.value.value?.map.split('\n').filter((line) => line !== '') ?? [];
  return (
    <>
      <Trouble failure={loaded.failure.value} />
      <ul class="sentences">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}
