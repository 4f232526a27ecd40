//! Conversion of positions and views to and from their encoded form, with checks of untrusted
//! input.

use heliopause_kernel::wire::{Result, inside, wrong, wrong_field};

use super::{OrderSheet, Orders, PositionSheet, TableSheet, ViewSheet};
use crate::command::Sheet;
use crate::game::Diplomacy;
use crate::table::{Table, seats};
use crate::view::{Insight, View};

impl PositionSheet {
    pub(crate) fn of(game: &Diplomacy) -> Self {
        Self {
            table: TableSheet::of(&game.table),
            sheets: game.sheets.iter().map(OrderSheet::of).collect(),
        }
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
            Insight::Seat(seat, sheet) => {
                Some(Orders::Own { seat: *seat, sheet: OrderSheet::of(sheet) })
            }
            Insight::GameMaster(sheets) => {
                Some(Orders::All { sheets: sheets.iter().map(OrderSheet::of).collect() })
            }
        };
        Self { table: TableSheet::of(&view.table), orders: insight }
    }

    /// Returns the view. Checks the table as strictly as that of a position, because look-ahead
    /// continues from the view.
    pub(crate) fn view(self) -> Result<View> {
        let table = inside("table", self.table.table())?;
        let count = seats(&table.options, table.players);
        let mut sheets = vec![Sheet::new(); count];
        let insight = match self.orders {
            None => Insight::Spectator,
            Some(Orders::Own { seat, sheet }) => {
                let Some(own) = sheets.get_mut(seat.index()) else {
                    let text = format!("expected 1 to {count}, found {}", seat.number());
                    return wrong_field("own.seat", text);
                };
                own.clone_from(&sheet.orders);
                Insight::Seat(seat, sheet.orders)
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

impl OrderSheet {
    fn of(orders: &Sheet) -> Self {
        Self { orders: orders.clone() }
    }
}

/// Reads one sheet per seat. An empty list means that no seat has given orders.
fn all(table: &Table, sheets: Vec<OrderSheet>) -> Result<Vec<Sheet>> {
    let count = seats(&table.options, table.players);
    if sheets.is_empty() {
        return Ok(vec![Sheet::new(); count]);
    }
    if sheets.len() != count {
        return wrong_field(
            "sheets",
            format!("expected {count}, one for each seat, found {}", sheets.len()),
        );
    }
    Ok(sheets.into_iter().map(|sheet| sheet.orders).collect())
}

fn checked(game: &Diplomacy) -> Result<()> {
    crate::integrity::check(game).or_else(wrong)
}
