var e=`# Starships at Large

One to six players explore the 36 hexes around Earth, own planets, and build the starships that
their planets sponsor.

\`\`\`sh
cli-client play starships-at-large --opponents 3                # against automated players
cli-client new starships-at-large --open 3 --deadline 24h       # for friends to join
\`\`\`

\`./play starships-at-large\` starts an engine and a game against automated players. With \`--tutorial\`
it teaches the game step by step.

All players start as allies on Earth, each with one base and one starship. Seven live planets win
the game:

- If the Alliance owns them, its two best-placed members win.
- If you have left Earth and own them yourself, you alone win, with twice the credit.
- If you and a partner are both Independent and own them, you both win.

The Death Star is hidden in the outermost ring. It shoots first. Once awake, it covers the board
with Death Zones. While it is awake, no player can win. In a game for one player, you have two bases
and twelve rounds.

## The map

A hex is written \`(q,r)\`. Earth is \`(0,0)\`, and every hex is at most three steps from it. The six
neighbors of \`(q,r)\`:

              (q,r-1)   (q+1,r-1)
        (q-1,r)    (q,r)    (q+1,r)
              (q-1,r+1) (q,r+1)

- Seats have the letters A to F. \`A1\` is the first starship of seat A. The Death Star has the last
  seat, which is always automated.
- You see every piece, ownership marker, Disrupted counter and zone.
- You see the contents of a face-down hex as they were when you were last there.
- An ownership marker is a colony or a bluff. Other players cannot see which.

## Orders

Write one order per line. Keywords may be in any case, and \`#\` starts a comment. Each order resolves
immediately and is final.

| order | what it does | rule |
| --- | --- | --- |
| \`build 2\`, \`build 1 on base 2\` | builds starships, as the first action of your turn | 3.1, R23 |
| \`move A1 to (2,-1)\` | moves a starship one hex | 4 |
| \`warp A1 via (1,0) to (2,0)\` | moves a starship two hexes. On a roll of 1 to 3 it is Disrupted. Asteroids or a zone in either hex destroy it | 4, R4 |
| \`base to (1,0)\`, \`base via (1,0) to (2,0)\` | moves your base. Leaving Earth makes you Independent | 4.4 |
| \`settle\` | settles your base in its hex | 4.4 |
| \`mark (1,0)\` or \`colonize (1,0)\` | places your ownership marker. It colonizes an open planet; elsewhere it is a bluff | 3.7, 4.1 |
| \`take up (1,0)\` | removes a marker that is a bluff | 3.7 |
| \`face up (1,0)\` | turns a hex marker face up for everyone, if you have seen it | 3.2 |
| \`diplomacy A1\`, \`force A1\`, \`force base\` | tries to take an Unfriendly or foreign planet: a 50% chance by diplomacy, or 75% by force. If force fails, the attacker is destroyed | 4.2 |
| \`attack A1 B2\`, \`attack A1 base of B\`, \`attack A1 death star\` | attacks a piece in the same hex | 6 |
| \`again\`, \`withdraw\` | continues or leaves a battle after a round without a loss | 6, R9 |
| \`fire\`, \`hold fire\` | fires back at the Death Star after it has missed you, or does not | 8 |
| \`give (1,0) to C\` | gives a planet away | 9, R43 |
| \`sacrifice A3\` | removes a starship above your sponsor limit, when asked | 5 |
| \`end\` | ends your turn | 3.3 |

During other players' turns:

| order | what it does | rule |
| --- | --- | --- |
| \`exile B\`, \`unexile B\` | casts or withdraws your vote to exile a member | R36 |
| \`offer peace B\`, \`accept peace B\`, \`retract peace B\` | makes, accepts or withdraws an offer to end a war | R7 |
| \`offer partnership B\`, \`accept partnership B\`, \`end partnership\` | offers, accepts or ends a partnership: two Independents win together | R41 |
| \`pledge no-attack to B until 9\` | promises not to attack B | R13 |
| \`pledge planet (1,0) to B until 9\` | promises to give B that planet | R13 |
| \`pledge keep-out (1,0) to B until 9\` | promises to keep starships out of a hex | R13 |
| \`pledge no-exile to B until 9\` | promises not to vote for the exile of B, and withdraws your present vote | R13 |
| \`choose B2\`, \`choose (1,0)\` | chooses a starship or planet as the penalty for a broken promise, when asked | R13 |

The orders of the Death Star are \`zone (2,-1)\`, \`grow (2,-1) to (1,-1)\` and \`stop\`.

## What is easily missed

- Rolls use six-sided dice: 1 to 3 succeed. Force rolls two dice and needs one success.
- A piece can move once and try to take a planet once per turn. After a piece withdraws, it can do
  nothing more in that turn.
- A Disrupted starship cannot move, fight or use force until the end of its owner's next turn. It
  may colonize and use diplomacy.
- At war you must stop and fight every enemy in a hex that you enter. A base on a planet does not
  stop pieces.
- Members never attack members. They attack outsiders only when provoked or from round 7 on. The
  first unprovoked attack renames the Alliance to Aggressor Axis, without other effects.
- From round 5 on, a member with two votes against them is exiled on their turn. From their next
  turn on they must move their base off Earth if they know a planet that it can reach in time.
- A base that moves is *out* until it settles. It may be out at the end of two of your turns in a
  row. At the end of the third it is lost. Without a base you are eliminated.
- You cannot negotiate in your own turn. Messages to you arrive when the turn ends. Offers and
  pledges to you are valid immediately.
- A starship at normal speed destroys the zone that it enters. Zones cut off from the Death Star do
  not grow.

## Warnings

Before an action, the game warns about risks and omissions that you can see on the board.

| warning | when | rule |
| --- | --- | --- |
| \`warp-into-wreck\` | a starship warps through or into known Asteroids or a Death Zone | 4 |
| \`meets-death-star\` | a piece moves to the known hex of the Death Star | 8 |
| \`into-asteroids\` | a starship enters known Asteroids | R6 |
| \`arrivals-unused\` | the action ends Arrivals, and you could still build | 3.1 |
| \`base-out-too-long\` | you end the turn with a base that is out for the third time | 4.4 |
| \`too-many-starships\` | you end the turn with more starships than sponsors | 5 |
| \`planets-uncolonized\` | you end the turn with open planets under your pieces | 4.1 |
| \`planets-untried\` | you end the turn with a piece at a planet that it has not tried to take | 4.2 |
| \`starships-unmoved\` | you end the turn with starships that could still move | 3.4 |

## Missed deadlines

If you miss a deadline:

- Your turn ends, and nothing is built. The base of an Exile first makes its required move.
- A battle is broken off.
- Starships above the limit are lost, highest serial first.
- You fire at the Death Star.
- The Death Star grows wherever it can, nearest to Earth first.

The clock of a turn stops only while another player must decide. Your own battles do not stop it:
your decisions in a battle are due at the end of the turn. \`show\` lists the seats that the game
waits for, and the live planets of each side, as far as you can see them.

## Rulings

\`? R13\` (or \`cli-client rule starships-at-large R13\`) prints a rule. The numbers are 1 to 12 with
subsections, R1 to R43 and R51 to R53. The program decides a few more cases:

- You must attack the next piece in the order of defense. If you attack another piece, the error
  names the piece that is next. A base that is out defends after the undisrupted starships and
  before the Disrupted ones.
- If a starship is Disrupted after the Death Star's first shot, it cannot fight on and withdraws.
- An Exile cannot attack, but fights the enemies that it meets, because such a battle is not an attack.
- Growth is decided source by source. The Death Star may try to grow into a hex with a hidden marker
  and only a Disrupted starship. If there is no planet, the order fails without a roll and without
  cost, and the decision stays open (R51). The default growth never fails in this way.
- The first two zones enter two different hexes, even if the first zone is destroyed immediately
  (R52).
- If a third player takes a promised planet as the penalty for another broken promise, the promise
  is void (R53).
- If Earth cannot be destroyed (an option), no zone enters its hex.
- If only one starship or one planet can be chosen for a broken promise, the game chooses it.
- An offer is valid until it is accepted or retracted. A new attack cancels offers of peace between
  the two players.
- A starship transferred for a broken promise stays Disrupted until the end of its new owner's next
  turn.

## After the game

The result lists the live and dead planets of every player and side. Every marker is turned face up,
and the hidden rolls are published (R25): who entered Asteroids, what the Death Star shot at before it woke, and who tried to take which planet. The map lists the rolls below the players.

## Positions

A sandbox game can start from any position, written as JSON. Omitted hexes are empty space, face
down. Omitted players have their starting pieces. By default, it is round 1 and the first seat's
turn. This example has two players, the first with a starship beside an Unfriendly planet:

    {"players": [{"starships": [{"at": {"q": 1}}]}, {}],
     "hexes": [{"hex": {"q": 2}, "marker": "MARKER_UNFRIENDLY"}]}

A view has the same form, without what its viewer cannot see.
`;export{e as default};