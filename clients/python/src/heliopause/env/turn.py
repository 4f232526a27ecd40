"""A decision of a seat, answered by a sequence of actions."""

import copy
import uuid
from random import Random

from heliopause import refusals
from heliopause.env.menu import NOTHING, Menu
from heliopause.v1 import game_pb2, offer_pb2, sandbox_pb2, table_pb2
from heliopause.v1.envelope_pb2 import GameView

# The maximum number of lines of a sheet per heading.
_LINES = 4


class Turn:
    """A pending decision and the choices made so far.

    A decision that is resolved immediately takes one action. A revisable decision takes one action per
    heading (the units of Diplomacy), or up to four on a sheet. All its orders are then submitted together,
    and the seat is ready.
    """

    def __init__(self, question: sandbox_pb2.SandboxDecision, *, size: int, seed: str) -> None:
        self.question = question
        self.lines: list[str] = []
        """The chosen orders."""
        decision = question.decision
        self._size, self._seed = size, f"{seed}/{question.seat}/{decision.phase}/{decision.revision}"
        offers = question.offers
        known = [at for at, offer in enumerate(offers.offers) if _known(offer, offers)]
        if self.revisable:
            groups: dict[int, list[int]] = {}
            for at in known:
                groups.setdefault(offers.offers[at].group, []).append(at)
            # Skip headings with only minor offers, such as withdrawing all orders.
            self._parts = [part for part in groups.values() if any(_is_useful(offers.offers[at]) for at in part)]
        else:
            self._parts = [known] if known else []
        if not self._parts and not self.revisable:
            raise LookupError(f"seat {question.seat} has a decision {question.decision.kind!r} without offers")
        self._part, self._here, self._refused = 0, 0, 0
        self.menu = self._menu()

    @property
    def seat(self) -> int:
        """The seat of the decision."""
        return self.question.seat

    @property
    def decision(self) -> table_pb2.Decision:
        """The decision."""
        return self.question.decision

    @property
    def view(self) -> GameView:
        """The view of the seat."""
        return self.question.view

    @property
    def revisable(self) -> bool:
        """Whether all orders are submitted together."""
        return self.question.decision.revisable

    def allows(self, action: int) -> bool:
        """Returns whether an action is in the menu."""
        return (NOTHING if self.menu.may_pass else NOTHING + 1) <= action < len(self.menu)

    def at_random(self) -> int:
        """Returns a random action, reproducible by seed and position in the game."""
        random = Random(f"{self._seed}/{self._part}/{self._here}")
        return random.randrange(NOTHING if self.menu.may_pass else NOTHING + 1, len(self.menu))

    def choose(self, action: int) -> bool:
        """Applies an action. Returns whether the orders are complete."""
        if not self.allows(action):
            first = NOTHING if self.menu.may_pass else NOTHING + 1
            span = f"{first} to {len(self.menu) - 1}"
            raise ValueError(f"action {action} is not in the menu of seat {self.seat}; the actions are {span}")
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
        """Whether all choices are made."""
        return self._part >= len(self._parts)

    def at(self, question: sandbox_pb2.SandboxDecision) -> "Turn":
        """Returns a copy with the choices made so far, for the same decision in a copy of the game."""
        turn = copy.copy(self)
        turn.question, turn.lines = question, list(self.lines)
        return turn

    def orders(self) -> sandbox_pb2.SandboxOrders:
        """Returns the orders to submit."""
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
        """Withdraws an order that conflicts with the rest: the refused one, or else the last."""
        if not self.lines or not isinstance(refusal, (refusals.OrderRefused, refusals.MalformedOrder)):
            raise refusal
        self._refused += 1
        at = _place(refusal.field)
        # Submit no orders after too many refusals.
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


def _is_useful(offer: offer_pb2.Offer) -> bool:
    return offer.weight != offer_pb2.OFFER_WEIGHT_MINOR


def _place(field: str) -> int | None:
    """Returns the index in a field name such as "orders.orders[2].unit", or None if there is none."""
    _, bracket, rest = field.partition("[")
    number = rest.partition("]")[0]
    return int(number) if bracket and number.isdecimal() else None
