//! Fate 8: independent planets, conquered planets, dominions.

use crate::battle::{Battle, Shot};
use crate::campaign::fate::Fate;
use crate::judge::Verdict;
use crate::power::{Eyes, Prize};
use crate::referee::Referee;
use crate::ship::ShipNumber;

/// 8.5: the fewest and the most millions of a garrison for so many subjects; no upper limit below 25M.
pub const fn garrison(subjects: u16) -> (u16, Option<u16>) {
    if subjects >= 25 { (5, Some(5)) } else { (subjects.div_ceil(5), None) }
}

/// 8.3: at what bases of independent planets fire, by default.
pub(crate) fn default_shots(_fate: &Fate, _battle: &Battle) -> Vec<Shot> {
    todo!("fate 8.3")
}

/// 8.3, 12: whether shots differ from the prescribed ones in the order of ships of one type alone, for each kind of base.
pub(crate) fn judge_shots(_battle: &Battle, _shots: &[Shot]) -> Verdict {
    todo!("fate 8.3")
}

impl Eyes<'_> {
    /// 8.5: whether transports may land on a conquered planet as its garrison.
    pub(crate) fn judge_garrison(&self, _ships: &[ShipNumber], _prize: &Prize) -> Verdict {
        todo!("fate 8.5")
    }
}

impl Referee<'_> {
    /// 8.5, 8.8: a garrison lands: the planet becomes a dominion, and a Prime's gifts are received.
    pub(crate) fn fate_garrison(&mut self, _ships: &[ShipNumber], _prize: Prize) {
        todo!("fate 8.5")
    }

    /// 8.7: the garrison of a dominion leaves in transports; the planet is independent again.
    pub(crate) fn fate_evacuate(&mut self, _planet: crate::cards::PlanetId) {
        todo!("fate 8.7")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ft_23_the_size_of_a_garrison() {
        assert_eq!(garrison(12), (3, None));
        assert_eq!(garrison(24), (5, None));
        assert_eq!(garrison(25), (5, Some(5)));
        assert_eq!(garrison(30), (5, Some(5)));
        assert_eq!(garrison(2), (1, None));
    }
}
