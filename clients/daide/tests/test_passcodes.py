"""A client regains its seat with a passcode that cannot be guessed. Attempts with names are limited."""

import time

import pytest
from conftest import Connect, Peer, Serving, lost

from heliopause_daide import guard, wire
from heliopause_daide.guard import MOST_BY_ADDRESS, MOST_FOR_SEAT, PERIOD_SECONDS, Guard
from heliopause_daide.tokens import spoken


async def seated(peer: Peer) -> None:
    await peer.sit()
    await peer.until("NOW")


async def asked(connect: Connect, words: str) -> str:
    async with connect() as peer:
        await peer.begin()
        await peer.say(words)
        return spoken(await peer.receive())


async def test_answers_to_wrong_passcodes_are_delayed_and_limited(serving: Serving) -> None:
    async with serving(automation="random") as (serves, connect), connect() as owner:
        await seated(owner)
        seat = serves.seats[0]
        await lost(owner, seat)
        wrong = seat.passcode % 8191 + 1
        begun = time.monotonic()
        async with connect() as thief:
            await thief.begin()
            for _ in range(MOST_BY_ADDRESS):
                await thief.say(f"IAM ({seat.power}) ({wrong})")
                assert spoken(await thief.receive()).startswith("REJ")
            assert time.monotonic() - begun >= MOST_BY_ADDRESS * guard.DELAY_SECONDS
            await thief.say(f"IAM ({seat.power}) ({seat.passcode})")
            with pytest.raises(wire.PeerLeft):
                await thief.raw()
        # Another connection from the address has no attempts left, even with the right passcode.
        with pytest.raises(wire.PeerLeft):
            await asked(connect, f"IAM ({seat.power}) ({seat.passcode})")


async def test_a_live_connection_is_never_taken_over(serving: Serving) -> None:
    async with serving(automation="random") as (serves, connect), connect() as owner:
        await seated(owner)
        seat = serves.seats[0]
        words = f"IAM ({seat.power}) ({seat.passcode})"
        for _ in range(MOST_BY_ADDRESS + 1):
            assert await asked(connect, words) == f"REJ ({words})"
        await owner.say("HLO")
        assert spoken(await owner.until("HLO")).startswith(f"HLO ({seat.power})")
        await lost(owner, seat)
        assert await asked(connect, words) == f"YES ({words})"


def test_limits_apply_to_addresses_and_seats() -> None:
    now = [0.0]
    limits = Guard(lambda: now[0])
    for at in range(MOST_FOR_SEAT):
        address = f"192.0.2.{at // MOST_BY_ADDRESS}"
        assert limits.allows(address, "ENG", known=False)
        limits.wrong(address, "ENG")
    assert not limits.allows("192.0.2.0", "FRA", known=False)
    assert not limits.allows("198.51.100.1", "ENG", known=False)
    assert limits.allows("198.51.100.1", "FRA", known=False)
    # Other addresses cannot lock out the player of the seat.
    assert limits.allows("198.51.100.1", "ENG", known=True)
    now[0] = PERIOD_SECONDS
    assert limits.allows("192.0.2.0", "ENG", known=False)


def test_addresses_of_one_network_share_a_limit() -> None:
    limits = Guard()
    for at in range(MOST_BY_ADDRESS):
        limits.wrong(f"2001:db8::{at}", "ENG")
    assert not limits.allows("2001:db8::ffff", "FRA", known=True)
    assert limits.allows("2001:db8:0:1::1", "FRA", known=True)
    for at in range(10_000):
        limits.wrong(f"2001:db8:{at:x}::1", f"P{at}")
    assert len(limits._wrong) <= guard._MOST_KEYS  # pyright: ignore[reportPrivateUsage]


async def test_rejected_names_are_limited(serving: Serving) -> None:
    async with serving(automation="random") as (_, connect), connect() as owner:
        await seated(owner)
        words = "NME ('late') ('v1')"
        async with connect() as late:
            await late.begin()
            for _ in range(MOST_BY_ADDRESS):
                await late.say(words)
                assert spoken(await late.receive()) == f"REJ ({words})"
            await late.say(words)
            with pytest.raises(wire.PeerLeft):
                await late.raw()
        # Another connection from the address has no attempts left.
        with pytest.raises(wire.PeerLeft):
            await asked(connect, words)
        await owner.say("HLO")
        assert spoken(await owner.until("HLO")).startswith("HLO")
