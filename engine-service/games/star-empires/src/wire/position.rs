//! Positions: complete states, convenient to write by hand.

use std::sync::Arc;

use heliopause_kernel::{Malformed, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use super::galaxy::{self, Read};
use super::names::{read_list, read_seat, read_seats, write_seats};
use super::order::{read_sheet, write_sheet};
use super::{chart, master, options, report, ships, wrong};
use crate::master::WAITING_MAX;
use crate::name::Name;
use crate::options::EMPIRES;
use crate::order::Sheet;
use crate::phases::first_map;
use crate::position::{Ending, Knowledge, StarEmpires};

/// The version of the message that is written.
const VERSION: u32 = 1;

pub(super) fn write(game: &StarEmpires) -> proto::Position {
    let knowledge = |knowledge: &Knowledge| proto::Knowledge {
        chart: Some(chart::write(&knowledge.chart)),
        report: Some(report::write(&knowledge.report)),
    };
    let sheets = game.galaxy.seats().zip(&game.sheets).filter_map(|(seat, sheet)| {
        let sheet = write_sheet(sheet.as_ref()?);
        Some(proto::StoredSheet { empire: seat.number(), sheet: Some(sheet) })
    });
    proto::Position {
        version: VERSION,
        options: Some(options::write(&game.options)),
        turn: game.turn,
        galaxy: Some(write_galaxy(&game.galaxy)),
        knowledge: game.knowledge.iter().map(knowledge).collect(),
        sheets: sheets.collect(),
        master_orders: game.waiting.iter().map(master::write_astronomics).collect(),
        alliances: write_alliances(&game.alliances),
        ending: game.ending.map(write_ending),
    }
}

pub(super) fn read(message: &proto::Position) -> Result<StarEmpires, Malformed> {
    if message.version > VERSION {
        return wrong("version", "the position is of a later version");
    }
    let options = options::read(message.options.as_ref().unwrap_or(&proto::Options::default()))
        .map_err(|fault| within("options", fault))?;
    let listed: Vec<Name> = options.names.iter().map(|names| names.empire).collect();
    let galaxy = read_galaxy(Malformed::need(message.galaxy.as_ref(), "galaxy")?, &listed, "galaxy")?.galaxy;
    let empires = galaxy.empires.len();
    let mut game = StarEmpires::unseen(Arc::new(options), galaxy);
    game.turn = message.turn;
    let known = read_list(&message.knowledge, empires, "knowledge", read_knowledge)?;
    for (own, known) in game.knowledge.iter_mut().zip(known) {
        *own = known;
    }
    game.sheets = read_sheets(&message.sheets, empires)?;
    game.waiting = read_list(&message.master_orders, WAITING_MAX, "master_orders", master::read_astronomics)?;
    game.alliances = read_alliances(&message.alliances, "alliances")?;
    game.ending = read_ending(message.ending.as_ref(), "ending")?;
    game.integrity()?;
    // What is not said to be known is what own ships see now. Only a state that holds together can be looked at.
    first_map(&mut game);
    game.integrity()?;
    Ok(game)
}

/// A fault in a part of the position.
fn within(part: &str, fault: Malformed) -> Malformed {
    let field = format!("{part}.{}", fault.field);
    Malformed::field(field, fault.message)
}

/// A galaxy with its ships.
pub(super) fn read_galaxy(message: &proto::Galaxy, listed: &[Name], field: &str) -> Result<Read, Malformed> {
    let mut read = galaxy::read(message, listed, field)?;
    let field = format!("{field}.ships");
    let rows = ships::read_rows(&message.ships, &mut read, &field)?;
    ships::place(rows, &mut read.galaxy, &field)?;
    Ok(read)
}

pub(super) fn write_galaxy(galaxy: &crate::galaxy::Galaxy) -> proto::Galaxy {
    proto::Galaxy { ships: ships::write_all(galaxy), ..galaxy::write(galaxy) }
}

fn read_knowledge(message: &proto::Knowledge, field: &str) -> Result<Knowledge, Malformed> {
    Ok(Knowledge {
        chart: chart::read(message.chart.as_ref(), &format!("{field}.chart"))?,
        report: Arc::new(report::read(message.report.as_ref(), &format!("{field}.report"))?),
    })
}

fn read_sheets(messages: &[proto::StoredSheet], empires: usize) -> Result<Vec<Option<Sheet>>, Malformed> {
    let mut sheets = vec![None; empires];
    for (index, message) in messages.iter().enumerate() {
        let field = format!("sheets[{index}]");
        let seat = read_seat(message.empire, &format!("{field}.empire"))?;
        let sheet = read_sheet(Malformed::need(message.sheet.as_ref(), &field)?, &format!("{field}.sheet"))?;
        match sheets.get_mut(seat.index()) {
            Some(place @ None) => *place = Some(sheet),
            _ => return wrong(&field, "there is no such empire, or it has two sheets"),
        }
    }
    Ok(sheets)
}

pub(super) fn read_alliances(messages: &[proto::Alliance], field: &str) -> Result<Vec<SeatSet>, Malformed> {
    read_list(messages, *EMPIRES.end(), field, |alliance, field| read_seats(&alliance.members, field))
}

pub(super) fn write_alliances(alliances: &[SeatSet]) -> Vec<proto::Alliance> {
    alliances.iter().map(|&members| proto::Alliance { members: write_seats(members) }).collect()
}

pub(super) fn read_ending(message: Option<&proto::Ending>, field: &str) -> Result<Option<Ending>, Malformed> {
    let read = |ending: &proto::Ending| {
        Ok(Ending { winners: read_seats(&ending.winners, field)?, last_turn: ending.last_turn })
    };
    message.map(read).transpose()
}

pub(super) fn write_ending(ending: Ending) -> proto::Ending {
    proto::Ending { winners: write_seats(ending.winners), last_turn: ending.last_turn }
}
