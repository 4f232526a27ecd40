//! Fate 6: discoveries at newly explored stars, and pirates that arrive later.

use heliopause_kernel::Seat;

use crate::rules::arrivals::bring;
use crate::rules::campaign::fate::pirates::sight_pirates;
use crate::rules::colonies::change_colony;
use crate::rules::referee::Referee;
use crate::state::{Bases, Change, Colony, ColonySeen, Fate, FateEvent, People, Source};
use crate::tables::fate::{Cell, planet_cell};
use crate::tables::{Fleet, Planet, PlanetId, ShipKind, StarId};

/// Highest roll that brings a pirate (6.5).
const PIRATE_DIE: u8 = 2;

impl ColonySeen {
    pub(super) fn independent(colony: &Colony, turn: u8) -> Self {
        let (conqueror, shield, bases) = (colony.conqueror(), colony.shield, Some(colony.bases));
        let people = Some(People { millions: colony.population, factories: colony.factories });
        Self { owner: Fate::independents(), conqueror, shield, bases, people, turn }
    }
}

/// Creates the planet that a table cell describes (6.3). The capacity on the card limits the
/// population. Factories of both kinds remain, even without workers (FR-3, FR-5).
fn independent(planet: PlanetId, world: Planet, cell: Cell, founded: u16) -> Colony {
    let people = cell.population.min(world.capacity);
    Colony {
        factories: u32::from(cell.factories) + u32::from(cell.robotic),
        bases: Bases { missile: u32::from(cell.missile), advanced: u32::from(cell.advanced) },
        ..Colony::new(planet, world, people, founded)
    }
}

/// Rolls the Planet Table for each planet of a newly drawn card, in orbit order (6.2 to 6.4).
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

/// Rolls for one planet (6.2). A second Prime of a type counts as an empty cell (6.4).
fn roll_planet(referee: &mut Referee<'_>, planet: PlanetId, world: Planet) -> Cell {
    let (red, white) = referee.two_dice("planet", planet.index() as u64);
    let found =
        Fate::prime_slot(world.kind).is_some_and(|slot| referee.fate().primes[slot].is_some());
    let cell = match planet_cell(red, white, world.kind) {
        cell if cell.prime && found => Cell::default(),
        cell => cell,
    };
    referee.publish_fate(FateEvent::PlanetRolled { planet, red, white, cell });
    cell
}

fn find_independent(referee: &mut Referee<'_>, planet: PlanetId, world: Planet, cell: Cell) {
    let (owner, turn) = (Fate::independents(), referee.table().turn);
    let colony = independent(planet, world, cell, referee.power(owner).next_colony);
    referee.publish_fate(FateEvent::IndependentFound { planet, turn });
    change_colony(referee, owner, colony, Change::Found);
}

/// Adds pirates to a star. All pirates of a star are one force, regardless of their planet (6.2).
fn bring_pirates(referee: &mut Referee<'_>, fleet: Fleet, star: StarId) {
    bring(referee, Fate::pirates(), fleet, Some(star.at()), Source::Pirates);
}

pub(crate) fn fate_pirate_dice(referee: &mut Referee<'_>, seat: Seat) {
    for star in stars_entered(referee, seat) {
        if !has_old_independent(referee, star) {
            continue;
        }
        let die = referee.roll("pirate", star.index() as u64, 0);
        referee.publish_fate(FateEvent::PirateDie { star, die });
        if die <= PIRATE_DIE {
            bring_pirates(referee, Fleet::new([0, 0, 1, 0, 0]), star);
            // Exploration normally reveals ships, but that step is over.
            sight_pirates(referee, star.at());
        }
    }
}

fn stars_entered(referee: &Referee<'_>, seat: Seat) -> Vec<StarId> {
    let moved = referee.power(seat).ships.iter().filter(|ship| ship.has_moved());
    let mut stars: Vec<StarId> =
        moved.filter_map(|ship| ship.at.and_then(StarId::in_hex)).collect();
    stars.sort_unstable();
    stars.dedup();
    stars
}

fn has_old_independent(referee: &Referee<'_>, star: StarId) -> bool {
    let (fate, turn) = (referee.fate(), referee.table().turn);
    let old = |colony: &Colony| fate.found_in(colony.planet).is_some_and(|found| found < turn);
    referee
        .power(Fate::independents())
        .colonies_of(star)
        .any(|colony| colony.is_free() && old(colony))
}
