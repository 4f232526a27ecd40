//! Events.

use std::sync::Arc;

use heliopause_kernel::{Malformed, Seat};
use heliopause_proto::star_empires::v1 as proto;
use proto::event::Kind;

use super::galaxy::{self, Read};
use super::names::{read_fate, read_list, read_seats, read_serials, write_fate, write_seats, write_serial, write_sum};
use super::order::{read_sheet, write_sheet};
use super::position::{read_alliances, read_ending, write_alliances, write_ending};
use super::report::{read_checks, read_remarks, write_checks, write_remarks};
use super::{master, report, ships, view, wrong};
use crate::event::{Event, GalaxyChange, MasterResult, ShipRow};
use crate::master::WAITING_MAX;
use crate::ship::Serial;

pub(super) fn read(message: &proto::Event) -> Result<Event, Malformed> {
    Ok(match Malformed::need(message.kind.as_ref(), "kind")? {
        Kind::Updated(event) => Event::Updated { turn: event.turn },
        Kind::Reported(event) => {
            let report = Arc::new(report::read(event.report.as_ref(), "reported.report")?);
            let change = Malformed::need(event.change.as_ref(), "reported.change")?;
            Event::Reported(Box::new((report, view::read_change(change, "reported.change")?)))
        }
        Kind::SheetStored(event) => Event::SheetStored {
            sheet: read_sheet(Malformed::need(event.sheet.as_ref(), "sheet_stored.sheet")?, "sheet_stored.sheet")?,
            checks: read_checks(&event.checks, "sheet_stored.checks")?,
        },
        Kind::Learned(event) => {
            let change = Malformed::need(event.change.as_ref(), "learned.change")?;
            Event::Learned(Box::new(view::read_change(change, "learned.change")?))
        }
        Kind::GalaxyChanged(event) => Event::GalaxyChanged(Box::new(read_change(event)?)),
        Kind::MasterOrdersChanged(event) => {
            let orders = read_list(&event.orders, WAITING_MAX, "master_orders_changed", master::read_astronomics)?;
            Event::MasterOrders(orders)
        }
        Kind::AlliancesChanged(event) => {
            Event::Alliances(read_alliances(&event.alliances, "alliances_changed.alliances")?)
        }
        Kind::HalfReached(event) => Event::HalfReached {
            empires: read_seats(&event.empires, "half_reached.empires")?,
            production: event.production.into(),
            total: event.total.into(),
        },
        Kind::Ended(event) => match read_ending(event.ending.as_ref(), "ended.ending")? {
            Some(ending) => Event::Ended(ending),
            None => return wrong("ended.ending", "it is missing"),
        },
        Kind::MasterReported(event) => {
            Event::MasterResults(read_list(&event.results, WAITING_MAX, "master_reported.results", read_result)?)
        }
    })
}

pub(super) fn write(event: &Event) -> proto::Event {
    let kind = match event {
        Event::Updated { turn } => Kind::Updated(proto::Updated { turn: *turn }),
        Event::Reported(told) => {
            let (report, change) = told.as_ref();
            let (report, change) = (Some(report::write(report)), Some(view::write_change(change)));
            Kind::Reported(proto::Reported { report, change })
        }
        Event::SheetStored { sheet, checks } => {
            Kind::SheetStored(proto::SheetStored { sheet: Some(write_sheet(sheet)), checks: write_checks(checks) })
        }
        Event::Learned(change) => Kind::Learned(proto::Learned { change: Some(view::write_change(change)) }),
        Event::GalaxyChanged(change) => Kind::GalaxyChanged(write_change(change)),
        Event::MasterOrders(orders) => {
            let orders = orders.iter().map(master::write_astronomics).collect();
            Kind::MasterOrdersChanged(proto::MasterOrdersChanged { orders })
        }
        Event::Alliances(alliances) => {
            Kind::AlliancesChanged(proto::AlliancesChanged { alliances: write_alliances(alliances) })
        }
        Event::HalfReached { empires, production, total } => Kind::HalfReached(proto::HalfReached {
            empires: write_seats(*empires),
            production: write_sum(*production),
            total: write_sum(*total),
        }),
        Event::MasterResults(results) => {
            Kind::MasterReported(proto::MasterReported { results: results.iter().map(write_result).collect() })
        }
        Event::Ended(ending) => Kind::Ended(proto::Ended { ending: Some(write_ending(*ending)) }),
    };
    proto::Event { kind: Some(kind) }
}

fn read_result(message: &proto::MasterResult, field: &str) -> Result<MasterResult, Malformed> {
    Ok(MasterResult {
        order: master::read_astronomics(Malformed::need(message.order.as_ref(), field)?, &format!("{field}.order"))?,
        fate: read_fate(message.status, field)?,
        remarks: read_remarks(&message.remarks, field)?,
    })
}

fn write_result(result: &MasterResult) -> proto::MasterResult {
    proto::MasterResult {
        order: Some(master::write_astronomics(&result.order)),
        status: write_fate(result.fate),
        remarks: write_remarks(&result.remarks),
    }
}

fn read_change(message: &proto::GalaxyChanged) -> Result<GalaxyChange, Malformed> {
    let part = Malformed::need(message.galaxy.as_ref(), "galaxy_changed.galaxy")?;
    let mut read = galaxy::read(part, &[], "galaxy_changed.galaxy")?;
    let mut ships = ships::read_rows(&part.ships, &mut read, "galaxy_changed.galaxy.ships")?;
    ships.sort_by_key(|row| row.ship.sort_key());
    let serials = read_serials(&message.ships_gone, "galaxy_changed.ships_gone")?;
    let gone = serials.into_iter().map(|serial| owner(&read, serial)).collect::<Result<_, _>>()?;
    Ok(GalaxyChange { galaxy: read.galaxy, ships, gone })
}

/// Whose ship it was: the empire whose code the serial number begins with.
fn owner(read: &Read, serial: Serial) -> Result<(Seat, Serial), Malformed> {
    match read.galaxy.seats().find(|&seat| read.galaxy.empire(seat).code == serial.code()) {
        Some(seat) => Ok((seat, serial)),
        None => wrong("galaxy_changed.ships_gone", "no empire has this code"),
    }
}

fn write_change(change: &GalaxyChange) -> proto::GalaxyChanged {
    let row = |row: &ShipRow| ships::write(&row.ship, row.carrier, &change.galaxy);
    let mut galaxy = galaxy::write(&change.galaxy);
    galaxy.ships = change.ships.iter().map(row).collect();
    let ships_gone = change.gone.iter().map(|&(_, serial)| write_serial(serial)).collect();
    proto::GalaxyChanged { galaxy: Some(galaxy), ships_gone }
}
