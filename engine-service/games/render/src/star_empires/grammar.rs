//! Help on how orders are written: the grammar, and examples for each order.

/// How one order is written.
struct Entry {
    word: &'static str,
    section: &'static str,
    grammar: &'static str,
    what: &'static str,
    examples: &'static [&'static str],
}

/// The words that begin an order line.
pub(super) fn keywords() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.word)
}

/// All orders in short.
pub(super) const NOTATION: &str =
    "  One order a line; all lines together are your sheet for the turn. `? MOVE` tells more of one order.
  UNLOAD Hawk1 Hawk2                      LOAD Hawk1 nuke3 ONTO Mule
  DESTRUCT (2,-1) EXCEPT Mule             FIRE asc Lion nuke3 AT KRATOS
  TRANSMIT Charon TO KRATOS               MOVE @Ember EXCEPT Lion TO (3,1)
  TRAVERSE Dove THROUGH Charon Styx       DESIGN Alpha frigate gunship 20 15 4 2 0
  GIVE frigate TO KRATOS                  BUILD Alpha 3 frigate fox*
  REPAIR Lion MAX Alpha Beta              TOGGLE public @probe
  CONCEAL ALL FROM KRATOS                 IDENTIFY Lion @probe TO KRATOS
  POOL Alpha EXCEPT Beta                  TRANSFER Alpha 6 Gamma KRATOS
  DENY ALL TO KRATOS                      AUTHORIZE CLASS probe TO KRATOS
  STRICT in a line of its own: nothing is stored if any line is rejected";

/// Help on one order, or on a word of the grammar; none if there is no such word.
pub(super) fn help(word: &str) -> Option<String> {
    let word = word.trim().to_uppercase();
    if word == "SHIPS" || word == "SELECTION" {
        return Some(SELECTION.into());
    }
    let entry = ENTRIES.iter().find(|entry| entry.word == word)?;
    let examples: Vec<String> =
        entry.examples.iter().map(|example| format!("  {example}")).collect();
    let ships =
        if entry.grammar.contains("SHIPS") { "\n`? SHIPS` tells how ships are named." } else { "" };
    Some(format!(
        "{}  (rule {})\n{}\n\nFor example\n{}{ships}",
        entry.grammar,
        entry.section,
        entry.what,
        examples.join("\n")
    ))
}

const SELECTION: &str = "SHIPS are named in one of three ways:
  Lion KR0a1b2          by name or serial number, as many as you like
  (2,-1) EXCEPT Mule    all your loose ships in that sector when the order runs, but for some
  @Ember EXCEPT Mule    the same, where this world, portal or storm is on your map";

const ENTRIES: [Entry; 18] = [
    Entry {
        word: "UNLOAD",
        section: "6.2.1",
        grammar: "UNLOAD ship...",
        what: "Takes ships off their carriers. Missiles that are ordered to fire are unloaded by \
            themselves.",
        examples: &["UNLOAD Hawk1 Hawk2"],
    },
    Entry {
        word: "LOAD",
        section: "6.2.2",
        grammar: "LOAD ship... ONTO carrier",
        what: "Loads ships, one after the other while there are free racks. All must be in one \
            sector.",
        examples: &["LOAD Hawk1 nuke3 ONTO Mule"],
    },
    Entry {
        word: "DESTRUCT",
        section: "6.3.1",
        grammar: "DESTRUCT SHIPS",
        what: "Blows your ships up with their cargo. Whatever else is loose in the sector takes \
            damage.",
        examples: &["DESTRUCT Lion", "DESTRUCT (2,-1) EXCEPT Mule"],
    },
    Entry {
        word: "FIRE",
        section: "6.3.2",
        grammar: "FIRE [ASC | DESC] SHIPS AT empire...",
        what: "Fires at all ships of these empires in the sector, the largest first; with ASC the \
            smallest first. \
               Missiles fire only if you name them.",
        examples: &["FIRE @Ember AT KRATOS", "FIRE asc Lion nuke3 AT KRATOS GU"],
    },
    Entry {
        word: "TRANSMIT",
        section: "6.4.1",
        grammar: "TRANSMIT portal... TO empire...",
        what: "Gives navigation data to contacts, who can use it at once.",
        examples: &["TRANSMIT Charon TO KRATOS"],
    },
    Entry {
        word: "MOVE",
        section: "6.4.2",
        grammar: "MOVE SHIPS TO (sector | name)",
        what: "Moves ships with their cargo as far as their engines reach. Who fired stays. \
            Whoever cannot go drops out; \
               the others go.",
        examples: &[
            "MOVE Lion Mule TO (3,1)",
            "MOVE @Ember EXCEPT Lion TO Oasis",
            "MOVE (0,0) TO (0,1)",
        ],
    },
    Entry {
        word: "TRAVERSE",
        section: "6.4.3",
        grammar: "TRAVERSE SHIPS THROUGH portal [exit]",
        what: "Goes through a portal, after all moves. With navigation data for both ends you may \
            name the exit; else \
               chance chooses, one exit for all ships of the order.",
        examples: &["TRAVERSE Dove THROUGH Charon", "TRAVERSE @Charon THROUGH Charon Styx"],
    },
    Entry {
        word: "DESIGN",
        section: "6.5.2",
        grammar: "DESIGN world class hull guns dp engines scan racks\nDESIGN world class missile \
            guns tonnage",
        what: "Makes a class; the world pays half its cost, and nothing for a missile. Hulls: \
            capital_ship, gunship, \
               orbital, transport, scout, wing, missile. You can build it this turn.",
        examples: &["DESIGN Alpha frigate gunship 20 15 4 2 0", "DESIGN Alpha dart missile 20 3"],
    },
    Entry {
        word: "GIVE",
        section: "6.5.3",
        grammar: "GIVE class... TO empire...",
        what: "Gives designs to contacts, who can build them this turn.",
        examples: &["GIVE frigate probe TO KRATOS"],
    },
    Entry {
        word: "BUILD",
        section: "6.6.1",
        grammar: "BUILD world (number | MAX) class [name... | base*]",
        what: "Builds ships from the RU at a world before this turn's production. A base with a \
            star numbers them: fox1, \
               fox2. Ships get names only now.",
        examples: &[
            "BUILD Alpha 1 battleship Lion",
            "BUILD Alpha 3 frigate fox*",
            "BUILD Alpha MAX nuke",
        ],
    },
    Entry {
        word: "REPAIR",
        section: "6.6.2",
        grammar: "REPAIR ship (dp | MAX) world...",
        what: "Repairs a ship wherever it is; the worlds pay in this order.",
        examples: &["REPAIR Lion 12 Alpha Beta", "REPAIR Lion MAX Alpha"],
    },
    Entry {
        word: "TOGGLE",
        section: "6.6.3",
        grammar: "TOGGLE (PUBLIC | PRIVATE) (ALL | ship... @class...)",
        what: "Sets transponders: a public ship is told by name to whoever has it on a scan.",
        examples: &["TOGGLE public @probe", "TOGGLE private Lion"],
    },
    Entry {
        word: "CONCEAL",
        section: "6.6.4",
        grammar: "CONCEAL (ALL | ship... @class...) FROM empire...",
        what: "Keeps private ships out of what you let these empires see, and unidentified on \
            their scans. You need not be in \
               contact with them.",
        examples: &["CONCEAL ALL FROM KRATOS"],
    },
    Entry {
        word: "IDENTIFY",
        section: "6.6.5",
        grammar: "IDENTIFY (ALL | ship... @class...) TO empire...",
        what: "Identifies private ships to these empires' scans; to all others they stay hidden.",
        examples: &["IDENTIFY Lion @probe TO KRATOS"],
    },
    Entry {
        word: "POOL",
        section: "6.7.2",
        grammar: "POOL world [EXCEPT world...]",
        what: "Brings the RU of all your worlds that are not blockaded to one of them.",
        examples: &["POOL Alpha", "POOL Alpha EXCEPT Beta"],
    },
    Entry {
        word: "TRANSFER",
        section: "6.7.3",
        grammar: "TRANSFER world (number | MAX) world [empire]",
        what: "Sends RU from one of your worlds to another, or to the world of a contact.",
        examples: &["TRANSFER Alpha 6 Beta", "TRANSFER Alpha MAX Gamma KRATOS"],
    },
    Entry {
        word: "DENY",
        section: "6.8.1",
        grammar: "DENY (ALL | sector... | @name... | CLASS class... | ship...) TO empire...",
        what: "Ends what you let these empires see. ALL ends everything.",
        examples: &["DENY ALL TO KRATOS", "DENY (2,-1) TO KRATOS"],
    },
    Entry {
        word: "AUTHORIZE",
        section: "6.8.2",
        grammar: "AUTHORIZE (ALL | sector... | @name... | CLASS class... | ship...) TO empire...",
        what: "Lets these empires see what you see, from now on: everything, some sectors, or what \
            some ships see.",
        examples: &[
            "AUTHORIZE ALL TO KRATOS",
            "AUTHORIZE CLASS probe TO KRATOS",
            "AUTHORIZE @Ember TO KRATOS",
        ],
    },
];

#[cfg(test)]
mod tests {
    use heliopause_kernel::Game as _;
    use heliopause_star_empires::StarEmpires;

    use super::super::sample;
    use super::*;

    #[test]
    fn every_order_has_help_with_an_example() {
        for entry in &ENTRIES {
            let text = help(&entry.word.to_lowercase()).unwrap_or_default();
            assert!(text.contains(entry.section) && text.contains("For example"), "{text}");
            for example in entry.examples {
                let read = StarEmpires::parse(&sample::view(), example);
                assert!(example.starts_with(entry.word) && read.is_ok(), "{example}: {read:?}");
            }
            assert!(NOTATION.contains(entry.word), "{}", entry.word);
        }
        assert!(help("ships").is_some_and(|text| text.contains("EXCEPT")));
        assert_eq!(help("DANCE"), None);
    }
}
