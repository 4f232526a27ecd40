//! Stellar Conquest and The Fate of Empire: map, record sheet, and battles.
//!
//! Stars, clouds, prices and tables come from `heliopause_stellar_conquest`, so they always match
//! the rules.
#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_kernel::{Game as _, Seat, Viewer};
use heliopause_proto::v1::Game;
use heliopause_stellar_conquest::{
    BattleEvent, Event, Options, Order, OwnEvent, Place, Stage, StarId, StellarConquest,
    TableEvent, View,
};

use super::document::{Document, Tone};
use super::{Chronicle, Drawing, Lexicon, Renderer};
use crate::board::Board;
use crate::guess;
use crate::scene::{Scene, report};
use crate::text::harmless;
use crate::wording;

mod atlas;
mod campaign;
mod chronicle;
mod economy;
mod event_story;
mod holdings;
mod lexicon;
mod panels;
mod places;
mod politics;
mod record;
#[cfg(test)]
mod sample;
mod scene;
mod sectors;
#[cfg(test)]
mod tests;
mod words;

use atlas::Atlas;

/// The default radius of a partial map, in rows of hexes.
const AROUND: u32 = 4;

impl Drawing for Atlas {
    fn scene(&self) -> Scene {
        scene::build(self)
    }

    fn area(&self, name: &str) -> Option<(String, u32)> {
        let star = name.parse::<StarId>().ok().map(StarId::at);
        let place: Place = star.or_else(|| name.parse().ok())?;
        Some((place.to_string(), AROUND))
    }

    fn report(&self) -> Document {
        record::document(self).unwrap_or_else(|| report::document(&self.scene()))
    }

    fn redraw_key(&self) -> Option<String> {
        let table = &self.view.table;
        let act = match table.stage {
            Stage::Setup => "setup",
            Stage::Production => "production",
            Stage::Over => "over",
            // Within a turn, movements and answers do not change the key: clients draw the map
            // again on request.
            Stage::Campaign(_)
            | Stage::Movement
            | Stage::Combat
            | Stage::Battle
            | Stage::Planets => "turn",
        };
        Some(format!("{act} {} {}", table.turn, table.active.number()))
    }
}

fn names(view: &View, game: &Game) -> Vec<String> {
    Seat::first(view.table.seats()).map(|seat| name(game, seat.number())).collect()
}

fn name(game: &Game, number: u32) -> String {
    let automated = game.seats.iter().find(|seat| {
        seat.number == number
            && matches!(seat.occupant, Some(heliopause_proto::v1::seat::Occupant::Automated(_)))
    });
    harmless(&automated.map_or_else(|| wording::seat_name(game, number), |seat| seat.role.clone()))
}

impl Renderer for StellarConquest {
    fn drawing(view: &View, game: &Game, _told: &[Event]) -> Box<dyn Drawing> {
        guess::marked(Box::new(Atlas::new(view.clone(), game)), game)
    }

    fn board(_options: &Options) -> Board {
        places::board(&[])
    }

    fn visible_board(view: &View) -> Board {
        places::board(&view.table.entries)
    }

    fn notation(_kind: &str) -> &'static str {
        lexicon::NOTATION
    }

    fn importance(event: &Event) -> Option<Tone> {
        event_story::importance(event)
    }

    fn chronicle(view: &View, game: &Game) -> Option<Box<dyn Chronicle<Event>>> {
        Some(Box::new(chronicle::Chronicle::new(view, names(view, game))))
    }

    fn awaited(view: &View) -> Option<Seat> {
        let battle = view.table.battle.as_deref()?;
        battle.waits_for().iter().find(|seat| view.viewer() != Viewer::Seat(*seat))
    }

    fn help(word: &str) -> Option<String> {
        lexicon::help(word)
    }

    fn lexicon(view: &View) -> Option<Box<dyn Lexicon>> {
        Some(Box::new(lexicon::completion(view)))
    }

    fn sheet(view: &View) -> Option<Vec<String>> {
        lexicon::sheet(view)
    }

    fn empty_sheet(view: &View) -> Option<Order> {
        Self::parse(view, lexicon::sheet_verb(view)?).ok()?.into_iter().next()
    }

    /// Returns whether the event only updates clients or repeats another event.
    fn is_redundant(event: &Event) -> bool {
        use {BattleEvent as Battle, OwnEvent as Own, TableEvent as Table};
        matches!(
            event,
            Event::Table(Table::StageChanged { .. } | Table::Grouped { .. } | Table::Passed { .. })
                | Event::Battle(Battle::BattleStageChanged { .. } | Battle::Aimed { .. })
                | Event::Own(
                    Own::Engaged { .. } | Own::SheetStored { .. } | Own::LandingBegan { .. }
                )
                | Event::GlimpseKept { .. }
        )
    }
}
