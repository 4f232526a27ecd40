//! Fate 9, 11: sectors and victory points.

use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::{Fate, Level, Power};
use crate::tables::fate::{Sector, loss_points, pirate_points, planet_points, prime_points};
use crate::tables::{Fleet, ShipKind};

impl Level {
    pub const fn of(points: i64) -> Self {
        match points {
            300.. => Self::Decisive,
            200.. => Self::Substantial,
            100.. => Self::Marginal,
            _ => Self::Defeat,
        }
    }

    pub const fn from(self) -> i64 {
        match self {
            Self::Decisive => 300,
            Self::Substantial => 200,
            Self::Marginal => 100,
            Self::Defeat => i64::MIN,
        }
    }
}

/// Victory points by source.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::FateScore, always(total = self.total().write(), level = Level::of(self.total()).write()))]
pub struct Score {
    pub pirates: i64,
    pub planets: i64,
    pub primes: i64,
    pub sectors: i64,
    pub losses: i64,
}

impl Score {
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

    pub const fn total(&self) -> i64 {
        self.pirates + self.planets + self.primes + self.sectors + self.losses
    }
}

fn sum(fleet: Fleet, points: fn(ShipKind) -> i64) -> i64 {
    ShipKind::ALL.into_iter().map(|kind| i64::from(fleet.count(kind)) * points(kind)).sum()
}

impl Fate {
    /// Returns the victory points. `power` must be the Captain-General's.
    pub fn score(&self, power: &Power) -> Score {
        Score::of(self, power)
    }
}
