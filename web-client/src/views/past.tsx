// The past: a slider over the phases, which also plays by itself.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Table } from '../table/table';

/** So long each phase is shown while the past plays. */
const BEAT_MS = 1_400;

export function Timeline(props: {
  table: Table;
  phase: bigint | undefined;
  isDrawn?: ReadonlySignal<boolean>;
  show: (phase: bigint | undefined) => void;
}) {
  const { table, phase, show } = props;
  const isPlaying = useSignal(false);
  const phases = table.phases.value;
  const last = phases.at(-1)?.number ?? 0n;
  // The open phase has no end yet: its place on the slider is now.
  const now = table.isOver.value ? last : last > 0n ? last : 0n;
  const at = phase ?? now;
  const title =
    phase === undefined
      ? table.isOver.value
        ? 'The end'
        : 'Now'
      : phase === 0n
        ? 'The set-up'
        : (phases.find((each) => each.number === phase)?.title ?? `Phase ${phase}`);
  const step = (by: bigint) => {
    const next = at + by;
    if (next < 0n) return;
    show(next >= now ? undefined : next);
  };
  useEffect(() => {
    if (!isPlaying.value) return undefined;
    if (phase === undefined) {
      isPlaying.value = false;
      return undefined;
    }
    const timer = setTimeout(() => step(1n), BEAT_MS);
    return () => clearTimeout(timer);
  }, [isPlaying.value, phase, now]);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping =
        target instanceof HTMLElement &&
        target.matches('input, textarea, select, [contenteditable]');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === ',') step(-1n);
      else if (event.key === '.') step(1n);
      else if (event.key === 'n') show(undefined);
      else if (event.key === 'p') play();
    };
    document.addEventListener('keydown', key);
    return () => document.removeEventListener('keydown', key);
  });
  const play = () => {
    if (!isPlaying.value && phase === undefined) show(0n);
    isPlaying.value = !isPlaying.value;
  };
  if (last === 0n) return null;
  return (
    <div class="timeline" role="group" aria-label="The past">
      <button
        type="button"
        class="icon"
        aria-label={isPlaying.value ? 'Stop' : 'Play from the beginning'}
        title="p"
        onClick={play}
      >
        {isPlaying.value ? '❚❚' : '▶'}
      </button>
      <button
        type="button"
        class="icon"
        aria-label="A phase back"
        title=","
        disabled={at === 0n}
        onClick={() => step(-1n)}
      >
        ‹
      </button>
      <input
        type="range"
        aria-label="Phase"
        aria-valuetext={title}
        min={0}
        max={Number(now)}
        value={Number(at)}
        onInput={(event) => {
          isPlaying.value = false;
          const wanted = BigInt(event.currentTarget.value);
          show(wanted >= now ? undefined : wanted);
        }}
      />
      <button
        type="button"
        class="icon"
        aria-label="A phase on"
        title="."
        disabled={phase === undefined}
        onClick={() => step(1n)}
      >
        ›
      </button>
      <output class="timeline-title">{title}</output>
      {phase === undefined ? null : (
        <button type="button" class="button small strong" onClick={() => show(undefined)}>
          {table.isOver.value ? 'To the end' : 'Back to now'}
        </button>
      )}
    </div>
  );
}
