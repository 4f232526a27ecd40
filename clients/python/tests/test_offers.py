"""Offers are filled as their slots say, and nothing else is."""

from random import Random

import pytest
from google.protobuf import json_format

from heliopause import FillError, Offer, Offers
from heliopause.offers import Choice
from heliopause.v1 import offer_pb2

OFFERS = {
    "values": ["Par", "Bur", "Mar", "taken"],
    "lists": [{"values": [0, 1, 2]}, {"values": [3]}],
    "labels": {"1": "Burgundy"},
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
        {"name": "text", "free": {"least": 2, "most": 5, "alphabet": "abcdeknt", "initials": "at", "taken": 1}},
        {"name": "new"},
    ],
    "offers": [
        {"key": "move", "notation": "A Par - {place}{way}", "slots": [0, 1]},
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
def test_fillings(offers: Offers, key: str, choices: dict[str, Choice | None], order: str) -> None:
    assert one(offers, key).fill(choices) == order
    assert one(offers, key).fill(**choices) == order


@pytest.mark.parametrize(
    ("key", "choices", "told"),
    [
        ("move", {}, "place: this slot may not be left empty"),
        ("move", {"place": "Lon"}, "'Lon' is none of its values"),
        ("move", {"place": ["Par", "Bur"]}, "choose 1 to 1 values, not 2"),
        ("move", {"place": "Par", "way": ["Bur", "Bur"]}, "no value may be named twice"),
        ("move", {"place": "Par", "where": "Bur"}, "has no slot 'where'"),
        ("count", {"number": 4}, "from 2 to 10 in steps of 4, not 4"),
        ("count", {"number": 14}, "not 14"),
        ("count", {"number": "many"}, "choose a whole number, not 'many'"),
        ("count", {"number": [2]}, "give one value"),
        ("buy", {"shares": 3}, "give a list of 2 numbers"),
        ("buy", {"shares": [1]}, "give 2 numbers, not 1"),
        ("buy", {"shares": [4, 0]}, "takes 0 to 3, not 4"),
        ("buy", {"shares": [3, 2]}, "the sum must be 1 to 4, not 7"),
        ("name", {"text": "a"}, "write 2 to 5 characters, not 1"),
        ("name", {"text": "axe"}, "'x' may not stand in it"),
        ("name", {"text": "eat"}, "may not begin with 'e'"),
        ("name", {"text": "taken"}, "'taken' is taken"),
        ("later", {"new": "x"}, "does not know how to fill it"),
    ],
)
def test_what_does_not_fit(offers: Offers, key: str, choices: dict[str, Choice | None], told: str) -> None:
    with pytest.raises(FillError, match=told):
        one(offers, key).fill(choices)


def test_orders_that_can_be_counted(offers: Offers) -> None:
    assert list(one(offers, "count").orders()) == ["build 2", "build 6", "build 10"]
    assert list(one(offers, "move").orders()) == []
    assert offers.orders() == ["build 2", "build 6", "build 10", "end"]
    assert list(one(offers, "count").orders(2)) == []


def test_whatever_is_drawn_fits(offers: Offers) -> None:
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
    assert one(offers, "move").heading == "Armies"
