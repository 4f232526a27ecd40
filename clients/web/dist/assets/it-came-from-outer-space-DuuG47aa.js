var e=`{
  "$schema": "../../../docs/scenario.schema.json",
  "name": "The landing of ...It Came From Outer Space!",
  "description": "Tutorial: \`cli-client play it-came-from-outer-space --tutorial\`.",
  "game": "it-came-from-outer-space",
  "options": {
    "names": [
      "Zorgon",
      "Velari"
    ]
  },
  "players": 2,
  "steps": [
    {
      "tell": "You are Zorgon. It is spring 1901, and Europe is empty. Your spacecraft and the one of the Velari are in orbit, with three armies each. All orders are secret and are resolved at once. The first empire with 18 supply centers wins. Beam an army down to Paris, a supply center (rule 2).",
      "seat": 1,
      "order": "A ORB - Par"
    },
    {
      "tell": "Armies in orbit are alike, and each order sends one of them down to any land that is not a colony of another empire. Send the second one to Burgundy, in the middle between four centers.",
      "seat": 1,
      "order": "A ORB - Bur"
    },
    {
      "tell": "Send the third one to Kiel. A landing fails if two armies of equal strength come to one province, so choose places that the others do not want too (rule D4).",
      "seat": 1,
      "order": "A ORB - Kie"
    },
    {
      "tell": "All your armies have orders. Mark them as ready. The phase closes when all empires are ready.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "orders": [
        "A ORB - Mun",
        "A ORB - Vie",
        "A ORB - Bud"
      ]
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "tell": "All armies have landed. The Velari hold Munich, Vienna and Budapest. Now it is fall. After the fall turn, an empire owns the centers that its units occupy, and needs a center for each unit. Let the army in Paris found a colony: other empires cannot beam down there (rules 3 and 4).",
      "seat": 1,
      "order": "A Par COL"
    },
    {
      "tell": "The army in Burgundy is not at a center. Attack Munich. One army against one is a standoff, and both stay (rule D4).",
      "seat": 1,
      "order": "A Bur - Mun"
    },
    {
      "tell": "So support the attack. The army in Kiel could move to Munich itself, so it can support another army there (rule D3.4). Two against one dislodge the defender.",
      "seat": 1,
      "order": "A Kie S A Bur - Mun"
    },
    {
      "tell": "Mark your orders as ready.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "orders": [
        "A Mun H",
        "A Vie COL",
        "A Bud H"
      ]
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "seat": 2,
      "order": "A Mun R ORB"
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "tell": "You took Munich, and its army had to retreat to its spacecraft (rule 5). You own three centers for your three armies. The Velari own two and lost an army. In winter, you can build one unit for each center above the number of your units, in colonies that are centers and are empty (rule 6). Paris stays your colony without an army. Beam its army up, to land elsewhere in the fall (rule 2).",
      "seat": 1,
      "order": "A Par - ORB"
    },
    {
      "tell": "Found a colony at Kiel. A unit can also colonize a neighboring province, if nobody else enters it, but it cannot move in the same turn (rule R8).",
      "seat": 1,
      "order": "A Kie COL"
    },
    {
      "tell": "Colonize Munich too. Then the Velari cannot come back from orbit.",
      "seat": 1,
      "order": "A Mun COL"
    },
    {
      "tell": "Mark your orders as ready to complete the tutorial. After that, Velari armies can reach you only by land. Talk helps as much as armies: agree with one empire against another.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "ready": true
    }
  ]
}
`;export{e as default};