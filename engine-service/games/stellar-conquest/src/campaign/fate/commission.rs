//! Fate 2: the Captain-General's commission.

use crate::board::{ENTRY_HEXES, Place};
use crate::judge::{Verdict, refuse};
use crate::referee::Referee;
use crate::sheet::Outfit;
use crate::technology::Tech;

/// 2.3: transports of the start.
pub const TRANSPORTS: u32 = 30;

/// 2.3: ships of the start, in half ship points.
pub const HALF_POINTS: u32 = 30;

/// 2.4: the technologies of which two are chosen.
pub const TECHNOLOGIES: [Tech; 4] =
    [Tech::Speed3, Tech::MissileBase, Tech::ControlledEnvironment, Tech::IndustrialTechnology];

/// The commission of who chooses none.
pub(crate) fn default() -> Outfit {
    Outfit::Commission { corvettes: 10, scouts: 10, technologies: [Tech::Speed3, Tech::IndustrialTechnology] }
}

/// 2.3, 2.4: at most 15 ship points, and two different ones of the four technologies.
pub(crate) fn judge(corvettes: u32, scouts: u32, technologies: [Tech; 2]) -> Verdict {
    if corvettes.saturating_mul(2).saturating_add(scouts) > HALF_POINTS {
        return refuse("too-many-points", "fate-2.3", "You have 15 ship points: 1 for a corvette, ½ for a scout.");
    }
    let [one, other] = technologies;
    if one == other || !technologies.iter().all(|tech| TECHNOLOGIES.contains(tech)) {
        return refuse("wrong-technology", "fate-2.4", "Choose two different ones of the four that are offered.");
    }
    Ok(())
}

impl Referee<'_> {
    /// 2.2: a die, 5 and 6 rolled again.
    pub(crate) fn roll_fate_entry_hex(&mut self) -> Place {
        let mut nth = 0;
        loop {
            let die = self.roll("entry-hex", 0, nth);
            if let Some(&entry) = ENTRY_HEXES.get(usize::from(die) - 1) {
                return entry;
            }
            nth += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fate_2_3_fifteen_ship_points() {
        let techs = [Tech::Speed3, Tech::MissileBase];
        assert!(judge(10, 10, techs).is_ok() && judge(15, 0, techs).is_ok() && judge(14, 1, techs).is_ok());
        assert!(judge(15, 1, techs).is_err() && judge(u32::MAX, 2, techs).is_err());
    }

    #[test]
    fn fate_2_4_two_of_four_technologies() {
        assert!(judge(0, 0, [Tech::ControlledEnvironment, Tech::IndustrialTechnology]).is_ok());
        assert!(judge(0, 0, [Tech::Speed3, Tech::Speed3]).is_err());
        assert!(judge(0, 0, [Tech::Speed3, Tech::Fighter]).is_err());
    }
}
