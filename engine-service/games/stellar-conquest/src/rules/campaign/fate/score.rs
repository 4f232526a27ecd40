//! Fate 9, 11: sectors and victory points.

use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::fate::{Fate, Level};
use crate::state::power::Power;
use crate::tables::fate::{Sector, loss_points, pirate_points, planet_points, prime_points};
use crate::tables::ships::{Fleet, ShipKind};

impl Level {
    /// The level of so many victory points.
    pub const fn of(points: i64) -> Self {
        match points {
            300.. => Self::Decisive,
            200.. => Self::Substantial,
            100.. => Self::Marginal,
            _ => Self::Defeat,
        }
    }

    /// The points from which on it is reached; a defeat is always.
    pub const fn from(self) -> i64 {
        match self {
            Self::Decisive => 300,
            Self::Substantial => 200,
            Self::Marginal => 100,
            Self::Defeat => i64::MIN,
        }
    }
}

/// Victory points by what they are for.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::FateScore, always(total = self.total().write(), level = Level::of(self.total()).write()))]
pub struct Score {
    /// Destroyed pirates.
    pub pirates: i64,
    /// Colonies and dominions.
    pub planets: i64,
    /// Prime dominions.
    pub primes: i64,
    pub sectors: i64,
    /// Lost ships; 0 or less.
    pub losses: i64,
}

impl Score {
    /// 11: the score so far, by what the Captain-General knows.
    pub fn of(fate: &Fate, power: &Power) -> Self {
        let mut score = Self {
            pirates: sum(fate.destroyed, pirate_points),
            losses: sum(fate.lost, loss_points),
            ..Self::default()
        };
        for colony in &power.colonies {
            if colony.is_dominion() && fate.is_prime(colony.planet) {
                score.primes += prime_points(colony.world.kind);
            } else {
                score.planets += planet_points(colony.world.kind);
            }
        }
        for sector in Sector::ALL {
            let held = |star| power.colonies.iter().any(|colony| colony.planet.star == star);
            if sector.stars().iter().filter(|&&star| held(star)).count() >= sector.systems() {
                score.sectors += sector.points();
            }
        }
        score
    }

    /// The sum.
    pub const fn total(&self) -> i64 {
        self.pirates + self.planets + self.primes + self.sectors + self.losses
    }
}

fn sum(fleet: Fleet, points: fn(ShipKind) -> i64) -> i64 {
    ShipKind::ALL.into_iter().map(|kind| i64::from(fleet.count(kind)) * points(kind)).sum()
}

impl Fate {
    /// The score so far, for whoever knows the Captain-General's colonies.
    pub fn score(&self, power: &Power) -> Score {
        Score::of(self, power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::colony::Colony;
    use crate::tables::cards::{Planet, PlanetId, PlanetType};
    use crate::tables::stars::StarId;

    fn colony(star: &str, nth: u8, kind: PlanetType, subjects: u16) -> Colony {
        let world = Planet { orbit: 3, kind, capacity: 60, mineral_rich: false };
        let planet = PlanetId { star: StarId::named(star), nth };
        Colony { subjects, ..Colony::new(planet, world, 5, 0) }
    }

    #[test]
    fn ft_29_a_score() {
        let prime = colony("Diphda", 0, PlanetType::Terran, 60);
        let mut power = Power::new();
        power.colonies = vec![
            prime,
            colony("Diphda", 1, PlanetType::Terran, 30),
            colony("Ross", 0, PlanetType::SubTerran, 0),
            colony("Deneb", 0, PlanetType::Barren, 0),
        ];
        let fate = Fate {
            destroyed: Fleet::new([2, 0, 4, 0, 0]),
            lost: Fleet::new([3, 4, 2, 0, 0]),
            primes: [None, Some(prime.planet)],
            ..Fate::default()
        };
        let score = fate.score(&power);
        assert_eq!(
            (score.pirates, score.primes, score.planets, score.sectors, score.losses),
            (14, 50, 30, 20, -16)
        );
        assert_eq!((score.total(), Level::of(98)), (98, Level::Defeat));
    }

    #[test]
    fn fr_20_a_prime_without_subjects_counts_by_its_type() {
        let prime = colony("Alcor", 0, PlanetType::Terran, 0);
        let mut power = Power::new();
        power.colonies = vec![prime];
        let score = Fate { primes: [None, Some(prime.planet)], ..Fate::default() }.score(&power);
        assert_eq!((score.primes, score.planets), (0, 15));
    }

    #[test]
    fn ft_28_sectors() {
        let mut power = Power::new();
        let settle = |power: &mut Power, stars: &[&str]| {
            power.colonies =
                stars.iter().map(|star| colony(star, 0, PlanetType::Barren, 0)).collect();
        };
        settle(&mut power, &["Scorpii", "Barnard", "Hamal"]);
        assert_eq!(Fate::default().score(&power).sectors, 15);
        settle(&mut power, &["Hydrae", "Alcor", "Sadir"]);
        assert_eq!(Fate::default().score(&power).sectors, 0);
        settle(&mut power, &["Lyrae", "Lacaille", "Lupi", "Cygni", "Scheat"]);
        assert_eq!(Fate::default().score(&power).sectors, 25);
    }

    #[test]
    fn fate_11_levels() {
        assert_eq!(
            [99, 100, 199, 200, 299, 300].map(Level::of),
            [
                Level::Defeat,
                Level::Marginal,
                Level::Marginal,
                Level::Substantial,
                Level::Substantial,
                Level::Decisive,
            ]
        );
    }
}
