"""The programs of Heliopause as processes of a test."""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

# Generous: starting can take long on a busy machine.
_READY_SECONDS = 120
_STOP_SECONDS = 60


class ProgramError(Exception):
    """A program is missing, did not start, or exited by itself."""


def program(name: str) -> Path:
    """Finds a program: in HELIOPAUSE_BIN, on the PATH, or in a `target` folder here or above."""
    folder = os.environ.get("HELIOPAUSE_BIN")
    here = Path.cwd()
    targets = [place / "target" / made for place in (here, *here.parents) for made in ("release", "debug", "play")]
    for place in [folder] if folder else [os.environ.get("PATH", ""), *targets]:
        if found := shutil.which(name, path=str(place)):
            return Path(found)
    where = f"in {folder} (from HELIOPAUSE_BIN)" if folder else "on the PATH or in a target folder"
    raise ProgramError(f"{name} was not found {where}")


class Program:
    """A child process that writes its output to a log in `folder`."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.log = name, folder / f"{name}.log"
        self._process: subprocess.Popen[str] | None = None

    @property
    def running(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Stops the process with SIGTERM. Raises `ProgramError` if it had exited by itself."""
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
            raise ProgramError(f"{self.name} did not stop within {_STOP_SECONDS} s:\n{self.written()}") from None
        if ended is not None:
            raise ProgramError(f"{self.name} exited unexpectedly with {ended}:\n{self.written()}")

    def kill(self) -> None:
        """Kills the process, as a crash would."""
        if self._process is not None:
            process, self._process = self._process, None
            process.kill()
            process.communicate()

    def written(self) -> str:
        """Returns the end of the log."""
        return self.log.read_text(errors="replace")[-4000:] if self.log.exists() else ""

    def _start(self, arguments: Sequence[str | Path], *, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
        if self.running:
            raise ProgramError(f"{self.name} is already running")
        with self.log.open("ab") as log:
            command = [program(self.name), *arguments]
            self._process = subprocess.Popen(command, stdout=stdout, stderr=log, text=True)
        return self._process


class Engine(Program):
    """An engine with its own data folder on a free port, which it keeps after a restart."""

    def __init__(self, folder: Path, *arguments: str, data: Path | None = None) -> None:
        super().__init__("engine-service", folder)
        self.data = data or folder / "data"
        self.worker_token = self.data / "worker.token"
        """The file with the token for workers."""
        self.admin_token = self.data / "admin.token"
        """The file with the operator's token."""
        self.address = "127.0.0.1:0"
        """The address as HOST:PORT."""
        self._arguments = arguments or ("--sandbox",)

    def start(self) -> None:
        """Starts the engine and waits until it is ready. A restart keeps the games and the port."""
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
    """The AI client, which plays an engine's automated seats."""

    def __init__(self, folder: Path, engine: Engine) -> None:
        super().__init__("ai-client", folder)
        self._engine = engine

    def start(self) -> None:
        """Starts the process."""
        self._start(["--engine", f"http://{self._engine.address}", "--token-file", self._engine.worker_token])


def run_scenario(engine: Engine, folder: Path, *files: str | Path, with_ai: bool = False) -> str:
    """Runs scenario files against an engine. Returns the output. Raises `AssertionError` on failure."""
    command = [program("cli-client"), "scenario", *files, "--engine", f"http://{engine.address}"]
    if with_ai:
        command += ["--with-ai", "--ai-token-file", engine.worker_token]
    environment = {**os.environ, "HELIOPAUSE_CONFIG_DIR": str(folder)}
    # Scenarios use their own account instead of the environment's.
    environment.pop("HELIOPAUSE_TOKEN", None)
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise AssertionError(f"{ran.stdout}{ran.stderr}")
    return ran.stdout
