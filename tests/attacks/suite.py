"""Attacks an engine with all that is in protocol, calls, accounts, streams, workers and sandbox, while an honest player plays.

Each attack asserts what the engine owes the others, and after each of them holds: the engine lives, nothing panicked, no call of the
honest player failed, and the memory stays within its bound. At last all attack at once.
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

# The table of attacks is made by importing them.
THEMES = ["protocol", "calls", "accounts", "streams", "workers", "sandbox"]
for theme in THEMES:
    __import__(theme)

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEGABYTE = 1 << 20
# What the engine may take by its default settings.
MEMORY_LIMIT = 768 * MEGABYTE
# How long no honest call may take, on a machine whose cores the attackers share.
SLOWEST = 10.0
# The promise: p99 of an honest GetView stays below this while one attacks. Attackers, engine and honest player share the cores with
# whatever else runs. A machine that takes a fifth of the promise for a round trip to an idle process, or a third of it for a GetView
# when nobody attacks, cannot hold it: there the bound is a multiple of these times, which are measured in the same run.
P99, OF_REST, OF_MIRROR = 0.050, 3.0, 5.0
# Of fewer calls than this p99 is the slowest one or two, so it is only judged for all attacks together.
ENOUGH = 200
# How long the engine is watched at rest, and after each attack.
REST, PAUSE = 4.0, 0.3
# What part of the time all attack at once.
TOGETHER = 0.25


def child(name, target, pipe):
    """Runs an attack in a process of its own, which lets everybody else go first."""
    os.nice(19)
    act = next(entry.act for entry in ATTACKS if entry.name == name)
    try:
        pipe.send(("held", act(target)))
    except Broken as broken:
        pipe.send(("broken", str(broken)))
    except Exception:
        pipe.send(("failed", traceback.format_exc()))


class Running:
    """An attack under way."""

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
        """How it ended, once it has; an attack that does not end by itself has found something out, too."""
        patience = self.until + 90 - time.monotonic()
        try:
            kind, what = self.pipe.recv() if self.pipe.poll(max(patience, 0)) else ("failed", "it came to no end")
        except EOFError:
            kind, what = "failed", "its process died"
        self.process.kill()
        self.process.join()
        self.took = time.monotonic() - self.begun
        return kind, what


def percentile(values, part):
    """A percentile of some values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")


def share_of(seconds, least):
    """How long each attack takes, so that all together take so long, though some need more than their share."""
    waiting = sorted(least, reverse=True)
    while waiting and waiting[0] > seconds / len(waiting):
        seconds -= waiting.pop(0)
    return max(seconds, 0.3) / max(len(waiting), 1)


class Suite:
    """The engine, the honest player, and what became of both."""

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
            raise SystemExit(f"the honest player cannot begin:\n{self.engine.log()[-3000:]}")
        print(f"an honest player plays {', '.join(self.pipe.recv()['games'])}")

    def report(self):
        """What the honest player has seen since this was asked last."""
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
        """How it is when nobody attacks."""
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
        """What p99 of a GetView may be, as fast as the machine itself was meanwhile."""
        return max(P99, OF_REST * self.rest_p99, OF_MIRROR * percentile(mirrored or [0.0], 0.99))

    def judge_p99(self, name, views, mirrored):
        """Whether the promise was kept, or the bound where the machine cannot hold it."""
        p99, bound = percentile(views, 0.99), self.bound(mirrored)
        if not p99 <= bound:
            why = "" if bound == P99 else f" (the machine cannot hold {1e3 * P99:.0f} ms)"
            self.fault(name, f"p99 of an honest GetView is {1e3 * p99:.0f} ms, of {1e3 * bound:.0f}{why}; load {os.getloadavg()[0]:.1f}")

    def measured(self, name, crowds, begun, used, alone=True):
        """Judges what happened to the engine and to the honest player while they were attacked."""
        report = self.report()
        views, mirrored = report["times"].get("GetView", []), report["times"].get("mirror", [])
        if alone:
            self.all_views += views
            self.all_mirrored += mirrored
            if len(views) >= ENOUGH:
                self.judge_p99(name, views, mirrored)
        refusals = report["refusals"]
        if crowds:
            # Whoever comes anew waits for a place; those who are there must not notice.
            refusals = [refusal for refusal in refusals if not refusal.startswith("new connection")]
        if refusals:
            self.fault(name, f"{len(refusals)} honest calls failed, the first with {refusals[0]}")
        for what, times in report["times"].items():
            if max(times) > SLOWEST and not (crowds and what == "new connection"):
                self.fault(name, f"an honest {what} took {max(times):.1f} s")
        if not views and time.monotonic() - begun > 1:
            self.fault(name, "the honest player saw nothing")
        if not self.engine.alive():
            self.fault(name, f"the engine died with {self.engine.process.returncode}")
            raise SystemExit(self.finish())
        now, peak = self.engine.memory()
        if peak > MEMORY_LIMIT:
            self.fault(name, f"the engine took {peak / MEGABYTE:.0f} MB of {MEMORY_LIMIT / MEGABYTE:.0f}")
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
        """What the engine has used of the cores, and how long it waited for them."""
        return self.engine.processor(), self.engine.waited()

    def used_since(self, begun, used):
        """The same since then, as a part of the time."""
        took = max(time.monotonic() - begun, 0.1)
        now = self.used()
        return {"cores": round((now[0] - used[0]) / took, 2), "waited": round((now[1] - used[1]) / took, 2)}

    def read_log(self, name):
        """No panic, and no flood of errors."""
        news = self.engine.news()
        panics = [line for line in news if "panicked" in line or "incident" in line]
        errors = [line for line in news if " ERROR " in line]
        if panics:
            self.fault(name, f"the log tells of {len(panics)} incidents: {panics[0][:300]}")
        if len(errors) > 5 or len(news) > 500:
            self.fault(name, f"the log has {len(errors)} errors in {len(news)} lines: {(errors or news)[0][:200]}")

    def one(self, entry, seconds, turn):
        """One attack alone."""
        begun, used = time.monotonic(), self.used()
        self.engine.forget_peak()
        running = Running(self.context, entry, self.target(entry, turn), seconds)
        outcome = running.outcome()
        time.sleep(PAUSE)
        self.row(entry, outcome, self.measured(entry.name, entry.crowds, begun, used))

    def row(self, entry, outcome, figures):
        """Takes down what an attack came to."""
        kind, what = outcome
        if kind != "held":
            self.fault(entry.name, what if kind == "broken" else f"the attack itself failed: {what}")
        own = what if kind == "held" else {}
        said = {"attack": entry.name, "page": entry.page, "wanted": entry.wanted, "held": kind == "held"}
        self.rows.append({**said, **figures, "own": own})
        shown = "  ".join(f"{key} {value}" for key, value in figures.items())
        print(f"{'ok  ' if kind == 'held' else 'FAIL'} {entry.page:7} {entry.name:23} {shown}  {own}")

    def together(self, entries, seconds):
        """All attacks at once."""
        begun, used = time.monotonic(), self.used()
        self.engine.forget_peak()
        running = [Running(self.context, entry, self.target(entry, 9), seconds) for entry in entries]
        for one in running:
            # What one of many asserts of times says nothing here, for they share the cores, and all places for connections are taken.
            kind, what = one.outcome()
            if kind == "failed" and not any(error in what for error in ["TimeoutError", "Refused", "wire.Lost"]):
                self.fault(f"{one.entry.name} beside all others", what)
        time.sleep(PAUSE)
        # Reflection alone opens 4,000 connections.
        figures = self.measured("all at once", True, begun, used, alone=False)
        self.together_figures = figures
        print(f"all {len(entries)} at once: " + "  ".join(f"{key} {value}" for key, value in figures.items()))

    def run(self):
        """Everything, in order."""
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
        """What is left of it all, a while after."""
        time.sleep(3)
        self.left, _ = self.engine.memory()
        self.measured("afterwards", False, time.monotonic(), self.used(), alone=False)

    def finish(self):
        """Judges the whole, and prints it."""
        took = self.engine.stop() if self.engine.alive() else None
        if took is None:
            self.fault("the end", "the engine did not stop by itself")
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
    """The attacks, as they are listed."""
    return "\n".join(f"{entry.page:7} {entry.name:23} {entry.wanted}" for entry in ATTACKS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1, help="how long all attacks take, besides what they need at least")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this attack; may be repeated")
    parser.add_argument("--list", action="store_true", help="say what attacks there are")
    engine = os.environ.get("HELIOPAUSE_BIN", ROOT / "target" / "debug")
    parser.add_argument("--engine", default=pathlib.Path(engine) / "engine-service", help="the engine's program")
    options = parser.parse_args()
    if options.list:
        print(table())
        return 0
    unknown = set(options.only or []) - {entry.name for entry in ATTACKS}
    if unknown:
        parser.error(f"no such attack: {', '.join(unknown)}; --list says what there is")
    failed = 0
    for sandbox in (False, True):
        chosen = [entry for entry in ATTACKS if entry.sandbox == sandbox and (not options.only or entry.name in options.only)]
        if chosen:
            with tempfile.TemporaryDirectory(prefix="heliopause-attacks-") as folder:
                failed |= Suite(options, folder, chosen, ["--sandbox"] if sandbox else []).run()
    return failed


if __name__ == "__main__":
    sys.exit(main())
