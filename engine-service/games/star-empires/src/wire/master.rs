//! Orders of the game master, in galactic coordinates.

use heliopause_kernel::Malformed;
use heliopause_proto::star_empires::v1 as proto;
use proto::master_order::Kind;

use super::names::{
    read_hull, read_list, read_name, read_object_kind, read_pattern, read_ratings, read_sector, read_some_name,
    read_some_names, read_u16, write_hull, write_name, write_names, write_object_kind, write_pattern, write_ratings,
    write_sector, write_some_name,
};
use super::order::{read_naming, write_naming};
use super::wrong;
use crate::master::{Astronomics, KnownKind, MasterOrder, NewOwner, ObjectKind};
use crate::objects::Pattern;
use crate::options::EMPIRES;

pub(super) fn read(message: &proto::MasterOrder, field: &str) -> Result<MasterOrder, Malformed> {
    let kind = Malformed::need(message.kind.as_ref(), field)?;
    match kind {
        Kind::Withdraw(order) => match order.number.checked_sub(1) {
            Some(index) => Ok(MasterOrder::Withdraw(index as usize)),
            None => wrong(&format!("{field}.number"), "orders are counted from 1"),
        },
        Kind::ApplyNow(_) => Ok(MasterOrder::ApplyNow),
        Kind::SetAlliances(order) => {
            let members = |alliance: &proto::AllianceNames, field: &str| read_some_names(&alliance.empires, field);
            let field = format!("{field}.alliances");
            read_list(&order.alliances, *EMPIRES.end(), &field, members).map(MasterOrder::SetAlliances)
        }
        _ => read_kind(kind, field).map(MasterOrder::Astronomics),
    }
}

pub(super) fn write(order: &MasterOrder) -> proto::MasterOrder {
    let kind = match order {
        MasterOrder::Astronomics(order) => return write_astronomics(order),
        MasterOrder::Withdraw(index) => {
            let number = u32::try_from(*index).unwrap_or(u32::MAX).saturating_add(1);
            Kind::Withdraw(proto::Withdraw { number })
        }
        MasterOrder::ApplyNow => Kind::ApplyNow(proto::ApplyNow {}),
        MasterOrder::SetAlliances(alliances) => {
            let names = |members: &Vec<_>| proto::AllianceNames { empires: write_names(members) };
            Kind::SetAlliances(proto::SetAlliances { alliances: alliances.iter().map(names).collect() })
        }
    };
    proto::MasterOrder { kind: Some(kind) }
}

/// An order of 6.1, which can wait.
pub(super) fn read_astronomics(message: &proto::MasterOrder, field: &str) -> Result<Astronomics, Malformed> {
    read_kind(Malformed::need(message.kind.as_ref(), field)?, field)
}

fn read_kind(kind: &Kind, field: &str) -> Result<Astronomics, Malformed> {
    match kind {
        Kind::ModifyWorld(_)
        | Kind::ModifyStorm(_)
        | Kind::ModifyShip(_)
        | Kind::CollapsePortal(_)
        | Kind::RemoveKnown(_)
        | Kind::AddKnown(_) => read_change(kind, field),
        Kind::RemoveConnection(_)
        | Kind::RemoveObjects(_)
        | Kind::RemoveShips(_)
        | Kind::RelocateObject(_)
        | Kind::RelocateShips(_) => read_removal(kind, field),
        _ => read_addition(kind, field),
    }
}

/// 6.1.1 and 6.1.2.
fn read_removal(kind: &Kind, field: &str) -> Result<Astronomics, Malformed> {
    let part = |name: &str| format!("{field}.{name}");
    let name = |text: &str, name: &str| read_name(text, &part(name));
    let names = |list: &[String], name: &str| read_some_names(list, &part(name));
    Ok(match kind {
        Kind::RemoveConnection(order) => {
            Astronomics::RemoveConnection { entry: name(&order.entry, "entry")?, exit: name(&order.exit, "exit")? }
        }
        Kind::RemoveObjects(order) => Astronomics::RemoveObjects {
            kind: read_object_kind(order.kind, &part("kind"))?,
            names: names(&order.names, "names")?,
        },
        Kind::RemoveShips(order) => {
            Astronomics::RemoveShips { empire: name(&order.empire, "empire")?, ships: names(&order.ships, "ships")? }
        }
        Kind::RelocateObject(order) => Astronomics::RelocateObject {
            kind: read_object_kind(order.kind, &part("kind"))?,
            name: name(&order.name, "name")?,
            to: read_sector(order.to.as_ref(), &part("to"))?,
        },
        Kind::RelocateShips(order) => Astronomics::RelocateShips {
            empire: name(&order.empire, "empire")?,
            ships: names(&order.ships, "ships")?,
            to: read_sector(order.to.as_ref(), &part("to"))?,
        },
        _ => return wrong(field, "it is no order of 6.1.1 or 6.1.2"),
    })
}

/// 6.1.3.
fn read_addition(kind: &Kind, field: &str) -> Result<Astronomics, Malformed> {
    let part = |name: &str| format!("{field}.{name}");
    let name = |text: &str, name: &str| read_name(text, &part(name));
    let at = |sector: &Option<proto::Sector>| read_sector(sector.as_ref(), &part("at"));
    Ok(match kind {
        Kind::AddClass(order) => Astronomics::AddClass {
            name: name(&order.name, "name")?,
            hull: read_hull(order.hull, &part("hull"))?,
            ratings: read_ratings(order.ratings.as_ref(), &part("ratings"))?,
            tonnage: order.tonnage,
            cost: order.cost,
            unbuildable: order.unbuildable,
        },
        Kind::AddPortal(order) => Astronomics::AddPortal {
            at: at(&order.at)?,
            name: name(&order.name, "name")?,
            collapse_turns: order.collapse_turns,
        },
        Kind::AddStorm(order) => Astronomics::AddStorm {
            at: at(&order.at)?,
            name: name(&order.name, "name")?,
            rating: order.rating,
            pattern: read_fluctuation(order.fluctuation.as_ref(), &part("fluctuation"))?.unwrap_or_default(),
        },
        Kind::AddWorld(order) => Astronomics::AddWorld {
            at: at(&order.at)?,
            name: name(&order.name, "name")?,
            production: order.production,
            stockpile: order.stockpile,
            owner: read_some_name(&order.owner, &part("owner"))?,
        },
        Kind::AddConnection(order) => {
            Astronomics::AddConnection { entry: name(&order.entry, "entry")?, exit: name(&order.exit, "exit")? }
        }
        Kind::AddShips(order) => Astronomics::AddShips {
            at: at(&order.at)?,
            empire: name(&order.empire, "empire")?,
            count: order.count,
            class: name(&order.ship_class, "ship_class")?,
            dp: read_u16(order.dp, &part("dp"))?,
            public: order.public_mode,
            naming: read_naming(&order.names, &order.base, field)?,
        },
        _ => return wrong(field, "it is no order that waits for 6.1"),
    })
}

/// 6.1.4 to 6.1.6.
fn read_change(kind: &Kind, field: &str) -> Result<Astronomics, Malformed> {
    let part = |name: &str| format!("{field}.{name}");
    let name = |text: &str, name: &str| read_name(text, &part(name));
    let names = |list: &[String], name: &str| read_some_names(list, &part(name));
    Ok(match kind {
        Kind::ModifyWorld(order) => {
            let owner = match order.owner.as_deref() {
                None => NewOwner::Unchanged,
                Some("") => NewOwner::Nobody,
                Some(text) => NewOwner::Empire(name(text, "owner")?),
            };
            let (production, stockpile) = (order.production, order.stockpile);
            Astronomics::ModifyWorld { name: name(&order.name, "name")?, production, stockpile, owner }
        }
        Kind::ModifyStorm(order) => Astronomics::ModifyStorm {
            name: name(&order.name, "name")?,
            rating: order.rating,
            pattern: read_fluctuation(order.fluctuation.as_ref(), &part("fluctuation"))?,
        },
        Kind::ModifyShip(order) => Astronomics::ModifyShip {
            empire: name(&order.empire, "empire")?,
            ship: name(&order.ship, "ship")?,
            dp: read_u16(order.dp, &part("dp"))?,
            public: order.public_mode,
        },
        Kind::CollapsePortal(order) => {
            Astronomics::CollapsePortal { portal: name(&order.portal, "portal")?, turns: order.turns }
        }
        Kind::RemoveKnown(order) => Astronomics::RemoveKnown {
            kind: read_known_kind(order.kind, &part("kind"))?,
            names: names(&order.names, "names")?,
            empires: names(&order.empires, "empires")?,
        },
        Kind::AddKnown(order) => Astronomics::AddKnown {
            kind: read_known_kind(order.kind, &part("kind"))?,
            names: names(&order.names, "names")?,
            empires: names(&order.empires, "empires")?,
        },
        _ => return wrong(field, "it is no order of 6.1.4 to 6.1.6"),
    })
}

pub(super) fn write_astronomics(order: &Astronomics) -> proto::MasterOrder {
    let kind = write_removal(order).or_else(|| write_addition(order)).or_else(|| write_change(order));
    proto::MasterOrder { kind }
}

/// 6.1.1 and 6.1.2; `None` for the others.
fn write_removal(order: &Astronomics) -> Option<Kind> {
    Some(match order {
        Astronomics::RemoveConnection { entry, exit } => {
            Kind::RemoveConnection(proto::RemoveConnection { entry: write_name(*entry), exit: write_name(*exit) })
        }
        Astronomics::RemoveObjects { kind, names } => {
            Kind::RemoveObjects(proto::RemoveObjects { kind: write_object_kind(*kind), names: write_names(names) })
        }
        Astronomics::RemoveShips { empire, ships } => {
            Kind::RemoveShips(proto::RemoveShips { empire: write_name(*empire), ships: write_names(ships) })
        }
        Astronomics::RelocateObject { kind, name, to } => {
            let (kind, name, to) = (write_object_kind(*kind), write_name(*name), Some(write_sector(*to)));
            Kind::RelocateObject(proto::RelocateObject { kind, name, to })
        }
        Astronomics::RelocateShips { empire, ships, to } => {
            let (empire, ships, to) = (write_name(*empire), write_names(ships), Some(write_sector(*to)));
            Kind::RelocateShips(proto::RelocateShips { empire, ships, to })
        }
        _ => return None,
    })
}

/// 6.1.3; `None` for the others.
fn write_addition(order: &Astronomics) -> Option<Kind> {
    Some(match order {
        Astronomics::AddClass { name, hull, ratings, tonnage, cost, unbuildable } => Kind::AddClass(proto::AddClass {
            name: write_name(*name),
            hull: write_hull(*hull),
            ratings: Some(write_ratings(*ratings)),
            tonnage: *tonnage,
            cost: *cost,
            unbuildable: *unbuildable,
        }),
        Astronomics::AddPortal { at, name, collapse_turns } => {
            let (at, name) = (Some(write_sector(*at)), write_name(*name));
            Kind::AddPortal(proto::AddPortal { at, name, collapse_turns: *collapse_turns })
        }
        Astronomics::AddStorm { at, name, rating, pattern } => {
            let (at, name, rating) = (Some(write_sector(*at)), write_name(*name), *rating);
            Kind::AddStorm(proto::AddStorm { at, name, rating, fluctuation: Some(write_fluctuation(pattern)) })
        }
        Astronomics::AddWorld { at, name, production, stockpile, owner } => Kind::AddWorld(proto::AddWorld {
            at: Some(write_sector(*at)),
            name: write_name(*name),
            production: *production,
            stockpile: *stockpile,
            owner: write_some_name(*owner),
        }),
        Astronomics::AddConnection { entry, exit } => {
            Kind::AddConnection(proto::AddConnection { entry: write_name(*entry), exit: write_name(*exit) })
        }
        Astronomics::AddShips { at, empire, count, class, dp, public, naming } => {
            let (names, base) = write_naming(naming);
            Kind::AddShips(proto::AddShips {
                at: Some(write_sector(*at)),
                empire: write_name(*empire),
                count: *count,
                ship_class: write_name(*class),
                dp: u32::from(*dp),
                public_mode: *public,
                names,
                base,
            })
        }
        _ => return None,
    })
}

/// 6.1.4 to 6.1.6; `None` for the others.
fn write_change(order: &Astronomics) -> Option<Kind> {
    Some(match order {
        Astronomics::ModifyWorld { name, production, stockpile, owner } => {
            let owner = match owner {
                NewOwner::Unchanged => None,
                NewOwner::Nobody => Some(String::new()),
                NewOwner::Empire(name) => Some(write_name(*name)),
            };
            let (name, production, stockpile) = (write_name(*name), *production, *stockpile);
            Kind::ModifyWorld(proto::ModifyWorld { name, production, stockpile, owner })
        }
        Astronomics::ModifyStorm { name, rating, pattern } => {
            let fluctuation = pattern.as_ref().map(write_fluctuation);
            Kind::ModifyStorm(proto::ModifyStorm { name: write_name(*name), rating: *rating, fluctuation })
        }
        Astronomics::ModifyShip { empire, ship, dp, public } => {
            let (empire, ship, dp) = (write_name(*empire), write_name(*ship), u32::from(*dp));
            Kind::ModifyShip(proto::ModifyShip { empire, ship, dp, public_mode: *public })
        }
        Astronomics::CollapsePortal { portal, turns } => {
            Kind::CollapsePortal(proto::CollapsePortal { portal: write_name(*portal), turns: *turns })
        }
        Astronomics::RemoveKnown { kind, names, empires } => {
            let (kind, names) = (write_known_kind(*kind), write_names(names));
            Kind::RemoveKnown(proto::RemoveKnown { kind, names, empires: write_names(empires) })
        }
        Astronomics::AddKnown { kind, names, empires } => {
            let (kind, names) = (write_known_kind(*kind), write_names(names));
            Kind::AddKnown(proto::AddKnown { kind, names, empires: write_names(empires) })
        }
        _ => return None,
    })
}

fn read_fluctuation(message: Option<&proto::Fluctuation>, field: &str) -> Result<Option<Pattern>, Malformed> {
    message.map(|message| read_pattern(message.pattern, &message.steps, field)).transpose()
}

fn write_fluctuation(pattern: &Pattern) -> proto::Fluctuation {
    let (pattern, steps) = write_pattern(pattern);
    proto::Fluctuation { pattern, steps }
}

fn write_known_kind(kind: KnownKind) -> i32 {
    let kind = match kind {
        KnownKind::Object(ObjectKind::World) => proto::KnownKind::World,
        KnownKind::Object(ObjectKind::Portal) => proto::KnownKind::Portal,
        KnownKind::Object(ObjectKind::Storm) => proto::KnownKind::Storm,
        KnownKind::Navigation => proto::KnownKind::Navigation,
        KnownKind::Class => proto::KnownKind::Class,
        KnownKind::Contact => proto::KnownKind::Contact,
    };
    kind.into()
}

fn read_known_kind(number: i32, field: &str) -> Result<KnownKind, Malformed> {
    match proto::KnownKind::try_from(number) {
        Ok(proto::KnownKind::World) => Ok(KnownKind::Object(ObjectKind::World)),
        Ok(proto::KnownKind::Portal) => Ok(KnownKind::Object(ObjectKind::Portal)),
        Ok(proto::KnownKind::Storm) => Ok(KnownKind::Object(ObjectKind::Storm)),
        Ok(proto::KnownKind::Navigation) => Ok(KnownKind::Navigation),
        Ok(proto::KnownKind::Class) => Ok(KnownKind::Class),
        Ok(proto::KnownKind::Contact) => Ok(KnownKind::Contact),
        _ => wrong(field, "say a kind of knowledge"),
    }
}
