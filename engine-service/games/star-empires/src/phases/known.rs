//! 6.1.5, 6.1.6: what the game master takes out of an empire's knowledge, or puts into it.

use heliopause_kernel::Seat;

use crate::chart::{PortalSeen, SectorSeen, Status, StormSeen, WorldSeen};
use crate::geometry::Sector;
use crate::ledger::LineId;
use crate::master::{KnownKind, ObjectKind};
use crate::name::Name;
use crate::reason::Reason;
use crate::report::Source;
use crate::section::Section;
use crate::update::Update;

impl Update<'_> {
    /// 6.1.6: what empires are told to know.
    pub(crate) fn add_all_known(
        &mut self,
        line: LineId,
        kind: KnownKind,
        names: &[Name],
        empires: &[Name],
    ) {
        self.change_known(line, names, empires, |update, seat, name| {
            update.add_known(seat, kind, name)
        });
    }

    /// 6.1.5: what empires are made to forget.
    pub(crate) fn remove_all_known(
        &mut self,
        line: LineId,
        kind: KnownKind,
        names: &[Name],
        empires: &[Name],
    ) {
        self.change_known(line, names, empires, |update, seat, name| {
            update.remove_known(seat, kind, name)
        });
    }

    fn change_known(
        &mut self,
        line: LineId,
        names: &[Name],
        empires: &[Name],
        change: impl Fn(&mut Self, Seat, Name) -> Option<()>,
    ) {
        for &empire in empires {
            let Some(seat) = self.names.empire(empire) else {
                self.master.failed(line, empire, Reason::UnknownName);
                continue;
            };
            for &name in names {
                match change(self, seat, name) {
                    Some(()) => self.master.done(line),
                    None => self.master.failed(line, name, Reason::UnknownName),
                }
            }
        }
    }

    /// 6.1.5: takes something out of a memory; `None` if there is no such thing, remembered or
    /// real.
    fn remove_known(&mut self, seat: Seat, kind: KnownKind, name: Name) -> Option<()> {
        match kind {
            KnownKind::Object(kind) => {
                let remembered = self.forget(seat, kind, name);
                let exists = match kind {
                    ObjectKind::World => self.names.world(name).is_some(),
                    ObjectKind::Storm => self.names.storm(name).is_some(),
                    ObjectKind::Portal => {
                        let portal = self.names.portal(name);
                        portal
                            .map(|portal| {
                                self.game.galaxy.empire_mut(seat).navigation.remove(portal)
                            })
                            .is_some()
                    }
                };
                (remembered || exists).then_some(())
            }
            KnownKind::Navigation => {
                let portal = self.names.portal(name)?;
                self.game.galaxy.empire_mut(seat).navigation.remove(portal);
                Some(())
            }
            KnownKind::Class => {
                let class = self.names.class(name)?;
                self.game.galaxy.empire_mut(seat).classes.remove(class);
                Some(())
            }
            KnownKind::Contact => {
                let other = self.names.empire(name).filter(|&other| other != seat)?;
                self.game.galaxy.empire_mut(seat).contacts.remove(other);
                Some(())
            }
        }
    }

    /// Takes an object off a map; says whether it was on it.
    fn forget(&mut self, seat: Seat, kind: ObjectKind, name: Name) -> bool {
        let chart = self.edit_chart(seat);
        let rows = (chart.worlds.len(), chart.portals.len(), chart.storms.len());
        match kind {
            ObjectKind::World => chart.worlds.retain(|row| row.name != name),
            ObjectKind::Portal => chart.portals.retain(|row| row.name != name),
            ObjectKind::Storm => chart.storms.retain(|row| row.name != name),
        }
        rows != (chart.worlds.len(), chart.portals.len(), chart.storms.len())
    }

    /// 6.1.6: puts something into a memory; `None` if there is no such thing.
    fn add_known(&mut self, seat: Seat, kind: KnownKind, name: Name) -> Option<()> {
        let section = Section::of("6.1.6");
        match kind {
            KnownKind::Object(ObjectKind::World) => self.show_world(seat, name)?,
            KnownKind::Object(ObjectKind::Portal) => {
                let portal = self.galaxy().portal(self.names.portal(name)?);
                let (at, name) = (portal.at, portal.name);
                let at = self.show_sector(seat, at);
                let chart = self.edit_chart(seat);
                chart.portals.retain(|row| (row.at, row.name) != (at, name));
                let place = chart.portals.partition_point(|row| (row.at, row.name) < (at, name));
                chart.portals.insert(place, PortalSeen { at, name, collapsed: None });
            }
            KnownKind::Object(ObjectKind::Storm) => {
                let storm = self.galaxy().storm(self.names.storm(name)?);
                let (at, name, rating) = (storm.at, storm.name, storm.rating);
                let at = self.show_sector(seat, at);
                let chart = self.edit_chart(seat);
                chart.storms.retain(|row| (row.at, row.name) != (at, name));
                let place = chart.storms.partition_point(|row| (row.at, row.name) < (at, name));
                chart.storms.insert(place, StormSeen { at, name, rating });
            }
            KnownKind::Navigation => {
                let portal = self.names.portal(name)?;
                self.learn_portal(section, seat, portal, None);
            }
            KnownKind::Class => {
                let class = self.names.class(name)?;
                self.learn_class(section, seat, class, Source::Master, None);
            }
            KnownKind::Contact => {
                let other = self.names.empire(name).filter(|&other| other != seat)?;
                self.meet(section, seat, other);
            }
        }
        Some(())
    }

    /// A world enters a map as a long-range scan of an earlier turn shows it.
    fn show_world(&mut self, seat: Seat, name: Name) -> Option<()> {
        let world = *self.galaxy().world(self.names.world(name)?);
        let at = self.show_sector(seat, world.at);
        let chart = self.edit_chart(seat);
        chart.worlds.retain(|row| row.at != at);
        let place = chart.worlds.partition_point(|row| row.at < at);
        let (name, production, owner) = (world.name, world.production, world.owner);
        let row = WorldSeen {
            at,
            name,
            production,
            owner,
            stockpile: None,
            homeworld: false,
            siege: None,
        };
        chart.worlds.insert(place, row);
        if let Some(owner) = owner.filter(|&owner| owner != seat) {
            self.game.galaxy.empire_mut(seat).heard_of.insert(owner);
        }
        Some(())
    }

    /// The row of a sector on a map, last scanned this turn; made if there is none.
    fn show_sector(&mut self, seat: Seat, sector: Sector) -> crate::geometry::Coord {
        let at = self.galaxy().empire(seat).frame.local(sector);
        let scanned = Some(self.turn());
        let chart = self.edit_chart(seat);
        match chart.sectors.binary_search_by_key(&at, |row| row.at) {
            Ok(place) => chart.sectors[place].scanned = scanned,
            Err(place) => {
                let row = SectorSeen {
                    at,
                    status: Status::Stale,
                    obscured: false,
                    shared: false,
                    scanned,
                };
                chart.sectors.insert(place, row);
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::{Seat, SeatSet};

    use crate::chart::Chart;
    use crate::master::{Astronomics, KnownKind, ObjectKind};
    use crate::objects::Pattern;
    use crate::reason::{Fate, Reason};
    use crate::testing::{Site, names};

    const KINDS: [ObjectKind; 3] = [ObjectKind::World, ObjectKind::Portal, ObjectKind::Storm];

    /// Three things of each kind that nobody sees: W, V, U; P, Q, R; S, T, N.
    fn site() -> Site {
        let mut site = Site::new(2);
        for (world, place) in [("W", (7, 0)), ("V", (0, 4)), ("U", (9, 9))] {
            site.world(world, place, "B", 5, 0);
        }
        for (portal, place) in [("P", (7, 0)), ("Q", (7, 0)), ("R", (0, 4))] {
            site.portal(portal, place);
        }
        for (storm, place) in [("S", (7, 0)), ("T", (7, 0)), ("N", (0, 4))] {
            site.storm(storm, place, 3, Pattern::Constant);
        }
        site
    }

    fn show(kind: ObjectKind, what: &str) -> Astronomics {
        let kind = KnownKind::Object(kind);
        Astronomics::AddKnown { kind, names: names(what), empires: names("A") }
    }

    fn hide(kind: ObjectKind, what: &str) -> Astronomics {
        let kind = KnownKind::Object(kind);
        Astronomics::RemoveKnown { kind, names: names(what), empires: names("A") }
    }

    /// The same order for things of each kind.
    fn each(order: fn(ObjectKind, &str) -> Astronomics, what: [&str; 3]) -> Vec<Astronomics> {
        KINDS.into_iter().zip(what).map(|(kind, what)| order(kind, what)).collect()
    }

    fn chart(site: &Site) -> &Chart {
        &site.game.knowledge[0].chart
    }

    /// The names on A's map, kind by kind, in the order of its rows.
    fn map(site: &Site) -> [String; 3] {
        let chart = chart(site);
        let worlds: Vec<_> = chart.worlds.iter().map(|row| row.name.to_string()).collect();
        let portals: Vec<_> = chart.portals.iter().map(|row| row.name.to_string()).collect();
        let storms: Vec<_> = chart.storms.iter().map(|row| row.name.to_string()).collect();
        [worlds, portals, storms].map(|rows| rows.join(" "))
    }

    #[test]
    fn rule_6_1_6_what_is_shown_enters_the_map_where_it_is_and_once() {
        let mut site = site();
        site.master(each(show, ["W V", "P R", "S N"])).play();
        site.master(each(show, ["V U W", "Q P", "T S"])).play();
        assert_eq!(map(&site), ["V W U", "R P Q", "N S T"]);
        let places: Vec<_> = chart(&site).sectors.iter().map(|row| (row.at.o, row.at.y)).collect();
        assert_eq!(places, [(0, 4), (7, 0), (9, 9)]);
        assert!(chart(&site).storms.iter().all(|row| row.rating == 3));
    }

    #[test]
    fn rule_6_1_5_what_is_forgotten_leaves_the_map_and_nothing_else_does() {
        let mut site = site();
        site.master(each(show, ["W V U", "P Q R", "S T N"])).play();
        site.master(each(hide, ["V", "P", "T"])).play();
        assert_eq!(map(&site), ["W U", "R Q", "N S"]);
    }

    #[test]
    fn rule_6_1_5_what_is_remembered_or_real_can_be_forgotten_and_nothing_else() {
        for (kind, what) in KINDS.into_iter().zip(["W", "P", "S"]) {
            let mut site = site();
            let unknown = (Fate::Refused, vec![Reason::UnknownName]);
            let played = site.master([hide(kind, what), hide(kind, "Nothing")]).play();
            assert_eq!(played.master[0].0, Fate::Done, "{what} is real");
            assert_eq!(played.master[1], unknown);
            site.master([show(kind, what)]).play();
            let removed = Astronomics::RemoveObjects { kind, names: names(what) };
            site.master([removed]).play();
            let played = site.master([hide(kind, what)]).play();
            assert_eq!(played.master[0].0, Fate::Done, "{what} is remembered");
            let played = site.master([hide(kind, what)]).play();
            assert_eq!(played.master[0], unknown);
        }
    }

    #[test]
    fn rule_6_1_6_who_is_shown_a_world_has_heard_of_its_owner_and_who_gets_a_contact_has_met() {
        let mut site = site();
        for empire in &mut site.galaxy().empires {
            (empire.contacts, empire.heard_of) = Default::default();
        }
        site.master([show(ObjectKind::World, "W")]).play();
        assert_eq!(site.empire("A").heard_of, SeatSet::one(Seat::at(1)));
        assert!(site.empire("A").contacts.is_empty());
        let (kind, empires) = (KnownKind::Contact, names("A"));
        let played =
            site.master([Astronomics::AddKnown { kind, names: names("B A"), empires }]).play();
        assert_eq!(played.master[0], (Fate::Partly, vec![Reason::UnknownName]));
        assert_eq!(site.empire("A").contacts, SeatSet::one(Seat::at(1)));
    }
}
