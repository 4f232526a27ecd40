"""The standard map of the engine, and DAIDE's names for its provinces."""

from heliopause_daide.tokens import NUMBERS, Sentence

POWERS = {"Austria": "AUS", "England": "ENG", "France": "FRA", "Germany": "GER", "Italy": "ITA", "Russia": "RUS"}
POWERS["Turkey"] = "TUR"
_OTHER_NAMES = {"ENG": "ECH", "BOT": "GOB", "LYO": "GOL"}
_OWN_NAMES = {daide: own for own, daide in _OTHER_NAMES.items()}
_COASTS = {"nc": "NCS", "ec": "ECS", "sc": "SCS"}
_OWN_COASTS = {daide: own for own, daide in _COASTS.items()}

# abbreviation|home power or neutral|neighbors for armies|neighbors for fleets, by coast
_PROVINCES = """
ADR|||Alb Apu ION Tri Ven
AEG|||Bul/sc Con EAS Gre ION Smy
Alb||Gre Ser Tri|ADR Gre ION Tri
Ank|Turkey|Arm Con Smy|Arm BLA Con
Apu||Nap Rom Ven|ADR ION Nap Ven
Arm||Ank Sev Smy Syr|Ank BLA Sev
BAL|||Ber BOT Den Kie Lvn Pru Swe
BAR|||NWG Nwy Stp/nc
Bel|neutral|Bur Hol Pic Ruh|ENG Hol NTH Pic
Ber|Germany|Kie Mun Pru Sil|BAL Kie Pru
BLA|||Ank Arm Bul/ec Con Rum Sev
Boh||Gal Mun Sil Tyr Vie|
Bre|France|Gas Par Pic|ENG Gas MAO Pic
Bud|Austria|Gal Rum Ser Tri Vie|
Bul|neutral|Con Gre Rum Ser|ec: BLA Con Rum; sc: AEG Con Gre
Bur||Bel Gas Mar Mun Par Pic Ruh|
Cly||Edi Lvp|Edi Lvp NAO NWG
Con|Turkey|Ank Bul Smy|AEG Ank BLA Bul/ec Bul/sc Smy
Den|neutral|Kie Swe|BAL HEL Kie NTH SKA Swe
EAS|||AEG ION Smy Syr
Edi|England|Cly Lvp Yor|Cly NTH NWG Yor
ENG|||Bel Bre IRI Lon MAO NTH Pic Wal
Fin||Nwy Stp Swe|BOT Stp/sc Swe
Gal||Boh Bud Rum Sil Ukr Vie War|
Gas||Bre Bur Mar Par Spa|Bre MAO Spa/nc
Gre|neutral|Alb Bul Ser|AEG Alb Bul/sc ION
BOT|||BAL Fin Lvn Stp/sc Swe
LYO|||Mar Pie Spa/sc Tus TYS WES
HEL|||Den Hol Kie NTH
Hol|neutral|Bel Kie Ruh|Bel HEL Kie NTH
ION|||ADR AEG Alb Apu EAS Gre Nap Tun TYS
IRI|||ENG Lvp MAO NAO Wal
Kie|Germany|Ber Den Hol Mun Ruh|BAL Ber Den HEL Hol
Lvp|England|Cly Edi Wal Yor|Cly IRI NAO Wal
Lvn||Mos Pru Stp War|BAL BOT Pru Stp/sc
Lon|England|Wal Yor|ENG NTH Wal Yor
Mar|France|Bur Gas Pie Spa|LYO Pie Spa/sc
MAO|||Bre ENG Gas IRI Naf NAO Por Spa/nc Spa/sc WES
Mos|Russia|Lvn Sev Stp Ukr War|
Mun|Germany|Ber Boh Bur Kie Ruh Sil Tyr|
Nap|Italy|Apu Rom|Apu ION Rom TYS
Naf||Tun|MAO Tun WES
NAO|||Cly IRI Lvp MAO NWG
NTH|||Bel Den Edi ENG HEL Hol Lon NWG Nwy SKA Yor
Nwy|neutral|Fin Stp Swe|BAR NTH NWG SKA Stp/nc Swe
NWG|||BAR Cly Edi NAO NTH Nwy
Par|France|Bre Bur Gas Pic|
Pic||Bel Bre Bur Par|Bel Bre ENG
Pie||Mar Tus Tyr Ven|LYO Mar Tus
Por|neutral|Spa|MAO Spa/nc Spa/sc
Pru||Ber Lvn Sil War|BAL Ber Lvn
Rom|Italy|Apu Nap Tus Ven|Nap Tus TYS
Ruh||Bel Bur Hol Kie Mun|
Rum|neutral|Bud Bul Gal Ser Sev Ukr|BLA Bul/ec Sev
Ser|neutral|Alb Bud Bul Gre Rum Tri|
Sev|Russia|Arm Mos Rum Ukr|Arm BLA Rum
Sil||Ber Boh Gal Mun Pru War|
SKA|||Den NTH Nwy Swe
Smy|Turkey|Ank Arm Con Syr|AEG Con EAS Syr
Spa|neutral|Gas Mar Por|nc: Gas MAO Por; sc: LYO MAO Mar Por WES
Stp|Russia|Fin Lvn Mos Nwy|nc: BAR Nwy; sc: BOT Fin Lvn
Swe|neutral|Den Fin Nwy|BAL BOT Den Fin Nwy SKA
Syr||Arm Smy|EAS Smy
Tri|Austria|Alb Bud Ser Tyr Ven Vie|ADR Alb Ven
Tun|neutral|Naf|ION Naf TYS WES
Tus||Pie Rom Ven|LYO Pie Rom TYS
Tyr||Boh Mun Pie Tri Ven Vie|
TYS|||ION LYO Nap Rom Tun Tus WES
Ukr||Gal Mos Rum Sev War|
Ven|Italy|Apu Pie Rom Tri Tus Tyr|ADR Apu Tri
Vie|Austria|Boh Bud Gal Tri Tyr|
Wal||Lon Lvp Yor|ENG IRI Lon Lvp
War|Russia|Gal Lvn Mos Pru Sil Ukr|
WES|||LYO MAO Naf Spa/sc Tun TYS
Yor||Edi Lon Lvp Wal|Edi Lon NTH
""".strip().splitlines()

CENTERS = [line.split("|")[0] for line in _PROVINCES if line.split("|")[1]]
"""The supply centers."""


def word_of(place: str) -> int | Sentence:
    """Converts a place in the engine's notation, such as `Spa/nc`, to DAIDE's words."""
    province, _, coast = place.partition("/")
    word = NUMBERS[_OTHER_NAMES.get(province.upper(), province.upper())]
    return [word, NUMBERS[_COASTS[coast.lower()]]] if coast else word


def place_of(province: str, coast: str = "") -> str:
    """Converts a place in DAIDE's words to the engine's notation."""
    own = _OWN_NAMES.get(province, province)
    return f"{own}/{_OWN_COASTS.get(coast, coast)}" if coast else own


def definition() -> Sentence:
    """Returns the answer to `MDF`: powers, centers by home power, other provinces, and neighbors."""
    powers: list[int] = [NUMBERS[word] for word in POWERS.values()]
    homes: dict[str, Sentence] = {power: [NUMBERS[word]] for power, word in POWERS.items()}
    homes["neutral"] = [NUMBERS["UNO"]]
    others: Sentence = []
    borders: Sentence = []
    for line in _PROVINCES:
        name, home, armies, fleets = line.split("|")
        word = word_of(name)
        (homes[home] if home else others).append(word)
        borders.append([word, *_borders(armies, fleets)])
    return [NUMBERS["MDF"], [*powers], [[*homes.values()], others], borders]


def _borders(armies: str, fleets: str) -> Sentence:
    words: Sentence = []
    if armies:
        words.append([NUMBERS["AMY"], *map(word_of, armies.split())])
    for part in filter(None, fleets.split(";")):
        coast, colon, places = part.strip().rpartition(": ")
        fleet: int | Sentence = [NUMBERS["FLT"], NUMBERS[_COASTS[coast]]] if colon else NUMBERS["FLT"]
        words.append([fleet, *map(word_of, places.split())])
    return words
