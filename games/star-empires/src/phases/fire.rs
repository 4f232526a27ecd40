//! 6.3.2 fire guns, notes 6. Empires fire one by one. No damage is applied before all have fired.

use std::cmp::Ordering;

use heliopause_kernel::{Seat, SeatSet};

use crate::geometry::Sector;
use crate::hull::Hull;
use crate::ids::{Id, ShipId};
use crate::ledger::{LineId, Orders};
use crate::name::Name;
use crate::operational::Damage;
use crate::order::{Line, Phase, Selection, Sense};
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::update::Update;

struct Volley {
    line: LineId,
    seat: Seat,
    at: Sector,
    sense: Sense,
    targets: SeatSet,
    guns: Vec<ShipId>,
    missiles: Vec<ShipId>,
}

struct Attacker {
    id: ShipId,
    unfired: u16,
    operational: u16,
    guns: u16,
    damage: Damage,
    tonnage: u32,
    handle: Name,
    active: bool,
}

struct Target {
    id: ShipId,
    /// Rank by hull: wings first, missiles last (6.3.2.1).
    band: u8,
    damage: Damage,
    tonnage: u32,
    handle: Name,
    owner: Seat,
}

/// The ordered targets of a line. A later line with the same targets continues at `next`.
struct TargetQueue {
    key: (Seat, Sector, SeatSet, Sense),
    targets: Vec<Target>,
    next: usize,
}

impl Update<'_> {
    /// 6.3.2: runs the FIRE lines. Returns the hits on each ship, by id, without applying them.
    pub(crate) fn fire_guns(&mut self, orders: &Orders) -> Vec<u32> {
        let mut volleys = Vec::new();
        for (line, seat, it) in orders.of(Phase::Fire) {
            if let Line::Fire { sense, ships, at } = it {
                volleys.extend(self.volley(line, seat, *sense, ships, at));
            }
        }
        // R20: a missile to be launched is not a target, even if the line does not need the
        // missile.
        let mut launching = vec![false; self.ships.len()];
        for id in volleys.iter().flat_map(|volley| &volley.missiles) {
            launching[id.index()] = true;
        }
        let mut hits = vec![0; self.ships.len()];
        let mut assigned = vec![0; self.ships.len()];
        for own in volleys.chunk_by(|one, other| one.seat == other.seat) {
            let mut queue: Option<TargetQueue> = None;
            let mut hit = Vec::new();
            for volley in own {
                let key = (volley.seat, volley.at, volley.targets, volley.sense);
                let mut current = match queue.take() {
                    Some(queue) if queue.key == key => queue,
                    _ => TargetQueue { key, targets: self.targets(volley, &launching), next: 0 },
                };
                self.fire(volley, &mut current, &mut assigned, &mut hit);
                queue = Some(current);
            }
            self.record(own[0].seat, hit, &mut hits, &mut assigned);
        }
        self.add_shot_news(&volleys);
        // Launched missiles are no longer on their carriers.
        if launching.contains(&true) {
            self.index_ships();
        }
        hits
    }

    /// Adds up the hits by one empire and resets `assigned`, because empires fire independently.
    fn record(&mut self, seat: Seat, hit: Vec<ShipId>, hits: &mut [u32], assigned: &mut [u32]) {
        for id in hit {
            let shots = std::mem::take(&mut assigned[id.index()]);
            if shots > 0 {
                hits[id.index()] += shots;
                let owner = self.galaxy().ship(id).owner;
                self.shot_by[owner.index()].insert(seat);
            }
        }
    }

    /// Notes 6.1, step 1: selects attackers and targets. Returns `None` without a target empire.
    fn volley(
        &mut self,
        line: LineId,
        seat: Seat,
        sense: Sense,
        ships: &Selection,
        at: &[Name],
    ) -> Option<Volley> {
        let all = self.galaxy().seats().collect();
        let targets = self.others_among(line, seat, at, all, Reason::UnknownName);
        let targets: SeatSet = targets.into_iter().collect();
        if targets.is_empty() {
            return None;
        }
        let selected = self.select_live(line, seat, ships);
        let at = match ships {
            Selection::All { at, .. } => self.spot(seat, *at)?,
            Selection::Ships(_) => self.galaxy().ship(*selected.ships.first()?).at,
        };
        let mut volley =
            Volley { line, seat, at, sense, targets, guns: Vec::new(), missiles: Vec::new() };
        for id in selected.ships {
            let is_missile = self.galaxy().class_of(self.galaxy().ship(id)).is_missile();
            if is_missile && !selected.named {
                continue;
            }
            match self.cannot_fire(id, at, is_missile) {
                Some(reason) => self.ship_failed(line, id, reason),
                None if is_missile => volley.missiles.push(id),
                None => volley.guns.push(id),
            }
        }
        Some(volley)
    }

    fn cannot_fire(&self, id: ShipId, at: Sector, is_missile: bool) -> Option<Reason> {
        let (ship, turn) = (self.galaxy().ship(id), &self.ships[id.index()]);
        if turn.self_destructing {
            Some(Reason::SelfDestructing)
        } else if ship.at != at {
            Some(Reason::WrongSector)
        } else if is_missile {
            // R18, R19: a missile is ready if it is loaded, or was unloaded in 6.2.1.
            (!ship.is_loaded() && !turn.unloaded).then_some(Reason::MissileNotReady)
        } else if ship.is_loaded() {
            Some(Reason::Loaded)
        } else {
            (self.galaxy().guns(ship) == 0).then_some(Reason::NoGuns)
        }
    }

    /// Notes 6.1, steps 2 and 3: returns the targets of a line in order.
    fn targets(&self, volley: &Volley, launching: &[bool]) -> Vec<Target> {
        let galaxy = self.galaxy();
        let there = self.index.in_sector(volley.at).map(|id| (id, galaxy.ship(id)));
        let is_target = |(id, ship): &(ShipId, &crate::ship::Ship)| {
            volley.targets.contains(ship.owner) && ship.is_live() && !launching[id.index()]
        };
        let mut targets: Vec<Target> = there
            .filter(is_target)
            .map(|(id, ship)| {
                let class = galaxy.class_of(ship);
                let band = match class.hull {
                    Hull::Wing => 0,
                    Hull::Missile => 2,
                    Hull::CapitalShip
                    | Hull::Gunship
                    | Hull::Orbital
                    | Hull::Transport
                    | Hull::Scout => 1,
                };
                let (damage, tonnage) = (galaxy.damage(ship), class.tonnage);
                Target { id, band, damage, tonnage, handle: ship.handle(), owner: ship.owner }
            })
            .collect();
        targets.sort_by(|one, other| one.cmp(other, volley.sense));
        targets
    }

    /// Executes a fire line (steps 4 and 5 of notes 6.1).
    fn fire(
        &mut self,
        volley: &Volley,
        queue: &mut TargetQueue,
        assigned: &mut [u32],
        hit: &mut Vec<ShipId>,
    ) {
        let left = |assigned: &[u32], target: &Target| {
            u32::from(target.damage.dp).saturating_sub(assigned[target.id.index()])
        };
        let mut guns: Vec<Attacker> = volley.guns.iter().map(|&id| self.attacker(id)).collect();
        guns.sort_by(Attacker::cmp_guns);
        let mut missiles = self.missiles(volley);
        let had_targets =
            queue.targets[queue.next..].iter().any(|target| left(assigned, target) > 0);
        let mut unfired: u64 = guns.iter().map(|gun| u64::from(gun.unfired)).sum();
        let (mut first, mut launched) = (0, false);
        while let Some(target) = queue.targets.get(queue.next) {
            let needed = left(assigned, target);
            if needed == 0 {
                queue.next += 1;
                continue;
            }
            let shots = if unfired >= u64::from(needed) || missiles.is_empty() {
                while guns.get(first).is_some_and(|gun| gun.unfired == 0) {
                    first += 1;
                }
                let Some(gun) = guns.get_mut(first) else { break };
                let shots = gun.unfired.min(u16::try_from(needed).unwrap_or(u16::MAX));
                (gun.unfired, gun.active) = (gun.unfired - shots, true);
                self.ships[gun.id.index()].fired += shots;
                unfired -= u64::from(shots);
                u32::from(shots)
            } else {
                launched = true;
                self.launch(&mut missiles, needed)
            };
            if assigned[target.id.index()] == 0 {
                hit.push(target.id);
            }
            assigned[target.id.index()] += shots;
        }
        let fired = launched || guns.iter().any(|gun| gun.active);
        self.judge_volley(volley, &guns, &missiles, fired, had_targets);
    }

    /// Returns a ship with its unfired guns as of 6.3.1. Damage by fire is not applied yet.
    fn attacker(&self, id: ShipId) -> Attacker {
        let ship = self.galaxy().ship(id);
        let (class, operational) = (self.galaxy().class_of(ship), self.galaxy().guns(ship));
        Attacker {
            id,
            unfired: operational - self.ships[id.index()].fired,
            operational,
            guns: class.ratings.guns,
            damage: self.galaxy().damage(ship),
            tonnage: class.tonnage,
            handle: ship.handle(),
            active: false,
        }
    }

    /// Returns the missiles that no earlier line has fired, fewest guns first. Records the others
    /// as failed.
    fn missiles(&mut self, volley: &Volley) -> Vec<Attacker> {
        let mut missiles = Vec::with_capacity(volley.missiles.len());
        for &id in &volley.missiles {
            if self.ships[id.index()].expended {
                self.ship_failed(volley.line, id, Reason::MissileNotReady);
            } else {
                missiles.push(self.attacker(id));
            }
        }
        missiles.sort_by(Attacker::cmp_missiles);
        missiles
    }

    /// R25: fires the smallest sufficient missile, or else the largest, with all guns at one
    /// target. Returns the number of guns. A missile that was loaded in 6.2.2 is unloaded by
    /// firing.
    fn launch(&mut self, missiles: &mut Vec<Attacker>, needed: u32) -> u32 {
        let enough = missiles.partition_point(|missile| u32::from(missile.operational) < needed);
        let largest = missiles.last().map_or(0, |missile| missile.operational);
        let place = if enough < missiles.len() {
            enough
        } else {
            missiles.partition_point(|missile| missile.operational < largest)
        };
        let missile = missiles.remove(place);
        let turn = &mut self.ships[missile.id.index()];
        (turn.expended, turn.fired) = (true, missile.operational);
        self.game.galaxy.ship_mut(missile.id).carrier = None;
        u32::from(missile.operational)
    }

    fn judge_volley(
        &mut self,
        volley: &Volley,
        guns: &[Attacker],
        missiles: &[Attacker],
        fired: bool,
        had_targets: bool,
    ) {
        let line = volley.line;
        if fired {
            self.ledger.done(line);
            let silent = guns.iter().filter(|gun| !gun.active && gun.unfired > 0);
            for attacker in silent.chain(missiles) {
                self.ledger.failed(line, attacker.handle, Reason::NotNeeded);
            }
        } else if !had_targets {
            self.ledger.refused(line, Reason::NoTargets);
        } else if !guns.is_empty() {
            self.ledger.refused(line, Reason::NoGuns);
        }
    }

    fn add_shot_news(&mut self, volleys: &[Volley]) {
        let section = Section::from(Phase::Fire);
        let mut shooters: Vec<ShipId> = volleys
            .iter()
            .flat_map(|volley| volley.guns.iter().chain(&volley.missiles))
            .copied()
            .collect();
        shooters.sort_unstable();
        shooters.dedup();
        for id in shooters {
            let fired = self.ships[id.index()].fired;
            if fired > 0 {
                self.add_ship_news(section, id, Deed::Fired, u32::from(fired));
            }
        }
    }
}

impl Attacker {
    /// 6.3.2.1: orders attackers by unfired guns, fewest first.
    fn cmp_guns(&self, other: &Self) -> Ordering {
        let numbers = |attacker: &Self| (attacker.unfired, attacker.operational);
        let class = |attacker: &Self| (attacker.guns, attacker.tonnage);
        numbers(self)
            .cmp(&numbers(other))
            .then_with(|| self.damage.cmp_rating(other.damage))
            .then_with(|| class(self).cmp(&class(other)))
            .then_with(|| self.handle.cmp(&other.handle))
    }

    fn cmp_missiles(&self, other: &Self) -> Ordering {
        let key = |attacker: &Self| (attacker.operational, attacker.tonnage, attacker.handle);
        key(self).cmp(&key(other))
    }
}

impl Target {
    /// 6.3.2.1: orders targets by hull, then by size in the given sense, then by ascending handle.
    fn cmp(&self, other: &Self, sense: Sense) -> Ordering {
        let dp = self.damage.dp.cmp(&other.damage.dp);
        let size = dp
            .then_with(|| self.damage.cmp_rating(other.damage))
            .then_with(|| self.tonnage.cmp(&other.tonnage));
        let size = match sense {
            Sense::Ascending => size,
            Sense::Descending => size.reverse(),
        };
        let name = || self.handle.cmp(&other.handle).then_with(|| self.owner.cmp(&other.owner));
        self.band.cmp(&other.band).then(size).then_with(name)
    }
}
