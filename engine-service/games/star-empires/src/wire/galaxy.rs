//! What there is in a galaxy. Ids become names, and names ids again.

use heliopause_kernel::{Malformed, Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use super::names::{
    LIST_MAX, read_code, read_hull, read_list, read_name, read_pattern, read_ratings, read_seats, read_sector,
    read_serials, read_some_name, read_some_seat, read_some_siege, write_hull, write_name, write_pattern,
    write_ratings, write_seats, write_sector, write_serials, write_siege, write_some_seat,
};
use super::wrong;
use crate::class::{Class, STOCK, stock};
use crate::empire::{Empire, Grant, Granted, Serials, code_for};
use crate::galaxy::Galaxy;
use crate::geometry::Frame;
use crate::ids::{ClassId, Id, IdSet, PortalId};
use crate::index::Directory;
use crate::name::Name;
use crate::objects::{Portal, Storm, World};
use crate::options::EMPIRES;
use crate::ship::Code;

/// A galaxy without its ships, and what bears which name in it.
pub(super) struct Read {
    /// The galaxy.
    pub galaxy: Galaxy,
    /// What bears which name.
    pub names: Directory,
    /// Empires whose frame is given.
    pub framed: SeatSet,
}

/// Reads all but the ships. Empires without a name get those of a list, by seat.
pub(super) fn read(message: &proto::Galaxy, listed: &[Name], field: &str) -> Result<Read, Malformed> {
    let part = |name: &str| format!("{field}.{name}");
    if message.empires.len() > *EMPIRES.end() {
        return wrong(&part("empires"), "there are 2 to 60 empires");
    }
    let mut galaxy = Galaxy {
        empires: name_empires(&message.empires, listed, &part("empires"))?,
        classes: read_classes(&message.classes, &part("classes"))?,
        worlds: read_list(&message.worlds, LIST_MAX, &part("worlds"), read_world)?,
        portals: read_list(&message.portals, LIST_MAX, &part("portals"), read_portal)?,
        storms: read_list(&message.storms, LIST_MAX, &part("storms"), read_storm)?,
        ships: Vec::new(),
    };
    let names = Directory::build(&galaxy);
    for (index, portal) in message.portals.iter().enumerate() {
        let field = format!("{field}.portals[{index}].exits");
        let mut exits = read_list(&portal.exits, LIST_MAX, &field, |name, field| portal_named(&names, name, field))?;
        exits.sort_unstable();
        galaxy.portals[index].exits = exits;
    }
    let mut framed = SeatSet::EMPTY;
    for (seat, empire) in galaxy.seats().zip(&message.empires) {
        let field = format!("{field}.empires[{}]", seat.index());
        read_empire(empire, &names, &mut galaxy, seat, &field)?;
        if empire.frame.is_some() {
            framed.insert(seat);
        }
    }
    Ok(Read { galaxy, names, framed })
}

/// Writes all but the ships.
pub(super) fn write(galaxy: &Galaxy) -> proto::Galaxy {
    proto::Galaxy {
        empires: galaxy.empires.iter().map(|empire| write_empire(empire, galaxy)).collect(),
        classes: galaxy.classes.iter().map(write_class).collect(),
        worlds: galaxy.worlds.iter().map(write_world).collect(),
        portals: galaxy.portals.iter().map(|portal| write_portal(portal, galaxy)).collect(),
        storms: galaxy.storms.iter().map(write_storm).collect(),
        ships: Vec::new(),
    }
}

pub(super) fn class_named(names: &Directory, text: &str, field: &str) -> Result<ClassId, Malformed> {
    match names.class(read_name(text, field)?) {
        Some(id) => Ok(id),
        None => wrong(field, "there is no such class"),
    }
}

fn portal_named(names: &Directory, text: &str, field: &str) -> Result<PortalId, Malformed> {
    match names.portal(read_name(text, field)?) {
        Some(id) => Ok(id),
        None => wrong(field, "there is no such portal"),
    }
}

/// The empires by name and code alone: what is not given is made up.
fn name_empires(messages: &[proto::Empire], listed: &[Name], field: &str) -> Result<Vec<Empire>, Malformed> {
    let mut empires: Vec<Empire> = Vec::with_capacity(messages.len());
    let mut codes: Vec<Code> = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        if !message.code.is_empty() {
            codes.push(read_code(&message.code, &format!("{field}[{index}].code"))?);
        }
    }
    for (index, message) in messages.iter().enumerate() {
        let field = format!("{field}[{index}]");
        let given = read_some_name(&message.name, &format!("{field}.name"))?;
        let chosen = listed.get(index).copied().filter(|name| !name.is_none());
        let made_up = || Name::new(&format!("Empire_{}", index + 1)).unwrap_or_default();
        let name = given.or(chosen).unwrap_or_else(made_up);
        let code = if message.code.is_empty() {
            let code = code_for(name, &codes);
            codes.push(code);
            code
        } else {
            read_code(&message.code, &format!("{field}.code"))?
        };
        empires.push(unknown_empire(name, code));
    }
    Ok(empires)
}

fn unknown_empire(name: Name, code: Code) -> Empire {
    Empire {
        name,
        code,
        frame: Frame::GALACTIC,
        homeworld: None,
        last_homeworld: None,
        contacts: SeatSet::EMPTY,
        heard_of: SeatSet::EMPTY,
        classes: (0..STOCK).map(ClassId::at).collect(),
        navigation: IdSet::default(),
        grants: Vec::new(),
        abandoned_turns: 0,
        shot_by: SeatSet::EMPTY,
        serials: Serials { key: 0, dealt: 0 },
    }
}

fn read_empire(
    message: &proto::Empire,
    names: &Directory,
    galaxy: &mut Galaxy,
    seat: Seat,
    field: &str,
) -> Result<(), Malformed> {
    let part = |name: &str| format!("{field}.{name}");
    let homeworld = match read_some_name(&message.homeworld, &part("homeworld"))? {
        None => None,
        Some(name) => match names.world(name) {
            Some(id) => Some(id),
            None => return wrong(&part("homeworld"), "there is no such world"),
        },
    };
    let last = message.last_homeworld.as_ref();
    let last = last.map(|at| read_sector(Some(at), &part("last_homeworld"))).transpose()?;
    let last_homeworld = last.or(homeworld.map(|world| galaxy.world(world).at));
    let classes =
        read_list(&message.classes, LIST_MAX, &part("classes"), |text, field| class_named(names, text, field))?;
    let navigation = &message.navigation;
    let navigation =
        read_list(navigation, LIST_MAX, &part("navigation"), |text, field| portal_named(names, text, field))?;
    let grant = |grant: &proto::Grant, field: &str| read_grant(grant, names, field);
    let mut grants = read_list(&message.grants, *EMPIRES.end(), &part("grants"), grant)?;
    grants.sort_by_key(|grant| grant.to);
    let contacts = read_seats(&message.contacts, &part("contacts"))?;
    let key = if message.serial_key == 0 { key_of(seat) } else { message.serial_key };
    let frame = message.frame.as_ref().map(|frame| read_frame(frame, &part("frame"))).transpose()?;
    let empire = galaxy.empire_mut(seat);
    empire.frame = frame.unwrap_or(empire.frame);
    empire.homeworld = homeworld;
    empire.last_homeworld = last_homeworld;
    empire.contacts = contacts;
    empire.heard_of = read_seats(&message.heard_of, &part("heard_of"))?.union(contacts);
    if !classes.is_empty() {
        empire.classes = classes.into_iter().collect();
    }
    empire.navigation = navigation.into_iter().collect();
    empire.grants = grants;
    empire.abandoned_turns = message.abandoned_turns;
    empire.shot_by = read_seats(&message.shot_by, &part("shot_by"))?;
    empire.serials = Serials { key, dealt: message.serials };
    Ok(())
}

/// A key for serial numbers where none is given: the same for the same seat, so that reading has one result.
fn key_of(seat: Seat) -> u32 {
    seat.number().wrapping_mul(0x9e37_79b1)
}

fn write_empire(empire: &Empire, galaxy: &Galaxy) -> proto::Empire {
    proto::Empire {
        name: write_name(empire.name),
        code: empire.code.as_str().to_owned(),
        frame: Some(write_frame(empire.frame)),
        homeworld: empire.homeworld.map(|world| write_name(galaxy.world(world).name)).unwrap_or_default(),
        last_homeworld: empire.last_homeworld.map(write_sector),
        contacts: write_seats(empire.contacts),
        heard_of: write_seats(empire.heard_of),
        classes: empire.classes.iter().map(|class| write_name(galaxy.class(class).name)).collect(),
        navigation: empire.navigation.iter().map(|portal| write_name(galaxy.portal(portal).name)).collect(),
        grants: empire.grants.iter().map(|grant| write_grant(grant, galaxy)).collect(),
        abandoned_turns: empire.abandoned_turns,
        shot_by: write_seats(empire.shot_by),
        serial_key: empire.serials.key,
        serials: empire.serials.dealt,
    }
}

pub(super) fn read_frame(message: &proto::Frame, field: &str) -> Result<Frame, Malformed> {
    match u8::try_from(message.rotation) {
        Ok(rotation @ 0..=5) => Ok(Frame {
            origin: read_sector(message.origin.as_ref(), &format!("{field}.origin"))?,
            rotation,
            mirrored_o: message.mirrored_oblique,
            mirrored_y: message.mirrored_y,
        }),
        _ => wrong(&format!("{field}.rotation"), "it is 0 to 5"),
    }
}

fn write_frame(frame: Frame) -> proto::Frame {
    proto::Frame {
        origin: Some(write_sector(frame.origin)),
        rotation: frame.rotation.into(),
        mirrored_oblique: frame.mirrored_o,
        mirrored_y: frame.mirrored_y,
    }
}

fn read_grant(message: &proto::Grant, names: &Directory, field: &str) -> Result<Grant, Malformed> {
    let Some(to) = read_some_seat(message.to, field)? else { return wrong(field, "say to whom") };
    let sector = |at: &proto::Sector, field: &str| read_sector(Some(at), field);
    let mut sectors = read_list(&message.sectors, LIST_MAX, &format!("{field}.sectors"), sector)?;
    let mut ships = read_serials(&message.ships, &format!("{field}.ships"))?;
    let class = |text: &String, field: &str| class_named(names, text, field);
    let mut classes = read_list(&message.classes, LIST_MAX, &format!("{field}.classes"), class)?;
    sectors.sort_unstable();
    ships.sort_unstable();
    classes.sort_unstable();
    match (message.all, sectors.is_empty() && ships.is_empty() && classes.is_empty()) {
        (true, true) => Ok(Grant { to, scans: Granted::All }),
        (false, false) => Ok(Grant { to, scans: Granted::Some { sectors, ships, classes } }),
        _ => wrong(field, "give everything, or some sectors, ships and classes"),
    }
}

fn write_grant(grant: &Grant, galaxy: &Galaxy) -> proto::Grant {
    let mut message = proto::Grant { to: grant.to.number(), ..proto::Grant::default() };
    match &grant.scans {
        Granted::All => message.all = true,
        Granted::Some { sectors, ships, classes } => {
            message.sectors = sectors.iter().copied().map(write_sector).collect();
            message.ships = write_serials(ships);
            message.classes = classes.iter().map(|&class| write_name(galaxy.class(class).name)).collect();
        }
    }
    message
}

/// The stock classes come first, and may be left out.
fn read_classes(messages: &[proto::ShipClass], field: &str) -> Result<Vec<Class>, Malformed> {
    let given = read_list(messages, usize::from(u16::MAX), field, read_class)?;
    let stock = stock();
    if given.starts_with(&stock) { Ok(given) } else { Ok(stock.into_iter().chain(given).collect()) }
}

pub(super) fn read_class(message: &proto::ShipClass, field: &str) -> Result<Class, Malformed> {
    Ok(Class {
        name: read_name(&message.name, field)?,
        hull: read_hull(message.hull, field)?,
        ratings: read_ratings(message.ratings.as_ref(), field)?,
        tonnage: message.tonnage,
        cost: message.cost,
        unbuildable: message.unbuildable,
    })
}

pub(super) fn write_class(class: &Class) -> proto::ShipClass {
    proto::ShipClass {
        name: write_name(class.name),
        hull: write_hull(class.hull),
        ratings: Some(write_ratings(class.ratings)),
        tonnage: class.tonnage,
        cost: class.cost,
        unbuildable: class.unbuildable,
    }
}

fn read_world(message: &proto::World, field: &str) -> Result<World, Malformed> {
    Ok(World {
        name: read_name(&message.name, field)?,
        at: read_sector(message.at.as_ref(), field)?,
        production: message.production,
        stockpile: message.stockpile,
        owner: read_some_seat(message.owner, field)?,
        siege: read_some_siege(message.siege, field)?.unwrap_or_default(),
    })
}

fn write_world(world: &World) -> proto::World {
    proto::World {
        name: write_name(world.name),
        at: Some(write_sector(world.at)),
        production: world.production,
        stockpile: world.stockpile,
        owner: write_some_seat(world.owner),
        siege: write_siege(world.siege),
    }
}

/// A portal without its exits, which may come after it.
fn read_portal(message: &proto::Portal, field: &str) -> Result<Portal, Malformed> {
    Ok(Portal {
        name: read_name(&message.name, field)?,
        at: read_sector(message.at.as_ref(), field)?,
        exits: Vec::new(),
        collapsed: message.collapsed,
        collapse_turns: message.collapse_turns,
    })
}

fn write_portal(portal: &Portal, galaxy: &Galaxy) -> proto::Portal {
    proto::Portal {
        name: write_name(portal.name),
        at: Some(write_sector(portal.at)),
        exits: portal.exits.iter().map(|&exit| write_name(galaxy.portal(exit).name)).collect(),
        collapsed: portal.collapsed,
        collapse_turns: portal.collapse_turns,
    }
}

fn read_storm(message: &proto::Storm, field: &str) -> Result<Storm, Malformed> {
    Ok(Storm {
        name: read_name(&message.name, field)?,
        at: read_sector(message.at.as_ref(), field)?,
        rating: message.rating,
        initial: message.initial_rating,
        pattern: read_pattern(message.pattern, &message.steps, field)?,
    })
}

fn write_storm(storm: &Storm) -> proto::Storm {
    let (pattern, steps) = write_pattern(&storm.pattern);
    proto::Storm {
        name: write_name(storm.name),
        at: Some(write_sector(storm.at)),
        rating: storm.rating,
        initial_rating: storm.initial,
        pattern,
        steps,
    }
}
