//! 6.8.3 to 6.8.5, notes 8: scans, the sharing of scans, and the resulting maps.
//!
//! Scans produce a list of sectors, with the level of detail and the seeing empire ([`sighting`]).
//! The map of a sector is computed once from everything that the reader received about the sector
//! ([`chart_drawing`]). Ships that several empires report are therefore not counted twice.

mod chart_drawing;
mod contacts;
mod coverage;
mod picture;
mod scan_index;
mod share;
mod sighting;
#[cfg(test)]
mod tests;

pub(crate) use chart_drawing::{Reader, ScanInput, chart};
pub(crate) use contacts::contacts;
pub(crate) use coverage::collect;
pub(crate) use picture::SectorSnapshot;
pub(crate) use scan_index::ScanIndex;
pub(crate) use share::share;
pub(crate) use sighting::Sighting;
