//! What else is known: empires, designs, portals and storms, and who may see what.

use std::collections::BTreeMap;

use super::{Briefing, joined};
use crate::document::{Block, Tone, Words};
use crate::star_empires::atlas::{distance, place};
use crate::star_empires::words;
use crate::text::harmless;

/// The empires, with what is known of their worlds.
pub(super) fn empires(briefing: &Briefing<'_>) -> Vec<Block> {
    let mut worlds: BTreeMap<u32, (usize, u32)> = BTreeMap::new();
    for world in briefing.own.chart.iter().flat_map(|chart| &chart.worlds) {
        let known = worlds.entry(world.owner).or_default();
        *known = (known.0 + 1, known.1 + world.production);
    }
    let allies = briefing.own.status.as_ref().map(|status| status.allies.as_slice()).unwrap_or_default();
    let row = |empire: &heliopause_proto::star_empires::v1::EmpireSeen| {
        let (count, production) = worlds.get(&empire.seat).copied().unwrap_or_default();
        let relation = match empire.seat {
            seat if seat == briefing.atlas.seat => Words::new("yourself", Tone::Faint),
            seat if allies.contains(&seat) => Words::new("ally, contact", Tone::Good),
            _ if empire.contact => Words::new("contact", Tone::Good),
            _ => Words::new("heard of only", Tone::Faint),
        };
        let seat = empire.seat;
        let tone = Tone::Colored(crate::star_empires::palette::ink(seat), crate::star_empires::palette::color(seat));
        vec![
            Words::new(harmless(&empire.code), Tone::Strong),
            Words::new(briefing.atlas.name(seat), tone),
            Words::plain(format!("seat {seat}")),
            relation,
            Words::plain(count.to_string()),
            Words::plain(production.to_string()),
        ]
    };
    let rows: Vec<Vec<Words>> = briefing.own.empires.iter().map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec![Block::Table(vec!["code", "empire", "", "", "known worlds", "known RU a turn"], rows)]
}

/// The designs.
pub(super) fn designs(briefing: &Briefing<'_>) -> Vec<Block> {
    let row = |class: &heliopause_proto::star_empires::v1::ShipClass| {
        let ratings = class.ratings.unwrap_or_default();
        let cost = if class.unbuildable { "-".to_owned() } else { class.cost.to_string() };
        let numbers = [ratings.guns, ratings.dp, ratings.engines, ratings.scan, ratings.racks, class.tonnage];
        let mut row = vec![Words::new(harmless(&class.name), Tone::Strong), Words::plain(words::hull(class.hull()))];
        row.extend(numbers.map(|number| Words::plain(number.to_string())));
        row.push(Words::plain(cost));
        row
    };
    let rows: Vec<Vec<Words>> = briefing.own.classes.iter().map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec![Block::Table(vec!["class", "hull", "guns", "DP", "engines", "scan", "racks", "tonnes", "RU"], rows)]
}

/// Portals, storms and nebulae.
pub(super) fn sky(briefing: &Briefing<'_>) -> Vec<Block> {
    let mut rows = Vec::new();
    for (at, cell) in &briefing.atlas.cells {
        for portal in &cell.portals {
            let held = briefing.own.navigation.iter().find(|held| held.portal.eq_ignore_ascii_case(&portal.name));
            let told = match held {
                None => Words::new("no navigation data", Tone::Faint),
                Some(held) if held.exits.is_empty() => Words::plain("navigation data held, no exit known"),
                Some(held) => Words::plain(format!("leads to {}", harmless(&held.exits.join(", ")))),
            };
            let told = if portal.collapsed { told.and(", collapsed", Tone::Bad) } else { told };
            rows.push((*at, vec![Words::new(&portal.name, Tone::Strong), Words::plain("portal"), told]));
        }
        for storm in &cell.storms {
            let what = if storm.rating == 0 { "nebula" } else { "storm" };
            let told = if storm.rating == 0 { String::new() } else { format!("rating {}", storm.rating) };
            rows.push((*at, vec![Words::new(&storm.name, Tone::Strong), Words::plain(what), Words::plain(told)]));
        }
    }
    rows.sort_by_key(|(at, _)| (distance(*at, briefing.atlas.home), *at));
    if rows.is_empty() {
        return Vec::new();
    }
    let with_sector = |(at, mut row): (_, Vec<Words>)| {
        row.insert(1, Words::plain(words::sector(at)));
        row
    };
    vec![Block::Table(vec!["name", "sector", "", ""], rows.into_iter().map(with_sector).collect())]
}

/// Who may see what.
pub(super) fn grants(briefing: &Briefing<'_>) -> Vec<Block> {
    let status = briefing.own.status.as_ref();
    let grants = status.map(|status| status.grants.as_slice()).unwrap_or_default();
    let item = |grant: &heliopause_proto::star_empires::v1::Grant| {
        let mut parts = Vec::new();
        if grant.all {
            parts.push("everything".to_owned());
        }
        parts.extend(grant.sectors.iter().map(|at| words::sector(place(Some(at)))));
        parts.extend(grant.ships.iter().map(|ship| format!("what {} sees", harmless(ship))));
        parts.extend(grant.classes.iter().map(|class| format!("what every {} sees", harmless(class))));
        joined(Words::default(), [briefing.empire(grant.to)].into_iter(), "")
            .and(format!(" may see {}", parts.join(", ")), Tone::Plain)
    };
    if grants.is_empty() { Vec::new() } else { vec![Block::List(grants.iter().map(item).collect())] }
}
