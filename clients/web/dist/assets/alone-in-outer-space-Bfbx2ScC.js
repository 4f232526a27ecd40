var e=`# Alone in Outer Space

Two to four powers compete on the board of [Stellar Conquest](stellar-conquest.md). Politicians rule
them, and you do not control the politicians. You command the ships.

<!-- not run: builds the programs again, and needs a terminal -->
\`\`\`sh
./play alone-in-outer-space
./play alone-in-outer-space --tutorial    # learn the game step by step
\`\`\`

\`./play alone-in-outer-space --tutorial\` teaches the first turns. So does the web page, under
"Learn".

On a running engine:

\`\`\`sh
cli-client play alone-in-outer-space
cli-client play alone-in-outer-space --own 4                      # you lead all four powers
cli-client play alone-in-outer-space --own 2 --opponents 2        # two of four
cli-client new alone-in-outer-space --spectate --ai strong --ai strong --ai standard --ai standard
\`\`\`

- To play several seats, you need an engine with \`--sandbox\`. \`./play\` starts one.
- The last line creates a game to watch. \`start\` it, then \`watch\` or \`play\` it.
- Each seat can be played by a person or by the automated profile \`power\`.
- Each seat sees only what its power may see. Politics are public, except the dice of economic
  priority: only their owner sees them.

Read the page of [Stellar Conquest](stellar-conquest.md) first for the map, the menus and the
orders.

## What is different

Dice decide which powers are at war and how far the war goes. Decrees decide what colonies do with
their people and their production.

- **Setup.** Each power has 3 Hex Speed. Dice decide which technology gets 10 industry points (i.p.;
  \`? space-4\`).
- **Claims.** The first power to explore a star claims it publicly. Only the claimant can settle its
  planets.
- **Stages.** The game starts with expansion, until all 54 stars are claimed. Growth follows, then
  tension from 600 million people, and empire from 1,200 million. The later the stage, the worse the
  diplomatic dice.
- **Movement.** You can go to your stars, your allies' stars and unclaimed stars. Stars of neutral
  powers are closed. In a *limited war* you can attack border stars, in a *total war* every star.
  Ships that end their movement at a forbidden star are placed beside it.
- **Transports** go where policy sends them. \`report\` and the menus list the stars. At the end of
  the turn in which they arrive, they land automatically on the first planet by rank.
- **Clash.** Once a turn, each side of a clash may raid the other with up to five ships (\`raid\`).
  The raid takes any legal route of one turn, or the one given by \`via\`. Every raid, and every ship
  or base destroyed, also in a misunderstanding, raises the tension. At the next production turn the
  dice take the tension into account. A small tension ends the clash. A tension of 14 always leads
  to war.
- **Border dispute.** The claimant may conquer one star. Its owner defends it.
- **Peace.** Each side counts points for planets of conquered stars and for losses inflicted. If the
  difference exceeds 10 points, one star changes hands; if it exceeds 25, two; if it exceeds 50,
  half of the conquests. Their people become slaves.
- **Changing sides.** If a power changes sides, it and its former enemies must leave each other's
  stars with their next movements, warships too.
- **Total conquest.** A power at war without free people is eliminated.
- **Base game options.** Three options are on: shields can be shot down, scouts are small warships,
  and dice may round growth up (\`? space-1\`).

### Production by decree

- Colonies produce one after the other, the youngest first. What one colony buys, and how much room
  it has left, counts for the next.
- The game computes the emigrants.
- A die chooses the priority. The priority gets half of the remaining i.p., or more if you choose.
- If the priority is weapons, buy as many of the most expensive weapon as you can pay for, then any
  others until the budget is spent.
- When you own all technologies, research means weapons. If you then name weapons in \`decree\`, list
  those of both parts, the first part first.
- \`decree\` without choices does what is decreed and no more.

## Orders

| order | example | rule |
| --- | --- | --- |
| raid with two rounds | \`raid Sadir 2 #4-6\`, \`raid Sadir 2 #4-6 via M17 N17 O16\` | space-9.1 |
| place ships beside a star, with their destination | \`place Q19 to Alcor\` | space-7.1 |
| decree | \`decree Alcor 1: spend 30; 1 fighter; 2 scouts \\| posts Alcor\` | space-6.2 |
| tractor beam | \`aim 7>2\` | space-1.1 |

All other orders are those of [Stellar Conquest](stellar-conquest.md#orders).

## The map and the story

The map marks the claimant of each star, your border stars, and contested stars (disputed stars, and
stars on the border between the two sides of the war). Beside the map are the stage, the war,
incidents with their tension, your border stars for each other power, and the number of claims.

To read the story of a game, as text or with a map for every turn:

<!-- before: GAME=$(game new alone-in-outer-space --ai random --start-when-full) -->
\`\`\`sh
cli-client chronicle GAME
cli-client chronicle GAME --html story.html
\`\`\`

## The end

After turn 44 the power with the most points wins. Points are counted as in Stellar Conquest, but
slaves count without a guard. If only one power is left, it wins immediately. \`show\` lists your
points so far, and at the end the points of all powers.

## A first game

- Send a corvette with every group of transports.
- Send scouts far out. Every star that you explore first is yours.
- Set up command posts early, because transports cannot go out of range.
- When the last star is claimed, defend your border stars. Limited wars are fought there.
- In a clash, if you are the weaker power, hold your fire and do not raid.
`;export{e as default};