"""A level to begin with: it plays every kind of game, by offers alone."""

from heliopause.answers import Answer
from heliopause.offers import Offers, pick
from heliopause.sync import Seat
from heliopause.v1.offer_pb2 import OFFER_WEIGHT_MINOR

# So many lines are put on a sheet at most, and so many orders are given in a phase in which all decide at once.
_LINES, _ORDERS = 12, 60


def at_random(table: Seat, offers: Offers) -> Answer:
    """Fills offers at random: one, or where all decide at once one for each heading.

    Each filling is legal by itself, but not all go together. So after a refusal it gives fewer of them.
    """
    random, known = table.random, [offer for offer in offers if offer.known]
    if offers.decision is None or not known:
        return Answer()
    if offers.sheet:
        return Answer([pick(known, random).at_random(random) for _ in range(_fewer(_LINES, table.attempt))])
    if not offers.decision.revisable:
        return Answer(offers.at_random(random))
    # Below some headings all is seldom wanted, such as to take everything back.
    headings = sorted({offer.heading for offer in known if offer.weight != OFFER_WEIGHT_MINOR})
    chosen = random.sample(headings, _fewer(min(len(headings), _ORDERS), table.attempt))
    orders = [pick([offer for offer in known if offer.heading == heading], random) for heading in chosen]
    return Answer([offer.at_random(random) for offer in orders])


def _fewer(most: int, attempt: int) -> int:
    """All at the first attempt, then a quarter as many each time, but one at least; none at the fifth."""
    return 0 if attempt >= 4 else max(most >> (2 * attempt), min(most, 1))
