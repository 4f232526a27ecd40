//! 6.8 scanning: what each empire gets to know.

use heliopause_kernel::{Seat, SeatSet};

use crate::chart::{Chart, ChartChange};
use crate::finish::named_in;
use crate::galaxy::Galaxy;
use crate::geometry::Sector;
use crate::ids::ShipId;
use crate::index::{ObjectIndex, ShipIndex};
use crate::ledger::Orders;
use crate::news::{Happening, What};
use crate::position::StarEmpires;
use crate::report::Picture;
use crate::scan::{Frozen, Given, Glimpse, Reader, Sky, chart, collect, contacts, share};
use crate::section::Section;
use crate::update::{Update, Wreck};

/// Who was told that a world changed hands, where it is, and whose it is now.
type Handover = (SeatSet, Sector, Option<Seat>);

/// What an empire gets to know.
struct Learned {
    /// Its new map.
    chart: Chart,
    /// How that differs from the map before.
    change: ChartChange,
    /// What lost ships last saw.
    pictures: Vec<Picture>,
    met: SeatSet,
}

/// Notes 11.2, step 7: makes map 0: 6.8.3 and 6.8.5 once, before anybody has ordered anything. An
/// empire whose map came with a position keeps it.
pub(crate) fn first_map(game: &mut StarEmpires) {
    let (ships, objects) = (ShipIndex::build(&game.galaxy), ObjectIndex::build(&game.galaxy));
    for seat in game.galaxy.seats() {
        if !game.knowledge[seat.index()].chart.sectors.is_empty() {
            continue;
        }
        let sky = Sky::new(&game.galaxy, &ships, &objects, &[]);
        let own = collect(&sky, seat, |_| true);
        let met = contacts(&sky, seat, &own, &[]);
        let given = Given { glimpses: own, ..Given::default() };
        let (chart, _) =
            chart(&sky, &reader(&game.galaxy, seat, game.turn), &Chart::default(), &given);
        let empire = game.galaxy.empire_mut(seat);
        empire.contacts = empire.contacts.union(met);
        empire.heard_of = empire.heard_of.union(met).union(named_in(&chart)).without(seat);
        game.knowledge[seat.index()].chart = chart;
    }
}

/// The map that an empire would have if it had never seen anything but what it sees now.
pub(crate) fn imagined_map(
    galaxy: &Galaxy,
    ships: &ShipIndex,
    objects: &ObjectIndex,
    seat: Seat,
    turn: u32,
) -> Chart {
    let sky = Sky::new(galaxy, ships, objects, &[]);
    let given = Given { glimpses: collect(&sky, seat, |_| true), ..Given::default() };
    chart(&sky, &reader(galaxy, seat, turn), &Chart::default(), &given).0
}

fn reader(galaxy: &Galaxy, seat: Seat, turn: u32) -> Reader<'_> {
    let empire = galaxy.empire(seat);
    Reader { seat, frame: empire.frame, classes: &empire.classes, turn }
}

impl Update<'_> {
    /// The phases of chapter 6.8, in their order.
    pub(crate) fn knowledge(&mut self, orders: &Orders) {
        self.deny_access(orders);
        self.authorize_access(orders);
        self.scan(false);
    }

    /// 6.8.3 to 6.8.5; of the same turn as before, if no update is under way (notes 12.2).
    pub(crate) fn scan(&mut self, same_turn: bool) {
        let taken = std::mem::take(&mut self.pictures);
        for (seat, learned) in self.learn(&taken, same_turn) {
            self.redraw_chart(seat, learned.chart, learned.change);
            self.last_seen[seat.index()] = learned.pictures;
            for other in learned.met.difference(self.galaxy().empire(seat).contacts).iter() {
                self.game.galaxy.empire_mut(seat).meet(other);
                self.tell(Section::of("6.8.5"), None, SeatSet::one(seat), What::Contact(other));
            }
        }
    }

    /// What each empire gets to know.
    fn learn(&self, taken: &[Frozen], same_turn: bool) -> Vec<(Seat, Learned)> {
        let mut wrecks: Vec<(Sector, ShipId)> = self
            .wrecks
            .iter()
            .map(|wreck| (self.galaxy().ship(wreck.ship).at, wreck.ship))
            .collect();
        wrecks.sort_unstable();
        let sky = Sky::new(self.galaxy(), &self.index, &self.objects, &wrecks);
        let (seats, handovers) = (|| self.galaxy().seats(), self.handovers());
        // 6.8.3: what the ships of each empire see.
        let collected: Vec<Vec<Glimpse<'_>>> =
            seats().map(|seat| collect(&sky, seat, |_| true)).collect();
        let learned = seats().map(|seat| {
            let given = given(&sky, seat, &collected, taken, &handovers, same_turn);
            (seat, self.record_objects(&sky, seat, &collected[seat.index()], &given, taken))
        });
        learned.collect()
    }

    /// 6.8.5: what was found enters the map, and who was met the list of contacts.
    fn record_objects(
        &self,
        sky: &Sky<'_>,
        seat: Seat,
        own: &[Glimpse<'_>],
        given: &Given<'_>,
        taken: &[Frozen],
    ) -> Learned {
        let reader = reader(self.galaxy(), seat, self.turn());
        let (chart, change) = chart(sky, &reader, &self.game.knowledge[seat.index()].chart, given);
        Learned {
            chart,
            change,
            pictures: given.pictures.iter().map(|frozen| frozen.picture(sky, &reader)).collect(),
            met: contacts(sky, seat, own, taken),
        }
    }

    /// Worlds that changed hands: who was told, where it was, and who has it now.
    fn handovers(&self) -> Vec<Handover> {
        let handover = |happening: &Happening| match happening.what {
            What::Owner { world, to, .. } => {
                Some((happening.readers, self.galaxy().world(world).at, to))
            }
            What::Ship { .. }
            | What::Siege { .. }
            | What::Portal { .. }
            | What::Homeworld(_)
            | What::Navigation { .. }
            | What::Class { .. }
            | What::Delivery { .. }
            | What::Production(_)
            | What::Contact(_) => None,
        };
        self.news.iter().filter_map(handover).collect()
    }

    /// Notes 8.6: freezes what the owners of ships that are being lost see of their sectors. Called
    /// by 6.3.4 and 6.4.6 once damage is applied and before the ships leave, with the wrecks of
    /// that phase; cargo sees nothing.
    pub(crate) fn take_pictures(&mut self, section: Section, wrecks: &[Wreck]) {
        let at = |id: ShipId| (self.galaxy().ship(id).at, self.galaxy().ship(id).owner);
        let mut eyes: Vec<((Sector, Seat), ShipId)> = wrecks
            .iter()
            .filter(|wreck| !wreck.cargo)
            .map(|wreck| (at(wreck.ship), wreck.ship))
            .collect();
        eyes.sort_unstable();
        let mut lost: Vec<(Sector, ShipId)> =
            self.wrecks.iter().chain(wrecks).map(|wreck| (at(wreck.ship).0, wreck.ship)).collect();
        lost.sort_unstable();
        lost.dedup();
        let taken = eyes
            .chunk_by(|one, other| one.0 == other.0)
            .map(|group| self.freeze(section, group, &lost));
        let taken: Vec<Frozen> = taken.collect();
        self.pictures.extend(taken);
    }

    /// What an empire's ships that are being lost in one sector see of it.
    fn freeze(
        &self,
        section: Section,
        group: &[((Sector, Seat), ShipId)],
        lost: &[(Sector, ShipId)],
    ) -> Frozen {
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
        Frozen {
            owner,
            section,
            at,
            eyes: group.iter().map(|&(_, id)| id).collect(),
            world: world.map(|id| *galaxy.world(id)),
            homeworld: world.is_some_and(|id| galaxy.is_homeworld(id)),
            ships,
            wrecks,
        }
    }
}

/// 6.8.4: what an empire gets: what its own ships see, and what others let it see of theirs.
fn given<'a>(
    sky: &'a Sky<'_>,
    seat: Seat,
    collected: &[Vec<Glimpse<'a>>],
    taken: &'a [Frozen],
    handovers: &[Handover],
    same_turn: bool,
) -> Given<'a> {
    let (mut glimpses, mut pictures) = (collected[seat.index()].clone(), Vec::new());
    pictures.extend(taken.iter().filter(|frozen| frozen.owner == seat));
    share(sky, seat, collected, taken, &mut glimpses, &mut pictures);
    let told = handovers.iter().filter(|(readers, ..)| readers.contains(seat));
    Given { glimpses, pictures, losses: told.map(|&(_, at, to)| (at, to)).collect(), same_turn }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Coord;
    use crate::testing::{Site, line};

    #[test]
    fn notes_11_2_a_map_that_is_imagined_is_the_first_map() {
        let mut site = Site::new(2);
        site.world("W", (0, 0), "A", 5, 7);
        site.ships("A", "L", "battleship", (0, 0));
        site.ships("B", "P", "probe", (1, 0));
        site.game.galaxy.settle_ships();
        let galaxy = &site.game.galaxy;
        let (ships, objects) = (ShipIndex::build(galaxy), ObjectIndex::build(galaxy));
        let imagined = imagined_map(galaxy, &ships, &objects, Seat::at(0), site.game.turn);
        assert!(imagined.worlds.len() == 1 && imagined.sectors.len() > 1, "{imagined:?}");
        first_map(&mut site.game);
        assert_eq!(imagined, site.game.knowledge[0].chart);
    }

    #[test]
    fn rule_6_8_5_who_loses_a_world_with_their_last_ship_there_knows_whose_it_is() {
        let mut site = Site::new(2);
        site.world("Far", (6, 0), "A", 5, 0);
        site.ships("A", "Guard", "probe", (6, 0));
        site.ships("B", "L", "battleship", (6, 0));
        first_map(&mut site.game);
        let owner =
            |site: &Site| site.game.knowledge[0].chart.world_at(Coord::new(6, 0)).unwrap().owner;
        assert_eq!(owner(&site), Some(Seat::at(0)));
        site.orders("B", [line::fire("L", "A")]).play();
        assert_eq!(owner(&site), Some(Seat::at(1)));
    }

    #[test]
    fn notes_8_6_lost_ships_show_each_its_own_sector_and_the_wrecks_there() {
        let mut site = Site::new(2);
        for (at, own, other) in [((0, 0), "One One2", "Left"), ((4, 0), "Two Two2", "Right")] {
            site.ships("A", own, "probe", at);
            site.ships("B", other, "battleship", at);
        }
        site.ships("B", "Prey", "probe", (0, 0));
        site.orders("A", [line::fire_ascending("One", "B")]);
        site.orders("B", [line::fire("Left", "A"), line::fire("Right", "A")]);
        // Cargo is not seen, whether its carrier is lost or not.
        site.ships("B", "Mule", "carrier", (4, 0));
        site.ships("B", "F", "fighter", (4, 0));
        site.load("B", "F", "Mule");
        site.close();
        let seen = |picture: &Picture| {
            assert_eq!(picture.seen.sectors.len(), 1);
            let rows = picture.seen.ships.iter();
            let mut names: Vec<String> = rows
                .map(|row| format!("{}{}", row.name, if row.wreck { "+" } else { "" }))
                .collect();
            names.sort();
            names.join(" ")
        };
        let pictures: Vec<String> =
            site.game.knowledge[0].report.pictures.iter().map(seen).collect();
        assert_eq!(pictures, ["Left One+ One2+ Prey+", "Mule Right Two+ Two2+"]);
    }
}
