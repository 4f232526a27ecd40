//! 6.1.5, 6.1.6: changes to empires' knowledge by the game master.

use heliopause_kernel::Seat;

use crate::chart::{PortalSeen, SectorSeen, StormSeen, WorldSeen};
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
                    ObjectKind::Portal => self.names.portal(name).is_some_and(|portal| {
                        self.game.galaxy.empire_mut(seat).navigation.remove(portal);
                        true
                    }),
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
        let row = WorldSeen { at, name, production, owner, ..WorldSeen::default() };
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
                chart.sectors.insert(place, SectorSeen { at, scanned, ..SectorSeen::default() });
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
