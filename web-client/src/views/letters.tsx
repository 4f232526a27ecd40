// Letters, by partner.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Game, Message } from '../engine/contract';
import { forget, recall, remember } from '../engine/keep';
import type { Table } from '../table/table';
import { Ask, SeatDot, Tick } from '../ui/parts';
import { instant, msOf, seatWithPlayer } from '../words';

/** Letters between the same people. */
interface Thread {
  /** The others, or "all", or "gm", or "anonymous". */
  key: string;
  name: string;
  seats: readonly number[];
  letters: readonly Message[];
}

function seatsIn(game: Game | undefined, own: number | undefined): number[] {
  return (game?.seats ?? [])
    .filter((seat) => seat.number !== own && seat.alive !== false)
    .map((seat) => seat.number);
}

/** To whom a letter belongs, as its reader sees it. */
export function threadKey(letter: Message, own: number | undefined, others: number): string {
  if (letter.anonymous && letter.fromSeat === undefined) return 'anonymous';
  if (letter.fromGameMaster || letter.toGameMaster) return 'gm';
  const people = new Set([...letter.toSeats, letter.fromSeat ?? 0]);
  people.delete(own ?? 0);
  people.delete(0);
  if (people.size >= others && others > 1) return 'all';
  return [...people].toSorted((a, b) => a - b).join('+');
}

function threadsOf(table: Table): Thread[] {
  const game = table.game.value;
  const own = table.seat;
  const others = seatsIn(game, own);
  const threads = new Map<string, Thread>();
  const add = (key: string, name: string, seats: readonly number[]) =>
    threads.set(key, { key, name, seats, letters: [] });
  if (others.length > 1) add('all', 'Everybody', others);
  if (game?.gameMaster && !game.youAreGameMaster) add('gm', 'Game master', []);
  for (const seat of others) add(String(seat), seatWithPlayer(game, seat), [seat]);
  for (const letter of table.letters.value) {
    const key = threadKey(letter, own, others.length);
    const known = threads.get(key);
    const seats = /^[\d+]+$/.test(key) ? key.split('+').map(Number) : [];
    const name =
      key === 'anonymous' ? 'Unsigned' : seats.map((s) => seatWithPlayer(game, s)).join(', ');
    const thread = known ?? { key, name, seats, letters: [] };
    threads.set(key, { ...thread, letters: [...thread.letters, letter] });
  }
  return [...threads.values()];
}

function readName(table: Table): string {
  return `letters/${table.id}/${table.seat ?? 0}`;
}

/** How many letters of others the player has not opened yet. */
export function unread(table: Table): number {
  const read = recall<Record<string, string>>(readName(table), {});
  const others = seatsIn(table.game.value, table.seat).length;
  return table.letters.value.filter((letter) => {
    if (letter.fromSeat !== undefined && letter.fromSeat === table.seat) return false;
    return letter.number > BigInt(read[threadKey(letter, table.seat, others)] ?? '0');
  }).length;
}

export function Letters({ table }: { table: Table }) {
  const open = useSignal('');
  const threads = threadsOf(table);
  const read = recall<Record<string, string>>(readName(table), {});
  const thread = threads.find((each) => each.key === open.value);
  if (thread) {
    return <ThreadView table={table} thread={thread} back={() => (open.value = '')} />;
  }
  const latest = (each: Thread) => each.letters.at(-1)?.number ?? 0n;
  const sorted = threads.toSorted((a, b) => Number(latest(b) - latest(a)));
  return (
    <section class="letters" aria-label="Letters">
      {table.game.value?.openLetters ? (
        <p class="note">Everybody may read all letters once this game is over.</p>
      ) : null}
      <ul class="threads">
        {sorted.map((each) => {
          const fresh = each.letters.filter(
            (letter) =>
              letter.fromSeat !== table.seat && letter.number > BigInt(read[each.key] ?? '0'),
          ).length;
          const last = each.letters.at(-1);
          return (
            <li key={each.key}>
              <button type="button" class="thread" onClick={() => (open.value = each.key)}>
                <span class="thread-name">
                  {each.seats.length === 1 ? <SeatDot seat={each.seats[0] ?? 1} /> : null}
                  <bdi>{each.name}</bdi>
                  {fresh > 0 ? <span class="badge">{fresh}</span> : null}
                </span>
                <span class="faint preview">{last?.text ?? 'No letters yet'}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function ThreadView({ table, thread, back }: { table: Table; thread: Thread; back: () => void }) {
  // A half-written letter survives a look at another tab.
  const draft = `draft/${table.id}/${table.seat ?? 0}/${thread.key}`;
  const text = useSignal(recall(draft, ''));
  const anonymous = useSignal(false);
  const game = table.game.value;
  const last = thread.letters.at(-1)?.number;
  useEffect(() => {
    if (last === undefined) return;
    const read = recall<Record<string, string>>(readName(table), {});
    remember(readName(table), { ...read, [thread.key]: String(last) });
    // The mark on the tab follows.
    table.letters.value = [...table.letters.value];
  }, [last, thread.key]);
  const reads =
    thread.key === 'all'
      ? 'Everybody at the table reads this.'
      : thread.key === 'gm'
        ? 'The game master alone reads this.'
        : `Only ${thread.name} ${thread.seats.length > 1 ? 'read' : 'reads'} this.`;
  return (
    <section class="thread-view" aria-label={`Letters with ${thread.name}`}>
      <header class="row">
        <button type="button" class="link" onClick={back}>
          ← All letters
        </button>
        <h3>
          <bdi>{thread.name}</bdi>
        </h3>
      </header>
      <ol class="bubbles">
        {thread.letters.map((letter) => (
          <Bubble key={String(letter.number)} letter={letter} game={game} own={table.seat} />
        ))}
      </ol>
      {thread.key === 'anonymous' ? null : (
        <Ask
          label="Write a letter"
          does={async () => {
            await table.write(
              {
                seats: thread.key === 'all' || thread.key === 'gm' ? [] : [...thread.seats],
                all: thread.key === 'all',
                gameMaster: thread.key === 'gm',
                anonymous: anonymous.value,
              },
              text.value.trim(),
            );
            text.value = '';
            forget(draft);
          }}
        >
          {(busy) => (
            <>
              <textarea
                aria-label={`Letter to ${thread.name}`}
                rows={3}
                maxLength={4000}
                required
                value={text.value}
                onInput={(event) => {
                  text.value = event.currentTarget.value;
                  remember(draft, text.value);
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
                  event.preventDefault();
                  if (text.value.trim() !== '') event.currentTarget.form?.requestSubmit();
                }}
              />
              <div class="row">
                <button
                  type="submit"
                  class="button strong small"
                  aria-busy={busy}
                  disabled={text.value.trim() === ''}
                >
                  Send
                </button>
                <Tick value={anonymous.value} set={(value) => (anonymous.value = value)}>
                  Unsigned
                </Tick>
              </div>
              <p class="hint">{reads}</p>
            </>
          )}
        </Ask>
      )}
    </section>
  );
}

function Bubble(props: { letter: Message; game: Game | undefined; own: number | undefined }) {
  const { letter, game, own } = props;
  const isOwn = letter.fromSeat !== undefined && letter.fromSeat === own;
  const from = letter.fromGameMaster
    ? 'Game master'
    : letter.fromSeat === undefined
      ? 'Unsigned'
      : seatWithPlayer(game, letter.fromSeat);
  return (
    <li class={isOwn ? 'own' : ''}>
      <p class="faint small">
        <bdi>{isOwn ? 'You' : from}</bdi> · {instant(msOf(letter.sendTime))}
        {letter.anonymous && isOwn ? ' · unsigned' : ''}
        {letter.held ? ' · waits until it may be heard' : ''}
      </p>
      <p class="letter-text" dir="auto">
        {letter.text}
      </p>
    </li>
  );
}
