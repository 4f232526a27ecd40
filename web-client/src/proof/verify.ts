// The proof of a game, made by the page itself from the journal: commitment, chain, and every roll.

import { fromBinary } from '@bufbuild/protobuf';
import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Entry, EntrySchema } from '../gen/heliopause/store/v1/store_pb';

/** A roll, and what the seed says of it. */
export interface Roll {
  entry: bigint;
  /** What it was for: purpose/at/object/nth. */
  draw: string;
  sides: number;
  value: number;
  /** What the seed says; undefined if a script of a sandbox said it. */
  proved: number | undefined;
}

/** What was found so far. */
export interface Findings {
  entries: number;
  /** The first fault and its place. */
  fault: string | undefined;
  hasCommitment: boolean;
  entropies: number;
  rolls: Roll[];
  head: Uint8Array;
  diceSeed: Uint8Array;
}

/** The hash of an entry takes 34 bytes, at its end: field 15, 32 bytes long. */
const HASH_BYTES = 34;

export function equal(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

function bigEndian(number: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, number);
  return bytes;
}

/** The hash that an entry must have. */
export function entryHash(
  secret: Uint8Array,
  before: Uint8Array,
  number: bigint,
  bare: Uint8Array,
): Uint8Array {
  const salt = sha256(concatBytes(utf8ToBytes('heliopause salt'), secret, bigEndian(number)));
  return sha256(concatBytes(before, salt, sha256(bare)));
}

/** The seed of the dice: the secret, and all entropy that players revealed, in seat order. */
export function diceSeed(secret: Uint8Array, entropy: readonly Uint8Array[]): Uint8Array {
  const revealed = entropy.map((each) => sha256(each));
  return sha256(concatBytes(utf8ToBytes('heliopause dice'), secret, ...revealed));
}

/** The numbers of a draw, as the BLAKE3 stream gives them, up to the one that counts. */
export function drawn(
  seed: Uint8Array,
  draw: string,
  sides: number,
): { numbers: number[]; value: number } {
  const stream = blake3.create({ key: seed }).update(utf8ToBytes(draw));
  // Numbers above the last full multiple are drawn again, so that all sides are equally likely.
  const usable = 0xffff_ffff - (((0xffff_ffff % sides) + 1) % sides);
  const numbers: number[] = [];
  for (;;) {
    const bytes = stream.xof(4);
    const number = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
    numbers.push(number);
    if (number <= usable) return { numbers, value: (number % sides) + 1 };
  }
}

/** Checks a journal entry by entry, in order. */
export class Verifier {
  private readonly secret: Uint8Array;
  private readonly commitment: Uint8Array;
  private readonly entropy = new Map<number, Uint8Array>();
  private readonly seats: string[] = [];
  readonly findings: Findings;

  constructor(secret: Uint8Array, commitment: Uint8Array) {
    this.secret = secret;
    this.commitment = commitment;
    this.findings = {
      entries: 0,
      fault: undefined,
      hasCommitment: equal(sha256(secret), commitment),
      entropies: 0,
      rolls: [],
      head: new Uint8Array(),
      diceSeed: diceSeed(secret, []),
    };
    if (!this.findings.hasCommitment) {
      this.findings.fault = 'the secret seed is not the one that was committed to';
    }
  }

  /** Checks the next entry, as the journal holds it. After a fault nothing more is checked. */
  entry(encoded: Uint8Array): void {
    if (this.findings.fault !== undefined) return;
    try {
      const entry = fromBinary(EntrySchema, encoded);
      this.findings.fault = this.chain(entry, encoded) ?? this.created(entry);
      if (this.findings.fault === undefined) this.roll(entry);
    } catch {
      this.findings.fault = `entry ${this.findings.entries + 1} cannot be read`;
    }
  }

  private chain(entry: Entry, encoded: Uint8Array): string | undefined {
    const { findings } = this;
    if (entry.number !== BigInt(findings.entries + 1)) {
      return `entry ${entry.number} follows entry ${findings.entries}`;
    }
    const bare = encoded.subarray(0, encoded.length - HASH_BYTES);
    if (!equal(entry.hash, entryHash(this.secret, findings.head, entry.number, bare))) {
      return `the hash of entry ${entry.number} does not fit: it or an earlier entry was changed`;
    }
    findings.head = entry.hash;
    findings.entries += 1;
    return undefined;
  }

  private created(entry: Entry): string | undefined {
    const kind = entry.step?.kind;
    if (kind?.case !== 'created') return undefined;
    for (const [index, seat] of kind.value.seats.entries()) {
      this.seats[index + 1] =
        seat.plan.case === 'taken' ? (seat.plan.value.player?.playerId ?? '') : '';
    }
    return equal(kind.value.seedCommitment, this.commitment)
      ? undefined
      : 'the journal begins with another commitment';
  }

  private roll(entry: Entry): void {
    this.followEntropy(entry);
    const { findings } = this;
    for (const { draw, sides, value, scripted } of entry.rolls) {
      const proved = scripted ? undefined : drawn(findings.diceSeed, draw, sides).value;
      findings.rolls.push({ entry: entry.number, draw, sides, value, proved });
      if (proved !== undefined && proved !== value) {
        findings.fault = `the roll ${draw} of entry ${entry.number} is not what the seed says`;
        return;
      }
    }
  }

  /** Who sits where, and what entropy they revealed: both make the seed of the dice. */
  private followEntropy(entry: Entry): void {
    for (const { event } of entry.events) {
      const seat = event?.body.case === 'seatChanged' ? event.body.value.seat : undefined;
      if (seat && seat.playerId !== '') this.seats[seat.number] = seat.playerId;
    }
    const step = entry.step;
    if (step?.kind.case !== 'entropyRevealed') return;
    const seat = this.seats.findIndex(
      (player) => player !== undefined && player !== '' && player === step.by,
    );
    if (seat < 0) return;
    this.entropy.set(seat, step.kind.value.entropy);
    const ordered = [...this.entropy].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes);
    this.findings.entropies = ordered.length;
    this.findings.diceSeed = diceSeed(this.secret, ordered);
  }

  /** Whether the journal ends where the engine says. */
  finish(head: Uint8Array): Findings {
    if (this.findings.fault === undefined && !equal(head, this.findings.head)) {
      this.findings.fault = 'the journal ends before its last entry';
    }
    return this.findings;
  }
}
