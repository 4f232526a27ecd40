"""Runs the attacks in protocol, calls, accounts, streams, workers and sandbox while an honest player plays.

Each attack checks a guarantee for other clients. After each attack, the suite checks that the
engine is alive, nothing has panicked, no call of the honest player has failed, and the memory is
within its limit. Finally, all attacks run at once.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import statistics
import sys
import tempfile
import threading
import time
import traceback

import attack
from attack import ATTACKS, Broken, Target
from engine import Engine

# Importing these modules fills the table of attacks.
THEMES = ["protocol", "calls", "accounts", "streams", "workers", "sandbox"]
for theme in THEMES:
    __import__(theme)

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEGABYTE = 1 << 20
# The engine's default memory limit.
MEMORY_LIMIT = 768 * MEGABYTE
# The maximum duration of an honest call, on a machine shared with the attackers.
SLOWEST = 10.0
# The guarantee: p99 of an honest GetView stays below this during an attack. Attackers, engine and
# honest player share the cores with other programs. A machine cannot keep the guarantee if a round
# trip to an idle process takes a fifth of this time, or a GetView at rest a third. On such a machine,
# the limit is a multiple of those times, measured in the same run.
P99, OF_REST, OF_MIRROR = 0.050, 3.0, 5.0
# With fewer calls, p99 depends on one or two calls, so it is checked only for all attacks together.
ENOUGH = 200
# How long the engine is observed at rest, and after each attack.
REST, PAUSE = 4.0, 0.3
# The share of the time in which all attacks run at once.
TOGETHER = 0.25


def child(name, target, pipe):
    """Runs an attack in a separate process with low priority."""
    os.nice(19)
    act = next(entry.act for entry in ATTACKS if entry.name == name)
    try:
        pipe.send(("held", act(target)))
    except Broken as broken:
        pipe.send(("broken", str(broken)))
    except Exception:
        pipe.send(("failed", traceback.format_exc()))


class Running:
    def __init__(self, context, entry, target, seconds):
        self.entry = entry
        self.begun = time.monotonic()
        self.until = self.begun + max(seconds, entry.least)
        self.pipe, theirs = context.Pipe()
        target = target.for_seconds(max(seconds, entry.least))
        self.process = context.Process(target=child, args=(entry.name, target, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def outcome(self):
        """Returns the outcome of the attack, which is a failure if the attack does not end."""
        patience = self.until + 90 - time.monotonic()
        try:
            kind, what = self.pipe.recv() if self.pipe.poll(max(patience, 0)) else ("failed", "it did not end")
        except EOFError:
            kind, what = "failed", "its process exited"
        self.process.kill()
        self.process.join()
        self.took = time.monotonic() - self.begun
        return kind, what


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")


def share_of(seconds, least):
    """Returns the duration of each attack so that all take `seconds`, given their minimum durations."""
    waiting = sorted(least, reverse=True)
    while waiting and waiting[0] > seconds / len(waiting):
        seconds -= waiting.pop(0)
    return max(seconds, 0.3) / max(len(waiting), 1)


class Suite:
    """The engine, the honest player, and their results."""

    def __init__(self, options, folder, chosen, arguments):
        self.options, self.chosen = options, chosen
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["suite"])
        self.engine = Engine(options.engine, folder, arguments)
        self.faults, self.rows, self.all_views, self.all_mirrored = [], [], [], []
        address = f"{self.engine.host}:{self.engine.port}"
        import honest

        mirror, theirs = self.context.Pipe()
        self.mirror = self.context.Process(target=honest.mirror, args=(theirs,), daemon=True)
        self.mirror.start()
        self.pipe, theirs = self.context.Pipe()
        self.honest = self.context.Process(target=honest.main, args=(address, mirror.recv(), theirs), daemon=True)
        self.honest.start()
        theirs.close()
        if not self.pipe.poll(60):
            raise SystemExit(f"the honest player cannot start:\n{self.engine.log()[-3000:]}")
        print(f"an honest player plays {', '.join(self.pipe.recv()['games'])}")

    def report(self):
        self.pipe.send("report")
        if not self.pipe.poll(30):
            return {"times": {}, "refusals": ["the honest player's own process hangs"]}
        return self.pipe.recv()

    def target(self, entry, turn):
        number = ATTACKS.index(entry)
        return Target(self.engine.host, self.engine.port, self.engine.worker_token, number, turn, 0.0)

    def fault(self, name, what):
        self.faults.append(f"{name}: {what}")
        print(f"  FAULT {name}: {what}")

    def rest(self):
        self.report()
        time.sleep(REST if self.options.minutes >= 1 else 2)
        times = self.report()["times"]
        self.rest_views = times["GetView"]
        self.rest_p99 = percentile(self.rest_views, 0.99)
        self.rest_memory, _ = self.engine.memory()
        print(f"at rest: GetView p50 {1e3 * statistics.median(self.rest_views):.1f} ms, p99 {1e3 * self.rest_p99:.1f} ms "
              f"({len(self.rest_views)} calls); mirror p99 {1e3 * percentile(times['mirror'], 0.99):.1f} ms; "
              f"load {os.getloadavg()[0]:.1f}; {self.rest_memory / MEGABYTE:.0f} MB")  # fmt: skip

    def bound(self, mirrored):
        """Returns the limit for p99 of a GetView, given the speed of the machine at that time."""
        return max(P99, OF_REST * self.rest_p99, OF_MIRROR * percentile(mirrored or [0.0], 0.99))

    def judge_p99(self, name, views, mirrored):
        """Checks p99 against the guarantee, or against the limit of a slow machine."""
        p99, bound = percentile(views, 0.99), self.bound(mirrored)
        if not p99 <= bound:
            why = "" if bound == P99 else f" (the machine cannot hold {1e3 * P99:.0f} ms)"
            self.fault(name, f"p99 of an honest GetView is {1e3 * p99:.0f} ms; the limit is {1e3 * bound:.0f} ms{why}; load {os.getloadavg()[0]:.1f}")

    def measured(self, name, crowds, begun, used, alone=True):
        """Checks the engine and the honest player after an attack."""
        report = self.report()
        views, mirrored = report["times"].get("GetView", []), report["times"].get("mirror", [])
        if alone:
            self.all_views += views
            self.all_mirrored += mirrored
            if len(views) >= ENOUGH:
                self.judge_p99(name, views, mirrored)
        refusals = report["refusals"]
        if crowds:
            # New clients wait for a connection slot, but connected clients must not notice.
            refusals = [refusal for refusal in refusals if not refusal.startswith("new connection")]
        if refusals:
            self.fault(name, f"{len(refusals)} honest calls failed, the first with {refusals[0]}")
        for what, times in report["times"].items():
            if max(times) > SLOWEST and not (crowds and what == "new connection"):
                self.fault(name, f"an honest {what} took {max(times):.1f} s")
        if not views and time.monotonic() - begun > 1:
            self.fault(name, "the honest player made no calls")
        if not self.engine.alive():
            self.fault(name, f"the engine exited with {self.engine.process.returncode}")
            raise SystemExit(self.finish())
        now, peak = self.engine.memory()
        if peak > MEMORY_LIMIT:
            self.fault(name, f"the engine used {peak / MEGABYTE:.0f} MB of {MEMORY_LIMIT / MEGABYTE:.0f}")
        self.engine.forget_peak()
        self.read_log(name)
        newcomers = report["times"].get("new connection", [0.0])
        orders = report["times"].get("SubmitOrders", [0.0])
        return {
            "seconds": round(time.monotonic() - begun, 1),
            "p50 ms": round(1e3 * percentile(views, 0.5), 1),
            "p99 ms": round(1e3 * percentile(views, 0.99), 1),
            "bound ms": round(1e3 * self.bound(mirrored), 1),
            "mirror p99 ms": round(1e3 * percentile(mirrored, 0.99), 1),
            "load": round(os.getloadavg()[0], 1),
            "order p99 ms": round(1e3 * percentile(orders, 0.99), 1),
            "newcomer ms": round(1e3 * max(newcomers)),
            "MB": round(now / MEGABYTE),
            "peak MB": round(peak / MEGABYTE),
            **self.used_since(begun, used),
        }

    def used(self):
        """Returns the engine's processor time, and its time waiting for a core."""
        return self.engine.processor(), self.engine.waited()

    def used_since(self, begun, used):
        """Returns the engine's processor time and waiting time since `used`, as shares of the elapsed time."""
        took = max(time.monotonic() - begun, 0.1)
        now = self.used()
        return {"cores": round((now[0] - used[0]) / took, 2), "waited": round((now[1] - used[1]) / took, 2)}

    def read_log(self, name):
        news = self.engine.news()
        panics = [line for line in news if "panicked" in line or "incident" in line]
        errors = [line for line in news if " ERROR " in line]
        if panics:
            self.fault(name, f"the log has {len(panics)} incidents: {panics[0][:300]}")
        if len(errors) > 5 or len(news) > 500:
            self.fault(name, f"the log has {len(errors)} errors in {len(news)} lines: {(errors or news)[0][:200]}")

    def one(self, entry, seconds, turn):
        begun, used = time.monotonic(), self.used()
        self.engine.forget_peak()
        running = Running(self.context, entry, self.target(entry, turn), seconds)
        outcome = running.outcome()
        time.sleep(PAUSE)
        self.row(entry, outcome, self.measured(entry.name, entry.crowds, begun, used))

    def row(self, entry, outcome, figures):
        kind, what = outcome
        if kind != "held":
            self.fault(entry.name, what if kind == "broken" else f"the attack itself failed: {what}")
        own = what if kind == "held" else {}
        said = {"attack": entry.name, "page": entry.page, "wanted": entry.wanted, "held": kind == "held"}
        self.rows.append({**said, **figures, "own": own})
        shown = "  ".join(f"{key} {value}" for key, value in figures.items())
        print(f"{'ok  ' if kind == 'held' else 'FAIL'} {entry.page:7} {entry.name:23} {shown}  {own}")

    def together(self, entries, seconds):
        begun, used = time.monotonic(), self.used()
        self.engine.forget_peak()
        running = [Running(self.context, entry, self.target(entry, 9), seconds) for entry in entries]
        for one in running:
            # Checks of durations are not valid here: the attacks share the cores, and all
            # connections are used.
            kind, what = one.outcome()
            if kind == "failed" and not any(error in what for error in ["TimeoutError", "Refused", "wire.Lost"]):
                self.fault(f"{one.entry.name} with all others", what)
        time.sleep(PAUSE)
        # Reflection alone opens 4,000 connections.
        figures = self.measured("all at once", True, begun, used, alone=False)
        self.together_figures = figures
        print(f"all {len(entries)} at once: " + "  ".join(f"{key} {value}" for key, value in figures.items()))

    def run(self):
        waiting = [entry for entry in self.chosen if entry.waits]
        single = [entry for entry in self.chosen if not entry.waits]
        self.rest()
        beside = [(Running(self.context, entry, self.target(entry, 0), 0)) for entry in waiting]
        seconds = self.options.minutes * 60 * len(self.chosen) / len(ATTACKS)
        turn = 1
        share = share_of((1 - TOGETHER) * seconds, [entry.least for entry in single])
        for entry in single:
            self.one(entry, share, turn)
        if len(single) > 1:
            self.together([entry for entry in single if not entry.crowds], TOGETHER * seconds)
        for running in beside:
            begun, used = time.monotonic(), self.used()
            outcome = running.outcome()
            self.row(running.entry, outcome, self.measured(running.entry.name, False, begun, used))
        self.cool()
        return self.finish()

    def cool(self):
        """Measures the memory that the engine still uses a few seconds after the attacks."""
        time.sleep(3)
        self.left, _ = self.engine.memory()
        self.measured("afterwards", False, time.monotonic(), self.used(), alone=False)

    def finish(self):
        took = self.engine.stop() if self.engine.alive() else None
        if took is None:
            self.fault("the end", "the engine had to be killed")
        p99 = percentile(self.all_views, 0.99)
        if len(self.all_views) >= ENOUGH:
            self.judge_p99("all attacks", self.all_views, self.all_mirrored)
        peak = max([row["peak MB"] for row in self.rows] + [getattr(self, "together_figures", {}).get("peak MB", 0)])
        figures = {
            "minutes": self.options.minutes, "attacks": len(self.rows), "faults": len(self.faults),
            "rest p50 ms": round(1e3 * statistics.median(self.rest_views), 1), "rest p99 ms": round(1e3 * self.rest_p99, 1),
            "p50 ms": round(1e3 * percentile(self.all_views, 0.5), 1), "p99 ms": round(1e3 * p99, 1),
            "p99 of rest": round(p99 / self.rest_p99, 1), "views": len(self.all_views),
            "bound ms": round(1e3 * self.bound(self.all_mirrored), 1), "load": round(os.getloadavg()[0], 1),
            "mirror p99 ms": round(1e3 * percentile(self.all_mirrored, 0.99), 1),
            "rest MB": round(self.rest_memory / MEGABYTE), "peak MB": peak,
            "left MB": round(getattr(self, "left", 0) / MEGABYTE),
        }  # fmt: skip
        print("\n" + "  ".join(f"{key} {value}" for key, value in figures.items()))
        print(json.dumps({**figures, "all at once": getattr(self, "together_figures", None), "each": self.rows}))
        for fault in self.faults:
            print(f"FAULT {fault}", file=sys.stderr)
        return 1 if self.faults else 0


def table():
    return "\n".join(f"{entry.page:7} {entry.name:23} {entry.wanted}" for entry in ATTACKS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1, help="duration of all attacks, unless they need more")
    parser.add_argument("--only", action="append", metavar="NAME", help="run only this attack (repeatable)")
    parser.add_argument("--list", action="store_true", help="list the attacks")
    engine = os.environ.get("HELIOPAUSE_BIN", ROOT / "target" / "debug")
    parser.add_argument("--engine", default=pathlib.Path(engine) / "engine-service", help="path of engine-service")
    options = parser.parse_args()
    if options.list:
        print(table())
        return 0
    unknown = set(options.only or []) - {entry.name for entry in ATTACKS}
    if unknown:
        parser.error(f"unknown attack: {', '.join(unknown)}; --list shows all")
    failed = 0
    for sandbox in (False, True):
        chosen = [entry for entry in ATTACKS if entry.sandbox == sandbox and (not options.only or entry.name in options.only)]
        if chosen:
            with tempfile.TemporaryDirectory(prefix="heliopause-attacks-") as folder:
                failed |= Suite(options, folder, chosen, ["--sandbox"] if sandbox else []).run()
    return failed


if __name__ == "__main__":
    sys.exit(main())
