//! 3.0, notes 8.3: the map of one empire, in its own frame, with the status of each sector.
//!
//! A map consists of tables sorted by sector. A sector without known contents has one small row.
//! A change of the map is a list of sectors with all their rows.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::star_empires::v1 as proto;

use crate::cursor::{Cursor, Keyed, lowest};
use crate::fields;
use crate::geometry::Coord;
use crate::index::Map;
use crate::name::Name;
use crate::objects::Siege;
use crate::ship::Serial;

/// How well a sector is known. Unknown sectors have no row.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::SectorStatus)]
pub enum Status {
    /// Known from earlier turns only.
    #[default]
    Stale,
    Scanned,
    Visible,
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::SectorSeen)]
pub struct SectorSeen {
    pub at: Coord,
    pub status: Status,
    /// Whether the sector is in scan range this turn but hidden by a storm or nebula (R50).
    pub obscured: bool,
    /// Whether this status comes from shared data (6.8.4).
    pub shared: bool,
    /// The last turn in which the sector was scanned or seen.
    #[wire(name = scanned_turn)]
    pub scanned: Option<u32>,
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::WorldSeen, with(Seat = fields::seat))]
pub struct WorldSeen {
    pub at: Coord,
    pub name: Name,
    pub production: u32,
    pub owner: Option<Seat>,
    /// RU on the world. `None` unless the sector is scanned or visible (R51).
    pub stockpile: Option<u32>,
    /// Whether this is the owner's homeworld. Set only while the sector is scanned or visible.
    pub homeworld: bool,
    /// Present only while the sector is visible.
    pub siege: Option<Siege>,
}

#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::PortalSeen)]
pub struct PortalSeen {
    pub at: Coord,
    pub name: Name,
    /// Present only while the sector is scanned or visible.
    pub collapsed: Option<bool>,
}

/// A storm or nebula on the map.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::StormSeen)]
pub struct StormSeen {
    pub at: Coord,
    pub name: Name,
    pub rating: u32,
}

/// Foreign ships of one kind on a long-range scan of this turn.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::FleetSeen)]
pub struct FleetSeen {
    pub at: Coord,
    /// Owner and class. `None` for all unidentified ships together (R52).
    #[wire(part(owner, ship_class), with = fields::identity)]
    pub identity: Option<(Seat, Name)>,
    pub count: u32,
    pub tonnage: u64,
}

/// A foreign ship on a short-range scan of this turn, or a ship in shared data (notes 8.5).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::ShipSeen, with(Seat = fields::seat))]
pub struct ShipSeen {
    pub at: Coord,
    pub owner: Seat,
    pub serial: Serial,
    #[wire(or_default)]
    pub name: Name,
    #[wire(name = ship_class)]
    pub class: Name,
    pub tonnage: u32,
    /// Operational rating in thousandths.
    #[wire(name = rating_permille, check = fields::permille)]
    pub permille: u16,
    /// Damage points, if the reader knows the class.
    pub dp: Option<u16>,
    /// Whether the ship was lost this turn.
    pub wreck: bool,
}

mod table {
    use heliopause_kernel::wire::{Read, Result, rows};

    use super::Row;
    use crate::fields::LIST_MAX;
    pub(super) use crate::fields::sorted::write;

    pub(super) fn read<R: Row + Read<M>, M>(message: &[M]) -> Result<Vec<R>> {
        let mut table: Vec<R> = rows(message, LIST_MAX)?;
        // The sort is stable: rows of one sector keep their order.
        table.sort_by_key(R::key);
        Ok(table)
    }
}

/// The map of an empire. Every table is sorted by sector, and rows of one sector by name, owner or
/// serial number.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Chart)]
pub struct Chart {
    #[wire(with = table)]
    pub sectors: Vec<SectorSeen>,
    #[wire(with = table)]
    pub worlds: Vec<WorldSeen>,
    #[wire(with = table)]
    pub portals: Vec<PortalSeen>,
    #[wire(with = table)]
    pub storms: Vec<StormSeen>,
    #[wire(with = table)]
    pub fleets: Vec<FleetSeen>,
    #[wire(with = table)]
    pub ships: Vec<ShipSeen>,
}

/// The changes of a map, by sector.
#[derive(Wire, Clone, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::ChartChange)]
pub struct ChartChange {
    /// Changed sectors, sorted. Remove all their rows before adding the rows of `set`.
    #[wire(with = fields::sorted)]
    pub changed: Vec<Coord>,
    #[wire(or_default)]
    pub set: Chart,
}

/// Lengths of the content tables at some point while a map is drawn. Later rows are new.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks([usize; 5]);

pub(crate) struct OldRows<'a> {
    pub worlds: Cursor<'a, WorldSeen>,
    pub portals: Cursor<'a, PortalSeen>,
    pub storms: Cursor<'a, StormSeen>,
    fleets: Cursor<'a, FleetSeen>,
    pub ships: Cursor<'a, ShipSeen>,
}

impl<'a> OldRows<'a> {
    pub(crate) fn new(old: &'a Chart) -> Self {
        Self {
            worlds: Cursor::new(&old.worlds),
            portals: Cursor::new(&old.portals),
            storms: Cursor::new(&old.storms),
            fleets: Cursor::new(&old.fleets),
            ships: Cursor::new(&old.ships),
        }
    }

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

impl OldRows<'_> {
    /// Returns whether the last sector of `new` differs from the old map. Ask for sectors in
    /// ascending order.
    pub(crate) fn differ(&mut self, before: Option<SectorSeen>, new: &Chart, marks: Marks) -> bool {
        new.sectors
            .last()
            .is_some_and(|row| before != Some(*row) || !self.holds(row.at, new, marks))
    }
}

pub(crate) trait Row: Keyed<Key = Coord> + Clone + PartialEq {}

pub(crate) fn rows_at<R: Row>(table: &[R], at: Coord) -> &[R] {
    let start = table.partition_point(|row| row.key() < at);
    let end = start + table[start..].partition_point(|row| row.key() == at);
    &table[start..end]
}

pub(crate) fn is_sorted<R: Row>(table: &[R]) -> bool {
    table.windows(2).all(|pair| pair[0].key() <= pair[1].key())
}

/// Adds the sectors in which two tables differ.
fn add_differing<R: Row>(old: &[R], new: &[R], changed: &mut Vec<Coord>) {
    let (mut old, mut new) = (Cursor::new(old), Cursor::new(new));
    while let Some(at) = lowest([old.next(), new.next()]) {
        if old.to(at) != new.to(at) {
            changed.push(at);
        }
    }
}

/// Returns the rows of the given sectors, which must be in ascending order.
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

/// Replaces the rows of the given sectors, which must be in ascending order.
fn replace<R: Row>(table: &mut Vec<R>, sectors: &[Coord], set: &[R]) {
    table.retain(|row| sectors.binary_search(&row.key()).is_err());
    if !set.is_empty() {
        table.extend_from_slice(set);
        table.sort_by_key(Keyed::key);
    }
}

/// Implements what concerns every table of a map.
macro_rules! tables {
    ($($table:ident: $row:ty),+) => {
        $(
            impl Row for $row {}

            impl Keyed for $row {
                type Key = Coord;

                fn key(&self) -> Coord {
                    self.at
                }
            }
        )+

        impl Chart {
            pub(crate) fn change_to(&self, new: &Self) -> ChartChange {
                let mut changed = Vec::with_capacity(new.sectors.len());
                $(add_differing(&self.$table, &new.$table, &mut changed);)+
                // Sorting is fast, because the list consists of a few sorted runs.
                changed.sort();
                changed.dedup();
                new.change_of(changed)
            }

            /// Returns the change that sets the given sectors, which must be in ascending order.
            pub(crate) fn change_of(&self, changed: Vec<Coord>) -> ChartChange {
                let set = Self { $($table: pick(&self.$table, &changed)),+ };
                ChartChange { changed, set }
            }

            pub(crate) fn apply(&mut self, change: &ChartChange) {
                $(replace(&mut self.$table, &change.changed, &change.set.$table);)+
            }

            /// Frees unused capacity, because maps stay in memory until the next update.
            pub(crate) fn shrink_to_fit(&mut self) {
                $(self.$table.shrink_to_fit();)+
            }

            pub(crate) fn is_sorted(&self) -> bool {
                $(is_sorted(&self.$table))&&+
            }
        }
    };
}
tables! {
    sectors: SectorSeen, worlds: WorldSeen, portals: PortalSeen, storms: StormSeen,
    fleets: FleetSeen, ships: ShipSeen
}

impl Chart {
    pub(crate) fn marks(&self) -> Marks {
        let Self { sectors: _, worlds, portals, storms, fleets, ships } = self;
        Marks([worlds.len(), portals.len(), storms.len(), fleets.len(), ships.len()])
    }

    pub fn sector(&self, at: Coord) -> Option<&SectorSeen> {
        rows_at(&self.sectors, at).first()
    }

    pub fn world_at(&self, at: Coord) -> Option<&WorldSeen> {
        rows_at(&self.worlds, at).first()
    }

    /// Returns the names and sectors of worlds, portals and storms.
    pub(crate) fn named(&self) -> impl Iterator<Item = (Name, Coord)> {
        let worlds = self.worlds.iter().map(|row| (row.name, row.at));
        let portals = self.portals.iter().map(|row| (row.name, row.at));
        worlds.chain(portals).chain(self.storms.iter().map(|row| (row.name, row.at)))
    }

    fn age(&self, at: Coord) -> (Option<u32>, Coord) {
        (self.sector(at).and_then(|row| row.scanned), at)
    }

    /// Returns the sector in which the map shows an object, or `None`. If the map shows it in
    /// several sectors, the latest scan takes precedence.
    pub fn object(&self, name: Name) -> Option<Coord> {
        let places = self.named().filter(|&(other, _)| other == name).map(|(_, at)| at);
        places.max_by_key(|&at| self.age(at))
    }

    /// Returns the sectors of all named objects, by the same rule as [`Chart::object`].
    pub(crate) fn places(&self) -> Map<Name, Coord> {
        let mut places = Map::default();
        for (name, at) in self.named() {
            let place = places.entry(name).or_insert(at);
            if self.age(at) > self.age(*place) {
                *place = at;
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sector(o: i16, scanned: u32) -> SectorSeen {
        SectorSeen { at: Coord::new(o, 0), scanned: Some(scanned), ..SectorSeen::default() }
    }

    fn storm(o: i16, name: &str) -> StormSeen {
        StormSeen { at: Coord::new(o, 0), name: Name::new(name).unwrap(), rating: 0 }
    }

    #[test]
    fn a_change_turns_one_map_into_the_other() {
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
