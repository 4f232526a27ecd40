"""The programs of Heliopause as processes of a test."""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

# An engine on a busy machine may take its time. One that takes longer is stuck.
_READY_SECONDS = 120
_STOP_SECONDS = 60


class ProgramError(Exception):
    """A program that is not there, does not start, or ended by itself."""


def program(name: str) -> Path:
    """The path of a program: in the folder HELIOPAUSE_BIN, on the PATH, or below a `target` here or further up."""
    folder = os.environ.get("HELIOPAUSE_BIN")
    here = Path.cwd()
    targets = [place / "target" / made for place in (here, *here.parents) for made in ("release", "debug", "play")]
    for place in [folder] if folder else [os.environ.get("PATH", ""), *targets]:
        if found := shutil.which(name, path=str(place)):
            return Path(found)
    where = f"in {folder}, which HELIOPAUSE_BIN names" if folder else "on the PATH or below a folder target"
    raise ProgramError(f"there is no {name} {where}")


class Program:
    """A process, and what it wrote. `folder` keeps its log."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.log = name, folder / f"{name}.log"
        self._process: subprocess.Popen[str] | None = None

    @property
    def running(self) -> bool:
        """Whether it runs now."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Stops it as an operator would. Raises `ProgramError` if it had ended by itself."""
        if self._process is None:
            return
        process, self._process = self._process, None
        ended = process.poll()
        process.terminate()
        try:
            process.communicate(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise ProgramError(f"{self.name} did not stop:\n{self.written()}") from None
        if ended is not None:
            raise ProgramError(f"{self.name} ended by itself with {ended}:\n{self.written()}")

    def kill(self) -> None:
        """Kills it at once, as a crash would."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.communicate()

    def written(self) -> str:
        """What it wrote to its log, the last of it."""
        return self.log.read_text(errors="replace")[-4000:] if self.log.exists() else ""

    def _start(self, arguments: Sequence[str | Path], *, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
        if self.running:
            raise ProgramError(f"{self.name} runs already")
        with self.log.open("ab") as log:
            command = [program(self.name), *arguments]
            self._process = subprocess.Popen(command, stdout=stdout, stderr=log, text=True)
        return self._process


class Engine(Program):
    """An engine with its own data folder, on a free port that it keeps when it is started again."""

    def __init__(self, folder: Path, *arguments: str, data: Path | None = None) -> None:
        super().__init__("engine-service", folder)
        self.data = data or folder / "data"
        """Its data folder."""
        self.worker_token = self.data / "worker.token"
        """The file with the token of workers."""
        self.admin_token = self.data / "admin.token"
        """The file with the token of the operator."""
        self.address = "127.0.0.1:0"
        """Host and port."""
        self._arguments = arguments or ("--sandbox",)

    def start(self) -> None:
        """Starts it, and waits until it is ready. A second start takes up the same games on the same port."""
        process = self._start(["--listen", self.address, "--data", self.data, *self._arguments], stdout=subprocess.PIPE)
        stuck = threading.Timer(_READY_SECONDS, process.kill)
        stuck.start()
        assert process.stdout is not None
        line = process.stdout.readline()
        stuck.cancel()
        ready = re.match(r"heliopause ready grpc=(\S+)", line)
        if not ready:
            self.kill()
            raise ProgramError(f"the engine is not ready:\n{self.written()}")
        self.address = ready[1]


class AiClient(Program):
    """The AI client, which plays the automated seats of an engine."""

    def __init__(self, folder: Path, engine: Engine) -> None:
        super().__init__("ai-client", folder)
        self._engine = engine

    def start(self) -> None:
        """Starts it."""
        self._start(["--engine", f"http://{self._engine.address}", "--token-file", self._engine.worker_token])


def run_scenario(engine: Engine, folder: Path, *files: str | Path, with_ai: bool = False) -> str:
    """Runs scenario files against an engine; answers what was printed. Raises `AssertionError` if one fails."""
    command = [program("cli-client"), "scenario", *files, "--engine", f"http://{engine.address}"]
    if with_ai:
        command += ["--with-ai", "--ai-token-file", engine.worker_token]
    environment = {**os.environ, "HELIOPAUSE_CONFIG_DIR": str(folder)}
    # The account is the scenario's own, not that of a client beside it.
    environment.pop("HELIOPAUSE_TOKEN", None)
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise AssertionError(f"{ran.stdout}{ran.stderr}")
    return ran.stdout
