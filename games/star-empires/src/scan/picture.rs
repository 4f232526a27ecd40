//! 6.3.4, 6.4.6, notes 8.6: the last view that lost ships had of their sector.

use heliopause_kernel::Seat;

use super::chart_drawing::{Reader, ship_row};
use super::scan_index::{Place, ScanIndex};
use super::share::is_shown;
use crate::chart::{Chart, PortalSeen, SectorSeen, Status, StormSeen, WorldSeen};
use crate::geometry::{Coord, Sector};
use crate::ids::ShipId;
use crate::objects::World;
use crate::report::Picture;
use crate::section::Section;

/// The state of a sector just before ships are lost there, without portals and storms.
#[derive(Clone, Debug)]
pub(crate) struct SectorSnapshot {
    pub owner: Seat,
    pub section: Section,
    pub at: Sector,
    /// The owner's ships lost in the sector. Cargo is excluded, because cargo has no view.
    pub lost_ships: Vec<ShipId>,
    pub world: Option<World>,
    pub homeworld: bool,
    /// The remaining loose ships with their damage points.
    pub ships: Vec<(ShipId, u16)>,
    /// Ships lost in the sector this turn so far, including cargo.
    pub wrecks: Vec<ShipId>,
}

impl SectorSnapshot {
    /// Returns the picture for the owner, or for an empire with which the owner shares scans.
    pub(crate) fn picture(&self, scan_index: &ScanIndex<'_>, reader: &Reader<'_>) -> Picture {
        let at = reader.local(self.at);
        let shared = self.owner != reader.seat;
        let (status, scanned) = (Status::Visible, Some(reader.turn));
        let sectors = vec![SectorSeen { at, status, shared, scanned, ..SectorSeen::default() }];
        let worlds = self.world(reader).into_iter().collect();
        let mut seen = Chart { sectors, worlds, ..Chart::default() };
        if let Some(place) = scan_index.place(self.at) {
            add_portals(&mut seen.portals, scan_index, place, at);
            add_storms(&mut seen.storms, scan_index, place, at);
        }
        let loose = self.ships.iter().map(|&(id, dp)| (id, dp, false));
        for (id, dp, wreck) in loose.chain(self.wrecks.iter().map(|&id| (id, 0, true))) {
            let ship = scan_index.galaxy.ship(id);
            let hidden = shared && ship.owner == self.owner && !is_shown(ship, reader.seat);
            // The reader's own live ships are not part of its map.
            if !hidden && (wreck || ship.owner != reader.seat) {
                // Use the sector of the picture. The ship's later location is secret.
                seen.ships.push(ship_row(scan_index, reader, at, ship, dp, wreck));
            }
        }
        seen.ships.sort_by_key(|row| (row.owner, row.serial));
        Picture { section: self.section, seen }
    }

    pub(super) fn world(&self, reader: &Reader<'_>) -> Option<WorldSeen> {
        self.world.map(|world| WorldSeen {
            at: reader.local(world.at),
            name: world.name,
            production: world.production,
            owner: world.owner,
            stockpile: Some(world.stockpile),
            homeworld: self.homeworld,
            siege: Some(world.siege),
        })
    }
}

pub(super) fn add_portals(
    rows: &mut Vec<PortalSeen>,
    scan_index: &ScanIndex<'_>,
    place: &Place<'_>,
    at: Coord,
) {
    let first = rows.len();
    let portals = place.portals().map(|id| scan_index.galaxy.portal(id));
    let row = |name, collapsed| PortalSeen { at, name, collapsed: Some(collapsed) };
    rows.extend(portals.map(|portal| row(portal.name, portal.collapsed)));
    rows[first..].sort_by_key(|row| row.name);
}

pub(super) fn add_storms(
    rows: &mut Vec<StormSeen>,
    scan_index: &ScanIndex<'_>,
    place: &Place<'_>,
    at: Coord,
) {
    let first = rows.len();
    let storms = place.storms().map(|id| scan_index.galaxy.storm(id));
    rows.extend(storms.map(|storm| StormSeen { at, name: storm.name, rating: storm.rating }));
    rows[first..].sort_by_key(|row| row.name);
}
