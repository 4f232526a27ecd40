"""Verification of a finished game succeeds, and detects every change."""

import asyncio
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256

import pytest

from heliopause import Bot, Client, Export, Sandbox, aio, at_random
from heliopause.methods import GameService
from heliopause.proof import dice_seed_of, roll_of, verify
from heliopause.testing import Engine
from heliopause.v1 import envelope_pb2, game_pb2, table_pb2

KIND, LETTER = "starships-at-large", "between us"


def hashed(*parts: bytes) -> bytes:
    return sha256(b"".join(parts)).digest()


async def played(address: str) -> Export:
    async with aio.Client(address) as one, aio.Client(address) as two:
        for client, name in ((one, "Proof-Ada"), (two, "Proof-Béatrice")):
            await client.register(name)
        options = envelope_pb2.GameOptions()
        options.starships_at_large.rounds = 2
        seat = game_pb2.SeatPlan(open=table_pb2.OpenSeat())
        request = game_pb2.CreateGameRequest(
            kind=KIND,
            options=options,
            seats=[seat, seat],
            start_when_full=True,
            seats_in_order=True,
            entropy_commitment=hashed(b"heads"),
        )
        game_id = (await one.call(GameService.CreateGame, request)).game.game_id
        join = game_pb2.JoinGameRequest(game_id=game_id, entropy_commitment=hashed(b"tails"))
        await two.call(GameService.JoinGame, join)
        for client, entropy in ((two, b"tails"), (one, b"heads")):
            await client.call(
                GameService.RevealEntropy, game_pb2.RevealEntropyRequest(game_id=game_id, entropy=entropy)
            )
        tables = [await client.table(game_id) for client in (one, two)]
        # The player on turn may not write.
        await tables[1 if tables[0].game.on_turn == 1 else 0].write(LETTER, to_all=True)
        await asyncio.gather(*(Bot(at_random, seed=at).play(table) for at, table in enumerate(tables)))
        return await tables[0].export()


@pytest.fixture(scope="module")
def exported(engine: Engine) -> Export:
    return asyncio.run(played(engine.address))


def changed(exported: Export, number: int, byte: int) -> Export:
    entries = list(exported.entries)
    entry = bytearray(entries[number])
    entry[byte] ^= 1
    entries[number] = bytes(entry)
    return Export(exported.header, entries)


def test_it_succeeds_and_agrees_with_the_engine(account: Client, exported: Export) -> None:
    header = exported.header
    proof = verify(exported, commitment=header.game.seed_commitment)
    assert (proof.fault, proof.valid) == ("", True)
    found = account.call(GameService.VerifyGame, game_pb2.VerifyGameRequest(game_id=header.game.game_id))
    assert found.valid
    assert (proof.entries, proof.rolls) == (found.entries, found.rolls)
    assert proof.rolls > 0
    assert proof.head == header.chain_head.hex()


def test_it_detects_every_change(exported: Export) -> None:
    header, entries = exported.header, exported.entries
    for at in (0, 1, len(entries) // 2, len(entries) - 1):
        length = len(entries[at])
        for byte in (0, 5, length // 2, length - 40, length - 1):
            assert not verify(changed(exported, at, byte)).valid, f"entry {at + 1}, byte {byte}"
    assert verify(Export(header, entries[1:])).fault == "expected entry 1, found entry 2"
    assert "differs from the hash in the header" in verify(Export(header, entries[:-1])).fault
    # A tag with a wrong wire type, and a group.
    for torn in (bytes([0x09, 1, 0xC2, 0x3E, 6, 0, 0, 0, 0, 6, 0]), bytes([0x08, 1, 0xFB, 0x3E, 0xFC, 0x3E])):
        assert verify(Export(header, [torn])).fault.startswith(("entry 1 cannot be read: ", "an entry has a field"))
    assert verify(Export(header, [*entries[:2], *entries[1:]])).fault == "expected entry 3, found entry 2"


def test_it_detects_another_seed_and_a_missing_one(exported: Export) -> None:
    other = bytes(32)

    def fault(**fields: bytes | bool) -> str:
        header = deepcopy(exported.header)
        for name, value in fields.items():
            setattr(header, name, value)
        return verify(Export(header, exported.entries)).fault

    assert "does not match its commitment" in fault(seed=other)
    assert "does not match its commitment" in verify(exported, commitment=other).fault
    assert "not revealed" in fault(seed=b"")
    assert "export the game again after it ends" in fault(complete=False)
    # Changing seed and commitment together still breaks the chain.
    header = deepcopy(exported.header)
    header.seed, header.game.seed_commitment = other, hashed(other)
    assert "the hash of entry 1 does not match" in verify(Export(header, exported.entries)).fault


def test_it_succeeds_with_and_without_texts_of_messages(account: Client, exported: Export) -> None:
    without = account.table(exported.header.game.game_id).export()
    assert verify(without) == verify(exported)
    holds = [any(LETTER.encode() in entry for entry in one.entries) for one in (exported, without)]
    assert holds == [True, False]
    at = next(at for at, entry in enumerate(exported.entries) if LETTER.encode() in entry)
    length = len(exported.entries[at])
    for byte in (length - 1, length - len(LETTER) - 4):
        assert verify(changed(exported, at, byte)).fault == f"a message's text in entry {at + 1} was changed"
    text = exported.entries[at][len(without.entries[at]) :]
    moved = list(without.entries)
    moved[at - 1] += text
    assert verify(Export(exported.header, moved)).fault == f"a message's text in entry {at} was changed"
    more = list(without.entries)
    more[at] += bytes([0x30, 1])
    assert verify(Export(exported.header, more)).fault == f"entry {at + 1} has fields after its hash"


def test_it_fails_while_a_game_is_running(sandbox: Callable[..., Sandbox]) -> None:
    proof = verify(sandbox(KIND).seat(1).export())
    assert (proof.valid, proof.entries, proof.rolls) == (False, 0, 0)


def test_a_die_follows_from_the_seed() -> None:
    seed = bytes([1]) * 32
    assert roll_of(seed, "battle/120/4/2", 6) == roll_of(seed, "battle/120/4/2", 6)
    assert roll_of(seed, "battle/120/4/2", 1_000_000) != roll_of(seed, "battle/120/4/3", 1_000_000)
    assert {roll_of(seed, f"battle/{at}", 6) for at in range(200)} == set(range(1, 7))
    with pytest.raises(ValueError, match="sides"):
        roll_of(seed, "a", 0)
    assert dice_seed_of(seed) != dice_seed_of(seed, [b""])
