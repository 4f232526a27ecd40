"""Filling offers, without an engine."""

from random import Random

import pytest
from google.protobuf import json_format

from heliopause import Cost, FillError, Offer, Offers
from heliopause.offers import Choice
from heliopause.v1 import offer_pb2

OFFERS = {
    "values": ["Par", "Bur", "Mar", "taken"],
    "lists": [{"values": [0, 1, 2]}, {"values": [3]}],
    "labels": {"1": "Burgundy"},
    "notes": {"1": "a center"},
    "groups": ["Armies"],
    "slots": [
        {"name": "place", "places": {"list": 0, "least": 1, "most": 1}},
        {
            "name": "way",
            "optional": True,
            "text": " via {}",
            "places": {"list": 0, "least": 1, "most": 2, "separator": "-"},
        },
        {"name": "number", "number": {"least": 2, "most": 10, "step": 4}},
        {
            "name": "shares",
            "shares": {
                "shares": [{"text": "{} scouts", "most": 3, "cost": 1}, {"text": "{} ships", "most": 2, "cost": 2}],
                "least": 1,
                "most": 4,
                "separator": ", ",
            },
        },
        {
            "name": "text",
            "free": {"least": 2, "most": 5, "alphabet": "abcdeknt", "first_characters": "at", "used_texts": 1},
        },
        {"name": "new"},
    ],
    "offers": [
        {"key": "move", "title": "Move", "notation": "A Par - {place}{way}", "slots": [0, 1]},
        {"key": "count", "notation": "build {number}", "slots": [2]},
        {"key": "buy", "notation": "buy {shares}", "slots": [3]},
        {"key": "name", "notation": "name {text}", "slots": [4]},
        {"key": "later", "notation": "later {new}", "slots": [5]},
        {"key": "end", "notation": "end"},
    ],
}


@pytest.fixture
def offers() -> Offers:
    return Offers(json_format.ParseDict(OFFERS, offer_pb2.Offers()))


def one(offers: Offers, key: str) -> Offer:
    (found,) = offers.of(key)
    return found


@pytest.mark.parametrize(
    ("key", "choices", "order"),
    [
        ("move", {"place": "Bur"}, "A Par - Bur"),
        ("move", {"place": ["Bur"], "way": None}, "A Par - Bur"),
        ("move", {"place": "Bur", "way": ["Mar", "Par"]}, "A Par - Bur via Mar-Par"),
        ("count", {"number": 6}, "build 6"),
        ("count", {"number": "10"}, "build 10"),
        ("buy", {"shares": [0, 2]}, "buy 2 ships"),
        ("buy", {"shares": ["1", 1]}, "buy 1 scouts, 1 ships"),
        ("name", {"text": "aten"}, "name aten"),
        ("end", {}, "end"),
    ],
)
def test_a_filled_offer_is_an_order(offers: Offers, key: str, choices: dict[str, Choice | None], order: str) -> None:
    assert one(offers, key).fill(choices) == order
    assert one(offers, key).fill(**choices) == order


@pytest.mark.parametrize(
    ("key", "choices", "message"),
    [
        ("move", {}, "place: choose a value; the slot is required"),
        ("move", {"place": "Lon"}, "'Lon' is not one of the values"),
        ("move", {"place": ["Par", "Bur"]}, "the number of values must be 1, not 2"),
        ("move", {"place": "Par", "way": ["Bur", "Bur"]}, "choose each value only once"),
        ("move", {"place": "Par", "where": "Bur"}, "has no slot 'where'"),
        ("count", {"number": 4}, "must be 2 to 10 in steps of 4, not 4"),
        ("count", {"number": 14}, "not 14"),
        ("count", {"number": "many"}, "expected a whole number, found 'many'"),
        ("count", {"number": [2]}, "expected one value"),
        ("buy", {"shares": 3}, "expected a list of 2 numbers"),
        ("buy", {"shares": [1]}, "expected 2 numbers, found 1"),
        ("buy", {"shares": [4, 0]}, "must be 0 to 3, not 4"),
        ("buy", {"shares": [3, 2]}, "the sum must be 1 to 4, not 7"),
        ("name", {"text": "a"}, "the number of characters must be 2 to 5, not 1"),
        ("name", {"text": "axe"}, "'x' is not allowed"),
        ("name", {"text": "eat"}, "must not start with 'e'"),
        ("name", {"text": "taken"}, "'taken' is already in use"),
        ("later", {"new": "x"}, "does not support this slot"),
    ],
)
def test_an_invalid_choice_gives_the_reason(
    offers: Offers, key: str, choices: dict[str, Choice | None], message: str
) -> None:
    with pytest.raises(FillError, match=message):
        one(offers, key).fill(choices)


def test_orders_are_listed_if_there_are_finitely_many(offers: Offers) -> None:
    assert list(one(offers, "count").orders()) == ["build 2", "build 6", "build 10"]
    assert list(one(offers, "move").orders()) == []
    assert offers.orders() == ["build 2", "build 6", "build 10", "end"]
    assert list(one(offers, "count").orders(2)) == []


def test_random_choices_are_valid(offers: Offers) -> None:
    random = Random(1)
    for offer in offers:
        if not offer.known:
            assert offer.key == "later"
            continue
        drawn = {offer.at_random(random) for _ in range(200)}
        assert "{" not in "".join(drawn)
        assert len(drawn) > 1 or not offer.slots
    assert not any(offers.at_random(random).startswith("later") for _ in range(200))


def test_labels(offers: Offers) -> None:
    slot = one(offers, "move").slots[0]
    assert [slot.label_of(value) for value in slot.values] == ["Par", "Burgundy", "Mar"]
    assert [slot.note_of(value) for value in slot.values] == ["", "a center", ""]
    assert one(offers, "move").title == "Move"
    assert one(offers, "move").heading == "Armies"


SHOP = {
    "values": ["Sol", "Vega", "carrier", "fighter", "Sol"],
    "labels": {"1": "Alpha Lyrae", "4": "Home"},
    "lists": [{"values": [0, 1]}, {"values": [2, 3]}, {"values": [4]}],
    "notes": {"3": "new", "4": "home"},
    "stocks": [
        {"name": "Sol", "available": {"amount": 12, "unit": "RU"}, "partial": True},
        {"name": "Vega", "available": {"amount": 5, "unit": "RU"}},
    ],
    "prices": {"2": {"amount": 10, "unit": "RU"}, "3": {"amount": 1, "unit": "RU"}},
    "sizes": {"2": {"amount": 15, "unit": "t"}},
    "value_stocks": {"0": 0, "1": 1},
    "slots": [
        {"name": "worlds", "places": {"list": 0, "least": 1, "most": 2, "separator": " "}},
        {"name": "count", "number": {"least": 1, "most": 9, "step": 1, "multiplies_prices": True}},
        {"name": "type", "words": {"list": 1, "least": 1, "most": 1}},
        {"name": "ru", "number": {"least": 1, "most": 9, "step": 1, "cost": 2}},
        {"name": "shares", "shares": {"shares": [{"most": 9, "cost": 2}, {"most": 9, "cost": 5}], "most": 9}},
        {"name": "home", "places": {"list": 2, "least": 1, "most": 1}},
        {"name": "guns", "shares": {"shares": [{"least": 1, "most": 3, "costs": [-9, 0, 2]}], "zeros": True}},
    ],
    "offers": [
        {"key": "build", "notation": "build {worlds} {count} {type}", "slots": [0, 1, 2]},
        {"key": "pay", "notation": "pay {ru}", "slots": [3], "stock": 1, "price": 3},
        {"key": "buy", "notation": "buy {shares}", "slots": [4], "stock": 0},
        {"key": "share", "notation": "share {shares}", "slots": [4]},
        {"key": "visit", "notation": "visit {worlds} {home}", "slots": [0, 5]},
        {"key": "design", "notation": "design {guns}", "slots": [6], "stock": 0, "price": 5, "divisor": 2},
    ],
}


@pytest.fixture
def shop() -> Offers:
    return Offers(json_format.ParseDict(SHOP, offer_pb2.Offers()))


@pytest.mark.parametrize(
    ("key", "choices", "cost"),
    [
        ("build", {"worlds": "Sol", "count": 3, "type": "carrier"}, Cost(30, 12, "RU", (0,), True)),
        ("build", {"worlds": ["Sol"]}, Cost(0, 12, "RU", (0,), True)),
        ("build", {"worlds": ["Vega", "Sol"], "count": "2", "type": "fighter"}, Cost(2, 17, "RU", (0, 1), True)),
        ("build", {"count": 3, "type": "carrier"}, None),
        ("pay", {"ru": 4}, Cost(11, 5, "RU", (1,), False)),
        ("pay", {}, Cost(3, 5, "RU", (1,), False)),
        ("buy", {"shares": [1, "2"]}, Cost(12, 12, "RU", (0,), True)),
        ("design", {"guns": [1]}, Cost(1, 12, "RU", (0,), True)),
        ("design", {"guns": ["2"]}, Cost(3, 12, "RU", (0,), True)),
        ("design", {"guns": [3]}, Cost(4, 12, "RU", (0,), True)),
        ("share", {"shares": [1, 2]}, None),
        ("visit", {"worlds": "Sol"}, None),
    ],
)
def test_the_cost_of_choices(shop: Offers, key: str, choices: dict[str, Choice | None], cost: Cost | None) -> None:
    assert one(shop, key).cost(choices) == cost
    assert one(shop, key).cost(**choices) == cost


def test_costs_of_single_numbers_make_a_slot_priced(shop: Offers) -> None:
    assert [one(shop, key).slots[0].priced for key in ("design", "visit")] == [True, False]


def test_values_have_the_facts_of_their_list(shop: Offers) -> None:
    worlds, _, types = one(shop, "build").slots
    (home,) = (slot for slot in one(shop, "visit").slots if slot.name == "home")
    assert [types.price_of("carrier"), types.size_of("fighter")] == [offer_pb2.Amount(amount=10, unit="RU"), None]
    assert (shop.stocks[worlds.stock_of("Vega") or 0].name, home.stock_of("Sol")) == ("Vega", None)
    assert [worlds.facts_of("Sol"), home.facts_of("Sol")] == ["12 RU available", "home"]
    assert [types.facts_of(value) for value in types.values] == ["10 RU, 15 t", "1 RU, new"]
    assert [worlds.facts_of("Mars"), worlds.label_of("Mars"), worlds.stock_of("Mars")] == ["", "Mars", None]
    assert (worlds.note_of("Sol"), home.note_of("Sol")) == ("", "home")
    assert (worlds.label_of("Sol"), home.label_of("Sol")) == ("Sol", "Home")
