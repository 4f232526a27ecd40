//! Worlds: the reader's own with their income, and those of others.

use heliopause_star_empires::{Siege, WorldSeen};

use super::Briefing;
use crate::document::{Block, Tone, Words};
use crate::star_empires::words;
use crate::text::count;

/// Worlds, homeworlds first, then the nearest.
fn sorted<'a>(
    briefing: &Briefing<'_>,
    worlds: impl Iterator<Item = &'a WorldSeen>,
) -> Vec<&'a WorldSeen> {
    let mut worlds: Vec<&WorldSeen> = worlds.collect();
    worlds
        .sort_by_key(|world| (!world.homeworld, world.at.distance(briefing.atlas.home), world.at));
    worlds
}

fn siege(siege: Option<Siege>) -> Words {
    Words::new(
        words::siege(siege),
        if siege == Some(Siege::Blockaded) { Tone::Notice } else { Tone::Bad },
    )
}

/// The RU at a world, if they are known.
fn stock(world: &WorldSeen) -> Words {
    Words::plain(world.stockpile.map_or_else(|| "?".into(), |stockpile| stockpile.to_string()))
}

/// The reader's worlds.
pub(super) fn own(briefing: &Briefing<'_>) -> Vec<Block> {
    let worlds = sorted(briefing, briefing.own_worlds());
    if worlds.is_empty() {
        return vec![Block::Text(Words::new("You own no world.", Tone::Bad))];
    }
    let row = |world: &&WorldSeen| {
        let mark = if world.homeworld { " homeworld" } else { "" };
        vec![
            Words::new(world.name.as_str(), Tone::Strong).and(mark, Tone::Faint),
            Words::plain(world.at.to_string()),
            Words::plain(world.production.to_string()),
            stock(world),
            siege(world.siege),
        ]
    };
    let production: u32 = worlds.iter().map(|world| world.production).sum();
    let stockpile: u32 = worlds.iter().filter_map(|world| world.stockpile).sum();
    let mut rows: Vec<Vec<Words>> = worlds.iter().map(row).collect();
    let total = [
        count(worlds.len(), "world"),
        String::new(),
        production.to_string(),
        stockpile.to_string(),
        String::new(),
    ];
    rows.push(total.map(|text| Words::new(text, Tone::Strong)).to_vec());
    vec![Block::Table(vec!["world", "sector", "RU a turn", "RU in stock", ""], rows)]
}

/// The worlds of others and of nobody, as last seen.
pub(super) fn others(briefing: &Briefing<'_>) -> Vec<Block> {
    let others =
        briefing.own.chart.worlds.iter().filter(|world| world.owner != briefing.atlas.seat);
    let worlds = sorted(briefing, others);
    if worlds.is_empty() {
        return Vec::new();
    }
    let row = |world: &&WorldSeen| {
        let mark = if world.homeworld { " homeworld" } else { "" };
        let last = match briefing.own.chart.sector(world.at).and_then(|row| row.scanned) {
            Some(turn) if turn == briefing.atlas.view.turn => "this turn".to_owned(),
            Some(turn) => format!("turn {turn}"),
            None => "never".into(),
        };
        vec![
            Words::plain(world.name.as_str()).and(mark, Tone::Faint),
            Words::plain(world.at.to_string()),
            briefing.owner(world.owner),
            Words::plain(world.production.to_string()),
            stock(world),
            Words::new(last, Tone::Faint),
            siege(world.siege),
        ]
    };
    let headings = vec!["world", "sector", "owner", "RU a turn", "RU in stock", "last scanned", ""];
    vec![Block::Table(headings, worlds.iter().map(row).collect())]
}
