"""The level "random", which plays any game by choosing offers at random."""

from heliopause.answers import Answer
from heliopause.offers import Offers, pick
from heliopause.sync import Seat
from heliopause.v1.offer_pb2 import OFFER_WEIGHT_MINOR

# Limits for the lines of a sheet and for the orders of a simultaneous phase.
_LINES, _ORDERS = 12, 60


def at_random(table: Seat, offers: Offers) -> Answer:
    """Fills offers at random: one, or one per heading if all players decide at the same time.

    Each order is legal by itself, but the orders may conflict. After each refusal, the answer has fewer
    orders.
    """
    random, known = table.random, [offer for offer in offers if offer.known]
    if offers.decision is None or not known:
        return Answer()
    if offers.sheet:
        return Answer([pick(known, random).at_random(random) for _ in range(_fewer(_LINES, table.attempt))])
    if not offers.decision.revisable:
        return Answer(offers.at_random(random))
    # Skip headings with only minor offers, such as withdrawing all orders.
    headings = sorted({offer.heading for offer in known if offer.weight != OFFER_WEIGHT_MINOR})
    chosen = random.sample(headings, _fewer(min(len(headings), _ORDERS), table.attempt))
    orders = [pick([offer for offer in known if offer.heading == heading], random) for heading in chosen]
    return Answer([offer.at_random(random) for offer in orders])


def _fewer(most: int, attempt: int) -> int:
    """Returns `most` at first, a quarter of it after each refusal, and 0 at the fifth attempt."""
    return 0 if attempt >= 4 else max(most >> (2 * attempt), min(most, 1))
