//! Notes 4.3: the lines of an empire's sheet.

use heliopause_kernel::Malformed;

use super::reader::Reader;
use crate::class::Design;
use crate::hull::{Hull, Ratings};
use crate::order::{Crews, Line, Names, Phase, Scans, Selection, Sense, Spot};

const SHIP: &str = "a ship";
const EMPIRE: &str = "an empire";
const WORLD: &str = "a world";
const PORTAL: &str = "a portal";
const CLASS: &str = "a class";

/// Reads a line.
#[expect(clippy::too_many_lines, reason = "one arm for each order")]
pub(super) fn line(reader: &mut Reader<'_>) -> Result<Line, Malformed> {
    let Some(phase) = reader.one_of(&Phase::ALL.map(|phase| (phase.as_str(), phase))) else {
        return reader.expected(
            "an order: UNLOAD, LOAD, DESTRUCT, FIRE, TRANSMIT, MOVE, TRAVERSE, \
            DESIGN, GIVE, BUILD, REPAIR, TOGGLE, CONCEAL, IDENTIFY, POOL, TRANSFER, DENY or \
            AUTHORIZE",
        );
    };
    Ok(match phase {
        Phase::Unload => Line::Unload { ships: reader.names(SHIP)? },
        Phase::Load => {
            let ships = list_before(reader, SHIP, "ONTO")?;
            Line::Load { ships, carrier: reader.name("a carrier")? }
        }
        Phase::Destruct => Line::Destruct { ships: selection(reader)? },
        Phase::Fire => {
            let senses = [("ASC", Sense::Ascending), ("DESC", Sense::Descending)];
            let sense = reader.one_of(&senses).unwrap_or_default();
            let ships = before(reader, selection, "AT")?;
            Line::Fire { sense, ships, at: reader.names(EMPIRE)? }
        }
        Phase::Transmit => {
            let portals = list_before(reader, PORTAL, "TO")?;
            Line::Transmit { portals, to: reader.names(EMPIRE)? }
        }
        Phase::Move => {
            let ships = before(reader, selection, "TO")?;
            // The object of a destination may be written with or without its sign.
            let to = match spot_if(reader)? {
                Some(spot) => spot,
                None => Spot::Object(reader.name("a sector, world, portal or storm")?),
            };
            Line::Move { ships, to }
        }
        Phase::Traverse => {
            let ships = before(reader, selection, "THROUGH")?;
            let entry = reader.name(PORTAL)?;
            Line::Traverse { ships, entry, exit: reader.name_if(PORTAL)? }
        }
        Phase::Design => design(reader)?,
        Phase::Give => {
            let classes = list_before(reader, CLASS, "TO")?;
            Line::Give { classes, to: reader.names(EMPIRE)? }
        }
        Phase::Build => {
            let (world, count) = (reader.name(WORLD)?, reader.amount()?);
            Line::Build { world, count, class: reader.name(CLASS)?, naming: reader.naming()? }
        }
        Phase::Repair => {
            let (ship, dp) = (reader.name(SHIP)?, reader.amount()?);
            Line::Repair { ship, dp, worlds: reader.names(WORLD)? }
        }
        Phase::Toggle => match reader.one_of(&[("PUBLIC", true), ("PRIVATE", false)]) {
            Some(public) => Line::Toggle { public, ships: crews(reader)? },
            None => return reader.expected("PUBLIC or PRIVATE"),
        },
        Phase::Conceal => {
            let ships = before(reader, crews, "FROM")?;
            Line::Conceal { ships, from: reader.names(EMPIRE)? }
        }
        Phase::Identify => {
            let ships = before(reader, crews, "TO")?;
            Line::Identify { ships, to: reader.names(EMPIRE)? }
        }
        Phase::Pool => Line::Pool { world: reader.name(WORLD)?, except: excepted(reader, WORLD)? },
        Phase::Transfer => {
            let (from, amount) = (reader.name(WORLD)?, reader.amount()?);
            Line::Transfer {
                from,
                amount,
                to: reader.name(WORLD)?,
                recipient: reader.name_if(EMPIRE)?,
            }
        }
        Phase::Deny => {
            let scans = before(reader, scans, "TO")?;
            Line::Deny { scans, to: reader.names(EMPIRE)? }
        }
        Phase::Authorize => {
            let scans = before(reader, scans, "TO")?;
            Line::Authorize { scans, to: reader.names(EMPIRE)? }
        }
    })
}

/// 6.5.2.
fn design(reader: &mut Reader<'_>) -> Result<Line, Malformed> {
    let world = reader.name(WORLD)?;
    let class = reader.name("a name for the class")?;
    let hull = hull(reader)?;
    let design = if hull == Hull::Missile {
        Design::Missile { guns: reader.short("guns")?, tonnage: reader.number("tonnage")? }
    } else {
        Design::Ship(hull, ratings(reader)?)
    };
    Ok(Line::Design { world, class, design })
}

pub(super) fn hull(reader: &mut Reader<'_>) -> Result<Hull, Malformed> {
    match reader.one_of(&Hull::ALL.map(|hull| (hull.as_str(), hull))) {
        Some(hull) => Ok(hull),
        None => reader
            .expected("a hull: capital_ship, gunship, orbital, transport, scout, wing or missile"),
    }
}

pub(super) fn ratings(reader: &mut Reader<'_>) -> Result<Ratings, Malformed> {
    Ok(Ratings {
        guns: reader.short("guns")?,
        dp: reader.short("damage points")?,
        engines: reader.short("engines")?,
        scan: reader.short("scan")?,
        racks: reader.short("racks")?,
    })
}

/// Something and the keyword behind it.
fn before<T>(
    reader: &mut Reader<'_>,
    read: fn(&mut Reader<'_>) -> Result<T, Malformed>,
    word: &str,
) -> Result<T, Malformed> {
    let it = read(reader)?;
    reader.need(word).map(|()| it)
}

/// A list of names and the keyword behind it.
fn list_before(reader: &mut Reader<'_>, what: &str, word: &str) -> Result<Names, Malformed> {
    let names = reader.names(what)?;
    if reader.take(word) { Ok(names) } else { reader.expected(&format!("{what} or {word}")) }
}

fn excepted(reader: &mut Reader<'_>, what: &str) -> Result<Names, Malformed> {
    if reader.take("EXCEPT") { reader.names(what) } else { Ok(Names::new()) }
}

/// A sector or `@object`, if one comes next.
fn spot_if(reader: &mut Reader<'_>) -> Result<Option<Spot>, Malformed> {
    if reader.take_sign(b'@') {
        return reader.name("a world, portal or storm").map(|name| Some(Spot::Object(name)));
    }
    if reader.is_coord() { reader.coord().map(|at| Some(Spot::At(at))) } else { Ok(None) }
}

fn selection(reader: &mut Reader<'_>) -> Result<Selection, Malformed> {
    match spot_if(reader)? {
        Some(at) => Ok(Selection::All { at, except: excepted(reader, SHIP)? }),
        None => reader.names("ships, a sector, or @ and an object").map(Selection::Ships),
    }
}

fn crews(reader: &mut Reader<'_>) -> Result<Crews, Malformed> {
    if reader.take("ALL") {
        return Ok(Crews::All);
    }
    let (mut ships, mut classes) = (Names::new(), Names::new());
    loop {
        if reader.take_sign(b'@') {
            classes.push(reader.name(CLASS)?);
        } else if reader.is_name() {
            ships.push(reader.name(SHIP)?);
        } else if ships.is_empty() && classes.is_empty() {
            return reader.expected("ALL, ships, or @ and a class");
        } else {
            return Ok(Crews::Some { ships, classes });
        }
    }
}

fn scans(reader: &mut Reader<'_>) -> Result<Scans, Malformed> {
    if reader.take("ALL") {
        return Ok(Scans::All);
    }
    if reader.take("CLASS") {
        return reader.names(CLASS).map(Scans::Classes);
    }
    let mut places = Vec::new();
    while let Some(spot) = spot_if(reader)? {
        places.push(spot);
    }
    if places.is_empty() {
        return reader
            .names("ALL, sectors, @ and objects, CLASS and classes, or ships")
            .map(Scans::Ships);
    }
    Ok(Scans::Places(places))
}
