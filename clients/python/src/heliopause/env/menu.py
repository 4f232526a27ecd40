"""Offers as a numbered menu: what a learner chooses from."""

# NumPy, Gymnasium and PettingZoo say little about their types.
# pyright: basic

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heliopause.offers import Choice, FillError, Offer
from heliopause.v1 import offer_pb2

NOTHING = 0
"""The action that orders nothing: it goes on to the next heading, or waits where a seat is not asked."""
# An offer with more fillings than this, or with fillings that cannot be counted, is on the menu with some of them.
_WAYS, _SAMPLES = 128, 8

Mask = NDArray[np.int8]


class Menu(Sequence[str]):
    """Orders by number: 0 is nothing, the others are fillings of offers. A text is made when it is asked for.

    Where an offer has too many fillings some are drawn at random, the same ones for the same seed.
    """

    def __init__(
        self, offers: offer_pb2.Offers, chosen: Sequence[int], *, size: int, may_pass: bool, seed: str
    ) -> None:
        """Makes a menu of the offers at these indices, which has at most `size` lines."""
        self._offers, self._seed, self.may_pass = offers, seed, may_pass
        room, most = size - 1, _WAYS
        if len(chosen) > room:
            chosen = sorted(Random(seed).sample(list(chosen), room))
        # Only of these: all slots are those of all units, and each unit has a menu of its own.
        used = {slot for at in chosen for slot in offers.offers[at].slots}
        ways = {slot: _ways(offers.slots[slot], offers) for slot in used}
        counts = [_count(offers.offers[at], ways, _WAYS) for at in chosen]
        if sum(count or _SAMPLES for count in counts) > room:
            # Each has an equal part of the room.
            most = max(room // max(len(chosen), 1), 1)
        self._at: list[tuple[int, int, bool]] = []
        for at, count in zip(chosen, counts, strict=True):
            counted = count is not None and count <= most
            lines = count if counted and count is not None else min(_SAMPLES, most)
            self._at += [(at, line, counted) for line in range(lines)]

    def __len__(self) -> int:
        return len(self._at) + 1

    def __getitem__(self, action: Any) -> Any:
        if isinstance(action, slice):
            return [self[at] for at in range(*action.indices(len(self)))]
        if not 0 <= action < len(self):
            raise IndexError(f"the menu has {len(self)} lines")
        if action == NOTHING:
            return ""
        at, line, counted = self._at[action - 1]
        offer = Offer(self._offers.offers[at], self._offers)
        return _filling(offer, line) if counted else offer.at_random(Random(f"{self._seed}/{at}/{line}"))

    def __iter__(self) -> Iterator[str]:
        return (self[action] for action in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Menu) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def offer(self, action: int) -> offer_pb2.Offer | None:
        """The offer that an action fills; None for nothing."""
        return None if action == NOTHING else self._offers.offers[self._at[action - 1][0]]

    def key(self, action: int) -> str:
        """The word for orders of this shape, such as "move"; empty for nothing."""
        offer = self.offer(action)
        return "" if offer is None else offer.key

    def mask(self, size: int) -> Mask:
        """Which of so many actions are on the menu: 1 for those that are."""
        mask = np.zeros(size, np.int8)
        mask[1 : len(self)] = 1
        mask[NOTHING] = self.may_pass
        return mask


def _ways(slot: offer_pb2.Slot, offers: offer_pb2.Offers) -> int | None:
    """In how many ways a slot can be filled; None if that cannot be counted, 0 if it is of a later version."""
    kind = slot.WhichOneof("kind")
    if kind is None:
        return 0
    if kind == "number":
        ways = (slot.number.most - slot.number.least) // max(slot.number.step, 1) + 1
    elif kind in ("places", "pieces", "words"):
        picks = getattr(slot, kind)
        if picks.most != 1:
            return None
        ways = len(offers.lists[picks.list].values)
    else:
        return None
    return ways + slot.optional


def _count(offer: offer_pb2.Offer, ways: Mapping[int, int | None], most: int) -> int | None:
    """In how many ways an offer can be filled; None if there are more than `most` or they cannot be counted."""
    count = 1
    for at in offer.slots:
        one = ways[at]
        if one is None:
            return None
        count *= one
    return count if count <= most else None


def _filling(offer: Offer, number: int) -> str:
    """One filling of an offer by its number."""
    chosen: dict[str, Choice | None] = {}
    for slot in offer.slots:
        choices = slot.choices(_WAYS)
        if choices is None:
            raise FillError(f"{slot.name}: its fillings cannot be counted")
        number, at = divmod(number, len(choices) + slot.optional)
        chosen[slot.name] = choices[at] if at < len(choices) else None
    return offer.fill(chosen)
