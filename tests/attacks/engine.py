"""The engine under attack, started with default limits and observed from outside."""

import pathlib
import re
import subprocess
import time

STARTS = re.compile(r"heliopause ready grpc=(\S+):(\d+)")
COLOR = re.compile(r"\x1b\[[0-9;]*m")


class Engine:
    """An engine with an empty data directory."""

    def __init__(self, program, folder, arguments=()):
        self.folder = pathlib.Path(folder)
        self.log_file = self.folder / "engine.log"
        command = [str(program), "--listen", "127.0.0.1:0", "--data", str(self.folder / "data"), *arguments]
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
        ready = STARTS.match(self.process.stdout.readline().decode())
        if not ready:
            raise SystemExit(f"the engine did not start:\n{self.log()}")
        self.host, self.port = ready[1], int(ready[2])
        self.worker_token = (self.folder / "data" / "worker.token").read_text().strip()
        self.read_until = 0

    def alive(self):
        return self.process.poll() is None

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        kilobytes = {name: int(value) for name, value in re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", status, re.M)}
        return kilobytes["VmRSS"] << 10, kilobytes["VmHWM"] << 10

    def forget_peak(self):
        """Resets the peak memory, where the system allows a reset."""
        try:
            pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")
        except OSError:
            pass

    def processor(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def waited(self):
        """Returns how long threads were ready to run without a core, in seconds."""
        waited = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                waited += int((task / "schedstat").read_text().split()[1])
            except OSError:
                continue
        return waited / 1e9

    def log(self):
        return COLOR.sub("", self.log_file.read_text(errors="replace"))

    def news(self):
        log = self.log()
        lines, self.read_until = log[self.read_until :].splitlines(), len(log)
        return lines

    def stop(self):
        """Stops the engine. Returns the seconds until the exit, or None after a kill."""
        begun = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(40)
            return time.monotonic() - begun
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
