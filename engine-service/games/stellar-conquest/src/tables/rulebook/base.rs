//! The base game.

use crate::tables::rulebook::rule::Rule;

/// Its sections.
pub(super) const SECTIONS: &[Rule] = &[
    (
        "0",
        "Warships are corvettes, fighters and death stars; scouts and colony transports are \
         unarmed. Bases are missile bases, plain or advanced. Everybody who is not you is an \
         enemy. Whatever is divided is rounded down.",
    ),
    (
        "1",
        "54 stars in five colours, and a deck of star cards for each colour, 78 in all. A card \
         tells how many planets a star has, what they are like and how many millions each can \
         hold.",
    ),
    ("2", "The board has 656 hexes in 32 columns."),
    (
        "2.1",
        "Columns run from A to Z and on from AA to FF. Every other column, beginning with A, has \
         21 rows, the ones between have 20; row 1 is at the top.",
    ),
    ("2.2", "Columns with 20 rows stand half a hex lower than their neighbours."),
    (
        "2.3",
        "A hex has up to six neighbours: north, north-east, south-east, south, south-west, \
         north-west. That order breaks ties.",
    ),
    ("2.4", "Distance is the smallest number of steps from hex to hex; clouds do not lengthen it."),
    (
        "2.5",
        "The shape of the board is proved by the border stars of an article, by the patches that \
         the clouds form, and by its straight edges.",
    ),
    ("2.6", "Only two pairs of stars are neighbours: Pherda with Rastaban, Canopus with Draconis."),
    ("2.7", "The entry hexes are the four corners: FF20, A21, A1 and FF1."),
    ("3", "Setup: decks are shuffled, seats are drawn, everybody gets a fleet and a bonus."),
    ("3.1", "Star cards are shuffled into five decks by colour."),
    ("3.2", "The order of play is drawn once, and gives each player an entry hex."),
    (
        "3.3",
        "Everybody begins off the board with 4 scouts, 4 corvettes and 35 loaded colony \
         transports.",
    ),
    (
        "3.4",
        "Each player secretly spends 25 i.p. on scouts, corvettes and technologies of level 1. \
         What is left over is lost.",
    ),
    (
        "4",
        "A player-turn: move, explore, fight ships, attack colonies, land people, then those \
         without room die. Nobody goes back to an earlier step. After every fourth turn but the \
         last all players produce.",
    ),
    ("5", "Ships move from hex to hex."),
    (
        "5.1",
        "A ship moves 2 hexes a turn, or as many as the best speed technology of its owner says; \
         less is always allowed.",
    ),
    ("5.2", "The fleets of the start must enter in turn 1; the entry hex is the first step."),
    (
        "5.3",
        "Hexes hold any number of ships. Between the stars strangers take no notice of each other.",
    ),
    ("5.4", "Who enters a star hex with enemy ships stops there. Colonies stop nobody."),
    ("6", "Gas and dust clouds slow ships down."),
    ("6.1", "A cloud hex can only be the first step of a turn, and that step is also the last."),
    ("6.2", "Inside a cloud ships so make one hex a turn. Leaving one costs nothing extra."),
    ("6.3", "Six stars lie in clouds: Sirius, Deneb, Zosca, Mizar, Vega and Altair."),
    ("7", "Ships need a command post near them."),
    ("7.1", "All ships but scouts must stay at most 8 hexes from a command post of their owner."),
    (
        "7.2",
        "A post may stand at any star with a free colony of yours. You set it up or take it away \
         in your turn or in a production turn, as often as you like.",
    ),
    (
        "7.3",
        "As long as you have no post on the board, one beside your entry hex counts, a hex farther \
         out.",
    ),
    (
        "7.4",
        "A post vanishes with your last free colony at its star. Under siege it stays, and gives \
         no range.",
    ),
    (
        "7.5",
        "Ships that move out of range are lost; an order must accept that openly. Ships that a \
         lost post or a withdrawal left out of range live while they stay, or come nearer to a \
         post with every step; a besieged post counts for that, so that a fleet can relieve it.",
    ),
    ("7.6", "Unlimited Ship Range ends all this."),
    (
        "7.7",
        "Option: no posts at all. Every free colony that is not besieged gives range, and nobody \
         is told.",
    ),
    ("8", "Ships between the stars follow the orders they left with."),
    (
        "8.1",
        "A ship outside a star hex must be bound for a star, and cannot change its mind before it \
         arrives.",
    ),
    ("8.2", "In any star hex it may get a new destination, and go on at once."),
    ("8.3", "It cannot turn back to the star it left last."),
    (
        "8.4",
        "It takes a shortest way. It may avoid stars on the way, and clouds if that saves turns.",
    ),
    ("8.5", "Destinations are secret."),
    ("8.6", "With Unlimited Ship Communication ships go where they like."),
    (
        "9",
        "Up to 15 task forces hide what they consist of. They are formed, split and merged while \
         their owner moves.",
    ),
    (
        "10",
        "Where ships are is public; what they are is known to their owner, to those they meet at a \
         star, and to colonies that inspect them. Inspecting gives the colony away. Colonies, \
         cards, research and production are secret.",
    ),
    ("11", "Ships that end a movement at a star explore it."),
    (
        "11.1",
        "Every star hex with ships of yours is explored after movement, also by those that stayed \
         there.",
    ),
    (
        "11.2",
        "At a star new to you, and without a warship, every scout and transport rolls a die and is \
         lost on a 1.",
    ),
    ("11.3", "If one ship survives the star is explored, and never dangerous to you again."),
    (
        "11.4",
        "The first explorer draws the star's card; everybody who comes later reads the same one.",
    ),
    (
        "11.5",
        "Each turn at a star you learn which planets others have settled, which of them are \
         shielded, and whose ships are there.",
    ),
    ("11.6", "Nobody can decline to explore."),
    ("12", "Enemy ships at one star fight."),
    (
        "12.1",
        "The player on turn attacks, and must fight wherever their ships and enemies share a star \
         hex, one battle a hex, in the order they like.",
    ),
    (
        "12.2",
        "Both sides see each other's ships. If neither has a warship there is no battle, and the \
         attacker must leave.",
    ),
    (
        "12.3",
        "In a round the attacker names a target for each warship, then the defender does. All \
         shots are rolled, and only then is what was hit taken away.",
    ),
    (
        "12.4",
        "The attack table: light guns are corvettes and missile bases, medium ones fighters and \
         advanced bases, heavy ones death stars. The better the gun and the weaker the target, the \
         more numbers hit.",
    ),
    ("12.5", "A second hit on the same target is wasted. Targets can change from round to round."),
    (
        "12.6",
        "With Improved Ship Weaponry a warship that misses fires once more at the same target.",
    ),
    (
        "12.7",
        "After a round: a side without ships has lost; without any warship left the attacker \
         withdraws; else the attacker may withdraw ships, then the defender; then another round is \
         fought.",
    ),
    (
        "12.8",
        "The opponent chooses the neighbouring hex to which ships withdraw, once for the whole \
         battle. Each needs a new destination of its own unless communication is unlimited.",
    ),
    ("12.9", "Planets hide no ships, and bases take no part in a battle of ships."),
    ("13", "Warships may attack colonies."),
    (
        "13.1",
        "You can attack colonies at a star where you have a warship and no enemy ship is left: one \
         star after the other, several colonies at once if you like.",
    ),
    ("13.2", "A colony under a planet shield cannot be attacked."),
    (
        "13.3",
        "The owner shows the bases. Without any the colony falls at once; otherwise a round must \
         be fought.",
    ),
    (
        "13.4",
        "Bases may fire at any ship. Nobody withdraws; after each round the attacker may break \
         off.",
    ),
    ("13.5", "After a round that did not take the colony its owner may destroy factories there."),
    ("13.6", "A colony without bases falls to an attacker who still has a warship."),
    ("13.7", "Bases that were destroyed stay destroyed, however the attack ends."),
    (
        "14",
        "A warship of an enemy besieges your colonies at a star: no ships are built there, nobody \
         emigrates, and the post gives no range. All other work goes on. A warship that is built \
         beside them besieges at once.",
    ),
    ("15", "A conquered colony works for its conqueror, while they guard it."),
    (
        "15.1",
        "The conqueror holds it with at least one warship at the star, and is told all about it. \
         Its people stay loyal to their owner.",
    ),
    (
        "15.2",
        "It yields nothing in the first production turn after the conquest, and everything \
         afterwards.",
    ),
    (
        "15.3",
        "It does not grow and gives no bonus. It may build ships and factories and do research for \
         the conqueror, but no bases and no shield.",
    ),
    (
        "15.4",
        "Its people may be moved to empty planets or to other colonies of their owner that you \
         hold, never among your own. A warship of yours must accompany their transports.",
    ),
    (
        "15.5",
        "Without a warship of yours at the star it is free at once, and so are its people's \
         transports at the end of the turn.",
    ),
    (
        "15.6",
        "Whoever drives your warships off and stays with one becomes the conqueror, and waits a \
         production turn.",
    ),
    ("15.7", "If its owner drives them off it is free."),
    ("15.8", "The conqueror may destroy factories there in their turn."),
    (
        "15.9",
        "With the attacks the conqueror may kill people there: each corvette 1M a turn, each \
         fighter 3M, each death star 5M.",
    ),
    (
        "15.10",
        "A colony without people is abandoned: all that stood there is gone, and anybody may \
         settle.",
    ),
    ("16", "Transports bring people to planets."),
    (
        "16.1",
        "Transports at a star may land on an empty planet, or on a free colony of yours. Each is \
         used up and adds a million.",
    ),
    ("16.2", "A planet holds one colony; the planets of a star may belong to different players."),
    (
        "16.3",
        "Barren planets need Controlled Environment Technology, and transports built since it was \
         acquired.",
    ),
    ("16.4", "All other planets need nothing. Minimal and barren ones never grow."),
    (
        "16.5",
        "Transports are built only by the colony whose people they load. A transport that is lost \
         takes its million along.",
    ),
    (
        "16.6",
        "People above a planet's capacity die at the end of their player's turn and of the \
         production turn.",
    ),
    ("16.7", "Emigrants never land again where they came from."),
    ("17", "In a production turn each colony grows, sends emigrants, and spends its i.p."),
    (
        "17.1",
        "Terran colonies grow by one in five, sub-terran ones by one in ten; others, and conquered \
         ones, not at all.",
    ),
    ("17.2", "Besieged colonies send no emigrants."),
    (
        "17.3",
        "A colony yields 1 i.p. for each million and each factory that works; twice that if it is \
         mineral-rich. How many factories work depends on the technology.",
    ),
    (
        "17.4",
        "Emigrants take a transport each for 1 i.p. Of those up to the growth and three more, \
         every third brings along another one, for one more transport.",
    ),
    (
        "17.5",
        "The rest buys ships, bases, factories, a shield and research, each colony for itself; \
         only research adds up. Scouts are cheaper by the pair. What is not spent is lost.",
    ),
    (
        "17.6",
        "Factories cost 4 i.p., or 3 with Robotic Industry. Without that there can be one for each \
         million, two with Improved Industrial Technology. They work from the next time on.",
    ),
    ("17.7", "Bases are not limited; a planet has one shield."),
    ("17.8", "New ships stand at the star of their colony, and move in their owner's next turn."),
    (
        "17.9",
        "A technology can be used the moment it is paid, even with the rest of the same colony's \
         i.p.",
    ),
    ("17.10", "At the end people above capacity die."),
    ("17.11", "Without colonies there is nothing to do."),
    ("18", "Research: eighteen technologies in three classes."),
    (
        "18.1",
        "Each class has three levels of two titles. A title above level 1 needs one of the level \
         below in its class.",
    ),
    ("18.2", "A predecessor makes a title cheaper, and is never required."),
    (
        "18.3",
        "Payments add up from turn to turn. A title is yours once they reach the price valid at \
         that moment; more than is missing cannot be paid.",
    ),
    ("18.4", "Your fastest speed counts."),
    ("18.5", "A technology is the right to buy; the things themselves cost extra."),
    ("19", "The game ends after turn 44."),
    (
        "19.1",
        "A terran planet that you control is worth 3 points, a sub-terran one 1. The most points \
         win, and a tie is shared.",
    ),
    (
        "19.2",
        "You control a planet with your free or besieged colony, with a colony you hold by \
         conquest, an empty one where you have a ship, or an empty one at a star of your colony \
         where no enemy ship is.",
    ),
    (
        "20",
        "Options: hidden posts, private battles, and improved weaponry for bases. Standing orders \
         answer for you while others are on turn.",
    ),
];
