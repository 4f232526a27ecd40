var e=`# ...It Came From Outer Space!

Galactic empires land on the Earth of 1901. The map of [Diplomacy](diplomacy.md) is empty, and each
empire has a spacecraft in orbit with three armies. Landed units found colonies, where other empires
cannot beam down. The first empire with 18 supply centers wins. All orders are secret and are
resolved simultaneously. Dan Percival designed this variant for 2 to 64 empires.

<!-- not run: builds the programs again, and needs a terminal -->
\`\`\`sh
./play it-came-from-outer-space
./play it-came-from-outer-space --tutorial    # learn the game step by step
\`\`\`

\`./play it-came-from-outer-space --tutorial\` teaches the first turns. So does the web page, under
"Learn".

To play with two friends, create a game that they can join:

\`\`\`sh
cli-client new it-came-from-outer-space --open 2 -o 'names=["Zorgon","Velari","Krull"]'
\`\`\`

- Read the [Diplomacy](diplomacy.md) page first. The map, phases, options and orders are the same,
  except as described below.
- \`names\` sets the names of the empires. The [rules for names](client-reference.md#names-and-texts)
  apply, and no two names may look the same. Orders use a code of three letters or digits:
  \`Zorgon\` is \`ZOR\`.

## More orders

| order | example | condition |
| --- | --- | --- |
| stay in orbit | \`A ORB H\` | |
| beam down | \`A ORB - Par\` | any land, unless it is another empire's colony |
| beam up | \`A Par - ORB\` | armies only; the spacecraft has room for all armies that beam up |
| colonize | \`A Par COL\`, \`F NTH COL Nwy\` | the unit's province, or a province that it can reach; the unit does not move |
| support a landing | \`A Gas S A ORB - Par\`, \`A Gas S VEL A ORB - Par\` | for another empire's army, with that empire's code |
| retreat to the spacecraft | \`A Par R ORB\` | |
| remove an army in orbit | \`REMOVE A ORB\` | |

- Armies in orbit are interchangeable. Write a line for each army. To order several armies, repeat the line.
- In the terminal, \`=ZOR\` below a province is a colony. In the map image, colonies have a dashed
  border. The list of empires shows the number of armies in orbit.
- [Conditional orders](diplomacy.md#conditional-orders) may name the spacecraft: \`IF A Par DISLODGED:
  ORB\` and \`IF REMOVING: ORB\`. An army is not sent to a spacecraft without room.
- \`take-back\` withdraws all orders of the phase and your \`ready\`.

## What is different

- **Landing**: a landing is a move without an origin. It never fights head-to-head, and it cuts any
  support.
- **Jamming**: an order to beam down on another empire's colony is rejected. Colonies count as they
  were at the start of the turn.
- **Spacecraft**: a spacecraft has room for three armies. Room is counted after the armies that
  leave in the same turn. If there is not enough room, all beam-ups fail.
- **Colonizing** succeeds at the end of the turn if a unit of the empire is in the province, or if
  the province is empty and no other empire tried to enter or colonize it. A colony remains until
  another empire colonizes the province, or its empire is eliminated. It does not decide who owns a
  center.
- **Retreats**: armies retreat to their spacecraft or their empire's colonies. Fleets retreat to the
  sea or their empire's colonies.
- **Builds** need a center that is owned, colonized and empty. Armies in orbit are units too: after
  the first fall an empire can have at most as many units as centers. An empire without centers
  loses its units and is eliminated.
- **The end**: an empire wins with 18 centers after a fall, or as the last one left. If the last
  empires are eliminated together, they share a draw.

## Rulings

\`cli-client rule it-came-from-outer-space R8\` prints a ruling.

- COL is a complete order, so the unit cannot also move (R8). To arrive and colonize in one turn,
  you need two units.
- If more armies beam up than there is room for, all beam-ups fail (R7). If more armies retreat to
  the spacecraft than there is room for, all of them are disbanded (R13).
- If several armies beam down to one province, a support applies to the first of them (R5). A ring of moves through a spacecraft
  succeeds as a whole.
- A jammed order is not an attempt: it does not cut support, bounce a unit or prevent a colony (R3).
  The same is true for an army without a working convoy (R9).
- Civil disorder removes armies in orbit first (R15).
- An empire with centers but without units is not eliminated. If no empire can ever act again, the
  game is a draw (R16).
- A draw after years without change is an option, off by default (R22).

\`games/diplomacy/tests/data/worked.jsonl\` has 49 examples.
`;export{e as default};