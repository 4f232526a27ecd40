//! The rules in our own words, by number, for `?` and Explain.

use heliopause_kernel::headings;

/// The text of a rule; `None` if there is no such number.
pub(crate) fn rule(number: &str) -> Option<&'static str> {
    RULES.iter().find(|(name, _)| name.eq_ignore_ascii_case(number)).map(|(_, text)| *text)
}

/// Every rule in order: its number and its first sentence.
pub(crate) fn rules() -> Vec<(&'static str, &'static str)> {
    headings(RULES)
}

/// Every rule, in order.
const RULES: &[(&str, &str)] = &[
    (
        "1",
        "The board is every hex at most three steps from Earth. Each hex but Earth holds one \
         face-down marker; the Death Star lies somewhere in the outermost ring.",
    ),
    (
        "2",
        "One to six players begin on Earth, in the Alliance, with a base and a starship each; \
         alone you have two of each. The highest roll plays first, then clockwise, for twelve \
         rounds.",
    ),
    ("3", "A turn is Arrivals, then actions in any order, then its end."),
    (
        "3.1",
        "Arrivals: first of all you may build starships on your base, as many as R23 and your \
         sponsors allow.",
    ),
    (
        "3.2",
        "Actions come one at a time, each resolved before the next. While a battle waits for your \
         decision nothing else is possible.",
    ),
    (
        "3.3",
        "At the end of a turn: the Death Star if it is due, surrounded starships, a base out too \
         long, the sponsor check, recovery of starships that were Disrupted before the turn.",
    ),
    (
        "3.4",
        "A piece moves once and tries to take a planet once a turn. One that withdrew from a \
         battle does nothing more.",
    ),
    (
        "3.5",
        "In another player's turn you may vote, offer, accept and pledge, and make the decisions \
         that fall to you. In your own turn you may not negotiate.",
    ),
    (
        "3.6",
        "Pieces, Disrupted counters, face-up markers, zones, ownership markers, wars and votes are \
         public. What a face-down marker is, only those who have been there know.",
    ),
    (
        "3.7",
        "An ownership marker on an open planet colonizes it; anywhere else it is only a sign. To \
         the others both look the same.",
    ),
    (
        "4",
        "A starship moves one hex, or warps two and is Disrupted on 1 to 3. Warping through or \
         into Asteroids or a Death Zone destroys it. Entering Asteroids at normal speed disrupts \
         on 1 to 3.",
    ),
    (
        "4.1",
        "An unowned dead or Friendly planet is colonized by putting your ownership marker on it, \
         without a roll.",
    ),
    (
        "4.2",
        "An Unfriendly planet, or another player's, is taken by diplomacy (50%) or force (75%; \
         failing destroys the attacker). Each piece may try once a turn, after the owner's \
         undisrupted defenders are beaten.",
    ),
    (
        "4.3",
        "A planet you take sponsors a starship from your next turn on; its former owner keeps \
         theirs until the end of their next turn.",
    ),
    (
        "4.4",
        "A base moves up to two hexes and may be out at the end of two of your turns in a row. It \
         settles on a live planet of yours, or an unowned Friendly one.",
    ),
    (
        "5",
        "At the end of your turn you may have no more starships than planets, plus your bases on \
         Earth while nobody owns it. You choose which go.",
    ),
    (
        "6",
        "Both starships roll, 1 to 3 destroys the other. A base on a planet, and the Death Star, \
         roll first. After a round without a loss the attacker fights on or withdraws.",
    ),
    (
        "7",
        "Members of the Alliance keep their word and do not attack unprovoked before round seven. \
         From round five two members can exile a third. Who leaves Earth is Independent.",
    ),
    (
        "8",
        "The Death Star shoots first at whoever enters its hex. Once woken it puts Death Zones, \
         which multiply at the end of the provoker's turns; a starship at normal speed destroys a \
         zone it enters.",
    ),
    (
        "9",
        "The Alliance wins with seven live planets: a credit for each of the two members with the \
         most planets. An Independent or a partnership wins with seven as well. While the Death \
         Star is active nobody wins.",
    ),
    ("10", "50% is 1 to 3 on a die; 75% is 1 to 3 on either of two dice."),
    (
        "11",
        "The situations that the rules are tested by are named after their numbers in the tests of \
         this game.",
    ),
    (
        "12",
        "Options change the marker mix, the rounds, the planets to win and a few other numbers. \
         When a deadline passes the turn ends, battles are broken off, and the cheapest pieces go.",
    ),
    (
        "R1",
        "The full mix: one Death Star, 8 Friendly and 6 Unfriendly planets, 5 dead ones, 7 \
         Asteroids, 9 empty hexes.",
    ),
    (
        "R2",
        "The first unprovoked attack by a member renames the whole Alliance to Aggressor Axis. \
         Nothing else changes.",
    ),
    (
        "R3",
        "Each piece moves at most once and tries for a planet at most once a turn; a battle may \
         run any number of rounds.",
    ),
    (
        "R4",
        "Asteroids and Death Zones wreck a warping starship even if it did not know of them; its \
         owner then knows.",
    ),
    ("R5", "A warp discovers the hex it ends in, not the one it passes through."),
    ("R6", "Asteroids are rolled for on every entry, not only the first."),
    (
        "R7",
        "Two players are at war from an attack, or an attempt on an owned planet, until one offers \
         peace and the other accepts.",
    ),
    ("R8", "A base whose diplomacy fails stays in the hex, still out."),
    (
        "R9",
        "Withdrawal leads back to the hex the move began in. A piece that did not move, or whose \
         way back holds a Death Zone, stays where it is.",
    ),
    ("R10", "Several defenders fight one at a time, in the order of R29; nobody is asked."),
    ("R11", "With two bases, only losing the last one puts you out."),
    (
        "R12",
        "From the turn after their exile an Exile must move their base off Earth if they know a \
         planet it can reach in time; the turn does not end before.",
    ),
    (
        "R13",
        "A pledge names what is promised, to whom and until when. Broken, it costs a planet and a \
         starship at once; it lapses when the receiver attacks the giver.",
    ),
    (
        "R14",
        "If its provoker is out, the Death Star grows after the turns of the next living player.",
    ),
    (
        "R15",
        "Each source adds at most one zone a growth, and no hex is entered twice. Zones cut off \
         from the Death Star stay but do not grow.",
    ),
    ("R16", "Earth can be destroyed like any planet, with all bases on it."),
    (
        "R17",
        "A starship with zones on all six sides is destroyed at the end of any turn; the board's \
         edge counts as open.",
    ),
    (
        "R18",
        "Two members tied for first both get the credit; a lone member gets one; a member without \
         planets can be second.",
    ),
    ("R19", "Every chance is rolled on six-sided dice; 1 to 3 is success."),
    ("R20", "Your view keeps what you have seen, as you last saw it."),
    (
        "R21",
        "Earth is nobody's until a player destroys the last base of another player on it (own \
         bases there do not matter), or colonizes it when no base is left.",
    ),
    (
        "R22",
        "Who loses their last base is out: their starships vanish and their planets are nobody's.",
    ),
    (
        "R23",
        "You may build one starship a turn, and one more for each planet gained since your last \
         Arrivals and still yours.",
    ),
    (
        "R24",
        "Messages to the player on turn arrive when their turn ends; pledges and offers count at \
         once.",
    ),
    (
        "R25",
        "Rolls that a face-down marker causes, and losses by them, are explained to the mover \
         only.",
    ),
    ("R26", "Discovery alone gives no ownership."),
    (
        "R27",
        "A Disrupted starship may colonize and try diplomacy, but it starts no battle and uses no \
         force.",
    ),
    (
        "R28",
        "Entering a hex: Death Zone, Asteroids, warp roll, discovery and the Death Star, then \
         those at war there.",
    ),
    (
        "R29",
        "A starship meets enemies in each hex it enters and stops there. They fight in turn order \
         from the mover on, undisrupted ones first, highest serial first.",
    ),
    ("R30", "A planet with a base on it is taken only by destroying the base."),
    (
        "R31",
        "A base that is out discovers where it ends, is never Disrupted, ignores Asteroids and may \
         not enter a Death Zone.",
    ),
    ("R32", "A base out at the end of your third turn in a row is lost."),
    (
        "R33",
        "Leaving Earth is final: no base settles there beside another one, and nobody rejoins the \
         Alliance.",
    ),
    ("R34", "A Disrupted defender is attacked once; after a miss the attacker withdraws."),
    (
        "R35",
        "Members never attack each other. An Exiled player may be attacked like any outsider and \
         attacks nobody. An attack is provoked if its target has attacked a member since your last \
         peace with the target.",
    ),
    (
        "R36",
        "From round five members vote outside their own turns. With two votes standing in their \
         own turn, a member is exiled.",
    ),
    (
        "R37",
        "The first two zones go into empty hexes next to the Death Star, those nearer to Earth \
         first.",
    ),
    ("R38", "Left to itself the Death Star grows wherever it can, nearest to Earth first."),
    (
        "R39",
        "A Disrupted starship keeps zones out of any hex but a planet's, where it shares the \
         planet's fate. A base that is out keeps them out of any.",
    ),
    ("R40", "If round 24 ends with the Death Star active, everyone loses."),
    (
        "R41",
        "Two Independents may be partners: one offers, the other accepts, either ends it outside \
         their own turn.",
    ),
    ("R42", "Victory is checked after every change; if several sides qualify, each wins."),
    (
        "R43",
        "The planet under your base cannot be given away. No starship goes with a gift; the \
         receiver sees the marker, and it counts as gained.",
    ),
    (
        "R51",
        "An order that only a face-down marker forbids is taken and fails: without a die, without \
         cost, and for the same reason in all such hexes. What the Death Star does by default \
         never fails so.",
    ),
    ("R52", "The first two zones enter two different hexes, whatever becomes of the first."),
    (
        "R53",
        "A promised planet that a third takes as the penalty for another word makes the promise \
         void, not broken.",
    ),
];
