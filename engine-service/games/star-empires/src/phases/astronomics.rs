//! 6.1 astronomics: what the game master changes, then portals and storms. What the master lets
//! empires know is in `known`.

use heliopause_kernel::{Draw, Seat};

use crate::class::Class;
use crate::geometry::Sector;
use crate::hull::{Hull, RATING_MAX, Ratings};
use crate::ids::{Id, PortalId, ShipId};
use crate::index::ObjectIndex;
use crate::ledger::LineId;
use crate::master::{Astronomics, AstronomicsStep, NewOwner, ObjectKind};
use crate::name::Name;
use crate::news::What;
use crate::objects::{Pattern, Portal, STORM_MAX, Siege, Storm, World};
use crate::order::{Names, Naming};
use crate::phases::maintenance::Christening;
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::ship::Ship;
use crate::update::{Update, WorldTurn};

/// What became of an order as a whole, or the name at which it failed.
type Done = Result<(), (Name, Reason)>;

/// The orders by their steps (notes 12.1), and within a step in the order in which they were given.
fn in_order(waiting: &[Astronomics]) -> Vec<(LineId, &Astronomics)> {
    let mut orders: Vec<_> =
        waiting.iter().enumerate().map(|(index, order)| (LineId::nth(index), order)).collect();
    orders.sort_by_key(|(_, order)| order.step());
    orders
}

impl Update<'_> {
    /// The phases of chapter 6.1, in their order.
    pub(crate) fn astronomics(&mut self, waiting: &[Astronomics]) {
        self.master_changes(waiting);
        let before = self.stabilize_portals();
        self.collapse_portals(&before);
        self.fluctuate_storms();
    }

    /// 6.1.1 to 6.1.6: what the game master changes; also outside an update (notes 12.2).
    /// Afterwards objects stay where they are and keep their ids, so what depends on that is made
    /// anew here.
    pub(crate) fn master_changes(&mut self, waiting: &[Astronomics]) {
        let (known, changes): (Vec<_>, Vec<_>) = in_order(waiting)
            .into_iter()
            .partition(|(_, order)| order.step() >= AstronomicsStep::RemoveKnown);
        for (line, order) in changes {
            self.change(line, order);
        }
        self.objects = ObjectIndex::build(self.galaxy());
        self.worlds = vec![WorldTurn::default(); self.galaxy().worlds.len()];
        if !waiting.is_empty() {
            self.index_ships();
        }
        for (line, order) in known {
            self.change(line, order);
        }
    }

    /// One order.
    fn change(&mut self, line: LineId, order: &Astronomics) {
        let done = match order {
            Astronomics::RemoveConnection { entry, exit } => self.remove_connection(*entry, *exit),
            Astronomics::RemoveObjects { kind, names } => {
                return self.remove_objects(line, *kind, names);
            }
            Astronomics::RemoveShips { empire, ships } => {
                return self.remove_ships(line, *empire, ships);
            }
            Astronomics::RelocateObject { kind, name, to } => {
                self.relocate_object(*kind, *name, *to)
            }
            Astronomics::RelocateShips { empire, ships, to } => {
                return self.relocate_ships(line, *empire, ships, *to);
            }
            Astronomics::AddClass { name, hull, ratings, tonnage, cost, unbuildable } => {
                self.master_class(*name, *hull, *ratings, (*tonnage, *cost), *unbuildable)
            }
            Astronomics::AddPortal { at, name, collapse_turns } => {
                let portal = Portal {
                    name: *name,
                    at: *at,
                    exits: Vec::new(),
                    collapsed: false,
                    collapse_turns: *collapse_turns,
                };
                self.is_free(*name, *at).map(|()| self.game.galaxy.portals.push(portal))
            }
            Astronomics::AddStorm { at, name, rating, pattern } => {
                let (rating, pattern) = (*rating, pattern.clone());
                let storm = Storm { name: *name, at: *at, rating, initial: rating, pattern };
                self.is_free(*name, *at).map(|()| self.game.galaxy.storms.push(storm))
            }
            Astronomics::AddWorld { .. } => self.add_world(order),
            Astronomics::AddConnection { entry, exit } => self.add_connection(*entry, *exit),
            Astronomics::AddShips { .. } => return self.add_ships(line, order),
            Astronomics::ModifyWorld { .. } => self.modify_world(order),
            Astronomics::ModifyStorm { name, rating, pattern } => {
                self.modify_storm(*name, *rating, pattern.as_ref())
            }
            Astronomics::ModifyShip { empire, ship, dp, public } => {
                self.modify_ship(*empire, *ship, *dp, *public)
            }
            Astronomics::CollapsePortal { portal, turns } => self.known_portal(*portal).map(|id| {
                self.game.galaxy.portals[id.index()].collapse_turns = *turns;
            }),
            Astronomics::RemoveKnown { kind, names, empires } => {
                return self.remove_all_known(line, *kind, names, empires);
            }
            Astronomics::AddKnown { kind, names, empires } => {
                return self.add_all_known(line, *kind, names, empires);
            }
        };
        self.names.read_objects(&self.game.galaxy);
        match done {
            Ok(()) => self.master.done(line),
            Err((item, reason)) => self.master.failed(line, item, reason),
        }
    }

    fn known_portal(&self, name: Name) -> Result<PortalId, (Name, Reason)> {
        self.names.portal(name).ok_or((name, Reason::UnknownName))
    }

    fn known_empire(&self, name: Name) -> Result<Seat, (Name, Reason)> {
        self.names.empire(name).ok_or((name, Reason::UnknownName))
    }

    /// Whether a new object may have a name and a place.
    fn is_free(&self, name: Name, at: Sector) -> Done {
        let taken = self.names.world(name).is_some()
            || self.names.portal(name).is_some()
            || self.names.storm(name).is_some();
        if taken {
            return Err((name, Reason::NameTaken));
        }
        if at.is_in_bounds() { Ok(()) } else { Err((name, Reason::TooFar)) }
    }

    fn remove_connection(&mut self, entry: Name, exit: Name) -> Done {
        let (from, to) = (self.known_portal(entry)?, self.known_portal(exit)?);
        let exits = &mut self.game.galaxy.portals[from.index()].exits;
        let place = exits.binary_search(&to).map_err(|_| (exit, Reason::NotConnected))?;
        exits.remove(place);
        Ok(())
    }

    fn remove_objects(&mut self, line: LineId, kind: ObjectKind, names: &Names) {
        for &name in names {
            let galaxy = &mut self.game.galaxy;
            let found = match kind {
                ObjectKind::World => self.names.world(name).map(|id| galaxy.remove_world(id)),
                ObjectKind::Portal => self.names.portal(name).map(|id| galaxy.remove_portal(id)),
                ObjectKind::Storm => self.names.storm(name).map(|id| galaxy.remove_storm(id)),
            };
            match found {
                Some(()) => self.master.done(line),
                None => self.master.failed(line, name, Reason::UnknownName),
            }
            self.names.read_objects(&self.game.galaxy);
        }
    }

    /// The live ships of an empire that the game master names; the rest of the names fail.
    fn master_ships(&mut self, line: LineId, empire: Name, names: &Names) -> Vec<ShipId> {
        let Some(seat) = self.names.empire(empire) else {
            self.master.failed(line, empire, Reason::UnknownName);
            return Vec::new();
        };
        let (mut ships, mut unknown) = self.named(seat, names);
        unknown.extend(
            ships
                .iter()
                .filter(|&&id| self.loss(id).is_some())
                .map(|&id| self.galaxy().ship(id).handle()),
        );
        ships.retain(|&id| self.loss(id).is_none());
        for name in unknown {
            self.master.failed(line, name, Reason::UnknownName);
        }
        ships
    }

    /// 6.1.1: neither destroyed nor a wreck; cargo goes along.
    fn remove_ships(&mut self, line: LineId, empire: Name, names: &Names) {
        let section = Section::of("6.1.1");
        for id in self.master_ships(line, empire, names) {
            for gone in self.index.cargo_of(id).chain([id]).collect::<Vec<_>>() {
                self.tell_owner(section, gone, Deed::Removed, 0);
                self.ships[gone.index()].removed = true;
                self.game.galaxy.ship_mut(gone).dp = 0;
            }
            self.master.done(line);
        }
    }

    /// 6.1.2: no rule of engines, storms or portals applies.
    fn relocate_object(&mut self, kind: ObjectKind, name: Name, to: Sector) -> Done {
        if !to.is_in_bounds() {
            return Err((name, Reason::TooFar));
        }
        let galaxy = &mut self.game.galaxy;
        let unknown = (name, Reason::UnknownName);
        let at = match kind {
            ObjectKind::World => {
                let id = self.names.world(name).ok_or(unknown)?;
                if galaxy.world_at(to).is_some_and(|other| other != id) {
                    return Err((name, Reason::WrongSector));
                }
                // 6.4.8 measures from where a homeworld is, not from where it was once.
                for empire in
                    galaxy.empires.iter_mut().filter(|empire| empire.homeworld == Some(id))
                {
                    empire.last_homeworld = Some(to);
                }
                &mut galaxy.worlds[id.index()].at
            }
            ObjectKind::Portal => {
                &mut galaxy.portals[self.names.portal(name).ok_or(unknown)?.index()].at
            }
            ObjectKind::Storm => {
                &mut galaxy.storms[self.names.storm(name).ok_or(unknown)?.index()].at
            }
        };
        *at = to;
        Ok(())
    }

    fn relocate_ships(&mut self, line: LineId, empire: Name, names: &Names, to: Sector) {
        for id in self.master_ships(line, empire, names) {
            if to.is_in_bounds() {
                self.game.galaxy.ship_mut(id).carrier = None;
                self.carry(id, to);
                self.master.done(line);
            } else {
                self.master.failed(line, self.galaxy().ship(id).handle(), Reason::TooFar);
            }
        }
    }

    /// 6.1.3: hull maxima need not hold; tonnage and cost that are not given are worked out.
    fn master_class(
        &mut self,
        name: Name,
        hull: Hull,
        ratings: Ratings,
        (tonnage, cost): (Option<u32>, Option<u32>),
        unbuildable: bool,
    ) -> Done {
        let small = ratings.list().into_iter().all(|rating| rating <= RATING_MAX);
        if ratings.guns == 0 || ratings.dp == 0 || !small {
            return Err((name, Reason::BadRating));
        }
        if self.names.class(name).is_some() {
            return Err((name, Reason::NameTaken));
        }
        let computed = if hull.is_missile() {
            Class::missile(name, ratings.guns, tonnage.unwrap_or(1).max(1))
                .map(|class| Class { ratings, ..class })
        } else {
            Class::sized(name, hull, ratings)
        };
        let given = tonnage.zip(cost).map(|(tonnage, cost)| Class {
            name,
            hull,
            ratings,
            tonnage,
            cost,
            unbuildable,
        });
        let class = computed.or(given).ok_or((name, Reason::TooBig))?;
        let (tonnage, cost) = (tonnage.unwrap_or(class.tonnage), cost.unwrap_or(class.cost));
        let sizes = 1..=crate::class::SIZE_MAX;
        if !sizes.contains(&tonnage) || !(sizes.contains(&cost) || cost == 0 && unbuildable) {
            return Err((name, Reason::TooBig));
        }
        if self.galaxy().classes.len() >= usize::from(u16::MAX) {
            return Err((name, Reason::TooBig));
        }
        self.add_class(Class { tonnage, cost, unbuildable, ..class });
        Ok(())
    }

    fn add_world(&mut self, order: &Astronomics) -> Done {
        let &Astronomics::AddWorld { at, name, production, stockpile, owner } = order else {
            return Ok(());
        };
        self.is_free(name, at)?;
        if self.galaxy().world_at(at).is_some() {
            return Err((name, Reason::WrongSector));
        }
        let owner = owner.map(|owner| self.known_empire(owner)).transpose()?;
        self.game.galaxy.worlds.push(World {
            name,
            at,
            production,
            stockpile,
            owner,
            siege: Siege::None,
        });
        Ok(())
    }

    fn add_connection(&mut self, entry: Name, exit: Name) -> Done {
        let (from, to) = (self.known_portal(entry)?, self.known_portal(exit)?);
        if from == to {
            return Err((exit, Reason::BadName));
        }
        let exits = &mut self.game.galaxy.portals[from.index()].exits;
        if let Err(place) = exits.binary_search(&to) {
            exits.insert(place, to);
        }
        Ok(())
    }

    fn add_ships(&mut self, line: LineId, order: &Astronomics) {
        let Astronomics::AddShips { at, empire, count, class, dp, public, naming } = order else {
            return;
        };
        let (seat, id) = (self.names.empire(*empire), self.names.class(*class));
        let (Some(seat), Some(id)) = (seat, id) else {
            return self.master.failed(
                line,
                if seat.is_none() { *empire } else { *class },
                Reason::UnknownName,
            );
        };
        if !(1..=self.galaxy().class(id).ratings.dp).contains(dp) || !at.is_in_bounds() {
            let reason = if at.is_in_bounds() { Reason::BadRating } else { Reason::TooFar };
            return self.master.failed(line, *class, reason);
        }
        let mut numbers = match naming {
            Naming::Numbered(_) => self.numbers_in_use(seat),
            Naming::Listed(_) => std::collections::HashMap::default(),
        };
        let mut names = Christening::new(naming, Some(&mut numbers));
        for _ in 0..*count {
            let name = match self.christen(seat, &mut names) {
                Ok(name) => name,
                Err((item, reason)) => {
                    self.master.note(line, item, reason);
                    Name::NONE
                }
            };
            let ship =
                |serial| Ship { public: *public, ..Ship::new(seat, serial, name, id, *dp, *at) };
            let Some(added) = self.add_ship(seat, ship) else {
                return self.master.failed(line, *empire, Reason::TooBig);
            };
            self.master.done(line);
            self.tell_owner(Section::of("6.1.3"), added, Deed::Added, 0);
        }
    }

    fn modify_world(&mut self, order: &Astronomics) -> Done {
        let &Astronomics::ModifyWorld { name, production, stockpile, owner } = order else {
            return Ok(());
        };
        let id = self.names.world(name).ok_or((name, Reason::UnknownName))?;
        let former = self.galaxy().world(id).owner;
        let owner = match owner {
            NewOwner::Unchanged => former,
            NewOwner::Nobody => None,
            NewOwner::Empire(empire) => Some(self.known_empire(empire)?),
        };
        let world = self.game.galaxy.world_mut(id);
        (world.production, world.stockpile, world.owner) = (production, stockpile, owner);
        if owner.is_none() {
            world.siege = Siege::None;
        }
        Ok(())
    }

    /// The new rating of a random storm is also what it stays within (notes 10).
    fn modify_storm(&mut self, name: Name, rating: u32, pattern: Option<&Pattern>) -> Done {
        let id = self.names.storm(name).ok_or((name, Reason::UnknownName))?;
        let storm = &mut self.game.galaxy.storms[id.index()];
        storm.rating = rating;
        if let Some(pattern) = pattern {
            storm.pattern = pattern.clone();
        }
        if storm.pattern == Pattern::Random {
            storm.initial = rating;
        }
        Ok(())
    }

    fn modify_ship(&mut self, empire: Name, ship: Name, dp: u16, public: bool) -> Done {
        let seat = self.known_empire(empire)?;
        let id = self.names.ship(seat, ship).filter(|&id| self.loss(id).is_none());
        let id = id.ok_or((ship, Reason::UnknownName))?;
        if !(1..=self.galaxy().class_of(self.galaxy().ship(id)).ratings.dp).contains(&dp) {
            return Err((ship, Reason::BadRating));
        }
        let ship = self.game.galaxy.ship_mut(id);
        (ship.dp, ship.public) = (dp, public);
        Ok(())
    }

    /// 6.1.7: collapsed portals reform. Says which were collapsed.
    fn stabilize_portals(&mut self) -> Vec<bool> {
        let portals = self.game.galaxy.portals.iter_mut();
        portals.map(|portal| std::mem::take(&mut portal.collapsed)).collect()
    }

    /// 6.1.8: portals collapse, ordered to or by themselves (R45). Only what differs from before is
    /// news.
    fn collapse_portals(&mut self, before: &[bool]) {
        let turn = u64::from(self.turn());
        let (percent, turns_max) = (
            self.game.options.portal_collapse_percent,
            self.game.options.portal_collapse_turns_max,
        );
        for (index, &was) in before.iter().enumerate() {
            let portal = &mut self.game.galaxy.portals[index];
            let draw = Draw::new("portal-collapse").at(turn).of(portal.name.number());
            if portal.collapse_turns > 0 {
                (portal.collapsed, portal.collapse_turns) = (true, portal.collapse_turns - 1);
            } else if percent > 0 && self.dice.roll(draw, 100) <= u32::from(percent) {
                let turns = self.dice.roll(draw.nth(1), turns_max);
                (portal.collapsed, portal.collapse_turns) = (true, turns - 1);
            }
            let (collapsed, at) = (portal.collapsed, portal.at);
            if collapsed != was {
                let section = Section::of(if collapsed { "6.1.8" } else { "6.1.7" });
                let what = What::Portal { portal: PortalId::at(index), collapsed };
                self.tell(section, Some(at), self.index.present(at), what);
            }
        }
    }

    /// 6.1.9, notes 10: ratings of storms change, never below 0.
    fn fluctuate_storms(&mut self) {
        let turn = self.turn();
        for storm in &mut self.game.galaxy.storms {
            storm.rating = match &storm.pattern {
                Pattern::Constant => storm.rating,
                Pattern::Cyclic(steps) => {
                    let step = steps[(turn as usize - 1) % steps.len()];
                    storm.rating.saturating_add_signed(step).min(STORM_MAX)
                }
                Pattern::Random => {
                    let draw =
                        Draw::new("storm-rating").at(u64::from(turn)).of(storm.name.number());
                    self.dice.roll(draw, storm.initial + 1) - 1
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Fate;
    use crate::testing::{Site, at, line, name, names};

    fn ratings(steps: Pattern, rating: u32, updates: usize) -> Vec<u32> {
        let mut site = Site::new(2);
        site.storm("S", (0, 0), rating, steps);
        (0..updates)
            .map(|_| {
                site.play();
                site.game.galaxy.storms[0].rating
            })
            .collect()
    }

    #[test]
    fn situation_12_a_cyclic_storm_steps_and_stops_at_0() {
        assert_eq!(ratings(Pattern::Cyclic([-3, -2, 2, 3].into()), 5, 5), [2, 0, 2, 5, 2]);
        assert_eq!(ratings(Pattern::Cyclic([-3].into()), 1, 2), [0, 0]);
    }

    #[test]
    fn situation_13_a_random_storm_takes_every_value_up_to_its_initial_rating() {
        let drawn = ratings(Pattern::Random, 4, 1000);
        assert!(
            (0..=4).all(|rating| drawn.contains(&rating))
                && drawn.iter().all(|&rating| rating <= 4)
        );
    }

    #[test]
    fn r45_portals_collapse_by_themselves_and_reform() {
        let mut site = Site::new(2);
        site.portal("P", (0, 0));
        site.ships("A", "Eye", "probe", (0, 0));
        let options = crate::Options {
            portal_collapse_percent: 50,
            local_frames: false,
            ..crate::Options::default()
        };
        site.game.options = std::sync::Arc::new(options);
        let (mut collapsed, mut told, mut last) = (0, 0, false);
        for _ in 0..200 {
            let played = site.play();
            let now = site.game.galaxy.portals[0].collapsed;
            let news =
                played.news.iter().filter(|news| matches!(news.what, What::Portal { .. })).count();
            assert_eq!(news, usize::from(now != last), "only net changes are news");
            (collapsed, told, last) = (collapsed + i32::from(now), told + news, now);
        }
        assert!((80..180).contains(&collapsed) && told > 20, "{collapsed} {told}");
    }

    fn ships(count: u32, class: &str, dp: u16, naming: Naming) -> Astronomics {
        let (at, empire, class) = (at((3, 3)), name("A"), name(class));
        Astronomics::AddShips { at, empire, count, class, dp, public: true, naming }
    }

    #[test]
    fn the_game_master_adds_moves_changes_and_removes() {
        let mut site = Site::new(2);
        site.ships("A", "M", "carrier", (0, 0));
        site.ships("A", "F1 F2", "fighter", (0, 0));
        site.load("A", "F1 F2", "M");
        let ratings = Ratings { guns: 70, dp: 30, engines: 9, scan: 1, racks: 0 };
        let class = Astronomics::AddClass {
            name: name("monster"),
            hull: Hull::Scout,
            ratings,
            tonnage: Some(5),
            cost: None,
            unbuildable: true,
        };
        let orders = [
            ships(2, "monster", 30, Naming::Numbered(name("mon"))),
            class,
            Astronomics::RelocateShips { empire: name("A"), ships: names("F1 M"), to: at((5, 5)) },
            Astronomics::AddWorld {
                at: at((3, 3)),
                name: name("W"),
                production: 4,
                stockpile: 1,
                owner: Some(name("A")),
            },
            Astronomics::AddPortal { at: at((1, 1)), name: name("P"), collapse_turns: 1 },
            Astronomics::AddPortal { at: at((2, 2)), name: name("Q"), collapse_turns: 0 },
            Astronomics::AddConnection { entry: name("P"), exit: name("Q") },
            Astronomics::AddStorm {
                at: at((0, 0)),
                name: name("P"),
                rating: 3,
                pattern: Pattern::Constant,
            },
            ships(1, "probe", 9, Naming::Listed(names("x"))),
            Astronomics::ModifyShip { empire: name("A"), ship: name("M"), dp: 3, public: true },
        ];
        let played = site.master(orders).play();
        let fates: Vec<Fate> = played.master.iter().map(|(fate, _)| *fate).collect();
        let expected = [true, true, true, true, true, true, true, false, false, true];
        assert_eq!(fates, expected.map(|done| if done { Fate::Done } else { Fate::Refused }));
        assert_eq!(
            (played.master[7].1[0], played.master[8].1[0]),
            (Reason::NameTaken, Reason::BadRating)
        );
        assert_eq!(site.ship("A", "mon2").at, at((3, 3)), "classes come before ships");
        assert_eq!(
            (site.carrier("A", "F1"), site.carrier("A", "F2")),
            (String::new(), "M".to_owned())
        );
        assert_eq!((site.ship("A", "F2").at, site.dp("A", "M")), (at((5, 5)), 4));
        assert!(site.game.galaxy.portals[0].collapsed && site.owner("W") == "A");

        let orders = [
            Astronomics::RemoveShips { empire: name("A"), ships: names("M Ghost") },
            Astronomics::RemoveObjects { kind: ObjectKind::World, names: names("W") },
            Astronomics::RemoveObjects { kind: ObjectKind::Portal, names: names("P") },
            Astronomics::RelocateObject {
                kind: ObjectKind::Portal,
                name: name("Q"),
                to: at((9, 9)),
            },
        ];
        site.orders("A", [line::go("M", (5, 4)), line::go("mon1", (3, 4))]);
        let played = site.master(orders).play();
        assert_eq!(played.master[0], (Fate::Partly, vec![Reason::UnknownName]));
        assert_eq!(played.said("A", 0), "M vanished");
        assert!(played.wrecks.is_empty() && site.find("A", "F2").is_none());
        assert!(site.game.galaxy.worlds.is_empty() && site.empire("A").is_homeless());
        assert_eq!(site.game.galaxy.portals[0].at, at((9, 9)));
    }

    #[test]
    fn rule_6_1_3_only_the_game_master_adds_ships_of_an_unbuildable_class() {
        let mut site = Site::new(2);
        site.world("W", (0, 0), "A", 5, 100);
        site.ships("A", "G", "gunship", (0, 0));
        let ratings = Ratings { guns: 1, dp: 1, engines: 3, scan: 3, racks: 0 };
        let class = |text, unbuildable| Astronomics::AddClass {
            name: name(text),
            hull: Hull::Scout,
            ratings,
            tonnage: None,
            cost: None,
            unbuildable,
        };
        let known = Astronomics::AddKnown {
            kind: crate::master::KnownKind::Class,
            names: names("relic scout"),
            empires: names("A"),
        };
        let relic = ships(1, "relic", 1, Naming::Listed(names("old")));
        site.master([class("relic", true), class("scout", false), relic, known]);
        let orders = [line::build("W", "1", "relic", "new"), line::build("W", "1", "scout", "eye")];
        let played = site.orders("A", orders).play();
        assert!(played.master.iter().all(|(fate, _)| *fate == Fate::Done));
        assert_eq!([0, 1].map(|index| played.said("A", index)), ["relic not-buildable", ""]);
        assert!(site.find("A", "old").is_some() && site.find("A", "new").is_none());
    }

    #[test]
    fn rule_6_1_3_a_class_is_within_bounds_and_free_only_where_nobody_builds_it() {
        let mut site = Site::new(2);
        let ratings = Ratings { guns: 1, dp: 1, engines: 3, scan: 3, racks: 0 };
        let most = crate::class::SIZE_MAX;
        let classes = [
            (Some(most), Some(most), false, true),
            (Some(1), Some(0), true, true),
            (Some(1), Some(0), false, false),
            (Some(0), Some(1), true, false),
            (Some(most + 1), Some(1), true, false),
            (Some(1), Some(most + 1), true, false),
        ];
        let class = |nth: usize, (tonnage, cost, unbuildable, _)| Astronomics::AddClass {
            name: name(["one", "two", "three", "four", "five", "six"][nth]),
            hull: Hull::Scout,
            ratings,
            tonnage,
            cost,
            unbuildable,
        };
        let orders = classes.into_iter().enumerate().map(|(nth, given)| class(nth, given));
        let played = site.master(orders).play();
        let done: Vec<bool> = played.master.iter().map(|(fate, _)| *fate == Fate::Done).collect();
        assert_eq!(done, classes.map(|(.., fits)| fits));
    }

    #[test]
    fn notes_10_a_random_storm_stays_within_the_rating_that_it_is_given() {
        let mut site = Site::new(2);
        site.storm("S", (0, 0), 2, Pattern::Random);
        site.storm("T", (4, 0), 2, Pattern::Constant);
        let storm = |text| Astronomics::ModifyStorm { name: name(text), rating: 7, pattern: None };
        site.master([storm("S"), storm("T")]).play();
        let storms = &site.game.galaxy.storms;
        assert_eq!([storms[0].initial, storms[1].initial, storms[1].rating], [7, 2, 7]);
    }

    #[test]
    fn r45_portals_collapse_as_rarely_as_options_say() {
        let mut site = Site::new(2);
        site.portal("P", (0, 0));
        let options = crate::Options {
            portal_collapse_percent: 10,
            portal_collapse_turns_max: 1,
            local_frames: false,
            ..crate::Options::default()
        };
        site.game.options = std::sync::Arc::new(options);
        let collapsed = |_: &u32| {
            site.play();
            site.game.galaxy.portals[0].collapsed
        };
        let collapsed = (0..200).filter(collapsed).count();
        assert!((8..36).contains(&collapsed), "{collapsed} of 200");
    }

    #[test]
    fn the_game_master_gives_and_takes_knowledge() {
        use crate::master::KnownKind;
        let mut site = Site::new(2);
        site.world("W", (4, 0), "B", 6, 9);
        site.portal("P", (7, 0));
        site.missile("dart", 10, 1, "B");
        let add = |kind, what: &str| Astronomics::AddKnown {
            kind,
            names: names(what),
            empires: names("A"),
        };
        let remove = |kind, what: &str| Astronomics::RemoveKnown {
            kind,
            names: names(what),
            empires: names("A"),
        };
        let world = KnownKind::Object(ObjectKind::World);
        site.master([
            add(world, "W"),
            add(KnownKind::Navigation, "P"),
            add(KnownKind::Class, "dart"),
            add(world, "X"),
        ]);
        site.master([remove(KnownKind::Contact, "B")]);
        let played = site.play();
        assert_eq!((played.master[0].0, played.master[3].0), (Fate::Done, Fate::Refused));
        let chart = &site.game.knowledge[0].chart;
        assert_eq!(chart.worlds.len(), 1);
        assert!(chart.object(name("P")).is_some());
        let dart = site.class_id("dart");
        assert!(site.empire("A").classes.contains(dart) && site.empire("A").contacts.is_empty());
        assert!(site.empire("A").navigation.contains(PortalId(0)));
        site.master([remove(world, "W"), remove(KnownKind::Object(ObjectKind::Portal), "P")])
            .play();
        assert!(
            site.game.knowledge[0].chart.worlds.is_empty()
                && site.empire("A").navigation.is_empty()
        );
    }

    #[test]
    fn rule_6_1_6_portals_that_are_shown_enter_the_map_where_they_are_and_each_once() {
        let mut site = Site::new(2);
        site.portal("P", (7, 0));
        site.portal("Q", (7, 0));
        site.portal("R", (0, 4));
        let show = |portals: &str| Astronomics::AddKnown {
            kind: crate::master::KnownKind::Object(ObjectKind::Portal),
            names: names(portals),
            empires: names("A"),
        };
        site.master([show("P R"), show("Q P")]).play();
        let chart = &site.game.knowledge[0].chart;
        let portals: Vec<_> =
            chart.portals.iter().map(|row| (row.name.to_string(), row.at.o, row.at.y)).collect();
        let row = |portal: &str, o, y| (portal.to_owned(), o, y);
        assert_eq!(portals, [row("R", 0, 4), row("P", 7, 0), row("Q", 7, 0)]);
    }

    #[test]
    fn rule_6_1_3_what_the_game_master_says_of_a_class_or_a_ship_is_not_worked_out() {
        let mut site = Site::new(2);
        let dart = Ratings { guns: 20, dp: 3, engines: 2, scan: 1, racks: 0 };
        let class = |text, hull, ratings, tonnage, cost| Astronomics::AddClass {
            name: name(text),
            hull,
            ratings,
            tonnage,
            cost,
            unbuildable: false,
        };
        let gunboat = Ratings { guns: 20, dp: 15, engines: 4, scan: 2, racks: 0 };
        site.master([
            class("free", Hull::Gunship, gunboat, None, None),
            class("given", Hull::Gunship, gunboat, Some(7), Some(9)),
            class("dart", Hull::Missile, dart, Some(3), None),
            ships(1, "given", 15, Naming::Listed(names("seen"))),
        ]);
        let played = site.play();
        assert!(played.master.iter().all(|(fate, _)| *fate == Fate::Done));
        let class = |text| *site.game.galaxy.class(site.class_id(text));
        assert_eq!((class("free").tonnage, class("free").cost), (16, 24));
        assert_eq!((class("given").tonnage, class("given").cost), (7, 9));
        assert_eq!((class("dart").tonnage, class("dart").ratings), (3, dart));
        assert!(site.ship("A", "seen").public, "private is what ships are by themselves");
    }

    #[test]
    fn rule_6_1_2_a_world_is_moved_to_no_sector_that_has_one() {
        let mut site = Site::new(2);
        site.world("W", (0, 0), "", 5, 0);
        site.world("V", (3, 0), "", 5, 0);
        let relocate = |to| Astronomics::RelocateObject {
            kind: ObjectKind::World,
            name: name("W"),
            to: at(to),
        };
        let played = site.master([relocate((3, 0)), relocate((0, 0))]).play();
        assert_eq!(played.master[0], (Fate::Refused, vec![Reason::WrongSector]));
        assert_eq!(played.master[1].0, Fate::Done, "it is where it was");
    }

    #[test]
    fn rule_6_1_3_a_class_has_guns_and_damage_points_and_no_rating_beyond_the_largest() {
        let class = |guns, dp, scan| {
            let ratings = Ratings { guns, dp, engines: 1, scan, racks: 0 };
            let (name, hull) = (name("odd"), Hull::Scout);
            let class = Astronomics::AddClass {
                name,
                hull,
                ratings,
                tonnage: Some(1),
                cost: Some(1),
                unbuildable: false,
            };
            Site::new(2).master([class]).play().master.remove(0)
        };
        let bad = (Fate::Refused, vec![Reason::BadRating]);
        assert_eq!(class(0, 5, 1), bad);
        assert_eq!(class(5, 0, 1), bad);
        assert_eq!(class(5, 5, RATING_MAX + 1), bad);
        assert_eq!(class(5, 5, RATING_MAX).0, Fate::Done);
    }
}
