// The search for games. The address keeps the filters.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import { GameStatus, type GameSummary } from '../engine/contract';
import { go } from '../router';
import { ErrorLine, Field, useLoaded } from '../ui/components';
import { t } from '../words';
import { kindsOf } from './kinds';
import { ListedGame, Waiting } from './lobby';
import { type Filters, filtersOf, requestOf, searchPath } from './search-filters';

const PAGE = 24;

export function Search({ query }: { query: string }) {
  const filters = filtersOf(query);
  const pages = useSignal(1);
  const loaded = useLoaded(async () => {
    const found: GameSummary[] = [];
    let pageToken = '';
    for (let page = 0; page < pages.value; page += 1) {
      const request = { ...requestOf(filters), pageSize: PAGE, pageToken, detailed: true };
      const answer = await games.listGames(request);
      found.push(...answer.games);
      pageToken = answer.nextPageToken;
      if (pageToken === '') break;
    }
    return { found, hasMore: pageToken !== '' };
  });
  const list = loaded.value.value;
  return (
    <main class="lobby">
      <header class="page-head">
        <h1>{t('finding-title')}</h1>
      </header>
      <FilterForm filters={filters} />
      {list ? (
        <ErrorLine failure={loaded.failure.value} />
      ) : (
        <Waiting failure={loaded.failure.value} />
      )}
      {list?.found.length === 0 ? <p class="empty">{t('finding-none')}</p> : null}
      <ul class="games">
        {list?.found.map((game) => (
          <ListedGame key={game.gameId} summary={game} which={listOf(game.status)} />
        ))}
      </ul>
      {list?.hasMore ? (
        <button type="button" class="button" onClick={() => (pages.value += 1)}>
          {t('finding-more')}
        </button>
      ) : null}
    </main>
  );
}

/** Returns the list of the lobby whose cards show a game with this status. */
function listOf(status: GameStatus): 'open' | 'watch' | 'finished' {
  switch (status) {
    case GameStatus.FORMING:
      return 'open';
    case GameStatus.ENDED:
    case GameStatus.CANCELLED:
      return 'finished';
    default:
      return 'watch';
  }
}

function FilterForm({ filters }: { filters: Filters }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const chosen = [...form].map(([name, value]) => [name, String(value)]);
    go(searchPath(Object.fromEntries(chosen)));
  };
  const kinds = (kindsOf.value ?? []).map(({ kind, name }) => [kind, name] as const);
  return (
    <search>
      <form class="card search-form" onSubmit={submit}>
        <Field label={t('finding-text')}>
          {(id) => <input id={id} name="text" maxLength={64} value={filters.text} />}
        </Field>
        <Field label={t('finding-player')}>
          {(id) => <input id={id} name="player" maxLength={64} value={filters.player} />}
        </Field>
        <Choice
          label={t('finding-kind')}
          name="kind"
          value={filters.kind}
          options={[['', t('finding-any-kind')], ...kinds]}
        />
        <Choice
          label={t('finding-state')}
          name="state"
          value={filters.state}
          options={[
            ['', t('finding-any-state')],
            ['forming', t('finding-forming')],
            ['running', t('finding-running')],
            ['paused', t('finding-paused')],
            ['ended', t('finding-ended')],
            ['canceled', t('finding-canceled')],
          ]}
        />
        <Choice
          label={t('finding-rated')}
          name="rated"
          value={filters.rated}
          options={[
            ['', t('finding-any-rated')],
            ['yes', t('finding-only-rated')],
            ['no', t('finding-only-unrated')],
          ]}
        />
        <Day label={t('finding-created-from')} name="created-from" filters={filters} />
        <Day label={t('finding-created-to')} name="created-to" filters={filters} />
        <Day label={t('finding-ended-from')} name="ended-from" filters={filters} />
        <Day label={t('finding-ended-to')} name="ended-to" filters={filters} />
        <div class="row">
          <button type="submit" class="button strong">
            {t('finding-search')}
          </button>
          <a class="button" href="/search">
            {t('finding-reset')}
          </a>
        </div>
      </form>
    </search>
  );
}

function Choice(props: {
  label: string;
  name: keyof Filters;
  value: string;
  options: readonly (readonly [string, string])[];
}) {
  const { label, name, value, options } = props;
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} name={name} value={value}>
          {options.map(([option, text]) => (
            <option key={option} value={option} selected={option === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Day(props: { label: string; name: keyof Filters; filters: Filters }) {
  const { label, name, filters } = props;
  return (
    <Field label={label}>
      {(id) => <input id={id} name={name} type="date" value={filters[name]} />}
    </Field>
  );
}
