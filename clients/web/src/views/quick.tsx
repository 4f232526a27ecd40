// Quick play: one button that finds opponents, and the line that shows the wait.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type GameKind, QueueState, QuickPace } from '../engine/contract';
import { recall, remember } from '../engine/storage';
import { dismissEntry, joinQueue, leaveQueue, queued } from '../quick';
import { gamePath, go, route } from '../router';
import {
  ActionButton,
  CallForm,
  Checkbox,
  Dialog,
  ErrorLine,
  Field,
  now,
  Select,
  useLoaded,
} from '../ui/components';
import { durationMs, msOf, span, t } from '../words';
import { kindsOf, loadKinds } from './kinds';

const PREFERENCES = 3;
const NEVER = 'never';

/** What the player chose last, on this device. */
interface Choice {
  kind: string;
  players: string;
  pace: string;
  rated: boolean;
  bots: string;
  preferences: readonly string[];
}

const FIRST: Choice = {
  kind: '',
  players: '',
  pace: String(QuickPace.LIVE),
  rated: false,
  bots: '60',
  preferences: [],
};

const isLive = (pace: string) => [QuickPace.FAST, QuickPace.LIVE].includes(Number(pace));

export function QuickPlay() {
  const isOpen = useSignal(false);
  const close = () => (isOpen.value = false);
  return (
    <>
      <button type="button" class="button strong" onClick={() => (isOpen.value = true)}>
        {t('quick-play')}
      </button>
      {isOpen.value ? (
        <Dialog title={t('quick-play')} close={close}>
          <Choices close={close} />
        </Dialog>
      ) : null}
    </>
  );
}

function Choices({ close }: { close: () => void }) {
  const loaded = useLoaded(loadKinds);
  const choice = useSignal<Choice>({ ...FIRST, ...recall<Partial<Choice>>('quick-play', {}) });
  const kinds = (kindsOf.value ?? []).filter(({ playersMax }) => playersMax > 1);
  const kind = kinds.find((each) => each.kind === choice.value.kind) ?? kinds[0];
  if (!kind) return <ErrorLine failure={loaded.failure.value} />;
  const set = (part: Partial<Choice>) => {
    choice.value = { ...choice.value, ...part };
    remember('quick-play', choice.value);
  };
  const { players, pace, rated, bots, preferences } = choice.value;
  const find = async () => {
    const number = sizesOf(kind).includes(Number(players)) ? Number(players) : 0;
    await joinQueue({
      kind: kind.kind,
      playersMin: number,
      playersMax: number,
      pace: Number(pace),
      rated,
      ...(bots === NEVER ? {} : { botsAfter: { seconds: BigInt(bots) } }),
      preferences: seatsOf(kind, preferences, number || kind.playersUsual),
    });
    close();
  };
  return (
    <CallForm class="form" label={t('quick-play')} action={find}>
      {(busy) => (
        <>
          <Field label={t('quick-game')}>
            {(id) => (
              <Select
                id={id}
                value={kind.kind}
                options={kinds.map((each) => [each.kind, each.name] as const)}
                set={(value) => set({ kind: value, players: '', preferences: [] })}
              />
            )}
          </Field>
          <Field label={t('quick-players')}>
            {(id) => (
              <Select
                id={id}
                value={sizesOf(kind).includes(Number(players)) ? players : ''}
                options={[
                  [
                    '',
                    t('quick-players-usual', { count: Math.max(kind.playersUsual, 2) }),
                  ] as const,
                  ...sizesOf(kind).map((size) => [String(size), String(size)] as const),
                ]}
                set={(value) => set({ players: value })}
              />
            )}
          </Field>
          <Field label={t('quick-pace')}>
            {(id) => (
              <Select
                id={id}
                value={pace}
                options={[
                  [String(QuickPace.FAST), t('quick-pace-fast')],
                  [String(QuickPace.LIVE), t('quick-pace-live')],
                  [String(QuickPace.DAILY), t('quick-pace-daily')],
                  [String(QuickPace.SLOW), t('quick-pace-slow')],
                ]}
                set={(value) =>
                  set(
                    isLive(value) === isLive(pace) ? { pace: value } : { pace: value, bots: NEVER },
                  )
                }
              />
            )}
          </Field>
          <Field label={t('quick-bots')} hint={t('quick-bots-hint')}>
            {(id, hint) => (
              <Select
                id={id}
                describedBy={hint}
                value={bots}
                options={[
                  [NEVER, t('quick-bots-never')] as const,
                  ['0', t('quick-bots-now')] as const,
                  ...waits(pace).map((wait) => [String(wait), span(wait)] as const),
                ]}
                set={(value) => set({ bots: value })}
              />
            )}
          </Field>
          {kind.roles.length > 0 ? (
            <Preferences
              kind={kind}
              chosen={preferences}
              set={(chosen) => set({ preferences: chosen })}
            />
          ) : null}
          <Checkbox value={rated} set={(value) => set({ rated: value })}>
            {t('quick-rated')}
          </Checkbox>
          <p class="hint">{t('quick-lots')}</p>
          <p class="row">
            <button type="submit" class="button strong large" aria-busy={busy}>
              {t('quick-find')}
            </button>
          </p>
        </>
      )}
    </CallForm>
  );
}

/** Returns the numbers of players of a kind. */
function sizesOf({ playersMin, playersMax }: GameKind): number[] {
  const least = Math.max(playersMin, 2);
  return Array.from({ length: playersMax - least + 1 }, (_, index) => least + index);
}

/** Returns the waits for automation in seconds. */
function waits(pace: string): number[] {
  return isLive(pace) ? [30, 60, 120, 300] : [600, 3_600, 86_400];
}

/** Returns the preferred seats, without those that a game of this size lacks. */
function seatsOf(kind: GameKind, preferences: readonly string[], players: number): number[] {
  const seats = preferences.map(Number).filter((seat) => seat > 0 && seat <= players);
  return kind.roles.length > 0 ? [...new Set(seats)] : [];
}

function Preferences(props: {
  kind: GameKind;
  chosen: readonly string[];
  set: (chosen: string[]) => void;
}) {
  const { kind, chosen, set } = props;
  const places = Array.from({ length: PREFERENCES }, (_, index) => index);
  return (
    <fieldset class="field">
      <legend>{t('quick-preferences')}</legend>
      <div class="row wrap">
        {places.map((place) => (
          <Select
            key={place}
            label={t('quick-preference', { place: place + 1 })}
            value={chosen[place] ?? ''}
            options={[
              ['', t('quick-preference-none')] as const,
              ...kind.roles.map((role, index) => [String(index + 1), role] as const),
            ]}
            set={(value) =>
              set(places.map((each) => (each === place ? value : (chosen[each] ?? ''))))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Shows the wait on every page, and the game of a match that the page did not open itself. */
export function QueueLine() {
  const entry = queued.value;
  const shown = route.value;
  const isEntered =
    entry?.state === QueueState.READY && shown.at === 'game' && shown.game === entry.gameId;
  useEffect(() => {
    if (isEntered) dismissEntry();
  }, [isEntered]);
  if (!entry || isEntered) return null;
  const kind = kindsOf.value?.find((each) => each.kind === entry.kind)?.name ?? entry.kind;
  const since = msOf(entry.joinTime) ?? now.value;
  const botsAfter = durationMs(entry.botsAfter);
  return (
    <div class="queue-line" role="status">
      {entry.state === QueueState.READY ? (
        <>
          <span>{t('quick-ready', { kind })}</span>
          <a
            class="button strong small"
            href={gamePath(entry.gameId)}
            onClick={(event) => {
              event.preventDefault();
              dismissEntry();
              go(gamePath(entry.gameId));
            }}
          >
            {t('quick-open')}
          </a>
          <button type="button" class="button small" onClick={dismissEntry}>
            {t('page-dismiss')}
          </button>
        </>
      ) : entry.state === QueueState.MATCHED ? (
        <span>{t('quick-matched', { kind })}</span>
      ) : (
        <>
          <span>{t('quick-waiting', { kind, players: entry.waiting })}</span>
          <span class="faint" aria-hidden="true">
            {[
              t('quick-waited', { span: span((now.value - since) / 1000) }),
              ...(botsAfter === undefined
                ? []
                : [t('quick-bots-in', { span: span((since + botsAfter - now.value) / 1000) })]),
            ].join('; ')}
          </span>
          <ActionButton class="button small" action={leaveQueue}>
            {t('page-cancel')}
          </ActionButton>
        </>
      )}
    </div>
  );
}
