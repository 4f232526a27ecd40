//! Order lines as text, in the grammar that the engine reads.

use heliopause_proto::star_empires::v1::{
    Amount, Build, Crews, Design, Fire, Hull, Line, Scans, Selection, Sense, Spot, amount, line::Kind, spot,
};

use super::atlas::place;
use super::words;

/// An order line as text.
pub(super) fn line(line: &Line) -> String {
    let Some(kind) = &line.kind else { return String::new() };
    match kind {
        Kind::Unload(it) => format!("UNLOAD {}", it.ships.join(" ")),
        Kind::Load(it) => format!("LOAD {} ONTO {}", it.ships.join(" "), it.carrier),
        Kind::Destruct(it) => format!("DESTRUCT {}", selection(it.ships.as_ref())),
        Kind::Fire(it) => fire(it),
        Kind::Transmit(it) => format!("TRANSMIT {} TO {}", it.portals.join(" "), it.to.join(" ")),
        Kind::Move(it) => format!("MOVE {} TO {}", selection(it.ships.as_ref()), spot(it.to.as_ref(), "")),
        Kind::Traverse(it) => {
            let exit = if it.exit.is_empty() { String::new() } else { format!(" {}", it.exit) };
            format!("TRAVERSE {} THROUGH {}{exit}", selection(it.ships.as_ref()), it.entry)
        }
        Kind::Design(it) => design(it),
        Kind::Give(it) => format!("GIVE {} TO {}", it.classes.join(" "), it.to.join(" ")),
        Kind::Build(it) => build(it),
        Kind::Repair(it) => format!("REPAIR {} {} {}", it.ship, amount(it.dp.as_ref()), it.worlds.join(" ")),
        Kind::Toggle(it) => {
            let mode = if it.public { "PUBLIC" } else { "PRIVATE" };
            format!("TOGGLE {mode} {}", crews(it.ships.as_ref()))
        }
        Kind::Conceal(it) => format!("CONCEAL {} FROM {}", crews(it.ships.as_ref()), it.from.join(" ")),
        Kind::Identify(it) => format!("IDENTIFY {} TO {}", crews(it.ships.as_ref()), it.to.join(" ")),
        Kind::Pool(it) => format!("POOL {}{}", it.world, except(&it.excepted)),
        Kind::Transfer(it) => {
            let recipient = if it.recipient.is_empty() { String::new() } else { format!(" {}", it.recipient) };
            format!("TRANSFER {} {} {}{recipient}", it.from, amount(it.amount.as_ref()), it.to)
        }
        Kind::Deny(it) => format!("DENY {} TO {}", scans(it.scans.as_ref()), it.to.join(" ")),
        Kind::Authorize(it) => format!("AUTHORIZE {} TO {}", scans(it.scans.as_ref()), it.to.join(" ")),
    }
}

fn fire(it: &Fire) -> String {
    let sense = if it.sense() == Sense::Ascending { "ASC " } else { "" };
    format!("FIRE {sense}{} AT {}", selection(it.ships.as_ref()), it.at.join(" "))
}

fn design(it: &Design) -> String {
    let ratings = it.ratings.unwrap_or_default();
    let numbers = if it.hull() == Hull::Missile {
        format!("{} {}", ratings.guns, it.tonnage)
    } else {
        format!("{} {} {} {} {}", ratings.guns, ratings.dp, ratings.engines, ratings.scan, ratings.racks)
    };
    format!("DESIGN {} {} {} {numbers}", it.world, it.ship_class, words::hull(it.hull()))
}

fn build(it: &Build) -> String {
    let mut names = it.names.join(" ");
    if !it.base.is_empty() {
        names = format!("{}*", it.base);
    }
    let text = format!("BUILD {} {} {} {names}", it.world, amount(it.count.as_ref()), it.ship_class);
    text.trim_end().to_owned()
}

fn amount(amount: Option<&Amount>) -> String {
    match amount.and_then(|amount| amount.kind.as_ref()) {
        Some(amount::Kind::Number(number)) => number.to_string(),
        Some(amount::Kind::Most(_)) | None => "MAX".into(),
    }
}

fn except(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" EXCEPT {}", names.join(" ")) }
}

fn selection(selection: Option<&Selection>) -> String {
    let Some(selection) = selection else { return String::new() };
    if selection.at.is_none() {
        return selection.ships.join(" ");
    }
    format!("{}{}", spot(selection.at.as_ref(), "@"), except(&selection.excepted))
}

/// A place; `mark` stands before names where the grammar wants to tell them from ships.
fn spot(spot: Option<&Spot>, mark: &str) -> String {
    match spot.and_then(|spot| spot.kind.as_ref()) {
        Some(spot::Kind::Sector(sector)) => words::sector(place(Some(sector))),
        Some(spot::Kind::Object(name)) => format!("{mark}{name}"),
        None => String::new(),
    }
}

fn crews(crews: Option<&Crews>) -> String {
    let Some(crews) = crews else { return String::new() };
    if crews.all {
        return "ALL".into();
    }
    let classes = crews.classes.iter().map(|class| format!("@{class}"));
    crews.ships.iter().cloned().chain(classes).collect::<Vec<_>>().join(" ")
}

fn scans(scans: Option<&Scans>) -> String {
    let Some(scans) = scans else { return String::new() };
    if scans.all {
        return "ALL".into();
    }
    if !scans.classes.is_empty() {
        return format!("CLASS {}", scans.classes.join(" "));
    }
    let places = scans.places.iter().map(|place| spot(Some(place), "@"));
    places.chain(scans.ships.iter().cloned()).collect::<Vec<_>>().join(" ")
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
            (json!({ "move": { "ships": { "at": object("Ember") }, "to": object("Oasis") } }), "MOVE @Ember TO Oasis"),
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
            (json!({ "toggle": { "public": true, "ships": { "classes": ["probe"] } } }), "TOGGLE PUBLIC @probe"),
            (json!({ "conceal": { "ships": { "all": true }, "from": ["KR"] } }), "CONCEAL ALL FROM KR"),
            (json!({ "identify": { "ships": { "ships": ["Lion"] }, "to": ["KR"] } }), "IDENTIFY Lion TO KR"),
            (json!({ "pool": { "world": "Alpha", "excepted": ["Beta"] } }), "POOL Alpha EXCEPT Beta"),
            (
                json!({ "transfer": { "from": "Alpha", "amount": { "number": 6 }, "to": "Gamma", "recipient": "KR" } }),
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
