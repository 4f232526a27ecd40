//! Rule 8.5: the war, its sides, and where it is fought.

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::{POWERS_MAX, Politics, Quarrel};
use crate::tables::stars::StarId;

/// How far a war goes (8.5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WarKind {
    /// For border stars.
    Limited,
    /// For all.
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
    /// 10.2: half points for what each power destroyed since it is in the war, by seat.
    #[wire(with = crate::wire::campaign::by_power)]
    pub success: [u32; POWERS_MAX],
}

impl War {
    /// A war between two powers.
    pub(crate) fn between(one: Seat, other: Seat, kind: WarKind) -> Self {
        let sides = [SeatSet::one(one), SeatSet::one(other)];
        Self { kind, sides, truce: false, success: [0; POWERS_MAX] }
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

impl Politics {
    /// 7.1, 8.5: whether the war may be fought at a star: one side claims it, and in a limited war it borders the other one.
    pub(super) fn is_battleground(&self, war: &War, star: StarId) -> bool {
        let Some(side) = self.claimant(star).and_then(|seat| war.side_of(seat)) else { return false };
        war.kind == WarKind::Total || war.sides[1 - side].iter().any(|enemy| self.is_on_border(star, enemy))
    }

    /// 3.3, 9.2: whether a star is disputed, or lies on the border between the two sides of the war.
    pub fn is_contested(&self, star: StarId) -> bool {
        let disputed = self.incidents.iter().any(|incident| incident.quarrel == Quarrel::Dispute { star });
        let claimed_from = |war: &War| self.claimant(star).map(|seat| war.enemies_of(seat));
        let enemies = self.war.as_ref().and_then(claimed_from).unwrap_or_default();
        disputed || enemies.iter().any(|enemy| self.is_on_border(star, enemy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_8_2_dt_27_who_changes_sides_begins_anew_and_fights_its_old_ally() {
        let [a, b, c] = [0, 1, 2].map(Seat::at);
        let mut war = War::between(a, c, WarKind::Limited);
        war.join(b, c);
        war.success = [3, 5, 7, 0];
        assert!(war.are_enemies(b, c) && !war.are_enemies(a, b));
        war.change_sides(b);
        assert!(war.are_enemies(a, b) && !war.are_enemies(b, c));
        assert_eq!(war.success, [3, 0, 7, 0]);
        assert_eq!(war.enemies_of(a), SeatSet::one(b).with(c));
    }

    #[test]
    fn space_8_5_a_limited_war_is_fought_on_borders() {
        let [a, b] = [0, 1].map(Seat::at);
        let mut politics = Politics::default();
        for (name, seat) in [("Alcor", a), ("Sadir", b), ("Lupi", b)] {
            politics.claims[StarId::named(name).index()] = Some(seat);
        }
        let mut war = War::between(a, b, WarKind::Limited);
        let fought = |war: &War, name| politics.is_battleground(war, StarId::named(name));
        assert!(fought(&war, "Sadir") && fought(&war, "Alcor") && !fought(&war, "Lupi") && !fought(&war, "Mira"));
        war.kind = WarKind::Total;
        assert!(fought(&war, "Lupi") && !fought(&war, "Mira"));
    }

    #[test]
    fn space_3_3_contested_stars_lie_on_the_border_of_enemies_or_are_disputed() {
        let [a, b] = [0, 1].map(Seat::at);
        let mut politics = Politics::default();
        for (name, seat) in [("Alcor", a), ("Sadir", b), ("Lupi", b)] {
            politics.claims[StarId::named(name).index()] = Some(seat);
        }
        let contested =
            |politics: &Politics| ["Alcor", "Sadir", "Lupi"].map(|name| politics.is_contested(StarId::named(name)));
        assert_eq!(contested(&politics), [false; 3]);
        let disputed = Quarrel::Dispute { star: StarId::named("Lupi") };
        politics.incidents.push(crate::rules::campaign::outer_space::Incident { pair: [a, b], quarrel: disputed });
        assert_eq!(contested(&politics), [false, false, true]);
        politics.incidents.clear();
        politics.war = Some(War::between(a, b, WarKind::Total));
        assert_eq!(contested(&politics), [true, true, false]);
    }
}
