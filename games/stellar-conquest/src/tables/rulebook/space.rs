//! Rules of Alone in Outer Space.

use crate::tables::rulebook::rule::Rule;

pub(super) const SECTIONS: &[Rule] = &[
    (
        "space-1",
        "There are three variations of the base rules. They belong to this game and are options in \
         the base game.",
    ),
    (
        "space-1.1",
        "Planet shields can be attacked. Every ship fires at a shield as if at a fighter. While \
         the shield is up, bases and people cannot be hit. Five hits in a round destroy it; three \
         or four give it one damage point, and the fourth point destroys it. After a round without \
         a hit, the owner of the shield may fire a beam at one ship, which hits like a death star. \
         Two such rounds in a row end the attack for the turn. After the battle, damage points are \
         removed.",
    ),
    (
        "space-1.2",
        "Scouts are small warships: they besiege, attack, and hold conquered colonies. They hit \
         transports with 1 or 2, scouts with 1, corvettes and missile bases with a sum of 10 on \
         two dice. Corvettes and missile bases hit scouts with 1 to 3, fighters and advanced bases \
         with 1 to 4, death stars with 1 to 5.",
    ),
    (
        "space-1.3",
        "Minimal terran planets grow by 1M for every 15M people. If the division leaves a \
         remainder, one die is rolled for a terran planet, two for a sub-terran one and three for \
         a minimal terran one; a sum up to the remainder adds 1M.",
    ),
    (
        "space-2",
        "The first power to explore a star claims it publicly. Claims change only by treaty, \
         arbitration, annexation and total conquest. Only the claimant can settle a star's \
         planets.",
    ),
    (
        "space-3",
        "Two stars border each other unless a third one is nearer to both of them than they are to \
         each other. Your star is a border star towards a power if it borders a star that the \
         power claims.",
    ),
    (
        "space-4",
        "There are no choices at setup: 15 i.p. buy 3 Hex Speed, and 10 i.p. go into a title of \
         level 1, which the dice for research at peace determine.",
    ),
    (
        "space-5",
        "The game has four stages. Expansion lasts until all 54 stars are claimed, growth until \
         600M people live on planets, tension until 1200M do, and empire until the end. The game \
         never goes back to an earlier stage. Diplomatic dice get +2 in tension and +4 in empire, \
         and are not rolled in expansion.",
    ),
    (
        "space-6",
        "A production turn has these steps: growth, total conquest, the stage, incidents, talks or \
         a diplomatic event, treaties, the priority of every power; then each colony, the youngest \
         first, sends emigrants, builds and pays.",
    ),
    (
        "space-6.1",
        "The game determines emigration by four rules. A colony fills all mineral-rich planets of \
         its power to which it is nearest. A colony that is not mineral-rich and is above 80 \
         percent of its capacity sends the emigrants for the full bonus. At peace, a terran one \
         does so from 50 percent, if 20M stay. After a victory, sub-terran colonies that are not \
         mineral-rich send half their people to evacuated terran planets, as far as there is room. \
         The largest number counts, up to the free capacity. Colonies are handled one at a time, \
         the youngest first.",
    ),
    (
        "space-6.2",
        "A die, with +1 in truce or incident and +2 at war, determines the first, second and third \
         priority. The first gets at least half of the i.p. that remain after transports. Of the \
         rest, the third gets at most half, and the second gets what then remains. Purchases of \
         weapons start with as many of the most expensive kind as the budget allows.",
    ),
    (
        "space-6.3",
        "Dice determine the title for research: first its class, by peace or war, then its level, \
         then one of two titles, by an odd or even roll. A partly paid title comes first.",
    ),
    (
        "space-6.4",
        "Example: a terran colony with 60M people and 5 factories, at peace and with weapons \
         first, builds 16 transports, spends 27 i.p. on a fighter, a missile base and a scout, \
         builds two factories, and pays 14 i.p. for research.",
    ),
    ("space-7", "Political relations decide where ships may go and where transports must go."),
    (
        "space-7.1",
        "You may go to your own stars, allies' stars and unclaimed stars. Neutrals' stars are \
         closed. Enemies' stars are open in total war, and in a limited war if they border your \
         side. In a truce, stars that the enemy controls are closed. Ships that arrive or stay \
         where they are not allowed must move on to a neighboring hex. If they meet other ships on \
         arrival, two dice are rolled; 11 or 12 means one round of fire.",
    ),
    (
        "space-7.2",
        "Transports go to the best planet that you claim within range and four turns. The best are \
         mineral-rich ones that are settled, then empty ones; then empty terran ones, those below \
         50 and those below 75 percent of capacity; then sub-terran ones below 75 percent, then \
         empty ones; then minimal terran ones. The transports must land there.",
    ),
    (
        "space-8",
        "There is at most one war at a time. It has two sides, and is limited or total. All other \
         powers are neutral.",
    ),
    (
        "space-8.1",
        "Two dice plus the number for the stage determine the event: up to 8 peace talks, 9 a \
         blunder, 10 and 11 a border dispute, 12 and 13 a limited war, 14 and more a total war. \
         The two powers of an event are drawn at random.",
    ),
    (
        "space-8.2",
        "The effect of an event depends on the two powers. Enemies fight on. Allies may separate. \
         A neutral joins the war against the other power. Two neutrals clash, dispute or go to \
         war, or join opposite sides of an existing war. A power that changes sides and its old \
         enemies leave each other's stars in their next movements. A total war event makes a \
         limited war total.",
    ),
    (
        "space-8.3",
        "In peace talks two dice are rolled, with +1 for each neutral and +2 if the war is \
         limited. Up to 5, nothing happens; 6 brings a truce, 7 and more a peace treaty.",
    ),
    (
        "space-8.4",
        "In a truce no ship fires, and conquered colonies stay conquered. The next production turn \
         brings new talks and no event.",
    ),
    (
        "space-8.5",
        "In a limited war powers attack only border stars, in a total war all stars. Allies may \
         share a hex and are attacked together; only the moving power's ships attack.",
    ),
    ("space-9", "Incidents between two neutrals are not war but may lead to it."),
    (
        "space-9.1",
        "In a clash, each power may raid once a turn: up to five ships without death stars, from \
         one of its own stars, attack a star of the other power that they can reach in the same \
         turn by any legal route. They fight one or two rounds against ships, or against bases if \
         there are no ships. Each raid, and each ship or base destroyed in raids or \
         misunderstandings, adds 1 to the tension. At the next production turn, two dice are \
         rolled: at least 2 below the tension, limited war starts; otherwise up to the tension, \
         the clash continues; above it, the clash ends.",
    ),
    (
        "space-9.2",
        "In a dispute, the claimant may attack one star, and its owner may defend it. At the next \
         production turn, two dice are rolled, with +2 if the star is conquered: up to 8 brings \
         arbitration; at 9 and 10, the dispute continues; 11 and more means limited war. \
         Arbitration gives the star to the claimant only if the claimant has conquered it.",
    ),
    ("space-10", "At a peace, success points decide the terms."),
    (
        "space-10.1",
        "You have conquered an enemy's star if you have a warship there, there is no enemy ship, \
         and every enemy colony there is conquered.",
    ),
    (
        "space-10.2",
        "A side gets success points for each planet of the stars that it has conquered: T 12, ST \
         8, MT 3 (mineral-rich 6), B 2 (mineral-rich 4); a star without planets gives 1. It gets \
         points for everything that it has destroyed: shield and DS 4, AMB and F 2, MB and C 1, S \
         ½.",
    ),
    (
        "space-10.3",
        "A difference up to 10 is a stalemate; up to 25, one star is annexed; up to 50, two; above \
         50, half of the conquered stars but at least three, with their people. Both sides leave \
         all other stars of former enemies.",
    ),
    (
        "space-10.4",
        "An annexed star changes hands; its people leave in transports that their colonies build \
         at once, and bases, shields and factories are destroyed.",
    ),
    (
        "space-10.5",
        "After a decisive victory, the people of annexed stars stay as slaves, with their \
         factories. Slaves need no guard and do not become free without one.",
    ),
    ("space-10.6", "After a treaty, all powers are neutral and success points are cleared."),
    (
        "space-11",
        "A power at war without free people is eliminated. Its stars and ships go to the powers \
         that conquered it, and its people become slaves. The last power left wins.",
    ),
    ("space-12", "The game ends after turn 44 and is scored by the points of the base game."),
    (
        "space-13",
        "The game rolls and computes what the article prescribes; the players choose the rest.",
    ),
];

/// The rulings. Those after DR-29 were added for this engine.
pub(super) const RULINGS: &[Rule] = &[
    (
        "DR-1",
        "A beam hits like an attacking death star. The owner may use it once after each round \
         without a hit.",
    ),
    (
        "DR-2",
        "Where rules say warship, armed scouts are included; where rules list types of ships, they \
         are not. So scouts do not escort explorers or kill people.",
    ),
    ("DR-3", "Barren planets never grow."),
    (
        "DR-4",
        "Borders are mutual: a third star is between two stars only if it is nearer to both of \
         them than they are to each other.",
    ),
    ("DR-5", "Events in the growth stage can change which powers are neutral."),
    ("DR-6", "Percentages of capacity are calculated after growth."),
    ("DR-7", "The half of the i.p. for the first priority is rounded up."),
    ("DR-8", "There is no emigration without a destination."),
    ("DR-9", "Stars of neutrals are closed in every stage."),
    ("DR-10", "Shields are bought from the weapons budget, before the mandatory items."),
    ("DR-11", "The most expensive item is the most expensive one within the declared budget."),
    (
        "DR-12",
        "A truce counts as peace for emigrants and research, and adds 1 to the priority die.",
    ),
    ("DR-13", "Tension keeps rising while a clash lasts."),
    (
        "DR-14",
        "The stars to be annexed are chosen by their distance from stars that the winning side \
         claims.",
    ),
    ("DR-15", "Several victors share annexed stars by their success points; dice break ties."),
    (
        "DR-16",
        "Slaves do not grow or build bases. The power that holds them scores their planet without \
         a guard.",
    ),
    (
        "DR-17",
        "A power that changes sides loses its own success points; those scored against it stay.",
    ),
    (
        "DR-18",
        "A power that joins a war starts with 0 success points and is bound by a truce in force.",
    ),
    (
        "DR-19",
        "Two neutrals that an event sets against each other take opposite sides of an existing \
         war.",
    ),
    (
        "DR-20",
        "A misunderstanding is over at once; a clash or dispute counts for the priority die while \
         it lasts.",
    ),
    ("DR-21", "People in their own power's transports count as free people."),
    (
        "DR-22",
        "Conquered colonies that must be evacuated return to their owner without a waiting turn.",
    ),
    ("DR-23", "A power never loses a claim because it has no colony or ship there."),
    ("DR-24", "The article's advice on reinforcements in incidents is not enforced."),
    ("DR-25", "The second scout of a pair costs 2 i.p."),
    (
        "DR-26",
        "Only surviving powers are drawn for events; with fewer than two, there is no event.",
    ),
    (
        "DR-27",
        "In a raid, bases under a shield cannot be hit. Hits on the shield do not add to the \
         tension.",
    ),
    ("DR-28", "Transports whose planet is full by now are sent elsewhere."),
    (
        "DR-29",
        "Claims, stage, wars, incidents and political dice are public; everything else is hidden \
         as in the base game. The dice of economic priority are visible only to their owner.",
    ),
    (
        "DR-30",
        "The three variations are not available in The Fate of Empire, whose tables fix what its \
         enemies do.",
    ),
    (
        "DR-31",
        "The titles for research are rolled when the production turn starts, as many as the i.p. \
         can pay for, so that the whole sheet can be checked.",
    ),
    (
        "DR-32",
        "Without a technology for factories, priority for factories means research; without an \
         unfinished title, priority for research means weapons. This is decided when a colony's \
         turn comes.",
    ),
    (
        "DR-33",
        "In production, a power's own colonies come first, the youngest first; then those that it \
         has conquered, by star.",
    ),
    (
        "DR-34",
        "Transports under way take up room at planets, by rank, but the ranks depend only on the \
         people already there. Each colony in turn reserves room for its emigrants.",
    ),
    ("DR-35", "People of conquered colonies do not emigrate."),
    (
        "DR-36",
        "Slaves conquered by another power return to the star's claimant once the conqueror \
         leaves; their own power frees them while its warships are there.",
    ),
    (
        "DR-37",
        "In a truce a star is closed by enemy ships, or by a free enemy colony that the mover has \
         seen.",
    ),
    (
        "DR-38",
        "Ships that end their movement where they are not allowed are placed in a neighboring \
         hex; in a truce, only ships that arrived this turn.",
    ),
    (
        "DR-39",
        "A raid needs a warship. Ships cannot withdraw from raids and encounters. If there are no \
         ships to fight, the raiders fight the bases of all colonies of the other power at the \
         star.",
    ),
    ("DR-40", "Losses in a war are counted publicly, so battles are public too."),
    (
        "DR-41",
        "At the end of the game, an unoccupied planet counts as in the base game, for the power \
         with ships there, whichever power claims the star.",
    ),
    ("DR-42", "An eliminated power has no turns and need not submit sheets."),
    (
        "DR-43",
        "Transports are sent by what their owner can see when they leave a star. Transports that \
         have arrived at their star land there, by rank; others land if a planet there is among \
         the best.",
    ),
    ("DR-44", "A siege continues during a truce."),
    (
        "DR-47",
        "Several rich planets with the same nearest colony are all filled, the largest gap first, \
         as far as its emigrants reach. The largest number that counts (space-6.1) is the largest \
         of the four rules, not of the planets.",
    ),
    (
        "DR-48",
        "A colony's output, emigration and spending are completed before those of the next colony, \
         so the next one can use a technology that it acquired.",
    ),
    (
        "DR-49",
        "A power can raid once a turn in each clash, by any legal route that takes one turn.",
    ),
    (
        "DR-50",
        "When unoccupied planets are scored, slaves count as a colony of the power that holds \
         them, not of their old power.",
    ),
    (
        "DR-51",
        "After a victory, half of the people move, but no more than the evacuated terran planets \
         have room for.",
    ),
];
