"""Limits on wrong passcodes and rejected names."""

import ipaddress
import time
from collections import OrderedDict, deque
from collections.abc import Callable

PERIOD_SECONDS = 600.0
MOST_BY_ADDRESS = 5
"""The maximum number of wrong passcodes, and of rejected `NME`s, from an address within a period."""
MOST_FOR_SEAT = 20
"""The maximum number of wrong passcodes for a seat within a period: 1 in 400 of all passcodes."""
DELAY_SECONDS = 1.0
"""The delay of the response to a wrong passcode, in seconds."""
_MOST_KEYS = 4096


class Guard:
    """Counts wrong passcodes by address and by seat, and rejected names by address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def allows(self, address: str, power: str, *, known: bool) -> bool:
        """Returns whether an address may try a passcode. A `known` address was the last to play the seat.

        Attempts from other addresses do not limit a known address, so other addresses cannot lock the
        player out.
        """
        if self._count(_network(address)) >= MOST_BY_ADDRESS:
            return False
        return known or self._count(power) < MOST_FOR_SEAT

    def wrong(self, address: str, power: str) -> None:
        """Counts a wrong passcode."""
        self._add(_network(address), power)

    def allows_name(self, address: str) -> bool:
        """Returns whether an address may ask for a seat by name."""
        return self._count(f"NME {_network(address)}") < MOST_BY_ADDRESS

    def rejected(self, address: str) -> None:
        """Counts a name that was rejected."""
        self._add(f"NME {_network(address)}")

    def _add(self, *keys: str) -> None:
        for key in keys:
            self._wrong.setdefault(key, deque(maxlen=MOST_FOR_SEAT)).append(self._clock())
            self._wrong.move_to_end(key)
        while len(self._wrong) > _MOST_KEYS:
            self._wrong.popitem(last=False)

    def _count(self, key: str) -> int:
        times = self._wrong.get(key, deque[float]())
        while times and times[0] <= self._clock() - PERIOD_SECONDS:
            times.popleft()
        return len(times)


def _network(address: str) -> str:
    """Returns the address. For IPv6, returns the /64 network, which a single host can use."""
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ipaddress.ip_network((read, 64), strict=False)) if read.version == 6 else str(read)
