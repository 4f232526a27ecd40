"""The learning environments pass the tests of PettingZoo and Gymnasium."""

# PettingZoo has incomplete types.
# pyright: basic

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray
from pettingzoo.test.api_test import api_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.seed_test import parallel_seed_test, seed_test

from heliopause import Client
from heliopause.env import COLUMNS, NOTHING, Aec, Many, Parallel, Single, Vector
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
# Solo games.
ALONE = ("starships-at-large", "fate-of-empire")
# These tests warn about dictionary observations and unbounded boxes, which are intended.
pytestmark = pytest.mark.filterwarnings("ignore")

every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_pettingzoo_finds_no_errors(kind: str, engine: Engine) -> None:
    env = Aec(kind, engine=engine.address, **KINDS[kind])
    api_test(env, num_cycles=60)
    env.close()


@every_kind
def test_the_same_seed_plays_the_same_game(kind: str, engine: Engine) -> None:
    seed_test(lambda: Aec(kind, engine=engine.address, **KINDS[kind]), num_cycles=40)


@every_kind
def test_all_seats_may_act_together(kind: str, engine: Engine) -> None:
    parallel_api_test(Parallel(kind, engine=engine.address, **KINDS[kind]), num_cycles=60)
    # PettingZoo's test ignores the masks.
    parallel_seed_test(lambda: Parallel(kind, engine=engine.address, **KINDS[kind]), num_cycles=30)


@every_kind
def test_gymnasium_finds_no_errors(kind: str, engine: Engine, ai_client: AiClient) -> None:
    # Gymnasium's test ignores the masks.
    env = Single(kind, opponents=int(kind not in ALONE), level="random", render_mode="ansi", engine=engine.address)
    check_env(env)
    env.close()


def drawn(masks: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.int64]:
    return np.array([random.choice(np.flatnonzero(row)) for row in masks])


@every_kind
def test_games_end_with_rewards(kind: str, engine: Engine) -> None:
    if kind in ("stellar-conquest", "alone-in-outer-space", "fate-of-empire"):
        pytest.skip("44 turns take too long")
    vector = Vector(kind, 3, engine=engine.address, reward="win", **KINDS[kind])
    random, asked, ended = np.random.default_rng(1), vector.reset(1), 0
    for _ in range(20_000):
        assert asked.observations().shape == (3, *vector.board.shape)
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


@every_kind
def test_tensors_have_a_row_per_place_and_a_column_per_fact(kind: str, engine: Engine) -> None:
    vector = Vector(kind, 2, observation="tensor", engine=engine.address, **KINDS[kind])
    asked, layout = vector.reset(5), vector.board.layout
    assert layout is not None
    assert vector.board.observation_space()["observation"].shape == layout.shape
    again = asked.observations()
    assert again.shape == (2, *layout.shape)
    assert (again == vector.reset(5).observations()).all()
    own = [at for at, column in enumerate(COLUMNS) if column.startswith("own:")]
    scenes = [turn.question.scene for turn in asked.turns]
    for tensor, scene, seat in zip(again, scenes, asked.seats, strict=True):
        mine = [piece for piece in scene.pieces if piece.owner == seat and piece.place in layout.row]
        assert tensor[:, own].sum() == sum(max(piece.count, 1) for piece in mine)
    vector.close()


def test_the_columns_of_a_tensor_have_the_documented_meaning(engine: Engine) -> None:
    env = Aec("diplomacy", players=7, observation="tensor", engine=engine.address)
    env.reset(seed=1)
    env.step(NOTHING)
    tensor, layout = env.observe("seat_1")["observation"], env.board.layout
    assert layout is not None
    column = COLUMNS.index
    for name, army, seat in (("Vie", 1, 0), ("Par", 1, 2), ("Tri", 0, 0), ("Lon", 0, 1), ("Ank", 0, 6)):
        row = tensor[layout.row[name]]
        kind = "army" if army else "fleet"
        assert row[column(f"{'other' if seat else 'own'}:{kind}")] == 1
        assert row[column(f"owner:{seat}")] == row[column(f"pieces:{seat}")] == 1
        assert row[column("place:center")] == row[column("terrain:land")] == 1
    assert tensor[layout.row["NTH"], column("terrain:sea")] == 1
    assert tensor[layout.row["Bur"], column("place:center")] == 0
    env.close()


def test_actions_have_stable_identifiers_and_features(engine: Engine) -> None:
    env = Aec("diplomacy", players=7, observation="tensor", engine=engine.address)
    seen: dict[str, int] = {}
    for seed in (1, 2):
        env.reset(seed=seed)
        layout = env.board.layout
        assert layout is not None
        for _ in range(6):
            menu = env.game.turn.menu
            ids, features = menu.ids(), menu.features(layout.row)
            assert ids[NOTHING] == 0
            assert len(set(ids.tolist())) == len(menu)
            for text, identifier, row in zip(menu, ids.tolist(), features.tolist(), strict=True):
                assert seen.setdefault(text, identifier) == identifier
                if " - " in text and " S " not in text and " C " not in text:
                    origin, to = text.split()[1], text.split(" - ")[1].split()[0]
                    assert row[1:3] == [layout.row[origin], layout.row[to]]
            env.step(NOTHING)
    assert len(seen) > 20
    env.close()


def test_registered_environments_are_vectors_of_gymnasium(engine: Engine, ai_client: AiClient) -> None:
    options = {"starshipsAtLarge": {"rounds": 2}}
    one = gymnasium.make("heliopause/StarshipsAtLarge-v0", options=options, engine=engine.address)
    observation, _ = one.reset(seed=3)
    assert one.observation_space.contains(observation)
    one.close()
    many = gymnasium.make_vec(
        "heliopause/StarshipsAtLarge-v0",
        num_envs=3,
        options=options,
        opponents=1,
        level="random",
        engine=engine.address,
    )
    assert isinstance(many.unwrapped, Many)
    assert many.num_envs == 3
    first, _ = many.reset(seed=3)
    assert many.observation_space.contains(first)
    again, _ = many.reset(seed=3)
    assert (first["observation"] == again["observation"]).all()
    random, masks, ended, restarted = np.random.default_rng(1), again["action_mask"], np.zeros(3, bool), 0
    for _ in range(2_000):
        actions = np.array([random.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])
        observations, rewards, terminated, truncated, infos = many.step(actions)
        assert not truncated.any()
        # A game that ended in the last step has restarted without a reward.
        restarted += int(ended.sum())
        assert not (ended & terminated).any()
        assert (rewards[ended] == 0).all()
        for at in np.flatnonzero(terminated):
            assert rewards[at] == infos["outcome"][at].points[0]
            assert not observations["action_mask"][at].any()
        masks, ended = observations["action_mask"], terminated
        if restarted >= 3:
            break
    assert restarted >= 3
    many.close()


def test_a_kept_state_continues_with_the_same_dice(engine: Engine, ai_client: AiClient) -> None:
    env = Aec("starships-at-large", engine=engine.address)
    env.reset(seed=4)
    for _ in range(5):
        env.step(env.game.turn.at_random())
    state, agent, seen = env.clone_state(), env.agent_selection, env.observe(env.agent_selection)

    def played() -> list[Any]:
        views: list[Any] = []
        random = np.random.default_rng(7)
        for _ in range(25):
            if not env.game.turns:
                break
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(random.choice(np.flatnonzero(mask))))
            views.append((env.agent_selection, env.observe(env.agent_selection)["observation"].tolist()))
        return views

    played()
    env.restore_state(state)
    assert env.agent_selection == agent
    assert (env.observe(agent)["observation"] == seen["observation"]).all()
    assert (env.observe(agent)["action_mask"] == seen["action_mask"]).all()
    first = played()
    env.restore_state(state)
    assert played() == first
    env.close()


def test_a_state_is_kept_within_a_turn(engine: Engine) -> None:
    env = Parallel("diplomacy", players=2, options={"diplomacy": {"lastYear": 1901}}, engine=engine.address)
    env.reset(seed=4)
    env.step(dict.fromkeys(env.agents, 1))
    state, before = env.clone_state(), {turn.seat: list(turn.lines) for turn in env.game.turns}
    assert before[1]
    while env.agents:
        env.step(dict.fromkeys(env.agents, NOTHING))
    observations, infos = env.restore_state(state)
    assert set(observations) == set(infos) == set(env.agents) == {"seat_1", "seat_2"}
    assert {turn.seat: list(turn.lines) for turn in env.game.turns} == before
    while env.agents:
        env.step(dict.fromkeys(env.agents, NOTHING))
    assert env.game.over
    single = Single("starships-at-large", engine=engine.address)
    single.reset(seed=2)
    kept = single.clone_state()
    action = single.game.turn.at_random()
    single.step(action)
    restored, _ = single.restore_state(kept)
    assert restored["action_mask"][action] == 1
    single.step(action)
    assert single.game.actions == 1
    single.close()
    env.close()


def test_the_menu_lists_the_offers(engine: Engine) -> None:
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
    with pytest.raises(ValueError, match="not in the menu"):
        env.step(NOTHING)
    with pytest.raises(ValueError, match="not in the menu"):
        env.step(len(orders))
    env.close()


def test_different_seeds_make_different_games(engine: Engine) -> None:
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
    assert observation["observation"].shape == env.board.shape
    assert reward == info["outcome"].points[0]
    env.close()


def test_an_illegal_action_is_replaced_or_ends_the_game(engine: Engine) -> None:
    kind, wrong = "starships-at-large", 511
    env = Aec(kind, engine=engine.address)
    env.reset(seed=3)
    first = env.agent_selection
    env.step(wrong)
    # A legal action replaces the illegal one.
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


def test_the_response_contains_refusals_of_the_engine(engine: Engine, account: Client) -> None:
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


def test_only_the_owner_steps_a_game_and_each_step_once(engine: Engine, account: Client, name: str) -> None:
    from heliopause import methods, refusals
    from heliopause.v1 import game_pb2, sandbox_pb2

    call, game = methods.SandboxService.StepSandboxGames, account.sandbox("diplomacy", players=2)
    orders = sandbox_pb2.SandboxOrders(seat=1, phase=1, revision=0, request_id="once")
    orders.orders.CopyFrom(game_pb2.Orders(text="A Vie - Gal"))
    step = sandbox_pb2.SandboxStep(game_id=game.game_id, orders=[orders])
    for _ in range(2):
        (stepped,) = account.call(call, sandbox_pb2.StepSandboxGamesRequest(steps=[step])).games
        assert stepped.orders[0].accepted_count == 1
        assert stepped.asked[0].decision.revision == 1
    with Client(engine.address) as other:
        other.register(name)
        (stepped,) = other.call(call, sandbox_pb2.StepSandboxGamesRequest(steps=[step])).games
        assert refusals.of_details(stepped.error).reason == "GAME_NOT_FOUND"
        assert not stepped.asked
        assert not stepped.orders
    many = [sandbox_pb2.SandboxStep(game_id=str(at)) for at in range(65)]
    with pytest.raises(refusals.Refusal) as refused:
        account.call(call, sandbox_pb2.StepSandboxGamesRequest(steps=many))
    assert refused.value.field == "steps"
