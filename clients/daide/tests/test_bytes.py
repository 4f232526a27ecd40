"""The protocol byte by byte, as in its specification."""

import pytest
from conftest import Serving

from heliopause_daide import wire
from heliopause_daide.tokens import NUMBERS, SyntaxFault, Unbalanced, flat, nested, say, spoken

# An initial message, and the empty representation message for the standard map.
INITIAL = bytes.fromhex("00 00 0004 0001 da10".replace(" ", ""))
STANDARD = bytes.fromhex("01000000")


def test_messages_have_a_type_a_pad_and_a_length() -> None:
    assert wire.initial().encoded() == INITIAL
    assert wire.representation().encoded() == STANDARD
    assert wire.final().encoded() == bytes.fromhex("03000000")
    assert wire.error(wire.Fault.MAGIC).encoded() == bytes.fromhex("040000020004")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("NME ('Me') ('1')", "480c 4000 4b4d 4b65 4001 4000 4b31 4001"),
        ("YES (MAP ('standard'))", "481c 4000 4809 4000 4b73 4b74 4b61 4b6e 4b64 4b61 4b72 4b64 4001 4001"),
        ("SUB ((ENG FLT EDI) MTO NTH)", "4818 4000 4000 4101 4201 5536 4001 4323 521c 4001"),
        ("THX ((FRA AMY PAR) HLD) (MBV)", "481a 4000 4000 4102 4200 510a 4001 4322 4001 4000 4400 4001"),
        ("NOW (SPR 1901) (RUS FLT (STP SCS))", "480e 4000 4700 076d 4001 4000 4105 4201 4000 574a 4608 4001 4001"),
        ("MIS (-1)", "480b 4000 3fff 4001"),
        ("SND (GER) (PRP (PCE (FRA GER)))", "4817 4000 4103 4001 4000 4a13 4000 4a10 4000 4102 4103 4001 4001 4001"),
    ],
)
def test_sentences_are_words_of_two_bytes(text: str, words: str) -> None:
    encoded = wire.diplomacy(list(flat(say(text)))).encoded()
    assert encoded[4:] == bytes.fromhex(words.replace(" ", ""))
    assert encoded[:4] == bytes([2, 0]) + len(encoded[4:]).to_bytes(2, "big")
    assert spoken(nested(wire.words_of(wire.Message(2, encoded[4:])))) == text


def test_numbers_of_words_are_unique() -> None:
    assert len(set(NUMBERS.values())) == len(NUMBERS)


def test_errors_name_the_position() -> None:
    with pytest.raises(Unbalanced):
        nested([NUMBERS["SUB"], 0x4000])
    with pytest.raises(Unbalanced):
        nested([NUMBERS["SUB"], 0x4001])
    with pytest.raises(SyntaxFault) as fault:
        nested([NUMBERS["SUB"], 0x7777])
    assert fault.value.at == 1
    with pytest.raises(SyntaxFault):
        say("PRP (NONSENSE)")


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        (bytes.fromhex("02000000"), wire.Fault.INITIAL_NOT_FIRST),
        (bytes.fromhex("000000040001 10da".replace(" ", "")), wire.Fault.ENDIAN),
        (bytes.fromhex("000000040001 beef".replace(" ", "")), wire.Fault.MAGIC),
        (bytes.fromhex("000000040002 da10".replace(" ", "")), wire.Fault.VERSION),
        (bytes.fromhex("000000020001"), wire.Fault.SHORT),
        (INITIAL + INITIAL, wire.Fault.INITIAL_TWICE),
        (INITIAL + bytes.fromhex("01000000"), wire.Fault.REPRESENTATION_BY_CLIENT),
        (INITIAL + bytes.fromhex("09000000"), wire.Fault.UNKNOWN_MESSAGE),
        (INITIAL + bytes.fromhex("02000001 ff".replace(" ", "")), wire.Fault.SHORT),
        (INITIAL + bytes.fromhex("02000002 7777".replace(" ", "")), wire.Fault.WORD),
    ],
)
async def test_a_violation_of_the_protocol_gets_its_error(serving: Serving, sent: bytes, fault: wire.Fault) -> None:
    async with serving() as (_, connect), connect() as peer:
        await peer.send(sent)
        answer = await peer.raw()
        if answer == wire.representation():
            answer = await peer.raw()
        assert answer == wire.error(fault)
        with pytest.raises(wire.PeerLeft):
            await peer.raw()


async def test_wrong_brackets_are_sent_back(serving: Serving) -> None:
    async with serving() as (_, connect), connect() as peer:
        await peer.begin()
        await peer.send(bytes.fromhex("02000004 4818 4000".replace(" ", "")))
        answer = await peer.raw()
        assert answer.body == bytes.fromhex("4813 4000 4818 4000 4001".replace(" ", ""))


async def test_the_map_is_available_before_the_game(serving: Serving) -> None:
    async with serving() as (_, connect), connect() as peer:
        await peer.begin()
        await peer.say("MDF")
        answer = spoken(await peer.receive())
        assert answer.startswith("MDF (AUS ENG FRA GER ITA RUS TUR) (((AUS BUD TRI VIE) (ENG EDI LVP LON)")
        assert "(BUL (AMY CON GRE RUM SER) ((FLT ECS) BLA CON RUM) ((FLT SCS) AEG CON GRE))" in answer
        await peer.say("SUB ((ENG FLT EDI) MTO NTH)")
        assert spoken(await peer.receive()) == "REJ (SUB ((ENG FLT EDI) MTO NTH))"
        await peer.say("PCE")
        assert spoken(await peer.receive()) == "HUH (ERR PCE)"
        await peer.say("IAM (ENG) (1)")
        assert spoken(await peer.receive()) == "REJ (IAM (ENG) (1))"
