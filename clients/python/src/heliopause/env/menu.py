"""Offers as a numbered menu of actions."""

# NumPy, Gymnasium and PettingZoo have incomplete types.
# pyright: basic

import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heliopause.offers import Choice, FillError, Offer
from heliopause.v1 import offer_pb2

NOTHING = 0
"""The action that gives no order and continues to the next heading, or waits."""
# An offer with more fillings, or with infinitely many, is represented by a sample.
_FILLINGS_MAX, _SAMPLES = 128, 8

PLACES = 4
"""The number of places in the features of an action."""

Mask = NDArray[np.int8]


class Menu(Sequence[str]):
    """Orders by number: 0 is no order, other numbers are filled offers. Texts are generated on demand.

    Offers with too many fillings are sampled. The same seed gives the same sample.
    """

    def __init__(
        self, offers: offer_pb2.Offers, chosen: Sequence[int], *, size: int, may_pass: bool, seed: str
    ) -> None:
        """Creates a menu of at most `size` lines from the offers at these indices."""
        self._offers, self._seed, self.may_pass = offers, seed, may_pass
        room, most = size - 1, _FILLINGS_MAX
        if len(chosen) > room:
            chosen = sorted(Random(seed).sample(list(chosen), room))
        # The slots of all units are in one table, but a menu is for one unit.
        used = {slot for at in chosen for slot in offers.offers[at].slots}
        ways = {slot: _slot_fillings(offers.slots[slot], offers) for slot in used}
        counts = [_count(offers.offers[at], ways, _FILLINGS_MAX) for at in chosen]
        if sum(count or _SAMPLES for count in counts) > room:
            # The offers share the menu equally.
            most = max(room // max(len(chosen), 1), 1)
        self._at: list[tuple[int, int, bool]] = []
        for at, count in zip(chosen, counts, strict=True):
            counted = count is not None and count <= most
            lines = range(count) if counted and count is not None else self._samples(at, min(_SAMPLES, most))
            self._at += [(at, line, counted) for line in lines]

    def __len__(self) -> int:
        return len(self._at) + 1

    def __getitem__(self, action: Any) -> Any:
        if isinstance(action, slice):
            return [self[at] for at in range(*action.indices(len(self)))]
        if not 0 <= action < len(self):
            raise IndexError(f"line {action} does not exist; the lines are 0 to {len(self) - 1}")
        if action == NOTHING:
            return ""
        at, line, counted = self._at[action - 1]
        return _filling(Offer(self._offers.offers[at], self._offers), line) if counted else self._sample(at, line)

    def _sample(self, at: int, line: int) -> str:
        return Offer(self._offers.offers[at], self._offers).at_random(Random(f"{self._seed}/{at}/{line}"))

    def _samples(self, at: int, most: int) -> list[int]:
        """Returns the numbers of at most `most` samples with different texts."""
        first: dict[str, int] = {}
        for line in range(2 * most):
            first.setdefault(self._sample(at, line), line)
        return list(first.values())[:most]

    def __iter__(self) -> Iterator[str]:
        return (self[action] for action in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Menu) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def offer(self, action: int) -> offer_pb2.Offer | None:
        """Returns the offer of an action, or None for nothing."""
        return None if action == NOTHING else self._offers.offers[self._at[action - 1][0]]

    def key(self, action: int) -> str:
        """Returns the identifier of an order's form, such as "move", or an empty string for nothing."""
        offer = self.offer(action)
        return "" if offer is None else offer.key

    def ids(self) -> NDArray[np.int64]:
        """Returns the identifiers of the actions, which depend only on the texts of the orders.

        An order has the same identifier at every step, in every game and process. 0 is no order.
        """
        return np.array([_identifier(text) for text in self], np.int64)

    def features(self, rows: Mapping[str, int]) -> NDArray[np.int64]:
        """Returns a row per action: the form of the order, then the rows of the first places that it names, or -1.

        `rows` has the rows by the names of places, as `Layout.row`. The form is a hash of the offer's key.
        """
        features = np.full((len(self), 1 + PLACES), -1, np.int64)
        for action, text in enumerate(self):
            features[action, 0] = zlib.crc32(self.key(action).encode())
            named = [rows[word] for word in _words(text) if word in rows][:PLACES]
            features[action, 1 : 1 + len(named)] = named
        return features

    def mask(self, size: int) -> Mask:
        """Returns a mask with a 1 for each action in the menu."""
        mask = np.zeros(size, np.int8)
        mask[1 : len(self)] = 1
        mask[NOTHING] = self.may_pass
        return mask


def _identifier(text: str) -> int:
    """Returns a positive number of 63 bits for an order, or 0 for none."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1 if text else 0


def _words(text: str) -> Iterator[str]:
    return (word.strip(".,;:") for word in text.split())


def _slot_fillings(slot: offer_pb2.Slot, offers: offer_pb2.Offers) -> int | None:
    """Returns the number of fillings of a slot, or None if infinite. An unknown slot has 0."""
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
    """Returns the number of fillings of an offer, or None if there are more than `most`."""
    count = 1
    for at in offer.slots:
        one = ways[at]
        if one is None:
            return None
        count *= one
    return count if count <= most else None


def _filling(offer: Offer, number: int) -> str:
    chosen: dict[str, Choice | None] = {}
    for slot in offer.slots:
        choices = slot.choices(_FILLINGS_MAX)
        if choices is None:
            raise FillError(f"{slot.name}: the slot has more than {_FILLINGS_MAX} choices")
        number, at = divmod(number, len(choices) + slot.optional)
        chosen[slot.name] = choices[at] if at < len(choices) else None
    return offer.fill(chosen)
