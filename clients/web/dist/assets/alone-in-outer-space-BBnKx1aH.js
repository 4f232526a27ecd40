var e=`{
  "$schema": "../../../docs/scenario.schema.json",
  "name": "A clash in Alone in Outer Space",
  "description": "Tutorial: \`cli-client play alone-in-outer-space --tutorial\`.",
  "game": "alone-in-outer-space",
  "position": {
    "table": {
      "options": {
        "variant": "VARIANT_ALONE_IN_OUTER_SPACE"
      },
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
      "politics": {
        "claims": [
          {
            "star": "Scorpii",
            "seat": 1
          },
          {
            "star": "Aurigae",
            "seat": 1
          },
          {
            "star": "Lupi",
            "seat": 2
          }
        ],
        "incidents": [
          {
            "pair": [
              1,
              2
            ]
          }
        ]
      },
      "posts": [
        {
          "seat": 1,
          "star": "Scorpii"
        },
        {
          "seat": 1,
          "star": "Aurigae"
        },
        {
          "seat": 2,
          "star": "Lupi"
        }
      ]
    },
    "powers": [
      {
        "charts": [
          {
            "star": "Scorpii",
            "card": 25
          },
          {
            "star": "Aurigae",
            "card": 26
          }
        ],
        "research": {
          "owned": [
            "TECHNOLOGY_SPEED_3"
          ],
          "payments": [
            {
              "technology": "TECHNOLOGY_INDUSTRIAL_TECHNOLOGY",
              "points": 10
            }
          ]
        },
        "colonies": [
          {
            "planet": {
              "star": "Scorpii",
              "number": 1
            },
            "population": 20,
            "control": "CONTROL_FREE",
            "founded": 0
          },
          {
            "planet": {
              "star": "Aurigae",
              "number": 1
            },
            "population": 5,
            "control": "CONTROL_FREE",
            "founded": 1
          }
        ],
        "ships": [
          {
            "number": 1,
            "kind": "SHIP_KIND_CORVETTE",
            "at": "T16"
          },
          {
            "number": 2,
            "kind": "SHIP_KIND_CORVETTE",
            "at": "T16"
          },
          {
            "number": 3,
            "kind": "SHIP_KIND_SCOUT",
            "at": "X18",
            "destination": "Procyon"
          },
          {
            "number": 4,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          },
          {
            "number": 5,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          },
          {
            "number": 6,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          },
          {
            "number": 7,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          },
          {
            "number": 8,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          },
          {
            "number": 9,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          },
          {
            "number": 10,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          },
          {
            "number": 11,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          },
          {
            "number": 12,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          },
          {
            "number": 13,
            "kind": "SHIP_KIND_COLONY_TRANSPORT",
            "at": "V17",
            "destination": "Aurigae"
          }
        ]
      },
      {
        "charts": [
          {
            "star": "Lupi",
            "card": 46
          }
        ],
        "research": {
          "owned": [
            "TECHNOLOGY_SPEED_3"
          ]
        },
        "standingOrders": {
          "fire": "FIRE_POLICY_HOLD"
        },
        "colonies": [
          {
            "planet": {
              "star": "Lupi",
              "number": 1
            },
            "population": 12,
            "bases": {
              "missileBases": 1
            },
            "control": "CONTROL_FREE",
            "founded": 0
          }
        ],
        "ships": [
          {
            "number": 1,
            "kind": "SHIP_KIND_CORVETTE",
            "at": "R14"
          }
        ]
      }
    ],
    "secrets": {
      "decks": [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        15,
        12,
        13,
        14,
        16,
        17,
        18,
        19,
        20,
        21,
        22,
        23,
        24,
        27,
        28,
        29,
        30,
        31,
        32,
        33,
        34,
        35,
        36,
        37,
        38,
        39,
        40,
        41,
        42,
        43,
        44,
        45,
        47,
        48,
        49,
        50,
        51,
        52,
        53,
        54,
        55,
        56,
        57,
        58,
        59,
        60,
        61,
        62,
        63,
        64,
        65,
        66,
        67,
        68,
        69,
        70,
        71,
        72,
        73,
        74,
        75,
        76,
        77,
        78
      ],
      "cards": [
        {
          "star": "Scorpii",
          "card": 25
        },
        {
          "star": "Aurigae",
          "card": 26
        },
        {
          "star": "Lupi",
          "card": 46
        }
      ]
    }
  },
  "dice": [
    4,
    1,
    1,
    2,
    3,
    4,
    2,
    3
  ],
  "steps": [
    {
      "tell": "You are Power 1. Stars belong to the power that explores them first: you claim Scorpii and Aurigae, and Power 2 claims Lupi. Only you can settle the planets of your stars (rule space-2). Ten transports are on their way to Aurigae, where two of your corvettes are. Policy chose their destination (rule space-7.2). Move them there.",
      "seat": 1,
      "order": "move #4-13 to Aurigae"
    },
    {
      "tell": "Nobody has explored Procyon yet. As long as there are unclaimed stars, send scouts far out: each star that you explore first is yours. A lone scout is lost on a roll of 1 (rule 11.2).",
      "seat": 1,
      "order": "move #3 to Procyon"
    },
    {
      "tell": "Dice decide who is at war, and you cannot change that (rule space-8). You and Power 2 have a clash. That is less than a war: once a turn, each side may raid a star of the other with up to five ships (rule space-9.1). Raid Lupi with both corvettes, for two rounds.",
      "seat": 1,
      "order": "raid Lupi 2 #1-2"
    },
    {
      "tell": "The raid is part of the movement. End the movement. Then your scout explores, and your corvettes fight.",
      "seat": 1,
      "order": "end movement"
    },
    {
      "tell": "You have explored Procyon, and it is yours. At Lupi, the raiders fight the ships first. In the line of battle, your corvettes are units 0 and 1, and the corvette of Power 2 is unit 2. Fire at it. A corvette hits a corvette on a roll of 1 (rule 12.4).",
      "seat": 1,
      "order": "aim 0>2 1>2"
    },
    {
      "tell": "The corvette is destroyed. Without ships to fight, the second round is against the missile base of the colony, unit 3 of the line. A raid destroys ships and bases, but conquers nothing.",
      "seat": 1,
      "order": "aim 0>3 1>3"
    },
    {
      "tell": "The base is destroyed. The raid, the ship and the base have raised the tension to 3. If the tension is high when the next production turn begins, the clash becomes a war (rule space-9.1). Raiders cannot stay. Place them at S15, on their way back to Aurigae.",
      "seat": 1,
      "order": "place S15 to Aurigae"
    },
    {
      "tell": "End your turn. The transports land automatically at the end of the turn, on the best planet of the star (rule space-7.2).",
      "seat": 1,
      "order": "end turn"
    },
    {
      "seat": 2,
      "order": "end movement"
    },
    {
      "seat": 2,
      "order": "end turn"
    },
    {
      "tell": "Dice ended the clash, because their total was above the tension. Now it is a production turn. A die decides the priority of your colonies: research comes first, then weapons, then factories (rule space-6.2). The priority gets half of the industry points (i.p.), or more if you choose. Spend 20 i.p. of Scorpii on research.",
      "seat": 1,
      "orders": [
        "decree Scorpii 1: spend 20"
      ]
    },
    {
      "tell": "Colonies without a line do what is decreed and no more. The game computes the emigrants (rule space-6.1). Mark your sheet as ready.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "order": "decree"
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "tell": "Your research is done, and scouts were built. Bring the corvettes home to Aurigae, where they defend your border with Power 2 (rule space-3).",
      "seat": 1,
      "order": "move #1-2 to Aurigae"
    },
    {
      "tell": "When all 54 stars are claimed, wars become likely, and the dice get worse with every stage (rule space-5). A power at war without free people is eliminated. After turn 44, each terran planet counts 3 points and each sub-terran planet 1 point, and the most points win (rule space-12). End the movement to complete the tutorial.",
      "seat": 1,
      "order": "end movement"
    }
  ]
}
`;export{e as default};