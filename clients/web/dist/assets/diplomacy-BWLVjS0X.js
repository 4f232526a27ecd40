var e=`{
  "$schema": "../../../docs/scenario.schema.json",
  "name": "The first year of Diplomacy",
  "description": "Tutorial: \`cli-client play diplomacy --tutorial\`.",
  "game": "diplomacy",
  "players": 7,
  "steps": [
    {
      "tell": "You are Austria in spring 1901. There are no dice: support decides every conflict. All powers write their orders in secret, and all orders are resolved at once. You own three supply centers: Budapest, Trieste and Vienna. To win, you need 18 of the 34. Serbia, a neutral center, borders Budapest. Send the army there.",
      "seat": 1,
      "order": "A Bud - Ser"
    },
    {
      "tell": "Greece is another neutral center. Fleets can move along coasts: go from Trieste to Albania in spring, and on to Greece in the fall.",
      "seat": 1,
      "order": "F Tri - Alb"
    },
    {
      "tell": "Italy could now take Trieste, so ask them not to. Negotiation is half of this game. \`say @5\` sends a message to seat 5 only.",
      "seat": 1,
      "say": {
        "to": [
          5
        ],
        "text": "Tyrolia stays empty, and Trieste is mine?"
      }
    },
    {
      "seat": 5,
      "order": "A Ven - Apu"
    },
    {
      "tell": "The army in Vienna can stay, or replace the army that leaves Budapest. Move it to Budapest.",
      "seat": 1,
      "order": "A Vie - Bud"
    },
    {
      "tell": "Every unit has an order. \`map\` draws your orders, and \`CLEAR\` takes them all back. Mark them as ready.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "seat": 3,
      "ready": true
    },
    {
      "seat": 4,
      "ready": true
    },
    {
      "seat": 5,
      "ready": true
    },
    {
      "seat": 6,
      "ready": true
    },
    {
      "seat": 7,
      "ready": true
    },
    {
      "tell": "All your moves succeeded, and Italy stayed out of Trieste. After the fall turn, each power owns the centers that its units occupy. Move on to Greece.",
      "seat": 1,
      "order": "F Alb - Gre"
    },
    {
      "tell": "If another power also moves to Greece, both units bounce, unless one has more support. Your army in Serbia can support the fleet (rule D3.4).",
      "seat": 1,
      "order": "A Ser S F Alb - Gre"
    },
    {
      "tell": "\`map\` shows both orders. A unit without an order holds, so you are done.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "seat": 3,
      "ready": true
    },
    {
      "seat": 4,
      "ready": true
    },
    {
      "seat": 5,
      "ready": true
    },
    {
      "seat": 6,
      "ready": true
    },
    {
      "seat": 7,
      "ready": true
    },
    {
      "tell": "You own five centers but have only three units, so you can build two more in empty home centers. Vienna is empty.",
      "seat": 1,
      "order": "BUILD A Vie"
    },
    {
      "tell": "You could also build a fleet in Trieste, but you do not have to. Mark your orders as ready, and 1902 begins.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "seat": 3,
      "ready": true
    },
    {
      "seat": 4,
      "ready": true
    },
    {
      "seat": 5,
      "ready": true
    },
    {
      "seat": 6,
      "ready": true
    },
    {
      "seat": 7,
      "ready": true
    }
  ]
}`;export{e as default};