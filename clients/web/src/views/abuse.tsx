// Reports of abuse: the dialog for players, and the list for operators.

import { useSignal } from '@preact/signals';
import { admin } from '../engine/calls-operator';
import { chat } from '../engine/calls-table';
import { AbuseReason, type AbuseReport, ChatChannel, type ChatLine } from '../engine/contract';
import { gamePath } from '../router';
import {
  ActionButton,
  CallForm,
  Checkbox,
  Dialog,
  ErrorLine,
  Field,
  Select,
  useLoaded,
} from '../ui/components';
import { instant, msOf, t } from '../words';

/** What a player reports. */
export type Reported =
  | { case: 'line'; value: { gameId: string; channel: ChatChannel; number: bigint } }
  | { case: 'message'; value: { gameId: string; seat?: number; number: bigint } }
  | { case: 'player'; value: string };

function reasonWord(reason: AbuseReason): string {
  switch (reason) {
    case AbuseReason.INSULT:
      return t('chat-reason-insult');
    case AbuseReason.SPAM:
      return t('chat-reason-spam');
    case AbuseReason.CHEATING:
      return t('chat-reason-cheating');
    case AbuseReason.NAME:
      return t('chat-reason-name');
    default:
      return t('chat-reason-other');
  }
}

const REASONS = [
  AbuseReason.INSULT,
  AbuseReason.SPAM,
  AbuseReason.CHEATING,
  AbuseReason.NAME,
  AbuseReason.OTHER,
] as const;

/** A dialog in which a player reports a line, a message or a name to the operator. */
export function ReportDialog(props: { name: string; reported: Reported; close: () => void }) {
  const { name, reported, close } = props;
  const first = reported.case === 'player' ? AbuseReason.NAME : AbuseReason.INSULT;
  const reason = useSignal(String(first));
  const comment = useSignal('');
  const isSent = useSignal(false);
  if (isSent.value) {
    return (
      <Dialog title={t('chat-report-title', { name })} close={close}>
        <p role="status">{t('chat-report-sent')}</p>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('chat-report-title', { name })} close={close}>
      <CallForm
        label={t('chat-report-title', { name })}
        action={async () => {
          await chat.reportAbuse({
            what: reported,
            reason: Number(reason.value) as AbuseReason,
            comment: comment.value.trim(),
          });
          isSent.value = true;
        }}
      >
        {(busy) => (
          <>
            <p>{t('chat-report-explained')}</p>
            <Field label={t('chat-reason')}>
              {(id) => (
                <Select
                  id={id}
                  value={reason.value}
                  options={REASONS.map((each) => [String(each), reasonWord(each)] as const)}
                  set={(value) => (reason.value = value)}
                />
              )}
            </Field>
            <Field label={t('chat-comment')} hint={t('chat-comment-hint')}>
              {(id, hint) => (
                <textarea
                  id={id}
                  aria-describedby={hint}
                  rows={3}
                  maxLength={500}
                  value={comment.value}
                  onInput={(event) => (comment.value = event.currentTarget.value)}
                />
              )}
            </Field>
            <button type="submit" class="button strong" aria-busy={busy}>
              {t('chat-report')}
            </button>
          </>
        )}
      </CallForm>
    </Dialog>
  );
}

/** The operator's list of reports. */
export function ReportsPart() {
  const resolved = useSignal(false);
  const loaded = useLoaded(() => admin.listReports({ resolved: resolved.value, pageSize: 100 }));
  const reports = loaded.value.value?.reports;
  return (
    <>
      <Checkbox value={resolved.value} set={(value) => (resolved.value = value)}>
        {t('chat-show-resolved')}
      </Checkbox>
      <ErrorLine failure={loaded.failure.value} />
      {reports?.length === 0 ? <p class="faint">{t('chat-no-reports')}</p> : null}
      {reports?.map((report) => (
        <ReportCard key={report.reportId} report={report} again={loaded.again} />
      ))}
    </>
  );
}

function ReportCard({ report, again }: { report: AbuseReport; again: () => void }) {
  const note = useSignal('');
  const removes = useSignal(false);
  const player = report.player === '' ? t('chat-unknown') : report.player;
  const reporter = report.reporter === '' ? t('chat-deleted-account') : report.reporter;
  const isLine = report.channel !== ChatChannel.UNSPECIFIED;
  return (
    <article class="card report-card" aria-label={t('chat-report-of', { player })}>
      <h2>
        <bdi>{player}</bdi> <span class="chip">{reasonWord(report.reason)}</span>
      </h2>
      <p class="faint">
        {t('chat-reported-by', { reporter })} · {instant(msOf(report.reportTime))}
        {report.gameId === '' ? null : (
          <>
            {' · '}
            <a href={gamePath(report.gameId)}>{t('chat-game')}</a>
          </>
        )}
      </p>
      {report.context.length > 0 ? (
        <ol class="chat-lines context">
          {report.context.map((line) => (
            <ContextLine
              key={String(line.number)}
              line={line}
              isReported={line.number === report.number}
            />
          ))}
        </ol>
      ) : (
        <blockquote dir="auto" class="message-text">
          {report.text}
        </blockquote>
      )}
      {report.comment === '' ? null : (
        <p class="message-text" dir="auto">
          {report.comment}
        </p>
      )}
      {report.resolveTime ? (
        <p class="hint">
          {t('chat-resolved-by', { resolver: report.resolver })} ·{' '}
          {instant(msOf(report.resolveTime))} <bdi>{report.note}</bdi>
        </p>
      ) : (
        <CallForm
          class="row wrap"
          label={t('chat-resolve-of', { player })}
          action={async () => {
            await admin.resolveReport({
              reportId: report.reportId,
              note: note.value.trim(),
              removeLine: removes.value,
            });
            again();
          }}
        >
          {(busy) => (
            <>
              <input
                aria-label={t('chat-note')}
                placeholder={t('chat-note')}
                maxLength={500}
                value={note.value}
                onInput={(event) => (note.value = event.currentTarget.value)}
              />
              {isLine ? (
                <Checkbox value={removes.value} set={(value) => (removes.value = value)}>
                  {t('chat-remove-line')}
                </Checkbox>
              ) : null}
              <button type="submit" class="button small strong" aria-busy={busy}>
                {t('chat-resolve')}
              </button>
            </>
          )}
        </CallForm>
      )}
      {report.playerId === '' ? null : <Silence playerId={report.playerId} player={player} />}
    </article>
  );
}

function ContextLine({ line, isReported }: { line: ChatLine; isReported: boolean }) {
  return (
    <li class={isReported ? 'reported' : ''}>
      <span class="chat-author">
        <bdi>{line.author}</bdi>
      </span>{' '}
      {isReported ? <span class="hidden">{t('chat-this-line')}</span> : null}
      <span class="chat-text" dir="auto">
        {line.removed ? t('chat-removed') : line.text}
      </span>
    </li>
  );
}

const HOUR = 3_600;

/** A form that silences a player, or lets the player write again. */
function Silence({ playerId, player }: { playerId: string; player: string }) {
  const seconds = useSignal(String(24 * HOUR));
  const why = useSignal('');
  const until = useSignal<number | undefined>(undefined);
  const times: readonly (readonly [string, string])[] = [
    [String(HOUR), t('chat-hours', { number: 1 })],
    [String(24 * HOUR), t('chat-days', { number: 1 })],
    [String(7 * 24 * HOUR), t('chat-days', { number: 7 })],
    [String(30 * 24 * HOUR), t('chat-days', { number: 30 })],
  ];
  return (
    <CallForm
      class="row wrap"
      label={t('chat-silence-of', { player })}
      action={async () => {
        const duration = { seconds: BigInt(seconds.value), nanos: 0 };
        const { endTime } = await admin.silencePlayer({
          player: playerId,
          duration,
          why: why.value.trim(),
        });
        until.value = msOf(endTime);
      }}
    >
      {(busy) => (
        <>
          <Select
            label={t('chat-silence-time')}
            value={seconds.value}
            options={times}
            set={(value) => (seconds.value = value)}
          />
          <input
            aria-label={t('chat-silence-why')}
            placeholder={t('chat-silence-why')}
            maxLength={500}
            value={why.value}
            onInput={(event) => (why.value = event.currentTarget.value)}
          />
          <button type="submit" class="button small danger" aria-busy={busy}>
            {t('chat-silence')}
          </button>
          <ActionButton
            class="button small"
            label={t('chat-unsilence-name', { player })}
            action={async () => {
              await admin.silencePlayer({ player: playerId });
              until.value = undefined;
            }}
          >
            {t('chat-unsilence')}
          </ActionButton>
          {until.value === undefined ? null : (
            <span role="status" class="hint">
              {t('chat-silenced-until', { time: instant(until.value) })}
            </span>
          )}
        </>
      )}
    </CallForm>
  );
}

/** Buttons of a profile: mute the player, and report the name. */
export function PlayerActions({ playerId, name }: { playerId: string; name: string }) {
  const reports = useSignal(false);
  const isMuted = useSignal<boolean | undefined>(undefined);
  const loaded = useLoaded(async () => (await chat.listMutes({})).players);
  const muted =
    isMuted.value ?? loaded.value.value?.some((each) => each.playerId === playerId) ?? false;
  return (
    <>
      <ActionButton
        class="button"
        action={async () => {
          const who = { case: 'player' as const, value: playerId };
          await (muted ? chat.unmutePlayer({ who }) : chat.mutePlayer({ who }));
          isMuted.value = !muted;
        }}
      >
        {muted ? t('chat-unmute') : t('chat-mute')}
      </ActionButton>
      <button type="button" class="button" onClick={() => (reports.value = true)}>
        {t('chat-report')}
      </button>
      {reports.value ? (
        <ReportDialog
          name={name}
          reported={{ case: 'player', value: playerId }}
          close={() => (reports.value = false)}
        />
      ) : null}
    </>
  );
}
