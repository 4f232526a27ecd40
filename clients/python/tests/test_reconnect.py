"""Bots and clients resume after lost connections and restarts of the engine."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from proxy import Proxy

from heliopause import Bot, Client, Offers, Table, Unreachable, aio, at_random, methods
from heliopause.testing import AiClient, Engine, serving
from heliopause.v1 import admin_pb2
from heliopause.v1.event_pb2 import Event

KIND = "starships-at-large"
ROUNDS = {"starshipsAtLarge": {"rounds": 4}}


def accepted(events: list[Event]) -> int:
    return sum(event.WhichOneof("body") == "orders_accepted" for event in events)


def numbers(events: list[Event]) -> list[int]:
    return [event.number for event in events]


def test_a_bot_continues_after_a_kill_of_the_engine(started: Callable[..., Engine], name: str) -> None:
    engine = started()
    midway, killed = threading.Event(), threading.Event()
    asked = 0

    def choose(table: Table, offers: Offers) -> str:
        nonlocal asked
        asked += 1
        if asked == 5:
            # The bot submits its order to an engine that has stopped.
            midway.set()
            assert killed.wait(60)
        return offers.at_random(table.random)

    with Client(engine.address) as owner, serving(Bot(choose, seed=1), engine, name=name):
        owner.register("Owner")
        mine = owner.sandbox(KIND, players=1, options=ROUNDS, guests={1: name}, seed=bytes(32)).seat(1)
        assert midway.wait(60)
        engine.kill()
        with pytest.raises(Unreachable), Client(engine.address, token=owner.token, patience=0) as other:
            other.me()
        killed.set()
        engine.start()
        heard: list[Event] = list(mine.events(after=0))
        assert mine.over
    assert asked > 5
    assert numbers(heard) == list(range(1, len(heard) + 1))
    assert accepted(heard) == asked
    assert heard[-1].WhichOneof("body") == "game_ended"


def test_a_bot_continues_after_cut_connections(engine: Engine, account: Client) -> None:
    asked = 0

    async def choose(table: aio.Table, offers: Offers) -> str:
        nonlocal asked
        asked += 1
        return offers.at_random(table.random)

    async def both(proxy: Proxy, game_id: str) -> list[Event]:
        async with (
            aio.Client(proxy.address, token=account.token, patience=None) as player,
            aio.Client(proxy.address, token=account.token, patience=None) as watcher,
        ):
            playing = asyncio.create_task(Bot(choose, seed=3).play(await player.table(game_id, seat=1)))
            heard = [event async for event in (await watcher.table(game_id, seat=1)).events(after=0)]
            await playing
            return heard

    game = account.sandbox(KIND, players=1, options=ROUNDS, seed=bytes(32))
    with Proxy(engine.address, cut=3000) as proxy:
        heard = asyncio.run(both(proxy, game.game_id))
        assert proxy.cuts > 5
    assert numbers(heard) == list(range(1, len(heard) + 1))
    assert accepted(heard) == asked
    assert numbers(list(game.seat(1).history()))[: len(heard)] == numbers(heard)


def test_an_engine_that_is_ready_is_used(started: Callable[..., Engine], name: str) -> None:
    first = started()
    with Client(first.address) as alone:
        alone.register(name)
        game = alone.sandbox(KIND, players=1, options=ROUNDS)
    first.stop()
    second = started(data=Path(copytree(first.data, first.data.parent / "copy")))
    first.start()
    nobody = "127.0.0.1:1"
    with Client([nobody, first.address, second.address], token=alone.token) as client:
        assert client.me().name == name
        assert client.engine == first.address
        table = client.table(game.game_id, seat=1)
        events = table.events(after=0)
        assert next(events).number == 1
        first.kill()
        # The stream resumes at the other engine, after the last event.
        assert next(events).number == 2
        assert client.me().name == name
        assert client.engine == second.address
        second.kill()
        first.start()
        assert client.me().name == name
        assert client.engine == first.address


def test_a_draining_engine_is_not_used(started: Callable[..., Engine], name: str) -> None:
    first = started("--sandbox", "--drain-delay", "6s")
    with Client(first.address) as alone:
        alone.register(name)
    first.stop()
    second = started(data=Path(copytree(first.data, first.data.parent / "copy")))
    first.start()
    with Client(first.address, token=first.admin_token.read_text().strip()) as admin:
        admin.call(methods.AdminService.Drain, admin_pb2.DrainRequest())
        # The engine still responds, but its health check fails, so new clients use the other engine.
        with Client([first.address, second.address], token=alone.token) as client:
            assert client.me().name == name
            assert client.engine == second.address


def test_an_error_says_that_no_engine_is_ready() -> None:
    with (
        Client("127.0.0.1:1,127.0.0.1:2", token="hp_none", patience=0.3) as client,
        pytest.raises(Unreachable, match="none of the engines is ready"),
    ):
        client.me()


def test_a_worker_and_a_player_continue_after_a_kill(started: Callable[..., Engine], tmp_path: Path, name: str) -> None:
    engine = started()
    ai_client = AiClient(tmp_path, engine)
    ai_client.start()
    midway = threading.Event()

    def choose(table: Table, offers: Offers) -> str:
        midway.set()
        return offers.at_random(table.random)

    with Client(engine.address) as owner, serving(Bot(choose, seed=2), engine, name=name):
        owner.register("Owner")
        game = owner.sandbox(KIND, players=2, options=ROUNDS, guests={1: name}, automated={2: "random", 3: "random"})
        assert midway.wait(60)
        engine.kill()
        engine.start()
        assert game.seat(1).until_over(seconds=120).summary
    ai_client.stop()


def test_the_random_level_is_reproducible(engine: Engine, account: Client) -> None:
    async def play() -> list[str]:
        async with aio.Client(engine.address, token=account.token) as client:
            game = await client.sandbox(KIND, players=1, options=ROUNDS, seed=bytes(32))
            table = game.seat(1)
            await Bot(at_random, seed=5).play(table)
            return [event.text async for event in table.history()]

    assert asyncio.run(play()) == asyncio.run(play())
