// Verifies the dice from the journal in this browser, step by step.

import { diceSeedOf, type ProofStep, type Roll, verify } from '@heliopause/client/proof';
import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import { type ExportHeader, GameStatus, type VerifyGameResponse } from '../engine/contract';
import { Failure, failureOf } from '../engine/failure';
import { gamePath } from '../router';
import type { Table } from '../table/table';
import { Dialog, ErrorLine } from '../ui/components';
import { hex, rich, t } from '../words';

const ROLLS_SHOWN = 50;

interface Proved {
  entry: bigint;
  roll: Roll;
  /** The number drawn; undefined if a sandbox script set the value. */
  number: number | undefined;
  diceSeed: string;
}

interface Proven {
  fault: string;
  entries: number;
  entropies: number;
  rolls: Proved[];
  head: string;
  secret: string;
  commitment: string;
  diceSeed: string;
  server: VerifyGameResponse | undefined;
}

export function Proof({ table }: { table: Table }) {
  const proven = useSignal<Proven | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const progress = useSignal(0);
  const isBusy = useSignal(false);
  const game = table.game.value;
  const prove = async () => {
    isBusy.value = true;
    failure.value = undefined;
    proven.value = undefined;
    try {
      proven.value = await proof(table, (entries) => {
        progress.value = entries;
      });
    } catch (thrown) {
      failure.value = failureOf(thrown);
    }
    isBusy.value = false;
  };
  return (
    <main class="page proof">
      <header class="page-head">
        <h1>{t('proof-title')}</h1>
        <a class="button" href={gamePath(table.id)}>
          {t('report-to-table')}
        </a>
      </header>
      <p class="lead">{t('proof-lead')}</p>
      {game?.status === GameStatus.ENDED ? (
        <p>
          <button
            type="button"
            class="button strong"
            aria-busy={isBusy.value}
            disabled={isBusy.value}
            onClick={() => void prove()}
          >
            {isBusy.value ? t('proof-checking', { count: progress.value }) : t('proof-download')}
          </button>
        </p>
      ) : (
        <p class="note">{t('proof-later')}</p>
      )}
      <ErrorLine failure={failure.value} />
      {proven.value ? <Steps proven={proven.value} /> : null}
    </main>
  );
}

async function proof(table: Table, tell: (entries: number) => void): Promise<Proven> {
  let header: ExportHeader | undefined;
  const entries: Uint8Array[] = [];
  for await (const { part } of games.exportGame({ gameId: table.id })) {
    if (part.case === 'header') header = part.value;
    else if (part.case === 'entry') entries.push(part.value);
  }
  if (!header) throw new Failure(t('proof-no-journal'), 'UNREACHABLE');
  const proven: Proven = {
    fault: '',
    entries: 0,
    entropies: 0,
    rolls: [],
    head: '',
    secret: hex(header.seed),
    commitment: hex(table.game.value?.seedCommitment ?? new Uint8Array()),
    diceSeed: hex(diceSeedOf(header.seed)),
    server: undefined,
  };
  const note = (step: ProofStep) => {
    if (step.step === 'entry') {
      proven.entries += 1;
      proven.head = step.hash;
      if (proven.entries % 50 === 0) tell(proven.entries);
    } else if (step.step === 'entropy') {
      proven.entropies += 1;
      proven.diceSeed = step.diceSeed;
    } else if (step.step === 'roll') {
      const { entry, roll, number } = step;
      proven.rolls.push({ entry, roll, number, diceSeed: proven.diceSeed });
    }
  };
  // Checks against the commitment shown during the game, not against the one in the journal.
  const commitment = table.game.value?.seedCommitment;
  const found = await verify(
    { header, entries },
    { ...(commitment ? { commitment } : {}), onStep: note },
  );
  proven.fault = found.fault;
  proven.server = await games.verifyGame({ gameId: table.id }).catch(() => undefined);
  return proven;
}

function Steps({ proven }: { proven: Proven }) {
  const { fault, rolls, entries, entropies, server } = proven;
  const proved = rolls.filter((each) => each.number !== undefined);
  const isRoll = fault.startsWith('the roll');
  const isSecret = fault.startsWith('the secret');
  return (
    <>
      <p class={fault ? 'trouble' : 'verdict-good'} role="status">
        {fault
          ? t('proof-failed', { fault })
          : t('proof-verified', { entries, rolls: proved.length })}
      </p>
      <ol class="steps">
        <Step name={t('proof-commitment')} holds={!isSecret}>
          <p>{t('proof-commitment-text')}</p>
          <Facts
            facts={[
              [t('proof-secret'), proven.secret],
              [t('proof-published'), proven.commitment],
            ]}
          />
        </Step>
        <Step name={t('proof-chain')} holds={fault === '' || isRoll}>
          <p>{t('proof-chain-text', { entries })}</p>
          <Facts facts={[[t('proof-last-hash'), proven.head]]} />
        </Step>
        <Step name={t('proof-seed-of-dice')} holds={!isSecret}>
          <p>
            {entropies > 0 ? t('proof-seed-players', { count: entropies }) : t('proof-seed-alone')}
          </p>
          <Facts facts={[[t('proof-seed'), proven.diceSeed]]} />
        </Step>
        <Step name={t('proof-rolls')} holds={fault === ''}>
          <Rolls rolls={rolls} />
        </Step>
        {server ? (
          <Step name={t('proof-rules')} holds={server.valid}>
            <p>
              {t('proof-replayed', {
                replayed: String(server.replayed),
                entries: String(server.entries),
                fault: server.fault,
              })}
            </p>
          </Step>
        ) : null}
      </ol>
    </>
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </>
      ))}
    </dl>
  );
}

function Step(props: { name: string; holds: boolean; children: preact.ComponentChildren }) {
  return (
    <li class="card">
      <h2>
        {props.name}{' '}
        <span class={`chip ${props.holds ? 'good' : 'warm'}`}>
          {props.holds ? t('proof-valid') : t('proof-invalid')}
        </span>
      </h2>
      {props.children}
    </li>
  );
}

function Rolls({ rolls }: { rolls: readonly Proved[] }) {
  const shown = useSignal(ROLLS_SHOWN);
  const search = useSignal('');
  const asked = useSignal<Proved | undefined>(undefined);
  if (rolls.length === 0) return <p>{t('proof-no-dice')}</p>;
  const found = rolls.filter(({ roll }) => roll.draw.includes(search.value));
  return (
    <>
      <input
        type="search"
        aria-label={t('proof-find-roll')}
        placeholder={t('proof-find-roll-hint')}
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t('proof-entry')}</th>
              <th scope="col">{t('proof-purpose')}</th>
              <th scope="col">{t('proof-sides')}</th>
              <th scope="col">{t('proof-drawn')}</th>
              <th scope="col">{t('proof-result')}</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shown.value).map((each, index) => (
              <tr key={index}>
                <td class="number">{String(each.entry)}</td>
                <th scope="row">
                  <button type="button" class="link" onClick={() => (asked.value = each)}>
                    <code>{each.roll.draw}</code>
                  </button>
                </th>
                <td class="number">{each.roll.sides}</td>
                <td class="number">{each.number ?? t('proof-scripted')}</td>
                <td class="number">{each.roll.value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > shown.value ? (
        <button type="button" class="link" onClick={() => (shown.value += ROLLS_SHOWN * 4)}>
          {t('offers-more', { count: found.length - shown.value })}
        </button>
      ) : null}
      {asked.value ? (
        <OneRoll proved={asked.value} close={() => (asked.value = undefined)} />
      ) : null}
    </>
  );
}

/** The computation of one roll, for checking it by hand. */
function OneRoll({
  proved: { roll, number, diceSeed },
  close,
}: {
  proved: Proved;
  close: () => void;
}) {
  return (
    <Dialog title={t('proof-computation')} close={close}>
      {number === undefined ? (
        <p>{t('proof-set-by-script', { value: roll.value })}</p>
      ) : (
        <ol class="plain">
          <li>
            {rich('proof-blake', { seed: <code>{diceSeed}</code>, draw: <code>{roll.draw}</code> })}
          </li>
          <li>{rich('proof-bytes', { number: <code>{number}</code> })}</li>
          <li>
            {number} mod {roll.sides} + 1 = <strong>{roll.value}</strong>
          </li>
        </ol>
      )}
    </Dialog>
  );
}
