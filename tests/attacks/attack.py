"""What an attack is: a function that does its worst for a while, and says whether the engine did what the contract promises."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace


class Broken(AssertionError):
    """The engine did not do what an attack asserts."""


def require(holds, message):
    """Fails the attack unless something holds."""
    if not holds:
        raise Broken(message)


@dataclass(frozen=True)
class Attack:
    """An attack, its place among the findings, and what it asserts besides what holds for all of them."""

    name: str
    page: str
    wanted: str
    act: Callable
    # How many seconds it takes at least; those that only wait go on beside all others.
    least: float
    waits: bool
    # Whether it takes all the connections that there are, so that newcomers have to wait.
    crowds: bool
    # Whether it is for an engine with a sandbox.
    sandbox: bool


ATTACKS: list[Attack] = []


def attack(page, wanted, *, least=0.0, waits=False, crowds=False, sandbox=False):
    """Makes a function an attack of the table."""

    def make(act):
        name = act.__name__.replace("_", "-")
        ATTACKS.append(Attack(name, page, wanted, act, least, waits, crowds, sandbox))
        return act

    return make


@dataclass(frozen=True)
class Target:
    """The engine as an attack sees it, and the addresses from which this attack comes."""

    host: str
    port: int
    worker_token: str
    # Which attack it is, and which time it runs: each has addresses and names of its own.
    number: int
    turn: int
    ends: float

    def source(self, nth=0):
        """An address of this attack alone: all of 127.0.0.0/8 is this machine."""
        return f"127.{16 + self.number}.{self.turn}.{nth + 1}"

    def name(self, nth=0):
        """A name for an account of this attack alone."""
        return f"a{self.number}-{self.turn}-{nth}"

    def going_on(self):
        """Whether the attack has time left."""
        return time.monotonic() < self.ends

    def left(self):
        """How many seconds the attack has left."""
        return self.ends - time.monotonic()

    def for_seconds(self, seconds):
        """The same target, for so long from now on."""
        return replace(self, ends=time.monotonic() + seconds)
