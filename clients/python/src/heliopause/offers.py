"""The possible orders of a seat as sentences with slots."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar, overload

from heliopause.v1 import game_pb2, offer_pb2, table_pb2

Choice = str | int | Sequence[str | int]
"""The choice for a slot: a string, a number, or several."""

_Fact = TypeVar("_Fact")

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# The number of values that an error lists.
_LISTED = 20
# The relative frequency of offers chosen at random, by weight.
_FREQUENCIES: dict[int, float] = {
    offer_pb2.OFFER_WEIGHT_MAIN: 8,
    offer_pb2.OFFER_WEIGHT_MINOR: 1,
    offer_pb2.OFFER_WEIGHT_END: 4,
    offer_pb2.OFFER_WEIGHT_GRAVE: 0.2,
}
_DEFAULT_FREQUENCY = 4.0


class FillError(ValueError):
    """A choice that is invalid for its slot."""


@dataclass(frozen=True)
class Cost:
    """The cost of an order, and what is available to pay for it."""

    amount: int
    available: int
    """What is available, before orders that are kept until the phase closes."""
    unit: str
    stocks: tuple[int, ...]
    """The stocks that pay, as indices of `Offers.stocks`."""
    partial: bool
    """Whether the game accepts an order that costs more."""


class Slot:
    """A slot of an offer. `raw` is the `Slot` protobuf message."""

    def __init__(self, raw: offer_pb2.Slot, tables: offer_pb2.Offers) -> None:
        self.raw = raw
        self._tables = tables

    @property
    def name(self) -> str:
        """The name in the sentence."""
        return self.raw.name

    @property
    def label(self) -> str:
        """A short label."""
        return self.raw.label

    @property
    def optional(self) -> bool:
        """Whether the slot may be left empty."""
        return self.raw.optional

    @property
    def kind(self) -> str:
        """`places`, `pieces`, `words`, `number`, `shares` or `free`. Empty if this version lacks support."""
        return self.raw.WhichOneof("kind") or ""

    @property
    def values(self) -> list[str]:
        """The values of a slot for places, pieces or words. Other slots have none."""
        picks = self._picks()
        return [self._tables.values[at] for at in self._tables.lists[picks.list].values] if picks else []

    def label_of(self, value: str) -> str:
        """Returns the displayed name of a value."""
        return self._fact(self._tables.labels, value) or value

    def note_of(self, value: str) -> str:
        """Returns a note about a value, such as a type, or an empty string if there is none."""
        return self._fact(self._tables.notes, value) or ""

    def price_of(self, value: str) -> offer_pb2.Amount | None:
        """Returns the price of a value, or None if the value costs nothing."""
        return self._fact(self._tables.prices, value)

    def size_of(self, value: str) -> offer_pb2.Amount | None:
        """Returns the size of a value, such as its tonnage, or None if it has none."""
        return self._fact(self._tables.sizes, value)

    def stock_of(self, value: str) -> int | None:
        """Returns the index of the stock that pays if a value is chosen, or None."""
        return self._fact(self._tables.value_stocks, value)

    def facts_of(self, value: str) -> str:
        """Returns the amounts and the note of a value as text, such as "10 RU, 15 t"."""
        amounts = [each for each in (self.price_of(value), self.size_of(value)) if each]
        facts = [f"{each.amount} {each.unit}" for each in amounts]
        if (at := self.stock_of(value)) is not None:
            available = self._tables.stocks[at].available
            facts.append(f"{available.amount} {available.unit} available")
        return ", ".join([*facts, *filter(None, [self.note_of(value)])])

    @property
    def priced(self) -> bool:
        """Whether choices have prices or costs."""
        if self.kind == "number":
            return self.raw.number.cost > 0
        if self.kind == "shares":
            return any(share.cost or share.costs for share in self.raw.shares.shares)
        picks = self._picks()
        return picks is not None and any(at in self._tables.prices for at in self._tables.lists[picks.list].values)

    def _fact(self, facts: Mapping[int, _Fact], value: str) -> _Fact | None:
        """Returns a fact about a value of the slot's list. Lists may have different facts for the same text."""
        picks = self._picks()
        values = self._tables.lists[picks.list].values if picks else []
        found = next((at for at in values if self._tables.values[at] == value), None)
        return None if found is None else facts.get(found)

    def choices(self, most: int = 400) -> list[str] | None:
        """Returns every single choice as text, or None if there are more than `most` or infinitely many."""
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
        """Formats a choice in the notation. Raises `FillError` if the choice is invalid."""
        if choice is None:
            if not self.optional:
                raise FillError(f"{self.name}: choose a value; the slot is required")
            return ""
        return (self.raw.text or "{}").replace("{}", self._inner(choice))

    def at_random(self, random: Random) -> Choice | None:
        """Returns a random choice. None leaves the slot empty."""
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
        raise self._unsupported()

    def _picks(self) -> offer_pb2.Picks | None:
        if self.kind == "places":
            return self.raw.places
        if self.kind == "pieces":
            return self.raw.pieces
        return self.raw.words if self.kind == "words" else None

    def _inner(self, choice: Choice) -> str:
        if picks := self._picks():
            return self._picked([choice] if isinstance(choice, (str, int)) else choice, picks)
        if self.kind == "shares":
            if isinstance(choice, (str, int)):
                count = len(self.raw.shares.shares)
                raise FillError(f"{self.name}: expected a list of {count} numbers, found {choice!r}")
            return self._shared(choice)
        if not isinstance(choice, (str, int)):
            raise FillError(f"{self.name}: expected one value, found {choice!r}")
        if self.kind == "number":
            return self._numbered(choice)
        if self.kind == "free":
            return self._written(str(choice))
        raise self._unsupported()

    def _unsupported(self) -> FillError:
        return FillError(f"{self.name}: this client version does not support this slot; update the client")

    def _picked(self, chosen: Sequence[str | int], picks: offer_pb2.Picks) -> str:
        texts, values = [str(one) for one in chosen], set(self.values)
        if strange := [text for text in texts if text not in values]:
            raise FillError(f"{self.name}: {strange[0]!r} is not one of the values: {_listed(self.values)}")
        if len(set(texts)) != len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            raise FillError(f"{self.name}: {twice!r} is chosen twice; choose each value only once")
        if not picks.least <= len(texts) <= picks.most:
            span = _span(picks.least, picks.most)
            raise FillError(f"{self.name}: the number of values must be {span}, not {len(texts)}")
        return picks.separator.join(texts)

    def _numbered(self, choice: str | int) -> str:
        rule = self.raw.number
        number = _parse_number(self.name, choice)
        if not rule.least <= number <= rule.most or (number - rule.least) % max(rule.step, 1):
            steps = f" in steps of {rule.step}" if rule.step > 1 else ""
            raise FillError(f"{self.name}: the number must be {_span(rule.least, rule.most)}{steps}, not {number}")
        return str(number)

    def _shared(self, chosen: Sequence[str | int]) -> str:
        rule = self.raw.shares
        numbers = [_parse_number(self.name, one) for one in chosen]
        if len(numbers) != len(rule.shares):
            raise FillError(f"{self.name}: expected {len(rule.shares)} numbers, found {len(numbers)}")
        for share, number in zip(rule.shares, numbers, strict=True):
            if not share.least <= number <= share.most:
                label = share.label or (share.phrase or share.text).replace("{}", "").strip()
                raise FillError(f"{self.name}: {label} must be {_span(share.least, share.most)}, not {number}")
        total = sum(share.cost * number for share, number in zip(rule.shares, numbers, strict=True))
        if not rule.least <= total <= rule.most:
            raise FillError(f"{self.name}: the sum must be {_span(rule.least, rule.most)}, not {total}")
        written = [
            (share.text or "{}").replace("{}", str(number))
            for share, number in zip(rule.shares, numbers, strict=True)
            if number or rule.zeros
        ]
        if not written:
            raise FillError(
                f"{self.name}: at least one number must be greater than 0; choose None to leave the slot empty"
            )
        return rule.separator.join(written)

    def _written(self, text: str) -> str:
        rule = self.raw.free
        if not rule.least <= len(text) <= rule.most:
            span = _span(rule.least, rule.most)
            raise FillError(f"{self.name}: the number of characters must be {span}, not {len(text)}")
        lines, written = max(rule.lines, 1), text.count("\n") + 1
        if written > lines:
            raise FillError(f"{self.name}: the number of lines must be at most {lines}, not {written}")
        if strange := [one for one in text if rule.alphabet and one not in rule.alphabet and one != "\n"]:
            raise FillError(f"{self.name}: {strange[0]!r} is not allowed; the allowed characters are {rule.alphabet}")
        if rule.first_characters and text[:1] not in rule.first_characters:
            raise FillError(
                f"{self.name}: the text must not start with {text[:1]!r}; "
                f"the allowed first characters are {rule.first_characters}"
            )
        if text.lower() in self._taken():
            raise FillError(f"{self.name}: {text!r} is already in use; choose another text")
        return text

    def _taken(self) -> set[str]:
        """Returns texts that are already in use, in lower case."""
        rule = self.raw.free
        if not rule.HasField("used_texts"):
            return set()
        return {self._tables.values[at].lower() for at in self._tables.lists[rule.used_texts].values}

    def _shares_at_random(self, random: Random) -> list[int] | None:
        """Returns random numbers within the bounds, or None if all are 0 and the notation omits zeros.

        Adds to the minimum numbers until the total cost reaches a random goal.
        """
        rule = self.raw.shares
        numbers = [share.least for share in rule.shares]
        cost = sum(share.cost * share.least for share in rule.shares)
        goal = random.randint(max(rule.least, cost), max(rule.most, cost))
        while True:
            able = [
                at for at, share in enumerate(rule.shares) if numbers[at] < share.most and cost + share.cost <= goal
            ]
            # Numbers without a cost never reach the goal: stop at random.
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
            text = random.choice(rule.first_characters or alphabet) + "".join(random.choices(alphabet, k=length - 1))
            if text.lower() not in taken:
                return text
        return rule.example


class Offer:
    """A possible order, as a sentence with slots. `raw` is the `Offer` protobuf message."""

    def __init__(self, raw: offer_pb2.Offer, tables: offer_pb2.Offers) -> None:
        self.raw = raw
        self._tables = tables
        self.slots = [Slot(tables.slots[at], tables) for at in raw.slots]

    def __repr__(self) -> str:
        return f"<Offer {self.key}: {self.notation}>"

    @property
    def key(self) -> str:
        """The identifier of offers of this form, which is stable across versions."""
        return self.raw.key

    @property
    def notation(self) -> str:
        """The order in the game's notation, with `{name}` for each slot."""
        return self.raw.notation

    @property
    def title(self) -> str:
        """What the order does, in one to three words."""
        return self.raw.title

    @property
    def label(self) -> str:
        """The effect as a sentence."""
        return self.raw.label

    @property
    def heading(self) -> str:
        """The unit or topic under which a menu lists the offer."""
        return self._tables.groups[self.raw.group] if self.raw.group < len(self._tables.groups) else ""

    @property
    def weight(self) -> offer_pb2.OfferWeight.ValueType:
        """The importance for the player."""
        return self.raw.weight

    @property
    def known(self) -> bool:
        """Whether this version can fill all slots. If not, skip the offer."""
        return all(slot.kind for slot in self.slots)

    def fill(self, choices: Mapping[str, Choice | None] | None = None, /, **more: Choice | None) -> str:
        """Returns the order with a choice for each slot, by slot name.

        Optional slots may be omitted. Raises `FillError` if a choice is invalid.
        """
        chosen = {**(choices or {}), **more}
        names = {slot.name for slot in self.slots}
        if strange := sorted(chosen.keys() - names):
            slots = f"; the slots are {', '.join(slot.name for slot in self.slots)}" if self.slots else ""
            raise FillError(f"{self.notation!r} has no slot {strange[0]!r}{slots}")
        order = self.notation
        for slot in self.slots:
            order = order.replace("{" + slot.name + "}", slot.text(chosen.get(slot.name)))
        return order

    def cost(self, choices: Mapping[str, Choice | None] | None = None, /, **more: Choice | None) -> Cost | None:
        """Returns the cost of the choices made so far. Numbers that are not filled in yet cost nothing.

        Returns None if the offer has no prices, or if no stock pays.
        """
        chosen = {**(choices or {}), **more}
        if not self.raw.price and not any(slot.priced for slot in self.slots):
            return None
        amount, prices, times = self.raw.price, 0, 1
        stocks = {self.raw.stock} if self.raw.HasField("stock") else set()
        for slot in self.slots:
            choice = chosen.get(slot.name)
            if choice is None:
                continue
            given = [choice] if isinstance(choice, (str, int)) else choice
            if slot.kind == "number":
                number, rule = _parse_number(slot.name, given[0]), slot.raw.number
                amount += rule.cost * number
                times *= number if rule.multiplies_prices else 1
            elif slot.kind == "shares":
                numbers = [_parse_number(slot.name, one) for one in given]
                costs = zip(slot.raw.shares.shares, numbers, strict=False)
                amount += sum(_share_cost(share, number) for share, number in costs)
            else:
                found = [slot.price_of(str(value)) for value in given]
                prices += sum(price.amount for price in found if price)
                stocks |= {at for at in map(slot.stock_of, map(str, given)) if at is not None}
        payers = [self._tables.stocks[at] for at in sorted(stocks)]
        if not payers:
            return None
        available, partial = sum(one.available.amount for one in payers), any(one.partial for one in payers)
        amount += prices * times
        if self.raw.divisor:
            amount = -(-max(amount, 1) // self.raw.divisor)
        return Cost(amount, available, payers[0].available.unit, tuple(sorted(stocks)), partial)

    def at_random(self, random: Random) -> str:
        """Returns the order with a random choice for each slot."""
        return self.fill({slot.name: self._fitting(slot, random) for slot in self.slots})

    def orders(self, most: int = 400) -> Iterator[str]:
        """Lists the orders of this offer, up to `most`. Lists none if a slot has infinitely many choices."""
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
        """Returns a random choice. Draws up to 16 times more if a required slot would be empty."""
        choice = slot.at_random(random)
        for _ in range(16):
            if choice is not None or slot.optional:
                return choice
            choice = slot.at_random(random)
        return choice


class Offers(Sequence[Offer]):
    """A seat's offered orders, in menu order. `raw` is the `Offers` protobuf message."""

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
        """The pending decision, or None if there is none."""
        self.phase, self.revision = phase, revision
        self._offers = [Offer(offer, raw) for offer in raw.offers]

    def __repr__(self) -> str:
        return f"<Offers {self._offers}>"

    @classmethod
    def answered(cls, answer: game_pb2.GetOffersResponse) -> "Offers":
        """Creates the offers from a `GetOffers` response."""
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
        """Whether offers cover every legal order."""
        return self.raw.complete

    @property
    def sheet(self) -> bool:
        """Whether filled offers are lines of one sheet, to be submitted together."""
        return self.raw.sheet

    @property
    def stocks(self) -> Sequence[offer_pb2.Stock]:
        """What orders spend."""
        return self.raw.stocks

    def of(self, *keys: str) -> list[Offer]:
        """Returns the offers with these keys, in the order of the keys."""
        return [offer for key in keys for offer in self._offers if offer.key == key]

    def orders(self, most: int = 400) -> list[str]:
        """Lists every order of the offers that have at most `most` orders."""
        return [order for offer in self._offers if offer.known for order in offer.orders(most)]

    def at_random(self, random: Random) -> str:
        """Returns a random order. Important offers are more frequent, and irreversible offers are rare."""
        offers = [offer for offer in self._offers if offer.known]
        if not offers:
            raise FillError(f"this client version can fill none of the {len(self)} offers; update the client")
        return pick(offers, random).at_random(random)


def _share_cost(share: offer_pb2.NumberShare, number: int) -> int:
    at = number - share.least
    return share.cost * number + (share.costs[at] if 0 <= at < len(share.costs) else 0)


def _span(least: int, most: int) -> str:
    """Formats a range: "1 to 3", or "1" if it has one value."""
    return str(least) if least == most else f"{least} to {most}"


def _listed(values: Sequence[str]) -> str:
    """Lists the first values, and the number of the remaining values."""
    rest = len(values) - _LISTED
    return ", ".join(values[:_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def _parse_number(name: str, choice: str | int) -> int:
    try:
        return int(choice)
    except ValueError:
        raise FillError(f"{name}: expected a whole number, found {choice!r}") from None


def pick(offers: Sequence[Offer], random: Random) -> Offer:
    """Returns one of the offers at random, by weight."""
    return random.choices(offers, [_FREQUENCIES.get(offer.weight, _DEFAULT_FREQUENCY) for offer in offers])[0]
