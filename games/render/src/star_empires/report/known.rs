//! Portals, storms, and grants of visibility.

use heliopause_star_empires::{Coord, GrantSeen, Name};

use super::ReportContext;
use crate::document::{Block, Tone, Words};

pub(super) fn sky(briefing: &ReportContext<'_>) -> Vec<Block> {
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
    vec![Block::table(["name", "sector", "", ""], rows.into_iter().map(with_sector).collect())]
}

pub(super) fn grants(briefing: &ReportContext<'_>) -> Vec<Block> {
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

pub(super) fn listed(names: &[Name]) -> String {
    names.iter().map(Name::as_str).collect::<Vec<_>>().join(", ")
}
