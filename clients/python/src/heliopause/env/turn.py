"""A decision of a seat, answered by one action after the other."""

import uuid
from random import Random

from heliopause import refusals
from heliopause.env.menu import NOTHING, Menu
from heliopause.v1 import game_pb2, offer_pb2, sandbox_pb2, table_pb2
from heliopause.v1.envelope_pb2 import GameView

# So many lines of a sheet one heading gets at most.
_LINES = 4


class Turn:
    """What a seat is asked, and what it has chosen so far.

    A decision that is resolved at once takes one action. One that may be revised takes one for each heading (the
    units of Diplomacy) or, on a sheet, up to four; then all orders are given together and the seat is ready.
    """

    def __init__(self, question: sandbox_pb2.SandboxQuestion, *, size: int, seed: str) -> None:
        self.question = question
        self.lines: list[str] = []
        """The orders that were chosen."""
        decision = question.decision
        self._size, self._seed = size, f"{seed}/{question.seat}/{decision.phase}/{decision.revision}"
        offers = question.offers
        known = [at for at, offer in enumerate(offers.offers) if _known(offer, offers)]
        if self.revisable:
            groups: dict[int, list[int]] = {}
            for at in known:
                groups.setdefault(offers.offers[at].group, []).append(at)
            # Below some headings all is seldom wanted, such as to take everything back.
            self._parts = [part for part in groups.values() if any(_wanted(offers.offers[at]) for at in part)]
        else:
            self._parts = [known] if known else []
        if not self._parts and not self.revisable:
            raise LookupError(f"seat {question.seat} is asked {question.decision.kind!r} and offered nothing")
        self._part, self._here, self._refused = 0, 0, 0
        self.menu = self._menu()

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self.question.seat

    @property
    def decision(self) -> table_pb2.Decision:
        """What it is asked."""
        return self.question.decision

    @property
    def view(self) -> GameView:
        """What the seat may know."""
        return self.question.view

    @property
    def revisable(self) -> bool:
        """Whether all orders are given together."""
        return self.question.decision.revisable

    def allows(self, action: int) -> bool:
        """Whether an action is on the menu."""
        return (NOTHING if self.menu.may_pass else NOTHING + 1) <= action < len(self.menu)

    def at_random(self) -> int:
        """An action of the menu at random, the same one for the same seed and place in the game."""
        random = Random(f"{self._seed}/{self._part}/{self._here}")
        return random.randrange(NOTHING if self.menu.may_pass else NOTHING + 1, len(self.menu))

    def choose(self, action: int) -> bool:
        """Takes an action; says whether the orders are complete."""
        if not self.allows(action):
            raise ValueError(f"action {action} is not on the menu of seat {self.seat}")
        if action != NOTHING:
            self.lines.append(self.menu[action])
        self._here += 1
        stays = self.question.offers.sheet and action != NOTHING and self._here < _LINES
        if not stays:
            self._part, self._here = self._part + 1, 0
        self.menu = self._menu()
        return self.done

    @property
    def done(self) -> bool:
        """Whether nothing more is to be chosen."""
        return self._part >= len(self._parts)

    def orders(self) -> sandbox_pb2.SandboxOrders:
        """The orders, as they are given."""
        decision = self.decision
        return sandbox_pb2.SandboxOrders(
            seat=self.seat,
            phase=decision.phase,
            revision=decision.revision,
            orders=game_pb2.Orders(text="\n".join(self.lines)),
            ready=self.revisable,
            request_id=uuid.uuid4().hex,
        )

    def refused(self, refusal: refusals.Refusal) -> None:
        """Takes back what goes not together with the rest: the order that was refused, else the last."""
        if not self.lines or not isinstance(refusal, (refusals.OrderRefused, refusals.MalformedOrder)):
            raise refusal
        self._refused += 1
        at = _place(refusal.field)
        # Whatever is still refused after many attempts is not worth more of them.
        if self._refused > 2 * len(self._parts) + 8:
            self.lines.clear()
        else:
            del self.lines[at if at is not None and at < len(self.lines) else -1]

    def _menu(self) -> Menu:
        chosen = [] if self.done else self._parts[self._part]
        return Menu(
            self.question.offers,
            chosen,
            size=self._size,
            may_pass=self.revisable,
            seed=f"{self._seed}/{self._part}/{self._here}",
        )


def _known(offer: offer_pb2.Offer, offers: offer_pb2.Offers) -> bool:
    return all(offers.slots[at].WhichOneof("kind") for at in offer.slots)


def _wanted(offer: offer_pb2.Offer) -> bool:
    return offer.weight != offer_pb2.OFFER_WEIGHT_MINOR


def _place(field: str) -> int | None:
    """The index in a field's name such as "orders.orders[2].unit"."""
    _, bracket, rest = field.partition("[")
    number = rest.partition("]")[0]
    return int(number) if bracket and number.isdecimal() else None
