var e=`{
  "$schema": "../../../docs/scenario.schema.json",
  "name": "A first colony in Stellar Conquest",
  "description": "Tutorial: \`cli-client play stellar-conquest --tutorial\`.",
  "game": "stellar-conquest",
  "position": {
    "table": {
      "players": 2,
      "turn": 4,
      "order": [
        1,
        2
      ],
      "active": 1,
      "stage": {
        "movement": {}
      },
      "entries": [
        "FF20",
        "A21"
      ],
      "posts": [
        {
          "seat": 2,
          "star": "Procyon"
        }
      ]
    },
    "powers": [
      {
        "ships": [
          {
            "number": 1,
            "kind": "SHIP_KIND_CORVETTE",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 2,
            "kind": "SHIP_KIND_CORVETTE",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 3,
            "kind": "SHIP_KIND_SCOUT",
            "at": "CC19",
            "destination": "Barnard"
          },
          {
            "number": 4,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 5,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 6,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 7,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 8,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 9,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 10,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 11,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 12,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 13,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 14,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 15,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 16,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 17,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 18,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 19,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 20,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 21,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 22,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          },
          {
            "number": 23,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "CC19",
            "destination": "Scorpii"
          }
        ]
      },
      {
        "charts": [
          {
            "star": "Procyon",
            "card": 12
          }
        ],
        "colonies": [
          {
            "planet": {
              "star": "Procyon",
              "number": 1
            },
            "population": 12,
            "control": "CONTROL_FREE",
            "founded": 0
          }
        ],
        "ships": [
          {
            "number": 1,
            "kind": "SHIP_KIND_CORVETTE",
            "at": "Z18",
            "destination": "Scorpii"
          }
        ]
      }
    ],
    "secrets": {
      "cards": [
        {
          "star": "Scorpii",
          "card": 24
        },
        {
          "star": "Barnard",
          "card": 57
        },
        {
          "star": "Procyon",
          "card": 12
        }
      ]
    }
  },
  "dice": [
    4,
    5,
    1
  ],
  "steps": [
    {
      "tell": "You are Power 1. It is turn 4 of 44. Near the lower right corner, at CC19, you have 2 corvettes, a scout and 20 transports with a million people each. Yellow stars are the most likely to have terran planets, where colonies grow fast. A ship moves 2 hexes a turn at first (rule 5.1). Move the corvettes and the transports to the yellow star Scorpii.",
      "seat": 1,
      "order": "move #1-2,4-23 to Scorpii"
    },
    {
      "tell": "Between stars, a ship cannot change its destination (rule 8.1). Ships other than scouts must also stay within 8 hexes of a command post. You have no post on the board yet, so the one beside your entry hex FF20 counts (rule 7.3). Scouts may go anywhere. Send the scout to Barnard.",
      "seat": 1,
      "order": "move #3 to Barnard"
    },
    {
      "tell": "All your ships have moved. End the movement. Your ships then explore the stars that they have reached. A corvette protects the transports. The lone scout must roll a die, and is lost on a 1 (rule 11.2).",
      "seat": 1,
      "order": "end movement",
      "expect": {
        "view": {
          "1": {
            "power": {
              "charts": {
                "$length": 2
              },
              "ships": {
                "$length": 23
              }
            }
          }
        }
      }
    },
    {
      "tell": "The scout survived. You have found a terran planet for 80 million people and a smaller sub-terran one at Scorpii, and a terran planet at Barnard. Select the star on the map to see its planets. Land all 20 transports on planet 1 of Scorpii. Each adds a million people and is used up (rule 16.1).",
      "seat": 1,
      "order": "land #4-23 Scorpii 1"
    },
    {
      "tell": "Your first colony has 20 million people. Set up a command post there, so that warships and transports can go up to 8 hexes farther. It costs nothing (rule 7.2).",
      "seat": 1,
      "order": "post Scorpii"
    },
    {
      "tell": "The transports have landed, and there is nothing to attack. Your turn always has the same steps: move, explore, fight, attack colonies, land (rule 4). End your turn. Then Power 2 moves.",
      "seat": 1,
      "order": "end turn"
    },
    {
      "seat": 2,
      "order": "move #1 to Scorpii"
    },
    {
      "seat": 2,
      "order": "end movement"
    },
    {
      "seat": 2,
      "order": "aim 0>1"
    },
    {
      "tell": "A corvette of Power 2 has come to Scorpii. Ships of two players at one star must fight (rule 12.1). The attacker has chosen a target first. In the line of battle, the enemy is unit 0, and your corvettes are units 1 and 2. Let both fire at unit 0. A corvette hits a corvette on a roll of 1 (rule 12.4).",
      "seat": 1,
      "order": "aim 1>0 2>0",
      "expect": {
        "view": {
          "1": {
            "power": {
              "ships": {
                "$length": 3
              }
            }
          },
          "gm": {
            "powers": [
              {},
              {
                "ships": []
              }
            ]
          }
        }
      }
    },
    {
      "seat": 2,
      "order": "end turn"
    },
    {
      "tell": "You rolled a 1: the enemy corvette is destroyed, and you have lost nothing. After every fourth turn there is a production turn. On a terran planet, the people grow by one in five, so your colony has 24 million people now (rule 17.1). Each million yields one industry point (i.p.). Research first: 3 Hex Speed costs 15 i.p. and makes your ships faster (rule 18).",
      "seat": 1,
      "orders": [
        "produce Scorpii 1: 15 into speed3"
      ]
    },
    {
      "tell": "9 i.p. are left. Warships are needed to escort transports, to guard colonies and to conquer those of others. Add a corvette for 8 i.p. to your sheet.",
      "seat": 1,
      "orders": [
        "produce Scorpii 1: 15 into speed3",
        "produce Scorpii 1: 1 corvettes"
      ]
    },
    {
      "tell": "The last point buys a transport. It takes a million people of the colony on board, who can settle the other planets (rule 17.4). Let 1 million emigrate.",
      "seat": 1,
      "orders": [
        "produce Scorpii 1: 15 into speed3",
        "produce Scorpii 1: 1 corvettes",
        "produce Scorpii 1: emigrate 1+0"
      ]
    },
    {
      "tell": "Points that you do not spend are lost (rule 17.5), but you have spent all 24. Nobody sees your sheet, and you can change it until all players are ready. Mark yours as ready.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "tell": "The new ships are at Scorpii, and you move 3 hexes a turn. At the end of turn 44, each terran planet that you control counts 3 points, and each sub-terran planet 1 point (rule 19.1). The most points win, so settle the other planet of Scorpii next. Move the corvettes to Barnard, where the scout found a terran planet: the new transports can follow them safely.",
      "seat": 1,
      "order": "move #1-2 to Barnard"
    },
    {
      "tell": "To learn more, ask for a rule by its number, such as 13 for attacks on colonies. End the movement to complete the tutorial.",
      "seat": 1,
      "order": "end movement"
    }
  ]
}
`;export{e as default};