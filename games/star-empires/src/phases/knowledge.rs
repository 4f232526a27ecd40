//! 6.8 scanning: the update of each empire's map and contacts.

use heliopause_kernel::{Seat, SeatSet};

use crate::chart::{Chart, ChartChange};
use crate::finish::empires_on_chart;
use crate::galaxy::Galaxy;
use crate::geometry::Sector;
use crate::ids::ShipId;
use crate::index::{ObjectIndex, ShipIndex};
use crate::ledger::Orders;
use crate::news::{NewsRecord, What};
use crate::position::StarEmpires;
use crate::report::Picture;
use crate::scan::{
    Reader, ScanIndex, ScanInput, SectorSnapshot, Sighting, chart, collect, contacts, share,
};
use crate::section::Section;
use crate::update::{Update, Wreck};

type OwnershipChange = (SeatSet, Sector, Option<Seat>);

struct Learned {
    chart: Chart,
    change: ChartChange,
    pictures: Vec<Picture>,
    met: SeatSet,
}

/// Notes 11.2, step 7: makes map 0 by running 6.8.3 and 6.8.5 before any orders. An empire whose
/// position includes a map keeps that map.
pub(crate) fn first_map(game: &mut StarEmpires) {
    let (ships, objects) = (ShipIndex::build(&game.galaxy), ObjectIndex::build(&game.galaxy));
    for seat in game.galaxy.seats() {
        if !game.knowledge[seat.index()].chart.sectors.is_empty() {
            continue;
        }
        let scan_index = ScanIndex::new(&game.galaxy, &ships, &objects, &[]);
        let own = collect(&scan_index, seat, |_| true);
        let met = contacts(&scan_index, seat, &own, &[]);
        let scan_input = ScanInput { sightings: own, ..ScanInput::default() };
        let reader = reader(&game.galaxy, seat, game.turn);
        let (chart, _) = chart(&scan_index, &reader, &Chart::default(), &scan_input);
        let empire = game.galaxy.empire_mut(seat);
        empire.contacts = empire.contacts.union(met);
        empire.known_empires =
            empire.known_empires.union(met).union(empires_on_chart(&chart)).without(seat);
        game.knowledge[seat.index()].chart = chart;
    }
}

pub(crate) fn map_without_history(
    galaxy: &Galaxy,
    ships: &ShipIndex,
    objects: &ObjectIndex,
    seat: Seat,
    turn: u32,
) -> Chart {
    let scan_index = ScanIndex::new(galaxy, ships, objects, &[]);
    let scan_input =
        ScanInput { sightings: collect(&scan_index, seat, |_| true), ..ScanInput::default() };
    chart(&scan_index, &reader(galaxy, seat, turn), &Chart::default(), &scan_input).0
}

fn reader(galaxy: &Galaxy, seat: Seat, turn: u32) -> Reader<'_> {
    let empire = galaxy.empire(seat);
    Reader { seat, frame: empire.frame, classes: &empire.classes, turn }
}

impl Update<'_> {
    pub(crate) fn knowledge(&mut self, orders: &Orders) {
        self.deny_access(orders);
        self.authorize_access(orders);
        self.scan(false);
    }

    /// Scans and redraws every empire's chart (6.8.3 to 6.8.5). `same_turn` keeps the wrecks
    /// already on the charts. It is set for orders of the game master between updates (notes 12.2).
    pub(crate) fn scan(&mut self, same_turn: bool) {
        let taken = std::mem::take(&mut self.pictures);
        for (seat, learned) in self.learn(&taken, same_turn) {
            self.redraw_chart(seat, learned.chart, learned.change);
            self.last_seen[seat.index()] = learned.pictures;
            for other in learned.met.difference(self.galaxy().empire(seat).contacts).iter() {
                self.game.galaxy.empire_mut(seat).meet(other);
                self.add_news(Section::of("6.8.5"), None, SeatSet::one(seat), What::Contact(other));
            }
        }
    }

    fn learn(&self, taken: &[SectorSnapshot], same_turn: bool) -> Vec<(Seat, Learned)> {
        let mut wrecks: Vec<(Sector, ShipId)> = self
            .wrecks
            .iter()
            .map(|wreck| (self.galaxy().ship(wreck.ship).at, wreck.ship))
            .collect();
        wrecks.sort_unstable();
        let scan_index = ScanIndex::new(self.galaxy(), &self.index, &self.objects, &wrecks);
        let (seats, ownership_changes) = (|| self.galaxy().seats(), self.ownership_changes());
        let collected: Vec<Vec<Sighting<'_>>> =
            seats().map(|seat| collect(&scan_index, seat, |_| true)).collect();
        let learned = seats().map(|seat| {
            let scan_input =
                scan_input(&scan_index, seat, &collected, taken, &ownership_changes, same_turn);
            let own = &collected[seat.index()];
            (seat, self.record_objects(&scan_index, seat, own, &scan_input, taken))
        });
        learned.collect()
    }

    /// 6.8.5: draws the new map of an empire and finds its new contacts.
    fn record_objects(
        &self,
        scan_index: &ScanIndex<'_>,
        seat: Seat,
        own: &[Sighting<'_>],
        scan_input: &ScanInput<'_>,
        taken: &[SectorSnapshot],
    ) -> Learned {
        let reader = reader(self.galaxy(), seat, self.turn());
        let (chart, change) =
            chart(scan_index, &reader, &self.game.knowledge[seat.index()].chart, scan_input);
        let pictures = scan_input.pictures.iter();
        let pictures = pictures.map(|snapshot| snapshot.picture(scan_index, &reader)).collect();
        Learned { chart, change, pictures, met: contacts(scan_index, seat, own, taken) }
    }

    fn ownership_changes(&self) -> Vec<OwnershipChange> {
        let ownership_change = |record: &NewsRecord| {
            let What::Owner { world, to, .. } = record.what else { return None };
            Some((record.readers, self.galaxy().world(world).at, to))
        };
        self.news.iter().filter_map(ownership_change).collect()
    }

    /// Notes 8.6: records the last view that owners of lost ships have of their sectors. Must be
    /// called after damage is applied and before the ships are removed. Cargo has no view.
    pub(crate) fn take_pictures(&mut self, section: Section, wrecks: &[Wreck]) {
        let at = |id: ShipId| (self.galaxy().ship(id).at, self.galaxy().ship(id).owner);
        let mut lost_ships: Vec<((Sector, Seat), ShipId)> = wrecks
            .iter()
            .filter(|wreck| !wreck.cargo)
            .map(|wreck| (at(wreck.ship), wreck.ship))
            .collect();
        lost_ships.sort_unstable();
        let mut lost: Vec<(Sector, ShipId)> =
            self.wrecks.iter().chain(wrecks).map(|wreck| (at(wreck.ship).0, wreck.ship)).collect();
        lost.sort_unstable();
        lost.dedup();
        let taken = lost_ships
            .chunk_by(|one, other| one.0 == other.0)
            .map(|group| self.snapshot_sector(section, group, &lost));
        let taken: Vec<SectorSnapshot> = taken.collect();
        self.pictures.extend(taken);
    }

    fn snapshot_sector(
        &self,
        section: Section,
        group: &[((Sector, Seat), ShipId)],
        lost: &[(Sector, ShipId)],
    ) -> SectorSnapshot {
        let galaxy = self.galaxy();
        let (at, owner) = group[0].0;
        let start = lost.partition_point(|&(other, _)| other < at);
        let wrecks: Vec<ShipId> = lost[start..]
            .iter()
            .take_while(|&&(other, _)| other == at)
            .map(|&(_, id)| id)
            .collect();
        let stays = |id: &ShipId| wrecks.binary_search(id).is_err();
        let ships =
            self.index.in_sector(at).filter(stays).map(|id| (id, galaxy.ship(id).dp)).collect();
        let world = self.objects.world(at);
        SectorSnapshot {
            owner,
            section,
            at,
            lost_ships: group.iter().map(|&(_, id)| id).collect(),
            world: world.map(|id| *galaxy.world(id)),
            homeworld: world.is_some_and(|id| galaxy.is_homeworld(id)),
            ships,
            wrecks,
        }
    }
}

/// 6.8.4: returns what an empire receives from its own ships and from the scans of other empires.
fn scan_input<'a>(
    scan_index: &'a ScanIndex<'_>,
    seat: Seat,
    collected: &[Vec<Sighting<'a>>],
    taken: &'a [SectorSnapshot],
    ownership_changes: &[OwnershipChange],
    same_turn: bool,
) -> ScanInput<'a> {
    let (mut sightings, mut pictures) = (collected[seat.index()].clone(), Vec::new());
    pictures.extend(taken.iter().filter(|snapshot| snapshot.owner == seat));
    share(scan_index, seat, collected, taken, &mut sightings, &mut pictures);
    let told = ownership_changes.iter().filter(|(readers, ..)| readers.contains(seat));
    ScanInput {
        sightings,
        pictures,
        losses: told.map(|&(_, at, to)| (at, to)).collect(),
        same_turn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Site;

    #[test]
    fn notes_11_2_the_map_without_history_is_the_first_map() {
        let mut site =
            Site::of("world W (0,0) 5 7 A; ships A battleship (0,0) L; ships B probe (1,0) P");
        site.game.galaxy.compact_ships();
        let galaxy = &site.game.galaxy;
        let (ships, objects) = (ShipIndex::build(galaxy), ObjectIndex::build(galaxy));
        let imagined = map_without_history(galaxy, &ships, &objects, Seat::at(0), site.game.turn);
        assert!(imagined.worlds.len() == 1 && imagined.sectors.len() > 1, "{imagined:?}");
        first_map(&mut site.game);
        assert_eq!(imagined, site.game.knowledge[0].chart);
    }
}
