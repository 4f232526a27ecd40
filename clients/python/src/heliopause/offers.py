"""What a seat may order: sentences with slots, and how to fill them."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import overload

from heliopause.v1 import game_pb2, offer_pb2, table_pb2

Choice = str | int | Sequence[str | int]
"""What fills a slot: a text, a number, or several of them."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# How often an offer is taken at random, by its weight.
_LIKES: dict[int, float] = {
    offer_pb2.OFFER_WEIGHT_MAIN: 8,
    offer_pb2.OFFER_WEIGHT_MINOR: 1,
    offer_pb2.OFFER_WEIGHT_END: 4,
    offer_pb2.OFFER_WEIGHT_GRAVE: 0.2,
}
_USUAL = 4.0


class FillError(ValueError):
    """A choice that its slot does not take."""


class Slot:
    """A gap in an offer. `raw` is the message of the contract."""

    def __init__(self, raw: offer_pb2.Slot, tables: offer_pb2.Offers) -> None:
        self.raw = raw
        self._tables = tables

    @property
    def name(self) -> str:
        """Its name in the sentence."""
        return self.raw.name

    @property
    def label(self) -> str:
        """What is asked, in few words."""
        return self.raw.label

    @property
    def optional(self) -> bool:
        """Whether it may be left empty."""
        return self.raw.optional

    @property
    def kind(self) -> str:
        """`places`, `pieces`, `words`, `number`, `shares` or `free`; empty if this version does not know it."""
        return self.raw.WhichOneof("kind") or ""

    @property
    def values(self) -> list[str]:
        """The values of a slot that takes places, pieces or words. Others have none."""
        picks = self._picks()
        return [self._tables.values[at] for at in self._tables.lists[picks.list].values] if picks else []

    def label_of(self, value: str) -> str:
        """What people call a value."""
        for at, text in self._tables.labels.items():
            if self._tables.values[at] == value:
                return text
        return value

    def choices(self, most: int = 400) -> list[str] | None:
        """Every single choice as text; None if there are more than `most`, or if they cannot be counted."""
        picks = self._picks()
        found: Sequence[str] | None = None
        if picks and picks.most == 1:
            found = self.values
        elif self.kind == "number":
            rule = self.raw.number
            numbers = range(rule.least, rule.most + 1, max(rule.step, 1))
            found = [str(number) for number in numbers] if len(numbers) <= most else None
        return None if found is None or len(found) > most else list(found)

    def text(self, choice: Choice | None) -> str:
        """A choice as the notation writes it. Raises `FillError` if the slot does not take it."""
        if choice is None:
            if not self.optional:
                raise FillError(f"{self.name}: this slot may not be left empty")
            return ""
        return (self.raw.text or "{}").replace("{}", self._inner(choice))

    def at_random(self, random: Random) -> Choice | None:
        """A choice at random; None if the slot is left empty."""
        if self.optional and random.random() < 0.5:
            return None
        picks = self._picks()
        if picks:
            values = self.values
            return random.sample(values, random.randint(picks.least, min(picks.most, len(values))))
        if self.kind == "number":
            rule = self.raw.number
            return random.randrange(rule.least, rule.most + 1, max(rule.step, 1))
        if self.kind == "shares":
            return self._shares_at_random(random)
        if self.kind == "free":
            return self._text_at_random(random)
        raise FillError(f"{self.name}: this version does not know how to fill it")

    def _picks(self) -> offer_pb2.Picks | None:
        """Which values it takes and how many, if it takes values."""
        if self.kind == "places":
            return self.raw.places
        if self.kind == "pieces":
            return self.raw.pieces
        return self.raw.words if self.kind == "words" else None

    def _inner(self, choice: Choice) -> str:
        """The text of a choice, without what stands around it."""
        if picks := self._picks():
            return self._picked([choice] if isinstance(choice, (str, int)) else choice, picks)
        if self.kind == "shares":
            if isinstance(choice, (str, int)):
                raise FillError(f"{self.name}: give a list of {len(self.raw.shares.shares)} numbers, not {choice!r}")
            return self._shared(choice)
        if not isinstance(choice, (str, int)):
            raise FillError(f"{self.name}: give one value, not {choice!r}")
        if self.kind == "number":
            return self._numbered(choice)
        if self.kind == "free":
            return self._written(str(choice))
        raise FillError(f"{self.name}: this version does not know how to fill it")

    def _picked(self, chosen: Sequence[str | int], picks: offer_pb2.Picks) -> str:
        texts, values = [str(one) for one in chosen], set(self.values)
        if strange := [text for text in texts if text not in values]:
            raise FillError(f"{self.name}: {strange[0]!r} is none of its values")
        if len(set(texts)) != len(texts):
            raise FillError(f"{self.name}: no value may be named twice")
        if not picks.least <= len(texts) <= picks.most:
            raise FillError(f"{self.name}: choose {picks.least} to {picks.most} values, not {len(texts)}")
        return picks.separator.join(texts)

    def _numbered(self, choice: str | int) -> str:
        rule = self.raw.number
        number = _whole(self.name, choice)
        if not rule.least <= number <= rule.most or (number - rule.least) % max(rule.step, 1):
            steps = f" in steps of {rule.step}" if rule.step > 1 else ""
            raise FillError(f"{self.name}: choose a number from {rule.least} to {rule.most}{steps}, not {number}")
        return str(number)

    def _shared(self, chosen: Sequence[str | int]) -> str:
        rule = self.raw.shares
        numbers = [_whole(self.name, one) for one in chosen]
        if len(numbers) != len(rule.shares):
            raise FillError(f"{self.name}: give {len(rule.shares)} numbers, not {len(numbers)}")
        for share, number in zip(rule.shares, numbers, strict=True):
            if not share.least <= number <= share.most:
                label = share.label or share.text
                raise FillError(f"{self.name}: {label} takes {share.least} to {share.most}, not {number}")
        total = sum(share.cost * number for share, number in zip(rule.shares, numbers, strict=True))
        if not rule.least <= total <= rule.most:
            raise FillError(f"{self.name}: the sum must be {rule.least} to {rule.most}, not {total}")
        written = [
            (share.text or "{}").replace("{}", str(number))
            for share, number in zip(rule.shares, numbers, strict=True)
            if number or rule.zeros
        ]
        if not written:
            raise FillError(f"{self.name}: at least one number must not be 0; to leave the slot empty choose None")
        return rule.separator.join(written)

    def _written(self, text: str) -> str:
        rule = self.raw.free
        if not rule.least <= len(text) <= rule.most:
            raise FillError(f"{self.name}: write {rule.least} to {rule.most} characters, not {len(text)}")
        if text.count("\n") >= max(rule.lines, 1):
            raise FillError(f"{self.name}: write at most {max(rule.lines, 1)} lines")
        if strange := [one for one in text if rule.alphabet and one not in rule.alphabet and one != "\n"]:
            raise FillError(f"{self.name}: {strange[0]!r} may not stand in it")
        if rule.initials and text[:1] not in rule.initials:
            raise FillError(f"{self.name}: it may not begin with {text[:1]!r}")
        if text.lower() in self._taken():
            raise FillError(f"{self.name}: {text!r} is taken")
        return text

    def _taken(self) -> set[str]:
        """Texts that are taken, in small letters."""
        rule = self.raw.free
        if not rule.HasField("taken"):
            return set()
        return {self._tables.values[at].lower() for at in self._tables.lists[rule.taken].values}

    def _shares_at_random(self, random: Random) -> list[int] | None:
        """Numbers from the least up, until what they cost together reaches a goal within the bounds."""
        rule = self.raw.shares
        numbers = [share.least for share in rule.shares]
        cost = sum(share.cost * share.least for share in rule.shares)
        goal = random.randint(max(rule.least, cost), max(rule.most, cost))
        while True:
            able = [
                at for at, share in enumerate(rule.shares) if numbers[at] < share.most and cost + share.cost <= goal
            ]
            # Shares that cost nothing reach no goal: now and then this is enough.
            if not able or (cost >= rule.least and any(numbers) and random.random() < 0.02):
                break
            at = random.choice(able)
            numbers[at] += 1
            cost += rule.shares[at].cost
        return numbers if rule.zeros or any(numbers) else None

    def _text_at_random(self, random: Random) -> str:
        rule, taken = self.raw.free, self._taken()
        alphabet = rule.alphabet or _LETTERS
        for _ in range(16):
            length = random.randint(rule.least, min(rule.most, rule.least + 8))
            text = random.choice(rule.initials or alphabet) + "".join(random.choices(alphabet, k=length - 1))
            if text.lower() not in taken:
                return text
        return rule.example


class Offer:
    """A sentence with slots. Filled, it is an order. `raw` is the message of the contract."""

    def __init__(self, raw: offer_pb2.Offer, tables: offer_pb2.Offers) -> None:
        self.raw = raw
        self._tables = tables
        self.slots = [Slot(tables.slots[at], tables) for at in raw.slots]

    def __repr__(self) -> str:
        return f"<Offer {self.key}: {self.notation}>"

    @property
    def key(self) -> str:
        """The word for offers of this shape. It stays the same from version to version."""
        return self.raw.key

    @property
    def notation(self) -> str:
        """The order in the notation of the game, with `{name}` for each slot."""
        return self.raw.notation

    @property
    def label(self) -> str:
        """Its effect, as a sentence for people."""
        return self.raw.label

    @property
    def heading(self) -> str:
        """The unit or the topic below which a menu lists it."""
        return self._tables.groups[self.raw.group] if self.raw.group < len(self._tables.groups) else ""

    @property
    def weight(self) -> offer_pb2.OfferWeight.ValueType:
        """How much it weighs for the player who chooses."""
        return self.raw.weight

    @property
    def known(self) -> bool:
        """Whether this version knows how to fill all its slots. If not, pass over it."""
        return all(slot.kind for slot in self.slots)

    def fill(self, choices: Mapping[str, Choice | None] | None = None, /, **more: Choice | None) -> str:
        """The order that it becomes with a choice for each slot, by the slots' names.

        A slot that is optional may be left out. Raises `FillError` where a choice does not fit.
        """
        chosen = {**(choices or {}), **more}
        names = {slot.name for slot in self.slots}
        if strange := sorted(chosen.keys() - names):
            raise FillError(f"{self.notation!r} has no slot {strange[0]!r}")
        order = self.notation
        for slot in self.slots:
            order = order.replace("{" + slot.name + "}", slot.text(chosen.get(slot.name)))
        return order

    def at_random(self, random: Random) -> str:
        """The order that it becomes with a choice at random for each slot."""
        return self.fill({slot.name: self._fitting(slot, random) for slot in self.slots})

    def orders(self, most: int = 400) -> Iterator[str]:
        """Every order that can be made of it, up to `most`; none if the fillings of a slot cannot be counted."""
        counted: list[list[str | None]] = []
        for slot in self.slots:
            choices = slot.choices(most)
            if choices is None:
                return
            counted.append([*([None] if slot.optional else []), *choices])
        for chosen in itertools.islice(itertools.product(*counted), most):
            yield self.fill({slot.name: one for slot, one in zip(self.slots, chosen, strict=True)})

    @staticmethod
    def _fitting(slot: Slot, random: Random) -> Choice | None:
        """A choice at random. What must not be empty is drawn again if it came out so."""
        choice = slot.at_random(random)
        for _ in range(16):
            if choice is not None or slot.optional:
                return choice
            choice = slot.at_random(random)
        return choice


class Offers(Sequence[Offer]):
    """All that a seat may order now, in the order of a menu. `raw` is the message of the contract."""

    def __init__(
        self,
        raw: offer_pb2.Offers,
        *,
        decision: table_pb2.Decision | None = None,
        phase: int = 0,
        revision: int = 0,
    ) -> None:
        self.raw = raw
        self.decision = decision
        """The open decision; None if the seat owes none."""
        self.phase, self.revision = phase, revision
        self._offers = [Offer(offer, raw) for offer in raw.offers]

    def __repr__(self) -> str:
        return f"<Offers {self._offers}>"

    @classmethod
    def answered(cls, answer: game_pb2.GetOffersResponse) -> "Offers":
        """The offers of an answer to `GetOffers`."""
        decision = answer.decision if answer.HasField("decision") else None
        return cls(answer.offers, decision=decision, phase=answer.phase, revision=answer.revision)

    def __len__(self) -> int:
        return len(self._offers)

    @overload
    def __getitem__(self, at: int) -> Offer: ...
    @overload
    def __getitem__(self, at: slice) -> list[Offer]: ...
    def __getitem__(self, at: int | slice) -> Offer | list[Offer]:
        return self._offers[at]

    @property
    def complete(self) -> bool:
        """Whether every legal order can be made of an offer."""
        return self.raw.complete

    @property
    def sheet(self) -> bool:
        """Whether filled offers are lines of one sheet, to be given together."""
        return self.raw.sheet

    def of(self, *keys: str) -> list[Offer]:
        """The offers with one of these keys, those of the first key first."""
        return [offer for key in keys for offer in self._offers if offer.key == key]

    def orders(self, most: int = 400) -> list[str]:
        """Every order that can be made of those offers that can be filled in at most so many ways."""
        return [order for offer in self._offers if offer.known for order in offer.orders(most)]

    def at_random(self, random: Random) -> str:
        """An order at random: weighty offers come oftener, grave ones seldom."""
        offers = [offer for offer in self._offers if offer.known]
        if not offers:
            raise FillError("nothing is offered")
        return pick(offers, random).at_random(random)


def _whole(name: str, choice: str | int) -> int:
    """A number that may be written as text."""
    try:
        return int(choice)
    except ValueError:
        raise FillError(f"{name}: choose a whole number, not {choice!r}") from None


def pick(offers: Sequence[Offer], random: Random) -> Offer:
    """One of the offers at random, by their weights."""
    return random.choices(offers, [_LIKES.get(offer.weight, _USUAL) for offer in offers])[0]
