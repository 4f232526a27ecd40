//! Rule 8.5: the war and its sides.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::outer_space::POWERS_MAX;

/// How far a war goes (8.5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WarKind {
    /// For border stars.
    Limited,
    Total,
}

/// A war.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::War, with(SeatSet = crate::wire::numbers::seat_set))]
pub struct War {
    /// How far it goes.
    #[wire(name = total)]
    pub kind: WarKind,
    /// Who fights whom.
    #[wire(each(one_side, other_side))]
    pub sides: [SeatSet; 2],
    /// 8.4: whether a truce holds.
    pub truce: bool,
    /// 10.2: half points for what each power of the game destroyed since it is in the war, by seat.
    #[wire(most = POWERS_MAX)]
    pub success: Vec<u32>,
}

impl War {
    /// A war between two powers, in a game of so many.
    pub(crate) fn between(one: Seat, other: Seat, kind: WarKind, powers: usize) -> Self {
        let sides = [SeatSet::one(one), SeatSet::one(other)];
        Self { kind, sides, truce: false, success: vec![0; powers] }
    }

    /// The side of a power, by its place in `sides`.
    pub fn side_of(&self, seat: Seat) -> Option<usize> {
        self.sides.iter().position(|side| side.contains(seat))
    }

    /// Whether two powers stand on different sides.
    pub fn are_enemies(&self, one: Seat, other: Seat) -> bool {
        matches!((self.side_of(one), self.side_of(other)), (Some(one), Some(other)) if one != other)
    }

    /// The enemies of a power.
    pub fn enemies_of(&self, seat: Seat) -> SeatSet {
        self.side_of(seat).map_or(SeatSet::EMPTY, |side| self.sides[1 - side])
    }

    /// DR-18: who joins begins to count at nothing.
    pub(super) fn join(&mut self, seat: Seat, against: Seat) {
        if let Some(side) = self.side_of(against) {
            self.sides[1 - side].insert(seat);
            self.forget(seat);
        }
    }

    /// DR-17: its own count is lost.
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
    fn space_8_2_dt_27_who_changes_sides_begins_anew_and_fights_its_old_ally() {
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
