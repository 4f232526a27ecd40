// A player's profile: results and ratings by kind, reliability, and the results between two players.

import { players, profiles } from '../engine/calls';
import { type LadderResult, LadderSize, type Profile } from '../engine/contract';
import { me } from '../session';
import { ActionButton, ErrorLine, useLoaded } from '../ui/components';
import { count, durationMs, instant, msOf, span } from '../words';
import { kindsOf, loadKinds } from './kinds';
import { RatingPlot, ratingWords } from './rating';

export function ProfilePage({ player }: { player: string }) {
  const loaded = useLoaded(async () => {
    const [{ profile }] = await Promise.all([profiles.getProfile({ player }), loadKinds()]);
    return profile;
  });
  const profile = loaded.value.value;
  if (!profile) {
    return (
      <main class="page">
        <ErrorLine failure={loaded.failure.value} />
        {loaded.failure.value ? null : <p class="loading">Loading…</p>}
      </main>
    );
  }
  const isOwn = profile.player?.playerId === me.value?.playerId;
  return (
    <main class="page profile">
      <header class="page-head">
        <h1>
          <bdi>{profile.player?.name}</bdi>
        </h1>
        <nav class="row" aria-label="Profile">
          <a class="button" href="/ratings">
            Ratings
          </a>
          {isOwn ? (
            <a class="button" href="/account">
              Settings
            </a>
          ) : (
            <ActionButton
              class="button"
              action={async () => {
                await players.blockPlayer({ player: profile.player?.playerId ?? '' });
              }}
            >
              Block invitations
            </ActionButton>
          )}
        </nav>
      </header>
      <p class="faint">
        Dedication {profile.player?.dedication ?? 0}, since{' '}
        {instant(msOf(profile.player?.createTime))}
      </p>
      <Facts profile={profile} />
      {profile.results.length === 0 ? <p>No results are shown.</p> : null}
      <div class="cards">
        {profile.results.map((result) => (
          <Result key={`${result.kind} ${result.size}`} result={result} />
        ))}
      </div>
    </main>
  );
}

function Facts({ profile: { reliability, headToHead } }: { profile: Profile }) {
  const median = durationMs(reliability?.medianTime);
  return (
    <ul class="plain">
      {reliability ? (
        <li>
          {count(reliability.answered, 'decision')} answered in time
          {median === undefined ? '' : `, half of them within ${span(median / 1000)}`};{' '}
          {count(reliability.missed, 'deadline')} missed
        </li>
      ) : null}
      {headToHead ? (
        <li>
          Against you: you were better {count(headToHead.won, 'time')}, equal {headToHead.drawn},
          worse {headToHead.lost}
        </li>
      ) : null}
    </ul>
  );
}

export const SIZES: Record<LadderSize, string> = {
  [LadderSize.UNSPECIFIED]: '',
  [LadderSize.ONE]: 'one seat',
  [LadderSize.TWO]: 'two seats',
  [LadderSize.SEVERAL]: 'three and more seats',
};

function Result({ result }: { result: LadderResult }) {
  const kind = kindsOf.value?.find((each) => each.kind === result.kind);
  const title = kind?.name ?? result.kind;
  return (
    <section class="card" aria-label={`${title}, ${SIZES[result.size]}`}>
      <h2>{title}</h2>
      <p class="faint">{SIZES[result.size]}</p>
      {result.rating ? <p>Rating {ratingWords(result.rating)}</p> : null}
      <RatingPlot samples={result.history} />
      <p>
        Won {result.won}, drawn {result.drawn}, lost {result.lost}, left {result.abandoned}
      </p>
      {result.favourites.length > 0 ? (
        <>
          <h3>Favorites</h3>
          <ul class="plain">
            {result.favourites.map(({ role, opening, games, won }) => (
              <li key={`${role} ${opening}`}>
                <bdi>{[role, opening].filter((part) => part !== '').join(': ')}</bdi>{' '}
                <span class="faint small">
                  {count(games, 'game')}, won {won}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}
