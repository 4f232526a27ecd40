//! The rules in the project's own words, by number.

use heliopause_kernel::headings;

pub(crate) fn rule(number: &str) -> Option<&'static str> {
    RULES.iter().find(|(name, _)| name.eq_ignore_ascii_case(number)).map(|(_, text)| *text)
}

pub(crate) fn rules() -> Vec<(&'static str, &'static str)> {
    headings(RULES)
}

const RULES: &[(&str, &str)] = &[
    (
        "1",
        "The board consists of all hexes at most three steps from Earth. Each hex except Earth has \
         one face-down marker; the Death Star is in the outermost ring.",
    ),
    (
        "2",
        "One to six players begin on Earth, in the Alliance, each with one base and one starship; \
         a solitaire player has two of each. The player with the highest roll plays first, then \
         the others clockwise. The game lasts twelve rounds.",
    ),
    ("3", "A turn consists of Arrivals, actions in any order, and the end of the turn."),
    (
        "3.1",
        "Arrivals: before any other action, you may build starships on your base, as many as R23 \
         and your sponsors allow.",
    ),
    (
        "3.2",
        "You take one action at a time, and each is resolved before the next. While a battle waits \
         for your decision, you can do nothing else.",
    ),
    (
        "3.3",
        "At the end of a turn, in this order: the Death Star acts if it is due, surrounded \
         starships are destroyed, a base that was out too long is lost, sponsors are checked, and \
         your starships that were Disrupted when the turn started recover.",
    ),
    (
        "3.4",
        "Each turn a piece may move once and try once to take a planet. A piece that withdrew from \
         a battle can do nothing more.",
    ),
    (
        "3.5",
        "In another player's turn you may vote, make and accept offers, give pledges, and make the \
         decisions that fall to you. In your own turn you cannot negotiate.",
    ),
    (
        "3.6",
        "Pieces, Disrupted counters, face-up markers, zones, ownership markers, wars and votes are \
         public. Only the players who have been in its hex can see a face-down marker.",
    ),
    (
        "3.7",
        "An ownership marker on an unowned dead or Friendly planet colonizes it; anywhere else it \
         is a bluff. The other players cannot see the difference.",
    ),
    (
        "4",
        "A starship moves one hex at normal speed, or warps two hexes and is Disrupted on a roll \
         of 1 to 3. Warping through or into Asteroids or a Death Zone destroys it. Entering \
         Asteroids at normal speed disrupts it on a roll of 1 to 3.",
    ),
    (
        "4.1",
        "You colonize an unowned dead or Friendly planet by placing your ownership marker on it. \
         This needs no roll.",
    ),
    (
        "4.2",
        "You take an Unfriendly planet, or another player's planet, by diplomacy (50%) or force \
         (75%; failure destroys the attacker). Each piece may try once a turn. The owner's \
         undisrupted defenders must be beaten first.",
    ),
    (
        "4.3",
        "A planet you take sponsors a starship from your next turn on; its former owner keeps the \
         starship that it sponsored until the end of their next turn.",
    ),
    (
        "4.4",
        "A base moves up to two hexes, and may be out (not on a planet) at the end of two of your \
         turns in a row. It can settle on a live planet of yours, or on an unowned Friendly \
         planet.",
    ),
    (
        "5",
        "At the end of your turn you may have one starship for each of your planets, and one for \
         each of your bases on Earth while Earth is unowned. You choose which excess starships are \
         removed.",
    ),
    (
        "6",
        "Both starships roll, and each destroys the other on 1 to 3. A base on a planet and the \
         Death Star roll before the starship. After a round without a loss, the attacker fights \
         another round or withdraws.",
    ),
    (
        "7",
        "Members of the Alliance cannot attack unprovoked before round seven. A member who breaks \
         a pledge pays for it (R13). From round five on, two members can exile a third. A player \
         whose base leaves Earth becomes Independent.",
    ),
    (
        "8",
        "The undisturbed Death Star shoots first at any piece that enters its hex. Once woken, it \
         places Death Zones, which multiply at the end of the turns of the player who woke it (the \
         provoker). A starship that enters a zone at normal speed destroys it.",
    ),
    (
        "9",
        "The Alliance wins when its members own seven live planets; the two members with the most \
         planets get a credit each. An Independent or a partnership with seven live planets wins \
         as well. No player can win while the Death Star is active.",
    ),
    (
        "10",
        "A chance of 50% succeeds on a roll of 1 to 3. A chance of 75% succeeds if either of two \
         dice shows 1 to 3.",
    ),
    (
        "11",
        "This chapter contains example situations. The tests of this game check each of them under \
         its number.",
    ),
    (
        "12",
        "Options change the marker mix, the number of rounds, the planets needed to win, and a few \
         other numbers. When a deadline passes, battles are broken off, excess starships with the \
         highest serial numbers are removed, and the turn ends.",
    ),
    (
        "R1",
        "The full mix is one Death Star, 8 Friendly and 6 Unfriendly planets, 5 dead planets, 7 \
         Asteroids and 9 empty hexes.",
    ),
    (
        "R2",
        "The first unprovoked attack by a member renames the whole Alliance the Aggressor Axis. \
         Nothing else changes.",
    ),
    (
        "R3",
        "Each turn a piece moves at most once and tries to take a planet at most once. A battle \
         can last any number of rounds.",
    ),
    (
        "R4",
        "Asteroids and Death Zones destroy a warping starship even if they were hidden. The \
         starship's owner then sees them.",
    ),
    (
        "R5",
        "A warping starship discovers the hex in which it ends, but not the hex through which it \
         passes.",
    ),
    ("R6", "A starship rolls for Asteroids every time it enters them, not only the first time."),
    (
        "R7",
        "Two players are at war once one of them attacks the other, or tries to take a planet of \
         the other. The war lasts until one offers peace and the other accepts.",
    ),
    ("R8", "A base that fails at diplomacy stays in the hex and is still out."),
    (
        "R9",
        "A piece that withdraws returns to the hex where its move began. It stays where it is if \
         it did not move this turn, or if that hex now has a Death Zone.",
    ),
    (
        "R10",
        "Several defenders fight one at a time, in the order of R29. No player chooses the order.",
    ),
    ("R11", "A player with two bases is out only when both are lost."),
    (
        "R12",
        "From the first turn after the exile, an Exiled player must move their base off Earth if \
         they know a planet that it can reach in time. Their turn cannot end before that.",
    ),
    (
        "R13",
        "A pledge states a promise, its receiver and its last round. A player who breaks it loses \
         a planet and a starship to the receiver at once. A pledge lapses when the receiver \
         attacks the giver.",
    ),
    (
        "R14",
        "If the provoker is out of the game, the Death Star grows after the turns of the next \
         player who is still in it.",
    ),
    (
        "R15",
        "In each growth, the Death Star and every zone connected to it add at most one zone each, \
         and no hex is entered twice. Zones that are cut off from the Death Star stay but do not \
         grow.",
    ),
    ("R16", "Earth can be destroyed like any planet, with all bases on it."),
    (
        "R17",
        "A starship with Death Zones on all six sides is destroyed at the end of any player's \
         turn. The board's edge counts as open.",
    ),
    (
        "R18",
        "Two members who are tied for first place both get the credit. A lone member gets one \
         credit. A member without planets can be second.",
    ),
    ("R19", "Every chance is rolled on six-sided dice; a roll of 1 to 3 is a success."),
    ("R20", "Your view shows everything that you have seen as you last saw it."),
    (
        "R21",
        "Earth is unowned until a player destroys the last base on it that belongs to another \
         player, or colonizes it when no base is left there. The player's own bases on Earth do \
         not matter.",
    ),
    (
        "R22",
        "A player who loses their last base is out: their starships vanish and their planets \
         become unowned.",
    ),
    (
        "R23",
        "You may build one starship a turn, and one more for each planet that you have gained \
         since your last Arrivals and still own.",
    ),
    (
        "R24",
        "Messages to the player whose turn it is are delivered when the turn ends. Pledges and \
         offers count at once.",
    ),
    (
        "R25",
        "Only the moving player sees the rolls that a face-down marker causes, and the reasons for \
         losses from them.",
    ),
    ("R26", "Discovering a planet does not make you its owner."),
    (
        "R27",
        "A Disrupted starship may colonize and try diplomacy, but cannot start a battle or use \
         force.",
    ),
    (
        "R28",
        "When a piece enters a hex, these are resolved in order: Death Zone, Asteroids, warp roll, \
         discovery and the Death Star, then battle with enemies there.",
    ),
    (
        "R29",
        "A starship that enters a hex with enemies stops there and fights them. Their owners \
         follow in turn order from the mover on; each owner's undisrupted starships fight first, \
         the highest serial first.",
    ),
    ("R30", "A planet with a base on it can be taken only by destroying the base."),
    (
        "R31",
        "A base that is out discovers the hex where its move ends, is never Disrupted, ignores \
         Asteroids and cannot enter a Death Zone.",
    ),
    ("R32", "A base that is out at the end of your third turn in a row is lost."),
    (
        "R33",
        "Leaving Earth is final. No base can settle there while another player's base is there, \
         and no player can rejoin the Alliance.",
    ),
    (
        "R34",
        "An attacker fights a Disrupted defender only once a turn; after a miss the attacker \
         withdraws.",
    ),
    (
        "R35",
        "Members cannot attack each other. An Exiled player cannot attack, and may be attacked \
         like any outsider. An attack is provoked if its target has attacked a member since your \
         last peace with the target.",
    ),
    (
        "R36",
        "From round five on, members may vote against another member outside their own turns. A \
         member who has two votes against them in their own turn is exiled.",
    ),
    (
        "R37",
        "The first two zones go into hexes next to the Death Star without starships, bases or \
         zones, those nearest to Earth first.",
    ),
    (
        "R38",
        "By default the Death Star places as many zones as it can, those nearest to Earth first.",
    ),
    (
        "R39",
        "A Disrupted starship keeps zones out of its hex, except in a planet's hex, where it \
         shares the planet's fate. A base that is out keeps zones out of any hex.",
    ),
    ("R40", "If round 24 ends with the Death Star active, everyone loses."),
    (
        "R41",
        "Two Independents become partners when one offers and the other accepts. Either can end \
         the partnership outside their own turn.",
    ),
    ("R42", "Victory is checked after every change; if several sides qualify, each wins."),
    (
        "R43",
        "You cannot give away the planet under your base. No starship goes with a gift. The \
         receiver sees the marker, and the planet counts as gained (R23).",
    ),
    (
        "R51",
        "An order that only a face-down marker forbids is accepted, and then fails without a roll \
         and without cost. The reason shown is the same for all such hexes. Default actions of the \
         Death Star never fail this way.",
    ),
    ("R52", "The first two zones enter two different hexes, whatever happens to the first."),
    (
        "R53",
        "If another player takes a promised planet as the penalty for a different broken pledge, \
         the promise is void, not broken.",
    ),
];
