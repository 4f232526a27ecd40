//! 6.8.3 to 6.8.5, notes 8: what each empire's ships see, what it lets others see, and what its map shows of both.
//!
//! What is seen is a list of sectors with how well each is seen and by whom ([`Glimpse`]); what a map shows of a sector is
//! worked out once, from all that the reader was given of it ([`record`]). So no ship is counted twice, whoever shared it.

mod contacts;
mod coverage;
mod picture;
mod record;
mod share;
#[cfg(test)]
mod tests;

use heliopause_kernel::Seat;

use crate::galaxy::Galaxy;
use crate::geometry::Sector;
use crate::ids::{ShipId, WorldId};
use crate::index::{ObjectIndex, ShipIndex};

pub(crate) use contacts::contacts;
pub(crate) use coverage::collect;
pub(crate) use picture::Frozen;
pub(crate) use record::{Given, Reader, chart};
pub(crate) use share::shared;

/// How well a sector is seen. Sorts from worst to best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    /// In range of a long-range scan, but a storm or nebula hides what it holds (R50).
    Obscured,
    /// On a long-range scan.
    Scanned,
    /// On a short-range scan.
    Visible,
}

/// That an empire's ships see a sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Glimpse {
    /// Which.
    pub at: Sector,
    /// How well.
    pub level: Level,
    /// Whose ships see it: the reader's own, or those of an empire that shares with the reader.
    pub by: Seat,
}

/// The truth as scanners find it: the galaxy with its indices, and the ships that were lost this turn.
pub(crate) struct Sky<'a> {
    pub galaxy: &'a Galaxy,
    pub ships: &'a ShipIndex,
    pub objects: &'a ObjectIndex,
    /// The sectors with a storm or nebula, sorted.
    pub clouds: Vec<Sector>,
    /// Ships lost this turn by sector, and within one by id.
    pub wrecks: Vec<(Sector, ShipId)>,
}

impl<'a> Sky<'a> {
    /// The sky over a galaxy, without wrecks.
    pub(crate) fn new(galaxy: &'a Galaxy, ships: &'a ShipIndex, objects: &'a ObjectIndex) -> Self {
        let mut clouds: Vec<Sector> = galaxy.storms.iter().map(|storm| storm.at).collect();
        clouds.sort_unstable();
        clouds.dedup();
        Self { galaxy, ships, objects, clouds, wrecks: Vec::new() }
    }

    /// With the ships that were lost this turn.
    pub(crate) fn with_wrecks(mut self, wrecks: impl Iterator<Item = ShipId>) -> Self {
        self.wrecks = wrecks.map(|id| (self.galaxy.ship(id).at, id)).collect();
        self.wrecks.sort_unstable();
        self
    }

    fn is_clouded(&self, at: Sector) -> bool {
        self.clouds.binary_search(&at).is_ok()
    }

    /// The ships that were lost in a sector.
    fn wrecks_in(&self, at: Sector) -> impl Iterator<Item = ShipId> + '_ {
        let start = self.wrecks.partition_point(|&(other, _)| other < at);
        self.wrecks[start..].iter().take_while(move |&&(other, _)| other == at).map(|&(_, id)| id)
    }

    /// Whether a world is its owner's homeworld.
    fn is_homeworld(&self, id: WorldId) -> bool {
        let owner = self.galaxy.world(id).owner;
        owner.is_some_and(|owner| self.galaxy.empire(owner).homeworld == Some(id))
    }
}
