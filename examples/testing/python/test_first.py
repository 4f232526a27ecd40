"""A bot and its test, explained in docs/testing.md."""

from heliopause import Bot
from heliopause.testing import serving


def test_it_ends_its_turn(engine, sandbox):
    with serving(Bot(lambda table, offers: "end"), engine) as name:
        me = sandbox("starships-at-large", players=2, guests={2: name}).seat(1)
        for _ in range(2):
            me.until_asked("turn")
            me.order("end")
