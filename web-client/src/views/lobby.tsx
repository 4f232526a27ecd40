// The lobby: my games, open games, finished games.

import { useSignal } from '@preact/signals';
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
import { Act, Choose, Countdown, Tabs, Trouble, useLoaded } from '../ui/parts';
import { capital, count, msOf, paceWords, seatName, statusWord } from '../words';
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

/** The player's games: their turn first, then by deadline. */
function Mine() {
  const loaded = useLoaded(async () => {
    news.value;
    const { games } = await players.listMyGames({ pageSize: 200 });
    for (const game of games) setWaiting(game.gameId, game.yourDecision);
    return games;
  });
  const mine = loaded.value.value;
  if (!mine) return <Waiting failure={loaded.failure.value} />;
  if (mine.length === 0) return <Empty />;
  const order = (game: MyGame) => (game.invited ? 0 : game.yourDecision ? 1 : game.over ? 3 : 2);
  const due = (game: MyGame) => msOf(game.dueTime) ?? Number.POSITIVE_INFINITY;
  const sorted = mine.toSorted((a, b) => order(a) - order(b) || due(a) - due(b));
  return (
    <>
      <Trouble failure={loaded.failure.value} />
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
      <p>
        Begin one against automated players, and it is your turn in a second; or invite people to
        one.
      </p>
      <p class="row">
        <a class="button strong" href="/new">
          New game
        </a>
      </p>
    </div>
  );
}

function MyGameCard({ game, again }: { game: MyGame; again: () => void }) {
  const tone = game.invited ? 'invited' : game.yourDecision ? 'turn' : game.over ? 'past' : '';
  return (
    <li class={`card game ${tone}`}>
      <div class="game-what">
        <a href={gamePath(game.gameId)} class="cover">
          <bdi>{game.name}</bdi>
        </a>
        <p class="faint">
          <KindName kind={game.kind} />
          <Aside text={game.progress} />
        </p>
      </div>
      <div class="game-state">
        {game.invited ? <span class="chip warm">You are invited</span> : null}
        {game.yourDecision ? <span class="chip warm">Your turn</span> : null}
        {game.over ? <span class="chip">Over</span> : null}
        {game.yourDecision ? <Countdown due={msOf(game.dueTime)} /> : null}
        {game.invited ? (
          <span class="row">
            <Act
              class="button strong small"
              does={async () => {
                await games.joinGame({ gameId: game.gameId });
                go(gamePath(game.gameId));
              }}
            >
              Take the seat
            </Act>
            <Act
              class="button small"
              does={async () => {
                await games.declineInvitation({ gameId: game.gameId });
                again();
              }}
            >
              Decline
            </Act>
          </span>
        ) : null}
      </div>
    </li>
  );
}

/** What else there is to say in a line, apart from what stands before. */
export function Aside({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <>
      {' · '}
      <bdi>{text}</bdi>
    </>
  );
}

/** The name of a kind of game. */
export function KindName({ kind }: { kind: string }) {
  const found = kindsOf.value?.find((each) => each.kind === kind);
  return <bdi>{found?.name ?? kind}</bdi>;
}

const LISTS = {
  open: { status: GameStatus.FORMING, joinable: true, none: 'No game waits for players now.' },
  watch: {
    status: GameStatus.RUNNING,
    joinable: false,
    none: 'No public game is being played now.',
  },
  finished: { status: GameStatus.ENDED, joinable: false, none: 'No game has been finished yet.' },
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
        <Choose
          label="Kind of game"
          value={kind.value}
          options={[['', 'All games'], ...kinds.map((each) => [each.kind, each.name] as const)]}
          set={(value) => (kind.value = value)}
        />
      </div>
      {list ? (
        <Trouble failure={loaded.failure.value} />
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

/** A game of a list: what its table says is asked for it alone. */
function ListedGame(props: { summary: GameSummary; which: keyof typeof LISTS }) {
  const { summary, which } = props;
  const loaded = useLoaded(async () => (await games.getGame({ gameId: summary.gameId })).game);
  const game = loaded.value.value;
  const words = useOptionWords(which === 'open' ? game : undefined);
  return (
    <li class="card game">
      <div class="game-what">
        <a href={gamePath(summary.gameId)} class="cover">
          <bdi>{summary.name}</bdi>
        </a>
        <p class="faint">
          <KindName kind={summary.kind} />
          {which === 'open'
            ? ` · ${summary.openSeats} of ${count(summary.seats, 'seat')} open`
            : ''}
          {which === 'watch' && game ? <Aside text={game.progress} /> : null}
        </p>
        {which === 'open' && game ? (
          <p class="faint small">
            {[...words, paceWords(game.pace), ...flagWords(game)].join(' · ')}
          </p>
        ) : null}
        {which === 'finished' && game ? <Result game={game} /> : null}
      </div>
      <div class="game-state">
        {which === 'open' && me.value ? (
          <Act
            class="button strong small"
            label={`Join ${summary.name}`}
            does={async () => {
              await games.joinGame({ gameId: summary.gameId });
              go(gamePath(summary.gameId));
            }}
          >
            Join
          </Act>
        ) : (
          <span class="chip">{capital(statusWord(summary.status))}</span>
        )}
      </div>
    </li>
  );
}

function flagWords(game: Game): string[] {
  return [
    ...(game.lotsPending && game.roles.length > 0 ? ['seats are drawn by lot at the start'] : []),
    ...(game.anonymous ? ['names are hidden'] : []),
    ...(game.gameMaster ? [`led by ${game.gameMaster}`] : []),
    ...(game.openLetters ? ['letters are open after the end'] : []),
  ];
}

/** How a game ended, in a line. */
function Result({ game }: { game: Game }) {
  const { outcome } = game;
  if (!outcome) return <p class="faint small">Cancelled</p>;
  const { winners, draw, level, summary } = outcome;
  return (
    <p class="faint small">
      {winners.length === 0 ? 'Nobody won' : draw ? 'Draw: ' : 'Won by '}
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

/** A list that is still to come, or why it does not. */
export function Waiting({ failure }: { failure: Parameters<typeof Trouble>[0]['failure'] }) {
  return failure ? <Trouble failure={failure} /> : <p class="loading">Asking the engine…</p>;
}
