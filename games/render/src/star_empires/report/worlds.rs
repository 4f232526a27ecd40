//! The known worlds that the reader does not own.

use heliopause_star_empires::{Siege, WorldSeen};

use super::ReportContext;
use crate::document::{Block, Tone, Words};
use crate::star_empires::words;

fn sorted<'a>(
    briefing: &ReportContext<'_>,
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

fn stock(world: &WorldSeen) -> Words {
    Words::plain(world.stockpile.map_or_else(|| "?".into(), |stockpile| stockpile.to_string()))
}

pub(super) fn others(briefing: &ReportContext<'_>) -> Vec<Block> {
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
    vec![Block::table(headings, worlds.iter().map(row).collect())]
}
