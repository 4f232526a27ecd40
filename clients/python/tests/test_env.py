"""Games as learning environments, judged by PettingZoo's and Gymnasium's own tests."""

# PettingZoo says little about its types.
# pyright: basic

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.seed_test import parallel_seed_test, seed_test

from heliopause import Client
from heliopause.env import NOTHING, Aec, Parallel, Single, Vector
from heliopause.offers import Offers
from heliopause.testing import AiClient, Engine

KINDS: Mapping[str, dict[str, Any]] = {
    "starships-at-large": {"options": {"starshipsAtLarge": {"rounds": 4}}},
    "star-empires": {"options": {"starEmpires": {"lastTurn": 5}}},
    "stellar-conquest": {},
    "fate-of-empire": {},
    "alone-in-outer-space": {},
    "diplomacy": {"players": 7, "options": {"diplomacy": {"lastYear": 1902}}},
    "it-came-from-outer-space": {"options": {"diplomacy": {"lastYear": 1902}}},
}
# Games for one.
ALONE = ("starships-at-large", "fate-of-empire")
# Their tests warn of what our observations are on purpose: dictionaries, and boxes without bounds.
pytestmark = pytest.mark.filterwarnings("ignore")

every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_pettingzoo_finds_no_fault(kind: str, engine: Engine) -> None:
    env = Aec(kind, engine=engine.address, **KINDS[kind])
    api_test(env, num_cycles=60)
    env.close()


@every_kind
def test_the_same_seed_plays_the_same_game(kind: str, engine: Engine) -> None:
    seed_test(lambda: Aec(kind, engine=engine.address, **KINDS[kind]), num_cycles=40)


@every_kind
def test_all_seats_may_act_at_once(kind: str, engine: Engine) -> None:
    parallel_api_test(Parallel(kind, engine=engine.address, **KINDS[kind]), num_cycles=60)
    # It acts without a look at the masks.
    parallel_seed_test(lambda: Parallel(kind, engine=engine.address, **KINDS[kind]), num_cycles=30)


@every_kind
def test_gymnasium_finds_no_fault(kind: str, engine: Engine, ai_client: AiClient) -> None:
    # It acts without a look at the mask, too.
    env = Single(kind, opponents=int(kind not in ALONE), level="random", render_mode="ansi", engine=engine.address)
    check_env(env)
    env.close()


def drawn(masks: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.int64]:
    """An action at random for each row."""
    return np.array([random.choice(np.flatnonzero(row)) for row in masks])


@every_kind
def test_games_end_with_rewards(kind: str, engine: Engine) -> None:
    if kind in ("stellar-conquest", "alone-in-outer-space", "fate-of-empire"):
        pytest.skip("44 turns take too long to play by lines here")
    vector = Vector(kind, 3, engine=engine.address, reward="win", **KINDS[kind])
    random, asked, ended = np.random.default_rng(1), vector.reset(1), 0
    for _ in range(20_000):
        assert asked.observations().shape == (3, vector.board.length)
        asked = vector.step(drawn(asked.masks(), random))
        for one in asked.ended.values():
            ended += 1
            assert one.game.outcome is not None
            assert set(one.rewards) == set(one.game.seats)
            assert all(-1 <= reward <= 1 for reward in one.rewards.values())
        if ended >= 3:
            break
    assert ended >= 3
    vector.close()


def test_the_menu_is_what_is_offered(engine: Engine) -> None:
    env = Aec("starships-at-large", engine=engine.address)
    env.reset(seed=3)
    orders = env.infos[env.agent_selection]["orders"]
    offers = Offers(env.game.turn.question.offers)
    assert sorted(orders[1:]) == sorted(offers.orders())
    assert orders[NOTHING] == ""
    mask = env.observe(env.agent_selection)["action_mask"]
    assert mask.sum() == len(orders) - 1
    assert not env.observe("seat_2" if env.agent_selection == "seat_1" else "seat_1")["action_mask"].any()
    env.close()
    env = Aec("starships-at-large", illegal="raise", engine=engine.address)
    env.reset(seed=3)
    with pytest.raises(ValueError, match="not on the menu"):
        env.step(NOTHING)
    with pytest.raises(ValueError, match="not on the menu"):
        env.step(len(orders))
    env.close()


def test_seeds_make_games_that_differ(engine: Engine) -> None:
    vector = Vector("starships-at-large", 4, engine=engine.address)
    first = [turn.view for turn in vector.reset(7).turns]
    again = [turn.view for turn in vector.reset(7).turns]
    other = [turn.view for turn in vector.reset(8).turns]
    assert first == again
    assert first != other
    vector.close()


def test_a_seat_against_automation(engine: Engine, ai_client: AiClient) -> None:
    options = {"starshipsAtLarge": {"rounds": 3}}
    env = Single("starships-at-large", opponents=1, level="random", options=options, engine=engine.address)
    observation, info = env.reset(seed=5)
    over = False
    while not over:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, over, cut, info = env.step(action)
        assert not cut
    assert observation["observation"].shape == (env.board.length,)
    assert reward == info["outcome"].points[0]
    env.close()


def test_an_action_that_is_not_on_the_menu(engine: Engine) -> None:
    kind, wrong = "starships-at-large", 511
    env = Aec(kind, engine=engine.address)
    env.reset(seed=3)
    first = env.agent_selection
    env.step(wrong)
    # It is replaced by one that is.
    assert (env.game.illegal, env.game.actions) == (1, 1)
    assert not any(env.terminations.values())
    env.close()
    env = Aec(kind, illegal="terminate", engine=engine.address)
    env.reset(seed=3)
    env.step(wrong)
    assert all(env.terminations.values())
    assert env.rewards == {first: -1.0, next(agent for agent in env.agents if agent != first): 0.0}
    env.close()
    single = Single(kind, illegal="terminate", engine=engine.address)
    single.reset(seed=3)
    _, reward, over, cut, _ = single.step(wrong)
    assert (reward, over, cut) == (-1.0, True, False)
    single.close()
    parallel = Parallel("diplomacy", players=2, illegal="terminate", engine=engine.address)
    parallel.reset(seed=3)
    _, rewards, over_all, _, _ = parallel.step(dict.fromkeys(parallel.agents, wrong))
    assert rewards == {"seat_1": -1.0, "seat_2": 0.0}
    assert over_all == {"seat_1": True, "seat_2": True}
    assert parallel.agents == []
    parallel.close()


def test_games_are_rendered_as_text(engine: Engine) -> None:
    for made in (Single, Aec, Parallel):
        with pytest.raises(ValueError, match=r"render_mode: 'human' is not supported; use 'ansi' or None"):
            made("starships-at-large", render_mode="human", engine=engine.address)
        env = made("starships-at-large", render_mode="ansi", engine=engine.address)
        env.reset(seed=1)
        shown = env.render() or ""
        lines = shown.splitlines()
        assert "Round 1" in shown
        assert lines[-1] == f"seat {env.game.turn.seat}: {env.game.turn.decision.prompt}"
        assert len(lines) > 10
        env.close()


def test_what_the_engine_refuses_stands_in_the_answer(engine: Engine, account: Client) -> None:
    from heliopause import methods, refusals
    from heliopause.v1 import game_pb2, sandbox_pb2

    mine, other = account.sandbox("diplomacy", players=2), account.sandbox("diplomacy", players=2)
    orders = [
        sandbox_pb2.SandboxOrders(
            seat=1, phase=1, revision=0, request_id=name, orders=game_pb2.Orders(text=text), ready=False
        )
        for name, text in (("a", "A Par - Mos"), ("b", "nonsense"))
    ]
    steps = [
        sandbox_pb2.SandboxStep(game_id=mine.game_id, orders=orders),
        sandbox_pb2.SandboxStep(game_id="no-such-game"),
        sandbox_pb2.SandboxStep(game_id=other.game_id),
    ]
    request = sandbox_pb2.StepSandboxGamesRequest(steps=steps, all_asked=True)
    answer = account.call(methods.SandboxService.StepSandboxGames, request)
    reasons = [refusals.of_details(done.error).reason for done in answer.games[0].orders]
    assert reasons[0] in ("ORDER_REFUSED", "STALE_REVISION", "PHASE_CLOSED")
    assert len(reasons) == 2
    assert refusals.of_details(answer.games[1].error).reason == "GAME_NOT_FOUND"
    assert [asked.seat for asked in answer.games[2].asked] == [1, 2]
    assert all(asked.view.HasField("diplomacy") and asked.offers.offers for asked in answer.games[2].asked)
    again = sandbox_pb2.StepSandboxGamesRequest(steps=[steps[2], steps[2]])
    with pytest.raises(refusals.Refusal) as twice:
        account.call(methods.SandboxService.StepSandboxGames, again)
    assert twice.value.field == "steps[1].game_id"


def test_steps_are_the_owners_alone_and_done_once(engine: Engine, account: Client, name: str) -> None:
    from heliopause import methods, refusals
    from heliopause.v1 import game_pb2, sandbox_pb2

    call, game = methods.SandboxService.StepSandboxGames, account.sandbox("diplomacy", players=2)
    orders = sandbox_pb2.SandboxOrders(seat=1, phase=1, revision=0, request_id="once")
    orders.orders.CopyFrom(game_pb2.Orders(text="A Vie - Gal"))
    step = sandbox_pb2.SandboxStep(game_id=game.game_id, orders=[orders])
    for _ in range(2):
        (told,) = account.call(call, sandbox_pb2.StepSandboxGamesRequest(steps=[step])).games
        assert told.orders[0].taken == 1
        assert told.asked[0].decision.revision == 1
    with Client(engine.address) as other:
        other.register(name)
        (told,) = other.call(call, sandbox_pb2.StepSandboxGamesRequest(steps=[step])).games
        assert refusals.of_details(told.error).reason == "GAME_NOT_FOUND"
        assert not told.asked
        assert not told.orders
    many = [sandbox_pb2.SandboxStep(game_id=str(at)) for at in range(65)]
    with pytest.raises(refusals.Refusal) as refused:
        account.call(call, sandbox_pb2.StepSandboxGamesRequest(steps=many))
    assert refused.value.field == "steps"
