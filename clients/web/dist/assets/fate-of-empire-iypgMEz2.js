var e=`# The Fate of Empire

A campaign for one player on the board of [Stellar Conquest](stellar-conquest.md), for 44 turns. As
Captain-General, you lead an expedition of the Empire against pirates, independent worlds and
Swarms.

<!-- not run: builds the programs again, and needs a terminal -->
\`\`\`sh
./play fate-of-empire
./play fate-of-empire --tutorial    # learn the game step by step
\`\`\`

\`./play fate-of-empire --tutorial\` teaches the first turns. So does the web page, under "Learn".

On a running engine:

\`\`\`sh
cli-client play fate-of-empire
\`\`\`

Read the page of Stellar Conquest first for the map, the menus and the orders. If the game reports
that it is waiting for an AI client, start \`ai-client\`, which plays the two automated seats.

## The campaign

- **Commission.** You start with 30 loaded transports, 15 ship points for corvettes (1 point) and
  scouts (½), and two of these technologies: 3 Hex Speed, Missile Base, Controlled Environment
  Technology, Industrial Technology. A die determines your entry hex. The command post beside it
  counts until the end of the game.
- **Events.** Every turn except the first starts with an event (\`? events\`): help from the Empire, a
  demand for ships, war, peace, Swarms. If the Empire demands ships, choose them from your ships at
  stars. They must be worth exactly the points demanded or, if that is impossible, as little more as
  possible. If all your ships there are worth less, the rest is a debt. You pay it with the first of
  your ships that reach a star.
- **Exploring** a star rolls two dice for each planet (\`? discovery\`). The result is an independent
  world, pirates, both, or nothing.
- **Pirates** fight all ships that arrive.
  - Their targets are fixed: fighters first, then corvettes, then scouts. They fire at each of your
    ships once, before any ship becomes a target again.
  - After every round you may withdraw, even if neither side has a warship left. Otherwise a die
    determines whether the pirates disengage (\`? pirates\`). The stronger you are, the more likely
    this is.
  - A destroyed corvette is worth 3 points, a scout 1. Pirates that leave are worth nothing.
- **Independent worlds** have people, factories and bases. A world without bases falls to any
  warship. Otherwise you fight the bases in rounds and may break off.
- **Garrisons.** A conquered world counts only with a garrison. Land transports there, all in one
  order. A world of 25M people or more needs exactly 5M, a smaller world at least a fifth of its
  people. With a garrison, the world becomes a *dominion*: it produces immediately, never grows, and
  needs no ships. A garrison on a Prime world brings Improved Industrial Technology and Robotic
  Industry.
- **Swarms** attack a star (\`? swarms\`), and a die determines an orbit. If you control the planet
  there, the Swarms attack it with a number of factors (\`? factors\`). Each factor that your ships
  and bases do not stop kills a million people. A planet shield stops all factors.

## Orders

| order | example | rule |
| --- | --- | --- |
| commission | \`commission 10 corvettes; 10 scouts; speed3; industry\` | fate-2 |
| ships for the Empire | \`recall #1-3,8\` | fate-4.4 |
| garrison | \`land #5-9 Sadir 1\` | fate-8.5 |
| evacuate a garrison; the dominion's industry points (i.p.) of that production turn are lost | \`produce Sadir 1: evacuate\` | fate-8.7 |
| spend the Empire's i.p. | \`produce grant 10 into speed3 \\| Ceti 1: 3 factories\` | fate-4.2 |

All other orders are those of [Stellar Conquest](stellar-conquest.md#orders).

## Victory points

| for | points |
| --- | --- |
| pirates destroyed | scout 1, corvette 3 |
| each colony or dominion | barren 5, minimal terran 7, sub-terran 10, terran 15 |
| Prime dominions instead | sub-terran 35, terran 50 |
| sectors with enough systems | 15 to 25 each (\`? sectors\`) |
| ships lost | scout −2, corvette −5, fighter −10, death star −20 |

300 points are a decisive victory, 200 points a substantial one, and 100 points a marginal one.
Fewer than 100 points are a defeat.

- \`show\` lists the points needed for the next level. At the end it lists your level and how the
  points add up.
- \`report\` shows the current score, sectors, discovered worlds, debts and war.

## A first game

- Take 10 corvettes, 10 scouts, 3 Hex Speed and Industrial Technology (\`the usual start\`).
- Send corvettes with the transports to the nearest yellow stars, and scouts further out.
- Found a colony on the first terran planet and set up a command post. Spend the first production on
  transports and factories.
- Avoid strong pirates until you have fighters. A few missile bases save a good colony from Swarms.

## Rulings

\`? FR-1\` to \`? FR-28\` print the rulings. The most important ones:

| ruling | subject |
| --- | --- |
| FR-1, FR-28 | how to read the Planet Table: one roll for each planet |
| FR-4 | Scheat belongs to the Central sector |
| FR-6 | if neither side has a warship, you decide first, then a disengagement die is rolled, then you leave |
| FR-7 | the die of the pirates |
| FR-12 | ships for the Empire: worth exactly the points demanded or, if that is impossible, as little more as possible |
| FR-13 | garrisons |
| FR-14 | dominions produce immediately |
| FR-27 | the command post beside the entry hex always counts |

## Automated players

| seat | profile | decides |
| --- | --- | --- |
| Captain-General | \`captain-general\` | everything, if no person plays the seat |
| Pirates | \`pirates\` | which of several equal ships to fire at, and where beaten ships withdraw to |
| Independents | \`independents\` | which of several equal ships each kind of base fires at |

The rules decide nearly everything else for pirates and independents. The levels are \`random\`,
\`standard\` and \`strong\` ([how they play](automated-players.md#the-fate-of-empire)).
`;export{e as default};