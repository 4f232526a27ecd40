//! Alone in Outer Space.

use crate::tables::rulebook::rule::Rule;

/// The sections of the article's page.
pub(super) const SECTIONS: &[Rule] = &[
    (
        "space-1",
        "Three variations of the base rules. They belong to this game, and may be chosen in the \
         base game too.",
    ),
    (
        "space-1.1",
        "Shields can be attacked: every ship fires at one as if at a fighter, and while it stands \
         nobody can hit bases or people. Five hits in a round destroy it; three or four are a \
         damage point, and so is it by the fourth. After a round without a hit its owner may seize \
         one ship with a beam that hits like a death star; two such rounds in a row end the attack \
         for the turn. After the battle a shield that stands is whole.",
    ),
    (
        "space-1.2",
        "Scouts are small warships: they besiege, attack and hold. They hit transports with 1 or \
         2, scouts with 1, corvettes and missile bases with two dice that show 10. Corvettes and \
         missile bases hit them with 1 to 3, fighters and advanced bases with 1 to 4, death stars \
         with 1 to 5.",
    ),
    (
        "space-1.3",
        "Minimal terran planets grow by one in fifteen. Where people are left over by the \
         division, one die on terran, two on sub-terran and three on minimal terran planets give \
         one million more if they show no more than the remainder.",
    ),
    (
        "space-2",
        "Who explores a star first claims it, for all to see. Claims change by treaty, \
         arbitration, annexation and total conquest alone. Only the claimant settles a star's \
         planets.",
    ),
    (
        "space-3",
        "Two stars border each other unless a third one is nearer to both of them than they are to \
         each other. Your star is a border star towards a power if it borders a star of its claim.",
    ),
    (
        "space-4",
        "Nothing is chosen at setup: 15 i.p. buy 3 Hex Speed, 10 go into a title of level 1 that \
         the dice of peace find.",
    ),
    (
        "space-5",
        "Expansion lasts until all 54 stars are claimed, growth until 600 million people live on \
         planets, tension until 1200 million do; then comes empire, until the end. Stages never \
         return. Diplomatic dice get 2 in tension and 4 in empire, and are not rolled in \
         expansion.",
    ),
    (
        "space-6",
        "A production turn: growth, total conquest, the stage, incidents, talks or a diplomatic \
         event, treaties, the priority of every power; then each colony, the youngest first, sends \
         people off, builds and pays.",
    ),
    (
        "space-6.1",
        "Who emigrates is decreed. A colony fills the mineral-rich planets that it is nearest to, \
         all of them; one without minerals and above 80 percent sends what gives the full bonus, \
         and at peace so does a terran one from 50 percent on while 20 million stay. After a \
         victory sub-terran colonies send half their people to terran planets that were evacuated, \
         as far as these have room. The largest demand counts, and never more than places are \
         free. Colonies are handled one after the other, the youngest first, each with what the \
         earlier ones left.",
    ),
    (
        "space-6.2",
        "A die, with 1 in truce or incident and 2 at war, names what comes first, second and \
         third. What comes first gets at least half of what transports leave; of the rest the \
         third gets half at most, and the second what is left. Weapons begin with as many of the \
         dearest kind as the budget allows.",
    ),
    (
        "space-6.3",
        "Dice find what is researched: the class by peace or war, the level, then odd or even. A \
         title that is begun comes first.",
    ),
    (
        "space-6.4",
        "A terran colony of 60 million with 5 factories at peace, weapons first: 16 transports, 27 \
         i.p. for a fighter, a missile base and a scout, two factories, 14 i.p. for research.",
    ),
    ("space-7", "Politics say where ships may go, and where transports must."),
    (
        "space-7.1",
        "You may go to stars of your own, of allies and of nobody. Those of neutrals are closed; \
         those of enemies are open in total war, and in a limited war where they border your side. \
         In a truce stars that the enemy controls are closed. Who arrives where they may not be, \
         or stays there, goes on to a neighbouring hex; who meets others on arrival rolls two \
         dice, and 11 or 12 cost a round of fire.",
    ),
    (
        "space-7.2",
        "Transports go to the best planet of your claim within range and four turns: rich ones \
         that are settled, then empty ones; empty terran ones, those below 50 and below 75 \
         percent; sub-terran ones below 75 percent, then empty ones; minimal terran ones. They \
         land where they were sent.",
    ),
    (
        "space-8",
        "Diplomacy: one war at a time, between two sides, limited or total. Everybody else is \
         neutral.",
    ),
    (
        "space-8.1",
        "Two dice and the stage: up to 8 peace talks, 9 a blunder, 10 and 11 a border dispute, 12 \
         and 13 a limited war, 14 and more a total war. Dice draw the two powers.",
    ),
    (
        "space-8.2",
        "What an event does depends on the two: enemies fight on, allies may part, a neutral joins \
         against the one at war, two neutrals clash, dispute or go to war, or join opposite sides \
         of a war of others. Who changes sides and its old enemies leave each other's stars with \
         their next movements. Total war makes a limited one total.",
    ),
    (
        "space-8.3",
        "Talks: two dice, 1 for every neutral, 2 if the war is limited. Up to 5 nothing, 6 a \
         truce, from 7 on a peace treaty.",
    ),
    (
        "space-8.4",
        "In a truce nobody fires and conquests stay; the next production turn brings new talks and \
         no event.",
    ),
    (
        "space-8.5",
        "A limited war goes for border stars, a total one for all. Allies stand together and are \
         attacked together; only ships of who moves attack.",
    ),
    ("space-9", "Incidents between two neutrals are no war, but may lead to one."),
    (
        "space-9.1",
        "In each clash each of the two may raid once a turn: up to five ships without death stars, \
         from one star of its own, against a star of the other in reach of the same turn by any \
         legal route; one or two rounds against ships, or bases if there are none. Raids, and \
         ships and bases destroyed in them or in misunderstandings, are the tension: at the next \
         production turn two dice at least 2 below it mean limited war, up to it the clash goes \
         on, above it ends.",
    ),
    (
        "space-9.2",
        "In a dispute the claimant may attack one star, and its owner defend it. Two dice, and 2 \
         if it is conquered: up to 8 arbitration, 9 and 10 it goes on, from 11 on limited war. \
         Arbitration gives the star to a claimant who has conquered it.",
    ),
    ("space-10", "Peace: points of success decide the terms."),
    (
        "space-10.1",
        "An enemy's star is conquered if a warship of yours is there, no ship of the enemy, and \
         every colony of the enemy there is conquered.",
    ),
    (
        "space-10.2",
        "Success: for each planet of a conquered star T 12, ST 8, MT 3 or rich 6, B 2 or rich 4; a \
         star without planets 1. For what was destroyed: shield and DS 4, AMB and F 2, MB and C 1, \
         S a half.",
    ),
    (
        "space-10.3",
        "A difference up to 10 is a stalemate; up to 25 one star is annexed, up to 50 two, above \
         half of the conquered ones and at least three, with their people. Everybody leaves all \
         other stars of former enemies.",
    ),
    (
        "space-10.4",
        "An annexed star changes hands; its people leave in transports that their colonies build \
         at once, and bases, shields and factories are destroyed.",
    ),
    (
        "space-10.5",
        "After a decisive victory the people of annexed stars stay as slaves, with their \
         factories; they need no guard and are never free again by its absence.",
    ),
    ("space-10.6", "After a treaty all are neutral, and nothing is counted any more."),
    (
        "space-11",
        "A power at war without free people is no more: its stars and its ships go to those who \
         conquered them, its people become slaves. The last power wins.",
    ),
    ("space-12", "The game ends after turn 44 with the points of the base game."),
    (
        "space-13",
        "The game rolls and computes what the article prescribes; whoever plays a power chooses \
         the rest.",
    ),
];

/// Rulings on this article; those after 29 are the engine's own.
pub(super) const RULINGS: &[Rule] = &[
    (
        "DR-1",
        "A beam hits as an attacking death star does. It is up to the owner, once a round without \
         a hit.",
    ),
    (
        "DR-2",
        "Where rules say warship, armed scouts are meant too; where they name kinds of ships, they \
         are not. So scouts escort no explorers and kill nobody.",
    ),
    ("DR-3", "Barren planets never grow."),
    ("DR-4", "Borders are mutual: only a star that is nearer to both lies between two stars."),
    ("DR-5", "Events of the growth stage do change who is neutral."),
    ("DR-6", "Percentages are taken after growth."),
    ("DR-7", "Half of an odd number of i.p. is rounded up for what comes first."),
    ("DR-8", "Nobody emigrates who has nowhere to go."),
    ("DR-9", "Stars of neutrals are closed in every stage."),
    ("DR-10", "Shields are bought with weapons' i.p., before what must be bought."),
    ("DR-11", "What is dearest is measured by the budget that is declared."),
    ("DR-12", "A truce is peace for emigrants and research, and gives 1 to the die of priority."),
    ("DR-13", "Tension goes on rising while a clash does."),
    ("DR-14", "Which star is ceded is measured from stars held by claim."),
    ("DR-15", "Victors share by their success, then by dice."),
    (
        "DR-16",
        "Slaves neither grow nor build bases; their holder scores their planet without a guard.",
    ),
    ("DR-17", "Who changes sides loses its own count; what was counted against it stays."),
    ("DR-18", "Who joins begins to count at nothing, and is bound by a truce that is in force."),
    (
        "DR-19",
        "Two neutrals whom an event sets against each other take opposite sides of a war of \
         others.",
    ),
    (
        "DR-20",
        "A misunderstanding is over at once; a clash or dispute counts for the priority while it \
         lasts.",
    ),
    ("DR-21", "People in their own transports are free people."),
    (
        "DR-22",
        "For an evacuation conquered colonies are under their owner again, without a turn to wait.",
    ),
    ("DR-23", "A claim is never lost by absence."),
    ("DR-24", "How many reinforcements an incident deserves is advice."),
    ("DR-25", "The second scout of a pair costs 2."),
    ("DR-26", "Only powers that are left are drawn; with fewer than two nothing happens."),
    (
        "DR-27",
        "In a raid bases under a shield cannot be hit, and hits on the shield give no tension.",
    ),
    ("DR-28", "Transports that find their planet full are sent on."),
    (
        "DR-29",
        "Claims, stage, wars, incidents and political dice are public; all else is hidden as in \
         the base game. The dice of economic priority are told to their owner alone.",
    ),
    (
        "DR-30",
        "The three variations are not for The Fate of Empire, whose tables fix what its enemies \
         do.",
    ),
    (
        "DR-31",
        "The titles that research goes into are rolled when the production turn begins, as many as \
         the i.p. can reach, so that a sheet can be judged whole.",
    ),
    (
        "DR-32",
        "Whether factories mean research, and research weapons, is decided when a colony's turn \
         comes.",
    ),
    (
        "DR-33",
        "A power's own colonies come first, the youngest before; then those that it holds, by \
         star.",
    ),
    (
        "DR-34",
        "Transports under way take room, by rank, but ranks go by who lives there; each colony in \
         turn reserves room for those it sends.",
    ),
    ("DR-35", "People of conquered colonies do not emigrate."),
    (
        "DR-36",
        "Slaves whom somebody else conquers belong to the star's claimant again once the conqueror \
         leaves; their own power frees them while its warships are there.",
    ),
    (
        "DR-37",
        "In a truce a star is closed by enemy ships, or by a free enemy colony that the mover \
         knows of.",
    ),
    (
        "DR-38",
        "Whoever ends their movement where they may not be is placed in a neighbouring hex, but in \
         a truce only who came in this turn.",
    ),
    (
        "DR-39",
        "A raid needs a warship. Nobody withdraws from raids and encounters; without ships the \
         bases of all colonies of the other power at the star are fought.",
    ),
    ("DR-40", "What is destroyed in a war is counted in public; so battles are public too."),
    (
        "DR-41",
        "At the end an unoccupied planet counts as in the base game: for whose ships are there, \
         whoever claims the star.",
    ),
    ("DR-42", "A power that is no more has no turns, and owes no sheets."),
    (
        "DR-43",
        "Transports are sent by what their owner knows when they leave a star. Those that have \
         come to a star land there, by rank; others do if it is among the first.",
    ),
    ("DR-44", "A besieger in a truce goes on besieging."),
    (
        "DR-47",
        "Several rich planets with the same nearest colony are all filled, the largest gap first, \
         as far as its emigrants reach. The largest demand that counts is that among the four \
         rules, not among planets.",
    ),
    (
        "DR-48",
        "Output, emigration and spending of a colony are done before the next one's: what one \
         acquires the next one uses.",
    ),
    ("DR-49", "A power raids once a turn in each clash, by any legal route of one turn."),
    (
        "DR-50",
        "For the score of unoccupied planets slaves are a colony of their holder, not of their old \
         power.",
    ),
    (
        "DR-51",
        "Half of the people go after a victory only as far as the evacuated terran planets have \
         room.",
    ),
];
