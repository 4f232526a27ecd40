//! How the galaxy changes: what goes by ids in the rules goes by names and serial numbers.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Read, Result, Write, inside, missing, rows_by, wrong};
use heliopause_proto::star_empires::v1 as proto;

use super::galaxy::{Scene, write_without_ships};
use super::{LIST_MAX, ships};
use crate::event::{GalaxyChange, ShipRow};
use crate::galaxy::Galaxy;
use crate::ship::Serial;

impl Read<proto::GalaxyChanged> for GalaxyChange {
    fn read(message: &proto::GalaxyChanged) -> Result<Self> {
        let (Scene { galaxy, .. }, ships) = inside("galaxy", read_scene(message.galaxy.as_ref()))?;
        let gone = rows_by(&message.ships_gone, LIST_MAX, |serial| owned(&galaxy, Read::read(serial)?));
        let gone = inside("ships_gone", gone)?;
        Ok(Self { galaxy, ships, gone })
    }
}

fn read_scene(message: Option<&proto::Galaxy>) -> Result<(Scene, Vec<ShipRow>)> {
    let Some(message) = message else { return missing() };
    let mut scene = Scene::read_without_ships(message, &[])?;
    let mut ships = ships::read(&message.ships, &mut scene)?;
    ships.sort_by_key(|row| row.ship.sort_key());
    Ok((scene, ships))
}

/// A ship and whose it was: the empire's with whose code the serial number begins.
fn owned(galaxy: &Galaxy, serial: Serial) -> Result<(Seat, Serial)> {
    let owner = galaxy.seats().find(|&seat| galaxy.empire(seat).code == serial.code());
    owner.map_or_else(|| wrong("no empire has this code"), |owner| Ok((owner, serial)))
}

impl Write<proto::GalaxyChanged> for GalaxyChange {
    fn write(&self) -> proto::GalaxyChanged {
        let row = |row: &ShipRow| ships::write(&row.ship, row.carrier, &self.galaxy);
        let ships = self.ships.iter().map(row).collect();
        let galaxy = proto::Galaxy { ships, ..write_without_ships(&self.galaxy) };
        let ships_gone = self.gone.iter().map(|(_, serial)| serial.write()).collect();
        proto::GalaxyChanged { galaxy: Some(galaxy), ships_gone }
    }
}
