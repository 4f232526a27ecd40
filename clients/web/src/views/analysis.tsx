// Branches of a game: the tab that lists and creates them, and the bar above a branch.

import { useSignal } from '@preact/signals';
import { lazy, Suspense } from 'preact/compat';
import { analyses, sandbox } from '../engine/calls-table';
import { type Analysis, type Game, GameStatus } from '../engine/contract';
import type { Overlay } from '../map/map-image';
import { gamePath, go } from '../router';
import { isPhone } from '../settings';
import { playAs, showsAll } from '../table/branch';
import { isPlayed, type Table } from '../table/table';
import {
  ActionButton,
  CallForm,
  Checkbox,
  confirm,
  ErrorLine,
  Field,
  Select,
  useLoaded,
} from '../ui/components';
import { phaseNames, t } from '../words';
import { loadKinds } from './kinds';

const PreviewPanel = lazy(() =>
  import('./preview').then((module) => ({ default: module.PreviewPanel })),
);

/** The kinds of game whose phases can be resolved without a game. */
const PREVIEWED = new Set(['diplomacy', 'it-came-from-outer-space']);

/** Returns whether the player can have branches of a game. */
export function canAnalyze(table: Table, game: Game, isSignedIn: boolean): boolean {
  if (!isSignedIn || table.isTaught) return false;
  if (game.sandbox) return game.analysis !== undefined;
  const takesPart = game.yourSeat !== undefined || game.youAreGameMaster;
  return game.status === GameStatus.ENDED || (isPlayed(game) && takesPart);
}

export function AnalysisTab(props: {
  table: Table;
  phase: bigint | undefined;
  show: (overlay: Overlay | undefined) => void;
}) {
  const { table, phase, show } = props;
  const game = table.game.value;
  const previews = useSignal(false);
  const list = useLoaded(async (signal) => {
    const { analyses: found } = await analyses.listAnalyses({ gameId: table.id }, { signal });
    return found;
  });
  if (!game) return null;
  const isForbidden = game.noAnalysis && game.status !== GameStatus.ENDED;
  const isRunning = game.status === GameStatus.RUNNING && phase === undefined;
  const canPreview = isRunning && !isForbidden && PREVIEWED.has(game.kind);
  return (
    <div class="panel-body">
      {canPreview ? (
        <section aria-label={t('analysis-preview')}>
          <Checkbox value={previews.value} set={(on) => (previews.value = on)}>
            {t('analysis-preview-show')}
          </Checkbox>
          {previews.value ? (
            <Suspense fallback={<p class="hint">{t('analysis-loading')}</p>}>
              <PreviewPanel table={table} show={show} />
            </Suspense>
          ) : null}
        </section>
      ) : null}
      {isForbidden ? (
        <p class="hint">{t('analysis-forbidden')}</p>
      ) : (
        <NewBranch table={table} game={game} phase={phase} />
      )}
      <h3>{t('analysis-branches')}</h3>
      <ErrorLine failure={list.failure.value} />
      {list.value.value?.length === 0 ? <p class="hint">{t('analysis-none')}</p> : null}
      <ul class="branches">
        {(list.value.value ?? []).map((each) => (
          <Branch
            key={each.gameId}
            analysis={each}
            isShown={each.gameId === table.id}
            again={list.again}
          />
        ))}
      </ul>
    </div>
  );
}

function NewBranch(props: { table: Table; game: Game; phase: bigint | undefined }) {
  const { table, game, phase } = props;
  const kinds = useLoaded(() => loadKinds());
  const name = useSignal('');
  const level = useSignal('');
  const seat = useSignal(String(table.seat ?? 1));
  const revealed = useSignal(true);
  const isOver = game.status === GameStatus.ENDED;
  const names = phaseNames(game, table.phases.value);
  const shown = table.phases.value.findIndex((each) => each.number === phase);
  // The end of a phase is the start of the next one.
  const start = phase === undefined ? game.progress : (names[shown + 1] ?? game.progress);
  const levels = kinds.value.value?.find(({ kind }) => kind === game.kind)?.levels ?? [];
  const canChooseSeat = game.analysis !== undefined || (isOver && revealed.value);
  const create = async () => {
    const made = await analyses.createAnalysis({
      gameId: table.id,
      ...(phase === undefined ? {} : { atPhase: phase }),
      ...(canChooseSeat ? { seat: Number(seat.value) } : {}),
      revealed: isOver && game.analysis === undefined && revealed.value,
      name: name.value.trim().normalize('NFC'),
      automationLevel: level.value,
    });
    if (made.game) go(gamePath(made.game.gameId));
  };
  return (
    <CallForm class="form" label={t('analysis-new')} action={create}>
      {(busy) => (
        <>
          <p class="hint">{isOver ? t('analysis-help-over') : t('analysis-help')}</p>
          <p>{t('analysis-start', { phase: start })}</p>
          <Field label={t('analysis-name')}>
            {(id) => (
              <input
                id={id}
                maxLength={64}
                placeholder={start}
                value={name.value}
                onInput={(event) => (name.value = event.currentTarget.value)}
              />
            )}
          </Field>
          {isOver && game.analysis === undefined ? (
            <Checkbox value={revealed.value} set={(on) => (revealed.value = on)}>
              {t('analysis-revealed')}
            </Checkbox>
          ) : null}
          {canChooseSeat ? (
            <Field label={t('analysis-seat')}>
              {(id) => (
                <Select
                  id={id}
                  value={seat.value}
                  options={game.seats.map(({ number, role }) => [String(number), role] as const)}
                  set={(value) => (seat.value = value)}
                />
              )}
            </Field>
          ) : null}
          <Field label={t('analysis-others')}>
            {(id) => (
              <Select
                id={id}
                value={level.value}
                options={[
                  ['', t('analysis-others-me')],
                  ...levels.map(
                    (each) => [each, t('analysis-others-level', { level: each })] as const,
                  ),
                ]}
                set={(value) => (level.value = value)}
              />
            )}
          </Field>
          <button type="submit" class="button strong" aria-busy={busy}>
            {t('analysis-create')}
          </button>
        </>
      )}
    </CallForm>
  );
}

function Branch(props: { analysis: Analysis; isShown: boolean; again: () => void }) {
  const { analysis, isShown, again } = props;
  const { gameId, name, origin } = analysis;
  const renamed = useSignal<string | undefined>(undefined);
  const remove = async () => {
    const question = t('analysis-delete-question', { name });
    if (!(await confirm(question, t('analysis-delete-hint'), t('analysis-delete')))) return;
    await analyses.deleteAnalysis({ gameId });
    if (isShown) go(gamePath(origin?.gameId ?? ''));
    else again();
  };
  if (renamed.value !== undefined) {
    return (
      <li>
        <CallForm
          class="row"
          label={t('analysis-rename')}
          action={async () => {
            await analyses.renameAnalysis({ gameId, name: renamed.value ?? '' });
            renamed.value = undefined;
            again();
          }}
        >
          {(busy) => (
            <>
              <input
                aria-label={t('analysis-name')}
                maxLength={64}
                required
                value={renamed.value}
                onInput={(event) => (renamed.value = event.currentTarget.value)}
              />
              <button type="submit" class="button small" aria-busy={busy}>
                {t('analysis-rename')}
              </button>
            </>
          )}
        </CallForm>
      </li>
    );
  }
  return (
    <li class="row wrap">
      <a href={gamePath(gameId)} aria-current={isShown ? 'page' : undefined}>
        <bdi>{name}</bdi>
      </a>
      {name === origin?.progress ? null : (
        <span class="faint">{t('analysis-from', { phase: origin?.progress ?? '' })}</span>
      )}
      <button type="button" class="button small" onClick={() => (renamed.value = name)}>
        {t('analysis-rename')}
      </button>
      <ActionButton class="button small" action={remove}>
        {t('analysis-delete')}
      </ActionButton>
    </li>
  );
}

/**
 * The bar above a branch: where it starts, the seat whose orders the player gives, and the end of a
 * phase. A phone folds it into one line, because the map needs the room.
 */
export function BranchBar({ table }: { table: Table }) {
  const game = table.game.value;
  const origin = game?.analysis;
  if (!game || !origin) return null;
  const id = origin.parentId || origin.gameId;
  const back = <a href={gamePath(id, origin.atPhase)}>{t('analysis-back')}</a>;
  const view = (
    <>
      <Field label={t('analysis-play-as')}>
        {(field) => (
          <Select
            id={field}
            value={String(table.seat ?? '')}
            options={game.seats.map(({ number, role }) => [String(number), role] as const)}
            set={(seat) => playAs(table.id, Number(seat))}
          />
        )}
      </Field>
      <Checkbox value={showsAll.value} set={(on) => (showsAll.value = on)}>
        {origin.guesses ? t('analysis-show-guesses') : t('analysis-show-all')}
      </Checkbox>
    </>
  );
  return (
    <section class="branch-bar row" aria-label={t('analysis-branch')}>
      {isPhone.value ? (
        <details>
          <summary>{t('analysis-branch-short', { phase: origin.progress })}</summary>
          <div>
            {back}
            {view}
          </div>
        </details>
      ) : (
        <>
          <p>
            {t('analysis-branch-of', { phase: origin.progress })} {back}
          </p>
          {view}
        </>
      )}
      {isPlayed(game) ? (
        <ActionButton
          class="button small"
          action={() => table.act(() => sandbox.closeSandboxPhase({ gameId: table.id }))}
        >
          {t('analysis-close')}
        </ActionButton>
      ) : null}
    </section>
  );
}
