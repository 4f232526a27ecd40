// The proof of the dice, step by step, made in this browser from the journal.

import { useSignal } from '@preact/signals';
import { games } from '../engine/calls';
import { GameStatus, type VerifyGameResponse } from '../engine/contract';
import { Failure, failureOf } from '../engine/failure';
import { drawn, type Findings, type Roll, Verifier } from '../proof/verify';
import { gamePath } from '../router';
import type { Table } from '../table/table';
import { Dialog, Trouble } from '../ui/parts';
import { count, hex } from '../words';

const ROLLS_SHOWN = 50;
/** After so many entries the page breathes. */
const BREATH = 200;

interface Proven {
  findings: Findings;
  secret: Uint8Array;
  commitment: Uint8Array;
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
  const commitment = table.game.value?.seedCommitment ?? new Uint8Array();
  let verifier: Verifier | undefined;
  let secret = new Uint8Array();
  let head = new Uint8Array();
  for await (const { part } of games.exportGame({ gameId: table.id })) {
    if (part.case === 'header') {
      if (!part.value.complete) throw new Failure('The journal is not public.', 'NOT_FOUND');
      secret = part.value.seed as Uint8Array<ArrayBuffer>;
      head = part.value.chainHead as Uint8Array<ArrayBuffer>;
      verifier = new Verifier(secret, commitment);
    } else if (part.case === 'entry' && verifier) {
      verifier.entry(part.value);
      if (verifier.findings.entries % BREATH === 0) {
        tell(verifier.findings.entries);
        await new Promise((resume) => setTimeout(resume));
      }
    }
  }
  if (!verifier) throw new Failure('The engine sent no journal.', 'UNREACHABLE');
  const findings = verifier.finish(head);
  const server = await games.verifyGame({ gameId: table.id }).catch(() => undefined);
  return { findings, secret, commitment, server };
}

function Steps({ proven: { findings, secret, commitment, server } }: { proven: Proven }) {
  const { fault, rolls, entries, entropies } = findings;
  const proved = rolls.filter((roll) => roll.proved !== undefined);
  const isChained = fault === undefined || !/hash|journal|follows|read/.test(fault);
  return (
    <>
      <p class={fault ? 'trouble' : 'verdict-good'} role="status">
        {fault
          ? `The proof fails: ${fault}.`
          : `Everything holds: ${count(entries, 'entry', 'entries')}, ${count(proved.length, 'roll')} proved.`}
      </p>
      <ol class="steps">
        <Step name="The commitment" holds={findings.hasCommitment}>
          <p>SHA-256 of the secret is what was published when the game was created.</p>
          <dl>
            <dt>Secret</dt>
            <dd>
              <code>{hex(secret)}</code>
            </dd>
            <dt>Published</dt>
            <dd>
              <code>{hex(commitment)}</code>
            </dd>
          </dl>
        </Step>
        <Step name="The chain" holds={isChained}>
          <p>
            Each of the {entries} entries carries the hash of the one before, of a salt, and of
            itself: none was changed, added or left out.
          </p>
          <dl>
            <dt>Last hash</dt>
            <dd>
              <code>{hex(findings.head)}</code>
            </dd>
          </dl>
        </Step>
        <Step name="The seed of the dice" holds={findings.hasCommitment}>
          <p>
            {entropies > 0
              ? `The secret, and the entropy of ${count(entropies, 'player')} which the engine did not know before.`
              : 'The secret alone: no player added entropy of their own.'}
          </p>
          <dl>
            <dt>Seed</dt>
            <dd>
              <code>{hex(findings.diceSeed)}</code>
            </dd>
          </dl>
        </Step>
        <Step
          name="The rolls"
          holds={rolls.every((roll) => roll.proved === undefined || roll.proved === roll.value)}
        >
          <Rolls rolls={rolls} seed={findings.diceSeed} />
        </Step>
        {server ? (
          <Step name="The rules" holds={server.valid}>
            <p>
              The engine replayed {String(server.replayed)} of {String(server.entries)} entries by
              its rules, and came to the same positions.
              {server.fault ? ` ${server.fault}` : ''}
            </p>
          </Step>
        ) : null}
      </ol>
    </>
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

function Rolls({ rolls, seed }: { rolls: readonly Roll[]; seed: Uint8Array }) {
  const shown = useSignal(ROLLS_SHOWN);
  const search = useSignal('');
  const asked = useSignal<Roll | undefined>(undefined);
  if (rolls.length === 0) return <p>Nothing was rolled in this game.</p>;
  const found = rolls.filter((roll) => roll.draw.includes(search.value));
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
              <th scope="col">Showed</th>
              <th scope="col">Computed</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shown.value).map((roll, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list of rolls never changes
              <tr key={index}>
                <td class="number">{String(roll.entry)}</td>
                <th scope="row">
                  <button type="button" class="link" onClick={() => (asked.value = roll)}>
                    <code>{roll.draw}</code>
                  </button>
                </th>
                <td class="number">{roll.sides}</td>
                <td class="number">{roll.value}</td>
                <td class="number">{roll.proved ?? 'scripted'}</td>
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
        <OneRoll roll={asked.value} seed={seed} close={() => (asked.value = undefined)} />
      ) : null}
    </>
  );
}

/** How one roll comes about, so that anybody can do it by hand. */
function OneRoll({ roll, seed, close }: { roll: Roll; seed: Uint8Array; close: () => void }) {
  const { numbers } = drawn(seed, roll.draw, roll.sides);
  const last = numbers.at(-1) ?? 0;
  return (
    <Dialog title="A roll, by hand" close={close}>
      <ol class="plain">
        <li>
          BLAKE3, keyed by the seed of the dice, over the text <code>{roll.draw}</code>
        </li>
        <li>
          The first four bytes of its output, the lowest first: <code>{numbers[0]}</code>
          {numbers.length > 1
            ? `; too high to be fair, so ${count(numbers.length - 1, 'more number')} was drawn: ${last}`
            : ''}
        </li>
        <li>
          {last} mod {roll.sides} + 1 = <strong>{(last % roll.sides) + 1}</strong>
        </li>
      </ol>
    </Dialog>
  );
}
