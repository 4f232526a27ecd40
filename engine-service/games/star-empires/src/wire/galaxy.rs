//! What there is in a galaxy. Ids become names, and names ids again.

use heliopause_kernel::wire::{Part, Read, Result, Write, field, inside, rows, rows_by, wrong};
use heliopause_kernel::{Seat, SeatSet, message};
use heliopause_proto::star_empires::v1 as proto;

use super::{LIST_MAX, seat, ships};
use crate::class::{Class, STOCK, stock};
use crate::empire::{Empire, Grant, Granted, Serials, code_for};
use crate::galaxy::Galaxy;
use crate::geometry::Sector;
use crate::ids::{ClassId, Id};
use crate::index::Directory;
use crate::name::Name;
use crate::options::EMPIRES;
use crate::ship::{Code, Serial};

/// A galaxy that is read.
pub(super) struct Scene {
    /// What there is.
    pub galaxy: Galaxy,
    /// What bears which name, but for ships.
    pub names: Directory,
    /// Empires whose frame is given.
    pub framed: SeatSet,
}

impl Scene {
    /// Reads a galaxy with its ships. Empires without a name get those of a list, by seat.
    pub(super) fn read(message: &proto::Galaxy, listed: &[Name]) -> Result<Self> {
        let mut scene = Self::read_without_ships(message, listed)?;
        let rows = ships::read(&message.ships, &mut scene)?;
        inside("ships", ships::place(rows, &mut scene.galaxy))?;
        Ok(scene)
    }

    /// Reads all but the ships.
    pub(super) fn read_without_ships(message: &proto::Galaxy, listed: &[Name]) -> Result<Self> {
        let mut galaxy = Galaxy {
            empires: inside("empires", read_empires(&message.empires, listed))?,
            classes: inside("classes", read_classes(&message.classes))?,
            worlds: inside("worlds", rows(&message.worlds, LIST_MAX))?,
            portals: inside("portals", rows(&message.portals, LIST_MAX))?,
            storms: inside("storms", rows(&message.storms, LIST_MAX))?,
            ships: Vec::new(),
        };
        let names = Directory::build(&galaxy);
        for (index, portal) in message.portals.iter().enumerate() {
            let exits = all_named(&portal.exits, "portal", |name| names.portal(name));
            let exits = exits.or_else(|fault| inside(&format!("portals[{index}].exits"), Err(fault)));
            galaxy.portals[index].exits = exits?;
            galaxy.portals[index].exits.sort_unstable();
        }
        let mut framed = SeatSet::EMPTY;
        for (seat, empire) in galaxy.seats().zip(&message.empires) {
            let known = know(&mut galaxy, seat, empire, &names);
            inside(&format!("empires[{}]", seat.index()), known)?;
            if empire.frame.is_some() {
                framed.insert(seat);
            }
        }
        Ok(Self { galaxy, names, framed })
    }
}

impl Read<proto::Galaxy> for Galaxy {
    fn read(message: &proto::Galaxy) -> Result<Self> {
        Scene::read(message, &[]).map(|scene| scene.galaxy)
    }
}

impl Write<proto::Galaxy> for Galaxy {
    fn write(&self) -> proto::Galaxy {
        proto::Galaxy { ships: ships::write_all(self), ..write_without_ships(self) }
    }
}

message!(Galaxy, proto::Galaxy);

/// Writes all but the ships.
pub(super) fn write_without_ships(galaxy: &Galaxy) -> proto::Galaxy {
    let portal_name = |&portal: &_| galaxy.portal(portal).name.write();
    let portals = galaxy.portals.iter().map(|portal| {
        let exits = portal.exits.iter().map(portal_name).collect();
        proto::Portal { exits, ..portal.write() }
    });
    proto::Galaxy {
        empires: galaxy.empires.iter().map(|empire| write_empire(empire, galaxy)).collect(),
        classes: galaxy.classes.write(),
        worlds: galaxy.worlds.write(),
        portals: portals.collect(),
        storms: galaxy.storms.write(),
        ships: Vec::new(),
    }
}

/// What bears a name.
pub(super) fn named<T>(text: &String, what: &str, find: impl Fn(Name) -> Option<T>) -> Result<T> {
    find(Name::read(text)?).map_or_else(|| wrong(format!("there is no such {what}")), Ok)
}

fn all_named<T>(texts: &[String], what: &str, find: impl Fn(Name) -> Option<T>) -> Result<Vec<T>> {
    rows_by(texts, LIST_MAX, |text| named(text, what, &find))
}

/// The empires by themselves. A name or code that is not given is made up.
fn read_empires(messages: &[proto::Empire], listed: &[Name]) -> Result<Vec<Empire>> {
    let mut codes: Vec<Code> = messages.iter().filter_map(|message| Code::read(&message.code)).collect();
    let mut number = 0;
    rows_by(messages, *EMPIRES.end(), |message| {
        number += 1;
        let given: Option<Name> = field("name", &message.name)?;
        let chosen = listed.get(number - 1).copied().filter(|name| !name.is_none());
        let made_up = || Name::new(&format!("Empire_{number}")).unwrap_or_default();
        let name = given.or(chosen).unwrap_or_else(made_up);
        let code: Option<Code> = field("code", &message.code)?;
        let code = code.unwrap_or_else(|| {
            let code = code_for(name, &codes);
            codes.push(code);
            code
        });
        let serial_key = if message.serial_key == 0 { key_of(number) } else { message.serial_key };
        Empire::read(&proto::Empire { name: name.write(), code: code.write(), serial_key, ..message.clone() })
    })
}

/// A key for serial numbers where none is given: the same for the same seat, so that reading has one result.
fn key_of(number: usize) -> u32 {
    (number as u32).wrapping_mul(0x9e37_79b1)
}

/// What an empire has and knows of things that have names.
fn know(galaxy: &mut Galaxy, seat: Seat, message: &proto::Empire, names: &Directory) -> Result<()> {
    let homeworld = match message.homeworld.as_str() {
        "" => None,
        _ => Some(inside("homeworld", named(&message.homeworld, "world", |name| names.world(name)))?),
    };
    let classes = all_named(&message.classes, "class", |name| names.class(name));
    let classes = inside("classes", classes)?;
    let navigation = all_named(&message.navigation, "portal", |name| names.portal(name));
    let navigation = inside("navigation", navigation)?;
    let grants = rows_by(&message.grants, *EMPIRES.end(), |grant| read_grant(grant, names));
    let grants = inside("grants", grants)?;
    let home = homeworld.map(|world| galaxy.world(world).at);
    let empire = galaxy.empire_mut(seat);
    empire.homeworld = homeworld;
    empire.last_homeworld = empire.last_homeworld.or(home);
    empire.heard_of = empire.heard_of.union(empire.contacts);
    empire.classes =
        if classes.is_empty() { (0..STOCK).map(ClassId::at).collect() } else { classes.into_iter().collect() };
    empire.navigation = navigation.into_iter().collect();
    empire.grants = grants;
    empire.grants.sort_by_key(|grant| grant.to);
    Ok(())
}

fn write_empire(empire: &Empire, galaxy: &Galaxy) -> proto::Empire {
    let grant = |grant| write_grant(grant, galaxy);
    proto::Empire {
        homeworld: empire.homeworld.map(|world| galaxy.world(world).name).write(),
        classes: empire.classes.iter().map(|class| galaxy.class(class).name.write()).collect(),
        navigation: empire.navigation.iter().map(|portal| galaxy.portal(portal).name.write()).collect(),
        grants: empire.grants.iter().map(grant).collect(),
        ..empire.write()
    }
}

impl Part<proto::Empire> for Serials {
    fn read_part(message: &proto::Empire) -> Result<Self> {
        Ok(Self { key: message.serial_key, dealt: message.serials })
    }

    fn write_part(&self, message: &mut proto::Empire) {
        (message.serial_key, message.serials) = (self.key, self.dealt);
    }
}

fn read_grant(message: &proto::Grant, names: &Directory) -> Result<Grant> {
    let to = inside("to", seat::read(&message.to))?;
    let mut sectors: Vec<Sector> = inside("sectors", rows(&message.sectors, LIST_MAX))?;
    let mut ships: Vec<Serial> = inside("ships", rows(&message.ships, LIST_MAX))?;
    let mut classes = inside("classes", all_named(&message.classes, "class", |name| names.class(name)))?;
    sectors.sort_unstable();
    ships.sort_unstable();
    classes.sort_unstable();
    match (message.all, sectors.is_empty() && ships.is_empty() && classes.is_empty()) {
        (true, true) => Ok(Grant { to, scans: Granted::All }),
        (false, false) => Ok(Grant { to, scans: Granted::Some { sectors, ships, classes } }),
        (true, false) | (false, true) => wrong("give everything, or some sectors, ships and classes"),
    }
}

fn write_grant(grant: &Grant, galaxy: &Galaxy) -> proto::Grant {
    let mut message = proto::Grant { to: grant.to.number(), ..proto::Grant::default() };
    match &grant.scans {
        Granted::All => message.all = true,
        Granted::Some { sectors, ships, classes } => {
            message.sectors = sectors.write();
            message.ships = ships.write();
            message.classes = classes.iter().map(|&class| galaxy.class(class).name.write()).collect();
        }
    }
    message
}

/// The stock classes come first, and may be left out.
fn read_classes(messages: &[proto::ShipClass]) -> Result<Vec<Class>> {
    let given: Vec<Class> = rows(messages, usize::from(u16::MAX))?;
    let stock = stock();
    if given.starts_with(&stock) { Ok(given) } else { Ok(stock.into_iter().chain(given).collect()) }
}
