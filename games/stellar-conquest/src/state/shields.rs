//! Space 1.1: planet shields in a battle.

use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

/// A shield in the current battle. If it survives, it is repaired afterwards.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::ShieldState)]
pub struct ShieldState {
    /// The planet, by its position on the star's card.
    #[wire(with = crate::tables::numbers::nth)]
    pub planet: u8,
    /// Damage points. The fourth destroys the shield.
    pub damage: u8,
    pub rounds_without_hit: u8,
    pub destroyed_in_round: Option<u16>,
}

impl ShieldState {
    pub(crate) const fn new(planet: u8) -> Self {
        Self { planet, damage: 0, rounds_without_hit: 0, destroyed_in_round: None }
    }

    /// Applies a round's hits. Rounds are counted from 1.
    pub(crate) fn apply_hits(&mut self, hits: usize, round: u16) {
        match hits {
            0 => self.rounds_without_hit = self.rounds_without_hit.saturating_add(1),
            _ => self.rounds_without_hit = 0,
        }
        if (3..=4).contains(&hits) {
            self.damage += 1;
        }
        if hits >= 5 || self.damage >= 4 {
            self.destroyed_in_round = Some(round);
        }
    }

    /// Returns whether the shield has held out for two rounds without a hit, which ends the attack
    /// on the colony for this turn.
    pub const fn holds_out(&self) -> bool {
        self.rounds_without_hit >= 2 && self.destroyed_in_round.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(rounds: &[usize]) -> ShieldState {
        let mut shield = ShieldState::new(0);
        for (round, &hits) in (1..).zip(rounds) {
            shield.apply_hits(hits, round);
        }
        shield
    }

    #[test]
    fn space_1_1_dt_02_dt_03_hits_of_a_round_decide() {
        assert_eq!(after(&[5]).destroyed_in_round, Some(1));
        assert_eq!(after(&[3, 4, 2, 3]).destroyed_in_round, None);
        assert_eq!(after(&[3, 4, 2, 3, 3]).destroyed_in_round, Some(5));
        assert_eq!(after(&[2, 1, 2]), ShieldState::new(0));
    }

    #[test]
    fn space_1_1_dt_05_only_consecutive_rounds_without_hits_count() {
        assert!(!after(&[0, 1, 0]).holds_out());
        assert!(after(&[1, 0, 0]).holds_out());
    }
}
