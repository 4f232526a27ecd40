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
import { capital, count, msOf, paceWords, peopleWords, seatName, statusWord } from '../words';
import { kindsOf } from './kinds';
import { useOptionWords } from './option-words';

type Part = 'mine' | 'open' | 'watch' | 'finished';

export function Lobby() {
  const part = useSignal<Part>(me.value ? 'mine' : 'watch');
  const tabs = [
    ...(me.value ? [{ key: 'mine', name: 'My games' }] : []),
    ...(me.value ? [{ key: 'open', name: 'Open games' }] : []),
    ...(server.value?.watch === WatchRule.NONE ? [] : [{ key: 'watch', name: 'Watch' }]),
    { key: 'finished', name: 'Finished' },
  ];
  return (
    <main class="lobby">
      <header class="page-head">
        <h1>Games</h1>
        {me.value ? (
          <nav class="row" aria-label="Begin">
            <a class="button" href="/ratings">
              Ratings
            </a>
            <a class="button" href="/join">
              Join by code
            </a>
            <a class="button strong" href="/new">
              New game
            </a>
          </nav>
        ) : null}
      </header>
      <Tabs
        tabs={tabs}
        open={part.value}
        label="Games"
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
      <h2>No games yet</h2>
      <p>Play against automated players right away, or invite other people.</p>
      <p class="row">
        <a class="button strong" href="/new">
          New game
        </a>
        <a class="button" href="/learn">
          Tutorials
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
        {game.invited ? <span class="chip warm">You are invited</span> : null}
        {game.yourDecision ? <span class="chip warm">Your turn</span> : null}
        {game.over ? <span class="chip">Over</span> : null}
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
              Take the seat
            </ActionButton>
            <ActionButton
              class="button small"
              action={async () => {
                await games.declineInvitation({ gameId: game.gameId });
                again();
              }}
            >
              Decline
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
      <span class="hidden">Players: </span>
      <Row texts={peopleWords(game)} separator=", " />
    </p>
  );
}

const LISTS = {
  open: { status: GameStatus.FORMING, joinable: true, none: 'No games are waiting for players.' },
  watch: {
    status: GameStatus.RUNNING,
    joinable: false,
    none: 'No public games are being played.',
  },
  finished: { status: GameStatus.ENDED, joinable: false, none: 'No games have finished yet.' },
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
          aria-label="Search by name"
          placeholder="Search by name"
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <Select
          label="Kind of game"
          value={kind.value}
          options={[['', 'All games'], ...kinds.map((each) => [each.kind, each.name] as const)]}
          set={(value) => (kind.value = value)}
        />
      </div>
      {list ? (
        <ErrorLine failure={loaded.failure.value} />
      ) : (
        <Waiting failure={loaded.failure.value} />
      )}
      {list && list.found.length === 0 ? <p class="empty">{none}</p> : null}
      <ul class="games">
        {list?.found.map((game) => (
          <ListedGame key={game.gameId} summary={game} which={which} />
        ))}
      </ul>
      {list?.hasMore ? (
        <button type="button" class="button" onClick={() => (more.value += 1)}>
          More
        </button>
      ) : null}
    </>
  );
}

function ListedGame(props: { summary: GameSummary; which: keyof typeof LISTS }) {
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
                  ? `${summary.openSeats} of ${count(summary.seats, 'seat')} open`
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
            label={`Join ${summary.name}`}
            action={async () => {
              await games.joinGame({ gameId: summary.gameId });
              go(gamePath(summary.gameId));
            }}
          >
            Join
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
    ...(game.lotsPending && game.roles.length > 0 ? ['seats are drawn by lot at the start'] : []),
    ...(game.rated ? ['rated'] : []),
    ...(game.anonymous ? ['names are hidden'] : []),
    ...(game.gameMaster ? [`led by ${game.gameMaster}`] : []),
    ...(game.openMessages ? ['messages become public after the end'] : []),
  ];
}

function Result({ game }: { game: Game }) {
  const { outcome } = game;
  if (!outcome) return <p class="faint small">Canceled</p>;
  const { winners, draw, level, summary } = outcome;
  return (
    <p class="faint small">
      {winners.length === 0 ? 'No winner' : draw ? 'Draw: ' : 'Won by '}
      {winners.map((seat, index) => (
        <span key={seat}>
          {index > 0 ? ', ' : ''}
          <bdi>{seatName(game, seat)}</bdi>
        </span>
      ))}
      {level ? <bdi> ({level})</bdi> : null}. <bdi>{summary}</bdi>
    </p>
  );
}

/** A list that is being loaded, or the error. */
export function Waiting({ failure }: { failure: Parameters<typeof ErrorLine>[0]['failure'] }) {
  return failure ? <ErrorLine failure={failure} /> : <p class="loading">Loading…</p>;
}
