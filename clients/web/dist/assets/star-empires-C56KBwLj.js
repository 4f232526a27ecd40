var e=`{
  "$schema": "../../../docs/scenario.schema.json",
  "name": "The first turns of Star Empires",
  "description": "Tutorial: \`cli-client play star-empires --tutorial\`.",
  "game": "star-empires",
  "position": {
    "options": {
      "localFrames": false,
      "portalCollapsePercent": 0
    },
    "galaxy": {
      "empires": [
        {
          "name": "Aquila",
          "code": "AQ",
          "homeworld": "Ahome",
          "lastHomeworld": {
            "oblique": -4,
            "y": 0
          },
          "contacts": [
            2
          ],
          "knownEmpires": [
            2
          ],
          "classes": [
            "battleship",
            "carrier",
            "fighter",
            "gunship",
            "nuke",
            "probe",
            "starbase",
            "station"
          ]
        },
        {
          "name": "Borealis",
          "code": "BO",
          "homeworld": "Bhome",
          "lastHomeworld": {
            "oblique": 6,
            "y": 0
          },
          "contacts": [
            1
          ],
          "knownEmpires": [
            1
          ],
          "classes": [
            "battleship",
            "carrier",
            "fighter",
            "gunship",
            "nuke",
            "probe",
            "starbase",
            "station"
          ]
        }
      ],
      "worlds": [
        {
          "name": "Ahome",
          "at": {
            "oblique": -4,
            "y": 0
          },
          "production": 12,
          "stockpile": 40,
          "owner": 1
        },
        {
          "name": "Bhome",
          "at": {
            "oblique": 6,
            "y": 0
          },
          "production": 12,
          "stockpile": 0,
          "owner": 2
        },
        {
          "name": "Ember",
          "at": {
            "oblique": -2,
            "y": 1
          },
          "production": 6,
          "stockpile": 3
        }
      ],
      "ships": [
        {
          "owner": 1,
          "serial": "AQfffff",
          "name": "Abase",
          "shipClass": "starbase",
          "at": {
            "oblique": -4,
            "y": 0
          }
        },
        {
          "owner": 2,
          "serial": "BOfffff",
          "name": "Bbase",
          "shipClass": "starbase",
          "at": {
            "oblique": 6,
            "y": 0
          }
        }
      ]
    }
  },
  "steps": [
    {
      "tell": "You are Aquila. All empires write their order sheets in secret, and all orders are resolved at once. Your homeworld Ahome has 40 resource units (RU). A probe is cheap and can scan up to three sectors away. Order one with a line that names the world, the number of ships, the class and a name.",
      "seat": 1,
      "orders": [
        "BUILD Ahome 1 probe Pry"
      ]
    },
    {
      "tell": "The line was checked and is now on your sheet. Next, build a gunship: a world belongs to the only empire with an armed ship there.",
      "seat": 1,
      "orders": [
        "BUILD Ahome 1 probe Pry",
        "BUILD Ahome 1 gunship Lion"
      ]
    },
    {
      "tell": "That is enough for a first turn. In a game, \`orders\` shows the sheet, and \`drop 2\` removes line 2. Mark the sheet as ready. The turn runs when all empires are ready.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "tell": "Your ships are built, and your world has produced 12 more RU. Two sectors away is Ember, an unowned world. Send the gunship there. Sectors are written (o,y).",
      "seat": 1,
      "orders": [
        "MOVE Lion TO (-2,1)"
      ]
    },
    {
      "tell": "The probe has better engines. Send it past Ember to see what is out there.",
      "seat": 1,
      "orders": [
        "MOVE Lion TO (-2,1)",
        "MOVE Pry TO (-1,2)"
      ]
    },
    {
      "tell": "You can design your own classes by choosing their guns, damage points, engines, scanners and racks. The cost rises faster than the ratings. \`? DESIGN\` explains the details.",
      "seat": 1,
      "orders": [
        "MOVE Lion TO (-2,1)",
        "MOVE Pry TO (-1,2)",
        "DESIGN Ahome frigate gunship 12 8 3 1 0"
      ]
    },
    {
      "tell": "You are done for this turn.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "ready": true
    },
    {
      "tell": "Ember is yours and produces 6 RU a turn. A world can spend only the RU that it has. POOL sends the RU of all your worlds to one of them.",
      "seat": 1,
      "orders": [
        "POOL Ember"
      ]
    },
    {
      "tell": "Building comes before pooling, so Ahome can still build the first ship of your new class.",
      "seat": 1,
      "orders": [
        "POOL Ember",
        "BUILD Ahome 1 frigate Fox"
      ]
    },
    {
      "tell": "You are done. To win, own half of the galaxy's production, alone or with allies. \`? 6\` lists the phases of a turn. Each turn's report shows what your ships saw.",
      "seat": 1,
      "ready": true
    },
    {
      "seat": 2,
      "ready": true
    }
  ]
}`;export{e as default};