//! 6.8 scanning: what each empire gets to know.

use heliopause_kernel::{Seat, SeatSet};

use crate::chart::Chart;
use crate::finish::named_in;
use crate::galaxy::Galaxy;
use crate::geometry::Sector;
use crate::ids::{ShipId, WorldId};
use crate::index::{ObjectIndex, ShipIndex};
use crate::ledger::Orders;
use crate::news::What;
use crate::position::StarEmpires;
use crate::scan::{Frozen, Given, Glimpse, Reader, Sky, chart, collect, contacts, shared};
use crate::section::Section;
use crate::update::{Update, Wreck};

/// What each empire was given in this update, by seat.
type AllGiven<'a> = Vec<Given<'a>>;

/// Notes 11.2, step 7: makes map 0: 6.8.3 and 6.8.5 once, before anybody has ordered anything. An empire whose map came
/// with a position keeps it.
pub(crate) fn first_map(game: &mut StarEmpires) {
    let (ships, objects) = (ShipIndex::build(&game.galaxy), ObjectIndex::build(&game.galaxy));
    for seat in game.galaxy.seats() {
        if !game.knowledge[seat.index()].chart.sectors.is_empty() {
            continue;
        }
        let sky = Sky::new(&game.galaxy, &ships, &objects);
        let own = collect(&sky, seat, |_| true);
        let met = contacts(&sky, seat, &own, &[]);
        let given = Given { glimpses: own, ..Given::default() };
        let chart = chart(&sky, &reader(&game.galaxy, seat, game.turn), &Chart::default(), &given);
        let empire = game.galaxy.empire_mut(seat);
        empire.contacts = empire.contacts.union(met);
        empire.heard_of = empire.heard_of.union(met).union(named_in(&chart)).without(seat);
        game.knowledge[seat.index()].chart = chart;
    }
}

/// The map that an empire would have if it had never seen anything but what it sees now.
pub(crate) fn imagined_map(galaxy: &Galaxy, ships: &ShipIndex, objects: &ObjectIndex, seat: Seat, turn: u32) -> Chart {
    let sky = Sky::new(galaxy, ships, objects);
    let given = Given { glimpses: collect(&sky, seat, |_| true), ..Given::default() };
    chart(&sky, &reader(galaxy, seat, turn), &Chart::default(), &given)
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
        self.scan();
    }

    /// 6.8.3 to 6.8.5.
    pub(crate) fn scan(&mut self) {
        let collected = self.collect_scans();
        let pictures = std::mem::take(&mut self.pictures);
        let given = self.share_scans(&collected, &pictures);
        self.record_objects(&collected, &given, &pictures);
    }

    /// 6.8.3: what the ships of each empire see, by seat.
    fn collect_scans(&self) -> Vec<Vec<Glimpse>> {
        let sky = self.sky();
        self.galaxy().seats().map(|seat| collect(&sky, seat, |_| true)).collect()
    }

    /// 6.8.4: what each empire gets, by seat: what its own ships see, and what others let it see of theirs.
    fn share_scans<'a>(&self, collected: &[Vec<Glimpse>], pictures: &'a [Frozen]) -> AllGiven<'a> {
        let sky = self.sky();
        let given = |seat: Seat| {
            let (sectors, shown) = shared(&sky, seat, collected, pictures);
            let own = collected[seat.index()].iter().copied();
            let lost = pictures.iter().filter(|frozen| frozen.owner == seat);
            Given {
                glimpses: own.chain(sectors).collect(),
                pictures: lost.chain(shown).collect(),
                losses: self.losses_of(seat),
            }
        };
        self.galaxy().seats().map(given).collect()
    }

    /// Own worlds that an empire was told it lost, and to whom.
    fn losses_of(&self, seat: Seat) -> Vec<(Sector, Option<Seat>)> {
        let told = self.news.iter().filter(|happening| happening.readers.contains(seat));
        let loss = |what| match what {
            What::Owner { world, to, .. } => Some((self.galaxy().world(world).at, to)),
            _ => None,
        };
        told.filter_map(|happening| loss(happening.what)).collect()
    }

    /// 6.8.5: what was found enters the maps, and who was met the lists of contacts.
    fn record_objects(&mut self, collected: &[Vec<Glimpse>], given: &AllGiven<'_>, taken: &[Frozen]) {
        let (sky, galaxy) = (self.sky(), self.galaxy());
        let learn = |seat: Seat| {
            let (index, reader) = (seat.index(), reader(galaxy, seat, self.turn()));
            let pictures = given[index].pictures.iter().map(|frozen| frozen.picture(&sky, &reader)).collect();
            let new = chart(&sky, &reader, &self.game.knowledge[index].chart, &given[index]);
            (seat, new, pictures, contacts(&sky, seat, &collected[index], taken))
        };
        let learned: Vec<_> = galaxy.seats().map(learn).collect();
        for (seat, new, pictures, met) in learned {
            let old = std::mem::replace(&mut self.game.knowledge[seat.index()].chart, new);
            self.originals[seat.index()].get_or_insert(old);
            self.last_seen[seat.index()] = pictures;
            for other in met.difference(self.galaxy().empire(seat).contacts).iter() {
                self.game.galaxy.empire_mut(seat).meet(other);
                self.tell(section("6.8.5"), None, SeatSet::one(seat), What::Contact(other));
            }
        }
    }

    fn sky(&self) -> Sky<'_> {
        let wrecks = self.wrecks.iter().map(|wreck| wreck.ship);
        Sky::new(self.galaxy(), &self.index, &self.objects).with_wrecks(wrecks)
    }

    /// Notes 8.6: freezes what the owners of ships that are being lost see of their sectors. Called by 6.3.4 and 6.4.6 once
    /// damage is applied and before the ships leave, with the wrecks of that phase; cargo sees nothing.
    pub(crate) fn take_pictures(&mut self, section: Section, wrecks: &[Wreck]) {
        let at = |id: ShipId| (self.galaxy().ship(id).at, self.galaxy().ship(id).owner);
        let mut eyes: Vec<((Sector, Seat), ShipId)> =
            wrecks.iter().filter(|wreck| !wreck.cargo).map(|wreck| (at(wreck.ship), wreck.ship)).collect();
        eyes.sort_unstable();
        let mut lost: Vec<(Sector, ShipId)> =
            self.wrecks.iter().chain(wrecks).map(|wreck| (at(wreck.ship).0, wreck.ship)).collect();
        lost.sort_unstable();
        lost.dedup();
        let taken = eyes.chunk_by(|one, other| one.0 == other.0).map(|group| self.freeze(section, group, &lost));
        let taken: Vec<Frozen> = taken.collect();
        self.pictures.extend(taken);
    }

    /// What an empire's ships that are being lost in one sector see of it.
    fn freeze(&self, section: Section, group: &[((Sector, Seat), ShipId)], lost: &[(Sector, ShipId)]) -> Frozen {
        let galaxy = self.galaxy();
        let (at, owner) = group[0].0;
        let start = lost.partition_point(|&(other, _)| other < at);
        let wrecks: Vec<ShipId> =
            lost[start..].iter().take_while(|&&(other, _)| other == at).map(|&(_, id)| id).collect();
        let stays = |id: &ShipId| galaxy.ship(*id).is_loose() && wrecks.binary_search(id).is_err();
        let ships = self.index.in_sector(at).filter(stays).map(|id| (id, galaxy.ship(id).dp)).collect();
        let world = self.objects.world(at);
        let home = |id: WorldId| galaxy.world(id).owner.is_some_and(|own| galaxy.empire(own).homeworld == Some(id));
        Frozen {
            owner,
            section,
            at,
            eyes: group.iter().map(|&(_, id)| id).collect(),
            world: world.map(|id| *galaxy.world(id)),
            homeworld: world.is_some_and(home),
            ships,
            wrecks,
        }
    }
}

fn section(number: &str) -> Section {
    Section::numbered(number).expect("it is a section of the turn")
}
