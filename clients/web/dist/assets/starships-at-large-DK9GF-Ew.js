var e=`{
  "$schema": "../../../docs/scenario.schema.json",
  "name": "A first turn of Starships at Large",
  "description": "Tutorial: \`cli-client play starships-at-large --tutorial\`.",
  "game": "starships-at-large",
  "position": {
    "hexes": [
      {
        "hex": {
          "q": 1,
          "r": 0
        },
        "marker": "MARKER_FRIENDLY"
      },
      {
        "hex": {
          "q": 0,
          "r": 1
        },
        "marker": "MARKER_EMPTY"
      },
      {
        "hex": {
          "q": 2,
          "r": 0
        },
        "marker": "MARKER_UNFRIENDLY"
      },
      {
        "hex": {
          "q": 0,
          "r": -1
        },
        "marker": "MARKER_ASTEROIDS"
      }
    ],
    "players": [
      {},
      {}
    ]
  },
  "seed": "0707070707070707070707070707070707070707070707070707070707070707",
  "steps": [
    {
      "tell": "You are player A. Your base (■A) and your starship A1 are on Earth, in the middle. Every other hex hides something, which you discover by going there (rule 4). Hexes are written (q,r), as on the map. Move A1 to the hex below and to the right of Earth.",
      "seat": 1,
      "order": "move A1 to (1,0)"
    },
    {
      "tell": "A Friendly planet! The first player to place an ownership marker on it owns it (rule 4.1). Seven live planets win the game, and each planet that you own sponsors a starship.",
      "seat": 1,
      "order": "colonize (1,0)"
    },
    {
      "tell": "The map shows your marker as a star with your letter. The other players cannot see what is under it: a marker can also be a bluff (rule 3.7). There is nothing else to do, so end your turn. Player B is next.",
      "seat": 1,
      "order": "end",
      "expect": {
        "game": {
          "onTurn": 2
        }
      }
    },
    {
      "seat": 2,
      "order": "move B1 to (0,-1)"
    },
    {
      "seat": 2,
      "order": "end"
    },
    {
      "tell": "B moved to the hex above Earth. You cannot see what they found there. It is your turn again, and your planet sponsors a new starship. Build it before you do anything else (rule 3.1).",
      "seat": 1,
      "order": "build 1"
    },
    {
      "tell": "A2 is on Earth. Now move A1 one hex farther.",
      "seat": 1,
      "order": "move A1 to (2,0)"
    },
    {
      "tell": "An Unfriendly planet. Diplomacy succeeds half of the time. Force succeeds more often, but if it fails, you lose the starship (rule 4.2). Try diplomacy.",
      "seat": 1,
      "order": "diplomacy A1",
      "expect": {
        "events": {
          "1": [
            {
              "rule": "4.2"
            }
          ]
        }
      }
    },
    {
      "tell": "Its people join you, so you own two planets. A2 can still move. Explore the other hex below Earth.",
      "seat": 1,
      "order": "move A2 to (0,1)"
    },
    {
      "tell": "The hex is empty, but only you know that. Place a marker anyway: to B, it looks like a colony (rule 3.7).",
      "seat": 1,
      "order": "mark (0,1)"
    },
    {
      "tell": "In a game, \`list\` shows your choices, and you can type the number of a choice instead of an order. \`why 12\` explains event 12, and \`? 4.2\` shows rule 4.2. End your turn.",
      "seat": 1,
      "order": "end",
      "expect": {
        "game": {
          "onTurn": 2
        }
      }
    },
    {
      "tell": "Negotiate during the turns of other players (rule 3.5). You and B are still allies. A pledge is public, and breaking it has a price (rule R13). Pledge not to attack B until round 5. The game continues for at most twelve rounds. And somewhere in the outermost ring, the Death Star sleeps.",
      "seat": 1,
      "order": "pledge no-attack to B until 5"
    },
    {
      "seat": 2,
      "order": "end"
    }
  ]
}`;export{e as default};