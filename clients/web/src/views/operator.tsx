// The operator's page: the state of the server, and manual actions.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { admin } from '../engine/calls';
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
import { count, instant, msOf, span, statusWord } from '../words';
import { KindName } from './lobby';

const PARTS = [
  { key: 'server', name: 'Server' },
  { key: 'games', name: 'Games' },
  { key: 'players', name: 'Players' },
  { key: 'automation', name: 'Automation' },
];
/** The interval of measurements, and the number that a chart shows. */
const INTERVAL_MS = 3_000;
const SAMPLES_MAX = 60;

export function Operator({ part }: { part: string }) {
  const open = PARTS.some(({ key }) => key === part) ? part : 'server';
  return (
    <main class="page operator">
      <h1>Operator</h1>
      <Tabs tabs={PARTS} open={open} label="Operator" choose={(key) => go(`/operator/${key}`)}>
        {open === 'server' ? <ServerPart /> : null}
        {open === 'games' ? <GamesPart /> : null}
        {open === 'players' ? <PlayersPart /> : null}
        {open === 'automation' ? <AutomationPart /> : null}
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
            Version {last.status.version}; {count(last.status.games, 'game')} in the journal,{' '}
            {count(last.status.players, 'account')},{' '}
            {count(last.status.parkedDecisions, 'parked decision')}
            {last.status.draining ? '; draining' : ''}
          </p>
          <div class="charts">
            <Chart
              name="Memory (MB)"
              values={line((status) => Number(status.residentBytes) / 1e6)}
            />
            <Chart name="Games in memory" values={line((status) => Number(status.liveGames))} />
            <Chart name="Streams" values={line((status) => Number(status.streams))} />
            <Chart name="Leases" values={line((status) => Number(status.leases))} />
            {rates(samples.value).map(({ name, values }) => (
              <Chart key={name} name={name} values={values} />
            ))}
          </div>
        </>
      ) : null}
      <h2>Engines</h2>
      <ErrorLine failure={engines.failure.value} />
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Engine</th>
              <th scope="col">Started</th>
              <th scope="col">Last report</th>
              <th scope="col">Games in memory</th>
              <th scope="col">Streams</th>
              <th scope="col">Workers</th>
            </tr>
          </thead>
          <tbody>
            {engines.value.value?.engines.map((engine) => (
              <tr key={engine.name}>
                <th scope="row">
                  {engine.name} {engine.answering ? <span class="chip good">this one</span> : null}
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
        <summary>Drain this engine</summary>
        <p>
          The engine accepts no new work, ends all streams, and stops. Other engines on the same
          database continue.
        </p>
        <ActionButton
          class="button danger"
          action={async () => {
            if (
              await confirm(
                'Drain this engine?',
                <p>This closes all connections to this engine.</p>,
                'Drain',
              )
            )
              await admin.drain({});
          }}
        >
          Drain
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
      <summary>All measurements ({metrics.length})</summary>
      <input
        type="search"
        aria-label="Find a metric"
        placeholder="Find a metric"
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Labels</th>
              <th scope="col">Value</th>
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
                        ? `${sample.count}, mean ${(sample.value / Math.max(Number(sample.count), 1)).toPrecision(3)}`
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
          aria-label="Search by name or id"
          placeholder="Name or id"
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <Checkbox value={running.value} set={(value) => (running.value = value)}>
          Only running games
        </Checkbox>
      </div>
      <Field label="Reason" hint="Shown to all players of a game that you pause or cancel.">
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
      {loaded.value.value?.games.length === 0 ? <p class="faint">No games match.</p> : null}
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Game</th>
              <th scope="col">Host</th>
              <th scope="col">Status</th>
              <th scope="col">Last viewed</th>
              <th scope="col">Journal</th>
              <th scope="col">Actions</th>
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
                      {String(entries)}, {Math.ceil(Number(bytes) / 1024)} KB
                    </td>
                    <td>
                      <div class="row wrap">
                        <ActionButton
                          class="button small"
                          label={`Pause ${game.name}`}
                          disabled={why.value.trim() === ''}
                          action={act(() =>
                            admin.pauseAnyGame({
                              gameId: game.gameId,
                              why: why.value,
                            }),
                          )}
                        >
                          Pause
                        </ActionButton>
                        <ActionButton
                          class="button small"
                          label={`Resume ${game.name}`}
                          action={act(() => admin.resumeAnyGame({ gameId: game.gameId }))}
                        >
                          Resume
                        </ActionButton>
                        <ActionButton
                          class="button small danger"
                          label={`Cancel ${game.name}`}
                          disabled={why.value.trim() === ''}
                          action={async () => {
                            if (
                              !(await confirm(
                                'Cancel the game?',
                                <p>It ends without a result.</p>,
                                'Cancel it',
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
                          Cancel
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

const ROLES: Record<AccountRole, string> = {
  [AccountRole.UNSPECIFIED]: '',
  [AccountRole.PLAYER]: '',
  [AccountRole.WORKER]: 'worker',
  [AccountRole.ADMIN]: 'operator',
};

function PlayersPart() {
  const search = useSignal('');
  const invitation = useSignal('');
  const loaded = useLoaded(() => admin.listPlayers({ search: search.value, pageSize: 100 }));
  return (
    <>
      <div class="filters row wrap">
        <input
          type="search"
          aria-label="Search by name"
          placeholder="Name"
          value={search.value}
          onInput={(event) => (search.value = event.currentTarget.value)}
        />
        <ActionButton
          action={async () => {
            invitation.value = (await admin.createInvitation({})).invitation;
          }}
        >
          Create an invitation
        </ActionButton>
      </div>
      {invitation.value ? (
        <p>
          For one account: <code class="secret">{invitation.value}</code>
        </p>
      ) : null}
      <ErrorLine failure={loaded.failure.value} />
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Player</th>
              <th scope="col">Since</th>
              <th scope="col">Dedication</th>
              <th scope="col">Tokens</th>
              <th scope="col">Games at once</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {loaded.value.value?.players.map(({ player, banned, gamesLimit, tokens }) =>
              player ? (
                <tr key={player.playerId}>
                  <th scope="row">
                    <bdi>{player.name}</bdi>{' '}
                    {ROLES[player.role] ? <span class="chip">{ROLES[player.role]}</span> : null}
                    {banned ? <span class="chip warm">banned</span> : null}
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
                        label={`${banned ? 'Lift the ban on' : 'Ban'} ${player.name}`}
                        action={async () => {
                          const body = <p>Their calls fail and their streams end immediately.</p>;
                          if (!banned && !(await confirm(`Ban ${player.name}?`, body, 'Ban')))
                            return;
                          await admin.banPlayer({ player: player.playerId, banned: !banned });
                          loaded.again();
                        }}
                      >
                        {banned ? 'Lift the ban' : 'Ban'}
                      </ActionButton>
                      <ActionButton
                        class="button small danger"
                        label={`Revoke tokens of ${player.name}`}
                        action={async () => {
                          const body = <p>They cannot sign in until they get a new token.</p>;
                          if (
                            !(await confirm(`Revoke all tokens of ${player.name}?`, body, 'Revoke'))
                          )
                            return;
                          await admin.revokePlayerTokens({ player: player.playerId });
                          loaded.again();
                        }}
                      >
                        Revoke tokens
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
      label={`Quota of ${props.name}`}
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
            aria-label={`Games of ${props.name}`}
            placeholder="default"
            min={1}
            value={limit.value}
            onInput={(event) => (limit.value = event.currentTarget.value)}
          />
          <button
            type="submit"
            class="button small"
            aria-busy={busy}
            aria-label={`Set the quota of ${props.name}`}
          >
            Set
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
          Refresh
        </button>
      </p>
      <ErrorLine failure={loaded.failure.value} />
      <h2>Workers</h2>
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Plays</th>
              <th scope="col">Leases</th>
              <th scope="col">Connected</th>
            </tr>
          </thead>
          <tbody>
            {found?.workers.map((worker) => (
              <tr key={String(worker.number)}>
                <th scope="row">
                  <bdi>{worker.player?.name ?? 'gone'}</bdi>
                </th>
                <td>{count(worker.profiles.length, 'profile')}</td>
                <td class="number">
                  {worker.leases} of {worker.capacity}
                </td>
                <td>{instant(msOf(worker.connectTime))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>Leases</h2>
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Game</th>
              <th scope="col">Seat</th>
              <th scope="col">Decision</th>
              <th scope="col">Since</th>
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
      <h2>Parked decisions</h2>
      {found && found.parked.length === 0 ? <p class="faint">No parked decisions.</p> : null}
      <ul class="plain">
        {found?.parked.map((parked) => (
          <li key={`${parked.gameId} ${parked.seat} ${parked.vote}`}>
            <p>
              <a href={gamePath(parked.gameId)}>{parked.gameId}</a>, seat {parked.seat}:{' '}
              {parked.message} ({count(parked.failures, 'failure')})
            </p>
            <div class="row">
              {(
                [
                  ['Retry', ParkedRelease.RETRY],
                  ['Use the defaults', ParkedRelease.DEFAULT],
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
