// Verifies the dice from the journal in this browser, step by step.

import { diceSeedOf, type ProofStep, type Roll, verify } from '@heliopause/client/proof';
import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import { type ExportHeader, GameStatus, type VerifyGameResponse } from '../engine/contract';
import { Failure, failureOf } from '../engine/failure';
import { gamePath } from '../router';
import type { Table } from '../table/table';
import { Dialog, ErrorLine } from '../ui/components';
import { count, hex } from '../words';

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
        <h1>Verification of the dice</h1>
        <a class="button" href={gamePath(table.id)}>
          To the table
        </a>
      </header>
      <p class="lead">
        Before the first roll the engine published the hash of a secret. Now the secret is known,
        and this page recomputes every roll from the journal alone.
      </p>
      {game?.status === GameStatus.ENDED ? (
        <p>
          <button
            type="button"
            class="button strong"
            aria-busy={isBusy.value}
            disabled={isBusy.value}
            onClick={() => void prove()}
          >
            {isBusy.value
              ? `Checking… ${progress.value} entries`
              : 'Download and verify the journal'}
          </button>
        </p>
      ) : (
        <p class="note">The secret is published when the game ends.</p>
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
  if (!header) throw new Failure('The engine sent no journal.', 'UNREACHABLE');
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
          ? `Verification failed: ${fault}.`
          : `Verified: ${count(entries, 'entry', 'entries')}, ${count(proved.length, 'roll')}.`}
      </p>
      <ol class="steps">
        <Step name="The commitment" holds={!isSecret}>
          <p>The SHA-256 hash of the secret equals the hash published when the game was created.</p>
          <Facts
            facts={[
              ['Secret', proven.secret],
              ['Published', proven.commitment],
            ]}
          />
        </Step>
        <Step name="The chain" holds={fault === '' || isRoll}>
          <p>
            Each of the {entries} entries contains a hash of the previous hash, a salt and its own
            content. No entry was changed, added or removed.
          </p>
          <Facts facts={[['Last hash', proven.head]]} />
        </Step>
        <Step name="The seed of the dice" holds={!isSecret}>
          <p>
            {entropies > 0
              ? `Derived from the secret and from the entropy of ${count(entropies, 'player')}, which the server could not know in advance.`
              : 'Derived from the secret alone: no player added entropy.'}
          </p>
          <Facts facts={[['Seed', proven.diceSeed]]} />
        </Step>
        <Step name="The rolls" holds={fault === ''}>
          <Rolls rolls={rolls} />
        </Step>
        {server ? (
          <Step name="The rules" holds={server.valid}>
            <p>
              The engine replays the entries of its current rules version and compares the
              positions. Replayed: {String(server.replayed)} of {String(server.entries)} entries.{' '}
              {server.fault}
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
          {props.holds ? 'valid' : 'invalid'}
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
  if (rolls.length === 0) return <p>No dice were rolled in this game.</p>;
  const found = rolls.filter(({ roll }) => roll.draw.includes(search.value));
  return (
    <>
      <input
        type="search"
        aria-label="Find a roll"
        placeholder="Find a roll by its purpose"
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      <div class="scroll-x">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">Entry</th>
              <th scope="col">Purpose</th>
              <th scope="col">Sides</th>
              <th scope="col">Number drawn</th>
              <th scope="col">Result</th>
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
                <td class="number">{each.number ?? 'scripted'}</td>
                <td class="number">{each.roll.value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > shown.value ? (
        <button type="button" class="link" onClick={() => (shown.value += ROLLS_SHOWN * 4)}>
          {found.length - shown.value} more
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
    <Dialog title="Computation of a roll" close={close}>
      {number === undefined ? (
        <p>A sandbox script set this roll to {roll.value}.</p>
      ) : (
        <ol class="plain">
          <li>
            BLAKE3, keyed by <code>{diceSeed}</code>, over the text <code>{roll.draw}</code>
          </li>
          <li>
            Four bytes of its output, the lowest first: <code>{number}</code>. Numbers above the
            last full multiple of the sides are skipped.
          </li>
          <li>
            {number} mod {roll.sides} + 1 = <strong>{roll.value}</strong>
          </li>
        </ol>
      )}
    </Dialog>
  );
}
