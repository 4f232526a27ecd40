"""The words of the DAIDE language with their numbers, and the parsing of sentences.

A sentence is a list of word numbers, and of lists for the content of brackets. Integers of 14 bits
are words, too. Quoted text is one word per character.
"""

from collections.abc import Iterator, Sequence
from typing import Union

OPEN, CLOSE = 0x4000, 0x4001
_TEXT = 0x4B00
_INTEGERS = 0x4000
MOST_WORDS = 4096
"""The maximum length of a message in words. The longest sentences have a few hundred."""
_DEEPEST = 32

# Words with consecutive numbers, and the number of the first word.
_CATEGORIES: list[tuple[int, str]] = [
    (0x4100, "AUS ENG FRA GER ITA RUS TUR"),
    (0x4200, "AMY FLT"),
    (0x4320, "CTO CVY HLD MTO SUP VIA"),
    (0x4340, "DSB RTO"),
    (0x4380, "BLD REM WVE"),
    (0x4400, "MBV BPR CST ESC FAR HSC NAS NMB NMR NRN NRS NSA NSC NSF NSP"),
    (0x4410, "NSU NVR NYU YSC"),
    (0x4500, "SUC BNC CUT DSR FLD NSO RET"),
    (0x4700, "SPR SUM FAL AUT WIN"),
    (0x4800, "CCD DRW FRM GOF HLO HST HUH IAM LOD MAP MDF MIS NME NOT NOW OBS"),
    (0x4810, "OFF ORD OUT PRN REJ SCO SLO SND SUB SVE THX TME YES ADM SMR"),
    (0x4900, "AOA BTL ERR LVL MRT MTL NPB NPR PDA PTL RTL UNO"),
    (0x490D, "DSD"),
    (0x4A00, "ALY AND BWX DMZ ELS EXP FCT FOR FWD HOW IDK IFF INS"),
    (0x4A0E, "OCC ORR PCE POB"),
    (0x4A13, "PRP QRY SCD SRY SUG THK THN TRY"),
    (0x4A1C, "VSS WHT WHY XDO XOY YDO CHO BCC UNT NAR CCL"),
    (0x5000, "BOH BUR GAL RUH SIL TYR UKR"),
    (0x5107, "BUD MOS MUN PAR SER VIE WAR"),
    (0x520E, "ADR AEG BAL BAR BLA EAS ECH GOB GOL HEL ION IRI MAO NAO NTH NWG SKA TYS WES"),
    (0x5421, "ALB APU ARM CLY FIN GAS LVN NAF PIC PIE PRU SYR TUS WAL YOR"),
    (0x5530, "ANK BEL BER BRE CON DEN EDI GRE HOL KIE LON LVP MAR NAP NWY POR ROM RUM SEV SMY SWE TRI TUN VEN"),
    (0x5748, "BUL SPA STP"),
]
_COASTS = {"NCS": 0x4600, "NEC": 0x4602, "ECS": 0x4604, "SEC": 0x4606, "SCS": 0x4608, "SWC": 0x460A, "WCS": 0x460C}
_COASTS["NWC"] = 0x460E

NUMBERS: dict[str, int] = {
    word: first + at for first, words in _CATEGORIES for at, word in enumerate(words.split())
} | _COASTS
"""The numbers of all words."""
WORDS = {number: word for word, number in NUMBERS.items()}

Sentence = list[Union[int, "Sentence"]]


class SyntaxFault(ValueError):
    """Words that are not a sentence. `at` is the index of the first invalid word."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class Unbalanced(SyntaxFault):
    """Brackets that do not match or are nested too deeply."""


def is_integer(word: int) -> bool:
    """Returns whether a word is an integer."""
    return word < _INTEGERS


def is_known(word: int) -> bool:
    """Returns whether a word belongs to the language."""
    return word in WORDS or is_integer(word) or word in (OPEN, CLOSE) or word & 0xFF00 == _TEXT


def integer(number: int) -> int:
    """Returns the word for an integer from -8192 to 8191."""
    if not -0x2000 <= number < 0x2000:
        raise ValueError(f"{number} is out of range; the range is -8192 to 8191")
    return number & 0x3FFF


def value(word: int) -> int:
    """Returns the integer of a word."""
    return word - 0x4000 if word & 0x2000 else word


def quoted(text: str) -> Sentence:
    """Converts text to words. Non-ASCII characters become question marks."""
    return [_TEXT | (ord(one) if ord(one) < 128 else ord("?")) for one in text]


def unquoted(sentence: Sequence["int | Sentence"]) -> str:
    """Converts words for characters to text. Other words are skipped."""
    return "".join(chr(one & 0xFF) for one in sentence if isinstance(one, int) and one & 0xFF00 == _TEXT)


def nested(words: Sequence[int]) -> Sentence:
    """Parses words as a sentence. Raises `Unbalanced`, or `SyntaxFault` for unknown or too many words."""
    if len(words) > MOST_WORDS:
        raise SyntaxFault(f"{len(words)} words are too many; the maximum is {MOST_WORDS}", MOST_WORDS)
    stack: list[Sentence] = [[]]
    for at, word in enumerate(words):
        if word == OPEN:
            if len(stack) > _DEEPEST:
                raise Unbalanced(f"brackets are nested deeper than {_DEEPEST}", at)
            stack.append([])
        elif word == CLOSE:
            if len(stack) == 1:
                raise Unbalanced("a closing bracket has no opening bracket", at)
            inner = stack.pop()
            stack[-1].append(inner)
        elif is_known(word):
            stack[-1].append(word)
        else:
            raise SyntaxFault(f"{word:#06x} is not a DAIDE token", at)
    if len(stack) > 1:
        raise Unbalanced("an opening bracket has no closing bracket", len(words))
    return stack[0]


def flat(sentence: Sequence["int | Sentence"]) -> Iterator[int]:
    """Yields the words of a sentence with its brackets."""
    for one in sentence:
        if isinstance(one, int):
            yield one
        else:
            yield OPEN
            yield from flat(one)
            yield CLOSE


def say(text: str) -> Sentence:
    """Parses text as a sentence: words and integers separated by spaces, and quoted text.

    Raises `SyntaxFault` if the text is invalid.
    """
    words: list[int] = []
    for part_at, part in enumerate(text.split("'")):
        if part_at % 2:
            words += [one for one in quoted(part) if isinstance(one, int)]
            continue
        for word in part.replace("(", " ( ").replace(")", " ) ").split():
            words.append(_word(word, len(words)))
    return nested(words)


def _word(word: str, at: int) -> int:
    if word in ("(", ")"):
        return OPEN if word == "(" else CLOSE
    if word.upper() in NUMBERS:
        return NUMBERS[word.upper()]
    try:
        return integer(int(word))
    except ValueError:
        raise SyntaxFault(f"{word!r} is not a DAIDE word", at) from None


def spoken(sentence: Sequence["int | Sentence"]) -> str:
    """Formats a sentence as text."""
    parts: list[str] = []
    characters = ""
    for one in [*sentence, None]:
        if isinstance(one, int) and one & 0xFF00 == _TEXT:
            characters += chr(one & 0xFF)
            continue
        if characters:
            parts.append(f"'{characters}'")
            characters = ""
        if isinstance(one, int):
            parts.append(str(value(one)) if is_integer(one) else WORDS.get(one, f"{one:#06x}"))
        elif one is not None:
            parts.append(f"({spoken(one)})")
    return " ".join(parts)


def head(sentence: Sequence["int | Sentence"]) -> str:
    """Returns the first word of a sentence, or an empty string if it starts with something else."""
    first = sentence[0] if sentence else None
    return WORDS.get(first, "") if isinstance(first, int) else ""
