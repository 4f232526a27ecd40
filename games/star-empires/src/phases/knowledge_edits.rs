//! 6.1.5, 6.1.6: changes to empires' knowledge by the game master.

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
    /// 6.1.5, 6.1.6: calls `change` for each empire and name. `change` returns `None` for an
    /// unknown name, which is then recorded as failed.
    pub(crate) fn change_knowledge(
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

    /// 6.1.5: removes an item. Returns `None` if it neither exists nor is known to the empire.
    pub(crate) fn remove_knowledge(
        &mut self,
        seat: Seat,
        kind: KnownKind,
        name: Name,
    ) -> Option<()> {
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

    fn forget(&mut self, seat: Seat, kind: ObjectKind, name: Name) -> bool {
        let chart = self.edit_chart(seat);
        match kind {
            ObjectKind::World => take(&mut chart.worlds, |row| row.name == name),
            ObjectKind::Portal => take(&mut chart.portals, |row| row.name == name),
            ObjectKind::Storm => take(&mut chart.storms, |row| row.name == name),
        }
    }

    /// 6.1.6: adds an item to an empire's knowledge. Returns `None` if the item does not exist.
    pub(crate) fn add_knowledge(&mut self, seat: Seat, kind: KnownKind, name: Name) -> Option<()> {
        let section = Section::of("6.1.6");
        match kind {
            KnownKind::Object(ObjectKind::World) => self.show_world(seat, name)?,
            KnownKind::Object(ObjectKind::Portal) => {
                let portal = self.galaxy().portal(self.names.portal(name)?);
                let (at, name) = (portal.at, portal.name);
                let at = self.show_sector(seat, at);
                let row = PortalSeen { at, name, collapsed: None };
                put(&mut self.edit_chart(seat).portals, row, |row| (row.at, row.name));
            }
            KnownKind::Object(ObjectKind::Storm) => {
                let storm = self.galaxy().storm(self.names.storm(name)?);
                let (at, name, rating) = (storm.at, storm.name, storm.rating);
                let at = self.show_sector(seat, at);
                let row = StormSeen { at, name, rating };
                put(&mut self.edit_chart(seat).storms, row, |row| (row.at, row.name));
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

    /// Adds a world to a map, as a long-range scan in an earlier turn would show the world. Returns
    /// `None` if the world does not exist.
    fn show_world(&mut self, seat: Seat, name: Name) -> Option<()> {
        let world = *self.galaxy().world(self.names.world(name)?);
        let at = self.show_sector(seat, world.at);
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
        put(&mut self.edit_chart(seat).worlds, row, |row| row.at);
        if let Some(owner) = owner.filter(|&owner| owner != seat) {
            self.game.galaxy.empire_mut(seat).known_empires.insert(owner);
        }
        Some(())
    }

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

fn put<R, K: Ord>(rows: &mut Vec<R>, row: R, key: impl Fn(&R) -> K) {
    let own = key(&row);
    rows.retain(|other| key(other) != own);
    let place = rows.partition_point(|other| key(other) < own);
    rows.insert(place, row);
}

fn take<R>(rows: &mut Vec<R>, is_it: impl Fn(&R) -> bool) -> bool {
    let count = rows.len();
    rows.retain(|row| !is_it(row));
    rows.len() < count
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::{Seat, SeatSet};

    use crate::chart::Chart;
    use crate::objects::Pattern;
    use crate::testing::Site;

    const KINDS: [&str; 3] = ["world", "portal", "storm"];

    /// Returns a site with worlds W, V, U, portals P, Q, R and storms S, T, N that no empire sees.
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

    fn show(kind: &str, what: &str) -> String {
        format!("ADDKNOWN {kind} {what} TO A")
    }

    fn hide(kind: &str, what: &str) -> String {
        format!("REMOVEKNOWN {kind} {what} FROM A")
    }

    fn each(order: fn(&str, &str) -> String, what: [&str; 3]) -> Vec<String> {
        KINDS.into_iter().zip(what).map(|(kind, what)| order(kind, what)).collect()
    }

    fn chart(site: &Site) -> &Chart {
        &site.game.knowledge[0].chart
    }

    fn map(site: &Site) -> [String; 3] {
        let chart = chart(site);
        let worlds: Vec<_> = chart.worlds.iter().map(|row| row.name.to_string()).collect();
        let portals: Vec<_> = chart.portals.iter().map(|row| row.name.to_string()).collect();
        let storms: Vec<_> = chart.storms.iter().map(|row| row.name.to_string()).collect();
        [worlds, portals, storms].map(|rows| rows.join(" "))
    }

    #[test]
    fn rule_6_1_6_shown_objects_enter_the_map_once_at_their_sector() {
        let mut site = site();
        site.master(each(show, ["W V", "P R", "S N"])).play();
        site.master(each(show, ["V U W", "Q P", "T S"])).play();
        assert_eq!(map(&site), ["V W U", "R P Q", "N S T"]);
        let places: Vec<_> = chart(&site).sectors.iter().map(|row| (row.at.o, row.at.y)).collect();
        assert_eq!(places, [(0, 4), (7, 0), (9, 9)]);
        assert!(chart(&site).storms.iter().all(|row| row.rating == 3));
    }

    #[test]
    fn rule_6_1_5_only_the_named_object_leaves_the_map() {
        let mut site = site();
        site.master(each(show, ["W V U", "P Q R", "S T N"])).play();
        site.master(each(hide, ["V", "P", "T"])).play();
        assert_eq!(map(&site), ["W U", "R Q", "N S"]);
    }

    #[test]
    fn rule_6_1_5_only_remembered_or_real_things_can_be_forgotten() {
        const UNKNOWN: &str = "refused: unknown-name";
        for (kind, what) in KINDS.into_iter().zip(["W", "P", "S"]) {
            let mut site = site();
            let mut told =
                |orders: Vec<String>| site.master(orders).play().master_results().join(", ");
            let real = told(vec![hide(kind, what), hide(kind, "Nothing")]);
            assert_eq!(real, format!("done, {UNKNOWN}"), "{what} is real");
            told(vec![show(kind, what)]);
            told(vec![format!("REMOVEOBJECT {kind} {what}")]);
            assert_eq!(told(vec![hide(kind, what)]), "done", "{what} is remembered");
            assert_eq!(told(vec![hide(kind, what)]), UNKNOWN);
        }
    }

    #[test]
    fn rule_6_1_6_a_shown_world_names_its_owner_and_a_contact_is_met() {
        let mut site = site();
        for empire in &mut site.galaxy().empires {
            (empire.contacts, empire.known_empires) = Default::default();
        }
        site.master([show("world", "W")]).play();
        assert_eq!(site.empire("A").known_empires, SeatSet::one(Seat::at(1)));
        assert!(site.empire("A").contacts.is_empty());
        let played = site.master([show("contact", "B A")]).play();
        assert_eq!(played.master_results(), ["partly: unknown-name"]);
        assert_eq!(site.empire("A").contacts, SeatSet::one(Seat::at(1)));
    }
}
