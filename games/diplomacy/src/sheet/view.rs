//! Conversion of positions and views to and from their encoded form, with checks of untrusted
//! input.

use heliopause_kernel::wire::{Result, inside, wrong, wrong_field};

use super::{Orders, PositionSheet, TableSheet, ViewSheet};
use crate::command::Sheet;
use crate::game::Diplomacy;
use crate::table::{Table, seats};
use crate::view::{Insight, View};

impl PositionSheet {
    pub(crate) fn of(game: &Diplomacy) -> Self {
        Self { table: TableSheet::of(&game.table), sheets: game.sheets.clone() }
    }

    pub(crate) fn game(self) -> Result<Diplomacy> {
        let table = inside("table", self.table.table())?;
        let sheets = all(&table, self.sheets)?;
        let game = Diplomacy { table, sheets };
        checked(&game)?;
        Ok(game)
    }
}

impl ViewSheet {
    pub(crate) fn of(view: &View) -> Self {
        let insight = match &view.insight {
            Insight::Spectator => None,
            Insight::Seat(seat, sheet) => Some(Orders::Own { seat: *seat, sheet: sheet.clone() }),
            Insight::GameMaster(sheets) => Some(Orders::All { sheets: sheets.clone() }),
        };
        Self { table: TableSheet::of(&view.table), orders: insight }
    }

    /// Returns the view. Checks the table as strictly as that of a position, because look-ahead
    /// continues from the view.
    pub(crate) fn view(self) -> Result<View> {
        let table = inside("table", self.table.table())?;
        let count = seats(&table.options, table.players);
        let mut sheets = vec![Sheet::default(); count];
        let insight = match self.orders {
            None => Insight::Spectator,
            Some(Orders::Own { seat, sheet }) => {
                let Some(own) = sheets.get_mut(seat.index()) else {
                    let text = format!("expected 1 to {count}, found {}", seat.number());
                    return wrong_field("own.seat", text);
                };
                own.clone_from(&sheet);
                Insight::Seat(seat, sheet)
            }
            Some(Orders::All { sheets: every }) => {
                sheets = inside("all", all(&table, every))?;
                Insight::GameMaster(sheets.clone())
            }
        };
        let game = Diplomacy { table, sheets };
        inside("table", checked(&game))?;
        Ok(View { table: game.table, insight })
    }
}

/// Reads one sheet per seat. An empty list means that no seat has given orders.
fn all(table: &Table, sheets: Vec<Sheet>) -> Result<Vec<Sheet>> {
    let count = seats(&table.options, table.players);
    if sheets.is_empty() {
        return Ok(vec![Sheet::default(); count]);
    }
    if sheets.len() != count {
        return wrong_field(
            "sheets",
            format!("expected {count}, one for each seat, found {}", sheets.len()),
        );
    }
    Ok(sheets)
}

fn checked(game: &Diplomacy) -> Result<()> {
    crate::integrity::check(game).or_else(wrong)
}
