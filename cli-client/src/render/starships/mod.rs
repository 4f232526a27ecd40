//! The map of Starships at Large.

use heliopause_proto::starships_at_large::v1::{Order, Piece, View, order, piece};
use heliopause_proto::v1::Game;

use super::Drawing;
use crate::style::Style;

mod board;
mod picture;
mod screen;

use board::Board;

/// A view of Starships at Large, ready to be drawn.
#[derive(Debug)]
pub struct Map {
    board: Board,
}

impl Map {
    /// Reads a view; names and progress come from the table around it.
    pub fn new(view: &View, game: &Game) -> Self {
        Self { board: Board::new(view, game) }
    }
}

impl Drawing for Map {
    fn text(&self, style: &Style) -> String {
        screen::draw(&self.board, style)
    }

    fn svg(&self) -> String {
        picture::draw(&self.board)
    }
}

/// The letter by which a seat's pieces go: A1 is the first starship of seat 1.
fn letter(seat: u32) -> char {
    let offset = u8::try_from(seat.saturating_sub(1)).unwrap_or(25).min(25);
    char::from(b'A' + offset)
}

/// The heading under which an order stands in a list of choices.
pub fn heading(order: &Order) -> String {
    use order::Kind;
    let starship = |piece: &Option<Piece>| piece.as_ref().map_or_else(|| "Starships".into(), name);
    match &order.kind {
        Some(Kind::MoveStarship(order)) => starship(&order.starship),
        Some(Kind::WarpStarship(order)) => starship(&order.starship),
        Some(Kind::AttemptPlanet(order)) => starship(&order.piece),
        Some(Kind::Attack(order)) => starship(&order.piece),
        Some(Kind::MoveBase(_) | Kind::SettleBase(_)) => "Base".into(),
        Some(Kind::Build(_)) => "Build".into(),
        Some(Kind::FightOn(_) | Kind::Withdraw(_) | Kind::Fire(_) | Kind::HoldFire(_)) => "Battle".into(),
        Some(Kind::TurnFaceUp(_) | Kind::PutMarker(_) | Kind::TakeUpMarker(_)) => "Markers".into(),
        Some(Kind::GivePlanet(_)) => "Gifts".into(),
        Some(Kind::PutZone(_) | Kind::GrowZone(_) | Kind::StopZones(_)) => "Death Zones".into(),
        Some(Kind::Sacrifice(_) | Kind::ChooseStarship(_) | Kind::ChoosePlanet(_)) => "You must choose".into(),
        Some(
            Kind::ExileVote(_)
            | Kind::Offer(_)
            | Kind::Accept(_)
            | Kind::Retract(_)
            | Kind::EndPartnership(_)
            | Kind::GiveWord(_),
        ) => "Diplomacy".into(),
        Some(Kind::EndTurn(_)) | None => "Turn".into(),
    }
}

fn name(piece: &Piece) -> String {
    match &piece.kind {
        Some(piece::Kind::Starship(serial)) if piece.owner == 0 => format!("Starship {serial}"),
        Some(piece::Kind::Starship(serial)) => format!("Starship {}{serial}", letter(piece.owner)),
        _ => "Base".into(),
    }
}
