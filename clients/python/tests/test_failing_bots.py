"""A failing bot ends its test immediately with its own error."""

import threading
import time

import pytest
from test_refusals import POSITION

from heliopause import Bot, Client, Offers, Table, aio
from heliopause.testing import Engine, serving, working

KIND = "starships-at-large"


class BotFailed(Exception):
    """The error of the bot."""


def fails(table: Table, offers: Offers) -> str:
    raise BotFailed


def ends_turns(me: Table, *, turns: int) -> None:
    for _ in range(turns):
        me.until_asked("turn", seconds=100)
        me.order("end")


def test_when_serving(engine: Engine, account: Client) -> None:
    began = time.monotonic()
    with pytest.raises(BotFailed), serving(Bot(fails), engine) as name:
        ends_turns(account.sandbox(KIND, players=2, guests={2: name}).seat(1), turns=2)
    assert time.monotonic() - began < 60


def test_when_working(engine: Engine, account: Client) -> None:
    with pytest.raises(BotFailed), working(Bot(fails), engine, [KIND]):  # noqa: PT012
        account.sandbox(KIND, players=1, automated={1: "random"})
        # The failure also interrupts a wait unrelated to the client.
        threading.Event().wait(100)


async def test_in_asynchronous_tests(engine: Engine) -> None:
    async with aio.Client(engine.address) as client:
        await client.register("async-serving")
        with pytest.raises(BotFailed), serving(Bot(fails), engine) as name:  # noqa: PT012
            me = (await client.sandbox(KIND, players=2, guests={2: name})).seat(1)
            for _ in range(2):
                await me.until_asked("turn", seconds=100)
                await me.order("end")
        assert await client.me()


def test_unless_the_bot_handles_errors_itself(engine: Engine, account: Client) -> None:
    faults, seen = list[tuple[str, Exception]](), threading.Event()

    def fault(place: str, error: Exception) -> None:
        faults.append((place, error))
        seen.set()

    with serving(Bot(fails, on_fault=fault), engine) as name:
        # With these dice the bot is not first, so seat 1 has a decision.
        game = account.sandbox(KIND, position=POSITION, guests={2: name})
        ends_turns(game.seat(1), turns=1)
        assert seen.wait(60)
    assert faults[0][0] == f"{game.game_id}, seat 2"
    assert isinstance(faults[0][1], BotFailed)


def test_an_interrupt_of_the_test_stays_an_interrupt(engine: Engine) -> None:
    with pytest.raises(KeyboardInterrupt), serving(Bot(fails), engine):
        raise KeyboardInterrupt
