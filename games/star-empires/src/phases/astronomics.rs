//! 6.1 astronomics: the game master's changes, then portals and storms.

use heliopause_kernel::{Draw, Seat};

use crate::class::Class;
use crate::geometry::Sector;
use crate::hull::{Hull, RATING_MAX, Ratings};
use crate::ids::{Id, PortalId, ShipId};
use crate::index::ObjectIndex;
use crate::ledger::LineId;
use crate::master::{Astronomics, NewOwner, ObjectKind};
use crate::name::Name;
use crate::news::What;
use crate::objects::{Pattern, Portal, STORM_MAX, Siege, Storm, World};
use crate::order::{Names, Naming};
use crate::phases::maintenance::ShipNames;
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::ship::Ship;
use crate::text::Verb;
use crate::update::{Update, WorldTurn};

/// Success, or the name that made an order fail and the reason.
type Done = Result<(), (Name, Reason)>;

/// Returns the orders by step (notes 12.1), then in the order of submission.
fn in_order(waiting: &[Astronomics]) -> Vec<(LineId, &Astronomics)> {
    let mut orders: Vec<_> =
        waiting.iter().enumerate().map(|(index, order)| (LineId::nth(index), order)).collect();
    orders.sort_by_key(|(_, order)| step(order));
    orders
}

/// Returns the first order of the step in which 6.1 executes an order (notes 12.1).
fn step(order: &Astronomics) -> Verb {
    let verb = order.verb();
    if matches!(verb, Verb::RelocateShips) {
        Verb::RelocateObject
    } else if matches!(verb, Verb::ModifyStorm | Verb::ModifyShip | Verb::CollapsePortal) {
        Verb::ModifyWorld
    } else {
        verb
    }
}

impl Update<'_> {
    pub(crate) fn astronomics(&mut self, waiting: &[Astronomics]) {
        self.master_changes(waiting);
        let before = self.stabilize_portals();
        self.collapse_portals(&before);
        self.fluctuate_storms();
    }

    /// 6.1.1 to 6.1.6: applies the game master's changes. Rebuilds the data that depends on the
    /// sectors and ids of objects. Later phases do not change these sectors and ids.
    pub(crate) fn master_changes(&mut self, waiting: &[Astronomics]) {
        let (known, changes): (Vec<_>, Vec<_>) =
            in_order(waiting).into_iter().partition(|(_, order)| step(order) >= Verb::RemoveKnown);
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
                let (name, at, collapse_turns) = (*name, *at, *collapse_turns);
                let portal = Portal { name, at, collapse_turns, ..Portal::default() };
                self.is_free(name, at).map(|()| self.game.galaxy.portals.push(portal))
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
                let change =
                    |update: &mut Self, seat, name| update.remove_knowledge(seat, *kind, name);
                return self.change_knowledge(line, names, empires, change);
            }
            Astronomics::AddKnown { kind, names, empires } => {
                let change =
                    |update: &mut Self, seat, name| update.add_knowledge(seat, *kind, name);
                return self.change_knowledge(line, names, empires, change);
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

    /// Returns the named live ships of an empire. Records other names as failed.
    fn master_ships(&mut self, line: LineId, empire: Name, names: &Names) -> Vec<ShipId> {
        let Some(seat) = self.names.empire(empire) else {
            self.master.failed(line, empire, Reason::UnknownName);
            return Vec::new();
        };
        let (mut ships, mut unknown) = self.named(seat, names);
        let lost = ships.extract_if(.., |id| self.loss(*id).is_some());
        unknown.extend(lost.map(|id| self.galaxy().ship(id).handle()));
        for name in unknown {
            self.master.failed(line, name, Reason::UnknownName);
        }
        ships
    }

    /// 6.1.1: removes ships with their cargo. They do not count as destroyed and leave no wrecks.
    fn remove_ships(&mut self, line: LineId, empire: Name, names: &Names) {
        let section = Section::of("6.1.1");
        for id in self.master_ships(line, empire, names) {
            for gone in self.index.cargo_of(id).chain([id]).collect::<Vec<_>>() {
                self.add_owner_news(section, gone, Deed::Removed, 0);
                self.ships[gone.index()].removed = true;
                self.game.galaxy.ship_mut(gone).dp = 0;
            }
            self.master.done(line);
        }
    }

    /// 6.1.2: relocates a world, portal or storm to any sector in bounds.
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
                    return Err((name, Reason::SectorOccupied));
                }
                // 6.4.8 measures distances from the current sector of the homeworld.
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
                self.move_with_cargo(id, to);
                self.master.done(line);
            } else {
                self.master.failed(line, self.galaxy().ship(id).handle(), Reason::TooFar);
            }
        }
    }

    /// 6.1.3: adds a class, ignoring hull maxima. Computes tonnage and cost if they are missing.
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
        let sized = |(tonnage, cost)| Class { name, hull, ratings, tonnage, cost, unbuildable };
        let given = tonnage.zip(cost).map(sized);
        let class = computed.or(given).ok_or((name, Reason::TooBig))?;
        let (tonnage, cost) = (tonnage.unwrap_or(class.tonnage), cost.unwrap_or(class.cost));
        let sizes = 1..=crate::class::SIZE_MAX;
        if !sizes.contains(&tonnage) || !(sizes.contains(&cost) || cost == 0 && unbuildable) {
            return Err((name, Reason::TooBig));
        }
        if self.galaxy().classes.len() >= usize::from(u16::MAX) {
            return Err((name, Reason::TooManyClasses));
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
            return Err((name, Reason::SectorOccupied));
        }
        let owner = owner.map(|owner| self.known_empire(owner)).transpose()?;
        self.game.galaxy.worlds.push(World {
            name,
            at,
            production,
            stockpile,
            owner,
            ..World::default()
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
            let unknown = if seat.is_none() { *empire } else { *class };
            return self.master.failed(line, unknown, Reason::UnknownName);
        };
        if !(1..=self.galaxy().class(id).ratings.dp).contains(dp) || !at.is_in_bounds() {
            let reason = if at.is_in_bounds() { Reason::BadRating } else { Reason::TooFar };
            return self.master.failed(line, *class, reason);
        }
        let mut numbers = match naming {
            Naming::Numbered(_) => self.numbers_in_use(seat),
            Naming::Listed(_) => std::collections::HashMap::default(),
        };
        let mut names = ShipNames::new(naming, Some(&mut numbers));
        for _ in 0..*count {
            let name = match self.next_ship_name(seat, &mut names) {
                Ok(name) => name,
                Err((item, reason)) => {
                    self.master.note(line, item, reason);
                    Name::NONE
                }
            };
            let ship =
                |serial| Ship { public: *public, ..Ship::new(seat, serial, name, id, *dp, *at) };
            let Some(added) = self.add_ship(seat, ship) else {
                return self.master.failed(line, *empire, Reason::TooManyShips);
            };
            self.master.done(line);
            self.add_owner_news(Section::of("6.1.3"), added, Deed::Added, 0);
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

    /// Changes a storm. The rating is also the new maximum of a random storm (notes 10).
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

    /// 6.1.7: reforms collapsed portals. Returns, for each portal, whether it was collapsed.
    fn stabilize_portals(&mut self) -> Vec<bool> {
        let portals = self.game.galaxy.portals.iter_mut();
        portals.map(|portal| std::mem::take(&mut portal.collapsed)).collect()
    }

    /// 6.1.8: collapses portals by order or by chance (R45). Adds news of changes since `before`.
    fn collapse_portals(&mut self, before: &[bool]) {
        let turn = u64::from(self.turn());
        let options = &self.game.options;
        let percent = options.portal_collapse_percent;
        let turns_max = options.portal_collapse_turns_max;
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
                self.add_news(section, Some(at), self.index.present(at), what);
            }
        }
    }

    /// 6.1.9, notes 10: changes the ratings of storms, never below 0.
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
    use crate::report::Item;
    use crate::testing::Site;

    /// Runs 200 updates with one portal. Counts the updates in which the portal is collapsed, and
    /// the updates with news.
    fn collapses(percent: u8, turns: u32) -> (usize, usize) {
        let mut site = Site::of("portal P (0,0); ships A probe (0,0) Eye");
        let options = crate::Options {
            portal_collapse_percent: percent,
            portal_collapse_turns_max: turns,
            local_frames: false,
            ..crate::Options::default()
        };
        site.game.options = std::sync::Arc::new(options);
        let (mut collapsed, mut told, mut last) = (0, 0, false);
        for _ in 0..200 {
            site.close();
            let now = site.game.galaxy.portals[0].collapsed;
            let news = site.game.knowledge[0].report.news.iter();
            let news = news.filter(|news| matches!(news.item, Item::Portal { .. })).count();
            assert_eq!(news, usize::from(now != last), "only net changes are news");
            (collapsed, told, last) = (collapsed + usize::from(now), told + news, now);
        }
        (collapsed, told)
    }

    #[test]
    fn r45_portals_collapse_and_reform_at_the_configured_rate() {
        let (collapsed, told) = collapses(50, 3);
        assert!((80..180).contains(&collapsed) && told > 20, "{collapsed} {told}");
        let (collapsed, _) = collapses(10, 1);
        assert!((8..36).contains(&collapsed), "{collapsed} of 200");
    }
}
