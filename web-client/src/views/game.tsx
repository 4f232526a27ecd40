// A game's page: forming, played, over; now, or at any phase of its past.

import { effect, useComputed, useSignal } from '@preact/signals';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useMemo } from 'preact/hooks';
import { GameStatus } from '../engine/contract';
import { setWaiting } from '../notices';
import { Picture } from '../picture/picture';
import { type GamePart, gamePath, go } from '../router';
import { me } from '../session';
import { Sheet } from '../table/sheet';
import { Table, type Viewer } from '../table/table';
import { Countdown, Tabs, Trouble } from '../ui/parts';
import { capital, msOf, statusWord } from '../words';
import { End } from './end';
import { Forming } from './forming';
import { Letters, unread } from './letters';
import { Aside, KindName } from './lobby';
import { News, PhaseNews } from './news';
import { Answer, Awaited, Orders } from './orders';
import { Timeline } from './past';
import { People } from './people';

const Report = lazy(() => import('./report').then((module) => ({ default: module.Report })));
const Proof = lazy(() => import('./proof').then((module) => ({ default: module.Proof })));

const OWN: Viewer = { seat: undefined, asSpectator: false };

export function GamePage(props: {
  game: string;
  part: GamePart;
  phase: bigint | undefined;
  viewer?: Viewer;
}) {
  const { game: id, part, phase, viewer = OWN } = props;
  const table = useMemo(() => new Table(id, viewer), [id, viewer, me.value]);
  useEffect(() => table.open(), [table]);
  // What the player is making survives a look at the report.
  const answer = useMemo(() => new Answer(table, new Sheet(table)), [table]);
  useEffect(() => effect(() => answer.follow()), [answer]);
  const game = table.game.value;
  const isUnknown = table.failure.value?.reason === 'GAME_NOT_FOUND';
  if (table.failure.value && !game) {
    return (
      <main class="narrow">
        <h1>{isUnknown ? 'There is no such game' : 'You cannot see this game'}</h1>
        <Trouble failure={table.failure.value} />
        <p>
          <a href="/">To the games</a>
        </p>
      </main>
    );
  }
  if (!game) return <main class="narrow loading">Opening the table…</main>;
  return (
    <Suspense fallback={<main class="narrow loading">Loading…</main>}>
      {part === 'report' ? <Report table={table} phase={phase} /> : null}
      {part === 'proof' ? <Proof table={table} /> : null}
      {part === 'table' ? <AtTable table={table} phase={phase} answer={answer} /> : null}
    </Suspense>
  );
}

function AtTable(props: { table: Table; phase: bigint | undefined; answer: Answer }) {
  const { table, phase, answer } = props;
  const game = table.game.value;
  if (!game) return null;
  const isForming = game.status === GameStatus.FORMING || game.status === GameStatus.REVEALING;
  return (
    <main class={isForming ? 'page' : 'table'}>
      <Head table={table} phase={phase} />
      <Trouble failure={table.failure.value} />
      {isForming ? (
        <Forming table={table} game={game} inviteCode="" />
      ) : (
        <Board key={table.id} table={table} phase={phase} answer={answer} />
      )}
    </main>
  );
}

function Head({ table, phase }: { table: Table; phase: bigint | undefined }) {
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
  const place = isDrawn ? 'lots decide your seat' : `you are ${seat?.role ?? `seat ${table.seat}`}`;
  const status = asked ? 'Your turn' : isPlayed ? '' : capital(statusWord(game.status));
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
          {table.seat === undefined && isPlayed ? ' · you watch' : ''}
        </p>
      </div>
      <div class="row wrap">
        <LineState table={table} />
        {status ? <span class={`chip ${asked ? 'warm' : ''}`}>{status}</span> : null}
        {game.sandbox ? <span class="chip">Sandbox</span> : null}
        {isPlayed ? <Countdown due={msOf(game.dueTime)} ahead={table.clockAhead.value} /> : null}
        {game.status === GameStatus.FORMING ? null : (
          <a
            class="button small"
            href={`${gamePath(table.id)}/report${phase === undefined ? '' : `/${phase}`}`}
          >
            Report
          </a>
        )}
      </div>
    </header>
  );
}

/** Whether what is shown holds now. */
function LineState({ table }: { table: Table }) {
  const line = table.line.value;
  // The engine said why it goes no further: nothing is tried again.
  if (table.failure.value) return <span class="chip line behind">Ended</span>;
  if (line === 'live') return <span class="chip line live">Live</span>;
  return (
    <span class="chip line behind" role="status">
      {line === 'connecting' ? 'Connecting…' : 'Behind: connecting again…'}
    </span>
  );
}

const wide = matchMedia('(min-width: 1700px)');

/** The table while it is played, and after the end. */
function Board(props: { table: Table; phase: bigint | undefined; answer: Answer }) {
  const { table, phase, answer } = props;
  const isWide = useSignal(wide.matches);
  useEffect(() => {
    const change = () => {
      isWide.value = wide.matches;
    };
    wide.addEventListener('change', change);
    return () => wide.removeEventListener('change', change);
  }, []);
  const { picker, sheet } = answer;
  useEffect(() => sheet.open(), [sheet]);
  const at = useSignal(phase);
  at.value = phase;
  const moment = useComputed(() => ({
    phase: at.value,
    revealed: table.game.value?.status === GameStatus.ENDED,
  }));
  const show = (wanted: bigint | undefined) => go(gamePath(table.id, wanted), true);
  return (
    <div class={`board ${isWide.value ? 'wide' : ''}`}>
      {isWide.value ? (
        <aside class="panel" aria-label="What happened">
          <h2>{phase === undefined ? 'What happened' : 'In this phase'}</h2>
          {phase === undefined ? (
            <News table={table} />
          ) : (
            <PhaseNews key={String(phase)} table={table} moment={moment.value} />
          )}
        </aside>
      ) : null}
      <section class="map" aria-label="The map">
        <Picture table={table} moment={moment} picker={picker} label="The map" />
        <Timeline table={table} phase={phase} show={show} />
      </section>
      <Side table={table} phase={phase} isWide={isWide.value}>
        {{ sheet, answer, moment: moment.value }}
      </Side>
    </div>
  );
}

function Side(props: {
  table: Table;
  phase: bigint | undefined;
  isWide: boolean;
  children: {
    sheet: Sheet;
    answer: Answer;
    moment: { phase: bigint | undefined; revealed: boolean };
  };
}) {
  const { table, phase, isWide, children } = props;
  const game = table.game.value;
  const isOver = table.isOver.value;
  const open = useSignal('');
  // Whatever one was reading: how it ended is what one wants to see.
  useEffect(() => {
    if (isOver) open.value = '';
  }, [isOver]);
  const mayWrite = table.seat !== undefined || game?.youAreGameMaster === true;
  const tabs = [
    { key: 'orders', name: isOver ? 'Result' : table.seat === undefined ? 'Now' : 'Orders' },
    ...(isWide ? [] : [{ key: 'news', name: 'News' }]),
    ...(mayWrite ? [{ key: 'letters', name: 'Letters', mark: unread(table) || undefined }] : []),
    { key: 'people', name: 'Table' },
  ];
  const shown = tabs.some((tab) => tab.key === open.value)
    ? open.value
    : phase !== undefined && !isWide
      ? 'news'
      : 'orders';
  const { sheet, answer, moment } = children;
  return (
    <aside class="panel side" aria-label="At the table">
      <Tabs tabs={tabs} open={shown} label="At the table" choose={(key) => (open.value = key)}>
        {shown === 'orders' && isOver ? <End table={table} /> : null}
        {shown === 'orders' && !isOver && phase !== undefined ? <PastNote table={table} /> : null}
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
        {shown === 'letters' ? <Letters table={table} /> : null}
        {shown === 'people' ? <People table={table} /> : null}
      </Tabs>
    </aside>
  );
}

function PastNote({ table }: { table: Table }) {
  return (
    <div class="empty">
      <p>You look at the past. Orders are given now.</p>
      <a class="button strong" href={gamePath(table.id)}>
        Back to now
      </a>
    </div>
  );
}
