//! Views, and how what an empire knows changes.

use std::sync::Arc;

use heliopause_kernel::Malformed;
use heliopause_proto::star_empires::v1 as proto;
use proto::view::Viewer;

use super::galaxy::{read_class, write_class};
use super::names::{
    LIST_MAX, read_code, read_coord, read_hull, read_list, read_name, read_name_if, read_names, read_seat, read_seats,
    read_serial, read_serials, read_some_name, read_some_serial, read_u16, write_coord, write_hull, write_name,
    write_names, write_seats, write_serial, write_serials, write_some_name, write_some_serial,
};
use super::order::{read_sheet, write_sheet};
use super::position::{read_alliances, read_galaxy, write_alliances, write_galaxy};
use super::{chart, master, options, position, report, wrong};
use crate::class::Class;
use crate::master::WAITING_MAX;
use crate::options::EMPIRES;
use crate::view::{
    EmpireSeen, EmpireStatus, EmpireView, GrantSeen, Insight, KnownChange, MasterView, Navigation, OwnShip, Strength,
    View,
};

pub(super) fn read(message: &proto::View) -> Result<View, Malformed> {
    let empires = message.empires as usize;
    if empires > *EMPIRES.end() {
        return wrong("empires", "there are 2 to 60 empires");
    }
    let insight = match &message.viewer {
        None => Insight::Spectator,
        Some(Viewer::Empire(empire)) => Insight::Empire(Box::new(read_empire(empire)?)),
        Some(Viewer::Master(master)) => Insight::Master(Box::new(read_master(master)?)),
    };
    Ok(View {
        options: Arc::new(options::read(message.options.as_ref().unwrap_or(&proto::Options::default()))?),
        turn: message.turn,
        empires,
        ending: position::read_ending(message.ending.as_ref(), "ending")?,
        insight,
    })
}

pub(super) fn write(view: &View) -> proto::View {
    let viewer = match &view.insight {
        Insight::Empire(own) => Some(Viewer::Empire(write_empire(own))),
        Insight::Spectator => None,
        Insight::Master(master) => Some(Viewer::Master(write_master(master))),
    };
    proto::View {
        options: Some(options::write(&view.options)),
        turn: view.turn,
        empires: view.empires as u32,
        ending: view.ending.map(position::write_ending),
        viewer,
    }
}

fn read_empire(message: &proto::EmpireView) -> Result<EmpireView, Malformed> {
    Ok(EmpireView {
        status: read_status(Malformed::need(message.status.as_ref(), "empire.status")?, "empire.status")?,
        empires: read_list(&message.empires, *EMPIRES.end(), "empire.empires", read_seen)?,
        classes: read_list(&message.classes, LIST_MAX, "empire.classes", read_class)?,
        ships: read_list(&message.ships, LIST_MAX, "empire.ships", read_ship)?,
        chart: chart::read(message.chart.as_ref(), "empire.chart")?,
        navigation: read_list(&message.navigation, LIST_MAX, "empire.navigation", read_navigation)?,
        report: Arc::new(report::read(message.report.as_ref(), "empire.report")?),
        sheet: message.sheet.as_ref().map(|sheet| read_sheet(sheet, "empire.sheet")).transpose()?,
        flown: read_list(&message.flown, LIST_MAX, "empire.flown", read_class)?,
        strengths: read_list(&message.strengths, LIST_MAX, "empire.strengths", read_strength)?,
    })
}

fn write_empire(own: &EmpireView) -> proto::EmpireView {
    proto::EmpireView {
        status: Some(write_status(&own.status)),
        empires: own.empires.iter().map(write_seen).collect(),
        classes: own.classes.iter().map(write_class).collect(),
        ships: own.ships.iter().map(write_ship).collect(),
        chart: Some(chart::write(&own.chart)),
        navigation: own.navigation.iter().map(write_navigation).collect(),
        report: Some(report::write(&own.report)),
        sheet: own.sheet.as_ref().map(write_sheet),
        flown: own.flown.iter().map(write_class).collect(),
        strengths: own.strengths.iter().map(write_strength).collect(),
    }
}

fn read_strength(message: &proto::Strength, field: &str) -> Result<Strength, Malformed> {
    Ok(Strength {
        owner: read_seat(message.owner, field)?,
        serial: read_serial(&message.serial, field)?,
        hull: read_hull(message.hull, field)?,
        guns: read_u16(message.guns, field)?,
        dp: read_u16(message.dp, field)?,
    })
}

fn write_strength(strength: &Strength) -> proto::Strength {
    proto::Strength {
        owner: strength.owner.number(),
        serial: write_serial(strength.serial),
        hull: write_hull(strength.hull),
        guns: strength.guns.into(),
        dp: strength.dp.into(),
    }
}

fn read_master(message: &proto::MasterView) -> Result<MasterView, Malformed> {
    let galaxy = Malformed::need(message.galaxy.as_ref(), "master.galaxy")?;
    Ok(MasterView {
        galaxy: read_galaxy(galaxy, &[], "master.galaxy")?.galaxy,
        waiting: read_list(&message.orders, WAITING_MAX, "master.orders", master::read_astronomics)?,
        alliances: read_alliances(&message.alliances, "master.alliances")?,
    })
}

fn write_master(master: &MasterView) -> proto::MasterView {
    proto::MasterView {
        galaxy: Some(write_galaxy(&master.galaxy)),
        orders: master.waiting.iter().map(master::write_astronomics).collect(),
        alliances: write_alliances(&master.alliances),
    }
}

fn read_status(message: &proto::EmpireStatus, field: &str) -> Result<EmpireStatus, Malformed> {
    let part = |name: &str| format!("{field}.{name}");
    Ok(EmpireStatus {
        seat: read_seat(message.seat, &part("seat"))?,
        homeworld: read_some_name(&message.homeworld, &part("homeworld"))?,
        grants: read_list(&message.grants, *EMPIRES.end(), &part("grants"), read_grant)?,
        abandoned_turns: message.abandoned_turns,
        shot_by: read_seats(&message.shot_by, &part("shot_by"))?,
        allies: read_seats(&message.allies, &part("allies"))?,
    })
}

fn write_status(status: &EmpireStatus) -> proto::EmpireStatus {
    let standing = if status.homeworld.is_some() { proto::Standing::Active } else { proto::Standing::Homeless };
    proto::EmpireStatus {
        seat: status.seat.number(),
        standing: standing.into(),
        homeworld: write_some_name(status.homeworld),
        grants: status.grants.iter().map(write_grant).collect(),
        abandoned_turns: status.abandoned_turns,
        shot_by: write_seats(status.shot_by),
        allies: write_seats(status.allies),
    }
}

fn read_grant(message: &proto::Grant, field: &str) -> Result<GrantSeen, Malformed> {
    let sector = |at: &proto::Sector, field: &str| read_coord(Some(at), field);
    Ok(GrantSeen {
        to: read_seat(message.to, field)?,
        all: message.all,
        sectors: read_list(&message.sectors, LIST_MAX, field, sector)?,
        ships: read_serials(&message.ships, field)?,
        classes: read_names(&message.classes, field)?,
    })
}

fn write_grant(grant: &GrantSeen) -> proto::Grant {
    proto::Grant {
        to: grant.to.number(),
        all: grant.all,
        sectors: grant.sectors.iter().copied().map(write_coord).collect(),
        ships: write_serials(&grant.ships),
        classes: write_names(&grant.classes),
    }
}

fn read_seen(message: &proto::EmpireSeen, field: &str) -> Result<EmpireSeen, Malformed> {
    Ok(EmpireSeen {
        seat: read_seat(message.seat, field)?,
        name: read_name(&message.name, field)?,
        code: read_code(&message.code, field)?,
        contact: message.contact,
    })
}

fn write_seen(seen: &EmpireSeen) -> proto::EmpireSeen {
    let (seat, name) = (seen.seat.number(), write_name(seen.name));
    proto::EmpireSeen { seat, name, code: seen.code.as_str().to_owned(), contact: seen.contact }
}

fn read_ship(message: &proto::OwnShip, field: &str) -> Result<OwnShip, Malformed> {
    Ok(OwnShip {
        serial: read_serial(&message.serial, field)?,
        name: read_name_if(&message.name, field)?,
        class: read_name(&message.ship_class, field)?,
        at: read_coord(message.at.as_ref(), field)?,
        dp: read_u16(message.dp, field)?,
        carrier: read_some_serial(&message.carrier, field)?,
        public: message.public_mode,
        identified: read_seats(&message.identified, field)?,
        concealed: read_seats(&message.concealed, field)?,
    })
}

fn write_ship(ship: &OwnShip) -> proto::OwnShip {
    proto::OwnShip {
        serial: write_serial(ship.serial),
        name: write_name(ship.name),
        ship_class: write_name(ship.class),
        at: Some(write_coord(ship.at)),
        dp: ship.dp.into(),
        carrier: write_some_serial(ship.carrier),
        public_mode: ship.public,
        identified: write_seats(ship.identified),
        concealed: write_seats(ship.concealed),
    }
}

fn read_navigation(message: &proto::Navigation, field: &str) -> Result<Navigation, Malformed> {
    Ok(Navigation { portal: read_name(&message.portal, field)?, exits: read_names(&message.exits, field)? })
}

fn write_navigation(navigation: &Navigation) -> proto::Navigation {
    proto::Navigation { portal: write_name(navigation.portal), exits: write_names(&navigation.exits) }
}

pub(super) fn read_change(message: &proto::KnownChange, field: &str) -> Result<KnownChange, Malformed> {
    let part = |name: &str| format!("{field}.{name}");
    let table =
        |table: &proto::NavigationTable| read_list(&table.portals, LIST_MAX, &part("navigation"), read_navigation);
    let classes = |table: &proto::ClassTable| read_list(&table.classes, LIST_MAX, &part("flown"), read_class);
    Ok(KnownChange {
        chart: chart::read_change(message.chart.as_ref(), &part("chart"))?,
        ships: read_list(&message.ships, LIST_MAX, &part("ships"), read_ship)?,
        ships_gone: read_serials(&message.ships_gone, &part("ships_gone"))?,
        classes: read_list(&message.classes, LIST_MAX, &part("classes"), read_class)?,
        classes_gone: read_names(&message.classes_gone, &part("classes_gone"))?,
        empires: read_list(&message.empires, *EMPIRES.end(), &part("empires"), read_seen)?,
        navigation: message.navigation.as_ref().map(table).transpose()?,
        status: message.status.as_ref().map(|status| read_status(status, &part("status"))).transpose()?,
        flown: message.flown.as_ref().map(classes).transpose()?,
    })
}

pub(super) fn write_change(change: &KnownChange) -> proto::KnownChange {
    let table =
        |table: &Vec<Navigation>| proto::NavigationTable { portals: table.iter().map(write_navigation).collect() };
    let classes = |table: &Vec<Class>| proto::ClassTable { classes: table.iter().map(write_class).collect() };
    proto::KnownChange {
        chart: Some(chart::write_change(&change.chart)),
        ships: change.ships.iter().map(write_ship).collect(),
        ships_gone: write_serials(&change.ships_gone),
        classes: change.classes.iter().map(write_class).collect(),
        classes_gone: write_names(&change.classes_gone),
        empires: change.empires.iter().map(write_seen).collect(),
        navigation: change.navigation.as_ref().map(table),
        status: change.status.as_ref().map(write_status),
        flown: change.flown.as_ref().map(classes),
    }
}
