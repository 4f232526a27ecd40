//! 6.8.5, notes 8.2 and 8.3: the new map of an empire, from its old one and from what it was given
//! of each sector.

use heliopause_kernel::Seat;

use super::picture::{add_portals, add_storms};
use super::share::is_shown;
use super::{Frozen, Glimpse, Level, Place, Sky};
use crate::chart::{
    Chart, ChartChange, FleetSeen, Memory, SectorSeen, ShipSeen, Status, WorldSeen,
};
use crate::geometry::{Coord, Frame, Sector, sort_by_sector};
use crate::ids::{ClassId, IdSet, WorldId};
use crate::name::Name;
use crate::operational::Damage;
use crate::ship::Ship;
use crate::walk::{Keyed, Walk, lowest};

/// Whose map is made.
pub(crate) struct Reader<'a> {
    pub seat: Seat,
    pub frame: Frame,
    /// The classes they know: of others they are told no damage points.
    pub classes: &'a IdSet<ClassId>,
    /// The number of the new map.
    pub turn: u32,
}

impl Reader<'_> {
    pub(super) fn local(&self, at: Sector) -> Coord {
        self.frame.local(at)
    }
}

/// What a reader was given in this update, from which their new map is made.
#[derive(Default)]
pub(crate) struct Given<'a> {
    /// Sectors, seen by their own ships and by those of others who share with them.
    pub glimpses: Vec<Glimpse<'a>>,
    /// What lost ships last saw, in the order in which they were lost.
    pub pictures: Vec<&'a Frozen>,
    /// Own worlds that the reader was told are lost, and to whom.
    pub losses: Vec<(Sector, Option<Seat>)>,
    /// The map is of the same turn as the old one (notes 12.2): what was lost in it is still told.
    pub same_turn: bool,
}

/// The new map of a reader, and how it differs from the old one: both at once, for a map is large.
pub(crate) fn chart(
    sky: &Sky<'_>,
    reader: &Reader<'_>,
    old: &Chart,
    given: &Given<'_>,
) -> (Chart, ChartChange) {
    let seen: Vec<Seen<'_>> =
        given.glimpses.iter().map(|glimpse| Seen::new(reader, glimpse)).collect();
    let seen = sort_by_sector(seen, |seen| (seen.at.o, seen.at.y));
    let homes = sky.galaxy.worlds_of(reader.seat);
    let mut own_worlds: Vec<(Coord, WorldId)> =
        homes.map(|(id, world)| (reader.local(world.at), id)).collect();
    own_worlds.sort_unstable();
    let mut pictures: Vec<(Coord, &Frozen)> =
        given.pictures.iter().map(|&frozen| (reader.local(frozen.at), frozen)).collect();
    // The latest sight counts, whoever shared an earlier one (6.8.3).
    pictures.sort_by_key(|&(at, frozen)| (at, frozen.section, frozen.owner == reader.seat));
    let losses = given.losses.iter().map(|&(at, to)| (reader.local(at), to)).collect();
    let sectors = old.sectors.len().max(seen.len());
    let new = Chart::with_room(sectors, old);
    let change = ChartChange {
        changed: Vec::with_capacity(seen.len()),
        set: Chart::with_room(seen.len(), old),
    };
    let memory = Memory::new(old);
    let same_turn = given.same_turn;
    let mut draft =
        Draft { sky, reader, memory, losses, same_turn, new, change, scratch: Vec::new() };
    draft.draw(
        Walk::new(&old.sectors),
        Walk::new(&seen),
        Walk::new(&pictures),
        Walk::new(&own_worlds),
    );
    draft.new.shrink_to_fit();
    (draft.new, draft.change)
}

/// A map under construction.
struct Draft<'a> {
    sky: &'a Sky<'a>,
    reader: &'a Reader<'a>,
    memory: Memory<'a>,
    losses: Vec<(Coord, Option<Seat>)>,
    same_turn: bool,
    new: Chart,
    change: ChartChange,
    /// The ships of a sector on long-range scan: identity and tonnage.
    scratch: Vec<(Option<(Seat, Name)>, u32)>,
}

/// A glimpse in the reader's frame.
#[derive(Clone, Copy)]
struct Seen<'a> {
    at: Coord,
    place: Option<&'a Place<'a>>,
    level: Level,
    by: Seat,
}

impl<'a> Seen<'a> {
    fn new(reader: &Reader<'_>, glimpse: &Glimpse<'a>) -> Self {
        Self {
            at: reader.local(glimpse.at),
            place: glimpse.place,
            level: glimpse.level,
            by: glimpse.by,
        }
    }
}

impl Keyed for Seen<'_> {
    type Key = Coord;

    fn key(&self) -> Coord {
        self.at
    }
}

/// What there is about a sector beside the old rows of what is in it.
struct About<'a> {
    at: Coord,
    before: Option<SectorSeen>,
    seen: &'a [Seen<'a>],
    /// The last thing that a lost ship saw there.
    picture: Option<&'a Frozen>,
    own_world: Option<WorldId>,
}

impl Draft<'_> {
    /// Goes through all sectors of the old map and of what was given, in their order.
    fn draw<'a>(
        &mut self,
        mut old: Walk<'a, SectorSeen>,
        mut seen: Walk<'a, Seen<'a>>,
        mut pictures: Walk<'a, (Coord, &'a Frozen)>,
        mut own_worlds: Walk<'a, (Coord, WorldId)>,
    ) {
        while let Some(at) = lowest([old.next(), seen.next(), pictures.next(), own_worlds.next()]) {
            let about = About {
                at,
                before: old.to(at).first().copied(),
                seen: seen.to(at),
                picture: pictures.to(at).last().map(|entry| entry.1),
                own_world: own_worlds.to(at).first().map(|entry| entry.1),
            };
            let marks = self.new.marks();
            self.sector(&about);
            self.change.note(about.before, &mut self.memory, &self.new, marks);
        }
    }

    fn sector(&mut self, about: &About<'_>) {
        let (at, seen) = (about.at, about.seen);
        let own =
            seen.iter().filter(|seen| seen.by == self.reader.seat).map(|seen| seen.level).max();
        let best = seen.iter().map(|seen| seen.level).max();
        let shared = own < best;
        let place = seen.first().and_then(|seen| seen.place);
        let row = SectorSeen {
            at,
            status: Status::Stale,
            obscured: false,
            shared,
            scanned: Some(self.reader.turn),
        };
        match best {
            Some(Level::Visible) => {
                self.new.sectors.push(SectorSeen { status: Status::Visible, ..row });
                self.fresh(at, place, own, seen);
            }
            Some(Level::Scanned) => {
                self.new.sectors.push(SectorSeen { status: Status::Scanned, ..row });
                self.fresh(at, place, own, seen);
            }
            _ => {
                let shared = shared
                    || about.picture.is_some_and(|picture| picture.owner != self.reader.seat);
                let before = about.before.and_then(|row| row.scanned);
                let scanned = if about.picture.is_some() { row.scanned } else { before };
                self.new.sectors.push(SectorSeen {
                    obscured: best.is_some(),
                    shared,
                    scanned,
                    ..row
                });
                self.stale(about, place);
            }
        }
    }

    /// A sector that is scanned or visible: what was remembered of it is replaced by what is there
    /// now.
    fn fresh(
        &mut self,
        at: Coord,
        place: Option<&Place<'_>>,
        own: Option<Level>,
        seen: &[Seen<'_>],
    ) {
        let Some(place) = place else { return };
        let visible = seen.iter().any(|seen| seen.level == Level::Visible);
        self.new.worlds.extend(place.world.map(|id| self.world(at, id, visible)));
        add_portals(&mut self.new.portals, self.sky, place, at);
        add_storms(&mut self.new.storms, self.sky, place, at);
        self.ships(at, place, own, seen);
    }

    /// A sector of which only memory is shown: what lost ships last saw, or what was known before;
    /// and the clouds in it, if they are in scan range (R50).
    fn stale(&mut self, about: &About<'_>, place: Option<&Place<'_>>) {
        let (sky, reader, at) = (self.sky, self.reader, about.at);
        // What a lost ship saw of portals and storms is there still.
        let place = place.or_else(|| about.picture.and_then(|frozen| sky.place(frozen.at)));
        let remembered = match about.picture {
            Some(frozen) => frozen.world(reader),
            None => self.memory.worlds.at(at).first().copied(),
        };
        let world = match about.own_world {
            Some(id) => Some(self.world(at, id, true)),
            None => remembered.map(|world| self.forgotten(world)),
        };
        self.new.worlds.extend(world);
        let first = self.new.portals.len();
        match (about.picture, place) {
            (None, _) => self.new.portals.extend_from_slice(self.memory.portals.at(at)),
            (Some(_), Some(place)) => add_portals(&mut self.new.portals, sky, place, at),
            (Some(_), None) => {}
        }
        for portal in &mut self.new.portals[first..] {
            portal.collapsed = None;
        }
        match (about.seen, about.picture, place) {
            ([], None, _) => self.new.storms.extend_from_slice(self.memory.storms.at(at)),
            (_, _, Some(place)) => add_storms(&mut self.new.storms, sky, place, at),
            (_, _, None) => {}
        }
    }

    /// What stays of a world that is not seen now. That an own world was lost is no secret: its
    /// former owner is told.
    fn forgotten(&self, world: WorldSeen) -> WorldSeen {
        let owner = if world.owner == Some(self.reader.seat) {
            self.losses.iter().rev().find(|loss| loss.0 == world.at).and_then(|loss| loss.1)
        } else {
            world.owner
        };
        WorldSeen { owner, stockpile: None, homeworld: false, siege: None, ..world }
    }

    /// A world as it is now. What is one's own is always complete (notes 8.3).
    fn world(&self, at: Coord, id: WorldId, visible: bool) -> WorldSeen {
        let world = self.sky.galaxy.world(id);
        WorldSeen {
            at,
            name: world.name,
            production: world.production,
            owner: world.owner,
            stockpile: Some(world.stockpile),
            homeworld: self.sky.galaxy.is_homeworld(id),
            siege: (visible || world.owner == Some(self.reader.seat)).then_some(world.siege),
        }
    }

    /// Foreign ships, each once and as well as anybody shows it; and this turn's wrecks of visible
    /// sectors, of all owners.
    fn ships(&mut self, at: Coord, place: &Place<'_>, own: Option<Level>, seen: &[Seen<'_>]) {
        let (sky, reader) = (self.sky, self.reader);
        self.scratch.clear();
        let first = self.new.ships.len();
        for ship in sky.ships(place).filter(|ship| ship.owner != reader.seat) {
            match best_sight(ship, reader.seat, own, seen) {
                Sight::Full => self.new.ships.push(ship_row(sky, reader, at, ship, ship.dp, false)),
                Sight::Identified => {
                    let class = sky.galaxy.class_of(ship);
                    self.scratch.push((Some((ship.owner, class.name)), class.tonnage));
                }
                Sight::Unidentified => self.scratch.push((None, sky.galaxy.class_of(ship).tonnage)),
                Sight::None => {}
            }
        }
        for ship in sky.wrecks(place).filter(|ship| shows_wreck(ship, reader.seat, own, seen)) {
            self.new.ships.push(ship_row(sky, reader, at, ship, 0, true));
        }
        if self.same_turn {
            self.new.ships.extend(self.memory.ships.at(at).iter().filter(|row| row.wreck));
        }
        // Ids would tell the order in which ships were built.
        self.new.ships[first..].sort_unstable_by_key(|row| (row.owner, row.serial));
        self.scratch.sort_unstable();
        for fleet in self.scratch.chunk_by(|one, other| one.0 == other.0) {
            let tonnage = fleet.iter().map(|entry| u64::from(entry.1)).sum();
            self.new.fleets.push(FleetSeen {
                at,
                identity: fleet[0].0,
                count: fleet.len() as u32,
                tonnage,
            });
        }
    }
}

/// Whether a reader sees the wreck of a ship: in a sector that is visible to them, or to one who
/// shares with them.
fn shows_wreck(ship: &Ship, reader: Seat, own: Option<Level>, seen: &[Seen<'_>]) -> bool {
    let shared = |seen: &Seen<'_>| {
        seen.level == Level::Visible && (seen.by != ship.owner || is_shown(ship, reader))
    };
    own == Some(Level::Visible) || seen.iter().any(shared)
}

/// How well a foreign ship is seen. Sorts from worst to best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sight {
    None,
    Unidentified,
    Identified,
    Full,
}

/// Notes 8.7, 8.8: the best that own scans and shared ones show of a foreign ship.
fn best_sight(ship: &Ship, reader: Seat, own: Option<Level>, seen: &[Seen<'_>]) -> Sight {
    let of = |level: Level, by: Seat| match level {
        Level::Visible => Sight::Full,
        Level::Scanned if ship.public || ship.identified.contains(by) => Sight::Identified,
        Level::Scanned => Sight::Unidentified,
        Level::Obscured => Sight::None,
    };
    let shared = |seen: &Seen<'_>| {
        if seen.by != ship.owner {
            return of(seen.level, seen.by);
        }
        let shown = seen.level >= Level::Scanned && is_shown(ship, reader);
        if shown { Sight::Full } else { Sight::None }
    };
    let own = own.map_or(Sight::None, |level| of(level, reader));
    let others = seen.iter().filter(|seen| seen.by != reader);
    others.map(shared).fold(own, Sight::max)
}

/// A ship as a short-range scan shows it (notes 8.5).
pub(super) fn ship_row(
    sky: &Sky<'_>,
    reader: &Reader<'_>,
    at: Coord,
    ship: &Ship,
    dp: u16,
    wreck: bool,
) -> ShipSeen {
    let class = sky.galaxy.class_of(ship);
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
