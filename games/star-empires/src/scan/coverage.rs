//! 6.8.3, notes 8.2: the sectors that an empire's ships see, and the level of each sighting.

use heliopause_kernel::Seat;

use super::scan_index::{Place, ScanIndex};
use super::sighting::{Level, Sighting};
use crate::cursor::Cursor;
use crate::geometry::Sector;
use crate::ids::ShipId;

/// Maximum range of a scanner, above that of every class that can be designed. The game master can
/// add classes with a longer range, which could cover more sectors than a map can hold.
const SCAN_RANGE_MAX: u16 = 60;

#[derive(Clone, Copy)]
struct ColumnRange {
    o: i16,
    from: i16,
    to: i16,
}

impl ColumnRange {
    fn rank(self) -> u32 {
        Sector::new(self.o, self.from).rank()
    }
}

pub(crate) fn collect<'a>(
    scan_index: &'a ScanIndex<'_>,
    seat: Seat,
    counts: impl Fn(ShipId) -> bool,
) -> Vec<Sighting<'a>> {
    let (mut seen_from, mut strips) = (Vec::new(), Vec::new());
    for ships in scan_index.fleet(seat).chunk_by(|one, other| one.0 == other.0) {
        // Among several ships in one sector, only the best scanner matters.
        let counted =
            ships.iter().filter(|&&(_, id)| counts(id)).map(|&(_, id)| scan_index.galaxy.ship(id));
        if let Some(scan) = counted.map(|ship| scan_index.galaxy.scan(ship)).max() {
            let at = ships[0].0;
            seen_from.push((at, ()));
            let is_clouded = scan_index.place(at).is_some_and(Place::is_clouded);
            strips.extend(disc(at, if is_clouded { 0 } else { scan.min(SCAN_RANGE_MAX) }));
        }
    }
    strips.sort_unstable_by_key(|strip| strip.rank());
    let (mut places, mut lost_ships) = (scan_index.places(), Cursor::new(&seen_from));
    let mut seen = Vec::with_capacity(strips.len() * 4);
    for at in sectors(&strips) {
        let place = places.to(at).first();
        let level = if !lost_ships.to(at).is_empty() {
            Level::Visible
        } else if place.is_some_and(Place::is_clouded) {
            Level::Obscured
        } else {
            Level::Scanned
        };
        seen.push(Sighting { at, place, level, by: seat });
    }
    seen
}

fn disc(at: Sector, reach: u16) -> impl Iterator<Item = ColumnRange> {
    let reach = i32::from(reach);
    (-reach..=reach).filter_map(move |step| {
        let o = i16::try_from(i32::from(at.o) + step).ok()?;
        let from = i16::try_from(i32::from(at.y) + (step - reach).max(-reach)).ok()?;
        let to = i16::try_from(i32::from(at.y) + (step + reach).min(reach)).ok()?;
        Some(ColumnRange { o, from, to })
    })
}

/// Returns the sectors of sorted columns in order, without duplicates, within bounds (R44).
fn sectors(strips: &[ColumnRange]) -> impl Iterator<Item = Sector> + '_ {
    let mut done: Option<(i16, i16)> = None;
    let fresh = strips.iter().map(move |strip| {
        let covered = done.filter(|&(o, _)| o == strip.o).map(|(_, to)| i32::from(to) + 1);
        let from = covered.map_or(i32::from(strip.from), |next| next.max(i32::from(strip.from)));
        let to = done.filter(|&(o, _)| o == strip.o).map_or(strip.to, |(_, to)| to.max(strip.to));
        done = Some((strip.o, to));
        (strip.o, from, i32::from(strip.to))
    });
    fresh
        .flat_map(|(o, from, to)| (from..=to).map(move |y| Sector::new(o, y as i16)))
        .filter(|at| at.is_in_bounds())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_cover_the_disc_and_each_sector_once() {
        for reach in 0..6 {
            let center = Sector::new(3, -4);
            let strips: Vec<ColumnRange> = disc(center, reach).collect();
            let covered: Vec<Sector> = sectors(&strips).collect();
            let mut within: Vec<Sector> = center.within(reach).collect();
            within.sort_unstable();
            assert_eq!(covered, within);
        }
        let mut strips: Vec<ColumnRange> = [(0, 0, 3), (1, 1, 2), (4, -2, 1), (0, 0, 1)]
            .into_iter()
            .flat_map(|(o, y, reach)| disc(Sector::new(o, y), reach))
            .collect();
        strips.sort_unstable_by_key(|strip| strip.rank());
        let covered: Vec<Sector> = sectors(&strips).collect();
        assert!(covered.windows(2).all(|pair| pair[0] < pair[1]));
        let near = |at: &Sector| {
            at.distance(Sector::new(0, 0)) <= 3 || at.distance(Sector::new(4, -2)) <= 1
        };
        let near_one = |at: &Sector| near(at) || at.distance(Sector::new(1, 1)) <= 2;
        let expected = Sector::CENTER.within(9).filter(near_one).count();
        assert_eq!(covered.len(), expected);
    }

    #[test]
    fn r44_sectors_out_of_bounds_are_not_seen() {
        let strips: Vec<ColumnRange> = disc(Sector::new(10_000, 0), 3).collect();
        assert!(sectors(&strips).all(Sector::is_in_bounds));
        assert!(sectors(&strips).count() > 10);
    }
}
