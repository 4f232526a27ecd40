// The lobby: the player's games, open games, games to watch, finished games.

import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { games, players } from '../engine/calls';
import {
  type Game,
  GameStatus,
  type GameSummary,
  type MyGame,
  WatchRule,
} from '../engine/contract';
import { news, setWaiting } from '../notices';
import { gamePath, go } from '../router';
import { me, server } from '../session';
import { ActionButton, Countdown, ErrorLine, Select, Tabs, useLoaded } from '../ui/components';
import { GamePicture } from '../ui/thumbnail';
import { capital, msOf, paceWords, peopleWords, rich, seatName, statusWord, t } from '../words';
import { kindsOf } from './kinds';
import { useOptionWords } from './option-words';
import { QuickPlay } from './quick';

type Part = 'mine' | 'open' | 'watch' | 'finished';

export function Lobby() {
  const part = useSignal<Part>(me.value ? 'mine' : 'watch');
  const tabs = [
    ...(me.value ? [{ key: 'mine', name: t('lobby-mine') }] : []),
    ...(me.value ? [{ key: 'open', name: t('lobby-open') }] : []),
    ...(server.value?.watch === WatchRule.NONE ? [] : [{ key: 'watch', name: t('lobby-watch') }]),
    { key: 'finished', name: t('lobby-finished') },
  ];
  return (
    <main class="lobby">
      <header class="page-head">
        <h1>{t('page-games')}</h1>
        <nav class="row wrap" aria-label={t('lobby-begin')}>
          <a class="button" href="/search">
            {t('finding-search')}
          </a>
          {me.value ? (
            <>
              <a class="button" href="/tournaments">
                {t('tournament-title')}
              </a>
              <a class="button" href="/ratings">
                {t('lobby-ratings')}
              </a>
              <a class="button" href="/join">
                {t('lobby-join-by-code')}
              </a>
              <a class="button" href="/new">
                {t('lobby-new-game')}
              </a>
              <QuickPlay />
            </>
          ) : null}
        </nav>
      </header>
      <Tabs
        tabs={tabs}
        open={part.value}
        label={t('page-games')}
        choose={(key) => (part.value = key as Part)}
      >
        {part.value === 'mine' ? <Mine /> : null}
        {part.value === 'open' ? <Listed key="open" which="open" /> : null}
        {part.value === 'watch' ? <Listed key="watch" which="watch" /> : null}
        {part.value === 'finished' ? <Listed key="finished" which="finished" /> : null}
      </Tabs>
    </main>
  );
}

/** The number of the player's games that the page lists. */
const MINE_MAX = 200;

/** The player's games: pending decisions first, then by deadline. */
function Mine() {
  const loaded = useLoaded(async () => {
    news.value;
    const mine: MyGame[] = [];
    let pageToken = '';
    do {
      const page = await players.listMyGames({ pageSize: 50, pageToken, detailed: true });
      mine.push(...page.games);
      pageToken = page.nextPageToken;
    } while (pageToken !== '' && mine.length < MINE_MAX);
    for (const game of mine) setWaiting(game.gameId, game.yourDecision);
    return mine;
  });
  const mine = loaded.value.value;
  if (!mine) return <Waiting failure={loaded.failure.value} />;
  if (mine.length === 0) return <Empty />;
  const order = (game: MyGame) => (game.invited ? 0 : game.yourDecision ? 1 : game.over ? 3 : 2);
  const due = (game: MyGame) => msOf(game.dueTime) ?? Number.POSITIVE_INFINITY;
  const sorted = mine.toSorted((a, b) => order(a) - order(b) || due(a) - due(b));
  return (
    <>
      <ErrorLine failure={loaded.failure.value} />
      <ul class="games">
        {sorted.map((game) => (
          <MyGameCard key={game.gameId} game={game} again={loaded.again} />
        ))}
      </ul>
    </>
  );
}

function Empty() {
  return (
    <div class="empty">
      <h2>{t('lobby-empty')}</h2>
      <p>{t('lobby-empty-text')}</p>
      <p class="row">
        <a class="button strong" href="/new">
          {t('lobby-new-game')}
        </a>
        <a class="button" href="/learn">
          {t('lobby-tutorials')}
        </a>
      </p>
    </div>
  );
}

function MyGameCard({ game, again }: { game: MyGame; again: () => void }) {
  const due = msOf(game.yourDecision ? game.dueTime : game.game?.dueTime);
  const tone = game.invited ? 'invited' : game.yourDecision ? 'turn' : game.over ? 'past' : '';
  return (
    <li class={`card game ${tone}`}>
      <div class="game-main">
        <GamePicture
          kind={game.kind}
          game={game.gameId}
          revision={game.automationSuspendTime || game.invited ? undefined : game.progress}
        />
        <div class="game-what">
          <a href={gamePath(game.gameId)} class="cover">
            <bdi>{game.name}</bdi>
          </a>
          <p class="faint">
            <Facts kind={game.kind} name={game.name} facts={[game.progress]} />
          </p>
          {game.game && !game.over ? <People game={game.game} /> : null}
        </div>
      </div>
      <div class="game-state">
        {game.invited ? <span class="chip warm">{t('lobby-invited')}</span> : null}
        {game.yourDecision ? <span class="chip warm">{t('lobby-your-turn')}</span> : null}
        {game.over ? <span class="chip">{t('lobby-over')}</span> : null}
        {game.over ? null : <Countdown due={due} />}
        {game.invited ? (
          <span class="row">
            <ActionButton
              class="button strong small"
              action={async () => {
                await games.joinGame({ gameId: game.gameId });
                go(gamePath(game.gameId));
              }}
            >
              {t('lobby-take-seat')}
            </ActionButton>
            <ActionButton
              class="button small"
              action={async () => {
                await games.declineInvitation({ gameId: game.gameId });
                again();
              }}
            >
              {t('page-decline')}
            </ActionButton>
          </span>
        ) : null}
      </div>
    </li>
  );
}

/** Additional text, set off by a dot. */
export function Aside({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <>
      {' · '}
      <bdi>{text}</bdi>
    </>
  );
}

export function KindName({ kind }: { kind: string }) {
  const found = kindsOf.value?.find((each) => each.kind === kind);
  return <bdi>{found?.name ?? kind}</bdi>;
}

/** Texts with a separator. Each is isolated, so that none changes the direction of another. */
function Row({ texts, separator }: { texts: readonly string[]; separator: string }) {
  return (
    <>
      {texts.map((text, index) => (
        <Fragment key={index}>
          {index > 0 ? separator : ''}
          <bdi>{text}</bdi>
        </Fragment>
      ))}
    </>
  );
}

/** The kind of a game, unless its title names it, and other facts. */
function Facts(props: { kind: string; name: string; facts: readonly string[] }) {
  const kind = kindsOf.value?.find((each) => each.kind === props.kind)?.name ?? props.kind;
  const texts = [props.name.startsWith(kind) ? '' : kind, ...props.facts].filter(Boolean);
  return <Row texts={texts} separator=" · " />;
}

export function People({ game }: { game: Game }) {
  return (
    <p class="faint small">
      <span class="hidden">{t('lobby-players')} </span>
      <Row texts={peopleWords(game)} separator=", " />
    </p>
  );
}

const LISTS = {
  open: { status: GameStatus.FORMING, joinable: true, none: () => t('lobby-none-open') },
  watch: { status: GameStatus.RUNNING, joinable: false, none: () => t('lobby-none-watched') },
  finished: { status: GameStatus.ENDED, joinable: false, none: () => t('lobby-none-finished') },
} as const;

function Listed({ which }: { which: keyof typeof LISTS }) {
  const kind = useSignal('');
  const search = useSignal('');
  const more = useSignal(1);
  const { status, joinable, none } = LISTS[which];
  const loaded = useLoaded(async () => {
    news.value;
    const found: GameSummary[] = [];
    let pageToken = '';
    for (let page = 0; page < more.value; page += 1) {
      const answer = await games.listGames({
        status,
        joinable,
        kind: kind.value,
        search: search.value,
        pageSize: 24,
        pageToken,
        detailed: true,
      });
      found.push(...answer.games);
      pageToken = answer.nextPageToken;
      if (pageToken === '') break;
    }
    return { found, hasMore: pageToken !== '' };
  });
  const kinds = kindsOf.value ?? [];
  const list = loaded.value.value;
  return (
    <>
      <div class="filters row">
        <input
          type="search"
          aria-label={t('lobby-search')}
          placeholder={t('lobby-search')}
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <Select
          label={t('lobby-kind')}
          value={kind.value}
          options={[
            ['', t('lobby-all-kinds')],
            ...kinds.map((each) => [each.kind, each.name] as const),
          ]}
          set={(value) => (kind.value = value)}
        />
      </div>
      {list ? (
        <ErrorLine failure={loaded.failure.value} />
      ) : (
        <Waiting failure={loaded.failure.value} />
      )}
      {list && list.found.length === 0 ? <p class="empty">{none()}</p> : null}
      <ul class="games">
        {list?.found.map((game) => (
          <ListedGame key={game.gameId} summary={game} which={which} />
        ))}
      </ul>
      {list?.hasMore ? (
        <button type="button" class="button" onClick={() => (more.value += 1)}>
          {t('page-more')}
        </button>
      ) : null}
    </>
  );
}

export function ListedGame(props: { summary: GameSummary; which: keyof typeof LISTS }) {
  const { summary, which } = props;
  const { game } = summary;
  const words = useOptionWords(which === 'open' ? game : undefined);
  return (
    <li class="card game">
      <div class="game-main">
        <GamePicture
          kind={summary.kind}
          game={summary.gameId}
          revision={which === 'open' || summary.automationSuspendTime ? undefined : game?.progress}
        />
        <div class="game-what">
          <a href={gamePath(summary.gameId)} class="cover">
            <bdi>{summary.name}</bdi>
          </a>
          <p class="faint">
            <Facts
              kind={summary.kind}
              name={summary.name}
              facts={[
                which === 'open'
                  ? t('lobby-seats-open', { open: summary.openSeats, seats: summary.seats })
                  : '',
                which === 'watch' && game ? game.progress : '',
              ]}
            />
          </p>
          {game ? <People game={game} /> : null}
          {which === 'open' && game ? (
            <p class="faint small">
              {[...words, paceWords(game.pace), ...flagWords(game)].join(' · ')}
            </p>
          ) : null}
          {which === 'finished' && game ? <Result game={game} /> : null}
        </div>
      </div>
      <div class="game-state">
        {which === 'open' && me.value ? (
          <ActionButton
            class="button strong small"
            label={t('lobby-join-game', { name: summary.name })}
            action={async () => {
              await games.joinGame({ gameId: summary.gameId });
              go(gamePath(summary.gameId));
            }}
          >
            {t('lobby-join')}
          </ActionButton>
        ) : (
          <span class="chip">{capital(statusWord(summary.status))}</span>
        )}
        {which === 'watch' ? <Countdown due={msOf(game?.dueTime)} /> : null}
      </div>
    </li>
  );
}

function flagWords(game: Game): string[] {
  return [
    ...(game.lotsPending && game.roles.length > 0 ? [t('lobby-lots')] : []),
    ...(game.rated ? [t('lobby-rated')] : []),
    ...(game.anonymous ? [t('lobby-anonymous')] : []),
    ...(game.gameMaster ? [t('lobby-led', { master: game.gameMaster })] : []),
    ...(game.openMessages ? [t('lobby-open-messages')] : []),
  ];
}

function Result({ game }: { game: Game }) {
  const { outcome } = game;
  if (!outcome) return <p class="faint small">{t('words-result-canceled')}</p>;
  const { winners, draw, level, summary } = outcome;
  const names = <Row texts={winners.map((seat) => seatName(game, seat))} separator=", " />;
  return (
    <p class="faint small">
      {winners.length === 0
        ? t('lobby-no-winner')
        : draw
          ? rich('lobby-draw', { winners: names })
          : rich('lobby-won', { winners: names })}
      {level ? <bdi> ({level})</bdi> : null}. <bdi>{summary}</bdi>
    </p>
  );
}

/** A list that is being loaded, or the error. */
export function Waiting({ failure }: { failure: Parameters<typeof ErrorLine>[0]['failure'] }) {
  return failure ? <ErrorLine failure={failure} /> : <p class="loading">{t('page-loading')}</p>;
}
