// A slider over the past phases, with playback.

import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Table } from '../table/table';
import { phaseNames, t } from '../words';

/** The time for which playback shows a phase. */
const INTERVAL_MS = 1_400;

export function Timeline(props: {
  table: Table;
  phase: bigint | undefined;
  isDrawn?: ReadonlySignal<boolean>;
  show: (phase: bigint | undefined) => void;
}) {
  const { table, phase, show } = props;
  const isPlaying = useSignal(false);
  const phases = table.phases.value;
  const names = phaseNames(table.game.value, phases);
  const last = phases.at(-1)?.number ?? 0n;
  // The current phase has not ended, so the last position on the slider means now.
  const now = last;
  const at = phase ?? now;
  const title =
    phase === undefined
      ? table.isOver.value
        ? t('timeline-the-end')
        : t('game-now')
      : phase === 0n
        ? t('timeline-setup')
        : (names[phases.findIndex((each) => each.number === phase)] ??
          t('timeline-phase-number', { number: String(phase) }));
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
    const timer = setTimeout(() => step(1n), INTERVAL_MS);
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
  // The last phase is still open, so the latest result is that of the phase before it.
  const start = table.isOver.value || last < 2n ? 0n : last - 2n;
  const label = isPlaying.value
    ? t('timeline-stop')
    : phase !== undefined
      ? t('timeline-play-from-here')
      : table.isOver.value
        ? t('timeline-play-from-start')
        : t('timeline-replay');
  const play = () => {
    if (!isPlaying.value && phase === undefined) show(start);
    isPlaying.value = !isPlaying.value;
  };
  if (last === 0n) return null;
  return (
    <div class="timeline" role="group" aria-label={t('game-past-phases')}>
      <button type="button" class="icon" aria-label={label} title={`${label} (p)`} onClick={play}>
        {isPlaying.value ? '❚❚' : '▶'}
      </button>
      <button
        type="button"
        class="icon"
        aria-label={t('timeline-previous')}
        title={t('timeline-previous-key')}
        disabled={at === 0n}
        onClick={() => step(-1n)}
      >
        ‹
      </button>
      <input
        type="range"
        aria-label={t('timeline-phase')}
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
        aria-label={t('timeline-next')}
        title={t('timeline-next-key')}
        disabled={phase === undefined}
        onClick={() => step(1n)}
      >
        ›
      </button>
      <output class="timeline-title">{title}</output>
      {phase === undefined ? null : (
        <button type="button" class="button small strong" onClick={() => show(undefined)}>
          {table.isOver.value ? t('timeline-to-the-end') : t('game-back-to-now')}
        </button>
      )}
    </div>
  );
}
