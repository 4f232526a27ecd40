//! What else is known: empires, designs, portals and storms, and who may see what.

use std::collections::BTreeMap;

use heliopause_kernel::Seat;
use heliopause_star_empires::{Class, Coord, EmpireSeen, GrantSeen, Name};

use super::Briefing;
use crate::document::{Block, Tone, Words};
use crate::star_empires::palette;

/// The empires, with what is known of their worlds.
pub(super) fn empires(briefing: &Briefing<'_>) -> Vec<Block> {
    let mut worlds: BTreeMap<Option<Seat>, (usize, u32)> = BTreeMap::new();
    for world in &briefing.own.chart.worlds {
        let known = worlds.entry(world.owner).or_default();
        *known = (known.0 + 1, known.1 + world.production);
    }
    let status = &briefing.own.status;
    let row = |empire: &EmpireSeen| {
        let seat = empire.seat;
        let (count, production) = worlds.get(&Some(seat)).copied().unwrap_or_default();
        let relation = match seat {
            seat if seat == status.seat => Words::new("yourself", Tone::Faint),
            seat if status.allies.contains(seat) => Words::new("ally, contact", Tone::Good),
            _ if empire.contact => Words::new("contact", Tone::Good),
            _ => Words::new("heard of only", Tone::Faint),
        };
        vec![
            Words::new(empire.code.as_str(), Tone::Strong),
            Words::new(briefing.atlas.name(seat), palette::tone(Some(seat))),
            Words::plain(seat.to_string()),
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
    let row = |class: &Class| {
        let cost = if class.unbuildable { "-".to_owned() } else { class.cost.to_string() };
        let mut row =
            vec![Words::new(class.name.as_str(), Tone::Strong), Words::plain(class.hull.as_str())];
        row.extend(class.ratings.list().map(|number| Words::plain(number.to_string())));
        row.extend([class.tonnage.to_string(), cost].map(Words::plain));
        row
    };
    let rows: Vec<Vec<Words>> = briefing.own.classes.iter().map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec![Block::Table(
        vec!["class", "hull", "guns", "DP", "engines", "scan", "racks", "tonnes", "RU"],
        rows,
    )]
}

/// Portals, storms and nebulae.
pub(super) fn sky(briefing: &Briefing<'_>) -> Vec<Block> {
    let mut rows = Vec::new();
    for (at, cell) in &briefing.atlas.cells {
        for portal in &cell.portals {
            let held = briefing.own.navigation.iter().find(|held| held.portal == portal.name);
            let told = match held {
                None => Words::new("no navigation data", Tone::Faint),
                Some(held) if held.exits.is_empty() => {
                    Words::plain("navigation data held, no exit known")
                }
                Some(held) => Words::plain(format!("leads to {}", listed(&held.exits))),
            };
            let told = if portal.collapsed { told.and(", collapsed", Tone::Bad) } else { told };
            rows.push((
                *at,
                vec![Words::new(portal.name.as_str(), Tone::Strong), Words::plain("portal"), told],
            ));
        }
        for storm in &cell.storms {
            let what = if storm.rating == 0 { "nebula" } else { "storm" };
            let told =
                if storm.rating == 0 { String::new() } else { format!("rating {}", storm.rating) };
            rows.push((
                *at,
                vec![
                    Words::new(storm.name.as_str(), Tone::Strong),
                    Words::plain(what),
                    Words::plain(told),
                ],
            ));
        }
    }
    rows.sort_by_key(|(at, _)| (at.distance(briefing.atlas.home), *at));
    if rows.is_empty() {
        return Vec::new();
    }
    let with_sector = |(at, mut row): (Coord, Vec<Words>)| {
        row.insert(1, Words::plain(at.to_string()));
        row
    };
    vec![Block::Table(vec!["name", "sector", "", ""], rows.into_iter().map(with_sector).collect())]
}

/// Who may see what.
pub(super) fn grants(briefing: &Briefing<'_>) -> Vec<Block> {
    let grants = &briefing.own.status.grants;
    let item = |grant: &GrantSeen| {
        let mut parts = Vec::new();
        if grant.all {
            parts.push("everything".to_owned());
        }
        parts.extend(grant.sectors.iter().map(ToString::to_string));
        parts.extend(grant.ships.iter().map(|ship| format!("what {ship} sees")));
        parts.extend(grant.classes.iter().map(|class| format!("what every {class} sees")));
        briefing.empire(grant.to).and(format!(" may see {}", parts.join(", ")), Tone::Plain)
    };
    if grants.is_empty() {
        Vec::new()
    } else {
        vec![Block::List(grants.iter().map(item).collect())]
    }
}

/// Names in a row.
pub(super) fn listed(names: &[Name]) -> String {
    names.iter().map(Name::as_str).collect::<Vec<_>>().join(", ")
}
