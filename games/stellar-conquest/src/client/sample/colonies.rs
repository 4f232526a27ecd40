//! Colonies of other players: those known to the viewer, and likely ones that public facts imply.

use heliopause_kernel::Seat;

use crate::client::sample::sampler::{RequiredColony, Sampler};
use crate::state::{Bases, Battle, Colony, Fate, Found, Hold, Occupation, People, Prize};
use crate::tables::fate::{Cell, planet_cell};
use crate::tables::{Arm, Planet, PlanetId, StarId};

impl RequiredColony {
    pub(super) fn new(owner: Seat, star: StarId, nth: Option<u8>) -> Self {
        Self { owner, star, nth, bases: None, people: None, shield: false, conqueror: None }
    }
}

impl Sampler<'_> {
    pub(super) fn required_colonies(&self) -> Vec<RequiredColony> {
        let mut wanted: Vec<RequiredColony> = Vec::new();
        if let Some(battle) = self.table.battle.as_deref() {
            self.want_attacked(&mut wanted, battle);
        }
        if let Some(own) = self.own {
            for star in StarId::ALL {
                for (nth, seen) in own.chart(star).colonies.iter().enumerate() {
                    let Some(seen) = seen else { continue };
                    let conqueror =
                        seen.conqueror.filter(|&by| self.guards(by, star) && by != seen.owner);
                    let (bases, people, shield) = (seen.bases, seen.people, seen.shield);
                    let row = RequiredColony {
                        bases,
                        people,
                        shield,
                        conqueror,
                        ..RequiredColony::new(seen.owner, star, Some(nth as u8))
                    };
                    self.want(&mut wanted, row);
                }
            }
        }
        // The Captain-General's charts show which worlds are still independent (fate 6.2).
        let charted = self.me == Some(Fate::captain());
        if let Some(fate) = self.table.campaign.fate().filter(|_| !charted) {
            for &Found { planet, .. } in &fate.found {
                self.want(
                    &mut wanted,
                    RequiredColony::new(Fate::independents(), planet.star, Some(planet.nth)),
                );
            }
        }
        for place in self.table.posts.iter().chain(&self.table.shown) {
            let there = wanted.iter().any(|row| {
                row.owner == place.seat && row.star == place.star && row.conqueror.is_none()
            });
            if !there && Some(place.seat) != self.me && place.seat.index() < self.table.seats() {
                wanted.push(RequiredColony::new(place.seat, place.star, None));
            }
        }
        wanted
    }

    fn guards(&self, seat: Seat, star: StarId) -> bool {
        Some(seat) != self.me
            && seat.index() < self.table.players
            && self.table.has_ships(seat, star.at())
    }

    fn want(&self, wanted: &mut Vec<RequiredColony>, row: RequiredColony) {
        let there = |other: &RequiredColony| other.star == row.star && other.nth == row.nth;
        let held = row.nth.is_some_and(|nth| self.holds(PlanetId { star: row.star, nth }));
        let mine = Some(row.owner) == self.me || row.owner.index() >= self.table.seats();
        let Some(row) = self.adjust_to_claims(row) else { return };
        if !mine && !held && !wanted.iter().any(there) {
            wanted.push(row);
        }
    }

    /// Makes the claimant of a star the conqueror of other powers' people there (space 2, 10.5).
    /// Returns `None` if the star is unclaimed or the viewer claims it.
    fn adjust_to_claims(&self, row: RequiredColony) -> Option<RequiredColony> {
        let Some(politics) = self.table.campaign.politics() else { return Some(row) };
        let claimant = politics.claimant(row.star)?;
        if claimant == row.owner || row.conqueror.is_some() {
            return Some(row);
        }
        (Some(claimant) != self.me).then_some(RequiredColony { conqueror: Some(claimant), ..row })
    }

    fn holds(&self, planet: PlanetId) -> bool {
        self.own.is_some_and(|own| own.colony(planet).is_some() || own.prize(planet).is_some())
    }

    fn want_attacked(&self, wanted: &mut Vec<RequiredColony>, battle: &Battle) {
        let Some(star) = StarId::in_hex(battle.at) else { return };
        for unit in &battle.units {
            let Some(nth) = unit.planet else { continue };
            self.want(
                wanted,
                RequiredColony {
                    bases: Some(Bases::NONE),
                    ..RequiredColony::new(unit.owner, star, Some(nth))
                },
            );
            let row = wanted.iter_mut().find(|row| row.star == star && row.nth == Some(nth));
            if let Some(bases) =
                row.and_then(|row| row.bases.as_mut()).filter(|_| unit.is_fighting())
            {
                match unit.arm {
                    Arm::AdvancedMissileBase => bases.advanced += 1,
                    Arm::MissileBase => bases.missile += 1,
                    Arm::Shield | Arm::Ship(_) => {}
                }
            }
            if let Some(row) =
                wanted.iter_mut().find(|row| row.star == star && row.nth == Some(nth))
            {
                row.shield |= unit.is_fighting() && unit.arm == Arm::Shield;
            }
        }
    }

    pub(super) fn settle(&mut self, wanted: &[RequiredColony]) {
        self.share_own();
        for row in wanted {
            let Some(planet) = self.site(row, wanted) else { continue };
            let Some(card) = self.secrets.cards[planet.star.index()] else { continue };
            let Some(&world) = planet.on(card) else { continue };
            let colony = self.found(row, planet, world);
            self.put(row.owner, colony);
            if Some(row.owner) != self.me {
                self.powers[row.owner.index()].charts[planet.star.index()].card = Some(card);
            }
        }
        for power in &mut self.powers {
            power.colonies.sort_unstable_by_key(|colony| colony.planet);
            power.conquered_colonies.sort_unstable_by_key(|prize| prize.colony.planet);
        }
    }

    fn share_own(&mut self) {
        let (Some(me), Some(own)) = (self.me, self.own) else { return };
        for prize in own.conquered_colonies.iter().filter(|prize| prize.owner != me) {
            if let Some(power) = self.powers.get_mut(prize.owner.index()) {
                power.colonies.push(prize.colony);
            }
        }
        for colony in &own.colonies {
            let holder = colony.conqueror().filter(|&by| by != me);
            if let Some(power) = holder.and_then(|by| self.powers.get_mut(by.index())) {
                power.conquered_colonies.push(Prize { owner: me, colony: *colony });
            }
        }
    }

    fn site(&mut self, row: &RequiredColony, wanted: &[RequiredColony]) -> Option<PlanetId> {
        let star = row.star;
        if let Some(nth) = row.nth {
            return Some(PlanetId { star, nth });
        }
        let count = self.secrets.cards[star.index()]?.planets().len();
        let taken = |nth: u8| {
            let planet = PlanetId { star, nth };
            self.powers
                .iter()
                .any(|power| power.colonies.iter().any(|colony| colony.planet == planet))
                || wanted.iter().any(|other| other.star == star && other.nth == Some(nth))
        };
        let open: Vec<u8> = (0..count as u8).filter(|&nth| !taken(nth)).collect();
        if open.is_empty() {
            return self.clear_outdated_colony(star, wanted);
        }
        let nth = open[self.below(open.len())];
        Some(PlanetId { star, nth })
    }

    /// Frees a planet if a visible post contradicts an outdated chart: the post's owner may since
    /// have taken over the recorded colony. Each planet is freed for one colony only.
    fn clear_outdated_colony(
        &mut self,
        star: StarId,
        wanted: &[RequiredColony],
    ) -> Option<PlanetId> {
        let table = &self.table;
        let told = |seat: Seat| {
            table
                .posts
                .iter()
                .chain(&table.shown)
                .any(|place| place.star == star && place.seat == seat)
        };
        let battle =
            table.battle.as_deref().filter(|battle| StarId::in_hex(battle.at) == Some(star));
        let attacked = |nth: Option<u8>| {
            battle.is_some_and(|battle| battle.units.iter().any(|unit| unit.planet == nth))
        };
        let stands = |row: &RequiredColony| {
            let mut colonies = self.powers[row.owner.index()].colonies_of(star);
            colonies.any(|colony| {
                Some(colony.planet.nth) == row.nth && colony.conqueror() == row.conqueror
            })
        };
        let is_old = |row: &&RequiredColony| {
            row.star == star
                && stands(row)
                && !attacked(row.nth)
                && (row.conqueror.is_some() || !told(row.owner))
        };
        let planet = PlanetId { star, nth: wanted.iter().find(is_old)?.nth? };
        for power in &mut self.powers {
            power.colonies.retain(|colony| colony.planet != planet);
            power.conquered_colonies.retain(|prize| prize.colony.planet != planet);
        }
        Some(planet)
    }

    fn found(&mut self, row: &RequiredColony, planet: PlanetId, world: Planet) -> Colony {
        let power = &self.powers[row.owner.index()];
        let founded = power.colonies.len() as u16;
        let hold =
            row.conqueror.map_or(Hold::Free, |by| Hold::Occupied(Occupation { by, waits: false }));
        if self.table.campaign.fate().is_some() && row.owner == Fate::independents() {
            let cell = self.independent(planet, world);
            let bases =
                Bases { missile: u32::from(cell.missile), advanced: u32::from(cell.advanced) };
            let factories = u32::from(cell.factories + cell.robotic);
            let people = row
                .people
                .unwrap_or(People { millions: cell.population.min(world.capacity), factories });
            return Colony {
                factories: people.factories,
                bases: row.bases.unwrap_or(bases),
                shield: row.shield,
                control: hold,
                ..Colony::new(planet, world, people.millions.max(1), founded)
            };
        }
        let age = usize::from(self.table.turn / 4) + 1;
        let people = 1 + self.below((age * 6).min(usize::from(world.capacity)));
        let factories = if age > 4 { self.below(people) as u32 } else { 0 };
        Colony {
            factories,
            bases: row.bases.unwrap_or(Bases::NONE),
            shield: row.shield,
            control: hold,
            ..Colony::new(planet, world, people as u16, founded)
        }
    }

    fn independent(&mut self, planet: PlanetId, world: Planet) -> Cell {
        let prime = self.table.campaign.fate().is_some_and(|fate| fate.is_prime(planet));
        let rolls = (1..=6).flat_map(|red| (1..=6).map(move |white| (red, white)));
        let cells: Vec<Cell> = rolls
            .map(|(red, white)| planet_cell(red, white, world.kind))
            .filter(|cell| cell.population > 0 && cell.prime == prime)
            .collect();
        if cells.is_empty() { Cell::default() } else { cells[self.below(cells.len())] }
    }

    fn put(&mut self, owner: Seat, colony: Colony) {
        if let Some(by) = colony.conqueror() {
            self.powers[by.index()].conquered_colonies.push(Prize { owner, colony });
        }
        let power = &mut self.powers[owner.index()];
        power.next_colony = power.next_colony.max(colony.founded + 1);
        power.colonies.push(colony);
    }

    pub(super) fn besiege(&mut self) {
        let options = self.table.options;
        for owner in self.others() {
            for index in 0..self.powers[owner.index()].colonies.len() {
                let colony = self.powers[owner.index()].colonies[index];
                let at = colony.planet.star.at();
                let armed = |other: &Seat| self.powers[other.index()].has_warship_at(at, &options);
                let armed: Vec<Seat> = Seat::first(self.table.seats()).filter(armed).collect();
                let besieged =
                    self.table.campaign.besieger(owner, &armed, colony.planet.star).is_some();
                if besieged && colony.is_free() {
                    self.powers[owner.index()].colonies[index].control = Hold::Besieged;
                }
            }
        }
    }
}
