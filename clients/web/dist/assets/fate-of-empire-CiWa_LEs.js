var e=`{
  "$schema": "../../../docs/scenario.schema.json",
  "name": "The first turns of The Fate of Empire",
  "description": "Tutorial: \`cli-client play fate-of-empire --tutorial\`.",
  "game": "fate-of-empire",
  "position": {
    "table": {
      "options": {
        "variant": "VARIANT_FATE_OF_EMPIRE"
      },
      "players": 1,
      "turn": 0,
      "order": [
        1
      ],
      "active": 1,
      "stage": {
        "setup": {}
      },
      "entries": [
        "FF20"
      ]
    },
    "powers": [
      {},
      {},
      {}
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
        12,
        13,
        14,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
        22,
        23,
        39,
        24,
        25,
        26,
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
        40,
        41,
        42,
        43,
        44,
        45,
        46,
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
        76,
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
        77,
        78
      ],
      "cards": []
    }
  },
  "dice": [
    1,
    2,
    1,
    2,
    1,
    3,
    2,
    3,
    1,
    1,
    2
  ],
  "steps": [
    {
      "tell": "You are the Empire's Captain-General. Your expedition has 44 turns to settle stars, to destroy pirates and to win independent worlds for the Empire. Choose your commission: 15 ship points, where a corvette costs 1 and a scout a half, and two technologies (rule fate-2). Take 10 corvettes, 10 scouts, faster ships and Industrial Technology.",
      "seat": 1,
      "order": "commission 10 corvettes; 10 scouts; speed3; industry"
    },
    {
      "tell": "You can change the commission until you are ready. Mark it as ready.",
      "seat": 1,
      "ready": true
    },
    {
      "tell": "Scouts are ships 1 to 10, the 30 transports are 11 to 40, and corvettes are 41 to 50. All ships enter at FF20 in the lower right corner, and move 3 hexes a turn. Yellow stars have the best planets. Send all transports to Scorpii, with three corvettes as escort.",
      "seat": 1,
      "order": "move #11-43 to Scorpii"
    },
    {
      "tell": "The other ships go to Barnard. A warship protects the scouts from the risk of exploration (rule 11.2).",
      "seat": 1,
      "order": "move #1-10,44-50 to Barnard"
    },
    {
      "tell": "Ships between stars keep their destination (rule 8.1). The command post beside your entry hex counts for the whole game, so corvettes and transports can go up to 7 hexes away from FF20 (rule fate-2.5). End the movement.",
      "seat": 1,
      "order": "end movement"
    },
    {
      "tell": "No ship has reached a star, so there is nothing to explore. End your turn.",
      "seat": 1,
      "order": "end turn"
    },
    {
      "tell": "From turn 2 on, each turn starts with an event: help from the Empire, a demand for ships, war, peace, or Swarms that attack a star (rule fate-4). This time, nothing happens. Move the transports and their escort on to Scorpii.",
      "seat": 1,
      "order": "move #11-43 to Scorpii"
    },
    {
      "tell": "Move the others on to Barnard.",
      "seat": 1,
      "order": "move #1-10,44-50 to Barnard"
    },
    {
      "tell": "End the movement. At a new star, two dice for each planet show whether there are people or pirates (rule fate-6.2).",
      "seat": 1,
      "order": "end movement"
    },
    {
      "tell": "Barnard has no planets. At Scorpii, planet 1 is an independent world with 10 million people, and planet 2 is empty. But three pirate scouts are there, and you must fight pirates wherever you meet them (rule fate-7.1). A corvette hits a scout on a roll of 1 to 4. Fire at a different scout with each corvette.",
      "seat": 1,
      "order": "aim 30>33 31>34 32>35"
    },
    {
      "tell": "All three are destroyed. Each counts 1 victory point (rule fate-7.8). The independent world has no bases, so it falls to any warship as soon as you attack it (rule fate-8.2).",
      "seat": 1,
      "order": "attack Scorpii 1"
    },
    {
      "tell": "A conquered world scores nothing until you land a garrison. A world with less than 25 million people needs at least a fifth of them, in one order (rule fate-8.5). Land two transports.",
      "seat": 1,
      "order": "land #11-12 Scorpii 1"
    },
    {
      "tell": "The world is a dominion: it produces for you and needs no guard. Planet 2 is a terran planet for 60 million people. Land the other transports there: your own colony grows by one in five every production turn (rule 17.1).",
      "seat": 1,
      "order": "land #13-40 Scorpii 2"
    },
    {
      "tell": "Set up a command post at your colony, so that you can go farther (rule 7.2).",
      "seat": 1,
      "order": "post Scorpii"
    },
    {
      "tell": "Production follows turns 4, 8, 12 and so on. Build factories and transports first. Points count for pirates, colonies, dominions and whole sectors, less the ships that you lose (rule fate-11). 100 points are a marginal victory, 300 a decisive one. End your turn to complete the tutorial.",
      "seat": 1,
      "order": "end turn"
    }
  ]
}
`;export{e as default};