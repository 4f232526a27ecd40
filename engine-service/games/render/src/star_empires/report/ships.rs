//! Ships: the reader's own, sector by sector with their cargo, and those of others.

use std::collections::BTreeMap;

use heliopause_proto::star_empires::v1::{FleetSeen, OwnShip, ShipClass, ShipNamed, ShipSeen};

use super::{Briefing, joined};
use crate::document::{Block, Tone, Words};
use crate::star_empires::atlas::{Place, distance, place};
use crate::star_empires::words;
use crate::text::{count, harmless};

/// The reader's ships.
pub(super) fn own(briefing: &Briefing<'_>) -> Vec<Block> {
    let mut sectors: BTreeMap<Place, Vec<&OwnShip>> = BTreeMap::new();
    for ship in &briefing.own.ships {
        sectors.entry(place(ship.at.as_ref())).or_default().push(ship);
    }
    let mut order: Vec<Place> = sectors.keys().copied().collect();
    order.sort_by_key(|at| (distance(*at, briefing.atlas.home), *at));
    let mut blocks = Vec::new();
    for at in order {
        let ships = &sectors[&at];
        blocks.push(Block::Heading(briefing.sector(at).and(format!("  {}", count(ships.len(), "ship")), Tone::Faint)));
        let headings = vec!["ship", "serial", "class", "DP", "guns", "engines", "scan", "racks", "notes"];
        blocks.push(Block::Table(
            headings,
            with_cargo(ships).iter().map(|(ship, depth)| row(briefing, ship, *depth)).collect(),
        ));
    }
    blocks
}

/// Ships, each followed by its cargo.
fn with_cargo<'a>(ships: &[&'a OwnShip]) -> Vec<(&'a OwnShip, usize)> {
    let mut order: Vec<&OwnShip> = ships.to_vec();
    order.sort_by(|left, right| {
        (&left.ship_class, &left.name, &left.serial).cmp(&(&right.ship_class, &right.name, &right.serial))
    });
    let mut rows = Vec::new();
    for ship in order.iter().filter(|ship| ship.carrier.is_empty()) {
        rows.push((*ship, 0));
        let cargo = order.iter().filter(|cargo| cargo.carrier.eq_ignore_ascii_case(&ship.serial));
        rows.extend(cargo.map(|cargo| (*cargo, 1)));
    }
    rows
}

fn class<'a>(briefing: &'a Briefing<'_>, name: &str) -> Option<&'a ShipClass> {
    briefing.own.classes.iter().find(|class| class.name.eq_ignore_ascii_case(name))
}

fn row(briefing: &Briefing<'_>, ship: &OwnShip, depth: usize) -> Vec<Words> {
    let class = class(briefing, &ship.ship_class);
    let ratings = class.and_then(|class| class.ratings).unwrap_or_default();
    let full = if ratings.dp == 0 { ship.dp } else { ratings.dp };
    let dp = format!("{}/{full}", ship.dp);
    let tone = match () {
        () if ship.dp >= full => Tone::Plain,
        () if ship.dp * 2 > full => Tone::Notice,
        () => Tone::Bad,
    };
    let indent = if depth == 0 { "" } else { "+ " };
    let handle = if ship.name.is_empty() { &ship.serial } else { &ship.name };
    let number = |number: u32| Words::plain(if number == 0 { "-".into() } else { number.to_string() });
    vec![
        Words::new(indent, Tone::Faint).and(harmless(handle), Tone::Strong),
        Words::new(harmless(&ship.serial), Tone::Faint),
        Words::plain(harmless(&ship.ship_class)),
        Words::new(dp, tone),
        number(ratings.guns),
        number(ratings.engines),
        number(ratings.scan),
        number(ratings.racks),
        notes(briefing, ship),
    ]
}

/// What its transponder tells whom.
fn notes(briefing: &Briefing<'_>, ship: &OwnShip) -> Words {
    let mut parts = Vec::new();
    if !ship.carrier.is_empty() {
        parts.push(Words::plain("loaded"));
    }
    if ship.public_mode {
        parts.push(Words::new("public", Tone::Notice));
    }
    let listed = |what: &str, seats: &[u32]| {
        joined(Words::new(what, Tone::Faint), seats.iter().map(|seat| briefing.empire(*seat)), ", ")
    };
    if !ship.identified.is_empty() {
        parts.push(listed("identified to ", &ship.identified));
    }
    if !ship.concealed.is_empty() {
        parts.push(listed("concealed from ", &ship.concealed));
    }
    joined(Words::default(), parts.into_iter(), ", ")
}

/// Ships of others on the scans of this turn.
pub(super) fn foreign(briefing: &Briefing<'_>) -> Vec<Block> {
    let Some(chart) = &briefing.own.chart else { return Vec::new() };
    let others = chart.ships.iter().filter(|ship| !(ship.owner == briefing.atlas.seat && ship.wreck));
    let mut rows: Vec<(Place, Vec<Words>)> = others.map(|ship| seen(briefing, ship)).collect();
    rows.extend(chart.fleets.iter().map(|fleet| scanned(briefing, fleet)));
    rows.sort_by_key(|(at, _)| (distance(*at, briefing.atlas.home), *at));
    if rows.is_empty() {
        return Vec::new();
    }
    let headings = vec!["sector", "owner", "ship or class", "serial", "ships", "tonnes", "DP", "state"];
    vec![Block::Table(headings, rows.into_iter().map(|(_, row)| row).collect())]
}

/// A ship on a short-range scan.
fn seen(briefing: &Briefing<'_>, ship: &ShipSeen) -> (Place, Vec<Words>) {
    let at = place(ship.at.as_ref());
    let named = ShipNamed {
        owner: ship.owner,
        serial: ship.serial.clone(),
        name: ship.name.clone(),
        ship_class: ship.ship_class.clone(),
    };
    let full = class(briefing, &ship.ship_class).and_then(|class| class.ratings).map_or(0, |ratings| ratings.dp);
    let dp = ship.dp.map_or_else(|| "?".into(), |dp| if full > 0 { format!("{dp}/{full}") } else { dp.to_string() });
    let state = if ship.wreck {
        Words::new("wreck", Tone::Bad)
    } else {
        Words::plain(format!("{} fit", words::percent(ship.rating_permille)))
    };
    let [number, tonnage, dp] = ["1".to_owned(), ship.tonnage.to_string(), dp].map(Words::plain);
    let serial = Words::new(harmless(&ship.serial), Tone::Faint);
    let owner = briefing.empire(ship.owner);
    (at, vec![briefing.sector(at), owner, briefing.ship(&named), serial, number, tonnage, dp, state])
}

/// Ships on a long-range scan.
fn scanned(briefing: &Briefing<'_>, fleet: &FleetSeen) -> (Place, Vec<Words>) {
    let at = place(fleet.at.as_ref());
    let (owner, class) = match fleet.owner {
        0 => (Words::new("unidentified", Tone::Faint), String::new()),
        seat => (briefing.empire(seat), harmless(&fleet.ship_class)),
    };
    let [class, number, tonnage] = [class, fleet.count.to_string(), fleet.tonnage.to_string()].map(Words::plain);
    let state = Words::new("long range", Tone::Faint);
    (at, vec![briefing.sector(at), owner, class, Words::default(), number, tonnage, Words::default(), state])
}
