"""Fixtures: real processes on free ports, with folders of their own that are removed afterwards."""

import os
import subprocess
import sys
import uuid

import grpc
import pytest
from harness import Account, Process, generate, program


@pytest.fixture(scope="session")
def contract(tmp_path_factory):
    """The folder of the code that is generated from the contract."""
    folder = tmp_path_factory.mktemp("contract")
    generate(folder)
    sys.path.insert(0, str(folder))
    return folder


@pytest.fixture(scope="session")
def engine(contract, tmp_path_factory):
    """An engine with an empty data folder: its address and that folder."""
    folder = tmp_path_factory.mktemp("engine")
    data = folder / "data"
    command = [program("engine-service"), "--listen", "127.0.0.1:0", "--sandbox", "--data", data]
    process = Process(folder / "log", *command, stdout=subprocess.PIPE)
    yield process.ready(), data
    process.stop()


@pytest.fixture(scope="session")
def ai_client(engine, tmp_path_factory):
    """A process that plays the automated seats of the engine, with the token that the engine's first start wrote."""
    address, data = engine
    command = [program("ai-client"), "--engine", f"http://{address}", "--token-file", data / "worker.token"]
    process = Process(tmp_path_factory.mktemp("ai") / "log", *command)
    yield
    process.stop()


@pytest.fixture(scope="session")
def channel(engine):
    with grpc.insecure_channel(engine[0]) as channel:
        yield channel


@pytest.fixture
def account(channel):
    """An account of the test's own, which owns the sandbox games."""
    return Account(channel, f"test-{uuid.uuid4().hex[:8]}")


@pytest.fixture
def sentry(engine, channel, contract, tmp_path):
    """The bot under test, with an account of its own: it runs as long as the test."""
    account = Account(channel, f"sentry-{uuid.uuid4().hex[:8]}")
    token = tmp_path / "sentry.token"
    token.touch(mode=0o600)
    token.write_text(account.token)
    script = os.path.join(os.path.dirname(__file__), "sentry.py")
    command = [sys.executable, script, "--engine", engine[0], "--token-file", token]
    process = Process(tmp_path / "sentry.log", *command, env={**os.environ, "PYTHONPATH": str(contract)})
    yield account
    process.stop()
