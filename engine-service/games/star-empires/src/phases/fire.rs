//! 6.3.2 fire guns, notes 6: which ships shoot at which, empire by empire, on the state before any
//! damage.

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

/// A FIRE line with those of its ships that may shoot.
struct Volley {
    line: LineId,
    seat: Seat,
    at: Sector,
    sense: Sense,
    targets: SeatSet,
    guns: Vec<ShipId>,
    missiles: Vec<ShipId>,
}

/// What an attacker is chosen by.
struct Attacker {
    id: ShipId,
    unfired: u16,
    operational: u16,
    guns: u16,
    damage: Damage,
    tonnage: u32,
    handle: Name,
    /// Whether it shot for this line.
    active: bool,
}

/// What a target is chosen by.
struct Target {
    id: ShipId,
    /// Wings first, missiles last (6.3.2.1).
    band: u8,
    damage: Damage,
    tonnage: u32,
    handle: Name,
    owner: Seat,
}

/// The targets of a line in their order. Following lines of the empire at the same targets go on
/// where it stopped.
struct Aim {
    key: (Seat, Sector, SeatSet, Sense),
    targets: Vec<Target>,
    /// Every target before this place is destroyed.
    next: usize,
}

impl Update<'_> {
    /// 6.3.2: FIRE. Shots are only recorded: what hits each ship, by id.
    pub(crate) fn fire_guns(&mut self, orders: &Orders) -> Vec<u32> {
        let mut volleys = Vec::new();
        for (line, seat, it) in orders.of(Phase::Fire) {
            if let Line::Fire { sense, ships, at } = it {
                volleys.extend(self.volley(line, seat, *sense, ships, at));
            }
        }
        // R20: a missile that is being launched is no target, needed or not.
        let mut launching = vec![false; self.ships.len()];
        for id in volleys.iter().flat_map(|volley| &volley.missiles) {
            launching[id.index()] = true;
        }
        let mut hits = vec![0; self.ships.len()];
        let mut assigned = vec![0; self.ships.len()];
        for own in volleys.chunk_by(|one, other| one.seat == other.seat) {
            let mut aim: Option<Aim> = None;
            let mut hit = Vec::new();
            for volley in own {
                let key = (volley.seat, volley.at, volley.targets, volley.sense);
                let mut current = match aim.take() {
                    Some(aim) if aim.key == key => aim,
                    _ => Aim { key, targets: self.targets(volley, &launching), next: 0 },
                };
                self.fire(volley, &mut current, &mut assigned, &mut hit);
                aim = Some(current);
            }
            self.record(own[0].seat, hit, &mut hits, &mut assigned);
        }
        self.tell_of_shots(&volleys);
        // A missile that was launched is on no carrier any more.
        if launching.contains(&true) {
            self.index_ships();
        }
        hits
    }

    /// Adds up what one empire shot, so that the next begins afresh: empires do not see each
    /// other's shots.
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

    /// Notes 6.1, step 1: who may shoot, and at whom; `None` if nobody is meant as a target.
    fn volley(
        &mut self,
        line: LineId,
        seat: Seat,
        sense: Sense,
        ships: &Selection,
        at: &[Name],
    ) -> Option<Volley> {
        let targets = self.target_empires(line, seat, at)?;
        let selected = self.muster(line, seat, ships);
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

    fn target_empires(&mut self, line: LineId, seat: Seat, names: &[Name]) -> Option<SeatSet> {
        let mut targets = SeatSet::EMPTY;
        for &name in names {
            match self.names.empire(name) {
                Some(other) if other == seat => self.ledger.failed(line, name, Reason::OwnEmpire),
                Some(other) => targets = targets.with(other),
                None => self.ledger.failed(line, name, Reason::UnknownName),
            }
        }
        (!targets.is_empty()).then_some(targets)
    }

    fn cannot_fire(&self, id: ShipId, at: Sector, is_missile: bool) -> Option<Reason> {
        let (ship, turn) = (self.galaxy().ship(id), &self.ships[id.index()]);
        if turn.self_destructing {
            Some(Reason::SelfDestructing)
        } else if ship.at != at {
            Some(Reason::WrongSector)
        } else if is_missile {
            // R18, R19: loaded in 6.2.2, or loaded at the start and unloaded in 6.2.1.
            (!ship.is_loaded() && !turn.unloaded).then_some(Reason::MissileNotReady)
        } else if ship.is_loaded() {
            Some(Reason::Loaded)
        } else {
            (self.galaxy().guns(ship) == 0).then_some(Reason::NoGuns)
        }
    }

    /// Notes 6.1, steps 2 and 3: the targets of a line in their order.
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

    /// Notes 6.1, steps 4 and 5: carries a line out.
    fn fire(
        &mut self,
        volley: &Volley,
        aim: &mut Aim,
        assigned: &mut [u32],
        hit: &mut Vec<ShipId>,
    ) {
        let left = |assigned: &[u32], target: &Target| {
            u32::from(target.damage.dp).saturating_sub(assigned[target.id.index()])
        };
        let mut guns: Vec<Attacker> = volley.guns.iter().map(|&id| self.attacker(id)).collect();
        guns.sort_by(Attacker::cmp_guns);
        let mut missiles = self.missiles(volley);
        let had_targets = aim.targets[aim.next..].iter().any(|target| left(assigned, target) > 0);
        let mut unfired: u64 = guns.iter().map(|gun| u64::from(gun.unfired)).sum();
        let (mut first, mut launched) = (0, false);
        while let Some(target) = aim.targets.get(aim.next) {
            let needed = left(assigned, target);
            if needed == 0 {
                aim.next += 1;
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

    /// A ship with what it still can fire. No damage has landed yet, so its guns are those of the
    /// start of 6.3.1.
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

    /// The missiles of a line that were not fired by an earlier one, fewest guns first.
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

    /// R25: fires the smallest missile that suffices, or else the largest; all its guns go to one
    /// target. One that was loaded in 6.2.2 is unloaded by it.
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

    /// What becomes of a FIRE line; its ineligible ships have failed already.
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

    fn tell_of_shots(&mut self, volleys: &[Volley]) {
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
                self.tell_of_ship(section, id, Deed::Fired, u32::from(fired));
            }
        }
    }
}

impl Attacker {
    /// 6.3.2.1: fewest unfired guns first, and so on down to the handle.
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
    /// 6.3.2.1: by size in the sense that was ordered; handles always rise.
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

#[cfg(test)]
mod tests {
    use crate::hull::Hull;
    use crate::reason::Fate;
    use crate::report::Deed;
    use crate::testing::{Site, line};
    use heliopause_kernel::Seat;

    fn pairs(list: &[(&str, u32)]) -> Vec<(String, u32)> {
        list.iter().map(|&(ship, amount)| (ship.to_owned(), amount)).collect()
    }

    fn sorted(mut list: Vec<(String, u32)>) -> Vec<(String, u32)> {
        list.sort();
        list
    }

    #[test]
    fn situation_21_c1_activation_and_order() {
        let mut site = Site::new(2);
        site.ships("A", "G1", "gunship", (0, 0));
        site.ships("A", "P1", "probe", (0, 0));
        site.ships("A", "B1", "battleship", (0, 0));
        site.damaged("B", "B9", "battleship", (0, 0), 30);
        site.ships("B", "C9", "carrier", (0, 0));
        site.ships("B", "P9", "probe", (0, 0));
        let played = site.orders("A", [line::fire("G1 P1 B1", "B"), line::go("B1", (1, 0))]).play();
        assert_eq!(sorted(played.deeds(Deed::Fired)), pairs(&[("B1", 20), ("G1", 20), ("P1", 1)]));
        assert_eq!(sorted(played.deeds(Deed::Hit)), pairs(&[("B9", 30), ("C9", 10), ("P9", 1)]));
        assert_eq!(played.said("A", 1), "B1 fired");
        assert!(site.game.galaxy.ships_of(Seat::at(1)).is_empty());
    }

    #[test]
    fn situation_21_c2_ascending_with_a_damaged_attacker() {
        let mut site = Site::new(2);
        site.damaged("A", "G1", "gunship", (0, 0), 5);
        site.ships("B", "F1 F2", "fighter", (0, 0));
        site.ships("B", "P9", "probe", (0, 0));
        site.ships("B", "B9", "battleship", (0, 0));
        let played = site.orders("A", [line::fire_ascending("G1", "B")]).play();
        assert_eq!(played.deeds(Deed::Fired), pairs(&[("G1", 14)]));
        assert_eq!(
            sorted(played.deeds(Deed::Hit)),
            pairs(&[("B9", 3), ("F1", 5), ("F2", 5), ("P9", 1)])
        );
        assert_eq!(site.dp("B", "B9"), 40, "3 of 4 points are repaired");
    }

    #[test]
    fn situation_21_c3_missiles_where_guns_do_not_suffice() {
        let mut site = Site::new(2);
        site.frigate();
        site.missile("torpedo", 20, 3, "A");
        site.class("rack", Hull::Transport, [5, 10, 2, 1, 9], "A");
        site.ships("A", "G1", "gunship", (0, 0));
        site.ships("A", "Mule", "rack", (0, 0));
        site.ships("A", "T1", "torpedo", (0, 0));
        site.ships("A", "M1 M2", "nuke", (0, 0));
        site.load("A", "T1 M1 M2", "Mule");
        site.ships("B", "B9", "battleship", (0, 0));
        site.ships("B", "K9", "frigate", (0, 0));
        let played = site.orders("A", [line::fire("G1 T1 M1 M2", "B")]).play();
        assert_eq!(
            sorted(played.deeds(Deed::Fired)),
            pairs(&[("G1", 20), ("M1", 8), ("M2", 8), ("T1", 20)])
        );
        assert_eq!(sorted(played.deeds(Deed::Hit)), pairs(&[("B9", 40), ("K9", 16)]));
        assert_eq!(played.fate("A", 0), Fate::Done);
        assert_eq!(played.wrecks.iter().filter(|(_, wreck)| wreck.expended).count(), 3);
    }

    #[test]
    fn situation_21_c4_wings_absorb_missiles() {
        let mut site = Site::new(2);
        site.ships("A", "P1 P2 P3", "probe", (0, 0));
        site.ships("A", "Mule", "carrier", (0, 0));
        site.ships("A", "M1 M2", "nuke", (0, 0));
        site.load("A", "M1 M2", "Mule");
        site.ships("B", "F8 F9", "fighter", (0, 0));
        site.ships("B", "C9", "carrier", (0, 0));
        let played = site.orders("A", [line::fire("P1 P2 P3 M1 M2", "B")]).play();
        assert_eq!(sorted(played.deeds(Deed::Hit)), pairs(&[("C9", 3), ("F8", 8), ("F9", 8)]));
        assert_eq!(site.dp("B", "C9"), 8);
    }

    #[test]
    fn situation_21_c5_situation_29_three_empires_at_once() {
        let mut site = Site::new(3);
        site.ships("A", "A1", "battleship", (0, 0));
        site.ships("C", "Z1", "battleship", (0, 0));
        site.class("gunboat", Hull::Gunship, [20, 10, 3, 0, 0], "B");
        site.ships("B", "X1 X2", "gunboat", (0, 0));
        site.orders("A", [line::fire("A1", "B")]);
        site.orders("C", [line::fire("Z1", "B")]);
        let played = site.orders("B", [line::fire("X1 X2", "A C")]).play();
        assert_eq!(sorted(played.deeds(Deed::Hit)), pairs(&[("A1", 40), ("X1", 20), ("X2", 20)]));
        assert_eq!(site.dp("C", "Z1"), 40);
        let gunboat = site.class_id("gunboat");
        assert!(
            site.empire("C").classes.contains(gunboat),
            "C alone has guns left there, and salvages"
        );
        let shooters: Vec<Seat> = played.shot_by[1].iter().collect();
        assert_eq!(shooters, [Seat::at(0), Seat::at(2)]);
    }

    #[test]
    fn situation_21_c6_self_destruction_under_fire() {
        let mut site = Site::new(2);
        site.class("tin", Hull::Scout, [1, 1, 2, 3, 0], "A");
        site.ships("A", "H1", "carrier", (0, 0));
        site.ships("A", "F1", "fighter", (0, 0));
        site.ships("A", "P1", "tin", (0, 0));
        site.load("A", "F1", "H1");
        site.ships("B", "G1 G2", "gunship", (0, 0));
        site.orders("A", [line::destruct("H1")]);
        let played = site.orders("B", [line::fire("G1 G2", "A")]).play();
        assert_eq!(played.said("B", 0), "G2 not-needed");
        assert_eq!(played.deeds(Deed::Fired), pairs(&[("G1", 11)]));
        assert_eq!((site.dp("B", "G1"), site.dp("B", "G2")), (7, 7));
        assert_eq!(sorted(played.deeds(Deed::SelfDestructed)), pairs(&[("F1", 0), ("H1", 0)]));
        assert_eq!(played.deeds(Deed::Destroyed), pairs(&[("P1", 0)]));
        let tin = site.class_id("tin");
        assert!(site.empire("B").classes.contains(tin));
    }

    /// The targets in the order in which single shots fall on them; each target takes all it has.
    fn order_of(
        ascending: bool,
        targets: &[(&str, &str, u16)],
        classes: &[(&str, Hull, [u16; 5])],
    ) -> Vec<String> {
        let (mut hit, mut order): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for guns in 1..=200 {
            let mut site = Site::new(2);
            site.class("big", Hull::CapitalShip, [guns, 40, 2, 2, 1], "A");
            site.ships("A", "Big", "big", (0, 0));
            for &(class, hull, ratings) in classes {
                site.class(class, hull, ratings, "B");
            }
            for &(ship, class, dp) in targets {
                site.damaged("B", ship, class, (0, 0), dp);
            }
            let fire =
                if ascending { line::fire_ascending("Big", "B") } else { line::fire("Big", "B") };
            for (ship, _) in site.orders("A", [fire]).play().deeds(Deed::Hit) {
                if !hit.contains(&ship) {
                    hit.push(ship.clone());
                    order.push(ship);
                }
            }
        }
        order
    }

    #[test]
    fn situation_22_wings_first_then_by_size() {
        let targets = [
            ("B40", "battleship", 40),
            ("B30", "battleship", 30),
            ("C10", "carrier", 10),
            ("W5", "fighter", 5),
        ];
        assert_eq!(order_of(true, &targets, &[]), ["W5", "C10", "B30", "B40"]);
        assert_eq!(order_of(false, &targets, &[]), ["W5", "B40", "B30", "C10"]);
    }

    #[test]
    fn situation_23_handles_rise_in_both_senses() {
        let targets = [("beta", "probe", 1), ("Alpha", "probe", 1)];
        assert_eq!(order_of(true, &targets, &[]), ["Alpha", "beta"]);
        assert_eq!(order_of(false, &targets, &[]), ["Alpha", "beta"]);
    }

    #[test]
    fn situation_24_the_operational_rating_breaks_a_tie_of_damage_points() {
        let twenty: &[(&str, Hull, [u16; 5])] = &[("twenty", Hull::Gunship, [20, 20, 2, 0, 0])];
        let targets = [("C", "carrier", 10), ("D", "twenty", 10)];
        assert_eq!(order_of(false, &targets, twenty), ["C", "D"]);
        assert_eq!(order_of(true, &targets, twenty), ["D", "C"]);
    }

    #[test]
    fn situation_26_fewest_guns_are_activated_first() {
        let mut site = Site::new(2);
        site.damaged("A", "Hurt", "battleship", (0, 0), 10);
        site.ships("A", "G", "gunship", (0, 0));
        site.ships("B", "C", "carrier", (0, 0));
        let played = site.orders("A", [line::fire("G Hurt", "B")]).play();
        assert_eq!(played.deeds(Deed::Fired), pairs(&[("Hurt", 10)]));
        assert_eq!(played.said("A", 0), "G not-needed");
    }

    #[test]
    fn situation_27_the_largest_missile_where_none_suffices() {
        let mut site = Site::new(2);
        for (class, guns) in [("m8", 8), ("m12", 12), ("m30", 30)] {
            site.missile(class, guns, 1, "A");
        }
        site.class("rack", Hull::Transport, [5, 10, 2, 1, 9], "A");
        site.ships("A", "Mule", "rack", (0, 0));
        site.ships("A", "G", "gunship", (0, 0));
        for missile in ["m8", "m12", "m30"] {
            site.ships("A", &format!("x{missile}"), missile, (0, 0));
            site.load("A", &format!("x{missile}"), "Mule");
        }
        site.ships("B", "B9", "battleship", (0, 0));
        let played = site.orders("A", [line::fire("G xm8 xm12 xm30", "B")]).play();
        assert_eq!(sorted(played.deeds(Deed::Fired)), pairs(&[("G", 10), ("xm30", 30)]));
        assert_eq!(played.said("A", 0), "xm8 not-needed, xm12 not-needed");
    }

    #[test]
    fn situation_28_r23_lines_of_one_empire_share_their_targets() {
        let mut site = Site::new(2);
        site.ships("A", "G1 G2", "gunship", (0, 0));
        site.ships("B", "F", "fighter", (0, 0));
        site.ships("B", "P", "probe", (0, 0));
        let orders = [line::fire("G1", "B"), line::fire("G2", "B"), line::go("G2", (1, 0))];
        let played = site.orders("A", orders).play();
        assert_eq!(played.deeds(Deed::Fired), pairs(&[("G1", 6)]));
        assert_eq!(
            (played.fate("A", 1), played.said("A", 1).as_str()),
            (Fate::Refused, "no-targets")
        );
        assert_eq!(played.fate("A", 2), Fate::Done);
    }

    #[test]
    fn situation_30_damage_equal_to_the_damage_points_destroys() {
        let mut site = Site::new(2);
        site.ships("A", "G", "gunship", (0, 0));
        site.class("twenty", Hull::Gunship, [20, 20, 2, 0, 0], "B");
        site.ships("B", "T", "twenty", (0, 0));
        site.orders("A", [line::fire("G", "B")]).play();
        assert!(site.find("B", "T").is_none());
    }

    #[test]
    fn situation_35_firing_names_every_reason() {
        let mut site = Site::new(2);
        site.ships("A", "M", "carrier", (0, 0));
        site.ships("A", "F", "fighter", (0, 0));
        site.ships("A", "N", "nuke", (0, 0));
        site.load("A", "F", "M");
        site.class("five", Hull::Scout, [1, 5, 3, 3, 0], "A");
        site.damaged("A", "Hurt", "five", (0, 0), 1);
        site.ships("A", "Far", "probe", (4, 0));
        site.ships("B", "P", "battleship", (0, 0));
        let orders = [
            line::fire("M F Hurt N Far", "B"),
            line::fire("M", "A"),
            line::fire("M", "B"),
            line::fire("F", "B"),
        ];
        let played = site.orders("A", orders).play();
        assert_eq!(
            played.said("A", 0),
            "F loaded, Hurt no-guns, N missile-not-ready, Far wrong-sector"
        );
        assert_eq!(played.fate("A", 0), Fate::Partly);
        assert_eq!(
            (played.fate("A", 1), played.said("A", 1).as_str()),
            (Fate::Refused, "A own-empire")
        );
        assert_eq!((played.fate("A", 2), played.said("A", 2).as_str()), (Fate::Refused, "no-guns"));
        assert_eq!(played.fate("A", 3), Fate::Refused);
    }

    #[test]
    fn r18_r20_a_missile_loaded_this_turn_is_unloaded_by_firing_and_is_no_target() {
        let mut site = Site::new(2);
        site.ships("A", "M", "carrier", (0, 0));
        site.ships("A", "Old1 Old2 New", "nuke", (0, 0));
        site.load("A", "Old1 Old2", "M");
        site.ships("B", "L", "battleship", (0, 0));
        site.orders("B", [line::fire("L", "A")]);
        let orders = [line::unload("Old1"), line::load("New", "M"), line::fire("Old1 New", "B")];
        let played = site.orders("A", orders).play();
        assert_eq!(played.fate("A", 2), Fate::Done);
        assert_eq!(sorted(played.deeds(Deed::Fired)), pairs(&[("L", 10), ("New", 8), ("Old1", 8)]));
        assert_eq!(sorted(played.deeds(Deed::Hit)), pairs(&[("L", 16), ("M", 10)]));
        assert!(site.find("A", "Old2").is_none(), "went down with its carrier");
    }

    /// A gunship of 20 guns, and missiles of 8, 10 and 20 on their carrier, at (0,0).
    fn battery() -> Site {
        let mut site = Site::new(2);
        site.missile("dart", 10, 2, "A");
        site.missile("torpedo", 20, 3, "A");
        site.ships("A", "G", "gunship", (0, 0));
        site.class("rack", Hull::Transport, [5, 10, 2, 1, 9], "A");
        site.ships("A", "Mule", "rack", (0, 0));
        for (ship, class) in [("M8", "nuke"), ("M10", "dart"), ("M20", "torpedo")] {
            site.ships("A", ship, class, (0, 0));
            site.load("A", ship, "Mule");
        }
        site
    }

    #[test]
    fn rule_6_3_2_each_line_finds_its_own_targets() {
        let mut site = Site::new(3);
        for (ship, place) in [("G1 G2", (0, 0)), ("G3", (4, 0))] {
            site.ships("A", ship, "gunship", place);
        }
        site.ships("B", "B1", "battleship", (0, 0));
        site.ships("B", "B2", "battleship", (4, 0));
        site.ships("C", "C1", "battleship", (0, 0));
        let fire = [line::fire("G1", "B"), line::fire("G2", "C"), line::fire("G3", "B")];
        let played = site.orders("A", fire).play();
        assert_eq!(sorted(played.deeds(Deed::Hit)), pairs(&[("B1", 20), ("B2", 20), ("C1", 20)]));
    }

    #[test]
    fn rule_6_3_2_a_line_whose_targets_an_earlier_one_has_shot_finds_none() {
        let mut site = Site::new(3);
        site.ships("A", "G1 G2 G3 G4", "gunship", (0, 0));
        site.class("twenty", Hull::Gunship, [1, 20, 2, 0, 0], "B");
        site.ships("B", "T", "twenty", (0, 0));
        site.ships("C", "C1", "battleship", (0, 0));
        let fire = [("G1", "B"), ("G2", "B"), ("G3", "C"), ("G4", "B")];
        let played = site.orders("A", fire.map(|(ship, at)| line::fire(ship, at))).play();
        let said = [0, 1, 2, 3].map(|line| played.said("A", line));
        assert_eq!(said, ["", "no-targets", "", "no-targets"]);
        assert_eq!((played.fate("A", 0), played.fate("A", 3)), (Fate::Done, Fate::Refused));
    }

    #[test]
    fn rule_6_3_2_a_gun_that_has_fired_all_it_has_is_not_called_unneeded() {
        let mut site = Site::new(2);
        site.ships("A", "G", "gunship", (0, 0));
        site.ships("A", "L", "battleship", (0, 0));
        site.ships("B", "B1", "battleship", (0, 0));
        let played = site.orders("A", [line::fire("G", "B"), line::fire("G L", "B")]).play();
        assert_eq!((played.fate("A", 1), played.said("A", 1).as_str()), (Fate::Done, ""));
    }

    #[test]
    fn r25_missiles_alone_carry_out_a_line() {
        let mut site = battery();
        site.ships("B", "B9", "battleship", (0, 0));
        let played = site.orders("A", [line::fire("M8", "B")]).play();
        assert_eq!((played.fate("A", 0), played.said("A", 0).as_str()), (Fate::Done, ""));
        assert_eq!(played.deeds(Deed::Hit), pairs(&[("B9", 8)]));
    }

    /// What a fire at one ship with so many damage points takes of the battery's missiles.
    fn missiles_for(dp: u16) -> Vec<String> {
        let mut site = battery();
        site.class("hulk", Hull::CapitalShip, [1, dp, 2, 2, 0], "B");
        site.ships("B", "H", "hulk", (0, 0));
        let played = site.orders("A", [line::fire("M8 M10 M20", "B")]).play();
        sorted(played.deeds(Deed::Fired)).into_iter().map(|(ship, _)| ship).collect()
    }

    #[test]
    fn r25_the_smallest_missile_that_suffices_or_else_the_largest() {
        assert_eq!(missiles_for(8), ["M8"]);
        assert_eq!(missiles_for(9), ["M10"]);
        assert_eq!(missiles_for(20), ["M20"]);
        assert_eq!(missiles_for(29), ["M10", "M20"]);
        assert_eq!(missiles_for(31), ["M10", "M20", "M8"]);
    }

    #[test]
    fn r25_guns_that_suffice_for_one_target_after_another_keep_the_missiles() {
        let mut site = battery();
        site.class("ten", Hull::Gunship, [1, 10, 2, 0, 0], "B");
        site.ships("B", "T1 T2", "ten", (0, 0));
        let played = site.orders("A", [line::fire("G M20", "B")]).play();
        assert_eq!(played.deeds(Deed::Fired), pairs(&[("G", 20)]));
        assert_eq!(played.said("A", 0), "M20 not-needed");
    }
}
