//! The reader's ships by sector, with their cargo, and foreign ships.

use std::collections::BTreeMap;

use heliopause_kernel::SeatSet;
use heliopause_star_empires::{
    Coord, FleetSeen, Name, OwnShip, Ratings, ShipNamed, ShipSeen, handle, percent,
};

use super::{ReportContext, joined};
use crate::document::{Block, Tone, Words};
use crate::text::count;

pub(super) fn own(briefing: &ReportContext<'_>) -> Vec<Block> {
    let mut sectors: BTreeMap<Coord, Vec<&OwnShip>> = BTreeMap::new();
    for ship in &briefing.own.ships {
        sectors.entry(ship.at).or_default().push(ship);
    }
    let mut order: Vec<Coord> = sectors.keys().copied().collect();
    order.sort_by_key(|at| (at.distance(briefing.atlas.home), *at));
    let mut blocks = Vec::new();
    for at in order {
        let ships = &sectors[&at];
        blocks.push(Block::Heading(
            briefing.sector(at).and(format!("  {}", count(ships.len(), "ship")), Tone::Faint),
        ));
        let headings =
            vec!["ship", "serial", "class", "DP", "guns", "engines", "scan", "racks", "notes"];
        blocks.push(Block::table(
            headings,
            with_cargo(ships).iter().map(|(ship, depth)| row(briefing, ship, *depth)).collect(),
        ));
    }
    blocks
}

/// Sorts ships so that each carrier is followed by its cargo. Returns each ship with its depth: 1
/// for cargo, otherwise 0.
fn with_cargo<'a>(ships: &[&'a OwnShip]) -> Vec<(&'a OwnShip, usize)> {
    let mut order: Vec<&OwnShip> = ships.to_vec();
    order.sort_by_key(|ship| (ship.class, ship.name, ship.serial));
    let mut rows = Vec::new();
    for ship in order.iter().filter(|ship| ship.carrier.is_none()) {
        rows.push((*ship, 0));
        let cargo = order.iter().filter(|cargo| cargo.carrier == Some(ship.serial));
        rows.extend(cargo.map(|cargo| (*cargo, 1)));
    }
    rows
}

fn ratings(briefing: &ReportContext<'_>, name: Name) -> Option<Ratings> {
    briefing.own.classes.iter().find(|class| class.name == name).map(|class| class.ratings)
}

fn row(briefing: &ReportContext<'_>, ship: &OwnShip, depth: usize) -> Vec<Words> {
    let ratings = ratings(briefing, ship.class).unwrap_or_default();
    let full = if ratings.dp == 0 { ship.dp } else { ratings.dp };
    let dp = format!("{}/{full}", ship.dp);
    let tone = match () {
        () if ship.dp >= full => Tone::Plain,
        () if ship.dp * 2 > full => Tone::Notice,
        () => Tone::Bad,
    };
    let indent = if depth == 0 { "" } else { "+ " };
    let number =
        |number: u16| Words::plain(if number == 0 { "-".into() } else { number.to_string() });
    vec![
        Words::new(indent, Tone::Faint).and(handle(ship.name, ship.serial).as_str(), Tone::Strong),
        Words::new(ship.serial.as_str(), Tone::Faint),
        Words::plain(ship.class.as_str()),
        Words::new(dp, tone),
        number(ratings.guns),
        number(ratings.engines),
        number(ratings.scan),
        number(ratings.racks),
        notes(briefing, ship),
    ]
}

fn notes(briefing: &ReportContext<'_>, ship: &OwnShip) -> Words {
    let mut parts = Vec::new();
    if ship.carrier.is_some() {
        parts.push(Words::plain("loaded"));
    }
    if ship.public {
        parts.push(Words::new("public", Tone::Notice));
    }
    let listed = |what: &str, seats: SeatSet| {
        joined(Words::new(what, Tone::Faint), seats.iter().map(|seat| briefing.empire(seat)), ", ")
    };
    if !ship.identified.is_empty() {
        parts.push(listed("identified to ", ship.identified));
    }
    if !ship.concealed.is_empty() {
        parts.push(listed("concealed from ", ship.concealed));
    }
    joined(Words::default(), parts.into_iter(), ", ")
}

pub(super) fn foreign(briefing: &ReportContext<'_>) -> Vec<Block> {
    let chart = &briefing.own.chart;
    let others =
        chart.ships.iter().filter(|ship| !(Some(ship.owner) == briefing.atlas.seat && ship.wreck));
    let mut rows: Vec<(Coord, Vec<Words>)> = others.map(|ship| seen(briefing, ship)).collect();
    rows.extend(chart.fleets.iter().map(|fleet| scanned(briefing, fleet)));
    rows.sort_by_key(|(at, _)| (at.distance(briefing.atlas.home), *at));
    if rows.is_empty() {
        return Vec::new();
    }
    let headings =
        vec!["sector", "owner", "ship or class", "serial", "ships", "tonnes", "DP", "state"];
    vec![Block::table(headings, rows.into_iter().map(|(_, row)| row).collect())]
}

fn seen(briefing: &ReportContext<'_>, ship: &ShipSeen) -> (Coord, Vec<Words>) {
    let ShipSeen { at, owner, serial, name, class, .. } = *ship;
    let full = ratings(briefing, class).map_or(0, |ratings| ratings.dp);
    let dp = ship.dp.map_or_else(
        || "?".into(),
        |dp| if full > 0 { format!("{dp}/{full}") } else { dp.to_string() },
    );
    let state = if ship.wreck {
        Words::new("wreck", Tone::Bad)
    } else {
        Words::plain(format!("{} fit", percent(ship.permille)))
    };
    let [number, tonnage, dp] = ["1".to_owned(), ship.tonnage.to_string(), dp].map(Words::plain);
    let named = briefing.ship(ShipNamed { owner, serial, name, class });
    let serial = Words::new(serial.as_str(), Tone::Faint);
    (
        at,
        vec![
            briefing.sector(at),
            briefing.empire(owner),
            named,
            serial,
            number,
            tonnage,
            dp,
            state,
        ],
    )
}

fn scanned(briefing: &ReportContext<'_>, fleet: &FleetSeen) -> (Coord, Vec<Words>) {
    let at = fleet.at;
    let (owner, class) = match fleet.identity {
        None => (Words::new("unidentified", Tone::Faint), String::new()),
        Some((seat, class)) => (briefing.empire(seat), class.to_string()),
    };
    let [class, number, tonnage] =
        [class, fleet.count.to_string(), fleet.tonnage.to_string()].map(Words::plain);
    let state = Words::new("long range", Tone::Faint);
    (
        at,
        vec![
            briefing.sector(at),
            owner,
            class,
            Words::default(),
            number,
            tonnage,
            Words::default(),
            state,
        ],
    )
}
