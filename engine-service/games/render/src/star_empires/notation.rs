//! Order lines as text: as the rules write them, who read them again.

use heliopause_kernel::{Game as _, Wire as _};
use heliopause_proto::star_empires::v1::{Line, Order, Sheet, order};
use heliopause_star_empires::StarEmpires;

/// An order line as text; nothing for one that is no line.
pub(super) fn line(line: &Line) -> String {
    let sheet = Sheet { lines: vec![line.clone()], ..Sheet::default() };
    let order = Order { kind: Some(order::Kind::Sheet(sheet)) };
    StarEmpires::read_order(&order).map(|order| StarEmpires::notate(&order)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn text(value: &Value) -> String {
        line(&serde_json::from_value(value.clone()).expect("the line is well formed"))
    }

    fn object(name: &str) -> Value {
        json!({ "object": name })
    }

    fn sector() -> Value {
        json!({ "sector": { "oblique": 2, "y": -1 } })
    }

    fn check(table: &[(Value, &str)]) {
        for (value, wanted) in table {
            assert_eq!(text(value), *wanted);
        }
    }

    #[test]
    fn orders_to_ships_are_written_as_the_grammar_has_it() {
        check(&[
            (json!({ "unload": { "ships": ["Hawk1", "Hawk2"] } }), "UNLOAD Hawk1 Hawk2"),
            (json!({ "load": { "ships": ["Hawk1", "nuke3"], "carrier": "Mule" } }), "LOAD Hawk1 nuke3 ONTO Mule"),
            (
                json!({ "destruct": { "ships": { "at": sector(), "excepted": ["Mule"] } } }),
                "DESTRUCT (2,-1) EXCEPT Mule",
            ),
            (
                json!({ "fire": { "sense": "SENSE_ASCENDING", "ships": { "ships": ["Lion"] }, "at": ["KRATOS"] } }),
                "FIRE ASC Lion AT KRATOS",
            ),
            (json!({ "transmit": { "portals": ["Charon"], "to": ["KR"] } }), "TRANSMIT Charon TO KR"),
            (json!({ "move": { "ships": { "at": object("Ember") }, "to": object("Oasis") } }), "MOVE @Ember TO @Oasis"),
            (
                json!({ "traverse": { "ships": { "ships": ["Dove"] }, "entry": "Charon", "exit": "Styx" } }),
                "TRAVERSE Dove THROUGH Charon Styx",
            ),
            (
                json!({ "design": { "world": "Alpha", "shipClass": "frigate", "hull": "HULL_GUNSHIP",
                    "ratings": { "guns": 20, "dp": 15, "engines": 4, "scan": 2 } } }),
                "DESIGN Alpha frigate gunship 20 15 4 2 0",
            ),
            (
                json!({ "design": { "world": "Alpha", "shipClass": "dart", "hull": "HULL_MISSILE",
                    "ratings": { "guns": 20 }, "tonnage": 3 } }),
                "DESIGN Alpha dart missile 20 3",
            ),
        ]);
    }

    #[test]
    fn rule_4_3_a_name_that_is_a_keyword_stays_a_name() {
        check(&[
            (json!({ "conceal": { "ships": { "ships": ["All"] }, "fromEmpires": ["KR"] } }), "CONCEAL \"All\" FROM KR"),
            (json!({ "unload": { "ships": ["To", "Hawk1"] } }), "UNLOAD \"To\" Hawk1"),
        ]);
    }

    #[test]
    fn orders_to_worlds_and_empires_are_written_as_the_grammar_has_it() {
        check(&[
            (json!({ "give": { "classes": ["frigate"], "to": ["KR"] } }), "GIVE frigate TO KR"),
            (
                json!({ "build": { "world": "Alpha", "count": { "number": 3 }, "shipClass": "frigate", "base": "fox" } }),
                "BUILD Alpha 3 frigate fox*",
            ),
            (
                json!({ "build": { "world": "Alpha", "count": { "most": {} }, "shipClass": "nuke" } }),
                "BUILD Alpha MAX nuke",
            ),
            (
                json!({ "repair": { "ship": "Lion", "dp": { "number": 12 }, "worlds": ["Alpha", "Beta"] } }),
                "REPAIR Lion 12 Alpha Beta",
            ),
            (json!({ "toggle": { "publicMode": true, "ships": { "classes": ["probe"] } } }), "TOGGLE PUBLIC @probe"),
            (json!({ "conceal": { "ships": { "all": true }, "fromEmpires": ["KR"] } }), "CONCEAL ALL FROM KR"),
            (json!({ "identify": { "ships": { "ships": ["Lion"] }, "toEmpires": ["KR"] } }), "IDENTIFY Lion TO KR"),
            (json!({ "pool": { "world": "Alpha", "excepted": ["Beta"] } }), "POOL Alpha EXCEPT Beta"),
            (
                json!({ "transfer": { "fromWorld": "Alpha", "amount": { "number": 6 }, "toWorld": "Gamma", "recipient": "KR" } }),
                "TRANSFER Alpha 6 Gamma KR",
            ),
            (json!({ "deny": { "scans": { "all": true }, "to": ["KR"] } }), "DENY ALL TO KR"),
            (
                json!({ "authorize": { "scans": { "classes": ["probe"] }, "to": ["KR"] } }),
                "AUTHORIZE CLASS probe TO KR",
            ),
            (
                json!({ "authorize": { "scans": { "places": [sector(), object("Ember")] }, "to": ["KR"] } }),
                "AUTHORIZE (2,-1) @Ember TO KR",
            ),
        ]);
    }
}
