"""Refusals are exceptions, and say all that the engine says."""

import socket
from collections.abc import Callable

import grpc
import pytest

from heliopause import (
    Client,
    CursorInvalid,
    MalformedOrder,
    NotYourTurn,
    OrderRefused,
    PhaseClosed,
    RateLimited,
    Refusal,
    Sandbox,
    StaleRevision,
    Unreachable,
    WrongStatus,
)
from heliopause.testing import Engine

KIND = "starships-at-large"
# Seat 1 is on turn.
POSITION = {
    "starshipsAtLarge": {
        "hexes": [
            {"hex": {"q": 0, "r": 2}, "marker": "MARKER_FRIENDLY", "owner": 1},
            {"hex": {"q": 0, "r": -2}, "marker": "MARKER_FRIENDLY", "owner": 2},
        ],
        "players": [
            {"bases": [{"at": {"q": 0, "r": 2}}], "starships": [{"serial": 1, "at": {"q": 0, "r": 0}}]},
            {"bases": [{"at": {"q": 0, "r": -2}}], "starships": [{"serial": 1, "at": {"q": 1, "r": 0}}]},
        ],
    }
}


@pytest.fixture
def duel(sandbox: Callable[..., Sandbox]) -> Sandbox:
    return sandbox(KIND, position=POSITION)


def test_an_order_against_the_rules(duel: Sandbox) -> None:
    with pytest.raises(OrderRefused) as refused:
        duel.seat(1).order("move A1 to (0,-3)")
    refusal = refused.value
    assert (refusal.reason, refusal.rule, refusal.status) == (
        "ORDER_REFUSED",
        "4",
        grpc.StatusCode.FAILED_PRECONDITION,
    )
    assert refusal.refusal
    assert [(verdict.rule, verdict.refusal, verdict.accepted) for verdict in refusal.verdicts] == [
        ("4", refusal.refusal, False)
    ]
    assert refusal.message in str(refusal)


def test_another_seats_turn(duel: Sandbox) -> None:
    with pytest.raises(NotYourTurn) as refused:
        duel.seat(2).order("end")
    assert refused.value.refusal == "not-your-turn"


def test_an_order_that_cannot_be_read(duel: Sandbox) -> None:
    with pytest.raises(MalformedOrder) as refused:
        duel.seat(1).order("fly to the moon")
    assert refused.value.metadata == {"line": "1", "column": "1"}


def test_another_client_was_faster(duel: Sandbox) -> None:
    one, other = duel.seat(1), duel.seat(1)
    one.offers()
    other.offers()
    other.order("move A1 to (0,1)")
    with pytest.raises(StaleRevision) as refused:
        one.order("end")
    assert refused.value.metadata == {"phase": "1", "revision": "1"}
    one.offers()
    one.order("end")


def test_a_phase_that_is_over(duel: Sandbox) -> None:
    table = duel.seat(1)
    with pytest.raises(PhaseClosed):
        table.order("end", phase=77, revision=0)


def test_a_game_that_has_not_begun(account: Client) -> None:
    table = account.new_game(KIND, open_seats=1)
    with pytest.raises(WrongStatus) as refused:
        table.offers()
    assert refused.value.metadata == {"status": "GAME_STATUS_FORMING"}


def test_a_field_at_fault(account: Client) -> None:
    with pytest.raises(Refusal) as refused:
        account.register("")
    assert (refused.value.reason, refused.value.field) == ("INVALID_FIELD", "name")


def test_a_game_that_there_is_not(account: Client) -> None:
    with pytest.raises(Refusal, match="GAME_NOT_FOUND") as refused:
        account.table("nothing")
    assert type(refused.value) is Refusal


def test_a_cursor_beyond_the_end(duel: Sandbox) -> None:
    with pytest.raises(CursorInvalid) as refused:
        next(duel.seat(1).parts(after=10_000))
    assert refused.value.metadata["audience"] == "seat 1"


def test_no_account(engine: Engine) -> None:
    with Client(engine.address) as nobody, pytest.raises(Refusal) as refused:
        nobody.me()
    assert refused.value.reason == "TOKEN_INVALID"


def test_the_same_request_is_done_once(duel: Sandbox) -> None:
    table = duel.seat(1)
    first = table.order("move A1 to (0,1)", request_id="one")
    again = table.order("move A1 to (0,1)", request_id="one", phase=1, revision=0)
    assert again.cursor == first.cursor
    with pytest.raises(Refusal, match="REQUEST_ID_REUSED"):
        table.order("end", request_id="one")


def test_a_rate_is_waited_for(started: Callable[..., Engine], name: str) -> None:
    engine = started("--rate-limit", "5")
    with Client(engine.address) as client:
        client.register(name)
        with Client(engine.address, token=client.token, patience=0) as hasty, pytest.raises(RateLimited) as refused:
            [hasty.me() for _ in range(100)]
        assert refused.value.retry_after
        # One that is patient gets all its answers.
        assert {client.me().name for _ in range(20)} == {name}


def test_a_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with Client(address, token="hp_none", timeout=0.5, patience=0) as client, pytest.raises(Unreachable) as refused:
            client.me()
    assert refused.value.status == grpc.StatusCode.DEADLINE_EXCEEDED


@pytest.mark.parametrize("address", ["", "host", "host:port", "ftp://host:1", ":1", "127.0.0.1:1,"])
def test_bad_addresses(address: str) -> None:
    with pytest.raises(ValueError, match=r"address of an engine|at least one"):
        Client([address] if address == "" else address)


def test_a_token_in_the_open(caplog: pytest.LogCaptureFixture) -> None:
    # Nobody is asked: 192.0.2.1 is no machine's address.
    for engine, exposed in [
        ("http://192.0.2.1:1", True),
        ("games.invalid:1", True),
        ("https://games.invalid:1", False),
        ("127.0.0.2:1", False),
        ("http://[::1]:1", False),
        ("localhost:1", False),
    ]:
        caplog.clear()
        with Client(engine, token="hp_none", timeout=0.2, patience=0) as client:
            for _ in range(2):
                with pytest.raises(Unreachable):
                    client.me()
        told = [record.getMessage() for record in caplog.records if "is not encrypted" in record.getMessage()]
        assert len(told) == exposed, engine


def test_bad_options(account: Client) -> None:
    with pytest.raises(ValueError, match=r"GameOptions: .*nonsense"):
        account.new_game(KIND, options={"nonsense": 1})
    with pytest.raises(TypeError, match="give a GameOptions or its JSON, not a int"):
        account.new_game(KIND, options=7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="go together"):
        Client("https://127.0.0.1:1", tls_cert=__file__)
    with pytest.raises(ValueError, match="https://"):
        Client("127.0.0.1:1", tls_ca=__file__)
    with pytest.raises(ValueError, match="timeout"):
        Client(timeout=0)
