"""Fixtures for pytest: a real engine, accounts, sandboxes, scenarios. Installing this package loads them."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from heliopause.sync import Client, Sandbox
from heliopause.testing.programs import AiClient, Engine, run_scenario


@pytest.fixture(scope="session")
def engine_arguments() -> Sequence[str]:
    """The arguments of the engine, but for address and data. Define a fixture of this name to have others."""
    return ["--sandbox"]


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory, engine_arguments: Sequence[str]) -> Iterator[Engine]:
    """An engine with an empty data folder. It serves all tests: each makes its own games and accounts."""
    made = Engine(tmp_path_factory.mktemp("engine"), *engine_arguments)
    made.start()
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="session")
def ai_client(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AiClient]:
    """A process that plays the automated seats of the engine."""
    made = AiClient(tmp_path_factory.mktemp("ai-client"), engine)
    made.start()
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture
def account(engine: Engine) -> Iterator[Client]:
    """A client with an account of the test's own."""
    with Client(engine.address) as client:
        client.register(f"test-{uuid.uuid4().hex[:8]}")
        yield client


@pytest.fixture
def sandbox(account: Client) -> Callable[..., Sandbox]:
    """Makes sandbox games, which the test owns: `sandbox("diplomacy", players=2)`."""
    return account.sandbox


@pytest.fixture
def scenario(engine: Engine, tmp_path: Path) -> Callable[..., str]:
    """Runs scenario files against the engine: `scenario("duel.json", with_ai=True)`. Fails where one fails."""

    def run(*files: str | Path, with_ai: bool = False) -> str:
        return run_scenario(engine, tmp_path, *files, with_ai=with_ai)

    return run
