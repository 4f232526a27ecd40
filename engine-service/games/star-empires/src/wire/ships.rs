//! Ships: their classes go by name, their carriers by serial number.

use heliopause_kernel::{Malformed, Seat};
use heliopause_proto::star_empires::v1 as proto;

use super::galaxy::{Read, class_named};
use super::names::{
    LIST_MAX, read_list, read_name_if, read_seat, read_seats, read_sector, read_some_serial, read_u16, write_name,
    write_seats, write_sector, write_serial, write_some_serial,
};
use super::wrong;
use crate::event::ShipRow;
use crate::galaxy::Galaxy;
use crate::ids::{Id, ShipId};
use crate::ship::{Carrier, Serial, Ship};

/// The ships of a galaxy that is read, each by itself. Those without a serial number are dealt one; those without damage
/// points are undamaged.
pub(super) fn read_rows(messages: &[proto::Ship], read: &mut Read, field: &str) -> Result<Vec<ShipRow>, Malformed> {
    let mut rows = read_list(messages, LIST_MAX, field, |ship, field| read_row(ship, read, field))?;
    let mut given: Vec<Serial> = rows.iter().filter_map(|(row, dealt)| (!dealt).then_some(row.ship.serial)).collect();
    given.sort_unstable();
    for (row, _) in rows.iter_mut().filter(|(_, dealt)| *dealt) {
        row.ship.serial = read.galaxy.deal_serial(row.ship.owner, |serial| given.binary_search(&serial).is_ok());
    }
    Ok(rows.into_iter().map(|(row, _)| row).collect())
}

/// A ship, and whether it still needs a serial number.
fn read_row(message: &proto::Ship, read: &Read, field: &str) -> Result<(ShipRow, bool), Malformed> {
    let owner = owner(message.owner, &read.galaxy, field)?;
    let class = class_named(&read.names, &message.ship_class, &format!("{field}.ship_class"))?;
    let serial = read_some_serial(&message.serial, &format!("{field}.serial"))?;
    let full = read.galaxy.class(class).ratings.dp;
    let dp = if message.dp == 0 { full } else { read_u16(message.dp, &format!("{field}.dp"))? };
    let ship = Ship {
        identified: read_seats(&message.identified, &format!("{field}.identified"))?,
        concealed: read_seats(&message.concealed, &format!("{field}.concealed"))?,
        at: read_sector(message.at.as_ref(), &format!("{field}.at"))?,
        carrier: None,
        class,
        dp,
        owner,
        public: message.public_mode,
        serial: serial.unwrap_or_else(|| Serial::new(read.galaxy.empire(owner).code, 0)),
        name: read_name_if(&message.name, &format!("{field}.name"))?,
    };
    let carrier = read_some_serial(&message.carrier, &format!("{field}.carrier"))?;
    Ok((ShipRow { ship, carrier }, serial.is_none()))
}

fn owner(number: u32, galaxy: &Galaxy, field: &str) -> Result<Seat, Malformed> {
    let seat = read_seat(number, &format!("{field}.owner"))?;
    if seat.index() < galaxy.empires.len() { Ok(seat) } else { wrong(field, "there is no such empire") }
}

/// Puts ships into their galaxy, sorted, each on its carrier.
pub(super) fn place(mut rows: Vec<ShipRow>, galaxy: &mut Galaxy, field: &str) -> Result<(), Malformed> {
    rows.sort_by_key(|row| row.ship.sort_key());
    galaxy.ships = rows.iter().map(|row| row.ship).collect();
    for (index, row) in rows.iter().enumerate() {
        let Some(carrier) = row.carrier else { continue };
        match galaxy.ship_numbered(row.ship.owner, carrier) {
            Some(id) => galaxy.ship_mut(ShipId::at(index)).carrier = Some(Carrier::new(id)),
            None => return wrong(field, "a ship is loaded on a carrier that its owner does not have"),
        }
    }
    Ok(())
}

pub(super) fn write_all(galaxy: &Galaxy) -> Vec<proto::Ship> {
    let serial = |carrier: Carrier| galaxy.ship(carrier.id()).serial;
    galaxy.ships.iter().map(|ship| write(ship, ship.carrier.map(serial), galaxy)).collect()
}

pub(super) fn write(ship: &Ship, carrier: Option<Serial>, galaxy: &Galaxy) -> proto::Ship {
    proto::Ship {
        owner: ship.owner.number(),
        serial: write_serial(ship.serial),
        name: write_name(ship.name),
        ship_class: write_name(galaxy.class(ship.class).name),
        at: Some(write_sector(ship.at)),
        dp: ship.dp.into(),
        carrier: write_some_serial(carrier),
        public_mode: ship.public,
        identified: write_seats(ship.identified),
        concealed: write_seats(ship.concealed),
    }
}
