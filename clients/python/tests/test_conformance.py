"""The conformance kit of the engine finds no mistake, neither in playing nor in watching."""

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


def test_the_kit_is_content(tmp_path: Path) -> None:
    heliopause = shutil.which("heliopause")
    assert heliopause
    where = ["--engine", "{engine}", "--token", "{token}", "--game", "{game}"]
    running = [
        kit(tmp_path / "play", "--", heliopause, "random", *where),
        kit(tmp_path / "watch", "--watch", "--printed", "--", heliopause, "watch", *where),
    ]
    told = [one.communicate()[0] for one in running]
    assert [one.returncode for one in running] == [0, 0], "\n".join(told)
    assert all("The client passed " in text for text in told)
