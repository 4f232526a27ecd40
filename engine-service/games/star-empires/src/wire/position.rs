//! Positions: complete states, convenient to write by hand.

use std::sync::Arc;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{
    Read, Result, Wire, Write, field, inside, or_default, rows, rows_by, wrong, wrong_field,
};
use heliopause_proto::star_empires::v1 as proto;

use super::galaxy::Scene;
use super::{alliances, seat};
use crate::master::WAITING_MAX;
use crate::name::Name;
use crate::options::{EMPIRES, Options};
use crate::order::Sheet;
use crate::phases::first_map;
use crate::position::{Knowledge, StarEmpires};

/// The version of the message that is written.
const VERSION: u32 = 1;

/// A sheet and whose it is.
#[derive(Wire)]
#[wire(message = proto::StoredSheet, with(Seat = seat))]
struct Stored {
    empire: Seat,
    sheet: Sheet,
}

impl Write<proto::Position> for StarEmpires {
    fn write(&self) -> proto::Position {
        let sheets = self.galaxy.seats().zip(&self.sheets).filter_map(|(seat, sheet)| {
            Some(proto::StoredSheet { empire: seat.number(), sheet: Some(sheet.as_ref()?.write()) })
        });
        proto::Position {
            version: VERSION,
            options: self.options.write(),
            turn: self.turn,
            galaxy: self.galaxy.write(),
            knowledge: self.knowledge.write(),
            sheets: sheets.collect(),
            master_orders: self.waiting.write(),
            alliances: alliances::write(&self.alliances),
            ending: self.ending.write(),
        }
    }
}

impl Read<proto::Position> for StarEmpires {
    fn read(message: &proto::Position) -> Result<Self> {
        if message.version > VERSION {
            return wrong_field("version", "the position is of a later version");
        }
        let options: Arc<Options> = inside("options", or_default(&message.options))?;
        let listed: Vec<Name> = options.names.iter().map(|names| names.empire).collect();
        let galaxy =
            inside("galaxy", Scene::read(message.galaxy.as_ref(), &listed).and_then(Scene::whole))?;
        let mut game = Self::unseen(options, galaxy);
        game.turn = message.turn;
        let known: Vec<Knowledge> =
            inside("knowledge", rows(&message.knowledge, game.knowledge.len()))?;
        game.knowledge.iter_mut().zip(known).for_each(|(own, known)| *own = known);
        inside("sheets", read_sheets(&message.sheets, &mut game.sheets))?;
        game.waiting = inside("master_orders", rows(&message.master_orders, WAITING_MAX))?;
        game.alliances = inside("alliances", alliances::read(&message.alliances))?;
        game.ending = field("ending", &message.ending)?;
        game.integrity()?;
        // What is not said to be known is what own ships see now. Only a state that holds together
        // can be looked at.
        first_map(&mut game);
        game.integrity()?;
        Ok(game)
    }
}

fn read_sheets(messages: &[proto::StoredSheet], sheets: &mut [Option<Sheet>]) -> Result<()> {
    let store = |message: &_| {
        let Stored { empire, sheet } = Read::read(message)?;
        match sheets.get_mut(empire.index()) {
            Some(place @ None) => *place = Some(sheet),
            Some(Some(_)) | None => return wrong("there is no such empire, or it has two sheets"),
        }
        Ok(())
    };
    rows_by(messages, *EMPIRES.end(), store).map(drop)
}

heliopause_kernel::passage!(StarEmpires, proto, {});
