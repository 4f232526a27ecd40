//! Rules of The Fate of Empire.

use crate::tables::rulebook::rule::Rule;

pub(super) const SECTIONS: &[Rule] = &[
    (
        "fate-1",
        "You are the Empire's Captain-General. The game plays pirates, independent worlds and \
         Swarms. There are 44 turns. Whenever two dice are rolled, one is red and one is white.",
    ),
    ("fate-2", "Setup: a die determines your entry hex; you choose ships and two technologies."),
    ("fate-2.1", "The board and the decks are those of the base game."),
    (
        "fate-2.2",
        "A die roll of 1 to 4 determines your entry hex for the whole game; 5 and 6 are rolled \
         again.",
    ),
    (
        "fate-2.3",
        "You have 30 loaded transports, and 15 ship points to spend on corvettes (1 point each) \
         and scouts (½ point each).",
    ),
    (
        "fate-2.4",
        "You choose two of 3 Hex Speed, Missile Base, Controlled Environment Technology and \
         Industrial Technology.",
    ),
    (
        "fate-2.5",
        "All ships enter in turn 1. The post off the board beside your entry hex gives range \
         throughout the game.",
    ),
    (
        "fate-3",
        "A turn has these steps: event, Swarms, movement, exploration, battles with pirates, \
         attacks on independent worlds, debts to the Empire, landings, and production after every \
         fourth turn.",
    ),
    ("fate-4", "Random events occur at the start of every turn except the first."),
    ("fate-4.1", "A red and a white die determine the event, as shown in the table."),
    (
        "fate-4.2",
        "A brings transports and research, B corvettes, C scouts. D founds a Sub-Province, but \
         only once. E, F and G withdraw ship points for tension, limited war, and full-scale war; \
         during a full-scale war, A to F do nothing. H ends a full-scale war; without one it \
         counts as I, which brings Swarms.",
    ),
    ("fate-4.3", "The ships that an event brings enter through your entry hex in the same turn."),
    (
        "fate-4.4",
        "The ships that you must give up must be worth the amount demanded, or as little above it \
         as possible, and must be at stars unless communication is unlimited. What you cannot pay \
         is a debt, which is collected before landings until it is paid.",
    ),
    ("fate-5", "Swarms attack planets of the Empire."),
    (
        "fate-5.1",
        "Two dice determine the star that is attacked; eighteen stars are never attacked.",
    ),
    (
        "fate-5.2",
        "If you hold a planet there, a die determines the orbit. If you hold the planet in that \
         orbit, it is attacked.",
    ),
    (
        "fate-5.3",
        "A die gives the attack 10 to 40 factors. Warships at the star and bases on the planet \
         stop some of them; a shield stops all. With Improved Ship Weaponry, ships stop twice as \
         many.",
    ),
    (
        "fate-5.4",
        "Each remaining factor kills 1M people; on a dominion, subjects die before the garrison.",
    ),
    (
        "fate-5.5",
        "If you have neither Improved Industrial Technology nor Robotic Industry, factories \
         without people to run them are lost. A planet without people loses everything built \
         there.",
    ),
    ("fate-5.6", "If all subjects of a dominion die, it becomes a colony of its garrison."),
    ("fate-6", "New stars may hold independent worlds and pirates."),
    ("fate-6.1", "Exploration risk and star cards are those of the base game."),
    (
        "fate-6.2",
        "For each planet of a newly explored star, two dice are looked up in the Planet Table \
         under the planet's type. People make the planet an independent world; ships are pirates.",
    ),
    ("fate-6.3", "The card's capacity limits the people, but not factories and bases."),
    (
        "fate-6.4",
        "There is one sub-terran and one terran Prime world. If the table gives a second one of \
         the same type, its planet is empty.",
    ),
    (
        "fate-6.5",
        "When your ships move to the star of an independent world found earlier, a die roll of 1 \
         or 2 brings a pirate corvette.",
    ),
    ("fate-6.6", "Pirates stay where they are and do not attack planets."),
    ("fate-7", "Pirates fight ships that arrive."),
    ("fate-7.1", "You must attack, for at least one round, wherever your ships meet pirates."),
    (
        "fate-7.2",
        "Pirate corvettes fire at fighters, then corvettes, then scouts, one at each ship until \
         all are targets. They fire at transports only if you have no other ships there. If you \
         have death stars but no fighters, corvettes or scouts, they hold fire.",
    ),
    ("fate-7.3", "You choose your targets first. The pirates' targets do not depend on yours."),
    (
        "fate-7.4",
        "If no pirates are left, you have won; if none of your ships are left, the pirates stay.",
    ),
    (
        "fate-7.5",
        "After a round you may withdraw ships to a neighboring hex that the pirates choose. A die \
         decides for them unless a player controls them.",
    ),
    (
        "fate-7.6",
        "If you stay, a die is rolled. The pirates leave the game if it shows at most a number \
         that rises with your lead in ship points.",
    ),
    (
        "fate-7.7",
        "If the pirates do not leave, another round follows. If neither side has warships from the \
         start, there is one round without fire and one such roll, and then you must leave. If a \
         round of fire left neither side a warship, you may first withdraw, and there is no round \
         without fire.",
    ),
    ("fate-7.8", "A destroyed pirate scout is worth 1 victory point, a corvette 3."),
    ("fate-8", "Independent worlds can be conquered, and become dominions."),
    (
        "fate-8.1",
        "Independent worlds do not grow, produce or rebuild, and Swarms do not attack them.",
    ),
    (
        "fate-8.2",
        "You may attack independent worlds with a warship when there are no pirates at the star. A \
         world without bases falls at once.",
    ),
    (
        "fate-8.3",
        "Missile bases fire at fighters, then corvettes, then scouts; advanced ones fire at death \
         stars first. One base fires at each ship, then the order starts again. Bases never fire \
         at transports. The two kinds are counted separately.",
    ),
    (
        "fate-8.4",
        "A conquered world is yours while you have a warship there. It produces and scores \
         nothing.",
    ),
    (
        "fate-8.5",
        "A garrison landed by one order makes a conquered world a dominion. It must be at least a \
         fifth of the subjects, and exactly 5M if there are 25M subjects or more.",
    ),
    (
        "fate-8.6",
        "A dominion needs no guard. Its subjects produce everything except transports. There is no \
         growth and no emigration.",
    ),
    (
        "fate-8.7",
        "In a production turn the whole garrison may leave in transports that it pays for. The \
         world becomes independent again and keeps everything built there. The i.p. of its \
         subjects cannot be spent in that production turn.",
    ),
    (
        "fate-8.8",
        "A garrison on a Prime world gives you Improved Industrial Technology and Robotic \
         Industry.",
    ),
    (
        "fate-9",
        "Every star belongs to one of five sectors. You rule a sector if you have colonies or \
         dominions at enough of its stars. Each sector that you rule is worth 15 to 25 points.",
    ),
    (
        "fate-10",
        "Production follows the base game; on dominions, only the subjects count. Pirate corvettes \
         besiege your planets, but pirate scouts do not.",
    ),
    (
        "fate-11",
        "You get victory points for pirates destroyed, planets by type, Prime dominions and \
         sectors, and lose points for ships lost. 100 points are a marginal victory, 200 a \
         substantial one, 300 a decisive one.",
    ),
    (
        "fate-12",
        "Nearly all actions of pirates and independent worlds are prescribed. A player who \
         controls them decides the rest; otherwise a default does.",
    ),
];
