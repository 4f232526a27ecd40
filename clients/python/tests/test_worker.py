"""A bot works for leases alongside other workers."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heliopause import Answer, Bot, Client, Offers, OutgoingMessage, Refusal, Sandbox, Seat, aio, at_random, methods
from heliopause.testing import Engine, working
from heliopause.v1 import admin_pb2, game_pb2, player_pb2, table_pb2

KIND = "starships-at-large"
ROUNDS = {"starshipsAtLarge": {"rounds": 3}}
ALL = {1: "random", 2: "random", 3: "random"}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine without the AI client of other tests, which would take leases."""
    made = Engine(tmp_path_factory.mktemp("engine"), "--sandbox")
    made.start()
    yield made
    made.stop()


@pytest.fixture
def game(account: Client) -> Sandbox:
    return account.sandbox(KIND, players=2, options=ROUNDS, automated=ALL, seed=bytes(32))


@pytest.fixture
def second(engine: Engine, tmp_path: Path, name: str) -> Engine:
    """The same engine with the token of another worker account."""
    with Client(engine.address, token=engine.admin_token.read_text().strip()) as admin:
        request = admin_pb2.GrantRoleRequest(name=name, role=player_pb2.ACCOUNT_ROLE_WORKER)
        token = admin.call(methods.AdminService.GrantRole, request).token

    other = Engine(tmp_path)
    other.address, other.worker_token = engine.address, tmp_path / "second.token"
    other.worker_token.write_text(token)
    return other


def fails(seat: Seat, offers: Offers) -> str:
    raise RuntimeError("it always fails")


def returns_invalid_orders(seat: Seat, offers: Offers) -> str:
    return "to be or not to be"


@pytest.mark.parametrize("bad", [fails, returns_invalid_orders])
def test_a_bad_worker_does_not_block_decisions(
    engine: Engine, second: Engine, account: Client, bad: Callable[[Seat, Offers], str]
) -> None:
    asked, good = threading.Event(), 0

    def badly(seat: Seat, offers: Offers) -> str:
        asked.set()
        return bad(seat, offers)

    def well(seat: Seat, offers: Offers) -> Answer:
        nonlocal good
        # The bad worker takes one decision at a time, so other workers get the remaining games.
        assert asked.wait(60)
        good += 1
        return at_random(seat, offers)

    def ignored(place: str, error: Exception) -> None:
        return

    with working(Bot(badly, on_fault=ignored), engine, [KIND]), working(Bot(well), second, [KIND], capacity=1):
        games = [account.sandbox(KIND, players=1, automated={1: "random", 2: "random"}) for _ in range(3)]
        for game in games:
            # After five failures, the engine uses only the other account's worker.
            given = game.seat(1).until(lambda event: event.HasField("orders_accepted"), seconds=120)
            assert given.orders_accepted.automation
    assert good >= len(games)


def test_a_stopping_worker_returns_its_leases(engine: Engine, game: Sandbox) -> None:
    asked, stop = threading.Event(), threading.Event()

    def thinks(seat: Seat, offers: Offers) -> str:
        asked.set()
        assert stop.wait(60)
        return "end"

    with working(Bot(thinks), engine, [KIND]):
        assert asked.wait(60)
        stop.set()
    with working(Bot(at_random), engine, [KIND]):
        assert game.seat(1).until_over(seconds=200).summary


def test_a_refused_answer_can_be_corrected(engine: Engine, game: Sandbox) -> None:
    refused: list[str] = []

    def choose(seat: Seat, offers: Offers) -> str:
        if seat.attempt == 0:
            return "move A1 to (0,0)\nmove A1 to (3,0)"
        refused.extend(verdict.message for verdict in seat.refused)
        return offers.at_random(seat.random)

    with working(Bot(choose), engine, [KIND]):
        assert game.seat(1).until_over(seconds=200).summary
    assert refused
    assert all(refused)


def test_the_next_decision_has_the_memo(engine: Engine, game: Sandbox) -> None:
    memos: dict[tuple[str, int], list[bytes]] = {}

    def choose(seat: Seat, offers: Offers) -> Answer:
        found = memos.setdefault((seat.game_id, seat.number), [])
        found.append(seat.memo)
        return Answer(offers.at_random(seat.random), memo=b"%d" % len(found))

    with working(Bot(choose), engine, [KIND]):
        game.seat(1).until_over(seconds=200)
    for seat in (1, 2):
        found = memos[game.game_id, seat]
        assert len(found) > 1
        assert found == [b"", *(b"%d" % number for number in range(1, len(found)))]


def test_a_repeated_decision_has_the_same_random_numbers(engine: Engine, account: Client, game: Sandbox) -> None:
    again = account.sandbox(KIND, players=2, options=ROUNDS, automated=ALL, seed=bytes(32))
    with working(Bot(at_random), engine, [KIND]):
        for one in (game, again):
            one.seat(1).until_over(seconds=200)
    texts = [[event.text for event in one.seat(1).history()] for one in (game, again)]
    assert texts[0] == texts[1]


def test_a_lease_has_the_view_and_the_level(engine: Engine, game: Sandbox) -> None:
    seen: set[tuple[str, str, str]] = set()

    def choose(seat: Seat, offers: Offers) -> Answer:
        seen.add((seat.kind, seat.level, seat.view().WhichOneof("game") or ""))
        assert not hasattr(seat, "order")
        return at_random(seat, offers)

    with working(Bot(choose), engine, [f"{KIND}:captain:random", f"{KIND}:death-star"]):
        game.seat(1).until_over(seconds=200)
    assert seen == {(KIND, "random", "starships_at_large")}


@pytest.mark.parametrize("voice", [True, False])
def test_a_worker_votes(engine: Engine, account: Client, voice: bool) -> None:
    asked: list[table_pb2.VoteSubject.ValueType] = []

    def vote(seat: Seat, subject: table_pb2.Vote) -> bool:
        asked.append(subject.subject)
        return voice

    with working(Bot(at_random, vote=vote), engine, [KIND]):
        table = account.new_game(KIND, opponents=1)
        request = game_pb2.ProposeVoteRequest(game_id=table.game_id, subject=table_pb2.VOTE_SUBJECT_CANCEL)
        account.call(methods.GameService.ProposeVote, request)
        decided = table.until(
            lambda event: event.HasField("vote") and event.vote.state != table_pb2.VOTE_STATE_OPEN, seconds=60
        )
    assert asked == [table_pb2.VOTE_SUBJECT_CANCEL]
    assert decided.vote.state == (table_pb2.VOTE_STATE_PASSED if voice else table_pb2.VOTE_STATE_FAILED)


def test_a_worker_sends_messages(engine: Engine, account: Client) -> None:
    options = {"diplomacy": {"lastYear": 1901}}

    def choose(seat: Seat, offers: Offers) -> Answer:
        answer = at_random(seat, offers)
        return Answer(answer.orders, messages=[OutgoingMessage([1], "Peace?")] if seat.attempt == 0 else ())

    with working(Bot(choose), engine, ["diplomacy"]):
        game = account.sandbox("diplomacy", players=2, options=options, automated={2: "random"})
        message = game.seat(1).until(lambda event: event.HasField("message"), seconds=60).message
    assert (message.from_seat, message.text) == (2, "Peace?")


@pytest.mark.parametrize(
    ("profile", "kind", "message"),
    [
        ("chess", ValueError, "unknown kind of game; the kinds are"),
        (f"{KIND}:", ValueError, "KIND:PROFILE:LEVEL"),
        ("a:b:c:d", ValueError, "KIND:PROFILE:LEVEL"),
        (f"{KIND}:captain:genius", Refusal, "INVALID_FIELD"),
    ],
)
async def test_invalid_profiles_are_rejected(engine: Engine, profile: str, kind: type[Exception], message: str) -> None:
    async with aio.Client(engine.address, token=engine.worker_token.read_text().strip()) as client:
        with pytest.raises(kind, match=message):
            await Bot(at_random).work(client, [profile])
