"""The engine's conformance kit finds no errors in the random player and the spectator."""

import shutil
import subprocess
from pathlib import Path

from heliopause.testing import program


def kit(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    folder.mkdir()
    command: list[str | Path] = [program("cli-client"), "conformance", "--patience", "300", *arguments]
    environment = {
        "HELIOPAUSE_CONFIG_DIR": str(folder),
        "HELIOPAUSE_ENGINE_BIN": str(program("engine-service")),
        "HELIOPAUSE_AI_BIN": str(program("ai-client")),
        "HOME": str(folder),
        "PATH": "/usr/bin:/bin",
    }
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_the_random_player_and_the_spectator_pass(tmp_path: Path) -> None:
    heliopause = shutil.which("heliopause")
    assert heliopause
    where = ["--engine", "{engine}", "--token", "{token}", "--game", "{game}"]
    running = [
        kit(tmp_path / "play", "--", heliopause, "random", *where),
        kit(tmp_path / "watch", "--watch", "--printed", "--", heliopause, "watch", *where),
    ]
    outputs = [one.communicate()[0] for one in running]
    assert [one.returncode for one in running] == [0, 0], "\n".join(outputs)
    assert all("The client passed " in text for text in outputs)
