// The operator's page: the state of the server, and manual actions.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { admin } from '../engine/calls-operator';
import {
  AccountRole,
  type GetMetricsResponse,
  type GetStatusResponse,
  type Metric,
  MetricKind,
  ParkedRelease,
} from '../engine/contract';
import { type Failure, failureOf } from '../engine/failure';
import { gamePath, go } from '../router';
import {
  ActionButton,
  CallForm,
  Checkbox,
  confirm,
  ErrorLine,
  Field,
  Tabs,
  useLoaded,
} from '../ui/components';
import { instant, msOf, rich, span, statusWord, t } from '../words';
import { ReportsPart } from './abuse';
import { KindName } from './lobby';
import { PlayerActions } from './player-actions';

const PARTS = ['server', 'games', 'players', 'automation', 'reports'];
/** The interval of measurements, and the number that a chart shows. */
const INTERVAL_MS = 3_000;
const SAMPLES_MAX = 60;

export function Operator({ part }: { part: string }) {
  const open = PARTS.includes(part) ? part : 'server';
  const tabs = [
    { key: 'server', name: t('operator-server') },
    { key: 'games', name: t('page-games') },
    { key: 'players', name: t('operator-players') },
    { key: 'automation', name: t('operator-automation') },
    { key: 'reports', name: t('chat-reports') },
  ];
  return (
    <main class="page operator">
      <h1>{t('page-operator')}</h1>
      <Tabs
        tabs={tabs}
        open={open}
        label={t('page-operator')}
        choose={(key) => go(`/operator/${key}`)}
      >
        {open === 'server' ? <ServerPart /> : null}
        {open === 'games' ? <GamesPart /> : null}
        {open === 'players' ? <PlayersPart /> : null}
        {open === 'automation' ? <AutomationPart /> : null}
        {open === 'reports' ? <ReportsPart /> : null}
      </Tabs>
    </main>
  );
}

interface Sample {
  at: number;
  status: GetStatusResponse;
  metrics: GetMetricsResponse | undefined;
}

function ServerPart() {
  const samples = useSignal<readonly Sample[]>([]);
  const failure = useSignal<Failure | undefined>(undefined);
  const engines = useLoaded(() => admin.listEngines({}));
  useEffect(() => {
    let isOpen = true;
    const sample = async () => {
      try {
        const [status, metrics] = await Promise.all([
          admin.getStatus({}),
          admin.getMetrics({}).catch(() => undefined),
        ]);
        if (!isOpen) return;
        samples.value = [...samples.value, { at: Date.now(), status, metrics }].slice(-SAMPLES_MAX);
        failure.value = undefined;
      } catch (thrown) {
        failure.value = failureOf(thrown);
      }
    };
    void sample();
    const beat = setInterval(() => void sample(), INTERVAL_MS);
    return () => {
      isOpen = false;
      clearInterval(beat);
    };
  }, []);
  const last = samples.value.at(-1);
  const line = (of: (status: GetStatusResponse) => number) =>
    samples.value.map(({ status }) => of(status));
  return (
    <>
      <ErrorLine failure={failure.value} />
      {last ? (
        <>
          <p class="faint">
            {[
              t('operator-version', { version: last.status.version }),
              t('operator-journal-games', { count: Number(last.status.games) }),
              t('operator-accounts', { count: Number(last.status.players) }),
              t('operator-parked', { count: Number(last.status.parkedDecisions) }),
              last.status.draining ? t('operator-draining') : '',
            ]
              .filter((words) => words !== '')
              .join(' · ')}
          </p>
          <div class="charts">
            <Chart
              name={t('operator-memory')}
              values={line((status) => Number(status.residentBytes) / 1e6)}
            />
            <Chart
              name={t('operator-games-in-memory')}
              values={line((status) => Number(status.liveGames))}
            />
            <Chart name={t('operator-streams')} values={line((status) => Number(status.streams))} />
            <Chart name={t('operator-leases')} values={line((status) => Number(status.leases))} />
            {rates(samples.value).map(({ name, values }) => (
              <Chart key={name} name={name} values={values} />
            ))}
          </div>
        </>
      ) : null}
      <h2>{t('operator-engines')}</h2>
      <ErrorLine failure={engines.failure.value} />
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t('operator-engine')}</th>
              <th scope="col">{t('operator-started')}</th>
              <th scope="col">{t('operator-last-report')}</th>
              <th scope="col">{t('operator-games-in-memory')}</th>
              <th scope="col">{t('operator-streams')}</th>
              <th scope="col">{t('operator-workers')}</th>
            </tr>
          </thead>
          <tbody>
            {engines.value.value?.engines.map((engine) => (
              <tr key={engine.name}>
                <th scope="row">
                  {engine.name}{' '}
                  {engine.answering ? (
                    <span class="chip good">{t('operator-this-one')}</span>
                  ) : null}
                </th>
                <td>{instant(msOf(engine.startTime))}</td>
                <td>{instant(msOf(engine.reportTime))}</td>
                <td class="number">{String(engine.status?.liveGames ?? '')}</td>
                <td class="number">{String(engine.status?.streams ?? '')}</td>
                <td class="number">{String(engine.status?.workers ?? '')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {last?.metrics ? <Metrics metrics={last.metrics.metrics} /> : null}
      <details>
        <summary>{t('operator-drain-engine')}</summary>
        <p>{t('operator-drain-explained')}</p>
        <ActionButton
          class="button danger"
          action={async () => {
            if (
              await confirm(
                t('operator-drain-question'),
                <p>{t('operator-drain-text')}</p>,
                t('operator-drain'),
              )
            )
              await admin.drain({});
          }}
        >
          {t('operator-drain')}
        </ActionButton>
      </details>
    </>
  );
}

/** Returns the rates per second of the most active counters. */
function rates(samples: readonly Sample[]): { name: string; values: number[] }[] {
  const last = samples.at(-1)?.metrics?.metrics ?? [];
  const total = (sample: Sample, name: string) =>
    sample.metrics?.metrics
      .find((metric) => metric.name === name)
      ?.samples.reduce((sum, sample) => sum + sample.value, 0) ?? 0;
  return last
    .filter(
      (metric) =>
        metric.kind === MetricKind.COUNTER &&
        samples.some((sample) => total(sample, metric.name) > 0),
    )
    .slice(0, 8)
    .map(({ name }) => ({
      name: `${name
        .replace(/^heliopause_/, '')
        .replace(/_total$/, '')
        .replaceAll('_', ' ')} / s`,
      values: samples.slice(1).map((sample, index) => {
        const before = samples[index] as Sample;
        const seconds = Math.max((sample.at - before.at) / 1000, 0.001);
        return Math.max(total(sample, name) - total(before, name), 0) / seconds;
      }),
    }));
}

const WIDTH = 200;
const HEIGHT = 48;

/** A small chart of a number over the last minutes. */
function Chart({ name, values }: { name: string; values: readonly number[] }) {
  const most = Math.max(...values, 1e-9);
  const points = values.map((value, index) => {
    const x = WIDTH - (values.length - 1 - index) * (WIDTH / (SAMPLES_MAX - 1));
    return `${x.toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 6)).toFixed(1)}`;
  });
  const last = values.at(-1);
  const shown =
    last === undefined
      ? ''
      : last >= 100
        ? String(Math.round(last))
        : String(Math.round(last * 10) / 10);
  return (
    <figure class="card chart">
      <figcaption>
        {name} <strong class="number">{shown}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.join(' ')} />
      </svg>
    </figure>
  );
}

function Metrics({ metrics }: { metrics: readonly Metric[] }) {
  const search = useSignal('');
  const found = metrics.filter((metric) => metric.name.includes(search.value));
  return (
    <details>
      <summary>{t('operator-measurements', { count: metrics.length })}</summary>
      <input
        type="search"
        aria-label={t('operator-find-metric')}
        placeholder={t('operator-find-metric')}
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t('operator-name')}</th>
              <th scope="col">{t('operator-labels')}</th>
              <th scope="col">{t('operator-value')}</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, 80).flatMap((metric) =>
              metric.samples.slice(0, 30).map((sample) => {
                const labels = Object.entries(sample.labels)
                  .map(([key, value]) => `${key}=${value}`)
                  .join(' ');
                return (
                  <tr key={`${metric.name} ${labels}`}>
                    <th scope="row" title={metric.help}>
                      {metric.name}
                    </th>
                    <td>{labels}</td>
                    <td class="number">
                      {metric.kind === MetricKind.HISTOGRAM
                        ? t('operator-mean', {
                            count: Number(sample.count),
                            mean: (sample.value / Math.max(Number(sample.count), 1)).toPrecision(3),
                          })
                        : Math.round(sample.value * 100) / 100}
                    </td>
                  </tr>
                );
              }),
            )}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function GamesPart() {
  const search = useSignal('');
  const running = useSignal(true);
  const why = useSignal('');
  const loaded = useLoaded(() =>
    admin.listAllGames({ search: search.value, runningOnly: running.value, pageSize: 100 }),
  );
  const act = (does: () => Promise<unknown>) => async () => {
    await does();
    loaded.again();
  };
  return (
    <>
      <div class="filters row wrap">
        <input
          type="search"
          aria-label={t('operator-search')}
          placeholder={t('operator-search-hint')}
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <Checkbox value={running.value} set={(value) => (running.value = value)}>
          {t('operator-only-running')}
        </Checkbox>
      </div>
      <Field label={t('operator-reason')} hint={t('operator-reason-hint')}>
        {(id, hint) => (
          <input
            id={id}
            aria-describedby={hint}
            maxLength={500}
            value={why.value}
            onInput={(event) => (why.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <ErrorLine failure={loaded.failure.value} />
      {loaded.value.value?.games.length === 0 ? (
        <p class="faint">{t('operator-no-games')}</p>
      ) : null}
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t('operator-game')}</th>
              <th scope="col">{t('operator-host')}</th>
              <th scope="col">{t('operator-status')}</th>
              <th scope="col">{t('operator-last-viewed')}</th>
              <th scope="col">{t('operator-journal')}</th>
              <th scope="col">{t('operator-actions')}</th>
            </tr>
          </thead>
          <tbody>
            {loaded.value.value?.games.map(
              ({ game, host, progress, lastLookTime, entries, bytes }) =>
                game ? (
                  <tr key={game.gameId}>
                    <th scope="row">
                      <a href={gamePath(game.gameId)}>
                        <bdi>{game.name}</bdi>
                      </a>
                      <span class="faint small">
                        {' '}
                        <KindName kind={game.kind} /> {progress}
                      </span>
                    </th>
                    <td>
                      <bdi>{host?.name ?? ''}</bdi>
                    </td>
                    <td>{statusWord(game.status)}</td>
                    <td>{instant(msOf(lastLookTime))}</td>
                    <td class="number">
                      {t('operator-journal-size', {
                        entries: String(entries),
                        bytes: Math.ceil(Number(bytes) / 1024),
                      })}
                    </td>
                    <td>
                      <div class="row wrap">
                        <ActionButton
                          class="button small"
                          label={t('operator-pause-game', { name: game.name })}
                          disabled={why.value.trim() === ''}
                          action={act(() =>
                            admin.pauseAnyGame({
                              gameId: game.gameId,
                              why: why.value,
                            }),
                          )}
                        >
                          {t('operator-pause')}
                        </ActionButton>
                        <ActionButton
                          class="button small"
                          label={t('operator-resume-game', { name: game.name })}
                          action={act(() => admin.resumeAnyGame({ gameId: game.gameId }))}
                        >
                          {t('operator-resume')}
                        </ActionButton>
                        <ActionButton
                          class="button small danger"
                          label={t('operator-cancel-game', { name: game.name })}
                          disabled={why.value.trim() === ''}
                          action={async () => {
                            if (
                              !(await confirm(
                                t('operator-cancel-question'),
                                <p>{t('operator-cancel-text')}</p>,
                                t('operator-cancel-it'),
                              ))
                            )
                              return;
                            await admin.cancelAnyGame({
                              gameId: game.gameId,
                              why: why.value,
                            });
                            loaded.again();
                          }}
                        >
                          {t('operator-cancel')}
                        </ActionButton>
                      </div>
                    </td>
                  </tr>
                ) : null,
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}

function roleWords(role: AccountRole): string {
  switch (role) {
    case AccountRole.WORKER:
      return t('operator-role-worker');
    case AccountRole.ADMIN:
      return t('operator-role-admin');
    default:
      return '';
  }
}

function PlayersPart() {
  const search = useSignal('');
  const invitation = useSignal('');
  const loaded = useLoaded(() => admin.listPlayers({ search: search.value, pageSize: 100 }));
  return (
    <>
      <div class="filters row wrap">
        <input
          type="search"
          aria-label={t('lobby-search')}
          placeholder={t('operator-name')}
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <ActionButton
          action={async () => {
            invitation.value = (await admin.createInvitation({})).invitation;
          }}
        >
          {t('operator-create-invitation')}
        </ActionButton>
      </div>
      {invitation.value ? (
        <p>
          {rich('operator-invitation', {
            invitation: <code class="secret">{invitation.value}</code>,
          })}
        </p>
      ) : null}
      <ErrorLine failure={loaded.failure.value} />
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t('operator-player')}</th>
              <th scope="col">{t('operator-since')}</th>
              <th scope="col">{t('operator-dedication')}</th>
              <th scope="col">{t('operator-tokens')}</th>
              <th scope="col">{t('operator-games-at-once')}</th>
              <th scope="col">{t('operator-actions')}</th>
            </tr>
          </thead>
          <tbody>
            {loaded.value.value?.players.map(
              ({ player, banned, gamesLimit, tokens, silenceEndTime }) =>
                player ? (
                  <tr key={player.playerId}>
                    <th scope="row">
                      <bdi>{player.name}</bdi>{' '}
                      {roleWords(player.role) ? (
                        <span class="chip">{roleWords(player.role)}</span>
                      ) : null}
                      {banned ? <span class="chip warm">{t('operator-banned')}</span> : null}
                      {silenceEndTime ? (
                        <span class="chip warm">
                          {t('chat-silenced-until', { time: instant(msOf(silenceEndTime)) })}
                        </span>
                      ) : null}
                    </th>
                    <td>{instant(msOf(player.createTime))}</td>
                    <td class="number">{player.dedication}</td>
                    <td class="number">{tokens}</td>
                    <td>
                      <Quota
                        player={player.playerId}
                        name={player.name}
                        limit={gamesLimit}
                        again={loaded.again}
                      />
                    </td>
                    <td>
                      <div class="row wrap">
                        <ActionButton
                          class={`button small ${banned ? '' : 'danger'}`}
                          label={
                            banned
                              ? t('operator-unban-player', { name: player.name })
                              : t('operator-ban-player', { name: player.name })
                          }
                          action={async () => {
                            const body = <p>{t('operator-ban-text')}</p>;
                            if (
                              !banned &&
                              !(await confirm(
                                t('operator-ban-question', { name: player.name }),
                                body,
                                t('operator-ban'),
                              ))
                            )
                              return;
                            await admin.banPlayer({ player: player.playerId, banned: !banned });
                            loaded.again();
                          }}
                        >
                          {banned ? t('operator-unban') : t('operator-ban')}
                        </ActionButton>
                        <ActionButton
                          class="button small danger"
                          label={t('operator-revoke-of', { name: player.name })}
                          action={async () => {
                            const body = <p>{t('operator-revoke-text')}</p>;
                            if (
                              !(await confirm(
                                t('operator-revoke-question', { name: player.name }),
                                body,
                                t('account-revoke'),
                              ))
                            )
                              return;
                            await admin.revokePlayerTokens({ player: player.playerId });
                            loaded.again();
                          }}
                        >
                          {t('operator-revoke-tokens')}
                        </ActionButton>
                        <PlayerActions player={player} again={loaded.again} />
                      </div>
                    </td>
                  </tr>
                ) : null,
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Quota(props: {
  player: string;
  name: string;
  limit: number | undefined;
  again: () => void;
}) {
  const limit = useSignal(props.limit === undefined ? '' : String(props.limit));
  return (
    <CallForm
      class="row"
      label={t('operator-quota', { name: props.name })}
      action={async () => {
        await admin.setQuota({
          player: props.player,
          ...(limit.value === '' ? {} : { gamesLimit: Number(limit.value) }),
        });
        props.again();
      }}
    >
      {(busy) => (
        <>
          <input
            type="number"
            class="slot"
            aria-label={t('operator-games-of', { name: props.name })}
            placeholder={t('operator-default')}
            min={1}
            value={limit.value}
            onInput={(event) => (limit.value = event.currentTarget.value)}
          />
          <button
            type="submit"
            class="button small"
            aria-busy={busy}
            aria-label={t('operator-set-quota', { name: props.name })}
          >
            {t('operator-set')}
          </button>
        </>
      )}
    </CallForm>
  );
}

function AutomationPart() {
  const loaded = useLoaded(async () => {
    const [workers, leases, parked] = await Promise.all([
      admin.listWorkers({ pageSize: 200 }),
      admin.listLeases({ pageSize: 200 }),
      admin.listParkedDecisions({ pageSize: 200 }),
    ]);
    return { workers: workers.workers, leases: leases.leases, parked: parked.decisions };
  });
  const found = loaded.value.value;
  return (
    <>
      <p>
        <button type="button" class="button small" onClick={loaded.again}>
          {t('operator-refresh')}
        </button>
      </p>
      <ErrorLine failure={loaded.failure.value} />
      <h2>{t('operator-workers')}</h2>
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t('operator-account')}</th>
              <th scope="col">{t('operator-plays')}</th>
              <th scope="col">{t('operator-leases')}</th>
              <th scope="col">{t('operator-connected')}</th>
            </tr>
          </thead>
          <tbody>
            {found?.workers.map((worker) => (
              <tr key={String(worker.number)}>
                <th scope="row">
                  <bdi>{worker.player?.name ?? t('operator-gone')}</bdi>
                </th>
                <td>{t('operator-profiles', { count: worker.profiles.length })}</td>
                <td class="number">
                  {t('operator-capacity', { leases: worker.leases, capacity: worker.capacity })}
                </td>
                <td>{instant(msOf(worker.connectTime))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>{t('operator-leases')}</h2>
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t('operator-game')}</th>
              <th scope="col">{t('result-seat')}</th>
              <th scope="col">{t('operator-decision')}</th>
              <th scope="col">{t('operator-since')}</th>
            </tr>
          </thead>
          <tbody>
            {found?.leases.map((lease) => (
              <tr key={`${lease.gameId} ${lease.seat} ${lease.vote}`}>
                <th scope="row">
                  <a href={gamePath(lease.gameId)}>{lease.gameId}</a>
                </th>
                <td class="number">{lease.seat}</td>
                <td>
                  {lease.profile?.profile} ({lease.profile?.level})
                </td>
                <td>{span((Date.now() - (msOf(lease.leaseTime) ?? Date.now())) / 1000)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>{t('operator-parked-title')}</h2>
      {found && found.parked.length === 0 ? <p class="faint">{t('operator-none-parked')}</p> : null}
      <ul class="plain">
        {found?.parked.map((parked) => (
          <li key={`${parked.gameId} ${parked.seat} ${parked.vote}`}>
            <p>
              {rich('operator-parked-decision', {
                game: <a href={gamePath(parked.gameId)}>{parked.gameId}</a>,
                seat: parked.seat,
                message: parked.message,
                count: parked.failures,
              })}
            </p>
            <div class="row">
              {(
                [
                  [t('operator-retry'), ParkedRelease.RETRY],
                  [t('operator-use-defaults'), ParkedRelease.DEFAULT],
                ] as const
              ).map(([name, release]) => (
                <ActionButton
                  key={name}
                  class="button small"
                  action={async () => {
                    await admin.releaseParkedDecision({
                      gameId: parked.gameId,
                      seat: parked.seat,
                      ...(parked.vote === undefined ? {} : { vote: parked.vote }),
                      release,
                    });
                    loaded.again();
                  }}
                >
                  {name}
                </ActionButton>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
