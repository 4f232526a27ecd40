"""Random bytes and mutated messages raise typed errors, and the adapter continues."""

import asyncio
import contextlib
import random
from collections.abc import Sequence

import pytest
from conftest import Connect, Peer, Serving, lost
from heliopause.aio import Client
from heliopause.testing import Engine

from heliopause_daide import orders, wire
from heliopause_daide.tokens import CLOSE, MOST_WORDS, NUMBERS, OPEN, SyntaxFault, flat, head, nested, say, spoken

SENTENCES = [
    "NME ('Albert') ('v1')",
    "IAM (ENG) (17)",
    "SUB ((ENG FLT EDI) MTO NTH) ((ENG AMY LVP) CTO NWY VIA (NTH))",
    "SUB (SPR 1901) ((RUS FLT (STP SCS)) SUP (RUS AMY MOS) MTO LVN)",
    "NOT (SUB ((ENG FLT EDI) HLD))",
    "NOT (GOF)",
    "SND (FRA GER) (PRP (PCE (FRA ENG)))",
    "HST (SPR 1901)",
    "DRW",
    "TME",
    "MIS",
    "NOW",
    "ORD",
]


def mutated(words: Sequence[int], chance: random.Random) -> list[int]:
    """Returns the words after a few random replacements, removals, repetitions or additions."""
    made, known = list(words), [*NUMBERS.values(), OPEN, CLOSE, 0, 1901, 0x3FFF, 0x4B1B]
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(made) + 1)
        match chance.randrange(5):
            case 0:
                made[at : at + 1] = [chance.choice(known)]
            case 1:
                del made[at : at + chance.randint(1, 5)]
            case 2:
                made[at:at] = made[chance.randrange(len(made) + 1) :]
            case 3:
                made[at:at] = [chance.choice([OPEN, CLOSE])] * chance.choice([1, 1, 40, 2000])
            case _:
                made[at : at + 1] = [chance.randrange(0x10000)]
    return made


@pytest.mark.parametrize("seed", range(5))
def test_readers_raise_typed_errors_only(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(2_000):
        words = mutated(list(flat(say(chance.choice(SENTENCES)))), chance)
        try:
            sentence = nested(words)
        except SyntaxFault:
            continue
        assert list(flat(sentence)) == words
        # A quote inside a text can make the text invalid.
        with contextlib.suppress(SyntaxFault):
            assert not spoken(sentence).isascii() or spoken(say(spoken(sentence))) == spoken(sentence)
        orders.press_fault(sentence)
        for part in [sentence, *(one for one in sentence if isinstance(one, list))]:
            with contextlib.suppress(orders.InvalidOrder, orders.NotMine):
                orders.read(part, "ENG")


def test_brackets_have_a_depth_limit() -> None:
    with pytest.raises(SyntaxFault, match="deeper than 32") as fault:
        nested([OPEN] * 2000 + [CLOSE] * 2000)
    assert fault.value.at == 32
    with pytest.raises(SyntaxFault, match="deeper than 32"):
        say("(" * 1900 + ")" * 1900)
    with pytest.raises(SyntaxFault, match="too many"):
        nested([1] * (MOST_WORDS + 1))


class Watched:
    """A context that fails on errors that asyncio or the adapter report."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self._caplog = caplog
        self._unhandled: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self._unhandled.append(str(context)))

    def check(self, sent: object) -> None:
        errors = [one.getMessage() for one in self._caplog.records if one.levelname == "ERROR"]
        assert not [*self._unhandled, *errors], (sent, self._caplog.text)


async def drain(peer: Peer) -> None:
    """Reads until the adapter closes the connection or stops sending."""
    try:
        while True:
            await asyncio.wait_for(wire.receive(peer.reader), 0.05)
    except (asyncio.TimeoutError, wire.PeerLeft):
        return


async def still_serves(connect: Connect) -> None:
    async with connect() as peer:
        await peer.begin()
        await peer.say("MDF")
        assert head(await peer.receive()) == "MDF"


async def test_random_bytes_close_only_their_own_connection(serving: Serving, caplog: pytest.LogCaptureFixture) -> None:
    chance, begun = random.Random(1), wire.initial().encoded()
    async with serving() as (_, connect):
        watched = Watched(caplog)
        for at in range(150):
            data = chance.randbytes(chance.choice([1, 3, 4, 40, 4000]))
            framed = wire.Message(chance.choice([0, 1, 2, 2, 2, 3, 4, 5, 255]), data).encoded()
            sent = [data, begun + data, begun + framed, framed][at % 4]
            async with connect() as peer:
                await peer.send(sent)
                peer.writer.write_eof()
                await drain(peer)
            watched.check(sent)
        # The longest message of the protocol, valid and with unbalanced brackets.
        for body in ([NUMBERS["PCE"]] * 0x7FFF, [OPEN] * 0x7FFF):
            async with connect() as peer:
                await peer.begin()
                await peer.send(wire.diplomacy(body).encoded())
                assert spoken(await peer.receive()) == "HUH (ERR)"
                await peer.say("MAP")
                assert head(await peer.receive()) == "MAP"
        watched.check("long messages")
        await still_serves(connect)


async def test_mutated_messages_of_a_player_do_no_harm(serving: Serving, caplog: pytest.LogCaptureFixture) -> None:
    chance = random.Random(2)
    async with serving(level=10, automation="random") as (host, connect), connect() as peer:
        await peer.sit()
        await peer.until("NOW")
        watched, power = Watched(caplog), host.seats[0].power
        await peer.say("NOT (GOF)")
        for _ in range(200):
            # A mutation may be GOF or violate the protocol, and the adapter closes the connection.
            words = mutated(list(flat(say(chance.choice(SENTENCES).replace("ENG", power)))), chance)
            await peer.send(wire.diplomacy(words).encoded())
            try:
                while True:
                    await asyncio.wait_for(wire.receive(peer.reader), 0.02)
            except asyncio.TimeoutError:
                pass
            except (wire.PeerLeft, ConnectionError):
                await lost(peer, host.seats[0])
                fresh = connect()
                peer = await fresh.__aenter__()
                await peer.begin()
                await peer.say(f"IAM ({power}) ({host.seats[0].passcode})")
                assert head(await peer.until("YES", "REJ")) == "YES"
            watched.check(words)
        await peer.say("HLO")
        assert head(await peer.until("HLO")) == "HLO"


async def test_a_message_with_deep_brackets_does_no_harm(
    serving: Serving, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    async with Client(engine.address) as writer:
        await writer.register("daide-messages")
        table = await writer.new_game("diplomacy", open_seats=1, opponents=5, level="random")
        async with serving(game=table.game_id, level=10) as (host, connect), connect() as peer:
            await peer.sit()
            await peer.until("NOW")
            watched, to = Watched(caplog), host.seats[0].table.number
            await table.refresh()
            for message in ("DAIDE PRP (PCE " + "(" * 1900 + ")" * 1901, "DAIDE PRP (PCE " + "(" * 1900, "DAIDE '"):
                await table.write(message, [to])
            await table.write("DAIDE PRP (DRW)", [to])
            assert spoken(await peer.until("FRM")).endswith("(PRP (DRW))")
            watched.check("messages")
            await peer.say("MIS")
            assert head(await peer.until("MIS")) == "MIS"
