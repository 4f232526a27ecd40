//! Sightings: which empire sees a sector, and how well.

use heliopause_kernel::Seat;

use super::scan_index::Place;
use crate::geometry::Sector;

/// The level of detail at which a sector is seen, from worst to best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    /// In range of a long-range scan, but a storm or nebula hides the contents (R50).
    Obscured,
    Scanned,
    Visible,
}

#[derive(Clone, Copy)]
pub(crate) struct Sighting<'a> {
    pub at: Sector,
    pub place: Option<&'a Place<'a>>,
    pub level: Level,
    /// Owner of the ships that see the sector: the reader, or an empire that shares its scans.
    pub by: Seat,
}
