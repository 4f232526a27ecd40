// The sandbox page for authors: a scenario, step by step, shown from every seat.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { games } from '../engine/calls';
import { Failure } from '../engine/failure';
import { Stage } from '../map/stage';
import { gamePath } from '../router';
import { SandboxRun, type StepResult } from '../sandbox/run';
import {
  type Action,
  durationMs,
  fileOf,
  readScenario,
  type Scenario,
  type Step,
  stepWords,
} from '../sandbox/scenario';
import { Contents } from '../scene/contents';
import { shownTheme } from '../settings';
import {
  ActionButton,
  CallForm,
  ErrorLine,
  Field,
  SeatDot,
  Select,
  useLoaded,
} from '../ui/components';
import { isNews, t } from '../words';
import { loadKinds } from './kinds';
import { Waiting } from './lobby';

const EMPTY: Omit<Scenario, 'game' | 'players'> = {
  name: '',
  position: undefined,
  options: undefined,
  pace: undefined,
  automated: [],
  seed: '',
  dice: [],
  steps: [],
};

export function SandboxPage() {
  const run = useSignal<SandboxRun | undefined>(undefined);
  if (run.value)
    return (
      <RunView key={run.value.game.gameId} run={run.value} leave={() => (run.value = undefined)} />
    );
  return <SetupForms set={(made) => (run.value = made)} />;
}

function SetupForms({ set }: { set: (run: SandboxRun) => void }) {
  const kinds = useLoaded(() => loadKinds());
  const text = useSignal('');
  const kind = useSignal('');
  const players = useSignal('2');
  const list = kinds.value.value;
  if (!list) {
    return (
      <main class="page">
        <Waiting failure={kinds.failure.value} />
      </main>
    );
  }
  return (
    <main class="page desk-page">
      <h1>{t('page-sandbox')}</h1>
      <p class="lead">{t('sandbox-lead')}</p>
      <div class="cards">
        <CallForm
          class="card"
          label={t('sandbox-scenario-file')}
          action={async () => set(await SandboxRun.set(read(text.value), list))}
        >
          {(busy) => (
            <>
              <h2>{t('sandbox-scenario-file')}</h2>
              <Field label={t('sandbox-file')}>
                {(id) => (
                  <input
                    id={id}
                    type="file"
                    accept=".json,application/json"
                    onChange={(event) => {
                      void event.currentTarget.files?.[0]?.text().then((content) => {
                        text.value = content;
                      });
                    }}
                  />
                )}
              </Field>
              <Field label={t('sandbox-paste')}>
                {(id) => (
                  <textarea
                    id={id}
                    rows={8}
                    spellcheck={false}
                    required
                    value={text.value}
                    onInput={(event) => (text.value = event.currentTarget.value)}
                  />
                )}
              </Field>
              <button type="submit" class="button strong" aria-busy={busy}>
                {t('sandbox-set-up')}
              </button>
            </>
          )}
        </CallForm>
        <CallForm
          class="card"
          label={t('lobby-new-game')}
          action={async () => {
            const game = kind.value || (list[0]?.kind ?? '');
            set(await SandboxRun.set({ ...EMPTY, game, players: Number(players.value) }, list));
          }}
        >
          {(busy) => (
            <>
              <h2>{t('lobby-new-game')}</h2>
              <Field label={t('rating-game')}>
                {(id) => (
                  <Select
                    id={id}
                    value={kind.value || (list[0]?.kind ?? '')}
                    options={list.map((each) => [each.kind, each.name] as const)}
                    set={(value) => {
                      kind.value = value;
                      players.value = String(
                        Math.max(list.find((each) => each.kind === value)?.playersMin ?? 1, 1),
                      );
                    }}
                  />
                )}
              </Field>
              <Field label={t('new-game-players')}>
                {(id) => (
                  <input
                    id={id}
                    type="number"
                    min={1}
                    max={64}
                    value={players.value}
                    onInput={(event) => (players.value = event.currentTarget.value)}
                  />
                )}
              </Field>
              <button type="submit" class="button" aria-busy={busy}>
                {t('sandbox-set-up')}
              </button>
            </>
          )}
        </CallForm>
      </div>
    </main>
  );
}

function read(text: string): Scenario {
  try {
    return readScenario(text);
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), 'INVALID_FIELD');
  }
}

function RunView({ run, leave }: { run: SandboxRun; leave: () => void }) {
  const { game, scenario, remaining, done } = run;
  const seats = game.seats.map((seat) => seat.number);
  const shown = useSignal<readonly number[]>(seats.slice(0, 2));
  const toggle = (seat: number) => {
    shown.value = shown.value.includes(seat)
      ? shown.value.filter((each) => each !== seat)
      : [...shown.value, seat].toSorted((a, b) => a - b);
  };
  return (
    <main class="page bench">
      <header class="page-head">
        <h1>
          <bdi>{scenario.name || game.name}</bdi>
        </h1>
        <div class="row wrap">
          <a class="button small" href={gamePath(game.gameId)}>
            {t('sandbox-open-table')}
          </a>
          <button type="button" class="button small" onClick={() => save(run)}>
            {t('sandbox-save')}
          </button>
          <button type="button" class="button small" onClick={leave}>
            {t('sandbox-new-scenario')}
          </button>
        </div>
      </header>
      <div class="bench-grid">
        <section class="card steps-card" aria-label={t('sandbox-steps')}>
          <h2>{t('sandbox-steps')}</h2>
          <ol class="done">
            {done.value.map((each, index) => (
              <ResultItem key={index} done={each} />
            ))}
            {remaining.value.map((step, index) => (
              <li key={`ahead ${index}`} class="ahead">
                {stepWords(step)}
                {step.note ? <span class="faint"> {step.note}</span> : null}
              </li>
            ))}
          </ol>
          <div class="row wrap">
            <ActionButton
              class="button strong small"
              disabled={remaining.value.length === 0}
              action={() => run.next()}
            >
              {t('sandbox-next-step')}
            </ActionButton>
            <ActionButton
              class="button small"
              disabled={remaining.value.length === 0}
              action={async () => {
                while (remaining.value.length > 0) await run.next();
              }}
            >
              {t('sandbox-all-steps')}
            </ActionButton>
          </div>
          <StepForms run={run} />
        </section>
        <section aria-label={t('sandbox-views')} class="views">
          <fieldset class="several">
            <legend>{t('sandbox-show-as')}</legend>
            <label class="tick">
              <input type="checkbox" checked={shown.value.includes(0)} onChange={() => toggle(0)} />
              <span>{t('sandbox-spectator')}</span>
            </label>
            {game.seats.map((seat) => (
              <label key={seat.number} class="tick">
                <input
                  type="checkbox"
                  checked={shown.value.includes(seat.number)}
                  onChange={() => toggle(seat.number)}
                />
                <span>{seat.role}</span>
              </label>
            ))}
          </fieldset>
          <div class="view-grid">
            {shown.value.map((seat) => (
              <SeatView key={seat} run={run} seat={seat} />
            ))}
          </div>
        </section>
      </div>
    </main>
  );
}

function ResultItem({ done: { step, refused, masterEvents } }: { done: StepResult }) {
  return (
    <li class={refused ? 'refused' : ''}>
      {stepWords(step)}
      {refused ? <p class="trouble">{refused}</p> : null}
      {masterEvents.map((text, index) => (
        <p key={index} class="faint small">
          {text}
        </p>
      ))}
    </li>
  );
}

/** Steps entered by hand. Each is recorded as a step of the file. */
function StepForms({ run }: { run: SandboxRun }) {
  const seat = useSignal('1');
  const order = useSignal('');
  const dice = useSignal('');
  const time = useSignal('24h');
  const take = (action: Action, source: Step['source']) =>
    run.take({ action, note: '', tell: '', source });
  const seats = run.game.seats.map((each) => [String(each.number), each.role] as const);
  return (
    <>
      <CallForm
        class="row wrap"
        label={t('tutorial-give-order')}
        action={async () => {
          const number = Number(seat.value);
          const lines = order.value
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '');
          const source =
            lines.length === 1
              ? { seat: number, order: lines[0] ?? '' }
              : { seat: number, orders: lines };
          await take({ does: 'order', seat: number, orders: lines }, source);
          order.value = '';
        }}
      >
        {(busy) => (
          <>
            <Select
              label={t('sandbox-seat')}
              value={seat.value}
              options={seats}
              set={(value) => (seat.value = value)}
            />
            <textarea
              aria-label={t('sandbox-orders')}
              rows={2}
              required
              spellcheck={false}
              value={order.value}
              onInput={(event) => (order.value = event.currentTarget.value)}
            />
            <button type="submit" class="button small" aria-busy={busy}>
              {t('tutorial-give')}
            </button>
          </>
        )}
      </CallForm>
      <div class="row wrap">
        <ActionButton
          class="button small"
          action={() =>
            take(
              { does: 'ready', seat: Number(seat.value), ready: true },
              { seat: Number(seat.value), ready: true },
            )
          }
        >
          {t('sandbox-ready')}
        </ActionButton>
        <ActionButton class="button small" action={() => take({ does: 'close' }, { close: true })}>
          {t('master-close')}
        </ActionButton>
      </div>
      <CallForm
        class="row wrap"
        label={t('sandbox-script-dice')}
        action={async () => {
          const values = dice.value
            .split(/[^\d]+/)
            .filter((each) => each !== '')
            .map(Number);
          await take({ does: 'dice', dice: values, replace: true }, { dice: values });
          dice.value = '';
        }}
      >
        {(busy) => (
          <>
            <label class="inline">
              {t('sandbox-dice')}
              <input
                class="slot"
                inputMode="numeric"
                placeholder="1 6 3"
                value={dice.value}
                onInput={(event) => (dice.value = event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="button small" aria-busy={busy}>
              {t('sandbox-script')}
            </button>
            <span class="faint">
              {t('sandbox-dice-waiting', {
                dice: run.dice.value.join(' ') || t('sandbox-no-dice'),
              })}
            </span>
          </>
        )}
      </CallForm>
      <CallForm
        class="row wrap"
        label={t('sandbox-set-clock')}
        action={() =>
          take({ does: 'advance', ms: durationMs(time.value) }, { advance: time.value })
        }
      >
        {(busy) => (
          <>
            <label class="inline">
              {t('sandbox-clock')}
              <input
                class="slot"
                value={time.value}
                onInput={(event) => (time.value = event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="button small" aria-busy={busy}>
              {t('sandbox-forward')}
            </button>
          </>
        )}
      </CallForm>
    </>
  );
}

function SeatView({ run, seat }: { run: SandboxRun; seat: number }) {
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<Stage | undefined>(undefined);
  const loaded = useLoaded(async () => {
    run.round.value;
    const as = { gameId: run.game.gameId, ...(seat === 0 ? { asSpectator: true } : { seat }) };
    const [map, view] = await Promise.all([games.getScene(as), games.getView(as)]);
    const last = view.cursor?.number ?? 0n;
    const after = { number: last > 12n ? last - 12n : 0n };
    const { events } = await games.getHistory({ ...as, after, pageSize: 12 });
    return { map, view, events: events.filter(isNews).slice(-4) };
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const made = new Stage(host.current, {
      pick: () => undefined,
      ask: () => undefined,
      drag: () => undefined,
      drop: () => undefined,
      hover: () => undefined,
    });
    stage.current = made;
    return () => made.destroy();
  }, []);
  const found = loaded.value.value;
  const theme = shownTheme.value;
  useEffect(() => {
    if (found?.map.scene) stage.current?.show(new Contents(found.map.scene), theme, true);
  }, [found, theme]);
  const role =
    seat === 0
      ? t('sandbox-spectator')
      : (run.game.seats.find((each) => each.number === seat)?.role ??
        t('words-seat', { number: seat }));
  return (
    <section class="card seat-view" aria-label={role} data-kind={run.game.kind}>
      <h3>
        {seat > 0 ? <SeatDot seat={seat} /> : null} {role}
      </h3>
      <ErrorLine failure={loaded.failure.value} />
      <div
        ref={host}
        class="stage"
        role="group"
        tabIndex={0}
        aria-label={t('sandbox-map-as', { role })}
      />
      <p class="prompt">{found?.view.decision?.prompt ?? t('sandbox-no-decision')}</p>
      {found?.events.map((event) => (
        <p key={String(event.number)} class="faint small">
          {event.text}
        </p>
      ))}
    </section>
  );
}

function save(run: SandboxRun): void {
  const steps = run.done.value.map((each) => each.step);
  const text = fileOf(run.scenario, run.start, steps);
  const link = document.createElement('a');
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.href = url;
  link.download = `${(run.scenario.name || 'scenario').toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
