//! Rulings: where the sources are silent, or say two things.

use crate::tables::rulebook::rule::Rule;

/// Those of the base game.
pub(super) const BASE: &[Rule] = &[
    (
        "BR-1",
        "Columns with an even number stand lower by half a hex; the border stars of an article \
         prove it.",
    ),
    (
        "BR-2",
        "The list of cloud hexes counts, not the number of clouds that the text gives. Pherda and \
         Polaris touch clouds and lie in none.",
    ),
    ("BR-3", "The four corners are numbered from the bottom right clockwise."),
    ("BR-4", "With fewer than four players the entry hexes with the lowest numbers are used."),
    (
        "BR-5",
        "Level 3 needs a title of level 2, as level 2 needs one of level 1. Gifts need nothing.",
    ),
    ("BR-6", "A cloud is entered with the first step of a turn, which is also the last."),
    (
        "BR-7",
        "Range is counted to the post's hex. Only ships that move out of range of their own will \
         are lost; those stranded by others live.",
    ),
    (
        "BR-8",
        "Whether a way is direct is tested by the stars that it avoids, and whether it goes round \
         clouds. It may be covered in parts.",
    ),
    (
        "BR-9",
        "The star left last is the last one in which a ship stopped or through which it passed; \
         after a withdrawal, the star of the battle. New ships have none.",
    ),
    (
        "BR-10",
        "Ships also stop for enemies of whom they did not know, and lose the rest of their way.",
    ),
    (
        "BR-11",
        "A withdrawal can lead to a neighbouring star. Nothing is explored there; if ships of \
         somebody else are there, those who came attack.",
    ),
    ("BR-12", "All withdrawals of one side in one battle lead to the same hex."),
    (
        "BR-13",
        "Against a side without warships at least one round is fought, in which only the other \
         side fires.",
    ),
    ("BR-14", "Any ship or base may hold its fire."),
    (
        "BR-15",
        "A besieged colony sends no emigrants, since transports are ships; those above its \
         capacity die.",
    ),
    (
        "BR-16",
        "The double shot of Improved Ship Weaponry is one more shot after a miss, and none after a \
         hit.",
    ),
    ("BR-17", "Factories may be bought on conquered colonies."),
    (
        "BR-18",
        "Limits of factories hold for building and for running them. Idle ones stay. Without any \
         industrial technology one works for each million.",
    ),
    (
        "BR-19",
        "The price is decided when a title is completed. Nothing is overpaid, refunded or moved.",
    ),
    (
        "BR-20",
        "Transports with captive people return to their owner if no warship of the conqueror is \
         with them when a turn ends.",
    ),
    (
        "BR-21",
        "The production turn that yields nothing is the next one after the conquest; another \
         conqueror waits anew. A colony founded with captives does not wait.",
    ),
    ("BR-22", "Who ties for the most points shares the victory."),
    (
        "BR-23",
        "Two players with colonies at one star may both score its empty planet, while no ship of \
         an enemy is there.",
    ),
    ("BR-24", "Counters other than task forces are not limited."),
    ("BR-25", "You may land beside a colony of an enemy, on another planet of the star."),
    ("BR-26", "An attack that was broken off goes on only before you attack at another star."),
    ("BR-27", "You may let everybody emigrate; what stood there is lost."),
    ("BR-28", "A shield protects as soon as it is bought, under siege too."),
    (
        "BR-29",
        "Controlled Environment Technology from setup serves the transports of the start as well.",
    ),
    (
        "BR-30",
        "A hex shows whose groups of ships stand there and how many groups, never how many ships.",
    ),
    (
        "BR-31",
        "In a round against several colonies every warship may aim at any base that takes part.",
    ),
    ("BR-50", "Sieges are settled whenever ships appear or vanish, after a production turn too."),
    (
        "BR-51",
        "With hidden posts the post off the board counts only while its owner has no post on the \
         board, besieged ones included.",
    ),
];

/// Those of The Fate of Empire.
pub(super) const FATE: &[Rule] = &[
    (
        "FR-1",
        "The Planet Table has four columns, barren to terran; the fifth one of the print is a slip \
         of the header.",
    ),
    ("FR-2", "The tables of events and Swarms are read as printed; Boots is Bootis."),
    (
        "FR-3",
        "Second numbers are robotic factories and advanced bases. Robotic factories count as \
         factories of their owner.",
    ),
    ("FR-4", "Scheat, which no list names, belongs to the Central Sector."),
    ("FR-5", "Factories that a world has beyond its people stay, and are idle."),
    (
        "FR-6",
        "Without warships on either side one round without fire is held, and then the base game's \
         withdrawal. After a round that leaves neither side a warship you are asked whether to \
         withdraw; if you stay one die is rolled, not two.",
    ),
    (
        "FR-7",
        "A pirate's die is rolled once a turn for a star at which ships that moved this turn have \
         stopped, not in the turn of its discovery.",
    ),
    ("FR-8", "The pirates choose where your ships withdraw to; by default a die does."),
    (
        "FR-9",
        "You may withdraw some ships and stay with others; those who stay count for the pirates' \
         leaving.",
    ),
    ("FR-10", "A scout is alone if its side has no other ship there, not even a transport."),
    ("FR-11", "Points are subtracted exactly, and only the difference loses its fraction."),
    ("FR-12", "Withdrawn ships are worth exactly what is asked, or as little more as can be."),
    ("FR-13", "Below 25M subjects a garrison may be larger than a fifth; from there on it is 5M."),
    ("FR-14", "A dominion produces at the next production turn, without the conqueror's wait."),
    ("FR-15", "Dominions may build factories."),
    ("FR-16", "Garrisons of barren worlds need transports equipped for them."),
    ("FR-17", "Swarms attack conquered worlds without a garrison too."),
    ("FR-18", "Factories are lost to Swarms if you own neither of the two technologies."),
    (
        "FR-19",
        "An independent world with a shield cannot be attacked; only an abandoned dominion becomes \
         one.",
    ),
    ("FR-20", "A Prime world whose subjects are dead scores by its type. Its gifts stay."),
    ("FR-21", "After turn 44 nothing is produced; points are counted when it ends."),
    ("FR-22", "The Sub-Province's corvettes begin with the next even turn."),
    ("FR-23", "Technologies that are gifts need no level below, and count like all others."),
    (
        "FR-24",
        "Beside pirate scouts new ships can be built; they fight in the next turn without moving.",
    ),
    ("FR-25", "Independents never destroy their factories."),
    ("FR-26", "Pirates beyond the number of your ships begin the order of targets again."),
    (
        "FR-27",
        "The post beside the entry hex counts even beside posts on the board, since reinforcements \
         need it.",
    ),
    ("FR-28", "The Planet Table is rolled for each planet of a star."),
];
