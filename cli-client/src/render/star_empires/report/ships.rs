//! Ships: the reader's own, sector by sector with their cargo, and those of others.

use std::collections::BTreeMap;

use heliopause_proto::star_empires::v1::{OwnShip, ShipClass, ShipNamed};

use super::{Briefing, joined};
use crate::render::document::{Block, Tone, Words};
use crate::render::star_empires::atlas::{Place, distance, place};
use crate::render::star_empires::words;
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
    if ship.public {
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
    let mut rows: Vec<(Place, Vec<Words>)> = Vec::new();
    for ship in chart.ships.iter().filter(|ship| !(ship.owner == briefing.atlas.seat && ship.wreck)) {
        let at = place(ship.at.as_ref());
        let named = ShipNamed {
            owner: ship.owner,
            serial: ship.serial.clone(),
            name: ship.name.clone(),
            ship_class: ship.ship_class.clone(),
        };
        let full = class(briefing, &ship.ship_class).and_then(|class| class.ratings).map_or(0, |ratings| ratings.dp);
        let dp =
            ship.dp.map_or_else(|| "?".into(), |dp| if full > 0 { format!("{dp}/{full}") } else { dp.to_string() });
        let state = if ship.wreck {
            Words::new("wreck", Tone::Bad)
        } else {
            Words::plain(format!("{} fit", words::percent(ship.rating_permille)))
        };
        let cells = [Words::plain("1"), Words::plain(ship.tonnage.to_string()), Words::plain(dp)];
        let [number, tonnage, dp] = cells;
        let serial = Words::new(harmless(&ship.serial), Tone::Faint);
        rows.push((
            at,
            vec![
                briefing.sector(at),
                briefing.empire(ship.owner),
                briefing.ship(&named),
                serial,
                number,
                tonnage,
                dp,
                state,
            ],
        ));
    }
    for fleet in &chart.fleets {
        let at = place(fleet.at.as_ref());
        let (owner, class) = match fleet.owner {
            0 => (Words::new("unidentified", Tone::Faint), String::new()),
            seat => (briefing.empire(seat), fleet.ship_class.clone()),
        };
        let [class, number, tonnage] = [class, fleet.count.to_string(), fleet.tonnage.to_string()].map(Words::plain);
        let nothing = Words::default;
        rows.push((
            at,
            vec![
                briefing.sector(at),
                owner,
                class,
                nothing(),
                number,
                tonnage,
                nothing(),
                Words::new("long range", Tone::Faint),
            ],
        ));
    }
    rows.sort_by_key(|(at, _)| (distance(*at, briefing.atlas.home), *at));
    if rows.is_empty() {
        return Vec::new();
    }
    let headings = vec!["sector", "owner", "ship or class", "serial", "ships", "tonnes", "DP", "state"];
    vec![Block::Table(headings, rows.into_iter().map(|(_, row)| row).collect())]
}
