"""A bot without rules plays every kind of game to the end, one seat as player, others as worker."""

import pytest

from heliopause import Bot, Client, at_random
from heliopause.testing import Engine, serving, working
from heliopause.v1 import table_pb2

SHORT = {
    "starships-at-large": {"starshipsAtLarge": {"rounds": 3}},
    "star-empires": {"starEmpires": {"lastTurn": 6}},
    "stellar-conquest": None,
    "fate-of-empire": None,
    "alone-in-outer-space": None,
    "diplomacy": {"diplomacy": {"lastYear": 1902}},
    "it-came-from-outer-space": {"diplomacy": {"lastYear": 1902}},
}
# The number of the game's own seats: the Death Star, pirates and independent worlds.
GAMES_OWN = {"starships-at-large": 1, "fate-of-empire": 2}


def test_all_kinds_are_played(account: Client) -> None:
    assert {kind.kind for kind in account.kinds()} == set(SHORT)


@pytest.mark.parametrize("kind", SHORT)
def test_a_game_is_played_to_its_end(engine: Engine, account: Client, kind: str) -> None:
    described = next(one for one in account.kinds() if one.kind == kind)
    players = min(max(described.players_min, 2), described.players_max)
    bot = Bot(at_random, seed=1)
    with serving(bot, engine) as name, working(bot, engine, [kind]):
        automated = dict.fromkeys(range(2, players + GAMES_OWN.get(kind, 0) + 1), "random")
        game = account.sandbox(
            kind, players=players, options=SHORT[kind], guests={1: name}, automated=automated, seed=bytes(32)
        )
        outcome = game.seat(1).until_over(seconds=200)
        accepted = [event for event in game.seat(1).history() if event.WhichOneof("body") == "orders_accepted"]
    assert game.seat(1).refresh().status == table_pb2.GAME_STATUS_ENDED
    assert outcome.summary
    # The bot played the player's seat, with its own orders instead of defaults.
    assert accepted
    assert not any(event.orders_accepted.automation for event in accepted)
