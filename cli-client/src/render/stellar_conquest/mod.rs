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
use super::{Chronicle, Drawing, Lexicon};
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

pub use notation::{NOTATION, help};

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

/// What tells battles at length.
pub fn chronicle(view: &View, game: &Game) -> Box<dyn Chronicle> {
    Box::new(chronicle::Chronicle::new(StellarConquest::read_view(view).ok(), names(view, game)))
}

/// What tells the game as a story.
pub fn teller(view: &View) -> Option<Box<dyn Teller>> {
    Some(Box::new(tale::Tale::new(&StellarConquest::read_view(view).ok()?)))
}

/// The view at the end of an earlier turn, from all that the viewer was told; or why it cannot be had.
pub fn past(view: &View, events: &[heliopause_proto::v1::Event], turn: u32) -> Result<View, String> {
    let view = StellarConquest::read_view(view).map_err(|malformed| malformed.to_string())?;
    Ok(StellarConquest::write_view(&tale::past(&view, events, turn)?))
}

/// The lines of the viewer's sheet, in a production turn.
pub fn sheet(view: &View) -> Option<Vec<String>> {
    notation::sheet(&StellarConquest::read_view(view).ok()?)
}

/// The order that takes everything off the sheet; none where there is no sheet.
pub fn empty_sheet(view: &View) -> Option<Order> {
    let view = StellarConquest::read_view(view).ok()?;
    let orders = StellarConquest::parse(&view, notation::sheet_verb(&view)?).ok()?;
    orders.first().map(StellarConquest::write_order)
}

/// What the Tab key completes for the viewer of this view.
pub fn lexicon(view: &View) -> Option<Box<dyn Lexicon>> {
    Some(Box::new(lexicon::Names::new(&StellarConquest::read_view(view).ok()?)))
}

/// The seat that a battle waits for, if it is not the viewer's.
pub fn awaited(view: &View) -> Option<u32> {
    let own = view.seat;
    let view = StellarConquest::read_view(view).ok()?;
    let battle = view.table.battle.as_deref()?;
    battle.waits_for().iter().map(heliopause_kernel::Seat::number).find(|seat| *seat != own)
}

/// The text of a rule, by its number.
pub fn rule(number: &str) -> Option<&'static str> {
    StellarConquest::rule(number)
}

/// Whether a player needs no sentence of this: it only keeps clients up to date, or repeats what another event tells.
pub fn is_told_elsewhere(event: &Event) -> bool {
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
