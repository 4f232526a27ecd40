// Verification of a finished game succeeds, and detects every change.

import { createHash } from 'node:crypto';
import { atRandom, Bot, connect, type Engine, type Export, Lobby } from '@heliopause/client';
import { GameService } from '@heliopause/client/contract';
import { describeStep, diceSeedOf, type ProofStep, rollOf, verify } from '@heliopause/client/proof';
import { test as base } from '@heliopause/client/testing';
import { describe, expect } from 'vitest';
import { KIND, rounds } from './duel.js';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const LETTER = 'between us';
const entropy = (text: string) => new TextEncoder().encode(text);

/** A finished game in which two players added entropy to the dice. */
const test = base.extend<{ exported: Export }>({
  exported: [
    async ({ engine }, use) => {
      using one = connect(engine.address);
      using two = connect(engine.address);
      await one.register('Ada');
      await two.register('Béatrice');
      const commitments = ['heads', 'tails'].map((text) => sha256(entropy(text)));
      const mine = await new Lobby(one).create(KIND, {
        openSeats: 1,
        seatsInOrder: true,
        options: { game: rounds(2).game },
        ...(commitments[0] && { entropyCommitment: commitments[0] }),
      });
      const theirs = await new Lobby(two).join(
        mine.gameId,
        commitments[1] ? { entropyCommitment: commitments[1] } : {},
      );
      await two
        .client(GameService)
        .revealEntropy({ gameId: mine.gameId, entropy: entropy('tails') });
      await one
        .client(GameService)
        .revealEntropy({ gameId: mine.gameId, entropy: entropy('heads') });
      // The player on turn may not write.
      const { game } = await one.client(GameService).getGame({ gameId: mine.gameId });
      const writer = game?.onTurn === 1 ? two : one;
      await writer
        .client(GameService)
        .sendMessage({ gameId: mine.gameId, toAll: true, text: LETTER });
      await Promise.all([
        new Bot(atRandom, { seed: 1 }).play(mine),
        new Bot(atRandom, { seed: 2 }).play(theirs),
      ]);
      await use(await mine.export());
    },
    { scope: 'file' },
  ],
});

/** Exports the journal of a game as an account sees it. */
async function exportOf(
  account: Engine,
  gameId: string,
): Promise<Pick<Export, 'header' | 'entries'>> {
  const entries: Uint8Array[] = [];
  let header: Export['header'] | undefined;
  for await (const { part } of account.client(GameService).exportGame({ gameId })) {
    if (part.case === 'header') header = part.value;
    else if (part.case === 'entry') entries.push(part.value);
  }
  if (!header) throw new Error('the export has no header');
  return { header, entries };
}

/** Returns an export with one flipped bit in an entry. */
function changed(
  { header, entries }: Export,
  number: number,
  byte: number,
): Pick<Export, 'header' | 'entries'> {
  return {
    header,
    entries: entries.map((entry, at) =>
      at === number ? entry.map((one, place) => (place === byte ? one ^ 1 : one)) : entry,
    ),
  };
}

describe('verification', () => {
  test('succeeds step by step, and agrees with the engine', async ({ engine, exported }) => {
    const steps: ProofStep[] = [];
    const commitment = exported.header.game?.seedCommitment ?? new Uint8Array();
    const proof = await verify(exported, { commitment, onStep: (step) => steps.push(step) });
    expect(proof.fault).toBe('');
    using account = connect(engine.address);
    await account.register('Cyd');
    const found = await account
      .client(GameService)
      .verifyGame({ gameId: exported.header.game?.gameId ?? '' });
    expect(found.valid).toBe(true);
    expect(proof).toMatchObject({
      valid: true,
      entries: Number(found.entries),
      rolls: Number(found.rolls),
    });
    expect(proof.rolls).toBeGreaterThan(0);
    expect(proof.head).toBe(Buffer.from(exported.header.chainHead).toString('hex'));
    expect(steps.filter(({ step }) => step === 'entropy')).toMatchObject([
      { seat: 2 },
      { seat: 1 },
    ]);
    // Recompute the seed with other tools, with the entropy of both seats in seat order.
    const parts = [
      entropy('heliopause dice'),
      exported.header.seed,
      sha256(entropy('heads')),
      sha256(entropy('tails')),
    ];
    const last = steps.filter((step) => step.step === 'entropy').at(-1);
    expect(last?.diceSeed).toBe(createHash('sha256').update(Buffer.concat(parts)).digest('hex'));
    expect(steps.map(describeStep).every((sentence) => /^[A-Z].*\.$/.test(sentence))).toBe(true);
    expect([steps[0]?.step, steps.at(-1)?.step]).toEqual(['seed', 'head']);
  });

  test('detects every change', async ({ exported }) => {
    const { header, entries } = exported;
    for (const at of [0, 1, Math.floor(entries.length / 2), entries.length - 1]) {
      const length = entries[at]?.length ?? 0;
      for (const byte of [0, 5, Math.floor(length / 2), length - 40, length - 1]) {
        expect(
          await verify(changed(exported, at, byte)),
          `entry ${at + 1}, byte ${byte}`,
        ).toMatchObject({ valid: false });
      }
    }
    expect((await verify({ header, entries: entries.slice(1) })).fault).toBe(
      'expected entry 1, found entry 2',
    );
    expect((await verify({ header, entries: entries.slice(0, -1) })).fault).toMatch(
      /differs from the hash in the header/,
    );
    // The wire type of a tag is wrong. The message can be decoded, but its fields cannot be
    // separated.
    const torn = Uint8Array.of(0x09, 1, 0xc2, 0x3e, 6, 0, 0, 0, 0, 6, 0);
    expect((await verify({ header, entries: [torn] })).fault).toMatch(/^entry 1 cannot be read: /);
    const twice = [...entries.slice(0, 2), ...entries.slice(1)];
    expect((await verify({ header, entries: twice })).fault).toBe(
      'expected entry 3, found entry 2',
    );
  });

  test('detects another seed and a missing one', async ({ exported: { header, entries } }) => {
    const other = new Uint8Array(32).fill(7);
    expect((await verify({ header: { ...header, seed: other }, entries })).fault).toMatch(
      /does not match its commitment/,
    );
    expect((await verify({ header, entries }, { commitment: other })).fault).toMatch(
      /does not match its commitment/,
    );
    expect(
      (await verify({ header: { ...header, seed: new Uint8Array() }, entries })).fault,
    ).toMatch(/not revealed/);
    expect((await verify({ header: { ...header, complete: false }, entries })).fault).toMatch(
      /export the game again after it ends/,
    );
    // Changing seed and commitment together still breaks the chain.
    const game = header.game && { ...header.game, seedCommitment: sha256(other) };
    const forged = { ...header, seed: other, ...(game && { game }) };
    expect((await verify({ header: forged, entries })).fault).toMatch(
      /the hash of entry 1 does not match/,
    );
  });

  test('succeeds with and without texts of messages, and detects changed ones', async ({
    engine,
    exported,
  }) => {
    using account = connect(engine.address);
    await account.register('Dee');
    const without = await exportOf(account, exported.header.game?.gameId ?? '');
    const whole = await verify(exported);
    expect(await verify(without)).toEqual(whole);
    const holds = ({ entries }: Pick<Export, 'entries'>) =>
      entries.some((entry) => Buffer.from(entry).includes(LETTER));
    expect([exported, without].map(holds)).toEqual([true, false]);
    // Change the text, then its salt, then add the text to an entry without a commitment.
    const at = exported.entries.findIndex((entry) => Buffer.from(entry).includes(LETTER));
    const length = exported.entries[at]?.length ?? 0;
    for (const byte of [length - 1, length - LETTER.length - 4]) {
      expect((await verify(changed(exported, at, byte))).fault).toBe(
        `a message's text in entry ${at + 1} was changed`,
      );
    }
    const last = exported.entries[at]?.subarray(without.entries[at]?.length);
    const moved = without.entries.map((entry, place) =>
      place === at - 1 && last ? Uint8Array.from([...entry, ...last]) : entry,
    );
    expect((await verify({ header: exported.header, entries: moved })).fault).toBe(
      `a message's text in entry ${at} was changed`,
    );
    const more = without.entries.map((entry, place) =>
      place === at ? Uint8Array.from([...entry, 0x30, 1]) : entry,
    );
    expect((await verify({ header: exported.header, entries: more })).fault).toBe(
      `entry ${at + 1} has fields after its hash`,
    );
  });

  test('fails while a game is running', async ({ sandbox }) => {
    const game = await sandbox(KIND);
    expect(await verify(await game.seat(1).export())).toMatchObject({
      valid: false,
      entries: 0,
      rolls: 0,
    });
  });
});

test('a die follows from the seed', () => {
  const seed = new Uint8Array(32).fill(1);
  const { value, number } = rollOf(seed, 'battle/120/4/2', 6);
  expect(value).toBe((number % 6) + 1);
  expect(rollOf(seed, 'battle/120/4/2', 6)).toEqual({ value, number });
  expect(rollOf(seed, 'battle/120/4/3', 1_000_000).value).not.toBe(
    rollOf(seed, 'battle/120/4/2', 1_000_000).value,
  );
  expect(() => rollOf(seed, 'a', 0)).toThrow(RangeError);
  expect(diceSeedOf(seed)).not.toEqual(diceSeedOf(seed, [new Uint8Array()]));
});
