//! Fate 2: the Captain-General's commission.

use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::Outfit;
use crate::tables::texts::halves;
use crate::tables::{ENTRY_HEXES, Place, Tech};

/// Initial transports (2.3).
pub const TRANSPORTS: u32 = 30;

/// Value of the initial ships, in half ship points (2.3).
pub const HALF_POINTS: u32 = 30;

/// The technologies from which two are chosen (2.4).
pub const TECHNOLOGIES: [Tech; 4] =
    [Tech::Speed3, Tech::MissileBase, Tech::ControlledEnvironment, Tech::IndustrialTechnology];

pub(crate) fn default() -> Outfit {
    Outfit::Commission {
        corvettes: 10,
        scouts: 10,
        technologies: [Tech::Speed3, Tech::IndustrialTechnology],
    }
}

pub(crate) fn judge(corvettes: u32, scouts: u32, technologies: [Tech; 2]) -> Verdict {
    let half_points = corvettes.saturating_mul(2).saturating_add(scouts);
    if half_points > HALF_POINTS {
        let [points, most] = [half_points, HALF_POINTS].map(halves);
        return refuse!("too-many-points", points, most);
    }
    let [one, other] = technologies;
    if one == other || !technologies.iter().all(|tech| TECHNOLOGIES.contains(tech)) {
        return refuse!(
            "wrong-technology",
            technologies = TECHNOLOGIES.map(Tech::as_str).join(", ")
        );
    }
    Ok(())
}

/// Rolls a die for the entry hex, rerolling 5 and 6 (2.2).
pub(crate) fn roll_fate_entry_hex(referee: &mut Referee<'_>) -> Place {
    let mut nth = 0;
    loop {
        let die = referee.roll("entry-hex", 0, nth);
        if let Some(&entry) = ENTRY_HEXES.get(usize::from(die) - 1) {
            return entry;
        }
        nth += 1;
    }
}
