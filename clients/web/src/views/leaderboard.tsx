// The leaderboards: the certain ratings of players and automation, by kind and number of seats.

import { useSignal } from '@preact/signals';
import { profiles } from '../engine/calls';
import { type GameKind, LadderSize, type LeaderboardEntry } from '../engine/contract';
import { go, playerPath } from '../router';
import { ActionButton, ErrorLine, Select, useLoaded } from '../ui/components';
import { t } from '../words';
import { kindsOf, loadKinds } from './kinds';
import { sizeWords } from './profile';
import { ratingWords } from './rating';

export function Leaderboard({ kind }: { kind: string }) {
  const loaded = useLoaded(loadKinds);
  const rated = (kindsOf.value ?? []).filter(({ playersMax }) => playersMax > 1);
  const shown = rated.find((each) => each.kind === kind) ?? rated[0];
  return (
    <main class="page">
      <header class="page-head">
        <h1>{t('lobby-ratings')}</h1>
        {shown ? (
          <Select
            label={t('rating-game')}
            value={shown.kind}
            options={rated.map((each) => [each.kind, each.name] as const)}
            set={(chosen) => go(`/ratings/${encodeURIComponent(chosen)}`)}
          />
        ) : null}
      </header>
      <p class="faint">{t('rating-explained')}</p>
      <ErrorLine failure={loaded.failure.value} />
      {shown ? <Ladders key={shown.kind} kind={shown} /> : null}
    </main>
  );
}

function Ladders({ kind }: { kind: GameKind }) {
  return (
    <div class="cards">
      {kind.playersMax > 2 ? <Board kind={kind.kind} size={LadderSize.SEVERAL} /> : null}
      {kind.playersMin <= 2 ? <Board kind={kind.kind} size={LadderSize.TWO} /> : null}
    </div>
  );
}

function Board({ kind, size }: { kind: string; size: LadderSize }) {
  const more = useSignal<LeaderboardEntry[]>([]);
  const next = useSignal('');
  const page = (pageToken: string) => profiles.listLeaderboard({ kind, size, pageToken });
  const loaded = useLoaded(async () => {
    const first = await page('');
    more.value = [];
    next.value = first.nextPageToken;
    return first.entries;
  });
  const entries = [...(loaded.value.value ?? []), ...more.value];
  return (
    <section class="card" aria-label={sizeWords(size)}>
      <h2>{sizeWords(size)}</h2>
      <ErrorLine failure={loaded.failure.value} />
      {loaded.value.value && entries.length === 0 ? <p>{t('rating-none')}</p> : null}
      <ol class="leaders">
        {entries.map((entry) => (
          <li key={keyOf(entry)}>
            <span class="row between">
              <Who entry={entry} />
              <span>{entry.rating ? ratingWords(entry.rating) : ''}</span>
            </span>
          </li>
        ))}
      </ol>
      {next.value === '' ? null : (
        <ActionButton
          action={async () => {
            const found = await page(next.value);
            more.value = [...more.value, ...found.entries];
            next.value = found.nextPageToken;
          }}
        >
          {t('page-more')}
        </ActionButton>
      )}
    </section>
  );
}

function keyOf({ who }: LeaderboardEntry): string {
  if (who.case === 'player') return who.value.playerId;
  return who.case === 'automated' ? `${who.value.profile} ${who.value.level}` : '';
}

function Who({ entry: { who } }: { entry: LeaderboardEntry }) {
  if (who.case === 'player') {
    return (
      <a href={playerPath(who.value.playerId)}>
        <bdi>{who.value.name}</bdi>
      </a>
    );
  }
  return (
    <span>
      {who.case === 'automated' ? `${who.value.profile} (${who.value.level})` : ''}{' '}
      <span class="chip">{t('rating-automated')}</span>
    </span>
  );
}
