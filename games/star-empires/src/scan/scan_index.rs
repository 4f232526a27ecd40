//! The true state of the galaxy by sector, for fast scanning.

use heliopause_kernel::Seat;

use crate::cursor::{Cursor, Keyed, lowest};
use crate::galaxy::Galaxy;
use crate::geometry::Sector;
use crate::ids::{PortalId, ShipId, StormId, WorldId};
use crate::index::{ObjectIndex, ShipIndex};
use crate::ship::Ship;

pub(crate) struct ScanIndex<'a> {
    pub galaxy: &'a Galaxy,
    places: Vec<Place<'a>>,
    /// Loose ships of each empire, by seat, sorted by sector.
    fleets: Vec<Vec<(Sector, ShipId)>>,
}

#[derive(Debug)]
pub(crate) struct Place<'a> {
    at: Sector,
    pub world: Option<WorldId>,
    portals: &'a [(Sector, PortalId)],
    storms: &'a [(Sector, StormId)],
    ships: &'a [(Sector, ShipId)],
    wrecks: &'a [(Sector, ShipId)],
}

impl Keyed for Place<'_> {
    type Key = Sector;

    fn key(&self) -> Sector {
        self.at
    }
}

impl Place<'_> {
    pub(crate) fn is_clouded(&self) -> bool {
        !self.storms.is_empty()
    }

    pub(crate) fn portals(&self) -> impl Iterator<Item = PortalId> + '_ {
        self.portals.iter().map(|entry| entry.1)
    }

    pub(crate) fn storms(&self) -> impl Iterator<Item = StormId> + '_ {
        self.storms.iter().map(|entry| entry.1)
    }
}

impl<'a> ScanIndex<'a> {
    /// Indexes a galaxy. `wrecks` are the ships lost this turn, by sector, then by id.
    pub(crate) fn new(
        galaxy: &'a Galaxy,
        ships: &'a ShipIndex,
        objects: &'a ObjectIndex,
        wrecks: &'a [(Sector, ShipId)],
    ) -> Self {
        let mut fleets = vec![Vec::new(); galaxy.empires.len()];
        for &(at, id) in ships.loose() {
            fleets[galaxy.ship(id).owner.index()].push((at, id));
        }
        Self { galaxy, places: places(ships, objects, wrecks), fleets }
    }

    pub(crate) fn places(&self) -> Cursor<'_, Place<'a>> {
        Cursor::new(&self.places)
    }

    pub(crate) fn place(&self, at: Sector) -> Option<&Place<'a>> {
        self.places
            .binary_search_by_key(&at, |place| place.at)
            .ok()
            .map(|index| &self.places[index])
    }

    pub(crate) fn fleet(&self, seat: Seat) -> &[(Sector, ShipId)] {
        &self.fleets[seat.index()]
    }

    pub(crate) fn ships<'b>(&'b self, place: &'b Place<'_>) -> impl Iterator<Item = &'b Ship> {
        place.ships.iter().map(|entry| self.galaxy.ship(entry.1))
    }

    pub(crate) fn wrecks<'b>(&'b self, place: &'b Place<'_>) -> impl Iterator<Item = &'b Ship> {
        place.wrecks.iter().map(|entry| self.galaxy.ship(entry.1))
    }
}

fn places<'a>(
    ships: &'a ShipIndex,
    objects: &'a ObjectIndex,
    wrecks: &'a [(Sector, ShipId)],
) -> Vec<Place<'a>> {
    let (worlds, portals, storms) = objects.sorted();
    let mut walks = (
        Cursor::new(worlds),
        Cursor::new(portals),
        Cursor::new(storms),
        Cursor::new(ships.loose()),
        Cursor::new(wrecks),
    );
    let mut places = Vec::with_capacity(worlds.len() + portals.len() + storms.len());
    while let Some(at) =
        lowest([walks.0.next(), walks.1.next(), walks.2.next(), walks.3.next(), walks.4.next()])
    {
        places.push(Place {
            at,
            world: walks.0.to(at).first().map(|entry| entry.1),
            portals: walks.1.to(at),
            storms: walks.2.to(at),
            ships: walks.3.to(at),
            wrecks: walks.4.to(at),
        });
    }
    places
}
