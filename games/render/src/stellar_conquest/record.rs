//! The record sheet, with the panels, the submitted sheet, and the standing orders.

use heliopause_stellar_conquest::{
    FirePolicy, RefugePolicy, ScuttlePolicy, StandingOrders, StayPolicy,
};

use super::atlas::Atlas;
use super::{campaign, panels};
use crate::document::{Block, Document, Section, Tone, Words};
use crate::scene::report;

pub(super) fn document(atlas: &Atlas) -> Option<Document> {
    let (seat, power) = atlas.own()?;
    let panels = panels::all(atlas);
    let stored = super::lexicon::stored(&atlas.view);
    let stored = stored.map(|lines| Block::list(lines.into_iter().map(Words::plain).collect()));
    let standing = vec![
        Block::Text(Words::plain(standing_orders(power.standing))),
        Block::Text(Words::new("Orders such as `standing fire ask` change them.", Tone::Faint)),
    ];
    let sections =
        std::iter::once(campaign::section(atlas)).chain(panels.iter().map(report::section));
    let own = [
        Section::new("Handed in", stored.unwrap_or_default()),
        Section::new("Standing orders", standing),
    ];
    Some(Document {
        title: format!("Record sheet of {}", atlas.name(seat)),
        lead: vec![Words::plain(atlas.news.join(" "))],
        sections: sections.chain(own).flatten().collect(),
    })
}

/// Describes how the viewer's standing orders decide.
fn standing_orders(orders: StandingOrders) -> String {
    let fire = match orders.fire {
        FirePolicy::Ask => "ask me",
        FirePolicy::Spread => "one target each, the most dangerous first",
        FirePolicy::Focus => "many guns at the most dangerous target",
        FirePolicy::Hold => "hold fire",
    };
    let stay = match orders.stay {
        StayPolicy::Ask => "ask me",
        StayPolicy::Always => "all stay",
        StayPolicy::WhileMoreWarships => "stay while I have more warships",
        StayPolicy::WhileNoFewerWarships => "stay while I have no fewer warships",
        StayPolicy::Never => "all leave after the first round",
    };
    let leave = |leaves| if leaves { "leave as soon as they may" } else { "do as the other ships" };
    let refuge = match orders.refuge {
        RefugePolicy::Ask => "ask me",
        RefugePolicy::Away => "away from their entry hex",
    };
    let scuttle = match orders.scuttle {
        ScuttlePolicy::Ask => "ask me",
        ScuttlePolicy::Never => "never destroy factories",
        ScuttlePolicy::WhenLost => "destroy them when the colony is lost",
    };
    format!(
        "targets, when attacked: {fire}; after a round: {stay}; scouts: {}; transports: {}; where \
         enemies withdraw to: {refuge}; factories under attack: {scuttle}.",
        leave(orders.scouts_leave),
        leave(orders.transports_leave),
    )
}
