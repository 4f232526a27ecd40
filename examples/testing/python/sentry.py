"""The bot under test: a sentry of Starships at Large. It attacks anyone who enters its hex, fights on
until one of them is lost, and otherwise ends its turn. It thinks before each order.

    python sentry.py --engine 127.0.0.1:50051 --token-file sentry.token --serve
"""

import time

from heliopause import Bot


def choose(table, offers):
    """Returns the best offer, with a random choice in each slot."""
    time.sleep(0.5)
    return offers.of("attack", "fight-on", "end")[0].at_random(table.random)


if __name__ == "__main__":
    raise SystemExit(Bot(choose).main())
