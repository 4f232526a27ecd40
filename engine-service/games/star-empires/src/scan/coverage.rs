//! 6.8.3, notes 8.2: which sectors an empire's ships see, and how well.

use heliopause_kernel::Seat;

use super::{Glimpse, Level, Place, Sky};
use crate::geometry::Sector;
use crate::ids::ShipId;
use crate::walk::Walk;

/// How far any scanner reaches. No class that can be designed sees farther; one of the game
/// master's could cover more sectors than a map can hold.
const REACH: u16 = 60;

/// Sectors of one column that are in range of a scan.
#[derive(Clone, Copy)]
struct Strip {
    o: i16,
    from: i16,
    to: i16,
}

impl Strip {
    /// Strips are sorted by where they begin.
    fn rank(self) -> u32 {
        Sector::new(self.o, self.from).rank()
    }
}

/// What the loose ships of an empire that count see, by sector: all of them, or those by which a
/// grant lets others see.
pub(crate) fn collect<'a>(
    sky: &'a Sky<'_>,
    seat: Seat,
    counts: impl Fn(ShipId) -> bool,
) -> Vec<Glimpse<'a>> {
    let (mut seen_from, mut strips) = (Vec::new(), Vec::new());
    for ships in sky.fleet(seat).chunk_by(|one, other| one.0 == other.0) {
        // Of many ships in one sector only the best scanner matters.
        let counted =
            ships.iter().filter(|&&(_, id)| counts(id)).map(|&(_, id)| sky.galaxy.ship(id));
        if let Some(scan) = counted.map(|ship| sky.galaxy.scan(ship)).max() {
            let at = ships[0].0;
            seen_from.push((at, ()));
            let is_clouded = sky.place(at).is_some_and(Place::is_clouded);
            strips.extend(disc(at, if is_clouded { 0 } else { scan.min(REACH) }));
        }
    }
    strips.sort_unstable_by_key(|strip| strip.rank());
    let (mut places, mut eyes) = (sky.places(), Walk::new(&seen_from));
    let mut seen = Vec::with_capacity(strips.len() * 4);
    for at in sectors(&strips) {
        let place = places.to(at).first();
        let level = if !eyes.to(at).is_empty() {
            Level::Visible
        } else if place.is_some_and(Place::is_clouded) {
            Level::Obscured
        } else {
            Level::Scanned
        };
        seen.push(Glimpse { at, place, level, by: seat });
    }
    seen
}

/// The sectors up to a distance, column by column.
fn disc(at: Sector, reach: u16) -> impl Iterator<Item = Strip> {
    let reach = i32::from(reach);
    (-reach..=reach).filter_map(move |step| {
        let o = i16::try_from(i32::from(at.o) + step).ok()?;
        let from = i16::try_from(i32::from(at.y) + (step - reach).max(-reach)).ok()?;
        let to = i16::try_from(i32::from(at.y) + (step + reach).min(reach)).ok()?;
        Some(Strip { o, from, to })
    })
}

/// The sectors of sorted strips, each once, in their order. Those out of bounds are left out (R44).
fn sectors(strips: &[Strip]) -> impl Iterator<Item = Sector> + '_ {
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
            let centre = Sector::new(3, -4);
            let strips: Vec<Strip> = disc(centre, reach).collect();
            let covered: Vec<Sector> = sectors(&strips).collect();
            let mut within: Vec<Sector> = centre.within(reach).collect();
            within.sort_unstable();
            assert_eq!(covered, within);
        }
        let mut strips: Vec<Strip> = [(0, 0, 3), (1, 1, 2), (4, -2, 1), (0, 0, 1)]
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
        let expected = Sector::CENTRE.within(9).filter(near_one).count();
        assert_eq!(covered.len(), expected);
    }

    #[test]
    fn r44_nothing_out_of_bounds_is_seen() {
        let strips: Vec<Strip> = disc(Sector::new(10_000, 0), 3).collect();
        assert!(sectors(&strips).all(Sector::is_in_bounds));
        assert!(sectors(&strips).count() > 10);
    }
}
