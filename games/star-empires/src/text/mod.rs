//! Notes 4.3, 12.1: orders as text, one per line.
//!
//! Keywords are case-insensitive, items are separated by spaces, and `#` starts a comment. A
//! sector is `(2,-1)` or `2,-1`. A name that is also a keyword, or that has spaces, is written in
//! double quotes: `LOAD Ant ONTO "to"`. This makes any name usable in orders. A line with only
//! `STRICT` rejects the whole sheet if any of its lines is rejected. The tests have an example of
//! every order.

mod lexer;
mod reader;
mod syntax;
#[cfg(test)]
pub(crate) mod tests;
mod write;

use heliopause_kernel::Malformed;

use crate::master::MasterOrder;
use crate::order::{Fault, ITEMS_MAX, LINES_MAX, Line, Order, Sheet, Unread};
use crate::view::{Insight, View};
use lexer::Lexer;
use reader::Reader;

pub(crate) use syntax::Verb;
pub(crate) use write::{notate, word};

pub(crate) fn parse(view: &View, text: &str) -> Result<Vec<Order>, Malformed> {
    match view.insight {
        Insight::Empire(_) => parse_sheet(text).map(|sheet| vec![Order::Sheet(sheet)]),
        Insight::Master(_) => parse_master(text),
        Insight::Spectator => {
            Err(Malformed::text(1, 1, "Only empires and the game master can give orders."))
        }
    }
}

/// Parses a sheet and records unreadable lines (notes 4.1). Returns the first error if no line is
/// readable.
pub(crate) fn parse_sheet(text: &str) -> Result<Sheet, Malformed> {
    let mut sheet = Sheet::default();
    let mut items = 0;
    read_lines(text, parse_line, |number, parse_line| {
        match parse_line {
            Ok(ParsedLine::Strict) => sheet.strict = true,
            Ok(ParsedLine::Order(line)) => {
                items += line.items();
                if items > ITEMS_MAX {
                    let text =
                        format!("The sheet has more than {ITEMS_MAX} names, which is the maximum.");
                    return Err(Malformed::text(number, 1, text));
                }
                sheet.lines.push(line);
            }
            Err(fault) => {
                let readable_before = sheet.lines.len() as u32;
                sheet.unreadable_lines.push(Unread { readable_before, fault: fault.into() });
            }
        }
        Ok(())
    })?;
    match sheet.unreadable_lines.first() {
        Some(Unread { fault: Fault { line, column, message }, .. }) if sheet.lines.is_empty() => {
            Err(Malformed::text(*line, *column, message.as_str()))
        }
        _ => Ok(sheet),
    }
}

pub(crate) fn parse_master(text: &str) -> Result<Vec<Order>, Malformed> {
    let mut orders = Vec::new();
    read_lines(text, master, |_, order| {
        orders.push(Order::Master(order?));
        Ok(())
    })?;
    Ok(orders)
}

pub(super) const STRICT: &str = "STRICT";

enum ParsedLine {
    Order(Line),
    Strict,
}

fn parse_line(reader: &mut Reader<'_>) -> Result<ParsedLine, Malformed> {
    if reader.take(STRICT) { Ok(ParsedLine::Strict) } else { reader.line().map(ParsedLine::Order) }
}

fn master(reader: &mut Reader<'_>) -> Result<MasterOrder, Malformed> {
    reader.master_order()
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Self {
        let Malformed { line, column, message, .. } = malformed;
        Self { line, column, message }
    }
}

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
            let text = format!("The text has more than {LINES_MAX} orders, which is the maximum.");
            return Err(Malformed::text(number, 1, text));
        }
        count += 1;
        take(number, order)?;
    }
    Ok(())
}
