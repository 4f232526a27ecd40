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
