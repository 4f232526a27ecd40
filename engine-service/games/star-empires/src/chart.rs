//! 3.0, notes 8.3: the map of one empire, in its own frame: what it knows of each sector, as it was
//! told.
//!
//! A map is a few tables whose rows are sorted by sector. So a sector of which nothing but its
//! status is known takes one small row, and a change of the map is a list of sectors with all their
//! rows.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::geometry::Coord;
use crate::index::Map;
use crate::name::Name;
use crate::objects::Siege;
use crate::ship::Serial;
use crate::walk::{Keyed, Walk, lowest};
use crate::wire;

/// How well a sector is known. Unknown sectors have no row.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::SectorStatus)]
pub enum Status {
    /// From earlier turns only.
    Stale,
    /// In range of a long-range scan.
    Scanned,
    /// On a short-range scan.
    Visible,
}

/// A sector on the map.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::SectorSeen)]
pub struct SectorSeen {
    pub at: Coord,
    /// How well it is known.
    pub status: Status,
    /// Whether a storm or nebula in scan range hides it this turn (R50).
    pub obscured: bool,
    /// Whether this status comes from shared data (6.8.4).
    pub shared: bool,
    /// The last turn in which it was scanned or seen; `None` is never.
    #[wire(name = scanned_turn)]
    pub scanned: Option<u32>,
}

/// A world on the map.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::WorldSeen, with(Seat = wire::seat))]
pub struct WorldSeen {
    pub at: Coord,
    pub name: Name,
    /// RU a turn.
    pub production: u32,
    /// Its owner when last seen.
    pub owner: Option<Seat>,
    /// RU there; only while it is scanned or visible (R51).
    pub stockpile: Option<u32>,
    /// Whether it is its owner's homeworld; only while it is scanned or visible.
    pub homeworld: bool,
    /// Whether its traffic is hindered; only while it is visible.
    pub siege: Option<Siege>,
}

/// A portal on the map.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::PortalSeen)]
pub struct PortalSeen {
    pub at: Coord,
    pub name: Name,
    /// Whether it is collapsed; only while it is scanned or visible.
    pub collapsed: Option<bool>,
}

/// A storm or nebula on the map.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::StormSeen)]
pub struct StormSeen {
    pub at: Coord,
    pub name: Name,
    /// Its rating when last seen.
    pub rating: u32,
}

/// Foreign ships of one kind on a long-range scan of this turn.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::FleetSeen)]
pub struct FleetSeen {
    pub at: Coord,
    /// Their owner and class; `None` for all unidentified ships together (R52).
    #[wire(part(owner, ship_class), with = wire::identity)]
    pub identity: Option<(Seat, Name)>,
    pub count: u32,
    /// Their tonnage together.
    pub tonnage: u64,
}

/// A foreign ship on a short-range scan of this turn, or a ship in shared data (notes 8.5).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::ShipSeen, with(Seat = wire::seat))]
pub struct ShipSeen {
    pub at: Coord,
    pub owner: Seat,
    /// Its serial number.
    pub serial: Serial,
    /// Its name, or none.
    #[wire(or_default)]
    pub name: Name,
    /// Its class. Its ratings are in the reader's list of classes, if the reader knows it.
    #[wire(name = ship_class)]
    pub class: Name,
    pub tonnage: u32,
    /// Its operational rating in thousandths.
    #[wire(name = rating_permille, check = wire::permille)]
    pub permille: u16,
    /// Its damage points, if the reader knows the class.
    pub dp: Option<u16>,
    /// Whether it was lost this turn.
    pub wreck: bool,
}

/// The map of an empire. Every table is sorted by sector; rows of one sector are sorted by name,
/// owner or serial number.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Chart)]
pub struct Chart {
    /// The sectors on the map.
    #[wire(with = wire::table)]
    pub sectors: Vec<SectorSeen>,
    /// The worlds as last seen.
    #[wire(with = wire::table)]
    pub worlds: Vec<WorldSeen>,
    /// The portals as last seen.
    #[wire(with = wire::table)]
    pub portals: Vec<PortalSeen>,
    /// The storms and nebulae as last seen.
    #[wire(with = wire::table)]
    pub storms: Vec<StormSeen>,
    /// Foreign ships on long-range scans.
    #[wire(with = wire::table)]
    pub fleets: Vec<FleetSeen>,
    /// Foreign ships on short-range scans, and in shared data.
    #[wire(with = wire::table)]
    pub ships: Vec<ShipSeen>,
}

/// How a map changed, sector by sector.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::ChartChange)]
pub struct ChartChange {
    /// Sectors that changed, sorted: all their rows are taken off before rows are set.
    #[wire(with = wire::sectors)]
    pub changed: Vec<Coord>,
    /// All rows of the sectors that changed.
    #[wire(or_default)]
    pub set: Chart,
}

/// How long the tables of what sectors hold were at some moment while a map was drawn: the rows
/// behind are newer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks([usize; 5]);

/// What is left of an old map while a new one is drawn.
pub(crate) struct Memory<'a> {
    pub worlds: Walk<'a, WorldSeen>,
    pub portals: Walk<'a, PortalSeen>,
    pub storms: Walk<'a, StormSeen>,
    fleets: Walk<'a, FleetSeen>,
    pub ships: Walk<'a, ShipSeen>,
}

impl<'a> Memory<'a> {
    pub(crate) fn new(old: &'a Chart) -> Self {
        Self {
            worlds: Walk::new(&old.worlds),
            portals: Walk::new(&old.portals),
            storms: Walk::new(&old.storms),
            fleets: Walk::new(&old.fleets),
            ships: Walk::new(&old.ships),
        }
    }

    /// Whether a sector held just what a new map shows in the rows that came last.
    fn holds(
        &mut self,
        at: Coord,
        new: &Chart,
        Marks([worlds, portals, storms, fleets, ships]): Marks,
    ) -> bool {
        self.worlds.at(at) == &new.worlds[worlds..]
            && self.portals.at(at) == &new.portals[portals..]
            && self.storms.at(at) == &new.storms[storms..]
            && self.fleets.at(at) == &new.fleets[fleets..]
            && self.ships.at(at) == &new.ships[ships..]
    }
}

impl ChartChange {
    /// Takes a sector down that a new map has just got, with the rows of what it holds, if it
    /// differs from the old map's. For sectors in their order.
    pub(crate) fn note(
        &mut self,
        before: Option<SectorSeen>,
        memory: &mut Memory<'_>,
        new: &Chart,
        marks: Marks,
    ) {
        let Some(&row) = new.sectors.last() else { return };
        if before == Some(row) && memory.holds(row.at, new, marks) {
            return;
        }
        self.changed.push(row.at);
        self.set.sectors.push(row);
        if new.marks() != marks {
            let Marks([worlds, portals, storms, fleets, ships]) = marks;
            self.set.worlds.extend_from_slice(&new.worlds[worlds..]);
            self.set.portals.extend_from_slice(&new.portals[portals..]);
            self.set.storms.extend_from_slice(&new.storms[storms..]);
            self.set.fleets.extend_from_slice(&new.fleets[fleets..]);
            self.set.ships.extend_from_slice(&new.ships[ships..]);
        }
    }
}

/// A row of a table is about a sector.
pub(crate) trait Row: Keyed<Key = Coord> + Clone + PartialEq {}

macro_rules! rows {
    ($($row:ty),+) => {
        $(
            impl Row for $row {}

            impl Keyed for $row {
                type Key = Coord;

                fn key(&self) -> Coord {
                    self.at
                }
            }
        )+
    };
}
rows!(SectorSeen, WorldSeen, PortalSeen, StormSeen, FleetSeen, ShipSeen);

/// The rows of one sector.
pub(crate) fn rows_at<R: Row>(table: &[R], at: Coord) -> &[R] {
    let start = table.partition_point(|row| row.key() < at);
    let end = start + table[start..].partition_point(|row| row.key() == at);
    &table[start..end]
}

/// Whether a table is sorted by sector.
pub(crate) fn is_sorted<R: Row>(table: &[R]) -> bool {
    table.windows(2).all(|pair| pair[0].key() <= pair[1].key())
}

/// Goes through the sectors whose rows differ, with the new ones.
fn differing<R: Row>(old: &[R], new: &[R], mut found: impl FnMut(Coord, &[R])) {
    let (mut old, mut new) = (Walk::new(old), Walk::new(new));
    while let Some(at) = lowest([old.next(), new.next()]) {
        let rows = new.to(at);
        if old.to(at) != rows {
            found(at, rows);
        }
    }
}

/// The rows of some sectors, which are sorted.
fn pick<R: Row>(table: &[R], sectors: &[Coord]) -> Vec<R> {
    let mut picked = Vec::with_capacity(table.len().min(sectors.len()));
    let mut left = sectors;
    for row in table {
        while left.first().is_some_and(|&at| at < row.key()) {
            left = &left[1..];
        }
        if left.first() == Some(&row.key()) {
            picked.push(row.clone());
        }
    }
    picked
}

/// Replaces the rows of some sectors, which are sorted.
fn replace<R: Row>(table: &mut Vec<R>, sectors: &[Coord], set: &[R]) {
    table.retain(|row| sectors.binary_search(&row.key()).is_err());
    if !set.is_empty() {
        table.extend_from_slice(set);
        // Stable, so rows of a sector keep their order.
        table.sort_by_key(Keyed::key);
    }
}

impl Chart {
    /// What must change for this map to become that one.
    pub(crate) fn change_to(&self, new: &Self) -> ChartChange {
        let mut change = ChartChange::default();
        let (changed, set) = (&mut change.changed, &mut change.set);
        changed.reserve(new.sectors.len());
        set.sectors.reserve(new.sectors.len());
        differing(&self.sectors, &new.sectors, |at, rows| {
            changed.push(at);
            set.sectors.extend(rows.iter().copied());
        });
        // Of most sectors whose contents differ it is known by now: they were scanned in another
        // turn.
        let mut more = Vec::new();
        let mut note = |at: Coord| more.extend(changed.binary_search(&at).is_err().then_some(at));
        differing(&self.worlds, &new.worlds, |at, _| note(at));
        differing(&self.portals, &new.portals, |at, _| note(at));
        differing(&self.storms, &new.storms, |at, _| note(at));
        differing(&self.fleets, &new.fleets, |at, _| note(at));
        differing(&self.ships, &new.ships, |at, _| note(at));
        if !more.is_empty() {
            changed.append(&mut more);
            // A stable sort merges what is sorted already.
            changed.sort();
            changed.dedup();
            set.sectors = pick(&new.sectors, changed);
        }
        set.worlds = pick(&new.worlds, changed);
        set.portals = pick(&new.portals, changed);
        set.storms = pick(&new.storms, changed);
        set.fleets = pick(&new.fleets, changed);
        set.ships = pick(&new.ships, changed);
        change
    }

    /// An empty map with room for so many sectors, and for as much in them as on a map like it.
    pub(crate) fn with_room(sectors: usize, like: &Self) -> Self {
        Self {
            sectors: Vec::with_capacity(sectors),
            worlds: Vec::with_capacity(like.worlds.len()),
            portals: Vec::with_capacity(like.portals.len()),
            storms: Vec::with_capacity(like.storms.len()),
            fleets: Vec::with_capacity(like.fleets.len()),
            ships: Vec::with_capacity(like.ships.len()),
        }
    }

    /// How long the tables of what sectors hold are.
    pub(crate) fn marks(&self) -> Marks {
        let Self { sectors: _, worlds, portals, storms, fleets, ships } = self;
        Marks([worlds.len(), portals.len(), storms.len(), fleets.len(), ships.len()])
    }

    /// Gives back the room that is not needed: a map is kept for a turn.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.sectors.shrink_to_fit();
        self.worlds.shrink_to_fit();
        self.portals.shrink_to_fit();
        self.storms.shrink_to_fit();
        self.fleets.shrink_to_fit();
        self.ships.shrink_to_fit();
    }

    /// Follows a change.
    pub(crate) fn apply(&mut self, change: &ChartChange) {
        let (sectors, set) = (&change.changed, &change.set);
        replace(&mut self.sectors, sectors, &set.sectors);
        replace(&mut self.worlds, sectors, &set.worlds);
        replace(&mut self.portals, sectors, &set.portals);
        replace(&mut self.storms, sectors, &set.storms);
        replace(&mut self.fleets, sectors, &set.fleets);
        replace(&mut self.ships, sectors, &set.ships);
    }

    /// A sector's row; `None` if it is unknown.
    pub fn sector(&self, at: Coord) -> Option<&SectorSeen> {
        rows_at(&self.sectors, at).first()
    }

    /// The world that the map shows in a sector.
    pub fn world_at(&self, at: Coord) -> Option<&WorldSeen> {
        rows_at(&self.worlds, at).first()
    }

    /// Where the map shows a world, portal or storm with this name: by the latest scan, if it shows
    /// several.
    pub fn object(&self, name: Name) -> Option<Coord> {
        let worlds = self.worlds.iter().filter(|row| row.name == name).map(|row| row.at);
        let portals = self.portals.iter().filter(|row| row.name == name).map(|row| row.at);
        let storms = self.storms.iter().filter(|row| row.name == name).map(|row| row.at);
        worlds
            .chain(portals)
            .chain(storms)
            .max_by_key(|&at| (self.sector(at).and_then(|row| row.scanned), at))
    }

    /// Where the map shows what: [`Chart::object`] for all names at once.
    pub(crate) fn places(&self) -> Map<Name, Coord> {
        let worlds = self.worlds.iter().map(|row| (row.name, row.at));
        let portals = self.portals.iter().map(|row| (row.name, row.at));
        let storms = self.storms.iter().map(|row| (row.name, row.at));
        let mut places = Map::default();
        let age = |at: Coord| (self.sector(at).and_then(|row| row.scanned), at);
        for (name, at) in worlds.chain(portals).chain(storms) {
            let place = places.entry(name).or_insert(at);
            if age(at) > age(*place) {
                *place = at;
            }
        }
        places
    }

    /// Whether every table is sorted.
    pub(crate) fn is_sorted(&self) -> bool {
        is_sorted(&self.sectors)
            && is_sorted(&self.worlds)
            && is_sorted(&self.portals)
            && is_sorted(&self.storms)
            && is_sorted(&self.fleets)
            && is_sorted(&self.ships)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sector(o: i16, scanned: u32) -> SectorSeen {
        let at = Coord::new(o, 0);
        SectorSeen {
            at,
            status: Status::Scanned,
            obscured: false,
            shared: false,
            scanned: Some(scanned),
        }
    }

    fn storm(o: i16, name: &str) -> StormSeen {
        StormSeen { at: Coord::new(o, 0), name: Name::new(name).unwrap(), rating: 0 }
    }

    #[test]
    fn a_change_leads_from_one_map_to_the_other() {
        let old = Chart {
            sectors: vec![sector(0, 1), sector(1, 1), sector(2, 1)],
            storms: vec![storm(0, "a"), storm(1, "b"), storm(1, "c")],
            ..Chart::default()
        };
        let new = Chart {
            sectors: vec![sector(0, 1), sector(1, 1), sector(3, 2)],
            storms: vec![storm(0, "a"), storm(1, "c"), storm(3, "d")],
            ..Chart::default()
        };
        let change = old.change_to(&new);
        assert_eq!(change.changed, [1, 2, 3].map(|o| Coord::new(o, 0)));
        assert_eq!(change.set.storms.len(), 2);
        let mut chart = old.clone();
        chart.apply(&change);
        assert_eq!(chart, new);
        assert_eq!(new.change_to(&new), ChartChange::default());
        assert_eq!(new.object(Name::new("D").unwrap()), Some(Coord::new(3, 0)));
        let places = new.places();
        assert!(
            new.storms.iter().all(|row| places.get(&row.name) == new.object(row.name).as_ref())
        );
    }
}
