//! 6.8.5, notes 8.2 and 8.3: the new map of an empire, from its old one and its scans.

use heliopause_kernel::Seat;

use super::picture::{SectorSnapshot, add_portals, add_storms};
use super::scan_index::{Place, ScanIndex};
use super::share::is_shown;
use super::sighting::{Level, Sighting};
use crate::chart::{
    Chart, ChartChange, FleetSeen, OldRows, SectorSeen, ShipSeen, Status, WorldSeen,
};
use crate::cursor::{Cursor, Keyed, lowest};
use crate::geometry::{Coord, Frame, Sector, sort_by_sector};
use crate::ids::{ClassId, IdSet, WorldId};
use crate::name::Name;
use crate::operational::Damage;
use crate::ship::Ship;

pub(crate) struct Reader<'a> {
    pub seat: Seat,
    pub frame: Frame,
    /// Classes that the empire knows. Damage points of other classes are hidden.
    pub classes: &'a IdSet<ClassId>,
    pub turn: u32,
}

impl Reader<'_> {
    pub(super) fn local(&self, at: Sector) -> Coord {
        self.frame.local(at)
    }
}

#[derive(Default)]
pub(crate) struct ScanInput<'a> {
    /// Sectors seen by the reader's ships and by ships of empires that share with the reader.
    pub sightings: Vec<Sighting<'a>>,
    pub pictures: Vec<&'a SectorSnapshot>,
    pub losses: Vec<(Sector, Option<Seat>)>,
    /// Whether the old map is of the same turn (notes 12.2). If so, the new map keeps the wrecks.
    pub same_turn: bool,
}

/// Returns the new map and its change from the old one, in one pass because maps are large.
pub(crate) fn chart(
    scan_index: &ScanIndex<'_>,
    reader: &Reader<'_>,
    old: &Chart,
    input: &ScanInput<'_>,
) -> (Chart, ChartChange) {
    let seen: Vec<Seen<'_>> =
        input.sightings.iter().map(|sighting| Seen::new(reader, sighting)).collect();
    let seen = sort_by_sector(seen, |seen| (seen.at.o, seen.at.y));
    let homes = scan_index.galaxy.worlds_of(reader.seat);
    let mut own_worlds: Vec<(Coord, WorldId)> =
        homes.map(|(id, world)| (reader.local(world.at), id)).collect();
    own_worlds.sort_unstable();
    let mut pictures: Vec<(Coord, &SectorSnapshot)> =
        input.pictures.iter().map(|&snapshot| (reader.local(snapshot.at), snapshot)).collect();
    // The latest picture takes precedence, even if another empire shared it (6.8.3).
    pictures.sort_by_key(|&(at, snapshot)| (at, snapshot.section, snapshot.owner == reader.seat));
    let losses = input.losses.iter().map(|&(at, to)| (reader.local(at), to)).collect();
    let sectors = Vec::with_capacity(old.sectors.len().max(seen.len()));
    let new = Chart { sectors, ..Chart::default() };
    let (changed, scratch) = (Vec::with_capacity(seen.len()), Vec::new());
    let (old_rows, same_turn) = (OldRows::new(old), input.same_turn);
    let mut draft =
        Draft { scan_index, reader, old_rows, losses, same_turn, new, changed, scratch };
    let (seen, own_worlds) = (Cursor::new(&seen), Cursor::new(&own_worlds));
    draft.draw(Cursor::new(&old.sectors), seen, Cursor::new(&pictures), own_worlds);
    draft.new.shrink_to_fit();
    let change = draft.new.change_of(draft.changed);
    (draft.new, change)
}

struct Draft<'a> {
    scan_index: &'a ScanIndex<'a>,
    reader: &'a Reader<'a>,
    old_rows: OldRows<'a>,
    losses: Vec<(Coord, Option<Seat>)>,
    same_turn: bool,
    new: Chart,
    /// The sectors that differ from the old map, sorted.
    changed: Vec<Coord>,
    scratch: Vec<(Option<(Seat, Name)>, u32)>,
}

#[derive(Clone, Copy)]
struct Seen<'a> {
    at: Coord,
    place: Option<&'a Place<'a>>,
    level: Level,
    by: Seat,
}

impl<'a> Seen<'a> {
    fn new(reader: &Reader<'_>, &Sighting { at, place, level, by }: &Sighting<'a>) -> Self {
        Self { at: reader.local(at), place, level, by }
    }
}

impl Keyed for Seen<'_> {
    type Key = Coord;

    fn key(&self) -> Coord {
        self.at
    }
}

struct SectorSources<'a> {
    at: Coord,
    before: Option<SectorSeen>,
    seen: &'a [Seen<'a>],
    picture: Option<&'a SectorSnapshot>,
    own_world: Option<WorldId>,
}

impl Draft<'_> {
    fn draw<'a>(
        &mut self,
        mut old: Cursor<'a, SectorSeen>,
        mut seen: Cursor<'a, Seen<'a>>,
        mut pictures: Cursor<'a, (Coord, &'a SectorSnapshot)>,
        mut own_worlds: Cursor<'a, (Coord, WorldId)>,
    ) {
        while let Some(at) = lowest([old.next(), seen.next(), pictures.next(), own_worlds.next()]) {
            let sources = SectorSources {
                at,
                before: old.to(at).first().copied(),
                seen: seen.to(at),
                picture: pictures.to(at).last().map(|entry| entry.1),
                own_world: own_worlds.to(at).first().map(|entry| entry.1),
            };
            let marks = self.new.marks();
            self.sector(&sources);
            if self.old_rows.differ(sources.before, &self.new, marks) {
                self.changed.push(at);
            }
        }
    }

    fn sector(&mut self, sources: &SectorSources<'_>) {
        let (at, seen) = (sources.at, sources.seen);
        let own =
            seen.iter().filter(|seen| seen.by == self.reader.seat).map(|seen| seen.level).max();
        let best = seen.iter().map(|seen| seen.level).max();
        let shared = own < best;
        let place = seen.first().and_then(|seen| seen.place);
        let scanned = Some(self.reader.turn);
        let row = SectorSeen { at, shared, scanned, ..SectorSeen::default() };
        match best {
            Some(level @ (Level::Scanned | Level::Visible)) => {
                let is_visible = level == Level::Visible;
                let status = if is_visible { Status::Visible } else { Status::Scanned };
                self.new.sectors.push(SectorSeen { status, ..row });
                self.draw_current(at, place, own, seen);
            }
            Some(Level::Obscured) | None => {
                let shared = shared
                    || sources.picture.is_some_and(|picture| picture.owner != self.reader.seat);
                let before = sources.before.and_then(|row| row.scanned);
                let scanned = if sources.picture.is_some() { row.scanned } else { before };
                let obscured = best.is_some();
                self.new.sectors.push(SectorSeen { obscured, shared, scanned, ..row });
                self.draw_remembered(sources, place);
            }
        }
    }

    fn draw_current(
        &mut self,
        at: Coord,
        place: Option<&Place<'_>>,
        own: Option<Level>,
        seen: &[Seen<'_>],
    ) {
        let Some(place) = place else { return };
        let visible = seen.iter().any(|seen| seen.level == Level::Visible);
        self.new.worlds.extend(place.world.map(|id| self.world(at, id, visible)));
        add_portals(&mut self.new.portals, self.scan_index, place, at);
        add_storms(&mut self.new.storms, self.scan_index, place, at);
        self.ships(at, place, own, seen);
    }

    /// Draws a remembered sector from a picture or the old map, with clouds in scan range (R50).
    fn draw_remembered(&mut self, sources: &SectorSources<'_>, place: Option<&Place<'_>>) {
        let (scan_index, reader, at) = (self.scan_index, self.reader, sources.at);
        // Portals and storms that a lost ship saw are still there.
        let place =
            place.or_else(|| sources.picture.and_then(|snapshot| scan_index.place(snapshot.at)));
        let remembered = match sources.picture {
            Some(snapshot) => snapshot.world(reader),
            None => self.old_rows.worlds.at(at).first().copied(),
        };
        let world = match sources.own_world {
            Some(id) => Some(self.world(at, id, true)),
            None => remembered.map(|world| self.remembered_world(world)),
        };
        self.new.worlds.extend(world);
        let first = self.new.portals.len();
        match (sources.picture, place) {
            (None, _) => self.new.portals.extend_from_slice(self.old_rows.portals.at(at)),
            (Some(_), Some(place)) => add_portals(&mut self.new.portals, scan_index, place, at),
            (Some(_), None) => {}
        }
        for portal in &mut self.new.portals[first..] {
            portal.collapsed = None;
        }
        match (sources.seen, sources.picture, place) {
            ([], None, _) => self.new.storms.extend_from_slice(self.old_rows.storms.at(at)),
            (_, _, Some(place)) => add_storms(&mut self.new.storms, scan_index, place, at),
            (_, _, None) => {}
        }
    }

    fn remembered_world(&self, world: WorldSeen) -> WorldSeen {
        let owner = if world.owner == Some(self.reader.seat) {
            self.losses.iter().rev().find(|loss| loss.0 == world.at).and_then(|loss| loss.1)
        } else {
            world.owner
        };
        WorldSeen { owner, stockpile: None, homeworld: false, siege: None, ..world }
    }

    /// Returns the current state of a world. The reader sees its own worlds completely (notes 8.3).
    fn world(&self, at: Coord, id: WorldId, visible: bool) -> WorldSeen {
        let world = self.scan_index.galaxy.world(id);
        WorldSeen {
            at,
            name: world.name,
            production: world.production,
            owner: world.owner,
            stockpile: Some(world.stockpile),
            homeworld: self.scan_index.galaxy.is_homeworld(id),
            siege: (visible || world.owner == Some(self.reader.seat)).then_some(world.siege),
        }
    }

    fn ships(&mut self, at: Coord, place: &Place<'_>, own: Option<Level>, seen: &[Seen<'_>]) {
        let (scan_index, reader) = (self.scan_index, self.reader);
        self.scratch.clear();
        let first = self.new.ships.len();
        for ship in scan_index.ships(place).filter(|ship| ship.owner != reader.seat) {
            match best_visibility(ship, reader.seat, own, seen) {
                Visibility::Full => {
                    self.new.ships.push(ship_row(scan_index, reader, at, ship, ship.dp, false));
                }
                Visibility::Identified => {
                    let class = scan_index.galaxy.class_of(ship);
                    self.scratch.push((Some((ship.owner, class.name)), class.tonnage));
                }
                Visibility::Unidentified => {
                    self.scratch.push((None, scan_index.galaxy.class_of(ship).tonnage));
                }
                Visibility::None => {}
            }
        }
        for ship in
            scan_index.wrecks(place).filter(|ship| shows_wreck(ship, reader.seat, own, seen))
        {
            self.new.ships.push(ship_row(scan_index, reader, at, ship, 0, true));
        }
        if self.same_turn {
            self.new.ships.extend(self.old_rows.ships.at(at).iter().filter(|row| row.wreck));
        }
        // Ids would reveal the order in which ships were built.
        self.new.ships[first..].sort_unstable_by_key(|row| (row.owner, row.serial));
        self.scratch.sort_unstable();
        for fleet in self.scratch.chunk_by(|one, other| one.0 == other.0) {
            let tonnage = fleet.iter().map(|entry| u64::from(entry.1)).sum();
            let (identity, count) = (fleet[0].0, fleet.len() as u32);
            self.new.fleets.push(FleetSeen { at, identity, count, tonnage });
        }
    }
}

/// Returns whether a wreck's sector is visible to the reader, or to an empire that shares scans
/// with the reader.
fn shows_wreck(ship: &Ship, reader: Seat, own: Option<Level>, seen: &[Seen<'_>]) -> bool {
    let shared = |seen: &Seen<'_>| {
        seen.level == Level::Visible && (seen.by != ship.owner || is_shown(ship, reader))
    };
    own == Some(Level::Visible) || seen.iter().any(shared)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Visibility {
    None,
    Unidentified,
    Identified,
    Full,
}

/// Notes 8.7, 8.8: returns the best view of a foreign ship among own and shared scans.
fn best_visibility(ship: &Ship, reader: Seat, own: Option<Level>, seen: &[Seen<'_>]) -> Visibility {
    let of = |level: Level, by: Seat| match level {
        Level::Visible => Visibility::Full,
        Level::Scanned if ship.public || ship.identified.contains(by) => Visibility::Identified,
        Level::Scanned => Visibility::Unidentified,
        Level::Obscured => Visibility::None,
    };
    let shared = |seen: &Seen<'_>| {
        if seen.by != ship.owner {
            return of(seen.level, seen.by);
        }
        let shown = seen.level >= Level::Scanned && is_shown(ship, reader);
        if shown { Visibility::Full } else { Visibility::None }
    };
    let own = own.map_or(Visibility::None, |level| of(level, reader));
    let others = seen.iter().filter(|seen| seen.by != reader);
    others.map(shared).fold(own, Visibility::max)
}

pub(super) fn ship_row(
    scan_index: &ScanIndex<'_>,
    reader: &Reader<'_>,
    at: Coord,
    ship: &Ship,
    dp: u16,
    wreck: bool,
) -> ShipSeen {
    let class = scan_index.galaxy.class_of(ship);
    let known = ship.owner == reader.seat || reader.classes.contains(ship.class);
    ShipSeen {
        at,
        owner: ship.owner,
        serial: ship.serial,
        name: ship.name,
        class: class.name,
        tonnage: class.tonnage,
        permille: Damage { dp, class_dp: class.ratings.dp }.permille(),
        dp: known.then_some(dp),
        wreck,
    }
}
