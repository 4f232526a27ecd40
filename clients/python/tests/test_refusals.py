"""Errors of the engine are exceptions with all details."""

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


def test_an_order_that_breaks_a_rule(duel: Sandbox) -> None:
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


def test_an_order_out_of_turn(duel: Sandbox) -> None:
    with pytest.raises(NotYourTurn) as refused:
        duel.seat(2).order("end")
    assert refused.value.refusal == "not-your-turn"


def test_an_order_that_cannot_be_parsed(duel: Sandbox) -> None:
    with pytest.raises(MalformedOrder) as refused:
        duel.seat(1).order("fly to the moon")
    assert refused.value.metadata == {"line": "1", "column": "1"}


def test_a_stale_revision(duel: Sandbox) -> None:
    one, other = duel.seat(1), duel.seat(1)
    one.offers()
    other.offers()
    other.order("move A1 to (0,1)")
    with pytest.raises(StaleRevision) as refused:
        one.order("end")
    assert refused.value.metadata == {"phase": "1", "revision": "1"}
    one.offers()
    one.order("end")


def test_a_closed_phase(duel: Sandbox) -> None:
    table = duel.seat(1)
    with pytest.raises(PhaseClosed):
        table.order("end", phase=77, revision=0)


def test_a_game_that_has_not_started(account: Client) -> None:
    table = account.new_game(KIND, open_seats=1)
    with pytest.raises(WrongStatus) as refused:
        table.offers()
    assert refused.value.metadata == {"status": "GAME_STATUS_FORMING"}


def test_an_invalid_field(account: Client) -> None:
    with pytest.raises(Refusal) as refused:
        account.register("@")
    assert (refused.value.reason, refused.value.field) == ("INVALID_FIELD", "name")


def test_a_missing_game(account: Client) -> None:
    with pytest.raises(Refusal, match="GAME_NOT_FOUND") as refused:
        account.table("nothing")
    assert type(refused.value) is Refusal


def test_a_cursor_past_the_last_event(duel: Sandbox) -> None:
    with pytest.raises(CursorInvalid) as refused:
        next(duel.seat(1).parts(after=10_000))
    assert refused.value.metadata["audience"] == "seat 1"


def test_a_call_without_an_account(engine: Engine) -> None:
    with Client(engine.address) as stranger, pytest.raises(Refusal) as refused:
        stranger.me()
    assert refused.value.reason == "TOKEN_INVALID"


def test_a_repeated_request_is_executed_once(duel: Sandbox) -> None:
    table = duel.seat(1)
    first = table.order("move A1 to (0,1)", request_id="one")
    again = table.order("move A1 to (0,1)", request_id="one", phase=1, revision=0)
    assert again.cursor == first.cursor
    with pytest.raises(Refusal, match="REQUEST_ID_REUSED"):
        table.order("end", request_id="one")


def test_a_patient_client_waits_for_its_rate_limit(started: Callable[..., Engine], name: str) -> None:
    engine = started("--rate-limit", "5")
    with Client(engine.address) as client:
        client.register(name)
        with Client(engine.address, token=client.token, patience=0) as hasty, pytest.raises(RateLimited) as refused:
            [hasty.me() for _ in range(100)]
        assert refused.value.retry_after
        # A patient client gets all its responses.
        assert {client.me().name for _ in range(20)} == {name}


def test_a_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with Client(address, token="hp_none", timeout=0.5, patience=0) as client, pytest.raises(Unreachable) as refused:
            client.me()
    assert refused.value.status == grpc.StatusCode.DEADLINE_EXCEEDED


@pytest.mark.parametrize("address", ["", "host", "host:port", "ftp://host:1", ":1", "127.0.0.1:1,"])
def test_bad_addresses(address: str) -> None:
    with pytest.raises(ValueError, match=r"engine address|at least one"):
        Client([address] if address == "" else address)


def test_an_unencrypted_token_causes_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    # No call gets a response, because 192.0.2.1 is a reserved address.
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
        warnings = [record.getMessage() for record in caplog.records if "is not encrypted" in record.getMessage()]
        assert len(warnings) == exposed, engine


def test_bad_options(account: Client) -> None:
    with pytest.raises(ValueError, match=r"GameOptions: .*nonsense"):
        account.new_game(KIND, options={"nonsense": 1})
    with pytest.raises(TypeError, match="expected GameOptions or its JSON, found int"):
        account.new_game(KIND, options=7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="needs its key"):
        Client("https://127.0.0.1:1", tls_cert=__file__)
    with pytest.raises(ValueError, match="https://"):
        Client("127.0.0.1:1", tls_ca=__file__)
    with pytest.raises(ValueError, match="timeout"):
        Client(timeout=0)
