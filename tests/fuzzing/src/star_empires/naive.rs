//! The slow second implementation of the update of Star Empires. Every query scans the list of
//! ships.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use heliopause_proto::star_empires::v1::{Hull, Siege};

pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) hull: Hull,
    pub(crate) guns: u32,
    pub(crate) dp: u32,
    pub(crate) engines: u32,
    pub(crate) scan: u32,
    pub(crate) racks: u32,
    pub(crate) tonnage: u32,
    pub(crate) cost: u32,
}

const fn class(
    name: &'static str,
    hull: Hull,
    [guns, dp, engines, scan, racks]: [u32; 5],
    [tonnage, cost]: [u32; 2],
) -> Class {
    Class { name, hull, guns, dp, engines, scan, racks, tonnage, cost }
}

pub(crate) const CLASSES: [Class; 17] = [
    class("starbase", Hull::Orbital, [150, 200, 0, 2, 10], [999, 0]),
    class("battleship", Hull::CapitalShip, [35, 40, 2, 2, 1], [30, 28]),
    class("gunship", Hull::Gunship, [20, 10, 2, 0, 0], [10, 15]),
    class("nuke", Hull::Missile, [8, 1, 0, 0, 0], [1, 1]),
    class("station", Hull::Orbital, [30, 40, 0, 1, 2], [20, 25]),
    class("carrier", Hull::Transport, [5, 10, 2, 1, 2], [15, 10]),
    class("probe", Hull::Scout, [1, 1, 3, 3, 0], [2, 2]),
    class("fighter", Hull::Wing, [5, 5, 0, 0, 0], [1, 1]),
    class("frigate", Hull::Gunship, [20, 15, 4, 2, 0], [16, 24]),
    class("gunboat", Hull::Gunship, [30, 20, 3, 0, 0], [17, 22]),
    class("cruiser", Hull::CapitalShip, [50, 60, 2, 2, 1], [36, 35]),
    class("hulk", Hull::CapitalShip, [1, 1, 0, 0, 0], [10, 1]),
    class("mule", Hull::Transport, [5, 10, 3, 1, 10], [72, 27]),
    class("tough", Hull::Scout, [1, 5, 3, 3, 0], [5, 5]),
    class("heavy", Hull::Wing, [1, 30, 0, 0, 0], [3, 5]),
    class("torpedo", Hull::Missile, [20, 1, 0, 0, 0], [3, 1]),
    class("hammer", Hull::Missile, [40, 1, 0, 0, 0], [4, 2]),
];

pub(crate) const STOCK: [&str; 8] =
    ["starbase", "battleship", "gunship", "nuke", "station", "carrier", "probe", "fighter"];

pub(crate) const CODES: [&str; 4] = ["AR", "BR", "CA", "DO"];

type At = (i32, i32);

#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, as the rules tell them"
)]
pub(crate) struct Ship {
    pub(crate) owner: usize,
    pub(crate) name: String,
    pub(crate) class: usize,
    pub(crate) dp: i64,
    pub(crate) at: At,
    pub(crate) carrier: Option<usize>,
    pub(crate) live: bool,
    fired: u32,
    /// Whether a FIRE line has unloaded the missile.
    ready: bool,
    expended: bool,
    self_destructing: bool,
    moved: bool,
}

impl Ship {
    pub(crate) fn new(owner: usize, name: String, class: usize, dp: u32, at: At) -> Self {
        Self { owner, name, class, dp: dp.into(), at, live: true, ..Self::default() }
    }
}

pub(crate) struct World {
    pub(crate) name: String,
    pub(crate) at: At,
    pub(crate) owner: Option<usize>,
    pub(crate) production: u32,
    pub(crate) stockpile: u32,
    pub(crate) siege: Siege,
}

impl World {
    pub(crate) fn new(name: String, at: At, owner: Option<usize>, production: u32) -> Self {
        Self { name, at, owner, production, stockpile: 7, siege: Siege::None }
    }
}

#[derive(Debug)]
pub(crate) enum Selected {
    Named(Vec<String>),
    At(At, Vec<String>),
}

#[derive(Debug)]
pub(crate) enum Line {
    Fire { ascending: bool, ships: Selected, at: Vec<usize> },
    Destruct { ships: Selected },
    Move { ships: Selected, to: At },
}

pub(crate) struct Battle {
    pub(crate) ships: Vec<Ship>,
    pub(crate) worlds: Vec<World>,
    pub(crate) lines: Vec<Vec<Line>>,
    pub(crate) homes: Vec<Option<usize>>,
    pub(crate) last_homes: Vec<Option<At>>,
    /// The empires whose guns hit each empire.
    pub(crate) shot_by: Vec<BTreeSet<usize>>,
    pub(crate) known: Vec<BTreeSet<&'static str>>,
}

/// A FIRE line with the ships that can fire on its orders.
struct Volley {
    owner: usize,
    at: At,
    ascending: bool,
    targets: BTreeSet<usize>,
    guns: Vec<usize>,
    missiles: Vec<usize>,
}

/// Returns the operational value of a rating (Notes 3).
pub(crate) fn operational(rating: u32, dp: i64, full: u32) -> u32 {
    let (rating, full) = (i128::from(rating), i128::from(full));
    let fits = |n: i128| (2 * n - 1).pow(2) * full <= 4 * rating * rating * i128::from(dp);
    (1..=rating).take_while(|&n| fits(n)).last().unwrap_or(0) as u32
}

fn distance(one: At, other: At) -> u32 {
    let (o, y) = (one.0 - other.0, one.1 - other.1);
    o.unsigned_abs().max(y.unsigned_abs()).max((o - y).unsigned_abs())
}

impl Battle {
    pub(crate) fn new(empires: usize) -> Self {
        Self {
            ships: Vec::new(),
            worlds: Vec::new(),
            lines: (0..empires).map(|_| Vec::new()).collect(),
            homes: vec![None; empires],
            last_homes: vec![None; empires],
            shot_by: vec![BTreeSet::new(); empires],
            known: vec![STOCK.into_iter().collect(); empires],
        }
    }

    pub(crate) fn class(&self, id: usize) -> &'static Class {
        &CLASSES[self.ships[id].class]
    }

    pub(crate) fn cargo(&self, carrier: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.ships.len()).filter(move |&id| self.ships[id].carrier == Some(carrier))
    }

    fn live(&self) -> Vec<usize> {
        (0..self.ships.len()).filter(|&id| self.ships[id].live).collect()
    }

    fn is_loose(&self, id: usize) -> bool {
        self.ships[id].live && self.ships[id].carrier.is_none()
    }

    fn is_missile(&self, id: usize) -> bool {
        self.class(id).hull == Hull::Missile
    }

    fn guns(&self, id: usize) -> u32 {
        operational(self.class(id).guns, self.ships[id].dp, self.class(id).dp)
    }

    fn handle(&self, id: usize) -> String {
        self.ships[id].name.to_lowercase()
    }

    fn named(&self, owner: usize, names: &[String]) -> Vec<usize> {
        let mut found = Vec::new();
        for name in names {
            let is_it = |id: &usize| {
                let ship = &self.ships[*id];
                ship.owner == owner && ship.name.eq_ignore_ascii_case(name)
            };
            if let Some(id) = (0..self.ships.len()).find(is_it)
                && self.ships[id].live
                && !found.contains(&id)
            {
                found.push(id);
            }
        }
        found
    }

    fn select(&self, owner: usize, selected: &Selected) -> Option<(Vec<usize>, At)> {
        match selected {
            Selected::Named(names) => {
                let ships = self.named(owner, names);
                let at = self.ships[*ships.first()?].at;
                Some((ships, at))
            }
            Selected::At(at, except) => {
                let except = self.named(owner, except);
                let is_there = |&id: &usize| {
                    let ship = &self.ships[id];
                    self.is_loose(id) && ship.owner == owner && ship.at == *at
                };
                let there = (0..self.ships.len()).filter(is_there);
                Some((there.filter(|id| !except.contains(id)).collect(), *at))
            }
        }
    }

    /// Runs the parts of the update that concern a battle. `drawn` contains the homeworlds that the
    /// game chose at random to break ties.
    pub(crate) fn update(&mut self, drawn: &[Option<usize>]) {
        let lines = std::mem::take(&mut self.lines);
        self.unload(&lines);
        let collateral = self.self_destruct(&lines);
        let hits = self.fire(&lines);
        let mut wrecks = Vec::new();
        for id in 0..self.ships.len() {
            self.ships[id].dp -= i64::from(hits[id]) + i64::from(collateral[id]);
        }
        self.remove_destroyed(&mut wrecks);
        for id in self.live() {
            let most = i64::from(self.class(id).dp);
            let ship = &mut self.ships[id];
            ship.dp = most.min(ship.dp + (most / 10).max(1));
        }
        self.determine_ownership();
        self.move_ships(&lines);
        self.determine_ownership();
        let chosen = self.relocate_homeworlds(drawn);
        self.lay_siege();
        self.salvage(&wrecks);
        for id in self.live() {
            let is_on_orbital = |carrier: usize| self.class(carrier).hull == Hull::Orbital;
            if self.ships[id].carrier.is_some_and(is_on_orbital) {
                self.ships[id].dp = self.class(id).dp.into();
            }
        }
        for (index, world) in self.worlds.iter_mut().enumerate() {
            if world.owner.is_some() {
                let times = if chosen.contains(&index) { 2 } else { 1 };
                world.stockpile += times * world.production;
            }
        }
        self.lines = lines;
    }

    /// Unloads missiles that are named in a FIRE line (6.2.1).
    fn unload(&mut self, lines: &[Vec<Line>]) {
        for (owner, lines) in lines.iter().enumerate() {
            for line in lines {
                let Line::Fire { ships: Selected::Named(names), .. } = line else { continue };
                for id in self.named(owner, names) {
                    if self.is_missile(id) && self.ships[id].carrier.is_some() {
                        self.ships[id].carrier = None;
                        self.ships[id].ready = true;
                    }
                }
            }
        }
    }

    /// Returns the damage to every ship from self-destructing ships (6.3.1).
    fn self_destruct(&mut self, lines: &[Vec<Line>]) -> Vec<u32> {
        for (owner, lines) in lines.iter().enumerate() {
            for line in lines {
                let Line::Destruct { ships } = line else { continue };
                let Some((ships, _)) = self.select(owner, ships) else { continue };
                for id in ships {
                    if self.is_loose(id) && self.class(id).name != "starbase" {
                        self.ships[id].self_destructing = true;
                        for cargo in self.cargo(id).collect::<Vec<_>>() {
                            self.ships[cargo].self_destructing = true;
                        }
                    }
                }
            }
        }
        let collateral = |id: usize| {
            let ship = &self.ships[id];
            if !self.is_loose(id) || ship.self_destructing {
                return 0;
            }
            let tonnage: u32 = (0..self.ships.len())
                .filter(|&other| self.ships[other].self_destructing)
                .filter(|&other| self.ships[other].at == ship.at)
                .map(|other| self.class(other).tonnage)
                .sum();
            tonnage.div_ceil(5)
        };
        (0..self.ships.len()).map(collateral).collect()
    }

    /// Returns the hits on every ship (6.3.2). No hit takes effect before all ships have fired.
    fn fire(&mut self, lines: &[Vec<Line>]) -> Vec<u32> {
        let mut volleys = Vec::new();
        for (owner, lines) in lines.iter().enumerate() {
            for line in lines {
                let Line::Fire { ascending, ships, at } = line else { continue };
                volleys.extend(self.volley(owner, *ascending, ships, at));
            }
        }
        let launching: BTreeSet<usize> =
            volleys.iter().flat_map(|volley| volley.missiles.iter().copied()).collect();
        let mut hits = vec![0; self.ships.len()];
        for owner in 0..lines.len() {
            // This empire's hits on each ship. An empire does not see the fire of other empires.
            let mut ledger = vec![0; self.ships.len()];
            for volley in volleys.iter().filter(|volley| volley.owner == owner) {
                self.carry_out(volley, &launching, &mut ledger);
            }
            for id in 0..self.ships.len() {
                hits[id] += ledger[id];
                if ledger[id] > 0 {
                    self.shot_by[self.ships[id].owner].insert(owner);
                }
            }
        }
        hits
    }

    fn volley(
        &self,
        owner: usize,
        ascending: bool,
        selected: &Selected,
        at: &[usize],
    ) -> Option<Volley> {
        let targets: BTreeSet<usize> = at.iter().copied().filter(|&other| other != owner).collect();
        if targets.is_empty() {
            return None;
        }
        let (ships, at) = self.select(owner, selected)?;
        let is_there = |id: &usize| {
            let ship = &self.ships[*id];
            ship.at == at && !ship.self_destructing
        };
        let (missiles, guns): (Vec<usize>, Vec<usize>) =
            ships.into_iter().filter(is_there).partition(|&id| self.is_missile(id));
        let is_named = matches!(selected, Selected::Named(_));
        Some(Volley {
            owner,
            at,
            ascending,
            targets,
            guns: guns.into_iter().filter(|&id| self.is_loose(id) && self.guns(id) > 0).collect(),
            missiles: missiles
                .into_iter()
                .filter(|&id| {
                    is_named && (self.ships[id].ready || self.ships[id].carrier.is_some())
                })
                .collect(),
        })
    }

    fn carry_out(&mut self, volley: &Volley, launching: &BTreeSet<usize>, ledger: &mut [u32]) {
        for target in self.targets(volley, launching) {
            loop {
                let left = (self.ships[target].dp as u32).saturating_sub(ledger[target]);
                if left == 0 {
                    break;
                }
                let unfired = |id: usize| self.guns(id) - self.ships[id].fired;
                let all: u32 = volley.guns.iter().map(|&id| unfired(id)).sum();
                let missiles: Vec<usize> = volley
                    .missiles
                    .iter()
                    .copied()
                    .filter(|&id| !self.ships[id].expended)
                    .collect();
                if all >= left || missiles.is_empty() {
                    let guns = self.sorted_guns(volley);
                    let Some(gun) = guns.into_iter().find(|&id| unfired(id) > 0) else { return };
                    let shots = unfired(gun).min(left);
                    self.ships[gun].fired += shots;
                    ledger[target] += shots;
                } else {
                    let missile = self.missile(&missiles, left);
                    let ship = &mut self.ships[missile];
                    ship.expended = true;
                    ship.carrier = None;
                    ship.fired = CLASSES[ship.class].guns;
                    ledger[target] += CLASSES[ship.class].guns;
                }
            }
        }
    }

    /// Sorts ships by the order in which their guns fire. The ship with the fewest unfired guns
    /// fires first, and each shot reduces that number. The order at the start of the line therefore
    /// remains valid for the whole line.
    fn sorted_guns(&self, volley: &Volley) -> Vec<usize> {
        let mut guns = volley.guns.clone();
        guns.sort_by(|&one, &other| {
            let unfired = |id: usize| self.guns(id) - self.ships[id].fired;
            unfired(one)
                .cmp(&unfired(other))
                .then(self.guns(one).cmp(&self.guns(other)))
                .then(self.cmp_rating(one, other))
                .then(self.class(one).guns.cmp(&self.class(other).guns))
                .then(self.class(one).tonnage.cmp(&self.class(other).tonnage))
                .then(self.handle(one).cmp(&self.handle(other)))
        });
        guns
    }

    fn cmp_rating(&self, one: usize, other: usize) -> Ordering {
        let (a, b) = (self.ships[one].dp, self.ships[other].dp);
        (a * i64::from(self.class(other).dp)).cmp(&(b * i64::from(self.class(one).dp)))
    }

    fn missile(&self, missiles: &[usize], left: u32) -> usize {
        let mut sorted = missiles.to_vec();
        sorted.sort_by_key(|&id| (self.class(id).guns, self.class(id).tonnage, self.handle(id)));
        if let Some(&enough) = sorted.iter().find(|&&id| self.class(id).guns >= left) {
            return enough;
        }
        let most = sorted.iter().map(|&id| self.class(id).guns).max().unwrap_or_default();
        *sorted.iter().find(|&&id| self.class(id).guns == most).expect("there is a missile")
    }

    fn targets(&self, volley: &Volley, launching: &BTreeSet<usize>) -> Vec<usize> {
        let is_target = |id: &usize| {
            let ship = &self.ships[*id];
            self.is_loose(*id)
                && ship.at == volley.at
                && volley.targets.contains(&ship.owner)
                && !launching.contains(id)
        };
        let mut targets: Vec<usize> = (0..self.ships.len()).filter(is_target).collect();
        let band = |id: usize| match self.class(id).hull {
            Hull::Wing => 0,
            Hull::Missile => 2,
            _ => 1,
        };
        targets.sort_by(|&one, &other| {
            let size = self.ships[one]
                .dp
                .cmp(&self.ships[other].dp)
                .then(self.cmp_rating(one, other))
                .then(self.class(one).tonnage.cmp(&self.class(other).tonnage));
            let size = if volley.ascending { size } else { size.reverse() };
            band(one)
                .cmp(&band(other))
                .then(size)
                .then(self.handle(one).cmp(&self.handle(other)))
                .then(self.ships[one].owner.cmp(&self.ships[other].owner))
        });
        targets
    }

    /// Removes destroyed ships with their cargo (6.3.4). Wrecks can be salvaged.
    fn remove_destroyed(&mut self, wrecks: &mut Vec<usize>) {
        let is_lost = |ship: &Ship| ship.dp <= 0 || ship.self_destructing || ship.expended;
        let lost: BTreeSet<usize> =
            self.live().into_iter().filter(|&id| is_lost(&self.ships[id])).collect();
        for id in self.live() {
            let ship = &self.ships[id];
            if lost.contains(&id) || ship.carrier.is_some_and(|carrier| lost.contains(&carrier)) {
                if !ship.self_destructing && !ship.expended {
                    wrecks.push(id);
                }
                self.ships[id].live = false;
            }
        }
    }

    /// Returns the ships in a sector that can conquer: neither destroyed nor carried, not missiles,
    /// and with working guns (Notes 1).
    fn conquerors(&self, at: At) -> Vec<usize> {
        let conquers = |&id: &usize| {
            self.is_loose(id)
                && self.ships[id].at == at
                && !self.is_missile(id)
                && self.guns(id) > 0
        };
        (0..self.ships.len()).filter(conquers).collect()
    }

    /// Determines the owners of worlds (7.1).
    fn determine_ownership(&mut self) {
        for index in 0..self.worlds.len() {
            let there: BTreeSet<usize> = self
                .conquerors(self.worlds[index].at)
                .into_iter()
                .map(|id| self.ships[id].owner)
                .collect();
            let world = &mut self.worlds[index];
            world.owner = if there.len() == 1 {
                there.into_iter().next()
            } else {
                world.owner.filter(|owner| there.contains(owner))
            };
        }
    }

    /// Moves ships (6.4.2).
    fn move_ships(&mut self, lines: &[Vec<Line>]) {
        for (owner, lines) in lines.iter().enumerate() {
            for line in lines {
                let Line::Move { ships, to } = line else { continue };
                let named = match ships {
                    Selected::Named(names) => self.named(owner, names),
                    Selected::At(..) => {
                        self.select(owner, ships).map(|(ships, _)| ships).unwrap_or_default()
                    }
                };
                let Some(&first) = named.first() else { continue };
                let from = self.ships[first].at;
                for id in named {
                    let class = self.class(id);
                    let engines = operational(class.engines, self.ships[id].dp, class.dp);
                    let ship = &self.ships[id];
                    let goes = ship.carrier.is_none()
                        && ship.fired == 0
                        && !ship.moved
                        && ship.at == from
                        && engines > 0
                        && distance(from, *to) <= engines;
                    if goes && from != *to {
                        for cargo in self.cargo(id).collect::<Vec<_>>() {
                            self.ships[cargo].at = *to;
                        }
                        self.ships[id].at = *to;
                        self.ships[id].moved = true;
                    }
                }
            }
        }
    }

    fn situation(&self, owner: usize, at: At) -> (u64, u64) {
        let there = self.conquerors(at);
        let (own, foreign): (Vec<usize>, Vec<usize>) =
            there.into_iter().partition(|&id| self.ships[id].owner == owner);
        let dp = own.iter().map(|&id| self.ships[id].dp as u64).sum();
        (dp, foreign.iter().map(|&id| u64::from(self.guns(id))).sum())
    }

    /// Returns the worlds that became homeworlds (7.2).
    #[expect(clippy::needless_range_loop, reason = "the seat is an index into several lists")]
    fn relocate_homeworlds(&mut self, drawn: &[Option<usize>]) -> BTreeSet<usize> {
        let mut chosen = BTreeSet::new();
        for owner in 0..self.homes.len() {
            if let Some(home) = self.homes[owner] {
                self.last_homes[owner] = Some(self.worlds[home].at);
                if self.worlds[home].owner == Some(owner) {
                    continue;
                }
            }
            let mut best: Option<usize> = None;
            for index in 0..self.worlds.len() {
                if self.worlds[index].owner != Some(owner) {
                    continue;
                }
                if best.is_none_or(|best| self.is_safer(owner, index, best)) {
                    best = Some(index);
                }
            }
            // Ties are decided by the game's random choice.
            let lucky = drawn[owner].filter(|&lucky| {
                self.worlds[lucky].owner == Some(owner)
                    && best.is_some_and(|best| {
                        !self.is_safer(owner, best, lucky) && !self.is_safer(owner, lucky, best)
                    })
            });
            let best = lucky.or(best);
            self.homes[owner] = best;
            if let Some(best) = best {
                self.last_homes[owner] = Some(self.worlds[best].at);
                chosen.insert(best);
            }
        }
        chosen
    }

    fn is_safer(&self, owner: usize, one: usize, other: usize) -> bool {
        let (one, other) = (&self.worlds[one], &self.worlds[other]);
        let ((dp, guns), (other_dp, other_guns)) =
            (self.situation(owner, one.at), self.situation(owner, other.at));
        // Compare friendly DP per foreign gun. A world without foreign guns is the safest.
        let safety = match (guns, other_guns) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Greater,
            (_, 0) => Ordering::Less,
            _ => (dp * other_guns).cmp(&(other_dp * guns)),
        };
        let near = |at: At| self.last_homes[owner].map_or(0, |last| distance(last, at));
        safety
            .then(dp.cmp(&other_dp))
            .then(one.production.cmp(&other.production))
            .then(near(other.at).cmp(&near(one.at)))
            .is_gt()
    }

    /// Determines which worlds are under siege (7.3).
    fn lay_siege(&mut self) {
        for index in 0..self.worlds.len() {
            let world = &self.worlds[index];
            self.worlds[index].siege = match world.owner {
                None => Siege::None,
                Some(owner) => {
                    let (dp, guns) = self.situation(owner, world.at);
                    let is_guarded = self.live().into_iter().any(|id| {
                        let ship = &self.ships[id];
                        ship.owner == owner
                            && ship.at == world.at
                            && ship.carrier.is_none()
                            && self.class(id).name == "starbase"
                    });
                    if is_guarded {
                        Siege::None
                    } else if guns > 3 * dp && self.homes[owner] != Some(index) {
                        Siege::Interdicted
                    } else if guns > 2 * dp {
                        Siege::Blockaded
                    } else {
                        Siege::None
                    }
                }
            };
        }
    }

    /// Salvages wrecks (7.4).
    fn salvage(&mut self, wrecks: &[usize]) {
        for &wreck in wrecks {
            let (at, loser) = (self.ships[wreck].at, self.ships[wreck].owner);
            let there = self.conquerors(at);
            let guns = |empire: usize| -> u64 {
                let own = there.iter().filter(|&&id| self.ships[id].owner == empire);
                own.map(|&id| u64::from(self.guns(id))).sum()
            };
            let most = (0..self.homes.len()).map(guns).max().unwrap_or(0);
            let winners: Vec<usize> =
                (0..self.homes.len()).filter(|&empire| guns(empire) == most).collect();
            let [winner] = winners[..] else { continue };
            let dp: i64 = there
                .iter()
                .filter(|&&id| self.ships[id].owner == loser)
                .map(|&id| self.ships[id].dp)
                .sum();
            if most > 0 && most > 3 * dp as u64 {
                self.known[winner].insert(CLASSES[self.ships[wreck].class].name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::operational;

    #[test]
    fn operational_values_match_the_table() {
        let table = [
            (20, 5, 15, 12),
            (4, 5, 15, 2),
            (2, 5, 15, 1),
            (20, 6, 15, 13),
            (4, 6, 15, 3),
            (20, 5, 10, 14),
            (35, 10, 40, 18),
            (35, 37, 40, 34),
            (2, 1, 10, 1),
            (1, 1, 4, 1),
            (1, 1, 5, 0),
            (1, 2, 5, 1),
            (150, 1, 200, 11),
        ];
        for (rating, dp, full, expected) in table {
            assert_eq!(operational(rating, dp, full), expected, "{rating} {dp}/{full}");
        }
    }
}
