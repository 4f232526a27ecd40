// Messages, grouped by correspondents.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Game, Message } from '../engine/contract';
import { forget, recall, remember } from '../engine/storage';
import { isPlayed, type Table } from '../table/table';
import { CallForm, Checkbox, SeatDot, seatColors } from '../ui/components';
import { instant, msOf, seatWithPlayer, t } from '../words';
import { ChatPanel, MutedSeats, SenderMenu } from './chat';

interface Thread {
  /** The seats of the other participants, or "all", "gm" or "anonymous". */
  key: string;
  name: string;
  seats: readonly number[];
  messages: readonly Message[];
}

/** Returns the seats on the board; undefined if no board is shown. Unknown players are not on it. */
function seatsOnBoard(table: Table): ReadonlySet<number> | undefined {
  const seats = new Set(seatColors.value.keys());
  return table.seat === undefined || seats.size === 0 ? undefined : seats;
}

function seatsIn(game: Game | undefined, own: number | undefined): number[] {
  return (game?.seats ?? [])
    .filter((seat) => seat.number !== own && seat.alive !== false)
    .map((seat) => seat.number);
}

/** Returns the key of the thread in which the reader sees a message. */
export function threadKey(message: Message, own: number | undefined, others: number): string {
  if (message.anonymous && message.fromSeat === undefined) return 'anonymous';
  if (message.fromGameMaster || message.toGameMaster) return 'gm';
  const people = new Set([...message.toSeats, message.fromSeat ?? 0]);
  people.delete(own ?? 0);
  people.delete(0);
  if (people.size >= others && others > 1) return 'all';
  return [...people].toSorted((a, b) => a - b).join('+');
}

/** Returns the messages of players whom the reader does not mute. */
function shownMessages(table: Table): Message[] {
  const muted = table.chat.mutedSeats.value;
  return table.messages.value.filter(({ fromSeat }) => !muted.has(fromSeat ?? 0));
}

function threadsOf(table: Table): Thread[] {
  const game = table.game.value;
  const own = table.seat;
  const others = seatsIn(game, own);
  const threads = new Map<string, Thread>();
  const add = (key: string, name: string, seats: readonly number[]) =>
    threads.set(key, { key, name, seats, messages: [] });
  if (others.length > 1) add('all', t('messages-everyone'), others);
  if (game?.gameMaster && !game.youAreGameMaster) add('gm', t('people-master'), []);
  const known = seatsOnBoard(table);
  for (const seat of others) {
    if (known?.has(seat) !== false) add(String(seat), seatWithPlayer(game, seat), [seat]);
  }
  for (const message of shownMessages(table)) {
    const key = threadKey(message, own, others.length);
    const before = threads.get(key);
    const seats = /^[\d+]+$/.test(key) ? key.split('+').map(Number) : [];
    const name =
      key === 'anonymous'
        ? t('messages-anonymous')
        : seats.map((s) => seatWithPlayer(game, s)).join(', ');
    const thread = before ?? { key, name, seats, messages: [] };
    threads.set(key, { ...thread, messages: [...thread.messages, message] });
  }
  return [...threads.values()];
}

function readName(table: Table): string {
  return `messages/${table.id}/${table.seat ?? 0}`;
}

/** Returns the number of messages and lines from others that the player has not opened. */
export function unread(table: Table): number {
  const read = recall<Record<string, string>>(readName(table), {});
  const others = seatsIn(table.game.value, table.seat).length;
  const messages = shownMessages(table).filter((message) => {
    if (message.fromSeat !== undefined && message.fromSeat === table.seat) return false;
    return message.number > BigInt(read[threadKey(message, table.seat, others)] ?? '0');
  });
  return messages.length + table.chat.unread.value;
}

export function Messages({ table }: { table: Table }) {
  const open = useSignal('');
  const threads = threadsOf(table);
  const read = recall<Record<string, string>>(readName(table), {});
  const thread = threads.find((each) => each.key === open.value);
  const back = () => (open.value = '');
  if (thread) return <ThreadView table={table} thread={thread} back={back} />;
  if (open.value === 'chat') {
    return (
      <>
        <ThreadHead name={t('chat-title')} back={back} />
        <ChatPanel table={table} />
      </>
    );
  }
  const lines = table.chat.unread.value;
  const unmet = seatsIn(table.game.value, table.seat).filter(
    (seat) => !threads.some((each) => each.key === String(seat)),
  ).length;
  const latest = (each: Thread) => each.messages.at(-1)?.number ?? 0n;
  const sorted = threads.toSorted((a, b) => Number(latest(b) - latest(a)));
  return (
    <section class="messages" aria-label={t('game-messages')}>
      {table.game.value?.openMessages ? <p class="note">{t('messages-open-messages')}</p> : null}
      <ul class="threads">
        {table.game.value?.sandbox ? null : (
          <li>
            <button type="button" class="thread" onClick={() => (open.value = 'chat')}>
              <span class="thread-name">
                {t('chat-title')}
                {lines > 0 ? <span class="badge">{lines}</span> : null}
              </span>
              <span class="faint preview">{t('chat-about')}</span>
            </button>
          </li>
        )}
        {sorted.map((each) => {
          const fresh = each.messages.filter(
            (message) =>
              message.fromSeat !== table.seat && message.number > BigInt(read[each.key] ?? '0'),
          ).length;
          const last = each.messages.at(-1);
          return (
            <li key={each.key}>
              <button type="button" class="thread" onClick={() => (open.value = each.key)}>
                <span class="thread-name">
                  {each.seats.length === 1 ? <SeatDot seat={each.seats[0] ?? 1} /> : null}
                  <bdi>{each.name}</bdi>
                  {fresh > 0 ? <span class="badge">{fresh}</span> : null}
                </span>
                <span class="faint preview">{last?.text ?? t('messages-none')}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <MutedSeats table={table} />
      {unmet > 0 ? <p class="hint">{t('messages-unmet', { count: unmet })}</p> : null}
    </section>
  );
}

function ThreadHead({ name, back }: { name: string; back: () => void }) {
  return (
    <header class="row">
      <button type="button" class="link" onClick={back}>
        {t('messages-back')}
      </button>
      <h3>
        <bdi>{name}</bdi>
      </h3>
    </header>
  );
}

function ThreadView({ table, thread, back }: { table: Table; thread: Thread; back: () => void }) {
  // Store the draft, so that an unfinished message survives opening another tab.
  const draft = `draft/${table.id}/${table.seat ?? 0}/${thread.key}`;
  const text = useSignal(recall(draft, ''));
  const anonymous = useSignal(false);
  const game = table.game.value;
  const mayBeUnsigned =
    table.seat !== undefined &&
    thread.key !== 'gm' &&
    isPlayed(game) &&
    game?.anonymousMessages === true;
  const last = thread.messages.at(-1)?.number;
  useEffect(() => {
    if (last === undefined) return;
    const read = recall<Record<string, string>>(readName(table), {});
    remember(readName(table), { ...read, [thread.key]: String(last) });
    table.messages.value = [...table.messages.value];
  }, [last, thread.key]);
  const reads =
    thread.key === 'all'
      ? t('messages-read-by-all')
      : thread.key === 'gm'
        ? t('messages-read-by-master')
        : t('messages-read-by', { name: thread.name });
  return (
    <section class="thread-view" aria-label={t('messages-with', { name: thread.name })}>
      <ThreadHead name={thread.name} back={back} />
      <ol class="bubbles">
        {thread.messages.map((message) => (
          <Bubble key={String(message.number)} message={message} game={game} table={table} />
        ))}
      </ol>
      {thread.key === 'anonymous' ? null : (
        <CallForm
          label={t('messages-write')}
          action={async () => {
            await table.write(
              {
                seats: thread.key === 'all' || thread.key === 'gm' ? [] : [...thread.seats],
                all: thread.key === 'all',
                gameMaster: thread.key === 'gm',
                anonymous: mayBeUnsigned && anonymous.value,
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
                aria-label={t('messages-to', { name: thread.name })}
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
                  {t('messages-send')}
                </button>
                {mayBeUnsigned ? (
                  <Checkbox value={anonymous.value} set={(value) => (anonymous.value = value)}>
                    {t('messages-unsigned')}
                  </Checkbox>
                ) : null}
              </div>
              <p class="hint">{reads}</p>
            </>
          )}
        </CallForm>
      )}
    </section>
  );
}

function Bubble(props: { message: Message; game: Game | undefined; table: Table }) {
  const { message, game, table } = props;
  const isOwn = message.fromSeat !== undefined && message.fromSeat === table.seat;
  const from = message.fromGameMaster
    ? t('people-master')
    : message.fromSeat === undefined
      ? t('messages-unsigned')
      : seatWithPlayer(game, message.fromSeat);
  return (
    <li class={isOwn ? 'own' : ''}>
      <p class="faint small">
        {isOwn || message.fromGameMaster ? (
          <bdi>{isOwn ? t('messages-you') : from}</bdi>
        ) : (
          <SenderMenu table={table} message={message} name={from} />
        )}{' '}
        · {instant(msOf(message.sendTime))}
        {message.anonymous && isOwn ? ` · ${t('messages-unsigned-note')}` : ''}
        {message.held ? ` · ${t('messages-delivered-later')}` : ''}
      </p>
      <p class="message-text" dir="auto">
        {message.text}
      </p>
    </li>
  );
}
