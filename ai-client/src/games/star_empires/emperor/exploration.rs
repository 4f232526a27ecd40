//! The worth of exploring sectors, by the number of possible centers of the galaxy. A generated
//! galaxy is a disc of known radius with the homeworlds on its rim, so its center is at that
//! distance from the first homeworld.

use heliopause_star_empires::Coord;

use crate::games::star_empires::routes::{disc, ring};
use crate::games::star_empires::survey::Survey;

const CERTAIN_WORTH: u32 = 16;

/// The worth of sectors in a square around the first homeworld.
pub(super) struct ExplorationMap {
    reach: i16,
    worth: Vec<u8>,
}

impl ExplorationMap {
    pub(super) fn new(survey: &Survey<'_>) -> Self {
        let options = &survey.view.options;
        let radius = options.generator.radius_for(survey.view.empires).cast_signed().clamp(2, 200);
        let reach = if options.local_frames { radius * 2 } else { radius };
        let side = usize::from(reach.unsigned_abs()) * 2 + 1;
        let mut exploration = Self { reach, worth: vec![0; side * side] };
        let centers = centers(survey, radius);
        for center in &centers {
            for at in disc(*center, radius) {
                if let Some(place) = exploration.place(at) {
                    exploration.worth[place] = exploration.worth[place].saturating_add(1);
                }
            }
        }
        let count = centers.len().clamp(1, 255) as u32;
        for worth in &mut exploration.worth {
            *worth = (u32::from(*worth) * CERTAIN_WORTH).div_ceil(count) as u8;
        }
        for row in &survey.own.chart.sectors {
            // A cloud seen from a distance hides its sector, which may have a world.
            let inside = row.scanned.is_some();
            if let Some(place) = exploration.place(row.at).filter(|_| inside) {
                exploration.worth[place] = 0;
            }
        }
        exploration
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

    pub(super) fn is_explored(&self) -> bool {
        self.worth.iter().all(|&worth| worth == 0)
    }

    pub(super) fn gain(&self, at: Coord, scan: u16) -> u32 {
        disc(at, scan.min(6).cast_signed()).map(|at| self.worth(at)).sum()
    }

    /// Reserves the sectors that a ship will scan, so that other ships explore elsewhere.
    pub(super) fn claim(&mut self, at: Coord, scan: u16) {
        for seen in disc(at, scan.min(6).cast_signed()) {
            if let Some(place) = self.place(seen) {
                self.worth[place] = 0;
            }
        }
    }
}

fn centers(survey: &Survey<'_>, radius: i16) -> Vec<Coord> {
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
    let fits = |center: &&Coord| {
        objects.iter().all(|at| at.distance(**center) <= u32::from(radius.unsigned_abs()))
    };
    let fitting: Vec<Coord> = around.iter().filter(fits).copied().collect();
    // In a scenario, or after a game master moved worlds, possibly no center fits.
    let list = if fitting.is_empty() || options.scenario.is_some() { around } else { fitting };
    let every = list.len().div_ceil(255);
    list.into_iter().step_by(every.max(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::star_empires::samples;

    #[test]
    fn known_objects_narrow_the_extent_of_the_galaxy() {
        let view = samples::view();
        let survey = Survey::new(&view).unwrap();
        let (near, far) = (Coord::new(0, 3), Coord::new(0, -3));
        let open = ExplorationMap::new(&survey);
        assert_eq!(open.worth(near), open.worth(far), "nothing is known of either side");
        assert!(open.gain(near, 2) > 0);
        let view = samples::view_with(|own| samples::world(own, (0, 8), "Ember", 5, None));
        let survey = Survey::new(&view).unwrap();
        let mut tilted = ExplorationMap::new(&survey);
        assert!(tilted.worth(near) > tilted.worth(far), "the galaxy lies where there is something");
        tilted.claim(near, 1);
        assert_eq!(tilted.gain(near, 1), 0);
    }
}
