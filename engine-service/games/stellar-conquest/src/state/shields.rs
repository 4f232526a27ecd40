//! Space 1.1: planet shields in a battle.

use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

/// How a shield stands in the battle that is fought. After it, a shield that still stands is whole
/// again.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::ShieldState)]
pub struct ShieldState {
    /// The planet, by its place on the star's card.
    #[wire(with = crate::wire::numbers::nth)]
    pub planet: u8,
    /// Damage points; the fourth destroys it.
    pub damage: u8,
    /// Rounds without a hit, one after the other.
    pub dry: u8,
    /// The round in which it was destroyed.
    pub fell: Option<u16>,
}

impl ShieldState {
    /// A shield that is whole.
    pub(crate) const fn new(planet: u8) -> Self {
        Self { planet, damage: 0, dry: 0, fell: None }
    }

    /// What a round with so many hits makes of it; rounds are counted from 1.
    pub(crate) fn struck(&mut self, hits: usize, round: u16) {
        match hits {
            0 => self.dry = self.dry.saturating_add(1),
            _ => self.dry = 0,
        }
        if (3..=4).contains(&hits) {
            self.damage += 1;
        }
        if hits >= 5 || self.damage >= 4 {
            self.fell = Some(round);
        }
    }

    /// Whether the attack on the colony is over for this turn: two rounds without a hit.
    pub const fn holds_out(&self) -> bool {
        self.dry >= 2 && self.fell.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(rounds: &[usize]) -> ShieldState {
        let mut shield = ShieldState::new(0);
        for (round, &hits) in (1..).zip(rounds) {
            shield.struck(hits, round);
        }
        shield
    }

    #[test]
    fn space_1_1_dt_02_dt_03_hits_of_a_round_decide() {
        assert_eq!(after(&[5]).fell, Some(1));
        assert_eq!(after(&[3, 4, 2, 3]).fell, None);
        assert_eq!(after(&[3, 4, 2, 3, 3]).fell, Some(5));
        assert_eq!(after(&[2, 1, 2]), ShieldState::new(0));
    }

    #[test]
    fn space_1_1_dt_05_only_two_rounds_without_a_hit_in_a_row_end_the_attack() {
        assert!(!after(&[0, 1, 0]).holds_out());
        assert!(after(&[1, 0, 0]).holds_out());
    }
}
