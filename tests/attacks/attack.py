"""Attacks: functions that stress the engine for a while and check a guarantee of the contract."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace


class Broken(AssertionError):
    """The engine broke the guarantee that an attack checks."""


def require(holds, message):
    if not holds:
        raise Broken(message)


@dataclass(frozen=True)
class Attack:
    """An attack: the number of its finding, the guarantee that it checks, and how it runs."""

    name: str
    page: str
    wanted: str
    act: Callable
    # The minimum duration in seconds. Attacks that only wait run at the same time as other attacks.
    least: float
    waits: bool
    # Whether the attack uses all available connections, so that new clients have to wait.
    crowds: bool
    # Whether the attack needs an engine with a sandbox.
    sandbox: bool


ATTACKS: list[Attack] = []


def attack(page, wanted, *, least=0.0, waits=False, crowds=False, sandbox=False):
    def make(act):
        name = act.__name__.replace("_", "-")
        ATTACKS.append(Attack(name, page, wanted, act, least, waits, crowds, sandbox))
        return act

    return make


@dataclass(frozen=True)
class Target:
    """The engine, and the addresses of this attack."""

    host: str
    port: int
    worker_token: str
    # The number of the attack and of its run, for separate addresses and names.
    number: int
    turn: int
    ends: float

    def source(self, nth=0):
        """Returns one of the addresses of this attack. All addresses in 127.0.0.0/8 are this machine."""
        return f"127.{16 + self.number}.{self.turn}.{nth + 1}"

    def name(self, nth=0):
        return f"a{self.number}-{self.turn}-{nth}"

    def going_on(self):
        return time.monotonic() < self.ends

    def left(self):
        return self.ends - time.monotonic()

    def for_seconds(self, seconds):
        """Returns a copy of the target whose time ends after this many seconds."""
        return replace(self, ends=time.monotonic() + seconds)
