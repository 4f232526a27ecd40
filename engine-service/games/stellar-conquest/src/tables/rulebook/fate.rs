//! The Fate of Empire.

use crate::tables::rulebook::rule::Rule;

/// The sections of the article's page.
pub(super) const SECTIONS: &[Rule] = &[
    (
        "fate-1",
        "You are the Empire's Captain-General. Pirates, independent worlds and Swarms are played \
         by the game. It takes 44 turns. Two dice are always one red and one white.",
    ),
    ("fate-2", "Setup: a die finds your entry hex, and you choose ships and two technologies."),
    ("fate-2.1", "Board and decks are those of the base game."),
    (
        "fate-2.2",
        "A die from 1 to 4 names your entry hex for the whole game; 5 and 6 are rolled again.",
    ),
    (
        "fate-2.3",
        "You have 30 loaded transports, and 15 ship points for corvettes at 1 and scouts at a \
         half.",
    ),
    (
        "fate-2.4",
        "You own two of 3 Hex Speed, Missile Base, Controlled Environment Technology and \
         Industrial Technology.",
    ),
    ("fate-2.5", "All ships enter in turn 1. The post beside the entry hex counts all game long."),
    (
        "fate-3",
        "A turn: event, Swarms, movement, exploration, battles with pirates, attacks on \
         independent worlds, debts to the Empire, landings, and production after every fourth \
         turn.",
    ),
    ("fate-4", "Random events come at the beginning of every turn but the first."),
    ("fate-4.1", "A red and a white die find the event in a table."),
    (
        "fate-4.2",
        "A to C bring transports and research, corvettes, or scouts. D founds a Sub-Province, \
         once. E, F and G take ship points for tension, war, or full-scale war, in which A to F do \
         nothing. H makes peace; in peace it is I, and I brings Swarms.",
    ),
    ("fate-4.3", "What arrives enters through your entry hex in the same turn."),
    (
        "fate-4.4",
        "Ships that are withdrawn must be worth what is asked, or as little above it as possible, \
         and stand at stars unless communication is unlimited. What cannot be paid is a debt, \
         collected before later landings.",
    ),
    ("fate-5", "Swarms attack planets of the Empire."),
    ("fate-5.1", "Two dice name a star; eighteen stars are never named."),
    (
        "fate-5.2",
        "If you hold a planet there, a die names the orbit; the planet that you hold in it is \
         attacked.",
    ),
    (
        "fate-5.3",
        "A die gives 10 to 40 factors. Warships at the star and bases on the planet stop some, \
         ships twice as many with Improved Ship Weaponry; a shield stops all.",
    ),
    (
        "fate-5.4",
        "Every factor left kills a million; on a dominion subjects die before the garrison.",
    ),
    (
        "fate-5.5",
        "Without Improved Industrial Technology or Robotic Industry factories without people to \
         run them are lost. A planet without people loses everything.",
    ),
    ("fate-5.6", "A dominion whose subjects are all dead is a colony of its garrison."),
    ("fate-6", "New stars may hold independent worlds and pirates."),
    ("fate-6.1", "Risk and cards are those of the base game."),
    (
        "fate-6.2",
        "For each planet of a new star two dice are looked up in the Planet Table under its type: \
         people make it independent, ships are pirates.",
    ),
    ("fate-6.3", "The card's capacity limits the people; factories and bases stay as they are."),
    (
        "fate-6.4",
        "There is one Prime world of sub-terran and one of terran type. A second one is an empty \
         planet.",
    ),
    (
        "fate-6.5",
        "When ships of yours move to the star of an independent world found earlier, a die of 1 or \
         2 brings a pirate corvette.",
    ),
    ("fate-6.6", "Pirates stay where they are, and attack no planets."),
    ("fate-7", "Pirates fight whoever comes."),
    ("fate-7.1", "You attack, with at least one round, wherever your ships meet pirates."),
    (
        "fate-7.2",
        "Pirate corvettes fire at fighters, then corvettes, then scouts, one each until all have \
         one; at transports only if nothing else is there. They hold fire against death stars \
         alone.",
    ),
    ("fate-7.3", "You choose your targets first; theirs do not depend on yours."),
    ("fate-7.4", "Without pirates you have won; without your ships they stay."),
    (
        "fate-7.5",
        "After a round you may withdraw ships to a neighbouring hex that the pirates choose, by a \
         die unless somebody plays them.",
    ),
    (
        "fate-7.6",
        "If you stay, a die up to a number that rises with your lead in ship points makes the \
         pirates leave the game.",
    ),
    (
        "fate-7.7",
        "Else another round follows. Without warships on both sides there is one round without \
         fire and one such roll, and then you must leave; if a round left it so, you are asked \
         first whether to withdraw, and no round without fire follows.",
    ),
    ("fate-7.8", "A destroyed pirate scout is worth 1 victory point, a corvette 3."),
    ("fate-8", "Independent worlds can be conquered, and become dominions."),
    ("fate-8.1", "They do not grow, produce or rebuild, and Swarms leave them alone."),
    (
        "fate-8.2",
        "You may attack them with a warship when no pirates are at the star; a world without bases \
         falls at once.",
    ),
    (
        "fate-8.3",
        "Missile bases fire at fighters, corvettes, scouts in that order, advanced ones at death \
         stars first, one each and then again; never at transports. Both kinds are counted apart.",
    ),
    (
        "fate-8.4",
        "A conquered world is yours while a warship is there, and yields and scores nothing.",
    ),
    (
        "fate-8.5",
        "A garrison landed at once makes it a dominion: a fifth of the subjects at least, and \
         exactly 5M from 25M subjects on.",
    ),
    (
        "fate-8.6",
        "A dominion needs no guard. Its subjects produce everything but transports; nobody there \
         grows or emigrates.",
    ),
    (
        "fate-8.7",
        "In a production turn the whole garrison may leave in transports that it pays for; the \
         world is independent again, with all that stands there. The i.p. of its subjects cannot \
         be spent in that production turn.",
    ),
    (
        "fate-8.8",
        "A garrison on a Prime world brings Improved Industrial Technology and Robotic Industry.",
    ),
    (
        "fate-9",
        "Five sectors of stars. You rule one with colonies or dominions at enough of its stars, \
         for 15 to 25 points.",
    ),
    (
        "fate-10",
        "Production is that of the base game; on dominions the subjects count. Pirate corvettes \
         besiege, pirate scouts do not.",
    ),
    (
        "fate-11",
        "Victory points: pirates destroyed, planets by type, Prime dominions, sectors, less ships \
         lost. From 100 on it is a marginal, from 200 a substantial, from 300 a decisive victory.",
    ),
    (
        "fate-12",
        "Nearly all that pirates and independents do is prescribed; what is left may be decided by \
         whoever plays them, else by a default.",
    ),
];
