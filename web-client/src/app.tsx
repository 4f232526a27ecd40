// The page: its head, and what its address names.

import { lazy, Suspense } from 'preact/compat';
import { dismiss, toasts } from './notices';
import { gamePath, route } from './router';
import { freshToken, isAdmin, isKnown, maySee, me, offered, server, trouble } from './session';
import { THEMES, theme } from './settings';
import { Choose, Confirmations, Trouble } from './ui/parts';
import { GamePage } from './views/game';
import { Lobby } from './views/lobby';
import { RuleDialog } from './views/rule';
import { Emblem, NewToken, OtherAccount, SignIn } from './views/sign-in';

const NewGame = lazy(() => import('./views/new-game').then((m) => ({ default: m.NewGame })));
const Join = lazy(() => import('./views/join').then((m) => ({ default: m.Join })));
const Account = lazy(() => import('./views/account').then((m) => ({ default: m.Account })));
const Operator = lazy(() => import('./views/operator').then((m) => ({ default: m.Operator })));
const SandboxDesk = lazy(() => import('./views/desk').then((m) => ({ default: m.SandboxDesk })));

export function App() {
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <Head />
      <div id="content" tabIndex={-1}>
        {isKnown.value ? <Content /> : <main class="narrow loading">Asking the engine…</main>}
      </div>
      <Toasts />
      <RuleDialog />
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
      <nav aria-label="Pages">
        {maySee.value ? <a href="/">Games</a> : null}
        {me.value && server.value?.sandbox ? <a href="/desk">Sandbox</a> : null}
        {isAdmin.value ? <a href="/operator">Operator</a> : null}
      </nav>
      <div class="bar-end">
        <Choose
          label="Theme"
          value={theme.value}
          options={THEMES}
          set={(value) => (theme.value = value)}
        />
        {me.value ? (
          <a href="/account" class="who">
            <bdi>{me.value.name}</bdi>
          </a>
        ) : (
          <a href="/sign-in" class="button small">
            Sign in
          </a>
        )}
      </div>
    </header>
  );
}

function Content() {
  const { value } = route;
  if (freshToken.value !== '') return <NewToken />;
  if (offered.value) return <OtherAccount />;
  const needsAccount = value.at !== 'lobby' && value.at !== 'game';
  if (value.at === 'sign-in' && !me.value) return <SignIn />;
  if (!me.value && (needsAccount || !maySee.value)) return <SignIn />;
  return (
    <Suspense fallback={<main class="narrow loading">Loading…</main>}>
      {me.value ? null : <Trouble failure={trouble.value} />}
      <Page />
    </Suspense>
  );
}

function Page() {
  const { value } = route;
  switch (value.at) {
    case 'lobby':
    case 'sign-in':
      return <Lobby key={me.value?.playerId ?? ''} />;
    case 'new':
      return <NewGame />;
    case 'join':
      return <Join game={value.game} code={value.code} />;
    case 'account':
      return <Account />;
    case 'operator':
      return <Operator part={value.part} />;
    case 'desk':
      return <SandboxDesk />;
    case 'game':
      return <GamePage key={value.game} game={value.game} part={value.part} phase={value.phase} />;
    case 'nowhere':
      return (
        <main class="narrow">
          <h1>Nothing is here</h1>
          <p>
            <a href="/">To the games</a>
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
            aria-label="Dismiss"
            onClick={() => dismiss(key)}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
