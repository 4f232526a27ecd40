//! Fate 5: Swarms.

use heliopause_kernel::Seat;

use crate::rules::colonies::{change_colony, end_colony};
use crate::rules::referee::Referee;
use crate::state::campaign::fate::{Fate, FateEvent};
use crate::state::colony::Colony;
use crate::state::event::{Change, Gone};
use crate::state::power::Power;
use crate::tables::fate::{
    STOPPED_BY_ADVANCED_BASE, STOPPED_BY_MISSILE_BASE, stopped_by, swarm_factors, swarm_target,
};
use crate::tables::ships::ShipKind;
use crate::tables::stars::StarId;
use crate::tables::technology::{Tech, TechSet};

impl Power {
    /// 5.2, FR-17: everything that Swarms can attack at a star: colonies and dominions, and planets
    /// that were conquered and have no garrison. With their owners.
    fn held_at(&self, me: Seat, star: StarId) -> Vec<(Seat, Colony)> {
        let own = self.colonies_of(star).map(|colony| (me, *colony));
        let prizes = self.prizes.iter().filter(|prize| prize.colony.planet.star == star);
        own.chain(prizes.map(|prize| (prize.owner, prize.colony))).collect()
    }

    /// 5.3: the factors that ships in the star hex and what stands on the planet stop. A shield
    /// stops all.
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

/// 5.4, 5.5: what so many factors leave of a planet: nothing if nobody survives. Subjects die
/// before their garrison.
fn ravaged(colony: Colony, factors: u16, owned: TechSet) -> Option<Colony> {
    let subjects = colony.subjects.saturating_sub(factors);
    let rest = factors - (colony.subjects - subjects);
    let population = colony.population.checked_sub(rest).filter(|&population| population > 0)?;
    let after = Colony { population, subjects, ..colony };
    // FR-18: owning either technology keeps factories without workers standing.
    let kept = owned.has(Tech::ImprovedIndustrialTechnology) || owned.has(Tech::RoboticIndustry);
    // Factories that idled before stand as long as nobody dies (FR-5).
    let factories = if kept || factors == 0 {
        colony.factories
    } else {
        u32::from(after.workers()).min(colony.factories)
    };
    Some(Colony { factories, ..after })
}

/// 5: looks for a target and attacks it. Event I, and H without a war.
pub(crate) fn fate_swarms(referee: &mut Referee<'_>) {
    let (red, white) = referee.two_dice("swarm-target", 0);
    let star = swarm_target(red, white);
    let held = referee.power(Fate::captain()).held_at(Fate::captain(), star);
    let orbit = if held.is_empty() { None } else { Some(referee.roll("swarm-orbit", 0, 0)) };
    referee.proclaim(FateEvent::SwarmsSought { red, white, star, orbit });
    if let Some((owner, colony)) =
        held.into_iter().find(|(_, colony)| Some(colony.world.orbit) == orbit)
    {
        swarms_strike(referee, owner, colony);
    }
}

/// 5.3 to 5.6: an attack on a planet. Ships and bases stop factors and are not lost; a dominion
/// that loses its subjects is a colony of its garrison.
fn swarms_strike(referee: &mut Referee<'_>, owner: Seat, colony: Colony) {
    let planet = colony.planet;
    let die = referee.roll("swarm-strength", 0, 0);
    let factors = swarm_factors(die);
    let power = referee.power(Fate::captain());
    let owned = power.research.owned;
    let stopped = power.stops(&colony).min(u32::from(factors)) as u16;
    referee.proclaim(FateEvent::SwarmsStruck { planet, die, factors, stopped });
    match ravaged(colony, factors - stopped, owned) {
        Some(after) if after == colony => {}
        Some(after) => change_colony(referee, owner, after, Change::Swarms),
        None => end_colony(referee, owner, planet, Gone::Abandoned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::campaign::fate::scenes::{begin_turn, captain, conquered, of_fate};
    use crate::state::colony::Bases;
    use crate::tables::cards::PlanetId;
    use crate::testing::Scene;

    /// Draconis with a Terran planet in orbit 3 and a Sub-Terran one in orbit 4.
    fn draconis() -> Scene {
        let mut scene = Scene::fate();
        scene.explored(captain(), "Draconis", 24);
        scene
    }

    fn settle(scene: &mut Scene, nth: u8, change: impl Fn(Colony) -> Colony) -> PlanetId {
        scene.colony(captain(), "Draconis", nth, change)
    }

    fn struck(told: &[crate::state::event::Event]) -> Option<(u16, u16)> {
        of_fate(told).into_iter().find_map(|event| match event {
            FateEvent::SwarmsStruck { factors, stopped, .. } => Some((factors, stopped)),
            _ => None,
        })
    }

    /// Swarms at Draconis, with dice for the orbit and their strength.
    fn swarms(scene: Scene, dice: &[u32]) -> (Scene, Option<(u16, u16)>) {
        let dice: Vec<u32> = [1, 3, 5, 2].into_iter().chain(dice.iter().copied()).collect();
        let (scene, told) = begin_turn(scene, 2, &dice);
        let struck = struck(&told);
        (scene, struck)
    }

    #[test]
    fn ft_07_the_orbit_decides() {
        let mut scene = draconis();
        settle(&mut scene, 0, |colony| Colony { population: 50, ..colony });
        let lower = settle(&mut scene, 1, |colony| colony);
        let (scene, nothing) = swarms(scene, &[5]);
        assert_eq!(nothing, None);
        let (scene, attack) = swarms(scene, &[3, 1]);
        assert_eq!(attack, Some((10, 0)));
        let power = scene.power(captain());
        assert_eq!(
            power.colonies.iter().map(|colony| colony.population).collect::<Vec<_>>(),
            [40, 10]
        );
        let (scene, attack) = swarms(scene, &[4, 1]);
        assert_eq!(attack, Some((10, 0)));
        assert_eq!(scene.power(captain()).colony(lower), None);
    }

    #[test]
    fn fate_5_2_nothing_happens_where_nothing_is_held() {
        let mut scene = draconis();
        scene.colony(Fate::independents(), "Draconis", 0, |colony| colony);
        let (scene, attack) = swarms(scene, &[]);
        assert_eq!(attack, None, "independents are immune");
        assert_eq!(scene.power(Fate::independents()).colonies.len(), 1);
    }

    #[test]
    fn fr_17_conquered_planets_are_attacked() {
        let mut scene = draconis();
        scene.ships(captain(), "Q11", &[(ShipKind::Corvette, 1)]);
        let planet =
            conquered(&mut scene, "Draconis", 0, |colony| Colony { population: 20, ..colony });
        let (scene, attack) = swarms(scene, &[3, 1]);
        assert_eq!(attack, Some((10, 2)));
        let owner =
            scene.power(Fate::independents()).colony(planet).map(|colony| colony.population);
        assert_eq!(owner, Some(12));
        assert_eq!(
            scene.power(captain()).prize(planet).map(|prize| prize.colony.population),
            owner
        );
        let (scene, _) = swarms(scene, &[3, 6]);
        assert_eq!(
            scene.power(captain()).prizes.len() + scene.power(Fate::independents()).colonies.len(),
            0
        );
    }

    #[test]
    fn ft_08_ships_with_improved_weaponry_and_bases_stop_factors_fr_18() {
        for (tech, factories) in [
            (Tech::Speed3, 4),
            (Tech::ImprovedIndustrialTechnology, 15),
            (Tech::RoboticIndustry, 15),
        ] {
            let mut scene = draconis();
            scene.owns(captain(), &[Tech::ImprovedShipWeaponry, tech]);
            scene.ships(captain(), "Q11", &[(ShipKind::Corvette, 2), (ShipKind::Scout, 3)]);
            let bases = Bases { missile: 3, advanced: 0 };
            let planet = settle(&mut scene, 0, |colony| Colony {
                population: 20,
                factories: 15,
                bases,
                ..colony
            });
            let (scene, attack) = swarms(scene, &[3, 4]);
            assert_eq!(attack, Some((30, 14)));
            let colony = scene.power(captain()).colony(planet).unwrap();
            assert_eq!((colony.population, colony.factories, colony.bases), (4, factories, bases));
            assert_eq!(scene.power(captain()).ships.len(), 5, "no ship is lost");
        }
    }

    #[test]
    fn ft_09_what_a_death_star_a_fighter_and_an_advanced_base_stop() {
        let mut scene = draconis();
        let ships = [(ShipKind::DeathStar, 1), (ShipKind::Fighter, 1), (ShipKind::Scout, 1)];
        scene.ships(captain(), "Q11", &ships);
        let bases = Bases { missile: 0, advanced: 1 };
        settle(&mut scene, 0, |colony| Colony { population: 50, bases, ..colony });
        let (scene, attack) = swarms(scene, &[3, 6]);
        assert_eq!(attack, Some((40, 20)));
        assert_eq!(scene.power(captain()).colonies[0].population, 30);
    }

    #[test]
    fn ft_10_a_shield_stops_everything() {
        let mut scene = draconis();
        settle(&mut scene, 0, |colony| Colony { factories: 40, shield: true, ..colony });
        let before = scene.power(captain()).colonies.clone();
        let (scene, attack) = swarms(scene, &[3, 6]);
        assert_eq!(attack, Some((40, 40)));
        assert_eq!(scene.power(captain()).colonies, before, "factories without workers stay too");
    }

    fn dominion(colony: Colony) -> Colony {
        let bases = Bases { missile: 1, advanced: 0 };
        Colony { subjects: 12, population: 3, factories: 12, bases, ..colony }
    }

    #[test]
    fn ft_11_a_dominion_without_subjects_is_a_colony_of_its_garrison() {
        let mut scene = draconis();
        let planet = settle(&mut scene, 0, dominion);
        let colony = *scene.power(captain()).colony(planet).unwrap();
        let after = ravaged(colony, 14, TechSet::NONE).unwrap();
        assert_eq!((after.subjects, after.population, after.factories), (0, 1, 1));
        assert!(!after.is_dominion());
        let after = ravaged(colony, 5, TechSet::NONE).unwrap();
        assert_eq!(
            (after.subjects, after.population, after.factories),
            (7, 3, 7),
            "subjects die first and work alone"
        );
        assert_eq!(ravaged(colony, 12, TechSet::NONE).map(|after| after.population), Some(3));
    }

    #[test]
    fn ft_12_a_planet_where_nobody_survives_is_unoccupied() {
        let mut scene = draconis();
        scene.owns(captain(), &[Tech::ImprovedIndustrialTechnology]);
        settle(&mut scene, 0, dominion);
        let (scene, attack) = swarms(scene, &[3, 3]);
        assert_eq!(attack, Some((20, 2)));
        assert!(scene.power(captain()).colonies.is_empty());
    }
}
