//! Notes 4.3, 12.1: orders as text, one a line.
//!
//! Keywords are in any case, items separated by blanks, and `#` begins a comment. A sector is
//! `(2,-1)` or `2,-1`. A name that is also a keyword, or that has blanks, is written between double
//! quotes: `LOAD Ant ONTO "to"`. So every name can be ordered about, whatever it is. `STRICT` in a
//! line of its own has the whole sheet refused if any of its lines is rejected.
//!
//! | order of an empire | example |
//! | --- | --- |
//! | 6.2.1 unload, 6.2.2 load | `UNLOAD Hawk1 Hawk2`, `LOAD Hawk1 nuke3 ONTO Mule` |
//! | 6.3.1 self-destruct | `DESTRUCT (2,-1) EXCEPT Mule` |
//! | 6.3.2 fire | `FIRE asc Lion nuke3 AT KRATOS` |
//! | 6.4.1 transmit | `TRANSMIT Charon TO KRATOS` |
//! | 6.4.2 move | `MOVE @Ember EXCEPT Lion TO (3,1)` |
//! | 6.4.3 traverse | `TRAVERSE Dove THROUGH Charon Styx` |
//! | 6.5.2 design | `DESIGN Alpha frigate gunship 20 15 4 2 0`, `DESIGN Alpha lance missile 20 3` |
//! | 6.5.3 give | `GIVE frigate TO KRATOS` |
//! | 6.6.1 build | `BUILD Alpha 3 frigate fox*` |
//! | 6.6.2 repair | `REPAIR Lion 12 Alpha Beta` |
//! | 6.6.3 toggle | `TOGGLE public @probe` |
//! | 6.6.4 conceal, 6.6.5 identify | `CONCEAL ALL FROM KRATOS`, `IDENTIFY Lion @probe TO KRATOS` |
//! | 6.7.2 pool, 6.7.3 transfer | `POOL Alpha EXCEPT Beta`, `TRANSFER Alpha 6 Gamma KRATOS` |
//! | 6.8.1 deny, 6.8.2 authorize | `DENY ALL TO KRATOS`, `AUTHORIZE CLASS probe TO KRATOS` |
//!
//! The game master's orders are those of notes 12.1, and `WITHDRAW 2`, `APPLY NOW`,
//! `ALLIANCES KRATOS CU / AB CD`.

mod lexer;
mod master;
mod reader;
mod sheet;
#[cfg(test)]
pub(crate) mod tests;
mod write;

use heliopause_kernel::Malformed;

use crate::order::{Fault, ITEMS_MAX, LINES_MAX, Line, Order, Sheet, Unread};
use crate::view::{Insight, View};
use lexer::Lexer;
use reader::Reader;

pub(crate) use write::{notate, word};

/// Reads a text: an empire's is one sheet, the game master's one order a line.
pub(crate) fn parse(view: &View, text: &str) -> Result<Vec<Order>, Malformed> {
    match view.insight {
        Insight::Empire(_) => parse_sheet(text).map(|sheet| vec![Order::Sheet(sheet)]),
        Insight::Master(_) => parse_master(text),
        Insight::Spectator => {
            Err(Malformed::text(1, 1, "Only an empire or the game master gives orders."))
        }
    }
}

/// Reads the sheet of an empire. A line that cannot be read is noted, and the others count (notes
/// 4.1); but a text of which no line can be read is no sheet.
pub(crate) fn parse_sheet(text: &str) -> Result<Sheet, Malformed> {
    let mut sheet = Sheet::default();
    let mut items = 0;
    read_lines(text, said, |number, said| {
        match said {
            Ok(Said::Strict) => sheet.strict = true,
            Ok(Said::Order(line)) => {
                items += line.items();
                if items > ITEMS_MAX {
                    return Err(Malformed::text(
                        number,
                        1,
                        format!("A sheet lists at most {ITEMS_MAX} names."),
                    ));
                }
                sheet.lines.push(line);
            }
            Err(fault) => {
                sheet.unread.push(Unread { behind: sheet.lines.len() as u32, fault: fault.into() });
            }
        }
        Ok(())
    })?;
    match sheet.unread.first() {
        Some(Unread { fault: Fault { line, column, message }, .. }) if sheet.lines.is_empty() => {
            Err(Malformed::text(*line, *column, message.as_str()))
        }
        _ => Ok(sheet),
    }
}

/// Reads the orders of the game master.
pub(crate) fn parse_master(text: &str) -> Result<Vec<Order>, Malformed> {
    let mut orders = Vec::new();
    read_lines(text, master::order, |_, order| {
        orders.push(Order::Master(order?));
        Ok(())
    })?;
    Ok(orders)
}

/// The word in a line of its own that makes a sheet strict.
pub(super) const STRICT: &str = "STRICT";

/// What a line of a sheet says.
enum Said {
    Order(Line),
    Strict,
}

fn said(reader: &mut Reader<'_>) -> Result<Said, Malformed> {
    if reader.take(STRICT) { Ok(Said::Strict) } else { sheet::line(reader).map(Said::Order) }
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Self {
        let Malformed { line, column, message, .. } = malformed;
        Self { line, column, message }
    }
}

/// Reads each line that is not empty, and hands it over with its number.
fn read_lines<T>(
    text: &str,
    read: fn(&mut Reader<'_>) -> Result<T, Malformed>,
    mut take: impl FnMut(u32, Result<T, Malformed>) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let mut lexer = Lexer::default();
    let mut count = 0;
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let order = match lexer.split(line, number) {
            Ok([]) => continue,
            Ok(tokens) => {
                let mut reader = Reader::new(line, number, tokens);
                read(&mut reader).and_then(|order| reader.end().map(|()| order))
            }
            Err(fault) => Err(fault),
        };
        if count >= LINES_MAX {
            return Err(Malformed::text(
                number,
                1,
                format!("There are more than {LINES_MAX} orders."),
            ));
        }
        count += 1;
        take(number, order)?;
    }
    Ok(())
}
