// The chat of a game: the table's lines, the comments of spectators, and the list of spectators.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ChatChannel, type ChatLine, type Message } from '../engine/contract';
import { playerPath } from '../router';
import { me } from '../session';
import { isOwn, type Room } from '../table/chat';
import type { Table } from '../table/table';
import { ActionButton, CallForm, SeatDot, Tabs } from '../ui/components';
import { instant, msOf, seatName, t } from '../words';
import { ReportDialog, type Reported } from './abuse';

/** The interval at which the list of spectators is read again. */
const SPECTATORS_MS = 20_000;

export function ChatPanel({ table }: { table: Table }) {
  const { chat } = table;
  const game = table.game.value;
  const chosen = useSignal('');
  // Who may write can change with each turn.
  useEffect(() => void chat.load(), [chat, game?.status, game?.progress, game?.onTurn, me.value]);
  const rooms = chat.rooms.filter((room) => room.canRead.value);
  const room = rooms.find(({ channel }) => String(channel) === chosen.value) ?? rooms[0];
  const nameOf = ({ channel }: Room) =>
    channel === ChatChannel.TABLE ? t('chat-table') : t('chat-spectators');
  return (
    <section class="chat" aria-label={t('chat-title')}>
      {room === undefined ? (
        <p class="faint">{me.value ? t('chat-not-readable') : t('chat-sign-in')}</p>
      ) : rooms.length === 1 ? (
        <RoomView key={room.channel} table={table} room={room} name={nameOf(room)} />
      ) : (
        <Tabs
          tabs={rooms.map((each) => ({
            key: String(each.channel),
            name: nameOf(each),
            mark: each === room ? undefined : each.unread.value || undefined,
          }))}
          open={String(room.channel)}
          label={t('chat-title')}
          choose={(key) => (chosen.value = key)}
        >
          <RoomView key={room.channel} table={table} room={room} name={nameOf(room)} />
        </Tabs>
      )}
      <Spectators table={table} />
    </section>
  );
}

function RoomView({ table, room, name }: { table: Table; room: Room; name: string }) {
  const text = useSignal('');
  const list = useRef<HTMLDivElement>(null);
  const lines = room.lines.value;
  const last = lines.at(-1)?.number;
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
    room.look();
  }, [last, room]);
  const readers =
    room.channel === ChatChannel.SPECTATORS
      ? t('chat-readers-spectators')
      : t('chat-readers-table');
  return (
    <>
      {room.hasEarlier.value ? (
        <ActionButton class="link" action={() => room.readEarlier()}>
          {t('chat-earlier')}
        </ActionButton>
      ) : null}
      <div class="chat-log" ref={list} role="log" aria-label={name} tabIndex={0}>
        <ol class="chat-lines">
          {lines.map((line) => (
            <Line key={String(line.number)} table={table} line={line} />
          ))}
        </ol>
      </div>
      {lines.length === 0 ? <p class="faint">{t('chat-empty')}</p> : null}
      {room.canWrite.value ? (
        <CallForm
          class="row chat-form"
          label={t('chat-write', { room: name })}
          action={async () => {
            await room.write(text.value.trim());
            text.value = '';
          }}
        >
          {(busy) => (
            <>
              <input
                aria-label={t('chat-line', { room: name })}
                maxLength={300}
                required
                autoComplete="off"
                value={text.value}
                onInput={(event) => (text.value = event.currentTarget.value)}
              />
              <button
                type="submit"
                class="button strong small"
                aria-busy={busy}
                disabled={text.value.trim() === ''}
              >
                {t('chat-send')}
              </button>
            </>
          )}
        </CallForm>
      ) : (
        <p class="hint">{me.value?.guest ? t('chat-guest') : t('chat-not-writable')}</p>
      )}
      {table.isOver.value ? null : <p class="hint">{readers}</p>}
    </>
  );
}

function Line({ table, line }: { table: Table; line: ChatLine }) {
  const isMine = isOwn(line) || (line.seat !== undefined && line.seat === table.seat);
  const author = line.author === '' ? t('chat-deleted-account') : line.author;
  return (
    <li class={isMine ? 'own' : ''}>
      {line.seat === undefined ? null : <SeatDot seat={line.seat} />}
      {isMine ? (
        <span class="chat-author">
          <bdi>{author}</bdi>
        </span>
      ) : (
        <AuthorMenu
          name={author}
          playerId={line.playerId}
          mute={() => table.chat.mute(line.playerId, line.seat)}
          reported={{
            case: 'line',
            value: { gameId: table.id, channel: line.channel, number: line.number },
          }}
        />
      )}{' '}
      {line.removed ? (
        <span class="faint">{t('chat-removed')}</span>
      ) : (
        <span class="chat-text" dir="auto">
          {line.text}
        </span>
      )}{' '}
      <time class="faint small">{instant(msOf(line.sendTime))}</time>
    </li>
  );
}

/** The name of an author, with a menu: the profile, muting, and a report. */
export function AuthorMenu(props: {
  name: string;
  playerId: string;
  mute: () => Promise<void>;
  reported: Reported;
}) {
  const { name, playerId, mute, reported } = props;
  const reports = useSignal(false);
  if (!me.value) {
    return (
      <span class="chat-author">
        <bdi>{name}</bdi>
      </span>
    );
  }
  return (
    <>
      <details class="author-menu">
        <summary aria-label={t('chat-menu', { name })}>
          <bdi>{name}</bdi>
        </summary>
        <div class="row wrap">
          {playerId === '' ? null : (
            <a class="button small" href={playerPath(playerId)}>
              {t('chat-profile')}
            </a>
          )}
          <ActionButton class="button small" label={t('chat-mute-name', { name })} action={mute}>
            {t('chat-mute')}
          </ActionButton>
          <button
            type="button"
            class="button small"
            aria-label={t('chat-report-name', { name })}
            onClick={() => (reports.value = true)}
          >
            {t('chat-report')}
          </button>
        </div>
      </details>
      {reports.value ? (
        <ReportDialog name={name} reported={reported} close={() => (reports.value = false)} />
      ) : null}
    </>
  );
}

/** The menu at the sender of a message. */
export function SenderMenu(props: { table: Table; message: Message; name: string }) {
  const { table, message, name } = props;
  const { fromSeat, number } = message;
  const seat = table.viewer.seat === undefined ? {} : { seat: table.viewer.seat };
  return (
    <AuthorMenu
      name={name}
      playerId=""
      mute={async () => {
        if (fromSeat !== undefined) await table.chat.mute('', fromSeat);
      }}
      reported={{ case: 'message', value: { gameId: table.id, number, ...seat } }}
    />
  );
}

/** The seats whose messages are hidden, with buttons that show them again. */
export function MutedSeats({ table }: { table: Table }) {
  const seats = [...table.chat.mutedSeats.value];
  if (seats.length === 0) return null;
  return (
    <ul class="plain hint" aria-label={t('chat-muted')}>
      {seats.map((seat) => {
        const name = seatName(table.game.value, seat);
        return (
          <li key={seat}>
            {t('chat-muted-seat', { name })}{' '}
            <ActionButton
              class="link"
              label={t('chat-unmute-name', { name })}
              action={() => table.chat.unmuteSeat(seat)}
            >
              {t('chat-unmute')}
            </ActionButton>
          </li>
        );
      })}
    </ul>
  );
}

function Spectators({ table }: { table: Table }) {
  const { chat } = table;
  useEffect(() => {
    void chat.loadSpectators();
    const timer = setInterval(() => void chat.loadSpectators(), SPECTATORS_MS);
    return () => clearInterval(timer);
  }, [chat]);
  const found = chat.spectators.value;
  if (!found?.listed || found.spectators.length + found.others === 0) return null;
  const number = found.spectators.length + found.others;
  return (
    <details class="spectators">
      <summary>{t('chat-watching', { number })}</summary>
      <ul class="plain">
        {found.spectators.map(({ playerId, name }) => (
          <li key={playerId}>
            <a href={playerPath(playerId)}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
        {found.others > 0 ? (
          <li class="faint">{t('chat-unnamed', { number: found.others })}</li>
        ) : null}
      </ul>
    </details>
  );
}
