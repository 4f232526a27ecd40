// The proof of the dice, step by step, made in this browser from the journal.

import { diceSeedOf, type ProofStep, type Roll, verify } from '@heliopause/client/proof';
import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import { type ExportHeader, GameStatus, type VerifyGameResponse } from '../engine/contract';
import { Failure, failureOf } from '../engine/failure';
import { gamePath } from '../router';
import type { Table } from '../table/table';
import { Dialog, Trouble } from '../ui/parts';
import { count, hex } from '../words';

const ROLLS_SHOWN = 50;

/** A roll that held. */
interface Proved {
  entry: bigint;
  roll: Roll;
  /** The number that was drawn; undefined if a script of a sandbox said the value. */
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
        <h1>Proof of the dice</h1>
        <a class="button" href={gamePath(table.id)}>
          To the table
        </a>
      </header>
      <p class="lead">
        Before the first roll the engine published the hash of a secret. Now the secret is known,
        and this page computes every roll anew, from the journal alone.
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
              : 'Fetch the journal and check it'}
          </button>
        </p>
      ) : (
        <p class="note">The secret is published when the game is over.</p>
      )}
      <Trouble failure={failure.value} />
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
  // The commitment that this page was told counts, not that of the journal itself.
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
          ? `The proof fails: ${fault}.`
          : `Everything holds: ${count(entries, 'entry', 'entries')}, ${count(proved.length, 'roll')} proved.`}
      </p>
      <ol class="steps">
        <Step name="The commitment" holds={!isSecret}>
          <p>SHA-256 of the secret is what was published when the game was created.</p>
          <Facts
            facts={[
              ['Secret', proven.secret],
              ['Published', proven.commitment],
            ]}
          />
        </Step>
        <Step name="The chain" holds={fault === '' || isRoll}>
          <p>
            Each of the {entries} entries carries the hash of the one before, of a salt, and of
            itself: none was changed, added or left out.
          </p>
          <Facts facts={[['Last hash', proven.head]]} />
        </Step>
        <Step name="The seed of the dice" holds={!isSecret}>
          <p>
            {entropies > 0
              ? `The secret, and the entropy of ${count(entropies, 'player')}, which the engine did not know before.`
              : 'The secret alone: no player added entropy of their own.'}
          </p>
          <Facts facts={[['Seed', proven.diceSeed]]} />
        </Step>
        <Step name="The rolls" holds={fault === ''}>
          <Rolls rolls={rolls} />
        </Step>
        {server ? (
          <Step name="The rules" holds={server.valid}>
            <p>
              The engine replayed {String(server.replayed)} of {String(server.entries)} entries by
              its rules, and came to the same positions. {server.fault}
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
          {props.holds ? 'holds' : 'fails'}
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
  if (rolls.length === 0) return <p>Nothing was rolled in this game.</p>;
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
              <th scope="col">What for</th>
              <th scope="col">Sides</th>
              <th scope="col">Drew</th>
              <th scope="col">Showed</th>
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

/** How one roll comes about, so that anybody can do it by hand. */
function OneRoll({
  proved: { roll, number, diceSeed },
  close,
}: {
  proved: Proved;
  close: () => void;
}) {
  return (
    <Dialog title="A roll, by hand" close={close}>
      {number === undefined ? (
        <p>A script of the sandbox said {roll.value}.</p>
      ) : (
        <ol class="plain">
          <li>
            BLAKE3, keyed by <code>{diceSeed}</code>, over the text <code>{roll.draw}</code>
          </li>
          <li>
            Four bytes of its output, the lowest first: <code>{number}</code>. Numbers above the
            last full multiple of the sides are passed over.
          </li>
          <li>
            {number} mod {roll.sides} + 1 = <strong>{roll.value}</strong>
          </li>
        </ol>
      )}
    </Dialog>
  );
}
