//! Encoding of positions. A position is a complete state and is easy to write by hand.

use std::sync::Arc;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{
    Read, Result, Wire, Write, field, inside, or_default, rows, rows_by, wrong, wrong_field,
};
use heliopause_proto::star_empires::v1 as proto;

use super::galaxy::GalaxyReader;
use crate::fields::{alliances, seat};
use crate::ids::EMPIRES;
use crate::master::WAITING_MAX;
use crate::name::Name;
use crate::options::Options;
use crate::order::Sheet;
use crate::phases::first_map;
use crate::position::{Knowledge, StarEmpires};

const VERSION: u32 = 1;

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
            return wrong_field(
                "version",
                format!(
                    "position version {} is newer than this program; the maximum is {VERSION}",
                    message.version
                ),
            );
        }
        let options: Arc<Options> = inside("options", or_default(&message.options))?;
        let listed: Vec<Name> = options.names.iter().map(|names| names.empire).collect();
        let galaxy = inside(
            "galaxy",
            GalaxyReader::read(message.galaxy.as_ref(), &listed)
                .and_then(GalaxyReader::into_galaxy),
        )?;
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
        // An empire without a map in the position gets one from its current scans. Scans require a
        // valid state.
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
            Some(Some(_)) => return wrong(format!("empire {} has two sheets", empire.number())),
            None => return wrong(format!("empire {} does not exist", empire.number())),
        }
        Ok(())
    };
    rows_by(messages, *EMPIRES.end(), store).map(drop)
}

heliopause_kernel::passage!(StarEmpires, proto, {});
