// The page finds forged journals and shows what is wrong and where.

import { createHash } from 'node:crypto';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { ExportGameResponseSchema } from '@heliopause/client/contract';
import { type Entry, EntrySchema } from '../../typescript/gen/heliopause/store/v1/store_pb.js';
import { expect, test } from './support/fixtures';
import { solo } from './support/people';
import { EngineProxy } from './support/proxy';
import { RandomClicker } from './support/random-clicker';

const sha256 = (...parts: (Uint8Array | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** A forger who knows the secret and changes or drops journal entries on their way to the page. */
class Forger {
  private secret: Uint8Array = new Uint8Array();
  private head: Uint8Array = new Uint8Array();
  private readonly change: (entry: Entry, number: number) => 'unchanged' | 'rehashed' | 'dropped';
  private readonly ofHeader: 'unchanged' | 'other secret' | 'no end';
  private count = 0;

  constructor(
    change: (entry: Entry, number: number) => 'unchanged' | 'rehashed' | 'dropped',
    ofHeader: 'unchanged' | 'other secret' | 'no end' = 'unchanged',
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
      if (how === 'dropped') return new Uint8Array();
      part.value = how === 'rehashed' ? this.sealed(entry) : toBinary(EntrySchema, entry);
    }
    return toBinary(ExportGameResponseSchema, message);
  };

  /** Returns the entry with a matching hash, which only a forger with the secret can compute. */
  private sealed(entry: Entry): Uint8Array {
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(entry.number);
    const salt = sha256('heliopause salt', this.secret, number);
    const content = sha256(toBinary(EntrySchema, { ...entry, hash: new Uint8Array() }));
    this.head = sha256(this.head, salt, content);
    return toBinary(EntrySchema, { ...entry, hash: this.head });
  }
}

test('the page detects a forged journal and shows where it was forged', async ({
  page,
  place,
  open,
}) => {
  const ann = await place.newcomer();
  const proxy = await EngineProxy.start(() => place.engine.port);
  const id = await solo(ann, 'starships-at-large', 1, { options: { rounds: 2 } });
  await open(page, { ...place, proxy }, ann, `/game/${id}`);
  await new RandomClicker(page, 11).play();
  const { entries, rolls } = await ann.games.verifyGame({ gameId: id });
  expect(rolls).toBeGreaterThan(0n);
  await page.goto(`${proxy.url}/game/${id}/proof`);
  const verdict = page.locator('.proof [role=status]');
  const step = (name: string) => page.locator('.steps > li', { hasText: name }).locator('h2');
  const prove = async (forger: Forger, fault: string | RegExp, failing: string[]) => {
    proxy.twist = forger.twist;
    await page.getByRole('button', { name: 'Download and verify' }).click();
    await expect(verdict).toContainText(fault);
    await expect(verdict).toHaveClass('trouble');
    for (const name of ['The commitment', 'The chain', 'The seed of the dice', 'The rolls'])
      await expect(step(name)).toContainText(failing.includes(name) ? 'invalid' : /(?<!in)valid/);
  };

  // A changed time in an entry.
  await prove(
    new Forger((entry, number) => {
      if (number === 3 && entry.time) entry.time.seconds += 1n;
      return 'unchanged';
    }),
    'the hash of entry 3 does not match: it or an earlier entry was changed',
    ['The chain', 'The rolls'],
  );
  await prove(new Forger((_, number) => (number === 3 ? 'dropped' : 'unchanged')), /entry/, [
    'The chain',
    'The rolls',
  ]);
  // A missing last entry.
  await prove(
    new Forger((_, number) => (BigInt(number) === entries ? 'dropped' : 'unchanged')),
    'the last hash of the journal differs from the hash in the header',
    ['The chain', 'The rolls'],
  );
  // A secret other than the one committed to before the first roll.
  await prove(
    new Forger(() => 'unchanged', 'other secret'),
    'the secret does not match its commitment',
    ['The commitment', 'The chain', 'The seed of the dice', 'The rolls'],
  );
  // A changed die, with all hashes recomputed from the secret.
  let forged = '';
  await prove(
    new Forger((entry) => {
      const [roll] = entry.rolls;
      if (roll && !roll.scripted && forged === '') {
        forged = roll.draw;
        roll.value = (roll.value % roll.sides) + 1;
      }
      return 'rehashed';
    }, 'no end'),
    /the roll .* does not follow from the seed/,
    ['The rolls'],
  );
  await expect(verdict).toContainText(forged);
  proxy.twist = undefined;
  await page.getByRole('button', { name: 'Download and verify' }).click();
  await expect(page.locator('.verdict-good')).toContainText(
    `${rolls.toLocaleString('en-GB')} roll`,
  );
  await proxy.stop();
});
