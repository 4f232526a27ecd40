// A player's profile: results and ratings by kind, reliability, and the results between two players.

import { players, profiles } from '../engine/calls';
import { type LadderResult, LadderSize, type Profile } from '../engine/contract';
import { me } from '../session';
import { ActionButton, ErrorLine, useLoaded } from '../ui/components';
import { durationMs, instant, msOf, span, t } from '../words';
import { PlayerActions } from './abuse';
import { kindsOf, loadKinds } from './kinds';
import { RatingPlot, ratingWords } from './rating';
import { searchPath } from './search-filters';

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
        {loaded.failure.value ? null : <p class="loading">{t('page-loading')}</p>}
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
        <nav class="row wrap" aria-label={t('profile-title')}>
          <a class="button" href={searchPath({ player: profile.player?.name ?? '' })}>
            {t('finding-games-of', { name: profile.player?.name ?? '' })}
          </a>
          <a class="button" href="/ratings">
            {t('lobby-ratings')}
          </a>
          {isOwn ? (
            <a class="button" href="/account">
              {t('profile-settings')}
            </a>
          ) : (
            <ActionButton
              class="button"
              action={async () => {
                await players.blockPlayer({ player: profile.player?.playerId ?? '' });
              }}
            >
              {t('profile-block')}
            </ActionButton>
          )}
          {isOwn ? null : (
            <PlayerActions
              playerId={profile.player?.playerId ?? ''}
              name={profile.player?.name ?? ''}
            />
          )}
        </nav>
      </header>
      <p class="faint">
        {t('profile-dedication', {
          dedication: profile.player?.dedication ?? 0,
          since: instant(msOf(profile.player?.createTime)),
        })}
      </p>
      <Facts profile={profile} />
      {profile.results.length === 0 ? <p>{t('profile-no-results')}</p> : null}
      <div class="cards">
        {profile.results.map((result) => (
          <Result
            key={`${result.kind} ${result.size}`}
            result={result}
            player={profile.player?.name ?? ''}
          />
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
          {t('profile-finished-games')}{' '}
          {[
            t('profile-answered', { count: Number(reliability.answered) }),
            median === undefined ? '' : t('profile-median', { span: span(median / 1000) }),
            t('profile-missed', { count: Number(reliability.missed) }),
          ]
            .filter((words) => words !== '')
            .join('; ')}
        </li>
      ) : null}
      {headToHead ? (
        <li>
          {t('profile-against-you', {
            won: headToHead.won,
            drawn: headToHead.drawn,
            lost: headToHead.lost,
          })}
        </li>
      ) : null}
    </ul>
  );
}

export function sizeWords(size: LadderSize): string {
  switch (size) {
    case LadderSize.ONE:
      return t('profile-one-seat');
    case LadderSize.TWO:
      return t('profile-two-seats');
    case LadderSize.SEVERAL:
      return t('profile-several-seats');
    default:
      return '';
  }
}

function Result({ result, player }: { result: LadderResult; player: string }) {
  const kind = kindsOf.value?.find((each) => each.kind === result.kind);
  const title = kind?.name ?? result.kind;
  return (
    <section class="card" aria-label={`${title}, ${sizeWords(result.size)}`}>
      <h2>{title}</h2>
      <p class="faint">{sizeWords(result.size)}</p>
      {result.rating ? (
        <p>
          {t('profile-rating', { rating: ratingWords(result.rating) })}
          <br />
          <span class="faint small">{t('profile-uncertainty')}</span>
        </p>
      ) : null}
      <RatingPlot samples={result.history} />
      <p>
        {t('profile-record', {
          won: result.won,
          drawn: result.drawn,
          lost: result.lost,
          abandoned: result.abandoned,
        })}
      </p>
      <p>
        <a href={searchPath({ player, kind: result.kind })}>{t('finding-these-games')}</a>
      </p>
      {result.favourites.length > 0 ? (
        <>
          <h3>{t('profile-favorites')}</h3>
          <ul class="plain">
            {result.favourites.map(({ role, opening, games, won }) => (
              <li key={`${role} ${opening}`}>
                <bdi>{[role, opening].filter((part) => part !== '').join(': ')}</bdi>{' '}
                <span class="faint small">{t('profile-favorite', { count: games, won })}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}
