// The events of a game, each with the rule behind it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { allPages, games } from '../engine/calls';
import type { Event } from '../engine/contract';
import { recall, remember } from '../engine/storage';
import type { Moment } from '../map/map-image';
import type { Table } from '../table/table';
import { ErrorLine, useLoaded } from '../ui/components';
import { instant, isNews, msOf, t } from '../words';
import { Rule } from './rule';
import { Terms } from './term';

const SHOWN = 60;

export function News({ table }: { table: Table }) {
  const shown = useSignal(SHOWN);
  const seenName = `seen/${table.id}/${table.seat ?? 0}`;
  // Read this only once, so that events that are new now stay marked until the next visit.
  const seen = useSignal(BigInt(recall(seenName, '0')));
  const events = table.events.value;
  const last = events.at(-1)?.number ?? 0n;
  useEffect(() => {
    if (last > 0n) remember(seenName, String(last));
  }, [last, seenName]);
  const news = events.filter(isNews).toReversed();
  const kind = table.game.value?.kind ?? '';
  const first = events[0]?.number ?? 1n;
  return (
    <section class="news" aria-label={t('news-title')}>
      {news.length === 0 ? <p class="faint">{t('news-none')}</p> : null}
      <ol reversed lang="en">
        {news.slice(0, shown.value).map((event, index) => (
          <li key={String(event.number)} class={event.number > seen.value ? 'fresh' : ''}>
            <Sentence event={event} kind={kind} table={table} before={news[index - 1]} />
          </li>
        ))}
      </ol>
      {news.length > shown.value || first > 1n ? (
        <button
          type="button"
          class="link"
          onClick={() => {
            shown.value += SHOWN;
            if (news.length <= shown.value) void table.readEarlier();
          }}
        >
          {t('news-earlier')}
        </button>
      ) : null}
    </section>
  );
}

function Sentence(props: { event: Event; kind: string; table: Table; before: Event | undefined }) {
  const { event, kind, table, before } = props;
  const time = instant(msOf(event.time));
  const isRepeated = before !== undefined && instant(msOf(before.time)) === time;
  return (
    <>
      {isRepeated ? null : <time class="faint">{time}</time>}
      <p>
        <span class="event-text">
          <Terms kind={kind} text={event.text} quiet />
        </span>{' '}
        <Rule kind={kind} rule={event.rule} table={table} event={event} />
      </p>
    </>
  );
}

export function PhaseNews({ table, moment }: { table: Table; moment: Moment }) {
  const { phase, revealed } = moment;
  const loaded = useLoaded(async () => {
    const at = phase === undefined ? {} : { atPhase: phase };
    return allPages(
      (pageToken) => games.getHistory({ ...table.as, ...at, revealed, pageSize: 200, pageToken }),
      (page) => page.events,
      1_000,
    );
  });
  const news = loaded.value.value?.filter(isNews) ?? [];
  const kind = table.game.value?.kind ?? '';
  return (
    <section class="news" aria-label={t('news-phase-title')}>
      <ErrorLine failure={loaded.failure.value} />
      {loaded.value.value && news.length === 0 ? (
        <p class="faint">{t('news-none-in-phase')}</p>
      ) : null}
      <ol lang="en">
        {news.map((event) => (
          <li key={String(event.number)}>
            <p>
              <span class="event-text">
                <Terms kind={kind} text={event.text} quiet />
              </span>{' '}
              <Rule kind={kind} rule={event.rule} table={table} {...(revealed ? {} : { event })} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
