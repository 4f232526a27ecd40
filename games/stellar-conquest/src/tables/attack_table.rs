//! Rule 12.4: the odds of each shot, from the attack table.

use crate::tables::ships::ShipKind;

/// A combatant: a kind of ship or of base.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arm {
    Ship(ShipKind),
    MissileBase,
    AdvancedMissileBase,
    /// A shield that can be shot down (space 1.1). Fires no shots, but its beam acts after a round.
    Shield,
}

/// The odds of a shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Odds {
    Never,
    /// A hit with one die up to this number.
    UpTo(u8),
    SumOfTen,
    Always,
}

impl Odds {
    pub const fn dice(self) -> u8 {
        match self {
            Self::Never | Self::Always => 0,
            Self::UpTo(_) => 1,
            Self::SumOfTen => 2,
        }
    }

    /// Returns whether these dice hit. Only the first [`Odds::dice`] of them count.
    pub const fn hits(self, dice: [u8; 2]) -> bool {
        match self {
            Self::Never => false,
            Self::UpTo(most) => dice[0] <= most,
            Self::SumOfTen => dice[0] + dice[1] == 10,
            Self::Always => true,
        }
    }

    /// Returns how many of the 36 equally likely throws hit, for comparing odds.
    pub const fn of_36(self) -> u8 {
        match self {
            Self::Never => 0,
            Self::UpTo(most) => most * 6,
            Self::SumOfTen => 3,
            Self::Always => 36,
        }
    }
}

/// Returns the odds of one shot of `attacker` at `target`.
pub const fn odds(attacker: Arm, target: Arm) -> Odds {
    match attacker {
        Arm::Ship(ShipKind::Scout | ShipKind::Transport) => Odds::Never,
        Arm::Ship(ShipKind::Corvette) | Arm::MissileBase => match strength(target) {
            Strength::Unarmed => Odds::UpTo(4),
            Strength::Light => Odds::UpTo(1),
            Strength::Medium => Odds::SumOfTen,
            Strength::Heavy => Odds::Never,
        },
        Arm::Ship(ShipKind::Fighter) | Arm::AdvancedMissileBase => match strength(target) {
            Strength::Unarmed => Odds::UpTo(5),
            Strength::Light => Odds::UpTo(2),
            Strength::Medium => Odds::UpTo(1),
            Strength::Heavy => Odds::SumOfTen,
        },
        Arm::Ship(ShipKind::DeathStar) | Arm::Shield => match strength(target) {
            Strength::Unarmed => Odds::Always,
            Strength::Light => Odds::UpTo(4),
            Strength::Medium => Odds::UpTo(3),
            Strength::Heavy => Odds::UpTo(2),
        },
    }
}

/// The columns of the attack table. Bases share a column with ships of equal strength.
#[derive(Clone, Copy)]
enum Strength {
    Unarmed,
    Light,
    Medium,
    Heavy,
}

const fn strength(target: Arm) -> Strength {
    match target {
        Arm::Ship(ShipKind::Scout | ShipKind::Transport) => Strength::Unarmed,
        Arm::Ship(ShipKind::Corvette) | Arm::MissileBase => Strength::Light,
        Arm::Ship(ShipKind::Fighter) | Arm::AdvancedMissileBase | Arm::Shield => Strength::Medium,
        Arm::Ship(ShipKind::DeathStar) => Strength::Heavy,
    }
}

pub(crate) const fn odds_with_armed_scouts(attacker: Arm, target: Arm) -> Odds {
    const SCOUT: Arm = Arm::Ship(ShipKind::Scout);
    match (attacker, target) {
        (SCOUT, SCOUT) => Odds::UpTo(1),
        (SCOUT, Arm::Ship(ShipKind::Transport)) => Odds::UpTo(2),
        (SCOUT, Arm::Ship(ShipKind::Corvette) | Arm::MissileBase) => Odds::SumOfTen,
        (Arm::Ship(ShipKind::Corvette) | Arm::MissileBase, SCOUT) => Odds::UpTo(3),
        (Arm::Ship(ShipKind::Fighter) | Arm::AdvancedMissileBase, SCOUT) => Odds::UpTo(4),
        (Arm::Ship(ShipKind::DeathStar) | Arm::Shield, SCOUT) => Odds::UpTo(5),
        _ => odds(attacker, target),
    }
}

impl Arm {
    pub const ALL: [Self; 7] = [
        Self::Ship(ShipKind::Scout),
        Self::Ship(ShipKind::Transport),
        Self::Ship(ShipKind::Corvette),
        Self::MissileBase,
        Self::Ship(ShipKind::Fighter),
        Self::AdvancedMissileBase,
        Self::Ship(ShipKind::DeathStar),
    ];

    pub const fn is_base(self) -> bool {
        matches!(self, Self::MissileBase | Self::AdvancedMissileBase)
    }

    pub const fn letters(self) -> &'static str {
        match self {
            Self::Ship(kind) => kind.letters(),
            Self::MissileBase => "MB",
            Self::AdvancedMissileBase => "AMB",
            Self::Shield => "shield",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_1_2_dt_07_the_whole_table_with_armed_scouts() {
        const N: Odds = Odds::Never;
        const T: Odds = Odds::SumOfTen;
        const fn to(most: u8) -> Odds {
            Odds::UpTo(most)
        }
        let [scout, others @ ..] = Arm::ALL;
        assert_eq!(
            Arm::ALL.map(|target| odds_with_armed_scouts(scout, target)),
            [to(1), to(2), T, T, N, N, N]
        );
        let at_scout = others.map(|by| odds_with_armed_scouts(by, scout));
        assert_eq!(at_scout, [N, to(3), to(3), to(4), to(4), to(5)]);
        assert!(!odds_with_armed_scouts(Arm::Ship(ShipKind::DeathStar), scout).hits([6, 1]));
        for (by, target) in others.into_iter().flat_map(|by| others.map(|target| (by, target))) {
            assert_eq!(odds_with_armed_scouts(by, target), odds(by, target));
        }
    }

    #[test]
    fn space_1_1_ships_fire_at_a_shield_as_if_at_a_fighter() {
        for table in [odds, odds_with_armed_scouts] {
            let at_shield = ShipKind::ALL.map(|kind| table(Arm::Ship(kind), Arm::Shield));
            let never = Odds::Never;
            assert_eq!(at_shield, [never, never, Odds::SumOfTen, Odds::UpTo(1), Odds::UpTo(3)]);
            let star = Arm::Ship(ShipKind::DeathStar);
            assert!(
                Arm::ALL
                    .into_iter()
                    .all(|target| table(Arm::Shield, target) == table(star, target))
            );
        }
    }

    #[test]
    fn bt_16_a_corvette_hits_a_fighter_with_a_sum_of_exactly_10() {
        let chance = odds(Arm::Ship(ShipKind::Corvette), Arm::Ship(ShipKind::Fighter));
        assert_eq!(chance.dice(), 2);
        assert!(chance.hits([4, 6]) && chance.hits([5, 5]));
        assert!(!chance.hits([4, 5]) && !chance.hits([5, 6]) && !chance.hits([6, 6]));
        let thrown = (1..=6).flat_map(|one| (1..=6).map(move |two| [one, two]));
        assert_eq!(thrown.filter(|&dice| chance.hits(dice)).count(), usize::from(chance.of_36()));
    }

    #[test]
    fn rule_12_4_one_die_hits_up_to_its_number() {
        let chance = odds(Arm::Ship(ShipKind::Corvette), Arm::Ship(ShipKind::Scout));
        assert!(chance.hits([4, 6]) && !chance.hits([5, 1]));
        assert_eq!(chance.of_36(), 24);
    }
}
