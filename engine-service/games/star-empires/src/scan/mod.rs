//! 6.8.3 to 6.8.5, notes 8: what each empire's ships see, what it lets others see, and what its map
//! shows of both.
//!
//! What is seen is a list of sectors with how well each is seen and by whom ([`Glimpse`]); what a
//! map shows of a sector is worked out once, from all that the reader was given of it ([`record`]).
//! So no ship is counted twice, whoever shared it.

mod contacts;
mod coverage;
mod picture;
mod record;
mod share;
mod sky;
#[cfg(test)]
mod tests;

use heliopause_kernel::Seat;

use crate::geometry::Sector;

pub(crate) use contacts::contacts;
pub(crate) use coverage::collect;
pub(crate) use picture::Frozen;
pub(crate) use record::{Given, Reader, chart};
pub(crate) use share::share;
pub(crate) use sky::{Place, Sky};

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
#[derive(Clone, Copy)]
pub(crate) struct Glimpse<'a> {
    pub at: Sector,
    /// What there is in it, if anything.
    pub place: Option<&'a Place<'a>>,
    /// How well.
    pub level: Level,
    /// Whose ships see it: the reader's own, or those of an empire that shares with the reader.
    pub by: Seat,
}
