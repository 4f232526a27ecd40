"""Exports of games, and verification of the seed, hash chain, texts and dice of a finished game.

Every step can be checked by hand with standard tools for SHA-256 and BLAKE3:

- The engine publishes SHA-256(secret) before the first roll, and the secret after the end.
- hash = SHA-256(previous hash, salt, SHA-256(fields of the entry before its hash)), with
  salt = SHA-256("heliopause salt", secret, number).
- After the hash, an entry contains only texts of messages that the reader may see. Each has a
  commitment in the hashed part: SHA-256("heliopause message", salt, SHA-256(text)), with its own
  salt.
- The seed of the dice is SHA-256("heliopause dice", secret, SHA-256(entropy) of each seat that
  revealed entropy, in seat order).
- A die is the first number of BLAKE3, keyed with the seed, over the name of the roll, modulo its
  sides, plus 1. Numbers have 32 bits, little-endian. Numbers above the last full multiple of the
  sides are skipped.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from google.protobuf.message import DecodeError

from heliopause.store.v1 import store_pb2
from heliopause.v1 import event_pb2, game_pb2

_HASH_BYTES = 32
# The numbers of the last fields of an entry: its hash, and the unhashed part. Both contain bytes.
_HASH_FIELD, _UNHASHED_FIELD = 15, 16
_VARINT, _BYTES = 0, 2
_FIXED = {1: 8, 5: 4}


@dataclass
class Export:
    """The journal of a game, or the caller's events."""

    header: game_pb2.ExportHeader = field(default_factory=game_pb2.ExportHeader)
    entries: list[bytes] = field(default_factory=list[bytes])
    """Encoded journal entries, as covered by the hash chain, if the caller may read the journal."""
    events: list[event_pb2.Event] = field(default_factory=list[event_pb2.Event])
    """The caller's events, if the caller may not read the journal."""


@dataclass
class Proof:
    """The result of a verification."""

    fault: str = ""
    """The first error and where it occurred, or an empty string if there is none."""
    entries: int = 0
    """The number of entries in the chain."""
    rolls: int = 0
    """The number of rolls from the seed, without scripted dice."""
    head: str = ""
    """The last verified hash of the chain, hexadecimal."""

    @property
    def valid(self) -> bool:
        """Whether all steps were verified."""
        return not self.fault


class _Fault(Exception):
    """A failed check."""


def verify(exported: Export, *, commitment: bytes = b"") -> Proof:
    """Verifies the export of a finished game: commitment, hashes, texts of messages, and rolls.

    `commitment` is the engine's commitment as noted at the start of the game. By default that of the export
    is used, a weaker check. Needs `heliopause[proof]`.
    """
    proof = Proof()
    try:
        _prove(exported, commitment, proof)
    except _Fault as fault:
        proof.fault = str(fault)
    return proof


def roll_of(dice_seed: bytes, draw: str, sides: int) -> int:
    """Computes the result of a die from the seed. Needs `heliopause[proof]`."""
    try:
        from blake3 import blake3
    except ImportError:
        raise ImportError("verification of dice needs BLAKE3: pip install 'heliopause[proof]'") from None
    if sides < 1:
        raise ValueError(f"sides: {sides} is too small; the minimum is 1")
    usable, at, output = 2**32 // sides * sides, 0, blake3(draw.encode(), key=dice_seed)
    while True:
        number = int.from_bytes(output.digest(4, seek=at), "little")
        if number < usable:
            return number % sides + 1
        at += 4


def dice_seed_of(secret: bytes, entropy: Iterable[bytes] = ()) -> bytes:
    """Computes the seed of the dice from the secret and the revealed entropy in seat order."""
    return _hash(b"heliopause dice", secret, *(_hash(one) for one in entropy))


def _prove(exported: Export, noted: bytes, proof: Proof) -> None:
    header = exported.header
    secret = header.seed
    if not header.complete:
        raise _Fault(
            "the export contains the events of one player, not the journal; export the game again after it ends"
        )
    if len(secret) != _HASH_BYTES:
        raise _Fault("the secret is not revealed: only a finished game can be verified")
    commitment = _hash(secret)
    _check_commitments(commitment, noted, header.game.seed_commitment)
    entropy, head = _Entropy(secret), b""
    for at, encoded in enumerate(exported.entries):
        entry, hashed = _read(encoded, at)
        head = _hash(head, _hash(b"heliopause salt", secret, entry.number.to_bytes(8, "big")), _hash(hashed))
        if head != entry.hash:
            raise _Fault(f"the hash of entry {entry.number} does not match: it or an earlier entry was changed")
        _check_texts(entry)
        proof.entries, proof.head = at + 1, head.hex()
        if entry.step.HasField("created"):
            _check_commitments(commitment, entry.step.created.seed_commitment)
        entropy.follow(entry)
        for roll in entry.rolls:
            if roll.scripted:
                continue
            if roll_of(entropy.dice_seed, roll.draw, roll.sides) != roll.value:
                raise _Fault(f"the roll {roll.draw} of entry {entry.number} does not follow from the seed")
            proof.rolls += 1
    if header.chain_head and head != header.chain_head:
        raise _Fault("the last hash of the journal differs from the hash in the header")


def _check_commitments(commitment: bytes, *published: bytes) -> None:
    if any(one and one != commitment for one in published):
        raise _Fault("the secret does not match its commitment")


class _Entropy:
    """Tracks the players of seats and their revealed entropy, which determine the seed of the dice."""

    def __init__(self, secret: bytes) -> None:
        self.dice_seed = dice_seed_of(secret)
        self._secret = secret
        self._players: dict[int, str] = {}
        self._revealed: dict[int, bytes] = {}

    def follow(self, entry: store_pb2.Entry) -> None:
        """Applies an entry."""
        # Apply the reveal before the events, because the last reveal starts the game and may change the seat.
        self._reveal(entry.step)
        for one in entry.events:
            seat = one.event.seat_changed.seat
            if one.event.HasField("seat_changed") and seat.player_id:
                self._players[seat.number] = seat.player_id
        if entry.step.HasField("created"):
            for number, planned in enumerate(entry.step.created.seats, 1):
                self._players[number] = planned.taken.player.player_id

    def _reveal(self, step: store_pb2.Step) -> None:
        if not step.HasField("entropy_revealed"):
            return
        seats = [number for number, player in self._players.items() if player and player == step.by]
        if seats:
            self._revealed[min(seats)] = step.entropy_revealed.entropy
            self.dice_seed = dice_seed_of(self._secret, (self._revealed[seat] for seat in sorted(self._revealed)))


def _read(encoded: bytes, at: int) -> tuple[store_pb2.Entry, bytes]:
    """Decodes an entry and its hashed fields. Only the unhashed part may follow the hash."""
    try:
        entry = store_pb2.Entry.FromString(encoded)
    except DecodeError as error:
        raise _Fault(f"entry {at + 1} cannot be read: {error}") from None
    if entry.number != at + 1:
        raise _Fault(f"expected entry {at + 1}, found entry {entry.number}")
    place, end = 0, None
    while place < len(encoded):
        start = place
        tag, place = _varint(encoded, place)
        if end is not None and tag >> 3 != _UNHASHED_FIELD:
            raise _Fault(f"entry {entry.number} has fields after its hash")
        if tag >> 3 == _HASH_FIELD:
            end = start
        place = _skip(encoded, place, tag & 7)
    if end is None:
        raise _Fault(f"entry {entry.number} has no hash")
    return entry, encoded[:end]


def _varint(encoded: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = encoded[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place


def _skip(encoded: bytes, place: int, wire: int) -> int:
    if wire == _BYTES:
        length, place = _varint(encoded, place)
        return place + length
    if wire == _VARINT:
        return _varint(encoded, place)[1]
    if wire in _FIXED:
        return place + _FIXED[wire]
    raise _Fault(f"an entry has a field of the unknown wire type {wire}")


def _check_texts(entry: store_pb2.Entry) -> None:
    commitments = dict(enumerate(entry.text_commitments, 1))
    for text in entry.unhashed.texts:
        own = _hash(b"heliopause message", text.salt, _hash(text.text.encode()))
        if commitments.get(text.number) != own:
            raise _Fault(f"a message's text in entry {entry.number} was changed")


def _hash(*parts: bytes) -> bytes:
    return sha256(b"".join(parts)).digest()
