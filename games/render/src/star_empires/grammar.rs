//! Help on the notation of orders: the grammar, and examples for each order.

use heliopause_star_empires::Phase;

struct Entry {
    phase: Phase,
    grammar: &'static str,
    what: &'static str,
    examples: &'static [&'static str],
}

pub(super) fn keywords() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.phase.as_str())
}

pub(super) const NOTATION: &str =
    "  One order per line: your sheet for the turn. `? MOVE` explains an order.
  UNLOAD Hawk1 Hawk2                      LOAD Hawk1 nuke3 ONTO Mule
  DESTRUCT (2,-1) EXCEPT Mule             FIRE asc Lion nuke3 AT KRATOS
  TRANSMIT Charon TO KRATOS               MOVE @Ember EXCEPT Lion TO (3,1)
  TRAVERSE Dove THROUGH Charon Styx       DESIGN Alpha frigate gunship 20 15 4 2 0
  GIVE frigate TO KRATOS                  BUILD Alpha 3 frigate fox*
  REPAIR Lion MAX Alpha Beta              TOGGLE public @probe
  CONCEAL ALL FROM KRATOS                 IDENTIFY Lion @probe TO KRATOS
  POOL Alpha EXCEPT Beta                  TRANSFER Alpha 6 Gamma KRATOS
  DENY ALL TO KRATOS                      AUTHORIZE CLASS probe TO KRATOS
  STRICT on its own line: nothing is stored if any line is rejected";

pub(super) fn help(word: &str) -> Option<String> {
    let word = word.trim().to_uppercase();
    if word == "SHIPS" || word == "SELECTION" {
        return Some(SELECTION.into());
    }
    let entry = ENTRIES.iter().find(|entry| entry.phase.as_str() == word)?;
    let examples: Vec<String> =
        entry.examples.iter().map(|example| format!("  {example}")).collect();
    let ships = if entry.grammar.contains("SHIPS") {
        "\n`? SHIPS` explains how to specify ships."
    } else {
        ""
    };
    Some(format!(
        "{}  (rule {})\n{}\n\nFor example\n{}{ships}",
        entry.grammar,
        entry.phase.number(),
        entry.what,
        examples.join("\n")
    ))
}

const SELECTION: &str = "Specify SHIPS in one of three ways:
  Lion KR0a1b2          by name or serial number, as many as you like
  (2,-1) EXCEPT Mule    all your loose ships in that sector when the order runs, except these
  @Ember EXCEPT Mule    the same, in the sector of this world, portal or storm on your map";

const ENTRIES: [Entry; 18] = [
    Entry {
        phase: Phase::Unload,
        grammar: "UNLOAD ship...",
        what: "Takes ships off their carriers. Missiles that are ordered to fire are unloaded \
            automatically.",
        examples: &["UNLOAD Hawk1 Hawk2"],
    },
    Entry {
        phase: Phase::Load,
        grammar: "LOAD ship... ONTO carrier",
        what: "Loads ships one after another while the carrier has free racks. All ships must be \
            in the same sector.",
        examples: &["LOAD Hawk1 nuke3 ONTO Mule"],
    },
    Entry {
        phase: Phase::Destruct,
        grammar: "DESTRUCT SHIPS",
        what: "Destroys your ships and their cargo. Other loose ships in the sector take damage.",
        examples: &["DESTRUCT Lion", "DESTRUCT (2,-1) EXCEPT Mule"],
    },
    Entry {
        phase: Phase::Fire,
        grammar: "FIRE [ASC | DESC] SHIPS AT empire...",
        what: "Fires at all ships of these empires in the sector, at the largest first, or with \
            ASC at the smallest first. Missiles fire only if you list them.",
        examples: &["FIRE @Ember AT KRATOS", "FIRE asc Lion nuke3 AT KRATOS GU"],
    },
    Entry {
        phase: Phase::Transmit,
        grammar: "TRANSMIT portal... TO empire...",
        what: "Gives navigation data to contacts, who can use it at once.",
        examples: &["TRANSMIT Charon TO KRATOS"],
    },
    Entry {
        phase: Phase::Move,
        grammar: "MOVE SHIPS TO (sector | name)",
        what: "Moves ships with their cargo as far as their engines reach. Ships that fired, or \
            cannot move that far, stay behind.",
        examples: &[
            "MOVE Lion Mule TO (3,1)",
            "MOVE @Ember EXCEPT Lion TO Oasis",
            "MOVE (0,0) TO (0,1)",
        ],
    },
    Entry {
        phase: Phase::Traverse,
        grammar: "TRAVERSE SHIPS THROUGH portal [exit]",
        what: "Sends ships through a portal, after all moves. With navigation data for both ends \
            you can specify the exit; otherwise one exit is drawn at random for all ships of the \
            order.",
        examples: &["TRAVERSE Dove THROUGH Charon", "TRAVERSE @Charon THROUGH Charon Styx"],
    },
    Entry {
        phase: Phase::Design,
        grammar: "DESIGN world class hull guns dp engines scan racks\nDESIGN world class missile \
            guns tonnage",
        what: "Designs a class, which you can build this turn. The world pays half the cost of the \
               class; missiles are free. Hulls: capital_ship, gunship, orbital, transport, scout, \
               wing, missile.",
        examples: &["DESIGN Alpha frigate gunship 20 15 4 2 0", "DESIGN Alpha dart missile 20 3"],
    },
    Entry {
        phase: Phase::Give,
        grammar: "GIVE class... TO empire...",
        what: "Gives designs to contacts, who can build them this turn.",
        examples: &["GIVE frigate probe TO KRATOS"],
    },
    Entry {
        phase: Phase::Build,
        grammar: "BUILD world (number | MAX) class [name... | base*]",
        what: "Builds ships with the RU that a world has before this turn's production. A base \
            name with a star numbers the ships: fox1, fox2. Ships can be named only when they are \
            built.",
        examples: &[
            "BUILD Alpha 1 battleship Lion",
            "BUILD Alpha 3 frigate fox*",
            "BUILD Alpha MAX nuke",
        ],
    },
    Entry {
        phase: Phase::Repair,
        grammar: "REPAIR ship (dp | MAX) world...",
        what: "Repairs a ship wherever it is; the worlds pay in this order.",
        examples: &["REPAIR Lion 12 Alpha Beta", "REPAIR Lion MAX Alpha"],
    },
    Entry {
        phase: Phase::Toggle,
        grammar: "TOGGLE (PUBLIC | PRIVATE) (ALL | ship... @class...)",
        what: "Sets transponders: a public ship shows its owner and class to every empire that \
            scans it.",
        examples: &["TOGGLE public @probe", "TOGGLE private Lion"],
    },
    Entry {
        phase: Phase::Conceal,
        grammar: "CONCEAL (ALL | ship... @class...) FROM empire...",
        what: "Hides private ships from these empires: the scans that you share do not show them, \
            and the empires' own scans do not identify them. Contact is not required.",
        examples: &["CONCEAL ALL FROM KRATOS"],
    },
    Entry {
        phase: Phase::Identify,
        grammar: "IDENTIFY (ALL | ship... @class...) TO empire...",
        what: "Lets these empires identify private ships. All other empires still cannot.",
        examples: &["IDENTIFY Lion @probe TO KRATOS"],
    },
    Entry {
        phase: Phase::Pool,
        grammar: "POOL world [EXCEPT world...]",
        what: "Sends the RU of all your worlds that are not blockaded to one of your worlds.",
        examples: &["POOL Alpha", "POOL Alpha EXCEPT Beta"],
    },
    Entry {
        phase: Phase::Transfer,
        grammar: "TRANSFER world (number | MAX) world [empire]",
        what: "Sends RU from one of your worlds to another, or to the world of a contact.",
        examples: &["TRANSFER Alpha 6 Beta", "TRANSFER Alpha MAX Gamma KRATOS"],
    },
    Entry {
        phase: Phase::Deny,
        grammar: "DENY (ALL | sector... | @name... | CLASS class... | ship...) TO empire...",
        what: "Revokes access that you granted to these empires. ALL revokes all access.",
        examples: &["DENY ALL TO KRATOS", "DENY (2,-1) TO KRATOS"],
    },
    Entry {
        phase: Phase::Authorize,
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
            let (word, section) = (entry.phase.as_str(), entry.phase.number());
            let text = help(&word.to_lowercase()).unwrap_or_default();
            assert!(text.contains(section) && text.contains("For example"), "{text}");
            for example in entry.examples {
                let read = StarEmpires::parse(&sample::view(), example);
                assert!(example.starts_with(word) && read.is_ok(), "{example}: {read:?}");
            }
            assert!(NOTATION.contains(word), "{word}");
        }
        assert!(help("ships").is_some_and(|text| text.contains("EXCEPT")));
        assert_eq!(help("DANCE"), None);
    }
}
