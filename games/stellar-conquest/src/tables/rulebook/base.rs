//! Rules of the base game.

use crate::tables::rulebook::rule::Rule;

pub(super) const SECTIONS: &[Rule] = &[
    (
        "0",
        "Warships are corvettes, fighters and death stars; scouts and colony transports are \
         unarmed. Bases are missile bases and advanced missile bases. All other players are \
         enemies. Divisions round down.",
    ),
    (
        "1",
        "There are 54 stars in five colors, and a deck of star cards for each color, with 78 cards \
         in all. A card shows how many planets a star has, their types, and how many millions of \
         people each can hold.",
    ),
    ("2", "The board has 656 hexes in 32 columns."),
    (
        "2.1",
        "Columns run from A to Z, then from AA to FF. Every other column, starting with A, has 21 \
         rows; the others have 20. Row 1 is at the top.",
    ),
    ("2.2", "Columns with 20 rows are half a hex lower than their neighbors."),
    (
        "2.3",
        "A hex has up to six neighbors: north, north-east, south-east, south, south-west, \
         north-west. This order breaks ties.",
    ),
    ("2.4", "Distance is the smallest number of steps from hex to hex; clouds do not lengthen it."),
    (
        "2.5",
        "The border stars of Alone in Outer Space, the patches of clouds and the straight edges \
         confirm the shape of the board.",
    ),
    ("2.6", "Only two pairs of stars are neighbors: Pherda with Rastaban, Canopus with Draconis."),
    ("2.7", "The entry hexes are the four corners: FF20, A21, A1 and FF1."),
    ("3", "Setup: decks are shuffled, seats are drawn, and each player gets a fleet and a bonus."),
    ("3.1", "Star cards are shuffled into five decks by color."),
    ("3.2", "The order of play is drawn once and gives each player an entry hex."),
    (
        "3.3",
        "Each player starts with 4 scouts, 4 corvettes and 35 loaded colony transports, all off \
         the board.",
    ),
    (
        "3.4",
        "Each player secretly spends 25 i.p. on scouts, corvettes and technologies of level 1. \
         Unspent i.p. are lost.",
    ),
    (
        "4",
        "A player-turn has these steps: move, explore, fight ships, attack colonies, land people; \
         then people above capacity die. Steps cannot be repeated. After every fourth turn except \
         the last, all players produce.",
    ),
    ("5", "Ships move from hex to hex."),
    (
        "5.1",
        "A ship moves up to 2 hexes a turn, or as many as its owner's best speed technology \
         allows.",
    ),
    (
        "5.2",
        "The starting fleets must enter in turn 1; the entry hex counts as the first hex of their \
         movement.",
    ),
    (
        "5.3",
        "A hex can contain any number of ships. Between the stars, ships of different players \
         ignore each other.",
    ),
    ("5.4", "Ships that enter a star hex with enemy ships stop there. Colonies do not stop ships."),
    ("6", "Gas and dust clouds slow ships down."),
    (
        "6.1",
        "A ship can enter a cloud hex only with its first step of a turn. Its movement ends there.",
    ),
    ("6.2", "Ships in clouds therefore move one hex a turn. Leaving a cloud costs nothing extra."),
    ("6.3", "Six stars are in clouds: Sirius, Deneb, Zosca, Mizar, Vega and Altair."),
    ("7", "Ships need a command post near them."),
    ("7.1", "All ships except scouts must stay within 8 hexes of a command post of their owner."),
    (
        "7.2",
        "A post may be at any star where you have a free colony. You can set it up or remove it \
         in your turn or in a production turn, as often as you like.",
    ),
    (
        "7.3",
        "While you have no post on the board, a post off the board, one hex from your entry hex, \
         gives range.",
    ),
    (
        "7.4",
        "A post is removed when you lose your last free colony at its star. A besieged post stays \
         but gives no range.",
    ),
    (
        "7.5",
        "Ships that move out of range are lost; the order must accept this explicitly. Ships that \
         are out of range because of a lost post or a withdrawal survive while they stay, or move \
         nearer to a post with every step. A besieged post counts for this, so a fleet can relieve \
         it.",
    ),
    ("7.6", "The technology Unlimited Ship Range removes these limits."),
    (
        "7.7",
        "With the option of hidden posts there are no posts: every free colony that is not \
         besieged gives range, in secret.",
    ),
    ("8", "Ships between the stars keep the destinations that they left with."),
    (
        "8.1",
        "A ship outside a star hex must be bound for a star, and cannot change its destination \
         before it arrives.",
    ),
    ("8.2", "In any star hex, a ship may get a new destination and continue at once."),
    ("8.3", "The new destination cannot be the star that the ship left last."),
    (
        "8.4",
        "A ship takes a shortest route to its destination. It may avoid stars on the way, and \
         clouds if that saves turns.",
    ),
    ("8.5", "Destinations are secret."),
    (
        "8.6",
        "With Unlimited Ship Communication, ships move and stop anywhere without destinations.",
    ),
    (
        "9",
        "Up to 15 task forces hide the types and numbers of your ships. You form, split and merge \
         them while moving.",
    ),
    (
        "10",
        "The positions of ships are public. Their types are known to their owner, to players they \
         meet at a star, and to owners of colonies that inspect them. Inspecting reveals the \
         colony. Colonies, cards, research and production are secret.",
    ),
    ("11", "Ships that end a movement at a star explore it."),
    (
        "11.1",
        "Every star hex with ships of yours is explored after movement, even if the ships did not \
         move.",
    ),
    (
        "11.2",
        "At a star that you have not explored, without a warship of yours, a die is rolled for \
         each of your scouts and transports. A ship that rolls 1 is lost.",
    ),
    (
        "11.3",
        "If at least one ship survives, you have explored the star, and it is no longer dangerous \
         to you.",
    ),
    ("11.4", "The first explorer draws the star's card; later explorers read the same one."),
    (
        "11.5",
        "Each turn at a star, you learn which planets other players have settled, which of them \
         are shielded, and whose ships are there.",
    ),
    ("11.6", "Exploration cannot be declined."),
    ("12", "Enemy ships at one star fight."),
    (
        "12.1",
        "The player on turn attacks, and must fight wherever their ships share a star hex with \
         enemy ships. There is one battle in each hex; the attacker chooses their order.",
    ),
    (
        "12.2",
        "Both sides see each other's ships. If neither has a warship, there is no battle and the \
         attacker must leave.",
    ),
    (
        "12.3",
        "In a round the attacker chooses a target for each warship, then the defender does. All \
         shots are rolled before destroyed ships are removed.",
    ),
    (
        "12.4",
        "In the attack table, corvettes and missile bases are light guns, fighters and advanced \
         bases are medium guns, and death stars are heavy guns. The heavier the gun and the weaker \
         the target, the more numbers hit.",
    ),
    ("12.5", "A second hit on the same target is wasted. Targets can change from round to round."),
    (
        "12.6",
        "With Improved Ship Weaponry, a warship that misses fires once more at the same target.",
    ),
    (
        "12.7",
        "After a round: a side without ships has lost; if neither side has a warship left, the \
         attacker withdraws; otherwise the attacker may withdraw ships, then the defender; then \
         another round is fought.",
    ),
    (
        "12.8",
        "The opponent chooses the neighboring hex to which ships withdraw, once for the whole \
         battle. Each ship needs a new destination unless communication is unlimited.",
    ),
    ("12.9", "Ships cannot hide on planets, and bases take no part in ship combat."),
    ("13", "Warships may attack colonies."),
    (
        "13.1",
        "You can attack colonies at a star where you have a warship and there is no enemy ship. \
         You attack one star after the other, and may attack several colonies of a star at once.",
    ),
    ("13.2", "A colony under a planet shield cannot be attacked."),
    (
        "13.3",
        "The owner shows the bases. A colony without bases falls at once; otherwise you must fight \
         at least one round.",
    ),
    (
        "13.4",
        "Bases may fire at any ship. Ships cannot withdraw; after each round the attacker may \
         break off.",
    ),
    (
        "13.5",
        "After a round in which the colony did not fall, its owner may destroy factories there.",
    ),
    ("13.6", "A colony without bases falls to an attacker who still has a warship."),
    ("13.7", "Bases that were destroyed stay destroyed, however the attack ends."),
    (
        "14",
        "An enemy warship at a star besieges your colonies there: they cannot build ships or send \
         emigrants, and your post there gives no range. They do everything else as usual. A \
         warship built at the star besieges them at once.",
    ),
    ("15", "A conquered colony works for its conqueror while it is guarded."),
    (
        "15.1",
        "The conqueror holds a colony with at least one warship at the star, and sees everything \
         about it. Its people stay loyal to their owner.",
    ),
    (
        "15.2",
        "A conquered colony produces nothing in the first production turn after the conquest, and \
         its full output afterwards.",
    ),
    (
        "15.3",
        "A conquered colony does not grow and gives no emigration bonus. It may build ships and \
         factories and do research for the conqueror, but cannot build bases or a shield.",
    ),
    (
        "15.4",
        "The people of a colony that you have conquered may move to empty planets or to other \
         colonies of their owner that you hold, never to your own colonies. A warship of yours \
         must accompany their transports.",
    ),
    (
        "15.5",
        "When you have no warship left at its star, a colony that you conquered is free at once. \
         Transports with its people are free at the end of a turn if no warship of yours is with \
         them.",
    ),
    (
        "15.6",
        "A player who drives off your warships and keeps a warship there becomes the new \
         conqueror, and also waits a production turn for output.",
    ),
    ("15.7", "If the owner of the colony drives off your warships, the colony is free."),
    ("15.8", "The conqueror may destroy factories of a conquered colony in their own turn."),
    (
        "15.9",
        "During the step of colony attacks, the conqueror may kill people of a conquered colony: \
         up to 1M a turn for each corvette there, 3M for each fighter and 5M for each death star.",
    ),
    (
        "15.10",
        "A colony without people is abandoned: everything built there is lost, and any player may \
         settle the planet.",
    ),
    ("16", "Transports bring people to planets."),
    (
        "16.1",
        "Transports at a star may land on an empty planet, or on a free colony of yours. Each \
         transport is used up and adds 1M people.",
    ),
    (
        "16.2",
        "A planet can have one colony; the planets of a star may belong to different players.",
    ),
    (
        "16.3",
        "Barren planets need Controlled Environment Technology and transports built since it was \
         acquired.",
    ),
    (
        "16.4",
        "All other planets need no technology. Colonies on minimal terran and barren planets never \
         grow.",
    ),
    (
        "16.5",
        "Transports are built only by the colony whose people they load. If a transport is lost, \
         its 1M people die.",
    ),
    (
        "16.6",
        "People above a planet's capacity die at the end of their player's turn and of the \
         production turn.",
    ),
    ("16.7", "Emigrants cannot land on the planet that they came from."),
    ("17", "In a production turn each colony grows, sends emigrants, and spends its i.p."),
    (
        "17.1",
        "Terran colonies grow by 1M for every 5M people, sub-terran ones by 1M for every 10M. \
         Other colonies, and conquered ones, do not grow.",
    ),
    ("17.2", "Besieged colonies cannot send emigrants."),
    (
        "17.3",
        "A colony produces 1 i.p. for each million people and each operating factory. A \
         mineral-rich one produces twice as much. Your technology limits how many factories \
         operate.",
    ),
    (
        "17.4",
        "Each 1M emigrants needs a transport, which costs 1 i.p. Up to the colony's growth plus 3, \
         every third million brings 1M more along, which needs a transport too.",
    ),
    (
        "17.5",
        "The remaining i.p. buy ships, bases, factories, a shield and research. Each colony pays \
         for its own items; only payments for research are added up. Scouts are cheaper in pairs. \
         Unspent i.p. are lost.",
    ),
    (
        "17.6",
        "Factories cost 4 i.p., or 3 with Robotic Industry. Without Robotic Industry, a colony can \
         have one factory for each million people, or two with Improved Industrial Technology. \
         Factories operate from the next production turn on.",
    ),
    ("17.7", "The number of bases is unlimited; a planet can have one shield."),
    ("17.8", "New ships appear at the star of their colony and move in their owner's next turn."),
    (
        "17.9",
        "A technology can be used as soon as it is paid for. The same colony can spend its \
         remaining i.p. on items that require it.",
    ),
    ("17.10", "At the end of the production turn, people above capacity die."),
    ("17.11", "Players without colonies have nothing to do in a production turn."),
    ("18", "There are eighteen technologies in three classes."),
    (
        "18.1",
        "Each class has three levels of two titles. To pay for a title above level 1, you need a \
         title of the level below in the same class.",
    ),
    ("18.2", "The predecessor of a title makes it cheaper, but is never required."),
    (
        "18.3",
        "Payments add up from turn to turn. You acquire a title when they reach the price valid \
         at that moment; you cannot overpay.",
    ),
    ("18.4", "Only your fastest speed technology counts."),
    ("18.5", "A technology only gives you the right to buy items; the items cost extra."),
    ("19", "The game ends after turn 44."),
    (
        "19.1",
        "A terran planet that you control is worth 3 points, a sub-terran one 1 point. The player \
         with the most points wins; tied players share the victory.",
    ),
    (
        "19.2",
        "You control planets with your free or besieged colonies, planets you hold by conquest, \
         empty planets where you have a ship, and empty planets at a star where you have a colony \
         and there is no enemy ship.",
    ),
    (
        "20",
        "The options are hidden posts, private battles, and improved weaponry for bases. Standing \
         orders make your decisions in other players' turns.",
    ),
];
