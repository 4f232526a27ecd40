// The page: its header, and the view that the address names.

import { lazy, Suspense } from 'preact/compat';
import { dismiss, toasts } from './notices';
import { gamePath, type Route, route } from './router';
import { lessonIn } from './sandbox/progress';
import {
  canBrowse,
  createdToken,
  isAdmin,
  isSessionLoaded,
  isUnreachable,
  linkedAccount,
  me,
  server,
  sessionFailure,
} from './session';
import { theme, themes } from './settings';
import { Confirmations, ErrorLine, Select } from './ui/components';
import { Lobby } from './views/lobby';
import { QueueLine } from './views/quick';
import { RuleDialog } from './views/rule';
import { Emblem, NewToken, OtherAccount, SignIn, Unreachable } from './views/sign-in';
import { TermCard } from './views/term';
import { t } from './words';

const loadGame = () => import('./views/game');
// Loads the table in the background: players open a game next.
const TABLE_DELAY_MS = 1_000;
setTimeout(() => loadGame().catch(() => undefined), route.value.at === 'game' ? 0 : TABLE_DELAY_MS);
const GamePage = lazy(() => loadGame().then((m) => ({ default: m.GamePage })));
const NewGame = lazy(() => import('./views/new-game').then((m) => ({ default: m.NewGame })));
const Join = lazy(() => import('./views/join').then((m) => ({ default: m.Join })));
const Account = lazy(() => import('./views/account').then((m) => ({ default: m.Account })));
const ProfilePage = lazy(() => import('./views/profile').then((m) => ({ default: m.ProfilePage })));
const Leaderboard = lazy(() =>
  import('./views/leaderboard').then((m) => ({ default: m.Leaderboard })),
);
const Search = lazy(() => import('./views/search').then((m) => ({ default: m.Search })));
const Tournaments = lazy(() =>
  import('./views/tournaments').then((m) => ({ default: m.Tournaments })),
);
const NewTournament = lazy(() =>
  import('./views/tournaments').then((m) => ({ default: m.NewTournament })),
);
const TournamentPage = lazy(() =>
  import('./views/tournament').then((m) => ({ default: m.TournamentPage })),
);
const Operator = lazy(() => import('./views/operator').then((m) => ({ default: m.Operator })));
const Learn = lazy(() => import('./views/tutorial').then((m) => ({ default: m.Learn })));
const LessonStart = lazy(() =>
  import('./views/tutorial').then((m) => ({ default: m.LessonStart })),
);
const LessonPage = lazy(() => import('./views/tutorial').then((m) => ({ default: m.LessonPage })));
const Rulebook = lazy(() => import('./views/rulebook').then((m) => ({ default: m.Rulebook })));
const SandboxPage = lazy(() => import('./views/sandbox').then((m) => ({ default: m.SandboxPage })));

export function App() {
  return (
    <>
      <a class="skip" href="#content">
        {t('page-skip')}
      </a>
      <Head />
      <QueueLine />
      <div id="content" tabIndex={-1}>
        <Content />
      </div>
      <Toasts />
      <RuleDialog />
      <TermCard />
      <Confirmations />
    </>
  );
}

function Head() {
  return (
    <header class="bar">
      <a class="brand" href="/">
        <Emblem />
        <span>Heliopause</span>
      </a>
      <nav aria-label={t('page-pages')}>
        {canBrowse.value ? <a href="/">{t('page-games')}</a> : null}
        <a href="/learn">{t('page-learn')}</a>
        {me.value && server.value?.sandbox ? <a href="/desk">{t('page-sandbox')}</a> : null}
        {isAdmin.value ? <a href="/operator">{t('page-operator')}</a> : null}
      </nav>
      <div class="bar-end">
        <Select
          label={t('page-theme')}
          value={theme.value}
          options={themes()}
          set={(value) => (theme.value = value)}
        />
        {me.value ? (
          <a href="/account" class="who">
            <bdi>{me.value.name}</bdi>
          </a>
        ) : (
          <a href="/sign-in" class="button small">
            {t('page-sign-in')}
          </a>
        )}
      </div>
    </header>
  );
}

function Content() {
  const { value } = route;
  if (isUnreachable.value) return <Unreachable />;
  if (!isSessionLoaded.value) return <main class="narrow loading">{t('page-loading')}</main>;
  if (createdToken.value !== '') return <NewToken />;
  if (linkedAccount.value) return <OtherAccount />;
  const isWatched = ['lobby', 'search', 'game', 'tournament'].includes(value.at);
  const needsAccount = !isWatched && !isOpen(value);
  if (value.at === 'sign-in' && !me.value) return <SignIn />;
  if (!me.value && (needsAccount || !(canBrowse.value || isOpen(value)))) return <SignIn />;
  return (
    <Suspense fallback={<main class="narrow loading">{t('page-loading')}</main>}>
      {me.value ? null : <ErrorLine failure={sessionFailure.value} />}
      <Page />
    </Suspense>
  );
}

/** Returns whether a page needs neither an account nor the right to watch games. */
function isOpen({ at }: Route): boolean {
  return at === 'learn' || at === 'rules';
}

function Page() {
  const { value } = route;
  switch (value.at) {
    case 'lobby':
    case 'sign-in':
      return <Lobby key={me.value?.playerId ?? ''} />;
    case 'search':
      return <Search key={value.query} query={value.query} />;
    case 'new':
      return <NewGame />;
    case 'join':
      return <Join game={value.game} code={value.code} />;
    case 'account':
      return <Account />;
    case 'player':
      return <ProfilePage key={value.player} player={value.player} />;
    case 'ratings':
      return <Leaderboard kind={value.kind} />;
    case 'tournaments':
      return value.part === 'new' ? <NewTournament /> : <Tournaments />;
    case 'tournament':
      return <TournamentPage key={value.id} id={value.id} />;
    case 'operator':
      return <Operator part={value.part} />;
    case 'desk':
      return <SandboxPage />;
    case 'learn':
      return value.kind === '' ? <Learn /> : <LessonStart key={value.kind} kind={value.kind} />;
    case 'rules':
      return <Rulebook key={value.kind} kind={value.kind} rule={value.rule} />;
    case 'game': {
      const kind = me.value && lessonIn(value.game);
      const { game, part, phase } = value;
      if (kind) return <LessonPage key={game} kind={kind} game={game} part={part} phase={phase} />;
      return <GamePage key={game} game={game} part={part} phase={phase} />;
    }
    case 'nowhere':
      return (
        <main class="narrow">
          <h1>{t('page-not-found')}</h1>
          <p>
            <a href="/">{t('page-back')}</a>
          </p>
        </main>
      );
  }
}

function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ key, text, game, name }) => (
        <div key={key} class="toast">
          {game ? (
            <a href={gamePath(game)}>
              <bdi>{name}</bdi>: <bdi>{text}</bdi>
            </a>
          ) : (
            <span>{text}</span>
          )}
          <button
            type="button"
            class="icon small"
            aria-label={t('page-dismiss')}
            title={t('page-dismiss')}
            onClick={() => dismiss(key)}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
