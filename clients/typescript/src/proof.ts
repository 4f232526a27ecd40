// The proof of a game that is over: its seed, its chain and its dice, without its rules.
//
// All of it can be followed by hand with stock tools for SHA-256 and BLAKE3:
//
// - The engine publishes SHA-256(secret) before the first roll, and the secret when the game is over.
// - hash = SHA-256(previous hash, salt, SHA-256(fields of the entry before its hash)), salt = SHA-256("heliopause salt", secret, number).
// - After its hash an entry holds only the texts of messages that its reader may read. Each has a commitment in the hashed part:
//   SHA-256("heliopause message", salt, SHA-256(text)), with a salt of its own.
// - The seed of the dice is SHA-256("heliopause dice", secret, SHA-256(entropy) of each seat that revealed some, in order).
// - A die shows the first number of the BLAKE3 output that is keyed by this seed over the roll's name, modulo its sides, plus 1.
//   Numbers have 32 bits, little-endian; those above the last full multiple of the sides are passed over.

import { fromBinary } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { blake3 } from "@noble/hashes/blake3.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Entry, EntrySchema, type Roll } from "../gen/heliopause/store/v1/store_pb.js";
import type { Export } from "./table.js";

export type { Roll };

/** A step of the proof, which held. Hashes are hexadecimal. */
export type ProofStep =
  | { step: "seed"; secret: string; commitment: string }
  | { step: "entry"; number: bigint; kind: string; salt: string; content: string; previous: string; hash: string }
  | { step: "entropy"; entry: bigint; seat: number; diceSeed: string }
  | { step: "roll"; entry: bigint; roll: Roll; number: number | undefined }
  | { step: "head"; hash: string };

/** What a proof came to. */
export interface Proof {
  /** Whether everything held. */
  readonly valid: boolean;
  /** The first fault and its place; empty if everything held. */
  readonly fault: string;
  /** How many entries the chain has, and how many rolls the seed proves. Scripted dice of sandboxes are not counted. */
  readonly entries: number;
  readonly rolls: number;
  /** The last hash of the chain that held. */
  readonly head: string;
}

/** What else is known of the game. */
export interface ProofOptions {
  /** The commitment as it was noted when the game began: the strongest proof. Without it that of the export counts. */
  commitment?: Uint8Array;
  /** Is told every step that held. */
  onStep?: (step: ProofStep) => void;
}

/** Something that does not hold. */
class Fault extends Error {}

// Entries between two breaths, so that a page goes on meanwhile.
const AT_ONCE = 64;
// The numbers of an entry's last fields: its hash, and what the hash does not cover.
const HASH_FIELD = 15;
const UNHASHED_FIELD = 16;
const HASH_BYTES = 32;

/** Checks the export of a game that is over: its commitment, every entry's hash, every text that it holds, and every roll. */
export async function verify(exported: Pick<Export, "header" | "entries">, options: ProofOptions = {}): Promise<Proof> {
  let [entries, rolls, head, count] = [0, 0, "", 0];
  try {
    for (const step of proofSteps(exported, options.commitment)) {
      if (step.step === "entry") {
        entries += 1;
        head = step.hash;
      }
      if (step.step === "roll" && !step.roll.scripted) rolls += 1;
      options.onStep?.(step);
      if (step.step === "entry" && ++count % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { valid: false, fault: error.message, entries, rolls, head };
  }
  return { valid: true, fault: "", entries, rolls, head };
}

/** A step of the proof as a sentence for people. */
export function describeStep(step: ProofStep): string {
  switch (step.step) {
    case "seed":
      return `The secret ${step.secret} has the SHA-256 ${step.commitment}, which was published before the first roll.`;
    case "entry":
      return `Entry ${step.number} (${step.kind}): SHA-256 over ${step.previous || "nothing"}, ${step.salt} and ${step.content} is ${step.hash}.`;
    case "entropy":
      return `Entry ${step.entry}: seat ${step.seat} reveals entropy; the seed of the dice is now ${step.diceSeed}.`;
    case "roll":
      return step.number === undefined
        ? `Entry ${step.entry}: ${step.roll.draw} shows ${step.roll.value} of ${step.roll.sides}, by a script.`
        : `Entry ${step.entry}: ${step.roll.draw} draws ${step.number}; modulo ${step.roll.sides}, plus 1, is ${step.roll.value}.`;
    case "head":
      return `The last hash is ${step.hash}, as the engine says.`;
  }
}

/** What a die shows by a seed, and the number that it drew. */
export function rollOf(diceSeed: Uint8Array, draw: string, sides: number): { value: number; number: number } {
  if (!(Number.isInteger(sides) && sides > 0)) throw new RangeError("a die has sides");
  const usable = 0xffffffff - (((0xffffffff % sides) + 1) % sides);
  const output = blake3.create({ key: diceSeed }).update(utf8ToBytes(draw));
  for (;;) {
    const bytes = output.xof(4);
    const number = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    if (number <= usable) return { value: (number % sides) + 1, number };
  }
}

/** The seed of the dice: the engine's secret and all entropy that players revealed, in the order of their seats. */
export function diceSeedOf(secret: Uint8Array, entropy: Iterable<Uint8Array> = []): Uint8Array {
  return sha256(concatBytes(utf8ToBytes("heliopause dice"), secret, ...[...entropy].map((one) => sha256(one))));
}

/** Every step of the proof in turn. Throws at the first that does not hold. */
function* proofSteps(
  { header, entries }: Pick<Export, "header" | "entries">,
  noted: Uint8Array | undefined,
): Generator<ProofStep, void, undefined> {
  const { seed: secret, chainHead, game } = header;
  if (!header.complete)
    throw new Fault("this is no journal, but the events of one player: only a game that is over can be proved");
  if (secret.length !== HASH_BYTES) throw new Fault("the secret is not revealed: only a game that is over can be proved");
  const commitment = sha256(secret);
  for (const published of [noted, game?.seedCommitment]) {
    if (published?.length && !same(commitment, published)) throw new Fault("the secret is not the one that was committed to");
  }
  yield { step: "seed", secret: bytesToHex(secret), commitment: bytesToHex(commitment) };
  const entropy = new Entropy(secret);
  let head: Uint8Array = new Uint8Array();
  for (const [at, encoded] of entries.entries()) {
    const { entry, hashed } = read(encoded, at);
    const previous = head;
    const salt = saltOf(secret, entry.number);
    const content = sha256(hashed);
    head = sha256(concatBytes(previous, salt, content));
    if (!same(head, entry.hash))
      throw new Fault(`the hash of entry ${entry.number} does not fit: it or an earlier entry was changed`);
    checkTexts(entry);
    const kind = entry.step?.kind.case ?? "unknown";
    const hashes = {
      salt: bytesToHex(salt),
      content: bytesToHex(content),
      previous: bytesToHex(previous),
      hash: bytesToHex(head),
    };
    yield { step: "entry", number: entry.number, kind, ...hashes };
    yield* checked(entry, commitment, entropy);
  }
  if (chainHead.length > 0 && !same(head, chainHead))
    throw new Fault("the journal does not end with the hash that the engine gave");
  yield { step: "head", hash: bytesToHex(head) };
}

/** What an entry says of the seed, and its rolls. */
function* checked(entry: Entry, commitment: Uint8Array, entropy: Entropy): Generator<ProofStep, void, undefined> {
  const kind = entry.step?.kind;
  if (kind?.case === "created" && !same(kind.value.seedCommitment, commitment)) {
    throw new Fault("the secret is not the one that was committed to");
  }
  const seat = entropy.follow(entry);
  if (seat !== undefined) yield { step: "entropy", entry: entry.number, seat, diceSeed: bytesToHex(entropy.diceSeed) };
  for (const roll of entry.rolls) {
    const proved = roll.scripted ? undefined : rollOf(entropy.diceSeed, roll.draw, roll.sides);
    if (proved && proved.value !== roll.value)
      throw new Fault(`the roll ${roll.draw} of entry ${entry.number} is not what the seed says`);
    yield { step: "roll", entry: entry.number, roll, number: proved?.number };
  }
}

/** Follows the seats' players and their revealed entropy: both make the seed of the dice. */
class Entropy {
  readonly #secret: Uint8Array;
  readonly #players = new Map<number, string>();
  readonly #revealed = new Map<number, Uint8Array>();
  diceSeed: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
    this.diceSeed = diceSeedOf(secret);
  }

  /** Takes what an entry says. Answers the seat that revealed entropy, if one did. */
  follow({ events, step }: Entry): number | undefined {
    // Before the events: the last reveal starts the game, and lots may then move its player.
    const seat = this.#reveal(step);
    for (const { event } of events) {
      const seat = event?.body.case === "seatChanged" ? event.body.value.seat : undefined;
      if (seat?.playerId) this.#players.set(seat.number, seat.playerId);
    }
    if (step?.kind.case === "created") {
      for (const [at, { plan }] of step.kind.value.seats.entries()) {
        this.#players.set(at + 1, plan.case === "taken" ? (plan.value.player?.playerId ?? "") : "");
      }
    }
    return seat;
  }

  #reveal(step: Entry["step"]): number | undefined {
    if (step?.kind.case !== "entropyRevealed") return undefined;
    const seats = [...this.#players].filter(([, player]) => player !== "" && player === step.by).map(([number]) => number);
    if (seats.length === 0) return undefined;
    const seat = Math.min(...seats);
    this.#revealed.set(seat, step.kind.value.entropy);
    const inOrder = [...this.#revealed].sort(([one], [other]) => one - other).map(([, entropy]) => entropy);
    this.diceSeed = diceSeedOf(this.#secret, inOrder);
    return seat;
  }
}

/** An entry, and its fields before the hash. After the hash there is at most what it does not cover. */
function read(encoded: Uint8Array, at: number): { entry: Entry; hashed: Uint8Array } {
  const { entry, fields } = decoded(encoded, at);
  if (entry.number !== BigInt(at + 1)) throw new Fault(`entry ${entry.number} follows entry ${at}`);
  let end: number | undefined;
  for (const { field, start } of fields) {
    if (end !== undefined && field !== UNHASHED_FIELD) throw new Fault(`entry ${entry.number} has other fields after its hash`);
    if (field === HASH_FIELD) end = start;
  }
  if (end === undefined) throw new Fault(`entry ${entry.number} has no hash`);
  return { entry, hashed: encoded.subarray(0, end) };
}

/** Checks that the texts of an entry are those that it commits to. */
function checkTexts({ number, textCommitments, unhashed }: Entry): void {
  for (const text of unhashed?.texts ?? []) {
    const commitment = textCommitments[text.number - 1];
    const own = sha256(concatBytes(utf8ToBytes("heliopause message"), text.salt, sha256(utf8ToBytes(text.text))));
    if (!commitment || !same(own, commitment)) throw new Fault(`a message's text in entry ${number} was changed`);
  }
}

/** An entry, and where each of its fields starts. */
function decoded(encoded: Uint8Array, at: number): { entry: Entry; fields: { field: number; start: number }[] } {
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
    throw new Fault(`entry ${at + 1} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function saltOf(secret: Uint8Array, number: bigint): Uint8Array {
  const bigEndian = new Uint8Array(8);
  new DataView(bigEndian.buffer).setBigUint64(0, number);
  return sha256(concatBytes(utf8ToBytes("heliopause salt"), secret, bigEndian));
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
