//! The notation of orders with examples, help on single orders and tables, and completion.

use std::collections::HashMap;

use heliopause_kernel::{Game as _, Viewer};
use heliopause_stellar_conquest::{
    Order, Place, Power, Sheet, ShipKind, ShipNumber, Stage, StarId, StellarConquest, Tech, View,
};

use super::words;
use crate::manual::{self, Completion};

pub(super) const NOTATION: &str = include_str!("notation.txt").trim_ascii_end();
const ORDERS: &str = include_str!("orders.txt");
/// The names of tables, with the rules that contain them.
const TABLES: &str = include_str!("tables.txt");

pub(super) fn help(word: &str) -> Option<String> {
    let word = word.trim().to_lowercase();
    let order = manual::help(ORDERS, &word);
    let tables = TABLES.lines().filter_map(|line| line.split_once(' '));
    let rule = tables.into_iter().find(|(name, _)| *name == word);
    let table = rule.and_then(|(_, rule)| StellarConquest::rule(rule));
    // `attack` is both an order and a table.
    match (order, table) {
        (Some(order), Some(table)) => Some(format!("{order}\n\n{table}")),
        (Some(order), None) if word == "produce" || word == "setup" => {
            let codes = Tech::ALL.map(|tech| tech.title().code).join(", ");
            Some(format!("{order}\nTechnologies: {codes}."))
        }
        (order, table) => order.or(table.map(str::to_owned)),
    }
}

pub(super) fn stored(view: &View) -> Option<Vec<String>> {
    let order = match &view.power()?.sheet {
        Sheet::None => return None,
        Sheet::Outfit(outfit) => Order::Outfit(outfit.clone()),
        Sheet::Production(sheet) => Order::Produce(sheet.clone()),
        Sheet::Decree(sheet) => Order::Decree(sheet.clone()),
    };
    let text = StellarConquest::notate(&order);
    Some(text.split(" | ").map(str::to_owned).collect())
}

/// Returns the lines of a production turn's sheet, each a separate order.
pub(super) fn sheet(view: &View) -> Option<Vec<String>> {
    let verb = sheet_verb(view)?;
    let whole =
        |(index, line): (usize, String)| if index == 0 { line } else { format!("{verb} {line}") };
    let mut lines: Vec<String> =
        stored(view).unwrap_or_default().into_iter().enumerate().map(whole).collect();
    lines.retain(|line| line != verb);
    Some(lines)
}

pub(super) fn sheet_verb(view: &View) -> Option<&'static str> {
    let seat = view.power().map(|_| view.viewer())?;
    let plays = matches!(seat, Viewer::Seat(seat) if seat.index() < view.table.players);
    let open = plays && view.table.stage == Stage::Production;
    open.then(|| if view.table.campaign.politics().is_some() { "decree" } else { "produce" })
}

pub(super) fn completion(view: &View) -> Completion {
    let names = view.power().map_or_else(HashMap::new, names);
    Completion {
        rules: include_str!("completions.txt"),
        verbs: manual::verbs(ORDERS).map(str::to_owned).collect(),
        keywords: &[],
        lists: names,
    }
}

fn names(power: &Power) -> HashMap<&'static str, Vec<String>> {
    let mut places: Vec<Option<Place>> = power.ships.iter().map(|ship| ship.at).collect();
    places.sort_unstable();
    places.dedup();
    let colonies = || power.colonies.iter().map(|colony| colony.planet);
    let prizes = power.conquered_colonies.iter().map(|prize| prize.colony.planet);
    let mut settled: Vec<String> = colonies().map(|planet| planet.star.to_string()).collect();
    settled.dedup();
    let fights = power.sightings.iter().filter_map(|seen| StarId::in_hex(seen.at));
    HashMap::from([
        ("ships", places.iter().flat_map(|at| fleets(power, *at)).collect()),
        ("colonies", colonies().map(words::planet).collect()),
        ("settled", settled),
        ("prizes", prizes.map(words::planet).collect()),
        ("fights", fights.map(|star| star.to_string()).collect()),
        ("stars", StarId::ALL.into_iter().map(|star| star.to_string()).collect()),
        ("codes", Tech::ALL.into_iter().map(|tech| tech.title().code.to_owned()).collect()),
    ])
}

/// Returns the ships of a hex as lists of numbers, all together and by kind.
fn fleets(power: &Power, at: Option<Place>) -> Vec<String> {
    let here: Vec<_> = power.ships.iter().filter(|ship| ship.at == at).collect();
    let all: Vec<ShipNumber> = here.iter().map(|ship| ship.number).collect();
    let mut lists = vec![words::numbers(&all)];
    for kind in ShipKind::ALL {
        let some: Vec<ShipNumber> =
            here.iter().filter(|ship| ship.kind() == kind).map(|ship| ship.number).collect();
        if !some.is_empty() && some.len() < all.len() {
            lists.push(words::numbers(&some));
        }
    }
    lists
}
