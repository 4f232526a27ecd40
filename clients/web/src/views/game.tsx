// The page of a game before, during and after play, now or at a past phase.

import { effect, type Signal, useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useMemo } from 'preact/hooks';
import { type Game, GameStatus } from '../engine/contract';
import { MapImage, type Overlay, Toggle } from '../map/map-image';
import { setWaiting } from '../notices';
import { type GamePart, gamePath, go, tournamentPath } from '../router';
import { me } from '../session';
import { isPhone, isWide } from '../settings';
import { branchViewer, playAs, showsAll } from '../table/branch';
import { Sheet } from '../table/sheet';
import { Table, type Viewer } from '../table/table';
import { Countdown, ErrorLine, Tabs } from '../ui/components';
import { capital, msOf, statusWord, t } from '../words';
import { AnalysisTab, BranchBar, canAnalyze } from './analysis';
import { ChatPanel } from './chat';
import { Forming } from './forming';
import { Aside, KindName } from './lobby';
import { Messages, unread } from './messages';
import { News, PhaseNews } from './news';
import { Answer, Awaited, Orders } from './orders';
import { People, pendingVotes } from './people';
import { End } from './result';
import { ShareButton } from './share';
import { Timeline } from './timeline';

const Report = lazy(() => import('./report').then((module) => ({ default: module.Report })));
const Proof = lazy(() => import('./proof').then((module) => ({ default: module.Proof })));

const OWN: Viewer = { seat: undefined, asSpectator: false };

export function GamePage(props: {
  game: string;
  part: GamePart;
  phase: bigint | undefined;
  viewer?: Viewer;
  /** Creates the table; for tutorials. */
  open?: () => Table;
  /** What the page shows above the map. */
  coach?: (table: Table, answer: Answer) => ComponentChildren;
}) {
  const { game: id, part, phase, open, coach } = props;
  const viewer = props.viewer ?? branchViewer(id) ?? OWN;
  const table = useMemo(() => open?.() ?? new Table(id, viewer), [id, viewer, me.value]);
  useEffect(() => table.open(), [table]);
  // Create the answer here, so that an unfinished order survives opening the report.
  const answer = useMemo(() => new Answer(table, new Sheet(table)), [table]);
  useEffect(() => effect(() => answer.follow()), [answer]);
  const game = table.game.value;
  const origin = game?.analysis;
  useEffect(() => {
    if (origin && viewer === OWN) playAs(id, origin.seat ?? 1);
  }, [origin !== undefined, viewer]);
  const isUnknown = table.failure.value?.reason === 'GAME_NOT_FOUND';
  if (table.failure.value && !game) {
    return (
      <main class="narrow">
        <h1>{isUnknown ? t('game-not-found') : t('game-not-visible')}</h1>
        <ErrorLine failure={table.failure.value} />
        <p>
          <a href="/">{t('page-back')}</a>
        </p>
      </main>
    );
  }
  if (!game) return <main class="narrow loading">{t('game-loading')}</main>;
  return (
    <Suspense fallback={<main class="narrow loading">{t('page-loading')}</main>}>
      {part === 'report' ? <Report table={table} phase={phase} /> : null}
      {part === 'proof' ? <Proof table={table} /> : null}
      {part === 'table' ? (
        <AtTable
          key={id}
          table={table}
          phase={phase}
          answer={answer}
          coach={coach?.(table, answer) ?? <BranchBar table={table} />}
        />
      ) : null}
    </Suspense>
  );
}

function AtTable(props: {
  table: Table;
  phase: bigint | undefined;
  answer: Answer;
  coach: ComponentChildren;
}) {
  const { table, phase, answer, coach } = props;
  const game = table.game.value;
  const analyzes = useSignal(false);
  if (!game) return null;
  const isForming = !hasBoard(game);
  return (
    <main class={isForming ? 'page' : 'table'}>
      <Head table={table} phase={phase} analyzes={analyzes} />
      <ErrorLine failure={table.failure.value} />
      {coach}
      {isForming ? (
        <>
          <Forming table={table} game={game} inviteCode="" />
          {game.sandbox ? null : (
            <section class="card">
              <h2>{t('chat-title')}</h2>
              <ChatPanel table={table} />
            </section>
          )}
        </>
      ) : (
        <Board
          key={`${table.id} ${table.viewer.seat}`}
          table={table}
          phase={phase}
          answer={answer}
          analyzes={analyzes}
        />
      )}
    </main>
  );
}

function hasBoard({ status }: Game): boolean {
  return status !== GameStatus.FORMING && status !== GameStatus.REVEALING;
}

function Head(props: { table: Table; phase: bigint | undefined; analyzes: Signal<boolean> }) {
  const { table, phase, analyzes } = props;
  const game = table.game.value;
  if (!game) return null;
  const { decision } = table.question.value;
  const asked = decision !== undefined && !decision.ready;
  const isPlayed = game.status === GameStatus.RUNNING;
  useEffect(() => {
    if (table.isCurrent.value) setWaiting(table.id, asked);
  }, [asked, table.isCurrent.value]);
  const seat = game.seats[(table.seat ?? 0) - 1];
  const isDrawn = game.lotsPending && seat?.chosenSeat === undefined;
  const place = isDrawn
    ? t('game-seat-by-lot')
    : t('game-you-are', { role: seat?.role ?? t('words-seat', { number: table.seat ?? 0 }) });
  const status = asked ? t('lobby-your-turn') : isPlayed ? '' : capital(statusWord(game.status));
  return (
    <header class="table-head">
      <div>
        <h1>
          <bdi>{game.name}</bdi>
        </h1>
        <p class="faint">
          <KindName kind={game.kind} />
          <Aside text={game.progress} />
          {table.seat ? <Aside text={place} /> : null}
          {table.seat === undefined && isPlayed ? <Aside text={t('game-watching')} /> : null}
          <TournamentLink id={game.tournamentId} />
        </p>
      </div>
      <div class="row wrap">
        <ConnectionBadge table={table} />
        {status ? <span class={`chip ${asked ? 'warm' : ''}`}>{status}</span> : null}
        {game.sandbox && !(game.analysis && isPhone.value) ? (
          <span class="chip">{game.analysis ? t('analysis-chip') : t('page-sandbox')}</span>
        ) : null}
        {isPlayed ? <Countdown due={msOf(game.dueTime)} ahead={table.clockAhead.value} /> : null}
        {isPhone.value && hasBoard(game) ? null : <Tools table={table} analyzes={analyzes} />}
        {game.status === GameStatus.FORMING ? null : (
          <a
            class="button small"
            href={`${gamePath(table.id)}/report${phase === undefined ? '' : `/${phase}`}`}
          >
            {t('game-report')}
          </a>
        )}
      </div>
    </header>
  );
}

/** What can be done with a game. A phone shows it in a tab, because the head has no room for it. */
function Tools({ table, analyzes }: { table: Table; analyzes: Signal<boolean> }) {
  const game = table.game.value;
  if (!game) return null;
  return (
    <>
      {canAnalyze(table, game, me.value !== undefined) ? (
        <button
          type="button"
          class="button small"
          aria-pressed={analyzes.value}
          onClick={() => (analyzes.value = !analyzes.value)}
        >
          {t('analysis-tab')}
        </button>
      ) : null}
      <ShareButton game={game} />
    </>
  );
}

function ConnectionBadge({ table }: { table: Table }) {
  const connection = table.connection.value;
  // The failure is final: there are no more retries.
  if (table.failure.value)
    return <span class="chip line behind">{t('game-connection-ended')}</span>;
  if (connection === 'live') return <span class="chip line live">{t('game-connection-live')}</span>;
  return (
    <span class="chip line behind" role="status">
      {connection === 'connecting' ? t('game-connecting') : t('game-reconnecting')}
    </span>
  );
}

function Board(props: {
  table: Table;
  phase: bigint | undefined;
  answer: Answer;
  analyzes: Signal<boolean>;
}) {
  const { table, phase, answer, analyzes } = props;
  const { picker, sheet } = answer;
  useEffect(() => sheet.open(), [sheet]);
  useEffect(() => {
    const deselect = (event: KeyboardEvent) => {
      const isTaken = (event.target as Element | null)?.closest?.(
        'input, select, textarea, dialog',
      );
      if (event.key === 'Escape' && !event.defaultPrevented && !isTaken) picker.clear();
    };
    addEventListener('keydown', deselect);
    return () => removeEventListener('keydown', deselect);
  }, [picker]);
  const at = useSignal(phase);
  at.value = phase;
  const moment = useComputed(() => ({
    phase: at.value,
    revealed:
      table.game.value?.status === GameStatus.ENDED ||
      (table.game.value?.analysis !== undefined && showsAll.value),
  }));
  const overlay = useSignal<Overlay | undefined>(undefined);
  const show = (wanted: bigint | undefined) => go(gamePath(table.id, wanted), true);
  const showsPast = useSignal(false);
  return (
    <div class={`board ${isWide.value ? 'wide' : ''}`} data-kind={table.game.value?.kind}>
      {isWide.value ? (
        <aside class="panel" aria-label={t('news-title')}>
          <h2>{phase === undefined ? t('news-title') : t('news-phase-title')}</h2>
          {phase === undefined ? (
            <News table={table} />
          ) : (
            <PhaseNews key={String(phase)} table={table} moment={moment.value} />
          )}
        </aside>
      ) : null}
      <section class="map" aria-label={t('game-map')}>
        <MapImage
          table={table}
          moment={moment}
          picker={picker}
          label={t('game-map')}
          overlay={overlay}
        >
          {isPhone.value ? (
            <Toggle
              label={t('game-past-phases')}
              pressed={showsPast.value}
              toggle={() => (showsPast.value = !showsPast.value)}
            >
              ◷
            </Toggle>
          ) : null}
        </MapImage>
        {!isPhone.value || showsPast.value || phase !== undefined ? (
          <Timeline table={table} phase={phase} show={show} />
        ) : null}
      </section>
      <Side table={table} phase={phase}>
        {{ sheet, answer, moment: moment.value, overlay, analyzes }}
      </Side>
    </div>
  );
}

function Side(props: {
  table: Table;
  phase: bigint | undefined;
  children: {
    sheet: Sheet;
    answer: Answer;
    moment: { phase: bigint | undefined; revealed: boolean };
    overlay: Signal<Overlay | undefined>;
    analyzes: Signal<boolean>;
  };
}) {
  const { table, phase, children } = props;
  const { sheet, answer, moment, overlay, analyzes } = children;
  const game = table.game.value;
  const isOver = table.isOver.value;
  const open = useSignal('');
  // When the game ends, show the result regardless of the open tab.
  useEffect(() => {
    if (isOver) open.value = '';
  }, [isOver]);
  const canWrite = table.seat !== undefined || game?.youAreGameMaster === true;
  const { decision } = table.question.value;
  const isAsked = decision !== undefined && !decision.ready;
  const tabs = [
    {
      key: 'orders',
      name: isOver
        ? t('result-title')
        : table.seat === undefined
          ? t('game-now')
          : t('game-orders'),
      mark: isAsked && open.value !== '' && open.value !== 'orders' ? '!' : undefined,
    },
    ...(isWide.value ? [] : [{ key: 'news', name: t('game-news') }]),
    ...(canWrite
      ? [{ key: 'messages', name: t('game-messages'), mark: unread(table) || undefined }]
      : []),
    ...(game?.sandbox || canWrite
      ? []
      : [{ key: 'chat', name: t('chat-title'), mark: table.chat.unread.value || undefined }]),
    { key: 'people', name: t('game-table'), mark: pendingVotes(table).length || undefined },
  ];
  const shown = tabs.some((tab) => tab.key === open.value)
    ? open.value
    : phase !== undefined && !isWide.value
      ? 'news'
      : 'orders';
  const isFolded = useSignal(false);
  const choose = (key: string) => {
    open.value = key;
    isFolded.value = false;
  };
  // A form that a click on the map opens must be visible.
  const form = answer.picker.form.value;
  useEffect(() => {
    if (!form) return;
    isFolded.value = false;
    if (isPhone.value) open.value = 'orders';
  }, [form?.line]);
  const isAnalyzed = analyzes.value;
  useEffect(() => {
    if (isAnalyzed) isFolded.value = false;
  }, [isAnalyzed]);
  return (
    <aside class={`panel side ${isFolded.value ? 'folded' : ''}`} aria-label={t('game-panel')}>
      {isPhone.value ? (
        <button
          type="button"
          class="icon fold"
          aria-label={t('game-panel-short')}
          title={isFolded.value ? t('game-show-panel') : t('game-hide-panel')}
          aria-expanded={!isFolded.value}
          onClick={() => (isFolded.value = !isFolded.value)}
        >
          {isFolded.value ? '▴' : '▾'}
        </button>
      ) : null}
      {isAnalyzed ? (
        <section class="analysis-side" aria-label={t('analysis-tab')}>
          <header class="row between">
            <h2>{t('analysis-tab')}</h2>
            <button type="button" class="button small" onClick={() => (analyzes.value = false)}>
              {t('page-close')}
            </button>
          </header>
          <AnalysisTab table={table} phase={phase} show={(shown) => (overlay.value = shown)} />
        </section>
      ) : (
        <Tabs tabs={tabs} open={shown} label={t('game-panel')} choose={choose}>
          {shown === 'orders' ? null : (
            <h2 class="hidden">{tabs.find(({ key }) => key === shown)?.name}</h2>
          )}
          {shown === 'orders' && isOver ? <End table={table} /> : null}
          {shown === 'orders' && !isOver && phase !== undefined ? (
            <PastPhaseNote table={table} />
          ) : null}
          {shown === 'orders' && !isOver && phase === undefined ? (
            table.seat === undefined ? (
              <Awaited table={table} />
            ) : (
              <Orders table={table} sheet={sheet} answer={answer} />
            )
          ) : null}
          {shown === 'news' && phase === undefined ? <News table={table} /> : null}
          {shown === 'news' && phase !== undefined ? (
            <PhaseNews key={String(phase)} table={table} moment={moment} />
          ) : null}
          {shown === 'messages' ? <Messages table={table} /> : null}
          {shown === 'chat' ? <ChatPanel table={table} /> : null}
          {shown === 'people' ? (
            <>
              {isPhone.value ? (
                <p class="row wrap">
                  <Tools table={table} analyzes={analyzes} />
                </p>
              ) : null}
              <People table={table} />
            </>
          ) : null}
        </Tabs>
      )}
    </aside>
  );
}

function PastPhaseNote({ table }: { table: Table }) {
  return (
    <div class="empty">
      <p>{t('game-past-phase')}</p>
      <a class="button strong" href={gamePath(table.id)}>
        {t('game-back-to-now')}
      </a>
    </div>
  );
}

/** A link to the tournament of a game. The ladder of bots has no page. */
function TournamentLink({ id }: { id: string }) {
  if (id === '' || id === 'ladder') return null;
  return (
    <>
      {' · '}
      <a href={tournamentPath(id)}>{t('tournament-of-game')}</a>
    </>
  );
}
