//! Fate 6: what is found at newly explored stars, and pirates that come later.

use heliopause_kernel::Seat;

use crate::rules::arrivals::bring;
use crate::rules::campaign::fate::pirates::sight_pirates;
use crate::rules::colonies::change_colony;
use crate::rules::referee::Referee;
use crate::state::campaign::fate::{Fate, FateEvent};
use crate::state::colony::{Bases, Colony};
use crate::state::event::{Change, Source};
use crate::state::power::{ColonySeen, People};
use crate::tables::cards::{Planet, PlanetId};
use crate::tables::fate::{Cell, planet_cell};
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::stars::StarId;

/// 6.5: the highest die that brings a pirate.
const PIRATE_DIE: u8 = 2;

impl ColonySeen {
    /// What the Captain-General knows of an independent planet.
    pub(super) fn independent(colony: &Colony, turn: u8) -> Self {
        let (conqueror, shield, bases) = (colony.conqueror(), colony.shield, Some(colony.bases));
        let people = Some(People { millions: colony.population, factories: colony.factories });
        Self { owner: Fate::independents(), conqueror, shield, bases, people, turn }
    }
}

/// 6.3: the planet that a cell of the table describes: no more people than its card allows, and
/// factories of both kinds, also those that nobody works in then (FR-3, FR-5).
fn independent(planet: PlanetId, world: Planet, cell: Cell, founded: u16) -> Colony {
    let people = cell.population.min(world.capacity);
    Colony {
        factories: u32::from(cell.factories) + u32::from(cell.robotic),
        bases: Bases { missile: u32::from(cell.missile), advanced: u32::from(cell.advanced) },
        ..Colony::new(planet, world, people, founded)
    }
}

/// 6.2 to 6.4: rolls the Planet Table for each planet of a star whose card was just drawn, in orbit
/// order: independents become colonies of their seat, pirates ships of theirs.
pub(crate) fn fate_populate(referee: &mut Referee<'_>, explorer: Seat, star: StarId) {
    let Some(card) = referee.power(explorer).chart(star).card else { return };
    let mut pirates = Fleet::NONE;
    for (nth, &world) in card.planets().iter().enumerate() {
        let planet = PlanetId { star, nth: nth as u8 };
        let cell = roll_planet(referee, planet, world);
        pirates.add(ShipKind::Corvette, u32::from(cell.corvettes));
        pirates.add(ShipKind::Scout, u32::from(cell.scouts));
        if cell.population > 0 {
            find_independent(referee, planet, world, cell);
        }
    }
    bring_pirates(referee, pirates, star);
}

/// 6.2: the dice of one planet. 6.4: there is one Prime of each type; a second one is an empty
/// cell.
fn roll_planet(referee: &mut Referee<'_>, planet: PlanetId, world: Planet) -> Cell {
    let (red, white) = referee.two_dice("planet", planet.index() as u64);
    let found =
        Fate::prime_slot(world.kind).is_some_and(|slot| referee.fate().primes[slot].is_some());
    let cell = match planet_cell(red, white, world.kind) {
        cell if cell.prime && found => Cell::default(),
        cell => cell,
    };
    referee.proclaim(FateEvent::PlanetRolled { planet, red, white, cell });
    cell
}

fn find_independent(referee: &mut Referee<'_>, planet: PlanetId, world: Planet, cell: Cell) {
    let (owner, turn) = (Fate::independents(), referee.table().turn);
    let colony = independent(planet, world, cell, referee.power(owner).next_colony);
    referee.proclaim(FateEvent::IndependentFound { planet, turn });
    change_colony(referee, owner, colony, Change::Found);
}

/// 6.2: all pirates of a star are one force, whatever planet they were found at.
fn bring_pirates(referee: &mut Referee<'_>, fleet: Fleet, star: StarId) {
    bring(referee, Fate::pirates(), fleet, Some(star.at()), Source::Pirates);
}

/// 6.5: a die for each star with an independent planet that was found in an earlier turn and in
/// which ships ended a movement of this turn.
pub(crate) fn fate_pirate_dice(referee: &mut Referee<'_>, seat: Seat) {
    for star in stars_entered(referee, seat) {
        if !has_old_independent(referee, star) {
            continue;
        }
        let die = referee.roll("pirate", star.index() as u64, 0);
        referee.proclaim(FateEvent::PirateDie { star, die });
        if die <= PIRATE_DIE {
            bring_pirates(referee, Fleet::new([0, 0, 1, 0, 0]), star);
            // Exploration, which shows what else is there, is over.
            sight_pirates(referee, star.at());
        }
    }
}

/// FR-7: the stars where ships stand that moved in this turn.
fn stars_entered(referee: &Referee<'_>, seat: Seat) -> Vec<StarId> {
    let moved = referee.power(seat).ships.iter().filter(|ship| ship.has_moved());
    let mut stars: Vec<StarId> =
        moved.filter_map(|ship| ship.at.and_then(StarId::in_hex)).collect();
    stars.sort_unstable();
    stars.dedup();
    stars
}

/// 6.5, FR-7: whether a planet of the star is independent now, and was discovered in an earlier
/// turn.
fn has_old_independent(referee: &Referee<'_>, star: StarId) -> bool {
    let (fate, turn) = (referee.fate(), referee.table().turn);
    let old = |colony: &Colony| fate.found_in(colony.planet).is_some_and(|found| found < turn);
    referee
        .power(Fate::independents())
        .colonies_of(star)
        .any(|colony| colony.is_free() && old(colony))
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::Game;

    use super::*;
    use crate::rules::campaign::fate::scenes::{captain, conquered, of_fate, resolve};
    use crate::state::event::{Event, OwnEvent};
    use crate::testing::{Scene, place, star};

    /// The star's card is drawn, and its planets are rolled for.
    fn explore(scene: Scene, name: &str, card: u32, dice: &[u32]) -> Scene {
        let mut scene = scene.script(dice.iter().copied());
        scene.explored(captain(), name, card);
        resolve(&mut scene, |referee| fate_populate(referee, captain(), star(name)));
        assert_eq!(scene.dice.take_rolled().len(), dice.len(), "two dice a planet");
        assert_eq!(scene.game.check(), Ok(()));
        scene
    }

    /// Millions, factories and bases of the independents, in the order of the planets.
    fn independents(scene: &Scene) -> Vec<(u16, u32, [u32; 2])> {
        let colonies = &scene.power(Fate::independents()).colonies;
        colonies
            .iter()
            .map(|of| (of.population, of.factories, [of.bases.missile, of.bases.advanced]))
            .collect()
    }

    fn pirates_at(scene: &Scene, at: &str) -> [u32; 5] {
        scene.power(Fate::pirates()).fleet_at(place(at)).counts()
    }

    #[test]
    fn fate_6_2_the_captain_knows_people_and_factories_whatever_becomes_of_them() {
        let mut scene = explore(Scene::fate(), "Draconis", 39, &[1, 2, 2, 6]);
        let people = |scene: &Scene| {
            let seen =
                scene.power(captain()).chart(star("Draconis")).colonies[1].expect("it is charted");
            seen.people.map(|people| (people.millions, people.factories))
        };
        assert_eq!(people(&scene), Some((30, 10)));
        let colony = scene.power(Fate::independents()).colonies[1];
        let fewer = Colony { population: 12, factories: 3, ..colony };
        resolve(&mut scene, |referee| {
            change_colony(referee, Fate::independents(), fewer, Change::Razed);
        });
        assert_eq!(people(&scene), Some((12, 3)));
    }

    #[test]
    fn ft_13_every_planet_is_rolled_for_and_all_pirates_are_one_force_fr_28() {
        let scene = explore(Scene::fate(), "Draconis", 39, &[1, 2, 2, 6]);
        assert_eq!(independents(&scene), [(10, 2, [0, 0]), (30, 10, [5, 3])]);
        assert_eq!(pirates_at(&scene, "Q11"), [5, 0, 0, 0, 0]);
        assert_eq!(scene.game.table().groups[1].at(place("Q11")), 1);
        assert_eq!(scene.fate_state().found.len(), 2);
    }

    #[test]
    fn fate_6_2_everything_is_known_at_once() {
        let scene = explore(Scene::fate(), "Draconis", 39, &[1, 2, 2, 6]);
        let chart = scene.power(captain()).chart(star("Draconis"));
        let bases = chart.colonies[1].and_then(|seen| seen.bases);
        assert_eq!(bases, Some(Bases { missile: 5, advanced: 3 }));
        assert_eq!(
            chart.colonies[0].map(|seen| (seen.owner, seen.shield)),
            Some((Fate::independents(), false))
        );
    }

    #[test]
    fn ft_14_a_terran_planet_with_1_1_fr_1() {
        let scene = explore(Scene::fate(), "Alcor", 25, &[1, 1]);
        assert_eq!(independents(&scene), [(10, 2, [1, 1])]);
        assert_eq!(pirates_at(&scene, "L18"), [0; 5]);
    }

    #[test]
    fn ft_15_each_prime_is_found_once_fr_3() {
        let scene = explore(Scene::fate(), "Draconis", 34, &[6, 6]);
        assert_eq!(independents(&scene), [(40, 30, [10, 15])], "the card holds 40");
        assert_eq!(pirates_at(&scene, "Q11"), [5, 0, 10, 0, 0]);
        assert_eq!(
            scene.fate_state().primes,
            [None, Some(PlanetId { star: star("Draconis"), nth: 0 })]
        );
        let scene = explore(scene, "Alcor", 25, &[6, 6]);
        assert_eq!((independents(&scene).len(), pirates_at(&scene, "L18")), (1, [0; 5]));
        let scene = explore(scene, "Mira", 58, &[6, 6]);
        assert_eq!(
            independents(&scene)[0],
            (40, 20, [10, 10]),
            "the other type has a Prime of its own"
        );
        assert!(scene.fate_state().primes.iter().all(Option::is_some));
    }

    #[test]
    fn fate_6_3_the_card_caps_the_people_and_no_factories_fr_5() {
        let scene = explore(Scene::fate(), "Eridani", 20, &[6, 6, 1, 1]);
        assert_eq!(independents(&scene), [(10, 15, [10, 5])]);
    }

    #[test]
    fn fate_6_2_an_empty_cell_is_nothing() {
        let scene = explore(Scene::fate(), "Alcor", 25, &[1, 3]);
        assert!(independents(&scene).is_empty() && scene.fate_state().found.is_empty());
        assert!(scene.power(Fate::pirates()).ships.is_empty());
    }

    /// Two scouts stand at a star whose independent planet was found in turn 1, and it is turn 2.
    fn returned() -> Scene {
        let mut scene = explore(Scene::fate(), "Alcor", 25, &[1, 1]);
        scene.turn(2, captain());
        scene.ships(captain(), "L18", &[(ShipKind::Scout, 2)]);
        scene
    }

    fn arrive(scene: &mut Scene) {
        let ships = scene.power(captain()).ships.iter().map(|ship| ship.number).collect();
        let (to, destination, departed) = (place("L18"), None, None);
        scene.happen(&Event::Own(OwnEvent::Sailed {
            seat: captain(),
            ships,
            to,
            steps: 2,
            halted: false,
            destination,
            departed,
        }));
    }

    fn pirate_dice(scene: Scene, dice: &[u32]) -> (Scene, Vec<FateEvent>) {
        let mut scene = scene.script(dice.iter().copied());
        let told = resolve(&mut scene, |referee| fate_pirate_dice(referee, captain()));
        assert_eq!(scene.dice.take_rolled().len(), dice.len());
        (scene, of_fate(&told))
    }

    #[test]
    fn ft_27_a_pirate_comes_to_a_known_independent_planet() {
        let mut scene = returned();
        arrive(&mut scene);
        let (scene, told) = pirate_dice(scene, &[3]);
        assert_eq!(told, [FateEvent::PirateDie { star: star("Alcor"), die: 3 }]);
        assert_eq!(pirates_at(&scene, "L18"), [0; 5]);
        let (scene, _) = pirate_dice(scene, &[2]);
        assert_eq!(pirates_at(&scene, "L18"), [0, 0, 1, 0, 0]);
        let (scene, _) = pirate_dice(scene, &[1]);
        assert_eq!(
            pirates_at(&scene, "L18"),
            [0, 0, 2, 0, 0],
            "one more joins those that are there"
        );
        let seen = scene.power(captain()).sightings.last().map(|sighting| sighting.fleet.counts());
        assert_eq!(seen, Some([0, 0, 2, 0, 0]));
        assert_eq!(
            scene.game.eyes(captain()).battle_hexes(),
            [place("L18")],
            "they are fought at once"
        );
        assert_eq!(scene.game.check(), Ok(()));
    }

    #[test]
    fn fr_7_no_die_without_a_movement_or_in_the_turn_of_discovery() {
        let (mut scene, told) = pirate_dice(returned(), &[]);
        assert!(told.is_empty(), "the scouts did not move");
        scene.turn(1, captain());
        arrive(&mut scene);
        assert!(pirate_dice(scene, &[]).1.is_empty(), "it was found in this turn");
    }

    #[test]
    fn fate_6_5_no_die_for_a_planet_that_is_not_independent() {
        let mut scene = returned();
        conquered(&mut scene, "Alcor", 0, |colony| colony);
        arrive(&mut scene);
        assert!(pirate_dice(scene, &[]).1.is_empty());
    }
}
