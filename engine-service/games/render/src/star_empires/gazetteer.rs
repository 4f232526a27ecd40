//! What is in the sectors of a map, as a list: names and numbers that the hexes have no room for.

use heliopause_kernel::Seat;
use heliopause_star_empires::Coord;

use super::atlas::{Atlas, Cell, Group};
use super::window::{Layer, Window};
use super::{palette, words};
use crate::style::{Ink, Style};
use crate::text::{count, table};

/// More lines than these are left out; a closer map shows them.
const LINES_MAX: usize = 40;

/// The list, nearest first.
pub(super) fn list(atlas: &Atlas, places: &[Coord], window: &Window, style: &Style) -> String {
    let middle = window.middle(atlas);
    let mut found: Vec<(Coord, String)> = places
        .iter()
        .filter_map(|at| Some((*at, entry(atlas, atlas.cell(*at)?, window.layer, style))))
        .filter(|(_, entry)| !entry.is_empty())
        .collect();
    found.sort_by_key(|(at, _)| (at.distance(middle), *at));
    let left_out = found.len().saturating_sub(LINES_MAX);
    let row = |(at, entry): &(Coord, String)| {
        vec![style.paint(at.to_string(), Ink::Faint), entry.clone()]
    };
    let rows: Vec<Vec<String>> = found.iter().take(LINES_MAX).map(row).collect();
    if rows.is_empty() {
        return "Nothing is known to be there.".into();
    }
    let mut text = table(style, &["sector", "what is there"], &rows);
    if left_out > 0 {
        let hint = format!(
            "{} more; a map around a place, or of a smaller radius, tells them.",
            count(left_out, "sector")
        );
        text = format!("{text}\n{}", style.paint(hint, Ink::Faint));
    }
    text
}

fn entry(atlas: &Atlas, cell: &Cell, layer: Layer, style: &Style) -> String {
    let wants = |one: Layer| layer == Layer::All || layer == one;
    let mut parts = Vec::new();
    if let (Some(world), true) = (&cell.world, wants(Layer::Owners)) {
        let name = style.paint(world.name.as_str(), palette::ink(world.owner));
        let owner = whose(atlas, world.owner, "nobody's");
        let kind = if world.homeworld { "homeworld" } else { "world" };
        let mut told = format!("{name}, {kind} of {} RU, {owner}", world.production);
        if let Some(stockpile) = world.stockpile {
            told = format!("{told}, {stockpile} RU there");
        }
        let siege = words::siege(world.siege);
        if !siege.is_empty() {
            told = format!("{told}, {}", style.paint(siege, Ink::Bad));
        }
        parts.push(told);
    }
    if wants(Layer::Portals) {
        parts.extend(cell.portals.iter().map(|portal| {
            let collapsed = if portal.collapsed { ", collapsed" } else { "" };
            let data = if portal.navigable && atlas.seat.is_some() {
                ", navigation data held"
            } else {
                ""
            };
            format!(
                "{}, portal{collapsed}{data}",
                style.paint(portal.name.as_str(), Ink::Bright(141))
            )
        }));
    }
    if wants(Layer::Storms) {
        parts.extend(cell.storms.iter().map(|storm| {
            let what = if storm.rating == 0 {
                "nebula".to_owned()
            } else {
                format!("storm of {}", storm.rating)
            };
            format!("{}, {what}", style.paint(storm.name.as_str(), Ink::Bright(203)))
        }));
    }
    if wants(Layer::Ships) {
        parts.extend(ships(atlas, cell, style));
    }
    parts.join("; ")
}

fn ships(atlas: &Atlas, cell: &Cell, style: &Style) -> Vec<String> {
    let one = |(owner, group): (&Option<Seat>, &Group)| {
        let whose = whose(atlas, *owner, "unidentified");
        let mut told = Vec::new();
        if group.ships > 0 {
            told.push(format!("{}, {} t", count(group.ships as usize, "ship"), group.tonnage));
        }
        if group.wrecks > 0 {
            told.push(count(group.wrecks as usize, "wreck"));
        }
        format!("{}: {}", style.paint(whose, palette::ink(*owner)), told.join(", "))
    };
    cell.ships.iter().map(one).collect()
}

/// Whose something is; `nobodys` if it is nobody's.
fn whose(atlas: &Atlas, owner: Option<Seat>, nobodys: &str) -> String {
    match owner {
        None => nobodys.to_owned(),
        own if own == atlas.seat => "yours".into(),
        Some(seat) => atlas.name(seat),
    }
}
