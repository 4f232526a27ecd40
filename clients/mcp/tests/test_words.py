"""Formatting of the engine's responses."""

from heliopause import Offers
from heliopause.v1 import game_pb2, offer_pb2, table_pb2

from heliopause_mcp import words


def test_a_legal_sheet_names_uncertain_lines() -> None:
    lines = [
        game_pb2.LineVerdict(line=1, accepted=True, sentence="It is built."),
        game_pb2.LineVerdict(line=2, accepted=True, warned=True, sentence="You do not know this class.", rule="5.2"),
        game_pb2.LineVerdict(line=3, sentence="No such ship."),
    ]
    text = words.verdict(game_pb2.Verdict(notation="sheet", accepted=True, lines=lines))
    assert text.splitlines() == [
        '"sheet": legal.',
        '  line 2 uncertain (rule 5.2): "You do not know this class."',
        '  line 3 not executed: "No such ship."',
    ]


def test_a_refused_order_names_its_rule() -> None:
    text = words.verdict(game_pb2.Verdict(notation="move", rule="4", message="Too far."))
    assert text == '"move": rejected (rule 4): "Too far."'


def menu(notation: str, *slots: offer_pb2.Slot) -> list[str]:
    """Returns the lines of a menu about the slots of one offer."""
    raw = offer_pb2.Offers(
        offers=[offer_pb2.Offer(notation=notation, slots=range(len(slots)))],
        slots=slots,
        values=["Alpha", "Beta", "Gamma"],
        lists=[offer_pb2.OfferList(values=[0, 1, 2])],
    )
    text = words.menu(Offers(raw, decision=table_pb2.Decision(prompt="Order.")), "", 60)
    return [line.removeprefix("|     ") for line in text.splitlines() if line.startswith("|     {")]


def test_a_menu_shows_texts_around_slots_and_optional_slots() -> None:
    world = offer_pb2.Slot(name="world", label="to", places=offer_pb2.Picks(least=1, most=1))
    spared = offer_pb2.Picks(least=1, most=2, separator=" ")
    spare = offer_pb2.Slot(name="except", label="but for", optional=True, text=" EXCEPT {}", places=spared)
    assert menu("POOL {world}{except}", world, spare) == [
        "{world}: to: Alpha, Beta, Gamma",
        '{except}: but for: 1 to 2 of these, separated by " ": Alpha, Beta, Gamma; written as " EXCEPT {}"; '
        "may be omitted",
    ]


def test_a_menu_shows_prices_and_stocks() -> None:
    amount = offer_pb2.Amount
    raw = offer_pb2.Offers(
        offers=[
            offer_pb2.Offer(notation="BUILD {world} {class}", label="Build", slots=[0, 1]),
            offer_pb2.Offer(notation="buy", label="Buy", stock=1),
        ],
        slots=[
            offer_pb2.Slot(name="world", places=offer_pb2.Picks(list=0, least=1, most=1)),
            offer_pb2.Slot(name="class", words=offer_pb2.Picks(list=1, least=1, most=1)),
        ],
        values=["Sol", "carrier", "fighter"],
        lists=[offer_pb2.OfferList(values=[0]), offer_pb2.OfferList(values=[1, 2])],
        stocks=[offer_pb2.Stock(available=amount(amount=at, unit=unit)) for at, unit in [(12, "RU"), (40, "i.p.")]],
        prices={1: amount(amount=10, unit="RU")},
        value_stocks={0: 0},
    )
    text = words.menu(Offers(raw, decision=table_pb2.Decision(prompt="Order.")), "", 60)
    assert [line for line in text.splitlines() if line.startswith("| ")] == [
        "| - BUILD {world} {class}   Build",
        "|     {world}: Sol (12 RU available)",
        "|     {class}: carrier (10 RU), fighter",
        "| - buy   Buy (40 i.p. available)",
    ]


def test_a_menu_shows_bounds_and_formats() -> None:
    guns = offer_pb2.Slot(name="guns", number=offer_pb2.NumberRange(least=1, most=186, step=5))
    shares = [
        offer_pb2.NumberShare(text="{} scouts", least=0, most=3, cost=1),
        offer_pb2.NumberShare(label="armour", least=1, most=9, cost=2),
    ]
    ratings = offer_pb2.Slot(name="mix", shares=offer_pb2.NumberShares(shares=shares, least=4, most=20, separator=", "))
    free = offer_pb2.FreeText(
        least=1, most=25, alphabet="abcdefghijklmnopqrstuvwxyz_", first_characters="ab", example="ab"
    )
    name = offer_pb2.Slot(name="name", label="its name", free=free)
    assert menu("DESIGN {guns} {mix} {name}", guns, ratings, name) == [
        "{guns}: 1-186 in steps of 5",
        '{mix}: "{} scouts" 0-3, 1-9 (armour) counts 2 times; separated by ", "; sum 4-20; a 0 is omitted',
        '{name}: its name: text of 1-25 characters, from "a-z_", starting with one of "ab", such as "ab"',
    ]


def test_goals_list_the_victory_conditions() -> None:
    goals = [
        table_pb2.Goal(seat=1, sentence="5 of the 18 centers that win.", rule="4.1"),
        table_pb2.Goal(seat=2, sentence="3 of the 18 centers that win."),
        table_pb2.Goal(sentence="Round 2 of 12."),
    ]
    assert words.goals(goals, 2).splitlines() == [
        "Victory conditions:",
        '  all: "Round 2 of 12."',
        '  seat 2: "3 of the 18 centers that win."',
        '  seat 1: "5 of the 18 centers that win." (rule 4.1)',
    ]
    assert words.goals([], 2) == ""
