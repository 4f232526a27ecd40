//! Fate 5: attacks by Swarms.

use heliopause_kernel::Seat;

use crate::rules::colonies::{change_colony, end_colony};
use crate::rules::referee::Referee;
use crate::state::{Change, Colony, Fate, FateEvent, Gone, Power};
use crate::tables::fate::{
    STOPPED_BY_ADVANCED_BASE, STOPPED_BY_MISSILE_BASE, stopped_by, swarm_factors, swarm_target,
};
use crate::tables::{ShipKind, StarId, Tech, TechSet};

impl Power {
    /// Returns the colonies at a star that Swarms can attack, with their owners (5.2, FR-17).
    fn held_at(&self, me: Seat, star: StarId) -> Vec<(Seat, Colony)> {
        let own = self.colonies_of(star).map(|colony| (me, *colony));
        let prizes =
            self.conquered_colonies.iter().filter(|prize| prize.colony.planet.star == star);
        own.chain(prizes.map(|prize| (prize.owner, prize.colony))).collect()
    }

    fn stops(&self, colony: &Colony) -> u32 {
        if colony.shield {
            return u32::MAX;
        }
        let fleet = self.fleet_at(colony.planet.star.at());
        let ships: u32 =
            ShipKind::ALL.map(|kind| fleet.count(kind) * u32::from(stopped_by(kind))).iter().sum();
        let times = if self.research.has(Tech::ImprovedShipWeaponry) { 2 } else { 1 };
        let missile = colony.bases.missile * u32::from(STOPPED_BY_MISSILE_BASE);
        let advanced = colony.bases.advanced * u32::from(STOPPED_BY_ADVANCED_BASE);
        ships * times + missile + advanced
    }
}

/// Returns the colony after an attack, or `None` if nobody survives. Subjects die first (5.4, 5.5).
fn ravaged(colony: Colony, factors: u16, owned: TechSet) -> Option<Colony> {
    let subjects = colony.subjects.saturating_sub(factors);
    let rest = factors - (colony.subjects - subjects);
    let population = colony.population.checked_sub(rest).filter(|&population| population > 0)?;
    let after = Colony { population, subjects, ..colony };
    // Either technology keeps factories without workers (FR-18).
    let kept = owned.has(Tech::ImprovedIndustrialTechnology) || owned.has(Tech::RoboticIndustry);
    // Factories that were already idle stay if no people die (FR-5).
    let factories = if kept || factors == 0 {
        colony.factories
    } else {
        u32::from(after.workers()).min(colony.factories)
    };
    Some(Colony { factories, ..after })
}

/// Finds a target and attacks it (5). Used for event I, and for event H if there is no war.
pub(crate) fn fate_swarms(referee: &mut Referee<'_>) {
    let (red, white) = referee.two_dice("swarm-target", 0);
    let star = swarm_target(red, white);
    let held = referee.power(Fate::captain()).held_at(Fate::captain(), star);
    let orbit = if held.is_empty() { None } else { Some(referee.roll("swarm-orbit", 0, 0)) };
    referee.publish_fate(FateEvent::SwarmsSought { red, white, star, orbit });
    if let Some((owner, colony)) =
        held.into_iter().find(|(_, colony)| Some(colony.world.orbit) == orbit)
    {
        swarms_strike(referee, owner, colony);
    }
}

/// Attacks a colony. Ships and bases stop factors without being lost (5.3 to 5.6).
fn swarms_strike(referee: &mut Referee<'_>, owner: Seat, colony: Colony) {
    let planet = colony.planet;
    let die = referee.roll("swarm-strength", 0, 0);
    let factors = swarm_factors(die);
    let power = referee.power(Fate::captain());
    let owned = power.research.owned;
    let stopped = power.stops(&colony).min(u32::from(factors)) as u16;
    referee.publish_fate(FateEvent::SwarmsStruck { planet, die, factors, stopped });
    match ravaged(colony, factors - stopped, owned) {
        Some(after) if after == colony => {}
        Some(after) => change_colony(referee, owner, after, Change::Swarms),
        None => end_colony(referee, owner, planet, Gone::Abandoned),
    }
}
