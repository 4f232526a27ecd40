//! Notes 12.1: the orders of the game master.

use heliopause_kernel::Malformed;

use super::reader::Reader;
use super::sheet::{hull, ratings};
use crate::master::{AllianceNames, Astronomics, KnownKind, MasterOrder, NewOwner, ObjectKind};
use crate::objects::{Pattern, STEPS_MAX};

pub(super) const KNOWN: [(&str, KnownKind); 6] = [
    ("world", KnownKind::Object(ObjectKind::World)),
    ("portal", KnownKind::Object(ObjectKind::Portal)),
    ("storm", KnownKind::Object(ObjectKind::Storm)),
    ("navdata", KnownKind::Navigation),
    ("shipclass", KnownKind::Class),
    ("contact", KnownKind::Contact),
];

const MODES: [(&str, bool); 2] = [("PUBLIC", true), ("PRIVATE", false)];

/// Reads a line.
pub(super) fn order(reader: &mut Reader<'_>) -> Result<MasterOrder, Malformed> {
    let verb = reader.verb().unwrap_or_default().to_ascii_uppercase();
    match verb.as_str() {
        "WITHDRAW" => match reader.number("the number of an order that waits")? {
            0 => {
                reader.back();
                reader.expected("a number from 1")
            }
            number => Ok(MasterOrder::Withdraw { index: number as usize - 1 }),
        },
        "APPLY" => reader.need("NOW").map(|()| MasterOrder::ApplyNow),
        "ALLIANCES" => alliances(reader),
        verb => {
            let found = removal(reader, verb)?;
            let found = if found.is_some() { found } else { addition(reader, verb)? };
            let found = if found.is_some() { found } else { change(reader, verb)? };
            if let Some(order) = found {
                Ok(MasterOrder::Astronomics(order))
            } else {
                reader.back();
                reader.expected(
                    "an order of the game master, like ADDWORLD, REMOVESHIP, \
                    MODIFYSTORM, COLLAPSE, ADDKNOWN, WITHDRAW, APPLY NOW or ALLIANCES",
                )
            }
        }
    }
}

fn alliances(reader: &mut Reader<'_>) -> Result<MasterOrder, Malformed> {
    let mut alliances = Vec::new();
    if !reader.is_done() {
        alliances.push(AllianceNames { empires: reader.names("an empire")? });
        while reader.take_sign(b'/') {
            alliances.push(AllianceNames { empires: reader.names("an empire")? });
        }
    }
    Ok(MasterOrder::SetAlliances { alliances })
}

/// 6.1.1 and 6.1.2; `None` for other verbs.
fn removal(reader: &mut Reader<'_>, verb: &str) -> Result<Option<Astronomics>, Malformed> {
    Ok(Some(match verb {
        "REMOVEOBJECT" => Astronomics::RemoveObjects {
            kind: object_kind(reader)?,
            names: reader.names("an object")?,
        },
        "REMOVESHIP" => Astronomics::RemoveShips {
            empire: reader.name("an empire")?,
            ships: reader.names("a ship")?,
        },
        "REMOVECONNECTION" => Astronomics::RemoveConnection {
            entry: reader.name("a portal")?,
            exit: reader.name("a portal")?,
        },
        "RELOCATEOBJECT" => Astronomics::RelocateObject {
            kind: object_kind(reader)?,
            name: reader.name("an object")?,
            to: reader.sector()?,
        },
        "RELOCATESHIP" => {
            let (empire, ships) = (reader.name("an empire")?, reader.names("a ship")?);
            reader.need("TO")?;
            Astronomics::RelocateShips { empire, ships, to: reader.sector()? }
        }
        _ => return Ok(None),
    }))
}

/// 6.1.3; `None` for other verbs.
fn addition(reader: &mut Reader<'_>, verb: &str) -> Result<Option<Astronomics>, Malformed> {
    Ok(Some(match verb {
        "ADDWORLD" => Astronomics::AddWorld {
            at: reader.sector()?,
            name: reader.name("a name for the world")?,
            production: reader.number("its production")?,
            stockpile: reader.number("its stockpile")?,
            owner: reader.name_if("an empire")?,
        },
        "ADDPORTAL" => {
            let (at, name) = (reader.sector()?, reader.name("a name for the portal")?);
            let collapsed = reader.take("COLLAPSED");
            let collapse_turns = if collapsed { reader.number("for how many turns")? } else { 0 };
            Astronomics::AddPortal { at, name, collapse_turns }
        }
        "ADDCONNECTION" => Astronomics::AddConnection {
            entry: reader.name("a portal")?,
            exit: reader.name("a portal")?,
        },
        "ADDSTORM" => {
            let (at, name) = (reader.sector()?, reader.name("a name for the storm")?);
            let rating = reader.number("its rating")?;
            Astronomics::AddStorm {
                at,
                name,
                rating,
                pattern: fluctuation(reader)?.unwrap_or_default(),
            }
        }
        "ADDSHIP" => {
            let (at, empire) = (reader.sector()?, reader.name("an empire")?);
            let (count, class) = (reader.number("how many")?, reader.name("a class")?);
            let (dp, public) = (reader.short("damage points")?, mode(reader)?);
            Astronomics::AddShips { at, empire, count, class, dp, public, naming: reader.naming()? }
        }
        "ADDSHIPCLASS" => {
            let (name, hull) = (reader.name("a name for the class")?, hull(reader)?);
            let ratings = ratings(reader)?;
            let tonnage =
                reader.take("TONNAGE").then(|| reader.number("its tonnage")).transpose()?;
            let cost = reader.take("COST").then(|| reader.number("its cost")).transpose()?;
            Astronomics::AddClass {
                name,
                hull,
                ratings,
                tonnage,
                cost,
                unbuildable: reader.take("UNBUILDABLE"),
            }
        }
        _ => return Ok(None),
    }))
}

/// 6.1.4 to 6.1.6; `None` for other verbs.
fn change(reader: &mut Reader<'_>, verb: &str) -> Result<Option<Astronomics>, Malformed> {
    Ok(Some(match verb {
        "MODIFYWORLD" => {
            let (name, production) = (reader.name("a world")?, reader.number("its production")?);
            let stockpile = reader.number("its stockpile")?;
            let owner = if reader.take("NONE") {
                NewOwner::Nobody
            } else {
                reader.name_if("an empire")?.map_or(NewOwner::Unchanged, NewOwner::Empire)
            };
            Astronomics::ModifyWorld { name, production, stockpile, owner }
        }
        "MODIFYSTORM" => {
            let (name, rating) = (reader.name("a storm")?, reader.number("its rating")?);
            Astronomics::ModifyStorm { name, rating, pattern: fluctuation(reader)? }
        }
        "MODIFYSHIP" => {
            let (empire, ship) = (reader.name("an empire")?, reader.name("a ship")?);
            let dp = reader.short("damage points")?;
            Astronomics::ModifyShip { empire, ship, dp, public: mode(reader)? }
        }
        "COLLAPSE" => Astronomics::CollapsePortal {
            portal: reader.name("a portal")?,
            turns: reader.number("for how many turns")?,
        },
        "REMOVEKNOWN" => {
            let (kind, names) = (known_kind(reader)?, reader.names("what is known")?);
            reader.need("FROM")?;
            Astronomics::RemoveKnown { kind, names, empires: reader.names("an empire")? }
        }
        "ADDKNOWN" => {
            let (kind, names) = (known_kind(reader)?, reader.names("what is known")?);
            reader.need("TO")?;
            Astronomics::AddKnown { kind, names, empires: reader.names("an empire")? }
        }
        _ => return Ok(None),
    }))
}

fn object_kind(reader: &mut Reader<'_>) -> Result<ObjectKind, Malformed> {
    match reader.one_of(&ObjectKind::ALL.map(|kind| (kind.as_str(), kind))) {
        Some(kind) => Ok(kind),
        None => reader.expected("world, portal or storm"),
    }
}

fn known_kind(reader: &mut Reader<'_>) -> Result<KnownKind, Malformed> {
    match reader.one_of(&KNOWN) {
        Some(kind) => Ok(kind),
        None => reader.expected("world, portal, storm, navdata, shipclass or contact"),
    }
}

fn mode(reader: &mut Reader<'_>) -> Result<bool, Malformed> {
    match reader.one_of(&MODES) {
        Some(public) => Ok(public),
        None => reader.expected("PUBLIC or PRIVATE"),
    }
}

fn fluctuation(reader: &mut Reader<'_>) -> Result<Option<Pattern>, Malformed> {
    if reader.take("RANDOM") {
        return Ok(Some(Pattern::Random));
    }
    if reader.take("CONSTANT") {
        return Ok(Some(Pattern::Constant));
    }
    if !reader.take("CYCLE") {
        return Ok(None);
    }
    let mut steps = Vec::new();
    while let Some(step) = reader.step() {
        steps.push(step);
    }
    if !(1..=STEPS_MAX).contains(&steps.len()) {
        return reader.expected("1 to 100 steps");
    }
    Ok(Some(Pattern::Cyclic(steps.into())))
}
