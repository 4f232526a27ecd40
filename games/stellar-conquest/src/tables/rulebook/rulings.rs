//! Rulings, for points where the sources are silent or contradictory.

use crate::tables::rulebook::rule::Rule;

pub(super) const BASE: &[Rule] = &[
    (
        "BR-1",
        "Columns with an even number are half a hex lower; the border stars of Alone in Outer \
         Space confirm it.",
    ),
    (
        "BR-2",
        "The list of cloud hexes counts, not the number of clouds in the text. Pherda and Polaris \
         touch clouds but are not in one.",
    ),
    ("BR-3", "The four corners are numbered from the bottom right clockwise."),
    ("BR-4", "With fewer than four players, use the entry hexes with the lowest numbers."),
    (
        "BR-5",
        "Level 3 needs a title of level 2, as level 2 needs one of level 1. Technologies received \
         as gifts need no other title.",
    ),
    (
        "BR-6",
        "Ships can enter a cloud only with the first step of a turn, which is then also the last.",
    ),
    (
        "BR-7",
        "Range is measured to the post's hex. Only ships that choose to move out of range are \
         lost; stranded ships survive.",
    ),
    (
        "BR-8",
        "An order may list stars to avoid, and may avoid clouds. Its route must be a shortest one \
         that does so. Ships may cover it in several turns.",
    ),
    (
        "BR-9",
        "The star that a ship left last is the last one in which it stopped or through which it \
         passed; after a withdrawal, it is the star of the battle. New ships have none.",
    ),
    (
        "BR-10",
        "Ships also stop for enemies that were hidden from them, and lose the rest of their \
         movement.",
    ),
    (
        "BR-11",
        "A withdrawal can lead to a neighboring star. Nothing is explored there; if ships of \
         another player are there, the arriving ships attack.",
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
        "A besieged colony cannot send emigrants, since transports are ships; people above its \
         capacity die.",
    ),
    ("BR-16", "Improved Ship Weaponry gives one more shot after a miss, and none after a hit."),
    ("BR-17", "Factories may be bought on conquered colonies."),
    (
        "BR-18",
        "The limits on factories apply to building and operating them. Idle factories stay. \
         Without any industrial technology, one factory operates for each million people.",
    ),
    (
        "BR-19",
        "The price of a title is decided when the title is completed. Payments cannot exceed it, \
         and cannot be refunded or transferred.",
    ),
    (
        "BR-20",
        "Transports with captive people return to their owner if no warship of the conqueror is \
         with them when a turn ends.",
    ),
    (
        "BR-21",
        "A conquered colony produces nothing in the first production turn after the conquest; \
         another conqueror waits again. A colony founded with captives does not wait.",
    ),
    ("BR-22", "Players who tie for the most points share the victory."),
    (
        "BR-23",
        "Two players with colonies at one star may both score its empty planet while there is no \
         enemy ship.",
    ),
    ("BR-24", "Only the number of task forces is limited; other counters are unlimited."),
    ("BR-25", "You may land beside an enemy colony, on another planet of the star."),
    (
        "BR-26",
        "After you break off an attack, you can resume it only before you attack at another star.",
    ),
    ("BR-27", "You may let all people of a colony emigrate; everything built there is lost."),
    ("BR-28", "A shield protects as soon as it is bought, even under siege."),
    (
        "BR-29",
        "Controlled Environment Technology bought at setup also equips the starting transports.",
    ),
    ("BR-30", "A hex shows how many groups of ships each player has there, never how many ships."),
    (
        "BR-31",
        "In a round against several colonies each warship may aim at any base that takes part.",
    ),
    (
        "BR-50",
        "Sieges are determined again whenever ships appear or disappear, also after a production \
         turn.",
    ),
    (
        "BR-51",
        "If posts are hidden, a player's off-board post counts only while the player has no post \
         on the board. Besieged posts on the board count as posts here.",
    ),
];

pub(super) const FATE: &[Rule] = &[
    (
        "FR-1",
        "The Planet Table has four columns, barren to terran; the fifth one in the printed header \
         is an error.",
    ),
    ("FR-2", "The tables of events and Swarms are read as printed; Boots is the star Bootis."),
    (
        "FR-3",
        "In the Planet Table, the second numbers are robotic factories and advanced bases. Robotic \
         factories count as ordinary factories.",
    ),
    ("FR-4", "Scheat, which is in no list, belongs to the Central Sector."),
    ("FR-5", "Factories that exceed a world's people stay but are idle."),
    (
        "FR-6",
        "Without warships on either side, there is one round without fire, then the base game's \
         withdrawal. After a round that leaves neither side a warship, you may withdraw; if you \
         stay, one die is rolled, not two.",
    ),
    (
        "FR-7",
        "The die for a new pirate corvette (fate-6.5) is rolled once a turn for each star at which \
         ships that moved this turn have stopped, but not in the turn of the star's discovery.",
    ),
    ("FR-8", "The pirates choose where your ships withdraw to; by default a die decides."),
    (
        "FR-9",
        "You may withdraw some ships and stay with others; only those that stay count for the \
         pirates' departure.",
    ),
    ("FR-10", "A scout is alone if its side has no other ship there, not even a transport."),
    (
        "FR-11",
        "Ship points are subtracted exactly; only then is the fraction of the difference dropped.",
    ),
    (
        "FR-12",
        "Withdrawn ships are worth exactly the amount demanded, or as little more as possible.",
    ),
    (
        "FR-13",
        "Below 25M subjects, a garrison may be larger than a fifth; from 25M it is exactly 5M.",
    ),
    (
        "FR-14",
        "A dominion produces in the next production turn, without the conqueror's waiting turn.",
    ),
    ("FR-15", "Dominions may build factories."),
    (
        "FR-16",
        "A garrison can land on a barren world only from transports built with Controlled \
         Environment Technology.",
    ),
    ("FR-17", "Swarms also attack conquered worlds without a garrison."),
    (
        "FR-18",
        "Swarms destroy factories only if you own neither Improved Industrial Technology nor \
         Robotic Industry.",
    ),
    (
        "FR-19",
        "An independent world with a shield cannot be attacked; only an abandoned dominion can be \
         such a world.",
    ),
    (
        "FR-20",
        "A Prime world without subjects scores by its type. You keep the technologies that it gave \
         you.",
    ),
    ("FR-21", "There is no production after turn 44; points are counted at the end of that turn."),
    ("FR-22", "The Sub-Province's corvettes start to arrive in the next even turn."),
    (
        "FR-23",
        "Technologies that are gifts need no title of the level below, and count like all others.",
    ),
    (
        "FR-24",
        "New ships can be built beside pirate scouts; they fight in the next turn without moving.",
    ),
    ("FR-25", "Independents never destroy their factories."),
    (
        "FR-26",
        "If there are more pirate corvettes than targets, the remaining ones start the order of \
         targets again.",
    ),
    (
        "FR-27",
        "The post beside the entry hex counts even while you have posts on the board, because \
         reinforcements need it.",
    ),
    ("FR-28", "The Planet Table is rolled separately for each planet of a star."),
];
