// The sandbox desk, for authors: a scenario, step by step, seen from every seat.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Bench, type Done } from '../desk/bench';
import {
  type Deed,
  readScenario,
  type Scenario,
  type Step,
  spanMs,
  stepWords,
  written,
} from '../desk/scenario';
import { games } from '../engine/calls';
import { MapFormat } from '../engine/contract';
import { Failure } from '../engine/failure';
import { cleanSvg } from '../picture/clean';
import { Stage } from '../picture/stage';
import { gamePath } from '../router';
import { mapTheme, shownTheme } from '../settings';
import { Act, Ask, Choose, Field, SeatDot, Trouble, useLoaded } from '../ui/parts';
import { isNews } from '../words';
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

export function SandboxDesk() {
  const bench = useSignal<Bench | undefined>(undefined);
  if (bench.value)
    return (
      <AtBench
        key={bench.value.game.gameId}
        bench={bench.value}
        leave={() => (bench.value = undefined)}
      />
    );
  return <Setting set={(made) => (bench.value = made)} />;
}

function Setting({ set }: { set: (bench: Bench) => void }) {
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
      <h1>Sandbox desk</h1>
      <p class="lead">
        Set a situation up, step through it, and see it from every seat. Nothing here is rated.
      </p>
      <div class="cards">
        <Ask
          class="card"
          label="A scenario file"
          does={async () => set(await Bench.set(read(text.value), list))}
        >
          {(busy) => (
            <>
              <h2>A scenario file</h2>
              <Field label="File">
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
              <Field label="Or its text">
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
                Set it up
              </button>
            </>
          )}
        </Ask>
        <Ask
          class="card"
          label="A fresh game"
          does={async () => {
            const game = kind.value || (list[0]?.kind ?? '');
            set(await Bench.set({ ...EMPTY, game, players: Number(players.value) }, list));
          }}
        >
          {(busy) => (
            <>
              <h2>A fresh game</h2>
              <Field label="Game">
                {(id) => (
                  <Choose
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
              <Field label="Players">
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
                Set it up
              </button>
            </>
          )}
        </Ask>
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

function AtBench({ bench, leave }: { bench: Bench; leave: () => void }) {
  const { game, scenario, ahead, done } = bench;
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
            Open as a table
          </a>
          <button type="button" class="button small" onClick={() => save(bench)}>
            Save as a scenario
          </button>
          <button type="button" class="button small" onClick={leave}>
            Another
          </button>
        </div>
      </header>
      <div class="bench-grid">
        <section class="card steps-card" aria-label="Steps">
          <h2>Steps</h2>
          <ol class="done">
            {done.value.map((each, index) => (
              <DoneItem key={index} done={each} />
            ))}
            {ahead.value.map((step, index) => (
              <li key={`ahead ${index}`} class="ahead">
                {stepWords(step)}
                {step.note ? <span class="faint"> {step.note}</span> : null}
              </li>
            ))}
          </ol>
          <div class="row wrap">
            <Act
              class="button strong small"
              disabled={ahead.value.length === 0}
              does={() => bench.next()}
            >
              Next step
            </Act>
            <Act
              class="button small"
              disabled={ahead.value.length === 0}
              does={async () => {
                while (ahead.value.length > 0) await bench.next();
              }}
            >
              All steps
            </Act>
          </div>
          <Do bench={bench} />
        </section>
        <section aria-label="Views" class="views">
          <fieldset class="several">
            <legend>Seen by</legend>
            <label class="tick">
              <input type="checkbox" checked={shown.value.includes(0)} onChange={() => toggle(0)} />
              <span>A spectator</span>
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
              <SeatView key={seat} bench={bench} seat={seat} />
            ))}
          </div>
        </section>
      </div>
    </main>
  );
}

function DoneItem({ done: { step, refused, told } }: { done: Done }) {
  return (
    <li class={refused ? 'refused' : ''}>
      {stepWords(step)}
      {refused ? <p class="trouble">{refused}</p> : null}
      {told.map((text, index) => (
        <p key={index} class="faint small">
          {text}
        </p>
      ))}
    </li>
  );
}

/** What an author does by hand; each becomes a step of the file. */
function Do({ bench }: { bench: Bench }) {
  const seat = useSignal('1');
  const order = useSignal('');
  const dice = useSignal('');
  const time = useSignal('24h');
  const take = (deed: Deed, source: Step['source']) => bench.take({ deed, note: '', source });
  const seats = bench.game.seats.map((each) => [String(each.number), each.role] as const);
  return (
    <>
      <Ask
        class="row wrap"
        label="Give an order"
        does={async () => {
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
            <Choose
              label="Seat"
              value={seat.value}
              options={seats}
              set={(value) => (seat.value = value)}
            />
            <textarea
              aria-label="Orders, one a line"
              rows={2}
              required
              spellcheck={false}
              value={order.value}
              onInput={(event) => (order.value = event.currentTarget.value)}
            />
            <button type="submit" class="button small" aria-busy={busy}>
              Order
            </button>
          </>
        )}
      </Ask>
      <div class="row wrap">
        <Act
          class="button small"
          does={() =>
            take(
              { does: 'ready', seat: Number(seat.value), ready: true },
              { seat: Number(seat.value), ready: true },
            )
          }
        >
          Ready
        </Act>
        <Act class="button small" does={() => take({ does: 'close' }, { close: true })}>
          Close the phase
        </Act>
      </div>
      <Ask
        class="row wrap"
        label="Script dice"
        does={async () => {
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
              Dice
              <input
                class="slot"
                inputMode="numeric"
                placeholder="1 6 3"
                value={dice.value}
                onInput={(event) => (dice.value = event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="button small" aria-busy={busy}>
              Script
            </button>
            <span class="faint">waiting: {bench.dice.value.join(' ') || 'none'}</span>
          </>
        )}
      </Ask>
      <Ask
        class="row wrap"
        label="Set the clock forward"
        does={() => take({ does: 'advance', ms: spanMs(time.value) }, { advance: time.value })}
      >
        {(busy) => (
          <>
            <label class="inline">
              Clock
              <input
                class="slot"
                value={time.value}
                onInput={(event) => (time.value = event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="button small" aria-busy={busy}>
              Forward
            </button>
          </>
        )}
      </Ask>
    </>
  );
}

/** The game as one seat sees it. */
function SeatView({ bench, seat }: { bench: Bench; seat: number }) {
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<Stage | undefined>(undefined);
  const loaded = useLoaded(async () => {
    bench.round.value;
    const as = { gameId: bench.game.gameId, ...(seat === 0 ? { asSpectator: true } : { seat }) };
    const [map, view] = await Promise.all([
      games.drawMap({ ...as, format: MapFormat.SVG, theme: mapTheme.value }),
      games.getView(as),
    ]);
    const last = view.cursor?.number ?? 0n;
    const after = { number: last > 12n ? last - 12n : 0n };
    const { events } = await games.getHistory({ ...as, after, pageSize: 12 });
    return { map, view, events: events.filter(isNews).slice(-4) };
  });
  useEffect(() => {
    if (!host.current) return undefined;
    const made = new Stage(host.current, { pick: () => undefined, hover: () => undefined });
    stage.current = made;
    return () => made.destroy();
  }, []);
  const found = loaded.value.value;
  useEffect(() => {
    if (found) stage.current?.show(cleanSvg(found.map.map));
  }, [found]);
  const role =
    seat === 0
      ? 'A spectator'
      : (bench.game.seats.find((each) => each.number === seat)?.role ?? `Seat ${seat}`);
  return (
    <section class="card seat-view" aria-label={role}>
      <h3>
        {seat > 0 ? <SeatDot seat={seat} /> : null} {role}
      </h3>
      <Trouble failure={loaded.failure.value} />
      <div
        ref={host}
        class="stage"
        role="group"
        tabIndex={0}
        aria-label={`The map as ${role} sees it`}
        data-paper={shownTheme.value === 'light' ? '' : undefined}
      />
      <p class="prompt">{found?.view.decision?.prompt ?? 'Nothing is asked.'}</p>
      {found?.events.map((event) => (
        <p key={String(event.number)} class="faint small">
          {event.text}
        </p>
      ))}
    </section>
  );
}

/** Offers what was done as a file. */
function save(bench: Bench): void {
  const steps = bench.done.value.map((each) => each.step);
  const text = written(bench.scenario, bench.start, steps);
  const link = document.createElement('a');
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.href = url;
  link.download = `${(bench.scenario.name || 'scenario').toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
