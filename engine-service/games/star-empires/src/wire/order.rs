//! Orders: the sheets of empires.
//!
//! What can be read can also be written as text: lists are never empty, numbers never 0.

use heliopause_kernel::Malformed;
use heliopause_proto::star_empires::v1 as proto;
use proto::line::Kind;

use super::names::{
    read_coord, read_hull, read_list, read_name, read_names, read_ratings, read_sense, read_some_name, read_some_names,
    read_u16, write_coord, write_hull, write_name, write_names, write_ratings, write_sense, write_some_name,
};
use super::{master, wrong};
use crate::class::Design;
use crate::hull::{Hull, Ratings};
use crate::name::Name;
use crate::order::{
    Amount, Crews, Fault, ITEMS_MAX, LINES_MAX, Line, Naming, Order, Scans, Selection, Sheet, Spot, Unread,
};

/// The longest message about a line that cannot be read, in characters.
const FAULT_MAX: usize = 500;

pub(super) fn read(message: &proto::Order) -> Result<Order, Malformed> {
    match Malformed::need(message.kind.as_ref(), "kind")? {
        proto::order::Kind::Sheet(sheet) => read_sheet(sheet, "sheet").map(Order::Sheet),
        proto::order::Kind::Master(order) => master::read(order, "master").map(Order::Master),
    }
}

pub(super) fn write(order: &Order) -> proto::Order {
    let kind = match order {
        Order::Sheet(sheet) => proto::order::Kind::Sheet(write_sheet(sheet)),
        Order::Master(order) => proto::order::Kind::Master(master::write(order)),
    };
    proto::Order { kind: Some(kind) }
}

pub(super) fn read_sheet(message: &proto::Sheet, field: &str) -> Result<Sheet, Malformed> {
    let lines = read_list(&message.lines, LINES_MAX, &format!("{field}.lines"), read_line)?;
    let items: usize = lines.iter().map(Line::items).sum();
    if items > ITEMS_MAX {
        return wrong(field, "its lines name too many things");
    }
    let unread = read_list(&message.unread, LINES_MAX, &format!("{field}.unread"), read_unread)?;
    Ok(Sheet { lines, unread, strict: message.strict })
}

fn read_unread(message: &proto::UnreadLine, field: &str) -> Result<Unread, Malformed> {
    let fault = read_fault(Malformed::need(message.fault.as_ref(), field)?, field)?;
    Ok(Unread { behind: message.behind, fault })
}

pub(super) fn read_fault(message: &proto::TextFault, field: &str) -> Result<Fault, Malformed> {
    if message.message.chars().count() > FAULT_MAX {
        return wrong(field, "its message is too long");
    }
    Ok(Fault { line: message.line, column: message.column, message: message.message.clone() })
}

pub(super) fn write_fault(fault: &Fault) -> proto::TextFault {
    let Fault { line, column, message } = fault;
    proto::TextFault { line: *line, column: *column, message: message.chars().take(FAULT_MAX).collect() }
}

pub(super) fn write_sheet(sheet: &Sheet) -> proto::Sheet {
    let unread = |unread: &Unread| proto::UnreadLine { behind: unread.behind, fault: Some(write_fault(&unread.fault)) };
    proto::Sheet {
        lines: sheet.lines.iter().map(write_line).collect(),
        unread: sheet.unread.iter().map(unread).collect(),
        strict: sheet.strict,
    }
}

pub(super) fn read_line(message: &proto::Line, field: &str) -> Result<Line, Malformed> {
    let kind = Malformed::need(message.kind.as_ref(), field)?;
    match kind {
        Kind::Unload(_)
        | Kind::Load(_)
        | Kind::Destruct(_)
        | Kind::Fire(_)
        | Kind::Transmit(_)
        | Kind::Move(_)
        | Kind::Traverse(_) => read_action(kind, field),
        _ => read_business(kind, field),
    }
}

/// Chapters 6.2 to 6.4.
fn read_action(kind: &Kind, field: &str) -> Result<Line, Malformed> {
    let part = |name: &str| format!("{field}.{name}");
    let names = |list: &[String], name: &str| read_some_names(list, &part(name));
    let ships = |selection: &Option<proto::Selection>| read_selection(selection.as_ref(), &part("ships"));
    Ok(match kind {
        Kind::Unload(line) => Line::Unload { ships: names(&line.ships, "ships")? },
        Kind::Load(line) => {
            Line::Load { ships: names(&line.ships, "ships")?, carrier: read_name(&line.carrier, &part("carrier"))? }
        }
        Kind::Destruct(line) => Line::Destruct { ships: ships(&line.ships)? },
        Kind::Fire(line) => Line::Fire {
            sense: read_sense(line.sense, &part("sense"))?,
            ships: ships(&line.ships)?,
            at: names(&line.at, "at")?,
        },
        Kind::Transmit(line) => {
            Line::Transmit { portals: names(&line.portals, "portals")?, to: names(&line.to, "to")? }
        }
        Kind::Move(line) => Line::Move { ships: ships(&line.ships)?, to: read_spot(line.to.as_ref(), &part("to"))? },
        Kind::Traverse(line) => Line::Traverse {
            ships: ships(&line.ships)?,
            entry: read_name(&line.entry, &part("entry"))?,
            exit: read_some_name(&line.exit, &part("exit"))?,
        },
        _ => return wrong(field, "it is no order of these chapters"),
    })
}

/// Chapters 6.5 to 6.8.
fn read_business(kind: &Kind, field: &str) -> Result<Line, Malformed> {
    let part = |name: &str| format!("{field}.{name}");
    let name = |text: &str, name: &str| read_name(text, &part(name));
    let names = |list: &[String], name: &str| read_some_names(list, &part(name));
    let crews = |crews: &Option<proto::Crews>| read_crews(crews.as_ref(), &part("ships"));
    let amount = |amount: &Option<proto::Amount>, name: &str| read_amount(amount.as_ref(), &part(name));
    let scans = |scans: &Option<proto::Scans>| read_scans(scans.as_ref(), &part("scans"));
    Ok(match kind {
        Kind::Design(line) => Line::Design {
            world: name(&line.world, "world")?,
            class: name(&line.ship_class, "ship_class")?,
            design: read_design(line, field)?,
        },
        Kind::Give(line) => Line::Give { classes: names(&line.classes, "classes")?, to: names(&line.to, "to")? },
        Kind::Build(line) => Line::Build {
            world: name(&line.world, "world")?,
            count: amount(&line.count, "count")?,
            class: name(&line.ship_class, "ship_class")?,
            naming: read_naming(&line.names, &line.base, field)?,
        },
        Kind::Repair(line) => Line::Repair {
            ship: name(&line.ship, "ship")?,
            dp: amount(&line.dp, "dp")?,
            worlds: names(&line.worlds, "worlds")?,
        },
        Kind::Toggle(line) => Line::Toggle { public: line.public_mode, ships: crews(&line.ships)? },
        Kind::Conceal(line) => {
            Line::Conceal { ships: crews(&line.ships)?, from: names(&line.from_empires, "from_empires")? }
        }
        Kind::Identify(line) => {
            Line::Identify { ships: crews(&line.ships)?, to: names(&line.to_empires, "to_empires")? }
        }
        Kind::Pool(line) => {
            let except = read_names(&line.excepted, &part("excepted"))?;
            Line::Pool { world: name(&line.world, "world")?, except }
        }
        Kind::Transfer(line) => Line::Transfer {
            from: name(&line.from_world, "from_world")?,
            amount: amount(&line.amount, "amount")?,
            to: name(&line.to_world, "to_world")?,
            recipient: read_some_name(&line.recipient, &part("recipient"))?,
        },
        Kind::Deny(line) => Line::Deny { scans: scans(&line.scans)?, to: names(&line.to, "to")? },
        Kind::Authorize(line) => Line::Authorize { scans: scans(&line.scans)?, to: names(&line.to, "to")? },
        _ => return wrong(field, "it is no order of these chapters"),
    })
}

pub(super) fn write_line(line: &Line) -> proto::Line {
    let kind = write_action(line).unwrap_or_else(|| write_business(line));
    proto::Line { kind: Some(kind) }
}

/// Chapters 6.2 to 6.4; `None` for the others.
fn write_action(line: &Line) -> Option<Kind> {
    let names = |names: &[Name]| write_names(names);
    Some(match line {
        Line::Unload { ships } => Kind::Unload(proto::Unload { ships: names(ships) }),
        Line::Load { ships, carrier } => Kind::Load(proto::Load { ships: names(ships), carrier: write_name(*carrier) }),
        Line::Destruct { ships } => Kind::Destruct(proto::Destruct { ships: Some(write_selection(ships)) }),
        Line::Fire { sense, ships, at } => {
            let (sense, ships) = (write_sense(*sense), Some(write_selection(ships)));
            Kind::Fire(proto::Fire { sense, ships, at: names(at) })
        }
        Line::Transmit { portals, to } => Kind::Transmit(proto::Transmit { portals: names(portals), to: names(to) }),
        Line::Move { ships, to } => {
            Kind::Move(proto::Move { ships: Some(write_selection(ships)), to: Some(write_spot(*to)) })
        }
        Line::Traverse { ships, entry, exit } => {
            let (entry, exit) = (write_name(*entry), write_some_name(*exit));
            Kind::Traverse(proto::Traverse { ships: Some(write_selection(ships)), entry, exit })
        }
        _ => return None,
    })
}

/// Chapters 6.5 to 6.8.
fn write_business(line: &Line) -> Kind {
    let names = |names: &[Name]| write_names(names);
    match line {
        Line::Give { classes, to } => Kind::Give(proto::Give { classes: names(classes), to: names(to) }),
        Line::Build { world, count, class, naming } => {
            let (names, base) = write_naming(naming);
            let (world, ship_class) = (write_name(*world), write_name(*class));
            Kind::Build(proto::Build { world, count: Some(write_amount(*count)), ship_class, names, base })
        }
        Line::Repair { ship, dp, worlds } => {
            let (ship, dp) = (write_name(*ship), Some(write_amount(*dp)));
            Kind::Repair(proto::Repair { ship, dp, worlds: names(worlds) })
        }
        Line::Toggle { public, ships } => {
            Kind::Toggle(proto::Toggle { public_mode: *public, ships: Some(write_crews(ships)) })
        }
        Line::Conceal { ships, from } => {
            Kind::Conceal(proto::Conceal { ships: Some(write_crews(ships)), from_empires: names(from) })
        }
        Line::Identify { ships, to } => {
            Kind::Identify(proto::Identify { ships: Some(write_crews(ships)), to_empires: names(to) })
        }
        Line::Pool { world, except } => Kind::Pool(proto::Pool { world: write_name(*world), excepted: names(except) }),
        Line::Transfer { from, amount, to, recipient } => {
            let (from, to, recipient) = (write_name(*from), write_name(*to), write_some_name(*recipient));
            Kind::Transfer(proto::Transfer {
                from_world: from,
                amount: Some(write_amount(*amount)),
                to_world: to,
                recipient,
            })
        }
        Line::Deny { scans, to } => Kind::Deny(proto::Deny { scans: Some(write_scans(scans)), to: names(to) }),
        Line::Authorize { scans, to } => {
            Kind::Authorize(proto::Authorize { scans: Some(write_scans(scans)), to: names(to) })
        }
        Line::Design { world, class, design } => Kind::Design(write_design(*world, *class, *design)),
        // The orders of 6.2 to 6.4, which `write_action` has written.
        other => write_action(other).unwrap_or(Kind::Unload(proto::Unload::default())),
    }
}

fn read_spot(message: Option<&proto::Spot>, field: &str) -> Result<Spot, Malformed> {
    match Malformed::need(Malformed::need(message, field)?.kind.as_ref(), field)? {
        proto::spot::Kind::Sector(sector) => read_coord(Some(sector), field).map(Spot::At),
        proto::spot::Kind::Object(name) => read_name(name, field).map(Spot::Object),
    }
}

fn write_spot(spot: Spot) -> proto::Spot {
    let kind = match spot {
        Spot::At(at) => proto::spot::Kind::Sector(write_coord(at)),
        Spot::Object(name) => proto::spot::Kind::Object(write_name(name)),
    };
    proto::Spot { kind: Some(kind) }
}

fn read_selection(message: Option<&proto::Selection>, field: &str) -> Result<Selection, Malformed> {
    let message = Malformed::need(message, field)?;
    match &message.at {
        None if message.excepted.is_empty() => read_some_names(&message.ships, field).map(Selection::Ships),
        Some(at) if message.ships.is_empty() => {
            let at = read_spot(Some(at), &format!("{field}.at"))?;
            Ok(Selection::All { at, except: read_names(&message.excepted, &format!("{field}.excepted"))? })
        }
        _ => wrong(field, "give ships, or a place with the ships that are left out"),
    }
}

fn write_selection(selection: &Selection) -> proto::Selection {
    match selection {
        Selection::Ships(names) => proto::Selection { ships: write_names(names), at: None, excepted: Vec::new() },
        Selection::All { at, except } => {
            proto::Selection { ships: Vec::new(), at: Some(write_spot(*at)), excepted: write_names(except) }
        }
    }
}

fn read_amount(message: Option<&proto::Amount>, field: &str) -> Result<Amount, Malformed> {
    match Malformed::need(Malformed::need(message, field)?.kind.as_ref(), field)? {
        proto::amount::Kind::Number(0) => wrong(field, "it is at least 1"),
        proto::amount::Kind::Number(number) => Ok(Amount::Number(*number)),
        proto::amount::Kind::Most(_) => Ok(Amount::Max),
    }
}

fn write_amount(amount: Amount) -> proto::Amount {
    let kind = match amount {
        Amount::Number(number) => proto::amount::Kind::Number(number),
        Amount::Max => proto::amount::Kind::Most(proto::Most {}),
    };
    proto::Amount { kind: Some(kind) }
}

pub(super) fn read_naming(names: &[String], base: &str, field: &str) -> Result<Naming, Malformed> {
    match read_some_name(base, &format!("{field}.base"))? {
        None => read_names(names, &format!("{field}.names")).map(Naming::Listed),
        Some(base) if names.is_empty() => Ok(Naming::Numbered(base)),
        Some(_) => wrong(&format!("{field}.base"), "give names or a base for them"),
    }
}

pub(super) fn write_naming(naming: &Naming) -> (Vec<String>, String) {
    match naming {
        Naming::Listed(names) => (write_names(names), String::new()),
        Naming::Numbered(base) => (Vec::new(), write_name(*base)),
    }
}

fn read_crews(message: Option<&proto::Crews>, field: &str) -> Result<Crews, Malformed> {
    let message = Malformed::need(message, field)?;
    let some = !(message.ships.is_empty() && message.classes.is_empty());
    match (message.all, some) {
        (true, false) => Ok(Crews::All),
        (false, true) => {
            let ships = read_names(&message.ships, &format!("{field}.ships"))?;
            Ok(Crews::Some { ships, classes: read_names(&message.classes, &format!("{field}.classes"))? })
        }
        _ => wrong(field, "give all ships, or some ships and classes"),
    }
}

fn write_crews(crews: &Crews) -> proto::Crews {
    match crews {
        Crews::All => proto::Crews { all: true, ..proto::Crews::default() },
        Crews::Some { ships, classes } => {
            proto::Crews { all: false, ships: write_names(ships), classes: write_names(classes) }
        }
    }
}

fn read_scans(message: Option<&proto::Scans>, field: &str) -> Result<Scans, Malformed> {
    let message = Malformed::need(message, field)?;
    match (message.all, message.places.is_empty(), message.ships.is_empty(), message.classes.is_empty()) {
        (true, true, true, true) => Ok(Scans::All),
        (false, false, true, true) => {
            let place = |spot: &proto::Spot, field: &str| read_spot(Some(spot), field);
            read_list(&message.places, ITEMS_MAX, &format!("{field}.places"), place).map(Scans::Places)
        }
        (false, true, false, true) => read_names(&message.ships, &format!("{field}.ships")).map(Scans::Ships),
        (false, true, true, false) => read_names(&message.classes, &format!("{field}.classes")).map(Scans::Classes),
        _ => wrong(field, "give exactly one: everything, places, ships or classes"),
    }
}

fn write_scans(scans: &Scans) -> proto::Scans {
    let mut message = proto::Scans::default();
    match scans {
        Scans::All => message.all = true,
        Scans::Places(places) => message.places = places.iter().copied().map(write_spot).collect(),
        Scans::Classes(classes) => message.classes = write_names(classes),
        Scans::Ships(ships) => message.ships = write_names(ships),
    }
    message
}

fn read_design(line: &proto::Design, field: &str) -> Result<Design, Malformed> {
    let ratings = format!("{field}.ratings");
    match read_hull(line.hull, &format!("{field}.hull"))? {
        Hull::Missile => {
            let guns = read_u16(Malformed::need(line.ratings.as_ref(), &ratings)?.guns, &ratings)?;
            Ok(Design::Missile { guns, tonnage: line.tonnage })
        }
        hull => Ok(Design::Ship(hull, read_ratings(line.ratings.as_ref(), &ratings)?)),
    }
}

fn write_design(world: Name, class: Name, design: Design) -> proto::Design {
    let (hull, ratings, tonnage) = match design {
        Design::Ship(hull, ratings) => (hull, ratings, 0),
        Design::Missile { guns, tonnage } => (Hull::Missile, Ratings { guns, ..Hull::Missile.base() }, tonnage),
    };
    proto::Design {
        world: write_name(world),
        ship_class: write_name(class),
        hull: write_hull(hull),
        ratings: Some(write_ratings(ratings)),
        tonnage,
    }
}
