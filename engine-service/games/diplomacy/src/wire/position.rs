//! Positions: complete states, convenient to write by hand.

use heliopause_kernel::Malformed;
use heliopause_proto::diplomacy::v1 as proto;

use super::order::write_sheet;
use super::view::read_sheets;
use super::{table, wrong};
use crate::game::Diplomacy;

pub(super) fn read(message: &proto::Position) -> Result<Diplomacy, Malformed> {
    let table = table::read(message.table.as_ref(), "table")?;
    let sheets = read_sheets(&table, &message.sheets)?;
    let game = Diplomacy { table, sheets };
    checked(&game, "")?;
    Ok(game)
}

/// A state that came from outside holds together, or is refused.
pub(super) fn checked(game: &Diplomacy, field: &str) -> Result<(), Malformed> {
    crate::integrity::check(game).or_else(|fault| wrong(field, fault))
}

pub(super) fn write(game: &Diplomacy) -> proto::Position {
    proto::Position { table: Some(table::write(&game.table)), sheets: game.sheets.iter().map(write_sheet).collect() }
}
