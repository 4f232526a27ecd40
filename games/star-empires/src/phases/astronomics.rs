//! 6.1 astronomics: the game master's changes, then portals and storms.

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
use crate::phases::maintenance::ShipNames;
use crate::reason::Reason;
use crate::report::Deed;
use crate::section::Section;
use crate::ship::Ship;
use crate::update::{Update, WorldTurn};

/// Success, or the name that made an order fail and the reason.
type Done = Result<(), (Name, Reason)>;

/// Returns the orders by step (notes 12.1), then in the order of submission.
fn in_order(waiting: &[Astronomics]) -> Vec<(LineId, &Astronomics)> {
    let mut orders: Vec<_> =
        waiting.iter().enumerate().map(|(index, order)| (LineId::nth(index), order)).collect();
    orders.sort_by_key(|(_, order)| order.step());
    orders
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
    use super::*;
    use crate::testing::{Site, at, name};

    /// Runs 200 updates with one portal. Counts the updates in which the portal is collapsed, and
    /// the updates with news.
    fn collapses(percent: u8, turns: u32) -> (usize, usize) {
        let mut site = Site::new(2);
        site.portal("P", (0, 0));
        site.ships("A", "Eye", "probe", (0, 0));
        let options = crate::Options {
            portal_collapse_percent: percent,
            portal_collapse_turns_max: turns,
            local_frames: false,
            ..crate::Options::default()
        };
        site.game.options = std::sync::Arc::new(options);
        let (mut collapsed, mut told, mut last) = (0, 0, false);
        for _ in 0..200 {
            let news = site.play().news;
            let now = site.game.galaxy.portals[0].collapsed;
            let news = news.iter().filter(|news| matches!(news.what, What::Portal { .. })).count();
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

    #[test]
    fn the_game_master_adds_moves_changes_and_removes() {
        let mut site = Site::new(2);
        site.ships("A", "M", "carrier", (0, 0));
        site.ships("A", "F1 F2", "fighter", (0, 0));
        site.load("A", "F1 F2", "M");
        let orders = [
            "ADDSHIP (3,3) A 2 monster 30 PUBLIC mon*",
            "ADDSHIPCLASS monster scout 70 30 9 1 0 TONNAGE 5 UNBUILDABLE",
            "RELOCATESHIP A F1 M TO (5,5)",
            "ADDWORLD (3,3) W 4 1 A",
            "ADDPORTAL (1,1) P COLLAPSED 1",
            "ADDPORTAL (2,2) Q",
            "ADDCONNECTION P Q",
            "ADDSTORM (0,0) P 3 CONSTANT",
            "ADDSHIP (3,3) A 1 probe 9 PUBLIC x",
            "MODIFYSHIP A M 3 PUBLIC",
        ];
        let mut expected = ["done"; 10];
        (expected[7], expected[8]) = ("refused: name-taken", "refused: bad-rating");
        assert_eq!(site.master(orders).play().master_results(), expected);
        assert_eq!(site.ship("A", "mon2").at, at((3, 3)), "classes come before ships");
        assert_eq!([site.carrier("A", "F1"), site.carrier("A", "F2")], ["", "M"]);
        assert_eq!((site.ship("A", "F2").at, site.dp("A", "M")), (at((5, 5)), 4));
        assert!(site.game.galaxy.portals[0].collapsed && site.owner("W") == "A");

        site.orders("A", ["MOVE M TO (5,4)", "MOVE mon1 TO (3,4)"]);
        let orders = [
            "REMOVESHIP A M Ghost",
            "REMOVEOBJECT world W",
            "REMOVEOBJECT portal P",
            "RELOCATEOBJECT portal Q (9,9)",
        ];
        let played = site.master(orders).play();
        assert_eq!(played.master_results()[0], "partly: unknown-name");
        assert_eq!(played.told("A", 0), "refused: M vanished");
        assert!(played.wrecks.is_empty() && site.find("A", "F2").is_none());
        assert!(site.game.galaxy.worlds.is_empty() && site.empire("A").is_homeless());
        assert_eq!(site.game.galaxy.portals[0].at, at((9, 9)));
    }

    #[test]
    fn rule_6_1_3_only_the_game_master_adds_ships_of_an_unbuildable_class() {
        let mut site = Site::new(2);
        site.world("W", (0, 0), "A", 5, 100);
        site.ships("A", "G", "gunship", (0, 0));
        site.master([
            "ADDSHIPCLASS relic scout 1 1 3 3 0 UNBUILDABLE",
            "ADDSHIPCLASS scout_1 scout 1 1 3 3 0",
            "ADDSHIP (3,3) A 1 relic 1 PUBLIC old",
            "ADDKNOWN shipclass relic scout_1 TO A",
        ]);
        let orders = ["BUILD W 1 relic new", "BUILD W 1 scout_1 eye"];
        let played = site.orders("A", orders).play();
        assert_eq!(played.master_results(), ["done"; 4]);
        assert_eq!(played.lines("A"), ["refused: relic not-buildable", "done"]);
        assert!(site.find("A", "old").is_some() && site.find("A", "new").is_none());
    }

    #[test]
    fn rule_6_1_3_a_class_is_within_bounds_and_free_only_if_unbuildable() {
        let most = crate::class::SIZE_MAX;
        let fate = |class: String| {
            let order = format!("ADDSHIPCLASS odd scout {class}");
            Site::new(2).master([order]).play().master_results().remove(0)
        };
        for (tonnage, cost, mode, fits) in [
            (most, most, "", true),
            (1, 0, " UNBUILDABLE", true),
            (1, 0, "", false),
            (0, 1, " UNBUILDABLE", false),
            (most + 1, 1, " UNBUILDABLE", false),
            (1, most + 1, " UNBUILDABLE", false),
        ] {
            let done = fate(format!("1 1 3 3 0 TONNAGE {tonnage} COST {cost}{mode}")) == "done";
            assert_eq!(done, fits, "{tonnage} {cost}{mode}");
        }
        for (guns, dp, scan, told) in [
            (0, 5, 1, "refused: bad-rating"),
            (5, 0, 1, "refused: bad-rating"),
            (5, 5, RATING_MAX + 1, "refused: bad-rating"),
            (5, 5, RATING_MAX, "done"),
        ] {
            let class = format!("{guns} {dp} 1 {scan} 0 TONNAGE 1 COST 1");
            assert_eq!(fate(class), told, "{guns} {dp} {scan}");
        }
    }

    #[test]
    fn notes_10_a_random_storm_stays_within_its_new_rating() {
        let mut site = Site::new(2);
        site.storm("S", (0, 0), 2, Pattern::Random);
        site.storm("T", (4, 0), 2, Pattern::Constant);
        site.master(["MODIFYSTORM S 7", "MODIFYSTORM T 7"]).play();
        let storms = &site.game.galaxy.storms;
        assert_eq!([storms[0].initial, storms[1].initial, storms[1].rating], [7, 2, 7]);
    }

    #[test]
    fn the_game_master_gives_and_takes_knowledge() {
        let mut site = Site::new(2);
        site.world("W", (4, 0), "B", 6, 9);
        site.portal("P", (7, 0));
        site.missile("dart", 10, 1, "B");
        let orders = [
            "ADDKNOWN world W TO A",
            "ADDKNOWN navdata P TO A",
            "ADDKNOWN shipclass dart TO A",
            "ADDKNOWN world X TO A",
            "REMOVEKNOWN contact B FROM A",
        ];
        let told = site.master(orders).play().master_results();
        assert_eq!((told[0].as_str(), told[3].as_str()), ("done", "refused: unknown-name"));
        let chart = &site.game.knowledge[0].chart;
        assert_eq!(chart.worlds.len(), 1);
        assert!(chart.object(name("P")).is_some());
        let dart = site.class_id("dart");
        assert!(site.empire("A").classes.contains(dart) && site.empire("A").contacts.is_empty());
        assert!(site.empire("A").navigation.contains(PortalId(0)));
        site.master(["REMOVEKNOWN world W FROM A", "REMOVEKNOWN portal P FROM A"]).play();
        assert!(site.game.knowledge[0].chart.worlds.is_empty());
        assert!(site.empire("A").navigation.is_empty());
    }

    #[test]
    fn rule_6_1_3_given_values_of_classes_and_ships_are_not_computed() {
        let mut site = Site::new(2);
        let orders = [
            "ADDSHIPCLASS free gunship 20 15 4 2 0",
            "ADDSHIPCLASS given gunship 20 15 4 2 0 TONNAGE 7 COST 9",
            "ADDSHIPCLASS dart missile 20 3 2 1 0 TONNAGE 3",
            "ADDSHIP (3,3) A 1 given 15 PUBLIC seen",
        ];
        assert_eq!(site.master(orders).play().master_results(), ["done"; 4]);
        let class = |text| *site.game.galaxy.class(site.class_id(text));
        assert_eq!((class("free").tonnage, class("free").cost), (16, 24));
        assert_eq!((class("given").tonnage, class("given").cost), (7, 9));
        assert_eq!(
            (class("dart").tonnage, class("dart").ratings),
            (3, Ratings::new(20, 3, 2, 1, 0))
        );
        assert!(site.ship("A", "seen").public, "private is what ships are by themselves");
    }

    #[test]
    fn rule_6_1_2_a_world_cannot_move_to_a_sector_with_a_world() {
        let mut site = Site::new(2);
        site.world("W", (0, 0), "", 5, 0);
        site.world("V", (3, 0), "", 5, 0);
        let orders = ["RELOCATEOBJECT world W (3,0)", "RELOCATEOBJECT world W (0,0)"];
        let told = site.master(orders).play().master_results();
        assert_eq!(told, ["refused: sector-occupied", "done"], "it is where it was");
    }
}
