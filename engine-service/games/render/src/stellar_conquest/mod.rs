//! Stellar Conquest and The Fate of Empire: map, record sheet, and battles.
//!
//! Stars, clouds, prices and tables are those of the rules crate, and views are read into its types, so that what is shown
//! cannot differ from what is judged.

use heliopause_kernel::{Game as _, Wire as _};
use heliopause_proto::stellar_conquest::v1::{Event, Order, View, event};
use heliopause_proto::v1::Game;
use heliopause_stellar_conquest::{Stage, StellarConquest};

use super::document::Document;
use super::story::Teller;
use super::{Chronicle, Drawing, Lexicon, Renderer};
use crate::style::Style;
use crate::text::harmless;
use crate::wording;

mod atlas;
mod campaign;
mod chronicle;
mod labels;
mod lexicon;
mod notation;
mod palette;
mod panel;
mod picture;
mod politics;
mod record;
#[cfg(test)]
mod sample;
mod screen;
mod standing;
mod tale;
#[cfg(test)]
mod tests;
mod words;

use atlas::Atlas;

/// A view, ready to be drawn.
#[derive(Debug)]
pub struct Map {
    atlas: Atlas,
}

impl Map {
    /// Reads a view; names and progress come from the table around it. None if it is no sound view of this game.
    pub fn new(view: &View, game: &Game) -> Option<Self> {
        let view = StellarConquest::read_view(view).ok()?;
        Some(Self { atlas: Atlas::new(view, game) })
    }
}

impl Drawing for Map {
    fn text(&self, style: &Style) -> String {
        screen::draw(&self.atlas, style)
    }

    fn svg(&self) -> String {
        picture::draw(&self.atlas)
    }

    fn report(&self) -> Option<Document> {
        record::document(&self.atlas)
    }

    fn scene(&self) -> Option<String> {
        let table = &self.atlas.view.table;
        let act = match table.stage {
            Stage::Setup => "setup",
            Stage::Production => "production",
            Stage::Over => "over",
            // Movements and answers of one turn belong together: the map is drawn again when it is asked for.
            _ => "turn",
        };
        Some(format!("{act} {} {}", table.turn, table.active.number()))
    }
}

fn names(view: &View, game: &Game) -> Vec<String> {
    let seats = view.table.as_ref().map_or(0, |table| table.players) + 2;
    (1..=seats).map(|seat| name(game, seat)).collect()
}

/// What a seat is called: its player, or its role if automation plays it.
fn name(game: &Game, number: u32) -> String {
    let automated = game.seats.iter().find(|seat| {
        seat.number == number && matches!(seat.occupant, Some(heliopause_proto::v1::seat::Occupant::Automated(_)))
    });
    harmless(&automated.map_or_else(|| wording::seat_name(game, number), |seat| seat.role.clone()))
}

impl Renderer for StellarConquest {
    fn drawing(view: &View, game: &Game, _told: &[&Event]) -> Option<Box<dyn Drawing>> {
        Some(Box::new(Map::new(view, game)?))
    }

    fn notation(_kind: &str) -> &'static str {
        notation::NOTATION
    }

    /// The teller knows.
    fn opens(_event: &Event) -> Option<String> {
        None
    }

    fn teller(view: &View) -> Option<Box<dyn Teller>> {
        Some(Box::new(tale::Tale::new(&Self::read_view(view).ok()?)))
    }

    fn chronicle(view: &View, game: &Game) -> Option<Box<dyn Chronicle>> {
        Some(Box::new(chronicle::Chronicle::new(Self::read_view(view).ok(), names(view, game))))
    }

    fn awaited(view: &View) -> Option<u32> {
        let own = view.seat;
        let view = Self::read_view(view).ok()?;
        let battle = view.table.battle.as_deref()?;
        battle.waits_for().iter().map(heliopause_kernel::Seat::number).find(|seat| *seat != own)
    }

    fn help(word: &str) -> Option<String> {
        notation::help(word)
    }

    fn lexicon(view: &View) -> Option<Box<dyn Lexicon>> {
        Some(Box::new(lexicon::Names::new(&Self::read_view(view).ok()?)))
    }

    /// In a production turn.
    fn sheet(view: &View) -> Option<Vec<String>> {
        notation::sheet(&Self::read_view(view).ok()?)
    }

    fn empty_sheet(view: &View) -> Option<Order> {
        let view = Self::read_view(view).ok()?;
        let orders = Self::parse(&view, notation::sheet_verb(&view)?).ok()?;
        orders.first().map(Self::write_order)
    }

    /// It only keeps clients up to date, or repeats what another event tells.
    fn is_told_elsewhere(event: &Event) -> bool {
        use event::Kind;
        matches!(
            event.kind,
            Some(
                Kind::StageChanged(_)
                    | Kind::Grouped(_)
                    | Kind::Passed(_)
                    | Kind::BattleStageChanged(_)
                    | Kind::Engaged(_)
                    | Kind::Aimed(_)
                    | Kind::SheetStored(_)
                    | Kind::GlimpseKept(_)
                    | Kind::LandingBegan(_)
            )
        )
    }

    fn past(view: &View, told: &[&Event], turn: u32) -> Result<View, String> {
        let view = Self::read_view(view).map_err(|malformed| malformed.to_string())?;
        Ok(Self::write_view(&tale::past(&view, told, turn)?))
    }
}
