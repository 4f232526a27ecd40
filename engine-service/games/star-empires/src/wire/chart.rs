//! Maps, row by row.

use heliopause_kernel::Malformed;
use heliopause_proto::star_empires::v1 as proto;

use super::names::{
    LIST_MAX, read_coord, read_list, read_name, read_name_if, read_seat, read_serial, read_some_seat, read_some_siege,
    read_status, read_u16, write_coord, write_name, write_serial, write_siege, write_some_seat, write_status,
    write_sum,
};
use super::wrong;
use crate::chart::{Chart, ChartChange, FleetSeen, PortalSeen, SectorSeen, ShipSeen, StormSeen, WorldSeen};
use crate::name::Name;

/// Reads a map. Rows may come in any order of sectors.
pub(super) fn read(message: Option<&proto::Chart>, field: &str) -> Result<Chart, Malformed> {
    let Some(message) = message else { return Ok(Chart::default()) };
    let part = |name: &str| format!("{field}.{name}");
    let mut chart = Chart {
        sectors: read_list(&message.sectors, LIST_MAX, &part("sectors"), read_sector)?,
        worlds: read_list(&message.worlds, LIST_MAX, &part("worlds"), read_world)?,
        portals: read_list(&message.portals, LIST_MAX, &part("portals"), read_portal)?,
        storms: read_list(&message.storms, LIST_MAX, &part("storms"), read_storm)?,
        fleets: read_list(&message.fleets, LIST_MAX, &part("fleets"), read_fleet)?,
        ships: read_list(&message.ships, LIST_MAX, &part("ships"), read_ship)?,
    };
    // Stable, so that rows of one sector keep their order.
    chart.sectors.sort_by_key(|row| row.at);
    chart.worlds.sort_by_key(|row| row.at);
    chart.portals.sort_by_key(|row| row.at);
    chart.storms.sort_by_key(|row| row.at);
    chart.fleets.sort_by_key(|row| row.at);
    chart.ships.sort_by_key(|row| row.at);
    Ok(chart)
}

pub(super) fn write(chart: &Chart) -> proto::Chart {
    proto::Chart {
        sectors: chart.sectors.iter().map(write_sector).collect(),
        worlds: chart.worlds.iter().map(write_world).collect(),
        portals: chart.portals.iter().map(write_portal).collect(),
        storms: chart.storms.iter().map(write_storm).collect(),
        fleets: chart.fleets.iter().map(write_fleet).collect(),
        ships: chart.ships.iter().map(write_ship).collect(),
    }
}

pub(super) fn read_change(message: Option<&proto::ChartChange>, field: &str) -> Result<ChartChange, Malformed> {
    let Some(message) = message else { return Ok(ChartChange::default()) };
    let sector = |at: &proto::Sector, field: &str| read_coord(Some(at), field);
    let mut changed = read_list(&message.changed, LIST_MAX, &format!("{field}.changed"), sector)?;
    changed.sort_unstable();
    changed.dedup();
    Ok(ChartChange { changed, set: read(message.set.as_ref(), &format!("{field}.set"))? })
}

pub(super) fn write_change(change: &ChartChange) -> proto::ChartChange {
    let changed = change.changed.iter().copied().map(write_coord).collect();
    proto::ChartChange { changed, set: Some(write(&change.set)) }
}

fn read_sector(row: &proto::SectorSeen, field: &str) -> Result<SectorSeen, Malformed> {
    Ok(SectorSeen {
        at: read_coord(row.at.as_ref(), field)?,
        status: read_status(row.status, field)?,
        obscured: row.obscured,
        shared: row.shared,
        scanned: row.scanned_turn,
    })
}

fn write_sector(row: &SectorSeen) -> proto::SectorSeen {
    proto::SectorSeen {
        at: Some(write_coord(row.at)),
        status: write_status(row.status),
        scanned_turn: row.scanned,
        obscured: row.obscured,
        shared: row.shared,
    }
}

fn read_world(row: &proto::WorldSeen, field: &str) -> Result<WorldSeen, Malformed> {
    Ok(WorldSeen {
        at: read_coord(row.at.as_ref(), field)?,
        name: read_name(&row.name, field)?,
        production: row.production,
        owner: read_some_seat(row.owner, field)?,
        stockpile: row.stockpile,
        homeworld: row.homeworld,
        siege: read_some_siege(row.siege, field)?,
    })
}

fn write_world(row: &WorldSeen) -> proto::WorldSeen {
    proto::WorldSeen {
        at: Some(write_coord(row.at)),
        name: write_name(row.name),
        production: row.production,
        owner: write_some_seat(row.owner),
        stockpile: row.stockpile,
        homeworld: row.homeworld,
        siege: row.siege.map_or(0, write_siege),
    }
}

fn read_portal(row: &proto::PortalSeen, field: &str) -> Result<PortalSeen, Malformed> {
    let (at, name) = (read_coord(row.at.as_ref(), field)?, read_name(&row.name, field)?);
    Ok(PortalSeen { at, name, collapsed: row.collapsed })
}

fn write_portal(row: &PortalSeen) -> proto::PortalSeen {
    proto::PortalSeen { at: Some(write_coord(row.at)), name: write_name(row.name), collapsed: row.collapsed }
}

fn read_storm(row: &proto::StormSeen, field: &str) -> Result<StormSeen, Malformed> {
    let (at, name) = (read_coord(row.at.as_ref(), field)?, read_name(&row.name, field)?);
    Ok(StormSeen { at, name, rating: row.rating })
}

fn write_storm(row: &StormSeen) -> proto::StormSeen {
    proto::StormSeen { at: Some(write_coord(row.at)), name: write_name(row.name), rating: row.rating }
}

fn read_fleet(row: &proto::FleetSeen, field: &str) -> Result<FleetSeen, Malformed> {
    let identity = match (read_some_seat(row.owner, field)?, row.ship_class.as_str()) {
        (None, "") => None,
        (Some(owner), class) => Some((owner, read_name(class, field)?)),
        (None, _) => return wrong(field, "unidentified ships have no class"),
    };
    let at = read_coord(row.at.as_ref(), field)?;
    Ok(FleetSeen { at, identity, count: row.count, tonnage: row.tonnage.into() })
}

fn write_fleet(row: &FleetSeen) -> proto::FleetSeen {
    proto::FleetSeen {
        at: Some(write_coord(row.at)),
        owner: write_some_seat(row.identity.map(|(owner, _)| owner)),
        ship_class: write_name(row.identity.map_or(Name::NONE, |(_, class)| class)),
        count: row.count,
        tonnage: write_sum(row.tonnage),
    }
}

fn read_ship(row: &proto::ShipSeen, field: &str) -> Result<ShipSeen, Malformed> {
    Ok(ShipSeen {
        at: read_coord(row.at.as_ref(), field)?,
        owner: read_seat(row.owner, field)?,
        serial: read_serial(&row.serial, field)?,
        name: read_name_if(&row.name, field)?,
        class: read_name(&row.ship_class, field)?,
        tonnage: row.tonnage,
        permille: read_permille(row.rating_permille, field)?,
        dp: row.dp.map(|dp| read_u16(dp, field)).transpose()?,
        wreck: row.wreck,
    })
}

/// An operational rating in thousandths.
pub(super) fn read_permille(number: u32, field: &str) -> Result<u16, Malformed> {
    if number > 1000 { wrong(field, "a share is at most 1000 thousandths") } else { read_u16(number, field) }
}

fn write_ship(row: &ShipSeen) -> proto::ShipSeen {
    proto::ShipSeen {
        at: Some(write_coord(row.at)),
        owner: row.owner.number(),
        serial: write_serial(row.serial),
        name: write_name(row.name),
        ship_class: write_name(row.class),
        tonnage: row.tonnage,
        rating_permille: row.permille.into(),
        dp: row.dp.map(u32::from),
        wreck: row.wreck,
    }
}

/// A picture must have rows.
pub(super) fn need_chart(message: Option<&proto::Chart>, field: &str) -> Result<Chart, Malformed> {
    read(Some(Malformed::need(message, field)?), field)
}
