//! Worlds: the reader's own with their income, and those of others.

use heliopause_proto::star_empires::v1::{Siege, WorldSeen};

use super::Briefing;
use crate::document::{Block, Tone, Words};
use crate::star_empires::atlas::{Place, distance, place};
use crate::star_empires::words;
use crate::text::{count, harmless};

fn seen(briefing: &Briefing<'_>, wanted: impl Fn(u32) -> bool) -> Vec<(Place, WorldSeen)> {
    let chart = briefing.own.chart.as_ref();
    let all = chart.into_iter().flat_map(|chart| &chart.worlds).filter(|world| wanted(world.owner));
    let mut worlds: Vec<(Place, WorldSeen)> = all.map(|world| (place(world.at.as_ref()), world.clone())).collect();
    worlds.sort_by_key(|(at, world)| (!world.homeworld, distance(*at, briefing.atlas.home), *at));
    worlds
}

fn siege(siege: Siege) -> Words {
    Words::new(words::siege(siege), if siege == Siege::Blockaded { Tone::Notice } else { Tone::Bad })
}

/// The reader's worlds.
pub(super) fn own(briefing: &Briefing<'_>) -> Vec<Block> {
    let worlds = seen(briefing, |owner| owner == briefing.atlas.seat);
    if worlds.is_empty() {
        return vec![Block::Text(Words::new("You own no world.", Tone::Bad))];
    }
    let row = |(at, world): &(Place, WorldSeen)| {
        let mark = if world.homeworld { " homeworld" } else { "" };
        vec![
            Words::new(harmless(&world.name), Tone::Strong).and(mark, Tone::Faint),
            Words::plain(words::sector(*at)),
            Words::plain(world.production.to_string()),
            Words::plain(world.stockpile.map_or_else(|| "?".into(), |stockpile| stockpile.to_string())),
            siege(world.siege()),
        ]
    };
    let production: u32 = worlds.iter().map(|(_, world)| world.production).sum();
    let stockpile: u32 = worlds.iter().filter_map(|(_, world)| world.stockpile).sum();
    let mut rows: Vec<Vec<Words>> = worlds.iter().map(row).collect();
    let total =
        [count(worlds.len(), "world"), String::new(), production.to_string(), stockpile.to_string(), String::new()];
    rows.push(total.map(|text| Words::new(text, Tone::Strong)).to_vec());
    vec![Block::Table(vec!["world", "sector", "RU a turn", "RU in stock", ""], rows)]
}

/// The worlds of others and of nobody, as last seen.
pub(super) fn others(briefing: &Briefing<'_>) -> Vec<Block> {
    let worlds = seen(briefing, |owner| owner != briefing.atlas.seat);
    if worlds.is_empty() {
        return Vec::new();
    }
    let row = |(at, world): &(Place, WorldSeen)| {
        let cell = briefing.atlas.cell(*at).cloned().unwrap_or_default();
        let mark = if world.homeworld { " homeworld" } else { "" };
        let last = match cell.scanned {
            Some(turn) if turn == briefing.atlas.turn => "this turn".to_owned(),
            Some(turn) => format!("turn {turn}"),
            None => "never".into(),
        };
        vec![
            Words::plain(harmless(&world.name)).and(mark, Tone::Faint),
            Words::plain(words::sector(*at)),
            briefing.empire(world.owner),
            Words::plain(world.production.to_string()),
            Words::plain(world.stockpile.map_or_else(|| "?".into(), |stockpile| stockpile.to_string())),
            Words::new(last, Tone::Faint),
            siege(world.siege()),
        ]
    };
    let headings = vec!["world", "sector", "owner", "RU a turn", "RU in stock", "last scanned", ""];
    vec![Block::Table(headings, worlds.iter().map(row).collect())]
}
