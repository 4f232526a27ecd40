"""Fixtures for pytest: an engine, accounts, sandboxes, scenarios. Installing this package loads them."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from heliopause.sync import Client, Sandbox
from heliopause.testing.programs import AiClient, Engine, run_scenario


@pytest.fixture(scope="session")
def engine_arguments() -> Sequence[str]:
    """Arguments of the engine besides address and data. Override this fixture to change the arguments."""
    return ["--sandbox"]


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory, engine_arguments: Sequence[str]) -> Iterator[Engine]:
    """An engine with an empty data folder, shared by all tests. Each test creates its own games."""
    made = Engine(tmp_path_factory.mktemp("engine"), *engine_arguments)
    made.start()
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="session")
def ai_client(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AiClient]:
    """A process that plays the engine's automated seats."""
    made = AiClient(tmp_path_factory.mktemp("ai-client"), engine)
    made.start()
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture
def account(engine: Engine) -> Iterator[Client]:
    """A client with its own account."""
    with Client(engine.address) as client:
        client.register(f"test-{uuid.uuid4().hex[:8]}")
        yield client


@pytest.fixture
def sandbox(account: Client) -> Callable[..., Sandbox]:
    """Creates sandbox games owned by the test: `sandbox("diplomacy", players=2)`."""
    return account.sandbox


@pytest.fixture
def scenario(engine: Engine, tmp_path: Path) -> Callable[..., str]:
    """Runs scenario files against the engine: `scenario("duel.json", with_ai=True)`."""

    def run(*files: str | Path, with_ai: bool = False) -> str:
        return run_scenario(engine, tmp_path, *files, with_ai=with_ai)

    return run
