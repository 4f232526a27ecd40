//! Positions and views.

use heliopause_kernel::wire::{Result, inside, wrong, wrong_field};

use super::{OrderSheet, Orders, PositionSheet, Sight, TableSheet};
use crate::command::Sheet;
use crate::game::Diplomacy;
use crate::table::{Table, seats};
use crate::view::{Insight, View};

impl PositionSheet {
    /// What is written of a game.
    pub(crate) fn of(game: &Diplomacy) -> Self {
        Self {
            table: TableSheet::of(&game.table),
            sheets: game.sheets.iter().map(OrderSheet::of).collect(),
        }
    }

    /// The game.
    pub(crate) fn game(self) -> Result<Diplomacy> {
        let table = inside("table", self.table.table())?;
        let sheets = all(&table, self.sheets)?;
        let game = Diplomacy { table, sheets };
        checked(&game)?;
        Ok(game)
    }
}

impl Sight {
    /// What is written of a view.
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
        Self { table: TableSheet::of(&view.table), insight }
    }

    /// The view. The table is no more trusted than a position: look-ahead goes on from it.
    pub(crate) fn view(self) -> Result<View> {
        let table = inside("table", self.table.table())?;
        let count = seats(&table.options, table.players);
        let mut sheets = vec![Sheet::new(); count];
        let insight = match self.insight {
            None => Insight::Spectator,
            Some(Orders::Own { seat, sheet }) => {
                let Some(own) = sheets.get_mut(seat.index()) else {
                    return wrong_field("own.seat", "there is no such seat");
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

/// One sheet a seat; none at all means that nobody has ordered anything.
fn all(table: &Table, sheets: Vec<OrderSheet>) -> Result<Vec<Sheet>> {
    let count = seats(&table.options, table.players);
    if sheets.is_empty() {
        return Ok(vec![Sheet::new(); count]);
    }
    if sheets.len() != count {
        return wrong_field(
            "sheets",
            format!("there are {} of them for {count} seats", sheets.len()),
        );
    }
    Ok(sheets.into_iter().map(|sheet| sheet.orders).collect())
}

/// A state that came from outside holds together, or is refused.
fn checked(game: &Diplomacy) -> Result<()> {
    crate::integrity::check(game).or_else(wrong)
}
