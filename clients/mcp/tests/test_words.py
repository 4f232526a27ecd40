"""The engine's answers as text."""

from heliopause.v1 import game_pb2

from heliopause_mcp import words


def test_a_legal_sheet_names_the_lines_in_doubt() -> None:
    lines = [
        game_pb2.LineVerdict(line=1, accepted=True, sentence="It is built."),
        game_pb2.LineVerdict(line=2, accepted=True, warned=True, sentence="You do not know this class.", rule="5.2"),
        game_pb2.LineVerdict(line=3, sentence="No such ship."),
    ]
    told = words.verdict(game_pb2.Verdict(notation="sheet", accepted=True, lines=lines))
    assert told.splitlines() == [
        "sheet: legal.",
        "  line 2 in doubt (rule 5.2): You do not know this class.",
        "  line 3 not carried out: No such ship.",
    ]


def test_a_refused_order_names_its_rule() -> None:
    told = words.verdict(game_pb2.Verdict(notation="move", rule="4", message="Too far."))
    assert told == "move: refused (rule 4): Too far."
