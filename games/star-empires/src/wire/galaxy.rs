//! Encoding of a galaxy and its changes, with names and serial numbers instead of ids.

use heliopause_kernel::wire::{
    Read, Result, Write, field, inside, missing, rows, rows_by, wrong, wrong_field,
};
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::class::{STOCK, with_stock};
use crate::empire::{Empire, Grant, Granted, name_empires};
use crate::event::{GalaxyChange, ShipRow};
use crate::fields::{LIST_MAX, seat};
use crate::galaxy::Galaxy;
use crate::geometry::Sector;
use crate::ids::{ClassId, EMPIRES, Id};
use crate::index::Directory;
use crate::name::Name;
use crate::ship::{Serial, Ship};

pub(super) struct GalaxyReader {
    galaxy: Galaxy,
    ships: Vec<ShipRow>,
    /// Empires whose frame the message contains.
    pub framed: SeatSet,
}

impl GalaxyReader {
    /// Reads a galaxy. Empires without a name get the names in `listed`, by seat.
    pub(super) fn read(message: Option<&proto::Galaxy>, listed: &[Name]) -> Result<Self> {
        let Some(message) = message else { return missing() };
        let mut galaxy = Galaxy {
            empires: inside("empires", rows(&message.empires, *EMPIRES.end()))?,
            classes: with_stock(inside("classes", rows(&message.classes, usize::from(u16::MAX)))?),
            worlds: inside("worlds", rows(&message.worlds, LIST_MAX))?,
            portals: inside("portals", rows(&message.portals, LIST_MAX))?,
            storms: inside("storms", rows(&message.storms, LIST_MAX))?,
            ships: Vec::new(),
        };
        name_empires(&mut galaxy.empires, listed);
        let names = Directory::build(&galaxy);
        for (index, portal) in message.portals.iter().enumerate() {
            let exits = all_named(&portal.exits, "portal", |name| names.portal(name));
            let mut exits =
                exits.or_else(|fault| inside(&format!("portals[{index}].exits"), Err(fault)))?;
            exits.sort_unstable();
            galaxy.portals[index].exits = exits;
        }
        for (seat, empire) in galaxy.seats().zip(&message.empires) {
            let read = read_knowledge(&mut galaxy, seat, empire, &names);
            inside(&format!("empires[{}]", seat.index()), read)?;
        }
        let framed =
            galaxy.seats().zip(&message.empires).filter(|(_, empire)| empire.frame.is_some());
        let framed = framed.map(|(seat, _)| seat).collect();
        let ships = inside("ships", read_ships(&message.ships, &mut galaxy, &names))?;
        Ok(Self { galaxy, ships, framed })
    }

    pub(super) fn into_galaxy(mut self) -> Result<Galaxy> {
        if self.galaxy.put_ships(&self.ships) {
            return Ok(self.galaxy);
        }
        wrong_field("ships", "a ship is loaded on a carrier that its owner does not have")
    }
}

fn write(galaxy: &Galaxy, ships: impl Iterator<Item = ShipRow>) -> proto::Galaxy {
    let portals = galaxy.portals.iter().map(|portal| {
        let exits = portal.exits.iter().map(|&exit| galaxy.portal(exit).name.write()).collect();
        proto::Portal { exits, ..portal.write() }
    });
    let ships = ships.map(|ShipRow { ship, carrier }| {
        let ship_class = galaxy.class_of(&ship).name.write();
        proto::Ship { ship_class, carrier: carrier.write(), ..ship.write() }
    });
    proto::Galaxy {
        empires: galaxy.empires.iter().map(|empire| write_empire(empire, galaxy)).collect(),
        classes: galaxy.classes.write(),
        worlds: galaxy.worlds.write(),
        portals: portals.collect(),
        storms: galaxy.storms.write(),
        ships: ships.collect(),
    }
}

impl Read<Option<proto::Galaxy>> for Galaxy {
    fn read(message: &Option<proto::Galaxy>) -> Result<Self> {
        GalaxyReader::read(message.as_ref(), &[])?.into_galaxy()
    }
}

impl Write<Option<proto::Galaxy>> for Galaxy {
    fn write(&self) -> Option<proto::Galaxy> {
        Some(write(self, self.rows()))
    }
}

impl Read<proto::GalaxyChanged> for GalaxyChange {
    fn read(message: &proto::GalaxyChanged) -> Result<Self> {
        let GalaxyReader { galaxy, ships, .. } =
            inside("galaxy", GalaxyReader::read(message.galaxy.as_ref(), &[]))?;
        let gone = rows_by(&message.ships_gone, LIST_MAX, |serial| {
            let serial: Serial = Read::read(serial)?;
            match galaxy.owner_of(serial) {
                Some(owner) => Ok((owner, serial)),
                None => wrong(format!("no empire has the code {}", serial.code())),
            }
        });
        let gone = inside("ships_gone", gone)?;
        Ok(Self { galaxy, ships, gone })
    }
}

impl Write<proto::GalaxyChanged> for GalaxyChange {
    fn write(&self) -> proto::GalaxyChanged {
        let galaxy = Some(write(&self.galaxy, self.ships.iter().copied()));
        proto::GalaxyChanged {
            galaxy,
            ships_gone: self.gone.iter().map(|(_, serial)| serial.write()).collect(),
        }
    }
}

fn named<T>(text: &String, what: &str, find: impl Fn(Name) -> Option<T>) -> Result<T> {
    let name = Name::read(text)?;
    find(name).map_or_else(|| wrong(format!("the {what} {name} does not exist")), Ok)
}

fn all_named<T>(texts: &[String], what: &str, find: impl Fn(Name) -> Option<T>) -> Result<Vec<T>> {
    rows_by(texts, LIST_MAX, |text| named(text, what, &find))
}

fn read_knowledge(
    galaxy: &mut Galaxy,
    seat: Seat,
    message: &proto::Empire,
    names: &Directory,
) -> Result<()> {
    if !message.homeworld.is_empty() {
        let world =
            inside("homeworld", named(&message.homeworld, "world", |name| names.world(name)))?;
        let at = galaxy.world(world).at;
        let empire = galaxy.empire_mut(seat);
        empire.homeworld = Some(world);
        empire.last_homeworld = empire.last_homeworld.or(Some(at));
    }
    let classes =
        inside("classes", all_named(&message.classes, "class", |name| names.class(name)))?;
    let stock = (0..STOCK).map(ClassId::at);
    let navigation =
        inside("navigation", all_named(&message.navigation, "portal", |name| names.portal(name)))?;
    let grants = rows_by(&message.grants, *EMPIRES.end(), |grant| read_grant(grant, names));
    let empire = galaxy.empire_mut(seat);
    empire.classes =
        if classes.is_empty() { stock.collect() } else { classes.into_iter().collect() };
    empire.known_empires = empire.known_empires.union(empire.contacts);
    empire.navigation = navigation.into_iter().collect();
    empire.grants = inside("grants", grants)?;
    empire.grants.sort_by_key(|grant| grant.to);
    Ok(())
}

fn write_empire(empire: &Empire, galaxy: &Galaxy) -> proto::Empire {
    proto::Empire {
        homeworld: empire.homeworld.map(|world| galaxy.world(world).name).write(),
        classes: empire.classes.iter().map(|class| galaxy.class(class).name.write()).collect(),
        navigation: empire.navigation.iter().map(|it| galaxy.portal(it).name.write()).collect(),
        grants: empire.grants.iter().map(|grant| write_grant(grant, galaxy)).collect(),
        ..empire.write()
    }
}

fn read_grant(message: &proto::Grant, names: &Directory) -> Result<Grant> {
    let to = inside("to", seat::read(&message.to))?;
    let mut sectors: Vec<Sector> = inside("sectors", rows(&message.sectors, LIST_MAX))?;
    let mut ships: Vec<Serial> = inside("ships", rows(&message.ships, LIST_MAX))?;
    let mut classes =
        inside("classes", all_named(&message.classes, "class", |name| names.class(name)))?;
    sectors.sort_unstable();
    ships.sort_unstable();
    classes.sort_unstable();
    match (message.all, sectors.is_empty() && ships.is_empty() && classes.is_empty()) {
        (true, true) => Ok(Grant { to, scans: Granted::All }),
        (false, false) => Ok(Grant { to, scans: Granted::Some { sectors, ships, classes } }),
        (true, false) | (false, true) => {
            wrong("a grant must have either `all`, or at least one sector, ship or class")
        }
    }
}

fn write_grant(grant: &Grant, galaxy: &Galaxy) -> proto::Grant {
    let mut message = proto::Grant { to: grant.to.number(), ..proto::Grant::default() };
    match &grant.scans {
        Granted::All => message.all = true,
        Granted::Some { sectors, ships, classes } => {
            (message.sectors, message.ships) = (sectors.write(), ships.write());
            message.classes =
                classes.iter().map(|&class| galaxy.class(class).name.write()).collect();
        }
    }
    message
}

/// Reads ships and sorts them. Ships without a serial number get one. Ships without damage points
/// get all those of their class.
fn read_ships(
    messages: &[proto::Ship],
    galaxy: &mut Galaxy,
    names: &Directory,
) -> Result<Vec<ShipRow>> {
    let mut rows = rows_by(messages, LIST_MAX, |message| read_ship(message, galaxy, names))?;
    galaxy.number(rows.iter_mut().map(|row| &mut row.ship));
    rows.sort_by_key(|row| row.ship.sort_key());
    Ok(rows)
}

fn read_ship(message: &proto::Ship, galaxy: &Galaxy, names: &Directory) -> Result<ShipRow> {
    let mut ship = Ship::read(message)?;
    if ship.owner.index() >= galaxy.empires.len() {
        let count = galaxy.empires.len();
        let text = format!("expected an empire from 1 to {count}, found {}", ship.owner.number());
        return wrong_field("owner", text);
    }
    ship.class =
        inside("ship_class", named(&message.ship_class, "class", |name| names.class(name)))?;
    if ship.dp == 0 {
        ship.dp = galaxy.class_of(&ship).ratings.dp;
    }
    Ok(ShipRow { ship, carrier: field("carrier", &message.carrier)? })
}
