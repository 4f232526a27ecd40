// Verifies the seed, hash chain and dice of a finished game, without its rules.
//
// Every step can be checked by hand with standard tools for SHA-256 and BLAKE3:
//
// - The engine publishes SHA-256(secret) before the first roll, and the secret after the end.
// - hash = SHA-256(previous hash, salt, SHA-256(fields of the entry before its hash)), with
//   salt = SHA-256("heliopause salt", secret, number).
// - After the hash, an entry contains only texts of messages that the reader may see. Each has a
//   commitment in the hashed part: SHA-256("heliopause message", salt, SHA-256(text)), with its own
//   salt.
// - The seed of the dice is SHA-256("heliopause dice", secret, SHA-256(entropy) of each seat that
//   revealed entropy, in seat order).
// - A die is the first number of BLAKE3, keyed with the seed, over the name of the roll, modulo its
//   sides, plus 1. Numbers have 32 bits, little-endian. Numbers above the last full multiple of the
//   sides are skipped.

import { fromBinary } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type Entry, EntrySchema, type Roll } from '../gen/heliopause/store/v1/store_pb.js';
import type { Export } from './table.js';

export type { Roll };

/** A verified step. Hashes are hexadecimal. */
export type ProofStep =
  | { step: 'seed'; secret: string; commitment: string }
  | {
      step: 'entry';
      number: bigint;
      kind: string;
      salt: string;
      content: string;
      previous: string;
      hash: string;
    }
  | { step: 'entropy'; entry: bigint; seat: number; diceSeed: string }
  | { step: 'roll'; entry: bigint; roll: Roll; number: number | undefined }
  | { step: 'head'; hash: string };

export interface Proof {
  /** Whether all steps were verified. */
  readonly valid: boolean;
  /** The first error and where it occurred, or an empty string if there is none. */
  readonly fault: string;
  /** The number of entries in the chain, and of rolls from the seed (without scripted dice). */
  readonly entries: number;
  readonly rolls: number;
  /** The last verified hash of the chain. */
  readonly head: string;
}

export interface ProofOptions {
  /** The commitment noted at the start. By default that of the export is used, a weaker check. */
  commitment?: Uint8Array;
  /** Called with every verified step. */
  onStep?: (step: ProofStep) => void;
}

class Fault extends Error {}

// Entries checked between yields, so that a page stays responsive.
const AT_ONCE = 64;
// The numbers of the last fields of an entry: its hash, and the part that the hash does not cover.
const HASH_FIELD = 15;
const UNHASHED_FIELD = 16;
const HASH_BYTES = 32;

/** Verifies the export of a finished game: commitment, hashes, texts of messages, and rolls. */
export async function verify(
  exported: Pick<Export, 'header' | 'entries'>,
  options: ProofOptions = {},
): Promise<Proof> {
  let [entries, rolls, head, count] = [0, 0, '', 0];
  try {
    for (const step of proofSteps(exported, options.commitment)) {
      if (step.step === 'entry') {
        entries += 1;
        head = step.hash;
      }
      if (step.step === 'roll' && !step.roll.scripted) rolls += 1;
      options.onStep?.(step);
      if (step.step === 'entry' && ++count % AT_ONCE === 0)
        await new Promise((resolve) => setTimeout(resolve));
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { valid: false, fault: error.message, entries, rolls, head };
  }
  return { valid: true, fault: '', entries, rolls, head };
}

/** Describes a step as a sentence. */
export function describeStep(step: ProofStep): string {
  switch (step.step) {
    case 'seed':
      return `The secret ${step.secret} has the SHA-256 hash ${step.commitment}, published before the first roll.`;
    case 'entry':
      return `Entry ${step.number} (${step.kind}): SHA-256 over ${step.previous || 'nothing'}, ${step.salt} and ${step.content} is ${step.hash}.`;
    case 'entropy':
      return `Entry ${step.entry}: seat ${step.seat} reveals entropy; the seed of the dice is now ${step.diceSeed}.`;
    case 'roll':
      return step.number === undefined
        ? `Entry ${step.entry}: ${step.roll.draw} is ${step.roll.value} of ${step.roll.sides}, set by a script.`
        : `Entry ${step.entry}: ${step.roll.draw} draws ${step.number}; modulo ${step.roll.sides}, plus 1, is ${step.roll.value}.`;
    case 'head':
      return `The last hash is ${step.hash}, as given by the engine.`;
  }
}

/** Computes the result of a die from the seed. Also returns the number drawn. */
export function rollOf(
  diceSeed: Uint8Array,
  draw: string,
  sides: number,
): { value: number; number: number } {
  if (!(Number.isInteger(sides) && sides > 0))
    throw new RangeError(`sides: ${sides} is not a whole number greater than 0`);
  const usable = 0xffffffff - (((0xffffffff % sides) + 1) % sides);
  const output = blake3.create({ key: diceSeed }).update(utf8ToBytes(draw));
  for (;;) {
    const bytes = output.xof(4);
    const number = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (number <= usable) return { value: (number % sides) + 1, number };
  }
}

/** Computes the seed of the dice from the secret and the revealed entropy in seat order. */
export function diceSeedOf(secret: Uint8Array, entropy: Iterable<Uint8Array> = []): Uint8Array {
  return sha256(
    concatBytes(utf8ToBytes('heliopause dice'), secret, ...[...entropy].map((one) => sha256(one))),
  );
}

/** Yields every step of the verification. Throws at the first step that fails. */
function* proofSteps(
  { header, entries }: Pick<Export, 'header' | 'entries'>,
  noted: Uint8Array | undefined,
): Generator<ProofStep, void, undefined> {
  const { seed: secret, chainHead, game } = header;
  if (!header.complete)
    throw new Fault(
      'the export contains the events of one player, not the journal; export the game again after it ends',
    );
  if (secret.length !== HASH_BYTES)
    throw new Fault('the secret is not revealed: only a finished game can be verified');
  const commitment = sha256(secret);
  for (const published of [noted, game?.seedCommitment]) {
    if (published?.length && !same(commitment, published))
      throw new Fault('the secret does not match its commitment');
  }
  yield { step: 'seed', secret: bytesToHex(secret), commitment: bytesToHex(commitment) };
  const entropy = new Entropy(secret);
  let head: Uint8Array = new Uint8Array();
  for (const [at, encoded] of entries.entries()) {
    const { entry, hashed } = read(encoded, at);
    const previous = head;
    const salt = saltOf(secret, entry.number);
    const content = sha256(hashed);
    head = sha256(concatBytes(previous, salt, content));
    if (!same(head, entry.hash))
      throw new Fault(
        `the hash of entry ${entry.number} does not match: it or an earlier entry was changed`,
      );
    checkTexts(entry);
    const kind = entry.step?.kind.case ?? 'unknown';
    const hashes = {
      salt: bytesToHex(salt),
      content: bytesToHex(content),
      previous: bytesToHex(previous),
      hash: bytesToHex(head),
    };
    yield { step: 'entry', number: entry.number, kind, ...hashes };
    yield* checked(entry, commitment, entropy);
  }
  if (chainHead.length > 0 && !same(head, chainHead))
    throw new Fault('the last hash of the journal differs from the hash in the header');
  yield { step: 'head', hash: bytesToHex(head) };
}

/** Yields the seed and the rolls of an entry. */
function* checked(
  entry: Entry,
  commitment: Uint8Array,
  entropy: Entropy,
): Generator<ProofStep, void, undefined> {
  const kind = entry.step?.kind;
  if (kind?.case === 'created' && !same(kind.value.seedCommitment, commitment)) {
    throw new Fault('the secret does not match its commitment');
  }
  const seat = entropy.follow(entry);
  if (seat !== undefined)
    yield { step: 'entropy', entry: entry.number, seat, diceSeed: bytesToHex(entropy.diceSeed) };
  for (const roll of entry.rolls) {
    const proved = roll.scripted ? undefined : rollOf(entropy.diceSeed, roll.draw, roll.sides);
    if (proved && proved.value !== roll.value)
      throw new Fault(
        `the roll ${roll.draw} of entry ${entry.number} does not follow from the seed`,
      );
    yield { step: 'roll', entry: entry.number, roll, number: proved?.number };
  }
}

/** Tracks the players of seats and their revealed entropy, which determine the seed of the dice. */
class Entropy {
  readonly #secret: Uint8Array;
  readonly #players = new Map<number, string>();
  readonly #revealed = new Map<number, Uint8Array>();
  diceSeed: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
    this.diceSeed = diceSeedOf(secret);
  }

  /** Applies an entry. Returns the seat that revealed entropy, if the entry reveals any. */
  follow({ events, step }: Entry): number | undefined {
    // Apply the reveal before the events, because the last reveal starts the game and may change
    // the seat.
    const seat = this.#reveal(step);
    for (const { event } of events) {
      const seat = event?.body.case === 'seatChanged' ? event.body.value.seat : undefined;
      if (seat?.playerId) this.#players.set(seat.number, seat.playerId);
    }
    if (step?.kind.case === 'created') {
      for (const [at, { plan }] of step.kind.value.seats.entries()) {
        this.#players.set(at + 1, plan.case === 'taken' ? (plan.value.player?.playerId ?? '') : '');
      }
    }
    return seat;
  }

  #reveal(step: Entry['step']): number | undefined {
    if (step?.kind.case !== 'entropyRevealed') return undefined;
    const seats = [...this.#players]
      .filter(([, player]) => player !== '' && player === step.by)
      .map(([number]) => number);
    if (seats.length === 0) return undefined;
    const seat = Math.min(...seats);
    this.#revealed.set(seat, step.kind.value.entropy);
    const inOrder = [...this.#revealed]
      .sort(([one], [other]) => one - other)
      .map(([, entropy]) => entropy);
    this.diceSeed = diceSeedOf(this.#secret, inOrder);
    return seat;
  }
}

/** Decodes an entry and its hashed fields. Only the unhashed part may follow the hash. */
function read(encoded: Uint8Array, at: number): { entry: Entry; hashed: Uint8Array } {
  const { entry, fields } = decoded(encoded, at);
  if (entry.number !== BigInt(at + 1))
    throw new Fault(`expected entry ${at + 1}, found entry ${entry.number}`);
  let end: number | undefined;
  for (const { field, start } of fields) {
    if (end !== undefined && field !== UNHASHED_FIELD)
      throw new Fault(`entry ${entry.number} has fields after its hash`);
    if (field === HASH_FIELD) end = start;
  }
  if (end === undefined) throw new Fault(`entry ${entry.number} has no hash`);
  return { entry, hashed: encoded.subarray(0, end) };
}

/** Checks the texts of an entry against their commitments. */
function checkTexts({ number, textCommitments, unhashed }: Entry): void {
  for (const text of unhashed?.texts ?? []) {
    const commitment = textCommitments[text.number - 1];
    const own = sha256(
      concatBytes(utf8ToBytes('heliopause message'), text.salt, sha256(utf8ToBytes(text.text))),
    );
    if (!commitment || !same(own, commitment))
      throw new Fault(`a message's text in entry ${number} was changed`);
  }
}

/** Decodes an entry and the offsets of its fields. */
function decoded(
  encoded: Uint8Array,
  at: number,
): { entry: Entry; fields: { field: number; start: number }[] } {
  try {
    const entry = fromBinary(EntrySchema, encoded);
    const reader = new BinaryReader(encoded);
    const fields = [];
    while (reader.pos < reader.len) {
      const start = reader.pos;
      const [field, wire] = reader.tag();
      fields.push({ field, start });
      reader.skip(wire, field);
    }
    return { entry, fields };
  } catch (error) {
    throw new Fault(
      `entry ${at + 1} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function saltOf(secret: Uint8Array, number: bigint): Uint8Array {
  const bigEndian = new Uint8Array(8);
  new DataView(bigEndian.buffer).setBigUint64(0, number);
  return sha256(concatBytes(utf8ToBytes('heliopause salt'), secret, bigEndian));
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
