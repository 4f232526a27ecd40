//! The notation of orders with examples, and help on single orders and tables.

use heliopause_kernel::{Game as _, Viewer};
use heliopause_stellar_conquest::{Order, Sheet, Stage, StellarConquest, Tech, View};

use crate::manual;

pub(super) const NOTATION: &str = include_str!("notation.txt").trim_ascii_end();
pub(super) const ORDERS: &str = include_str!("orders.txt");
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
