//! Rule 8.5: the war and its sides.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::outer_space::POWERS_MAX;

/// The extent of a war (8.5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WarKind {
    /// Fought only at border stars.
    Limited,
    Total,
}

/// A war between two sides.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::War, with(SeatSet = crate::tables::numbers::seat_set))]
pub struct War {
    #[wire(name = total)]
    pub kind: WarKind,
    #[wire(each(one_side, other_side))]
    pub sides: [SeatSet; 2],
    pub truce: bool,
    /// Half points for the units that each power destroyed since it joined the war, by seat (10.2).
    #[wire(most = POWERS_MAX)]
    pub success: Vec<u32>,
}

impl War {
    pub(crate) fn between(one: Seat, other: Seat, kind: WarKind, powers: usize) -> Self {
        let sides = [SeatSet::one(one), SeatSet::one(other)];
        Self { kind, sides, truce: false, success: vec![0; powers] }
    }

    pub fn side_of(&self, seat: Seat) -> Option<usize> {
        self.sides.iter().position(|side| side.contains(seat))
    }

    pub fn are_enemies(&self, one: Seat, other: Seat) -> bool {
        matches!((self.side_of(one), self.side_of(other)), (Some(one), Some(other)) if one != other)
    }

    pub fn enemies_of(&self, seat: Seat) -> SeatSet {
        self.side_of(seat).map_or(SeatSet::EMPTY, |side| self.sides[1 - side])
    }

    /// Adds a power against another power. The new power starts with success 0 (DR-18).
    pub(super) fn join(&mut self, seat: Seat, against: Seat) {
        if let Some(side) = self.side_of(against) {
            self.sides[1 - side].insert(seat);
            self.forget(seat);
        }
    }

    /// Moves a power to the other side and resets its success (DR-17).
    pub(super) fn change_sides(&mut self, seat: Seat) {
        if let Some(side) = self.side_of(seat) {
            self.sides[side].remove(seat);
            self.sides[1 - side].insert(seat);
            self.forget(seat);
        }
    }

    pub(super) fn leave(&mut self, seat: Seat) {
        for side in &mut self.sides {
            side.remove(seat);
        }
        self.forget(seat);
    }

    pub(super) fn count(&mut self, seat: Seat, half_points: u32) {
        if let Some(success) = self.success.get_mut(seat.index()) {
            *success = success.saturating_add(half_points);
        }
    }

    fn forget(&mut self, seat: Seat) {
        if let Some(success) = self.success.get_mut(seat.index()) {
            *success = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_8_2_dt_27_changing_sides_resets_success_and_allies() {
        let [a, b, c] = [0, 1, 2].map(Seat::at);
        let mut war = War::between(a, c, WarKind::Limited, 4);
        war.join(b, c);
        war.success = vec![3, 5, 7, 0];
        assert!(war.are_enemies(b, c) && !war.are_enemies(a, b));
        war.change_sides(b);
        assert!(war.are_enemies(a, b) && !war.are_enemies(b, c));
        assert_eq!(war.success, [3, 0, 7, 0]);
        assert_eq!(war.enemies_of(a), SeatSet::one(b).with(c));
    }
}
