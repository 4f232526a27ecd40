//! 6.8.5, notes 8.2 and 8.3: the new map of an empire, from its old one and from what it was given of each sector.

use std::ops::Range;

use heliopause_kernel::Seat;

use super::picture::{portals, storms};
use super::share::is_shown;
use super::{Frozen, Glimpse, Level, Sky};
use crate::chart::{Chart, FleetSeen, PortalSeen, SectorSeen, ShipSeen, Status, WorldSeen, rows_at};
use crate::geometry::{Coord, Frame, Sector};
use crate::ids::{ClassId, IdSet, WorldId};
use crate::name::Name;
use crate::operational::Damage;
use crate::ship::Ship;

/// Whose map is made.
pub(crate) struct Reader<'a> {
    pub seat: Seat,
    pub frame: Frame,
    /// The classes he knows: of others he is told no damage points.
    pub classes: &'a IdSet<ClassId>,
    /// The number of the new map.
    pub turn: u32,
}

impl Reader<'_> {
    pub(super) fn local(&self, at: Sector) -> Coord {
        self.frame.local(at)
    }
}

/// What a reader was given in this update, from which his new map is made.
#[derive(Default)]
pub(crate) struct Given<'a> {
    /// Sectors, seen by his own ships and by those of others who share with him.
    pub glimpses: Vec<Glimpse>,
    /// What lost ships last saw, in the order in which they were lost.
    pub pictures: Vec<&'a Frozen>,
    /// Own worlds that he was told he lost, and to whom.
    pub losses: Vec<(Sector, Option<Seat>)>,
}

/// The new map of a reader.
pub(crate) fn chart(sky: &Sky<'_>, reader: &Reader<'_>, old: &Chart, given: &Given<'_>) -> Chart {
    let mut glimpses: Vec<(Coord, Glimpse)> =
        given.glimpses.iter().map(|&glimpse| (reader.local(glimpse.at), glimpse)).collect();
    glimpses.sort_unstable_by_key(|&(at, glimpse)| (at, glimpse.by));
    let homes = sky.galaxy.worlds_of(reader.seat);
    let mut own_worlds: Vec<(Coord, WorldId)> = homes.map(|(id, world)| (reader.local(world.at), id)).collect();
    own_worlds.sort_unstable();
    let mut pictures: Vec<(Coord, &Frozen)> =
        given.pictures.iter().map(|&frozen| (reader.local(frozen.at), frozen)).collect();
    pictures.sort_by_key(|&(at, _)| at);
    let losses = given.losses.iter().map(|&(at, to)| (reader.local(at), to)).collect();
    let mut draft =
        Draft { sky, reader, old, own_worlds, pictures, losses, new: Chart::default(), scratch: Vec::new() };
    draft.draw(&glimpses);
    draft.new
}

/// A map under construction.
struct Draft<'a> {
    sky: &'a Sky<'a>,
    reader: &'a Reader<'a>,
    old: &'a Chart,
    own_worlds: Vec<(Coord, WorldId)>,
    pictures: Vec<(Coord, &'a Frozen)>,
    losses: Vec<(Coord, Option<Seat>)>,
    new: Chart,
    /// The ships of a sector on long-range scan: identity and tonnage.
    scratch: Vec<(Option<(Seat, Name)>, u32)>,
}

/// The entries of a sorted list that are about a sector, from a place on.
fn run<T>(list: &[(Coord, T)], from: usize, at: Coord) -> Range<usize> {
    from..from + list[from..].iter().take_while(|entry| entry.0 == at).count()
}

impl Draft<'_> {
    /// Goes through all sectors of the old map and of what was given, in their order.
    fn draw(&mut self, glimpses: &[(Coord, Glimpse)]) {
        let (mut old, mut seen, mut taken, mut own) = (0, 0, 0, 0);
        loop {
            let nexts = [
                self.old.sectors.get(old).map(|row| row.at),
                glimpses.get(seen).map(|entry| entry.0),
                self.pictures.get(taken).map(|entry| entry.0),
                self.own_worlds.get(own).map(|entry| entry.0),
            ];
            let Some(at) = nexts.into_iter().flatten().min() else { break };
            let (now, frozen) = (run(glimpses, seen, at), run(&self.pictures, taken, at));
            let world = run(&self.own_worlds, own, at);
            let before = (nexts[0] == Some(at)).then(|| self.old.sectors[old]);
            (old, seen, taken, own) = (old + usize::from(before.is_some()), now.end, frozen.end, world.end);
            self.sector(at, before, &glimpses[now], frozen, world);
        }
    }

    fn sector(
        &mut self,
        at: Coord,
        before: Option<SectorSeen>,
        seen: &[(Coord, Glimpse)],
        frozen: Range<usize>,
        own_world: Range<usize>,
    ) {
        let own = seen.iter().filter(|entry| entry.1.by == self.reader.seat).map(|entry| entry.1.level).max();
        let best = seen.iter().map(|entry| entry.1.level).max();
        let shared = own < best;
        let row = SectorSeen { at, status: Status::Stale, obscured: false, shared, scanned: Some(self.reader.turn) };
        match (best, seen.first()) {
            (Some(Level::Visible), Some((_, glimpse))) => {
                self.new.sectors.push(SectorSeen { status: Status::Visible, ..row });
                self.fresh(glimpse.at, true, own, seen);
            }
            (Some(Level::Scanned), Some((_, glimpse))) => {
                self.new.sectors.push(SectorSeen { status: Status::Scanned, ..row });
                self.fresh(glimpse.at, false, own, seen);
            }
            _ => {
                let cloud = seen.first().map(|entry| entry.1.at);
                let picture = frozen.last().map(|place| self.pictures[place].1);
                let shared = shared || picture.is_some_and(|picture| picture.owner != self.reader.seat);
                let scanned = if picture.is_some() { row.scanned } else { before.and_then(|row| row.scanned) };
                self.new.sectors.push(SectorSeen { obscured: cloud.is_some(), shared, scanned, ..row });
                self.stale(at, cloud, picture, own_world);
            }
        }
    }

    /// A sector that is scanned or visible: what was remembered of it is replaced by what is there now.
    fn fresh(&mut self, at: Sector, visible: bool, own: Option<Level>, seen: &[(Coord, Glimpse)]) {
        let world = self.sky.objects.world(at).map(|id| self.world(id, visible));
        self.new.worlds.extend(world);
        self.new.portals.extend(portals(self.sky, self.reader, at));
        self.new.storms.extend(storms(self.sky, self.reader, at));
        self.ships(at, own, seen);
    }

    /// A sector of which only memory is shown: what lost ships last saw, or what was known before; and the clouds in it, if
    /// they are in scan range (R50).
    fn stale(&mut self, at: Coord, cloud: Option<Sector>, frozen: Option<&Frozen>, own_world: Range<usize>) {
        let (sky, reader, old) = (self.sky, self.reader, self.old);
        let remembered = match frozen {
            Some(frozen) => frozen.picture(sky, reader).seen.worlds.first().copied(),
            None => old.world_at(at).copied(),
        };
        let world = match self.own_worlds[own_world].first() {
            Some(&(_, id)) => Some(self.world(id, true)),
            None => remembered.map(|world| self.forgotten(world)),
        };
        self.new.worlds.extend(world);
        let faded = |portal: PortalSeen| PortalSeen { collapsed: None, ..portal };
        match frozen {
            Some(frozen) => self.new.portals.extend(portals(sky, reader, frozen.at).into_iter().map(faded)),
            None => self.new.portals.extend(rows_at(&old.portals, at).iter().copied().map(faded)),
        }
        match cloud.or(frozen.map(|frozen| frozen.at)) {
            Some(sector) => self.new.storms.extend(storms(sky, reader, sector)),
            None => self.new.storms.extend_from_slice(rows_at(&old.storms, at)),
        }
    }

    /// What stays of a world that is not seen now. That an own world was lost is no secret: its former owner is told.
    fn forgotten(&self, world: WorldSeen) -> WorldSeen {
        let owner = if world.owner == Some(self.reader.seat) {
            self.losses.iter().rev().find(|loss| loss.0 == world.at).and_then(|loss| loss.1)
        } else {
            world.owner
        };
        WorldSeen { owner, stockpile: None, homeworld: false, siege: None, ..world }
    }

    /// A world as it is now. What is one's own is always complete (notes 8.3).
    fn world(&self, id: WorldId, visible: bool) -> WorldSeen {
        let world = self.sky.galaxy.world(id);
        WorldSeen {
            at: self.reader.local(world.at),
            name: world.name,
            production: world.production,
            owner: world.owner,
            stockpile: Some(world.stockpile),
            homeworld: self.sky.is_homeworld(id),
            siege: (visible || world.owner == Some(self.reader.seat)).then_some(world.siege),
        }
    }

    /// Foreign ships, each once and as well as anybody shows it; and this turn's wrecks of visible sectors, of all owners.
    fn ships(&mut self, at: Sector, own: Option<Level>, seen: &[(Coord, Glimpse)]) {
        let (sky, reader, coord) = (self.sky, self.reader, self.reader.local(at));
        self.scratch.clear();
        let first = self.new.ships.len();
        let foreign = sky.ships.in_sector(at).map(|id| sky.galaxy.ship(id)).filter(|ship| ship.owner != reader.seat);
        for ship in foreign {
            match best_sight(ship, reader.seat, own, seen) {
                Sight::Full => self.new.ships.push(ship_row(sky, reader, ship, ship.dp, false)),
                Sight::Identified => {
                    let class = sky.galaxy.class_of(ship);
                    self.scratch.push((Some((ship.owner, class.name)), class.tonnage));
                }
                Sight::Unidentified => self.scratch.push((None, sky.galaxy.class_of(ship).tonnage)),
                Sight::None => {}
            }
        }
        for id in sky.wrecks_in(at).filter(|&id| shows_wreck(sky.galaxy.ship(id), reader.seat, own, seen)) {
            self.new.ships.push(ship_row(sky, reader, sky.galaxy.ship(id), 0, true));
        }
        // Ids would tell the order in which ships were built.
        self.new.ships[first..].sort_unstable_by_key(|row| (row.owner, row.serial));
        self.scratch.sort_unstable();
        for fleet in self.scratch.chunk_by(|one, other| one.0 == other.0) {
            let tonnage = fleet.iter().map(|entry| u64::from(entry.1)).sum();
            self.new.fleets.push(FleetSeen { at: coord, identity: fleet[0].0, count: fleet.len() as u32, tonnage });
        }
    }
}

/// Whether a reader sees the wreck of a ship: in a sector that is visible to him, or to one who shares with him.
fn shows_wreck(ship: &Ship, reader: Seat, own: Option<Level>, seen: &[(Coord, Glimpse)]) -> bool {
    let shared =
        |glimpse: &Glimpse| glimpse.level == Level::Visible && (glimpse.by != ship.owner || is_shown(ship, reader));
    own == Some(Level::Visible) || seen.iter().any(|entry| shared(&entry.1))
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
fn best_sight(ship: &Ship, reader: Seat, own: Option<Level>, seen: &[(Coord, Glimpse)]) -> Sight {
    let of = |level: Level, by: Seat| match level {
        Level::Visible => Sight::Full,
        Level::Scanned if ship.public || ship.identified.contains(by) => Sight::Identified,
        Level::Scanned => Sight::Unidentified,
        Level::Obscured => Sight::None,
    };
    let shared = |glimpse: &Glimpse| {
        if glimpse.by != ship.owner {
            return of(glimpse.level, glimpse.by);
        }
        let shown = glimpse.level >= Level::Scanned && is_shown(ship, reader);
        if shown { Sight::Full } else { Sight::None }
    };
    let own = own.map_or(Sight::None, |level| of(level, reader));
    let others = seen.iter().map(|entry| &entry.1).filter(|glimpse| glimpse.by != reader);
    others.map(shared).fold(own, Sight::max)
}

/// A ship as a short-range scan shows it (notes 8.5).
pub(super) fn ship_row(sky: &Sky<'_>, reader: &Reader<'_>, ship: &Ship, dp: u16, wreck: bool) -> ShipSeen {
    let class = sky.galaxy.class_of(ship);
    let known = ship.owner == reader.seat || reader.classes.contains(ship.class);
    ShipSeen {
        at: reader.local(ship.at),
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
