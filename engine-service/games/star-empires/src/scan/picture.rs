//! 6.3.4, 6.4.6, notes 8.6: what lost ships last saw of their sector.

use heliopause_kernel::Seat;

use super::record::{Reader, ship_row};
use super::{Place, Sky};
use crate::chart::{Chart, PortalSeen, SectorSeen, Status, StormSeen, WorldSeen};
use crate::geometry::{Coord, Sector};
use crate::ids::ShipId;
use crate::objects::World;
use crate::report::Picture;
use crate::section::Section;

/// A sector as it was when ships were about to leave it for good, in terms of the truth. Portals
/// and storms are not in it: they stay as they are from 6.1 on.
#[derive(Clone, Debug)]
pub(crate) struct Frozen {
    /// Whose ships were lost.
    pub owner: Seat,
    /// In which phase: 6.3.4 or 6.4.6.
    pub section: Section,
    pub at: Sector,
    /// The owner's ships that were lost there, cargo not: it sees nothing.
    pub eyes: Vec<ShipId>,
    /// The world there, as it was.
    pub world: Option<World>,
    /// Whether that world was its owner's homeworld.
    pub homeworld: bool,
    /// The loose ships that stayed, with their damage points.
    pub ships: Vec<(ShipId, u16)>,
    /// The ships that were lost there this turn so far, cargo too.
    pub wrecks: Vec<ShipId>,
}

impl Frozen {
    /// The picture as a reader gets it: the owner of the lost ships, or an empire with which the
    /// owner shares it.
    pub(crate) fn picture(&self, sky: &Sky<'_>, reader: &Reader<'_>) -> Picture {
        let at = reader.local(self.at);
        let shared = self.owner != reader.seat;
        let sector = SectorSeen {
            at,
            status: Status::Visible,
            obscured: false,
            shared,
            scanned: Some(reader.turn),
        };
        let mut seen = Chart {
            sectors: vec![sector],
            worlds: self.world(reader).into_iter().collect(),
            ..Chart::default()
        };
        if let Some(place) = sky.place(self.at) {
            add_portals(&mut seen.portals, sky, place, at);
            add_storms(&mut seen.storms, sky, place, at);
        }
        let loose = self.ships.iter().map(|&(id, dp)| (id, dp, false));
        for (id, dp, wreck) in loose.chain(self.wrecks.iter().map(|&id| (id, 0, true))) {
            let ship = sky.galaxy.ship(id);
            let hidden =
                shared && ship.owner == self.owner && !super::share::is_shown(ship, reader.seat);
            // Own live ships are in the list of own ships.
            if !hidden && (wreck || ship.owner != reader.seat) {
                // Where it was: a ship that moved on since has told nobody whereto.
                seen.ships.push(ship_row(sky, reader, at, ship, dp, wreck));
            }
        }
        seen.ships.sort_by_key(|row| (row.owner, row.serial));
        Picture { section: self.section, seen }
    }

    /// The world as the reader gets it.
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

/// Adds the portals of a place as a scan shows them, by name.
pub(super) fn add_portals(rows: &mut Vec<PortalSeen>, sky: &Sky<'_>, place: &Place<'_>, at: Coord) {
    let first = rows.len();
    let portals = place.portals().map(|id| sky.galaxy.portal(id));
    rows.extend(portals.map(|portal| PortalSeen {
        at,
        name: portal.name,
        collapsed: Some(portal.collapsed),
    }));
    rows[first..].sort_by_key(|row| row.name);
}

/// Adds the storms and nebulae of a place, by name.
pub(super) fn add_storms(rows: &mut Vec<StormSeen>, sky: &Sky<'_>, place: &Place<'_>, at: Coord) {
    let first = rows.len();
    let storms = place.storms().map(|id| sky.galaxy.storm(id));
    rows.extend(storms.map(|storm| StormSeen { at, name: storm.name, rating: storm.rating }));
    rows[first..].sort_by_key(|row| row.name);
}
