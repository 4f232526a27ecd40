//! Ships: their classes go by name, their carriers by serial number.

use heliopause_kernel::wire::{Result, Write, field, inside, rows_by, wrong};
use heliopause_proto::star_empires::v1 as proto;

use super::galaxy::{Scene, named};
use super::{LIST_MAX, seat, seats};
use crate::event::ShipRow;
use crate::galaxy::Galaxy;
use crate::ids::{Id, ShipId};
use crate::ship::{Carrier, Serial, Ship};

/// The ships of a galaxy, each by itself. Those without a serial number are dealt one; those without damage points are
/// undamaged.
pub(super) fn read(messages: &[proto::Ship], scene: &mut Scene) -> Result<Vec<ShipRow>> {
    let rows = inside("ships", rows_by(messages, LIST_MAX, |ship| read_row(ship, scene)))?;
    let mut given: Vec<Serial> = rows.iter().filter_map(|&(_, serial)| serial).collect();
    given.sort_unstable();
    let numbered = |(mut row, serial): (ShipRow, Option<Serial>)| {
        let deal = || scene.galaxy.deal_serial(row.ship.owner, |serial| given.binary_search(&serial).is_ok());
        row.ship.serial = serial.unwrap_or_else(deal);
        row
    };
    Ok(rows.into_iter().map(numbered).collect())
}

/// A ship, and its serial number if it has one.
fn read_row(message: &proto::Ship, scene: &Scene) -> Result<(ShipRow, Option<Serial>)> {
    let owner = inside("owner", seat::read(&message.owner))?;
    if owner.index() >= scene.galaxy.empires.len() {
        return inside("owner", wrong("there is no such empire"));
    }
    let class = inside("ship_class", named(&message.ship_class, "class", |name| scene.names.class(name)))?;
    let dp = if message.dp == 0 { scene.galaxy.class(class).ratings.dp } else { field("dp", &message.dp)? };
    let serial: Option<Serial> = field("serial", &message.serial)?;
    let name = inside("name", heliopause_kernel::wire::or_default(&message.name))?;
    let unnumbered = Serial::new(scene.galaxy.empire(owner).code, 0);
    let ship = Ship {
        public: message.public_mode,
        identified: inside("identified", seats::read(&message.identified))?,
        concealed: inside("concealed", seats::read(&message.concealed))?,
        ..Ship::new(owner, serial.unwrap_or(unnumbered), name, class, dp, field("at", &message.at)?)
    };
    Ok((ShipRow { ship, carrier: field("carrier", &message.carrier)? }, serial))
}

/// Puts ships into their galaxy, sorted, each on its carrier.
pub(super) fn place(mut rows: Vec<ShipRow>, galaxy: &mut Galaxy) -> Result<()> {
    rows.sort_by_key(|row| row.ship.sort_key());
    galaxy.ships = rows.iter().map(|row| row.ship).collect();
    for (index, row) in rows.iter().enumerate() {
        let Some(carrier) = row.carrier else { continue };
        match galaxy.ship_numbered(row.ship.owner, carrier) {
            Some(id) => galaxy.ship_mut(ShipId::at(index)).carrier = Some(Carrier::new(id)),
            None => return wrong("a ship is loaded on a carrier that its owner does not have"),
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
        serial: ship.serial.write(),
        name: ship.name.write(),
        ship_class: galaxy.class(ship.class).name.write(),
        at: ship.at.write(),
        dp: ship.dp.into(),
        carrier: carrier.write(),
        public_mode: ship.public,
        identified: seats::write(&ship.identified),
        concealed: seats::write(&ship.concealed),
    }
}
