//! The record sheet, with the panels, the submitted sheet, and the standing orders.

use super::atlas::Atlas;
use super::{campaign, panels};
use crate::document::{Block, Document, Section, Tone, Words};
use crate::scene::report;

pub(super) fn document(atlas: &Atlas) -> Option<Document> {
    let (seat, power) = atlas.own()?;
    let panels = panels::all(atlas);
    let stored = super::notation::stored(&atlas.view);
    let stored = stored.map(|lines| Block::List(lines.into_iter().map(Words::plain).collect()));
    let standing = vec![
        Block::Text(Words::plain(super::standing::sentence(power.standing))),
        Block::Text(Words::new("Change them with `standing` at the table.", Tone::Faint)),
    ];
    let sections =
        std::iter::once(campaign::section(atlas, power)).chain(panels.iter().map(report::section));
    let own = [
        Section::new("Handed in", stored.into_iter().collect()),
        Section::new("Standing orders", standing),
    ];
    Some(Document {
        title: format!("Record sheet of {}", atlas.name(seat)),
        lead: vec![Words::plain(atlas.news.join(" "))],
        sections: sections.chain(own).flatten().collect(),
    })
}
