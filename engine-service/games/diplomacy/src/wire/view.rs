//! Views.

use heliopause_kernel::Malformed;
use heliopause_proto::diplomacy::v1 as proto;
use proto::view::Insight as Message;

use super::names::read_seat;
use super::order::{read_sheet, write_sheet};
use super::{each, table, within, wrong};
use crate::command::Sheet;
use crate::game::Diplomacy;
use crate::table::{Table, seats};
use crate::view::{Insight, View};

/// Reads a view. The table is no more trusted than a position: look-ahead goes on from it.
pub(super) fn read(message: &proto::View) -> Result<View, Malformed> {
    let table = table::read(message.table.as_ref(), "table")?;
    let insight = match &message.insight {
        None => Insight::Spectator,
        Some(Message::Own(own)) => {
            let seat = read_seat(own.seat, "own.seat")?;
            if seat.index() >= seats(&table.options, table.players) {
                return wrong("own.seat", "there is no such seat");
            }
            let sheet = own.sheet.as_ref().map_or_else(|| Ok(Sheet::new()), read_sheet);
            Insight::Seat(seat, within("own.sheet", sheet)?)
        }
        Some(Message::All(all)) => Insight::GameMaster(within("all", read_sheets(&table, &all.sheets))?),
    };
    let mut sheets = vec![Sheet::new(); seats(&table.options, table.players)];
    match &insight {
        Insight::Spectator => {}
        Insight::Seat(seat, sheet) => sheets[seat.index()].clone_from(sheet),
        Insight::GameMaster(all) => sheets.clone_from(all),
    }
    let game = Diplomacy { table, sheets };
    super::position::checked(&game, "table")?;
    Ok(View { table: game.table, insight })
}

/// One sheet a seat; none at all means that nobody has ordered anything.
pub(super) fn read_sheets(table: &Table, sheets: &[proto::Sheet]) -> Result<Vec<Sheet>, Malformed> {
    let count = seats(&table.options, table.players);
    if sheets.is_empty() {
        return Ok(vec![Sheet::new(); count]);
    }
    if sheets.len() != count {
        return wrong("sheets", format!("there are {} of them for {count} seats", sheets.len()));
    }
    each(sheets, "sheets", read_sheet)
}

pub(super) fn write(view: &View) -> proto::View {
    let insight = match &view.insight {
        Insight::Spectator => None,
        Insight::Seat(seat, sheet) => {
            Some(Message::Own(proto::OwnOrders { seat: seat.number(), sheet: Some(write_sheet(sheet)) }))
        }
        Insight::GameMaster(sheets) => {
            Some(Message::All(proto::AllOrders { sheets: sheets.iter().map(write_sheet).collect() }))
        }
    };
    proto::View { table: Some(table::write(&view.table)), insight }
}
