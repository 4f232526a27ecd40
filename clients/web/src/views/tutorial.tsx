// The tutorials: their list, the start of one, and the coach beside the table of its game.

import '../style/learn.css';
import { effect, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { games } from '../engine/calls';
import { sandbox } from '../engine/calls-table';
import { type Failure, failureOf } from '../engine/failure';
import { type GamePart, gamePath, go, rulePath } from '../router';
import { briefSentence, spelledOut, tellOf } from '../sandbox/hints';
import {
  hasLesson,
  Lesson,
  LessonTable,
  lengthOf,
  lessonKinds,
  linesOf,
  scenarioOf,
  startLesson,
} from '../sandbox/lesson';
import { progressIn } from '../sandbox/progress';
import type { Action } from '../sandbox/scenario';
import { me, server } from '../session';
import { readLine } from '../table/offers';
import type { Table } from '../table/table';
import { ActionButton, CallForm, ErrorLine, useLoaded } from '../ui/components';
import { KindImage } from '../ui/thumbnail';
import { capital, listed, rich, seatName, t } from '../words';
import { GamePage } from './game';
import { kindsOf, loadKinds } from './kinds';
import { KindName } from './lobby';
import { isEnd } from './offers';
import type { Answer } from './orders';
import { RuledText } from './rule';

/** The list of the games to learn. */
export function Learn() {
  // Visitors may not list the games of some servers. Their rulebooks need no server.
  useLoaded(() => loadKinds());
  const kinds =
    kindsOf.value ??
    lessonKinds().map((kind) => ({ kind, name: capital(kind.replaceAll('-', ' ')), summary: '' }));
  return (
    <main class="page learn">
      <h1>{t('tutorial-title')}</h1>
      <p class="lead">{t('tutorial-lead')}</p>
      <ul class="games">
        {kinds.map(({ kind, name, summary }) => (
          <li key={kind} class="card lesson">
            <div class="game-main">
              <KindImage kind={kind} />
              <div class="game-what">
                <h2>{name}</h2>
                <p class="faint small" lang="en">
                  {summary}
                </p>
              </div>
            </div>
            <div class="row wrap">
              {hasLesson(kind) ? (
                <a
                  class="button strong small"
                  href={`/learn/${kind}`}
                  aria-label={t('tutorial-of', { game: name })}
                >
                  {t('rulebook-tutorial')}
                </a>
              ) : null}
              <a
                class="button small"
                href={rulePath(kind)}
                aria-label={t('tutorial-rulebook-of', { game: name })}
              >
                {t('tutorial-rulebook')}
              </a>
            </div>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** The start of the tutorial of a game. */
export function LessonStart({ kind }: { kind: string }) {
  const loaded = useLoaded(() => scenarioOf(kind));
  const progress = progressIn(kind);
  const scenario = loaded.value.value;
  const isRunnable = me.value !== undefined && server.value?.sandbox === true;
  const start = async () => go(gamePath(await startLesson(kind)));
  const resume = async () => {
    const game = progress?.game ?? '';
    // Servers delete the games of tutorials after a time. The game may be another account's, too.
    const isKept = await sandbox.getPosition({ gameId: game }).then(
      () => true,
      (thrown: unknown) => {
        if (failureOf(thrown).isTransient) throw thrown;
        return false;
      },
    );
    if (isKept) go(gamePath(game));
    else await start();
  };
  const isBegun = progress !== undefined && !progress.isDone && progress.at > 0;
  return (
    <main class="narrow learn">
      <h1>{rich('tutorial-heading', { game: <KindName kind={kind} /> })}</h1>
      <ErrorLine failure={loaded.failure.value} />
      {scenario ? (
        <>
          <p class="lead" lang="en">
            {scenario.name}
          </p>
          <p>{t('tutorial-steps', { count: lengthOf(scenario) })}</p>
        </>
      ) : null}
      {scenario && !me.value ? (
        <p class="row wrap">
          <a class="button strong" href="/sign-in">
            {t('tutorial-sign-in')}
          </a>
          <span class="hint">{t('tutorial-only-name')}</span>
        </p>
      ) : null}
      {scenario && me.value && !isRunnable ? <p class="note">{t('tutorial-no-sandbox')}</p> : null}
      <div class="row wrap">
        {scenario && isRunnable && isBegun ? (
          <ActionButton class="button strong" action={resume}>
            {t('sign-in-continue')}
          </ActionButton>
        ) : null}
        {scenario && isRunnable ? (
          <ActionButton class={isBegun ? 'button' : 'button strong'} action={start}>
            {isBegun
              ? t('tutorial-start-over')
              : progress?.isDone
                ? t('tutorial-play-again')
                : t('tutorial-start')}
          </ActionButton>
        ) : null}
        <a class="button" href={rulePath(kind)}>
          {t('tutorial-rulebook')}
        </a>
        <a class="button" href="/learn">
          {t('tutorial-all-games')}
        </a>
      </div>
    </main>
  );
}

/** The page of a game in which a tutorial is played. */
export function LessonPage(props: {
  kind: string;
  game: string;
  part: GamePart;
  phase: bigint | undefined;
}) {
  const { kind, game } = props;
  const loaded = useLoaded(() => Lesson.resume(kind));
  const lesson = loaded.value.value;
  const isGone = loaded.failure.value?.reason === 'GAME_NOT_FOUND';
  if (!lesson) {
    return (
      <main class="narrow learn">
        {loaded.failure.value ? (
          <>
            <ErrorLine failure={loaded.failure.value} />
            <p>
              <a class="button" href={`/learn/${kind}`}>
                {isGone ? t('tutorial-start-over') : t('tutorial-back')}
              </a>
            </p>
          </>
        ) : (
          <p class="loading">{t('tutorial-loading')}</p>
        )}
      </main>
    );
  }
  return (
    <GamePage
      game={game}
      part={props.part}
      phase={props.phase}
      open={() => new LessonTable(game, lesson)}
      coach={(table, answer) => <Coach lesson={lesson} table={table} answer={answer} />}
    />
  );
}

function Coach(props: { lesson: Lesson; table: Table; answer: Answer }) {
  const { lesson, table, answer } = props;
  const isFolded = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  useEffect(() => followSheet(lesson, table, answer), [lesson, table, answer]);
  const step = lesson.step.value;
  if (!step) return <End lesson={lesson} />;
  const isWaiting = lesson.isBusy.value || step.tell === '';
  return (
    <section class="coach" aria-label={t('rulebook-tutorial')}>
      <header class="row between">
        <h2>{t('tutorial-step', { number: lesson.number.value, count: lesson.length })}</h2>
        <progress
          max={lesson.length}
          value={lesson.number.value - 1}
          aria-label={t('tutorial-progress')}
        />
        <button
          type="button"
          class="button small"
          aria-expanded={!isFolded.value}
          onClick={() => (isFolded.value = !isFolded.value)}
        >
          {isFolded.value ? t('tutorial-show-text') : t('tutorial-hide-text')}
        </button>
        <a class="button small" href={`/learn/${lesson.kind}`}>
          {t('forming-leave')}
        </a>
      </header>
      {isFolded.value ? null : (
        <p class="coach-text" aria-live="polite" lang="en">
          <RuledText kind={lesson.kind} text={tellOf(step.tell)} />
        </p>
      )}
      {isWaiting ? (
        <p class="faint">{t('tutorial-others-move')}</p>
      ) : (
        <div class="row wrap coach-do">
          <span class="coach-hint">
            <Hint action={step.action} table={table} />
          </span>
          <ActionButton
            class="button strong small"
            disabled={!table.isCurrent.value}
            failed={(found) => (failure.value = found)}
            action={async () => {
              failure.value = undefined;
              await show(step.action, table, answer);
            }}
          >
            {t('tutorial-show-me')}
          </ActionButton>
          {step.action.does === 'order' && !table.question.value.decision ? (
            <OrderLine table={table} />
          ) : null}
        </div>
      )}
      {lesson.objection.value === '' ? null : (
        <p class="trouble" role="status">
          {lesson.objection.value}
        </p>
      )}
      <ErrorLine failure={failure.value ?? lesson.failure.value} />
      {lesson.failure.value ? (
        <ActionButton class="button small" action={() => lesson.takeOthers()}>
          {t('sign-in-try-again')}
        </ActionButton>
      ) : null}
    </section>
  );
}

/** A line for an order that is possible in the turns of other players. */
function OrderLine({ table }: { table: Table }) {
  const line = useSignal('');
  return (
    <CallForm
      class="row wrap"
      label={t('tutorial-give-order')}
      action={() => table.order(line.value)}
    >
      {(busy) => (
        <>
          <input
            aria-label={t('tutorial-order')}
            required
            spellcheck={false}
            autocomplete="off"
            value={line.value}
            onInput={(event) => (line.value = event.currentTarget.value)}
          />
          <button type="submit" class="button small" aria-busy={busy}>
            {t('tutorial-give')}
          </button>
        </>
      )}
    </CallForm>
  );
}

/** What the player can click or type to take a step. */
function Hint({ action, table }: { action: Action; table: Table }) {
  if (action.does === 'ready') {
    return <>{rich('tutorial-press-ready', { ready: <strong>{t('orders-am-ready')}</strong> })}</>;
  }
  if (action.does === 'say') {
    const names = action.to.map((seat) => seatName(table.game.value, seat));
    return (
      <>
        {rich('tutorial-write', {
          messages: <strong>{t('game-messages')}</strong>,
          names: listed(names),
          text: <q>{action.text}</q>,
        })}
      </>
    );
  }
  if (action.does !== 'order') return null;
  const line = linesOf(action).split('\n').at(-1) ?? '';
  const { lines } = table.question.value.menu;
  const found = lines
    .map((offer) => ({ offer, choices: readLine(offer, spelledOut(line)) }))
    .find(({ choices }) => choices !== undefined);
  const order = <code>{line}</code>;
  const offer = found && <strong>{briefSentence(found.offer, found.choices ?? {})}</strong>;
  return (
    <>
      {!found
        ? rich('tutorial-type', { order })
        : isEnd(found.offer) || found.offer.heading === ''
          ? rich('tutorial-choose', { offer, order })
          : rich('tutorial-choose-under', { offer, heading: found.offer.heading, order })}
    </>
  );
}

/** Takes the step for the player. */
async function show(action: Action, table: Table, answer: Answer): Promise<void> {
  if (action.does === 'ready') await table.ready(action.ready);
  if (action.does === 'say') {
    const { to, text, anonymous } = action;
    await table.write({ seats: to, all: false, gameMaster: false, anonymous }, text);
  }
  if (action.does !== 'order') return;
  answer.failure.value = undefined;
  answer.picker.clear();
  const { sheet } = answer;
  await table.order(linesOf(action));
  if (table.question.value.menu.sheet) {
    sheet.change(linesOf(action).split('\n'));
    sheet.markSubmitted();
  }
}

/** Stores a sheet as soon as it is the expected one. Returns a function that stops. */
function followSheet(lesson: Lesson, table: Table, answer: Answer): () => void {
  return effect(() => {
    const { menu } = table.question.value;
    const { sheet } = answer;
    const wanted = lesson.step.value?.action;
    if (!menu.sheet || wanted?.does !== 'order' || !table.isCurrent.value) return;
    const { rows, judged } = sheet;
    const written = rows.value.filter((row) => row.trim() !== '');
    const isValid = judged.value.filter((each) => each?.accepted).length === written.length;
    if (!sheet.isDirty || !isValid || written.length < wanted.orders.length) return;
    void lesson.isSame({ ...wanted, orders: written }, wanted).then(
      (isSame) => {
        if (lesson.step.value?.action !== wanted) return;
        if (isSame) void answer.submitTyped();
        else lesson.object();
      },
      () => undefined,
    );
  });
}

function End({ lesson }: { lesson: Lesson }) {
  return (
    <section class="coach" aria-label={t('rulebook-tutorial')}>
      <h2>{t('tutorial-done')}</h2>
      <p class="coach-text">{t('tutorial-done-text')}</p>
      <div class="row wrap">
        <ActionButton class="button strong" action={() => playAutomated(lesson.kind)}>
          {t('tutorial-play-computer')}
        </ActionButton>
        <a class="button" href={rulePath(lesson.kind)}>
          {t('tutorial-rulebook')}
        </a>
        <a class="button" href="/learn">
          {t('tutorial-all')}
        </a>
      </div>
    </section>
  );
}

/** Starts a game of the player against automated opponents. */
async function playAutomated(kind: string): Promise<void> {
  const kinds = await loadKinds();
  const info = kinds.find((each) => each.kind === kind);
  const level = info?.levels.includes('standard') ? 'standard' : (info?.levels[0] ?? '');
  const others = Array.from({ length: Math.max((info?.playersUsual ?? 2) - 1, 0) }, () => ({
    plan: { case: 'automated' as const, value: { profile: '', level } },
  }));
  const { game } = await games.createGame({
    kind,
    seats: [{ plan: { case: 'open', value: {} } }, ...others],
    startWhenFull: true,
  });
  if (game) go(gamePath(game.gameId));
}
