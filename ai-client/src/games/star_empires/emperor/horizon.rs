//! What lies unexplored, and where the galaxy can be at all.
//!
//! The options are public: a generated galaxy is a disc of known radius with the homeworlds on its
//! rim. So its centre is one of the sectors at that distance from the first homeworld, and of those
//! only the ones from which everything that is known lies within the radius. How many of them allow
//! a sector to be in the galaxy is how much it is worth exploring.

use heliopause_star_empires::Coord;

use crate::games::star_empires::routes::{disc, ring};
use crate::games::star_empires::survey::Survey;

/// What a sector is worth that surely lies in the galaxy.
const SURE: u32 = 16;

/// The worth of exploring each sector, as a square of coordinates around the first homeworld.
pub(super) struct Horizon {
    reach: i16,
    worth: Vec<u8>,
}

impl Horizon {
    pub(super) fn new(survey: &Survey<'_>) -> Self {
        let options = &survey.view.options;
        let radius = options.generator.radius_for(survey.view.empires).cast_signed().clamp(2, 200);
        let reach = if options.local_frames { radius * 2 } else { radius };
        let side = usize::from(reach.unsigned_abs()) * 2 + 1;
        let mut horizon = Self { reach, worth: vec![0; side * side] };
        let centres = centres(survey, radius);
        for centre in &centres {
            for at in disc(*centre, radius) {
                if let Some(place) = horizon.place(at) {
                    horizon.worth[place] = horizon.worth[place].saturating_add(1);
                }
            }
        }
        let count = centres.len().clamp(1, 255) as u32;
        for worth in &mut horizon.worth {
            *worth = (u32::from(*worth) * SURE).div_ceil(count) as u8;
        }
        for row in &survey.own.chart.sectors {
            // A cloud that was seen from afar only hides what is in it, and what is in it may be a
            // world.
            let inside = row.scanned.is_some();
            if let Some(place) = horizon.place(row.at).filter(|_| inside) {
                horizon.worth[place] = 0;
            }
        }
        horizon
    }

    fn place(&self, at: Coord) -> Option<usize> {
        let side = usize::from(self.reach.unsigned_abs()) * 2 + 1;
        let column = usize::try_from(i32::from(at.o) + i32::from(self.reach)).ok()?;
        let row = usize::try_from(i32::from(at.y) + i32::from(self.reach)).ok()?;
        (column < side && row < side).then_some(row * side + column)
    }

    fn worth(&self, at: Coord) -> u32 {
        self.place(at).map_or(0, |place| u32::from(self.worth[place]))
    }

    /// Whether nothing is left to see.
    pub(super) fn is_explored(&self) -> bool {
        self.worth.iter().all(|&worth| worth == 0)
    }

    /// What there is to see from a sector.
    pub(super) fn gain(&self, at: Coord, scan: u16) -> u32 {
        disc(at, scan.min(6).cast_signed()).map(|at| self.worth(at)).sum()
    }

    /// Somebody goes there: there is nothing left to see for others.
    pub(super) fn claim(&mut self, at: Coord, scan: u16) {
        for seen in disc(at, scan.min(6).cast_signed()) {
            if let Some(place) = self.place(seen) {
                self.worth[place] = 0;
            }
        }
    }
}

/// The sectors that can be the centre of the galaxy; at most 255 of them.
fn centres(survey: &Survey<'_>, radius: i16) -> Vec<Coord> {
    let options = &survey.view.options;
    let origin = Coord::new(0, 0);
    if !options.local_frames {
        return vec![origin];
    }
    let chart = &survey.own.chart;
    let objects =
        chart.worlds.iter().map(|row| row.at).chain(chart.portals.iter().map(|row| row.at));
    let objects: Vec<Coord> = objects.chain(chart.storms.iter().map(|row| row.at)).collect();
    let around: Vec<Coord> = ring(origin, radius).collect();
    let fits = |centre: &&Coord| {
        objects.iter().all(|at| at.distance(**centre) <= u32::from(radius.unsigned_abs()))
    };
    let fitting: Vec<Coord> = around.iter().filter(fits).copied().collect();
    // A scenario, or a game master who moves worlds, may leave no centre: then everything around is
    // as likely.
    let list = if fitting.is_empty() || options.scenario.is_some() { around } else { fitting };
    let every = list.len().div_ceil(255);
    list.into_iter().step_by(every.max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::star_empires::samples;

    #[test]
    fn what_is_known_narrows_where_the_galaxy_is() {
        let view = samples::view();
        let survey = Survey::new(&view).unwrap();
        let (near, far) = (Coord::new(0, 3), Coord::new(0, -3));
        let open = Horizon::new(&survey);
        assert_eq!(open.worth(near), open.worth(far), "nothing is known of either side");
        assert!(open.gain(near, 2) > 0);
        let view = samples::view_with(|own| samples::world(own, (0, 8), "Ember", 5, None));
        let survey = Survey::new(&view).unwrap();
        let mut tilted = Horizon::new(&survey);
        assert!(tilted.worth(near) > tilted.worth(far), "the galaxy lies where there is something");
        tilted.claim(near, 1);
        assert_eq!(tilted.gain(near, 1), 0);
    }
}
