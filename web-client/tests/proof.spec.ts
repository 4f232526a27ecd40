// The proof page before journals that were forged on their way: it says what is wrong, and where.

import { createHash } from 'node:crypto';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { ExportGameResponseSchema } from '@heliopause/client/contract';
import {
  type Entry,
  EntrySchema,
} from '../../clients/typescript/gen/heliopause/store/v1/store_pb.js';
import { Clicker } from './support/clicker';
import { expect, test } from './support/fixtures';
import { Front } from './support/front';
import { solo } from './support/people';

const sha256 = (...parts: (Uint8Array | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** A forger of the journal: sees the secret, and hands every entry on, or not. */
class Forger {
  private secret: Uint8Array = new Uint8Array();
  private head: Uint8Array = new Uint8Array();
  private readonly change: (entry: Entry, number: number) => 'as it is' | 'anew' | 'none';
  private readonly ofHeader: 'kept' | 'other secret' | 'no end';
  private count = 0;

  constructor(
    change: (entry: Entry, number: number) => 'as it is' | 'anew' | 'none',
    ofHeader: 'kept' | 'other secret' | 'no end' = 'kept',
  ) {
    this.change = change;
    this.ofHeader = ofHeader;
  }

  readonly twist = (path: string, bytes: Uint8Array): Uint8Array => {
    if (!path.endsWith('/ExportGame')) return bytes;
    const message = fromBinary(ExportGameResponseSchema, bytes);
    const { part } = message;
    if (part.case === 'header') {
      this.secret = part.value.seed;
      if (this.ofHeader === 'other secret') part.value.seed = sha256(part.value.seed);
      if (this.ofHeader === 'no end') part.value.chainHead = new Uint8Array();
    } else if (part.case === 'entry') {
      this.count += 1;
      const entry = fromBinary(EntrySchema, part.value);
      const how = this.change(entry, this.count);
      if (how === 'none') return new Uint8Array();
      part.value = how === 'anew' ? this.sealed(entry) : toBinary(EntrySchema, entry);
    }
    return toBinary(ExportGameResponseSchema, message);
  };

  /** The entry with the hash that it would have had, by whoever knows the secret. */
  private sealed(entry: Entry): Uint8Array {
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(entry.number);
    const salt = sha256('heliopause salt', this.secret, number);
    const content = sha256(toBinary(EntrySchema, { ...entry, hash: new Uint8Array() }));
    this.head = sha256(this.head, salt, content);
    return toBinary(EntrySchema, { ...entry, hash: this.head });
  }
}

test('a journal that was forged is found out, and the page says where', async ({
  page,
  place,
  open,
}) => {
  const ann = await place.newcomer();
  const front = await Front.start(() => place.engine.port);
  const id = await solo(ann, 'starships-at-large', 1, { options: { rounds: 2 } });
  await open(page, { ...place, front }, ann, `/game/${id}`);
  await new Clicker(page, 11).play();
  const { entries, rolls } = await ann.games.verifyGame({ gameId: id });
  expect(rolls).toBeGreaterThan(0n);
  await page.goto(`${front.url}/game/${id}/proof`);
  const verdict = page.locator('.proof [role=status]');
  const step = (name: string) => page.locator('.steps > li', { hasText: name }).locator('h2');
  const prove = async (forger: Forger, fault: string | RegExp, failing: string[]) => {
    front.twist = forger.twist;
    await page.getByRole('button', { name: 'Fetch the journal' }).click();
    await expect(verdict).toContainText(fault);
    await expect(verdict).toHaveClass('trouble');
    for (const name of ['The commitment', 'The chain', 'The seed of the dice', 'The rolls'])
      await expect(step(name)).toContainText(failing.includes(name) ? 'fails' : 'holds');
  };

  // A time in an entry.
  await prove(
    new Forger((entry, number) => {
      if (number === 3 && entry.time) entry.time.seconds += 1n;
      return 'as it is';
    }),
    'the hash of entry 3 does not fit: it or an earlier entry was changed',
    ['The chain', 'The rolls'],
  );
  // An entry left out.
  await prove(new Forger((_, number) => (number === 3 ? 'none' : 'as it is')), /entry/, [
    'The chain',
    'The rolls',
  ]);
  // The last one left out.
  await prove(
    new Forger((_, number) => (BigInt(number) === entries ? 'none' : 'as it is')),
    'the journal does not end with the hash that the engine gave',
    ['The chain', 'The rolls'],
  );
  // Another secret than the one that was published before the first roll.
  await prove(
    new Forger(() => 'as it is', 'other secret'),
    'the secret is not the one that was committed to',
    ['The commitment', 'The chain', 'The seed of the dice', 'The rolls'],
  );
  // A die, by a forger who knows the secret and makes all hashes anew.
  let forged = '';
  await prove(
    new Forger((entry) => {
      const [roll] = entry.rolls;
      if (roll && !roll.scripted && forged === '') {
        forged = roll.draw;
        roll.value = (roll.value % roll.sides) + 1;
      }
      return 'anew';
    }, 'no end'),
    /the roll .* is not what the seed says/,
    ['The rolls'],
  );
  await expect(verdict).toContainText(forged);
  // And the true one holds.
  front.twist = undefined;
  await page.getByRole('button', { name: 'Fetch the journal' }).click();
  await expect(page.locator('.verdict-good')).toContainText(`${rolls} roll`);
  await front.stop();
});
