//! Rule 10: what one seat alone has and knows. It changes only by events told to that seat, so a
//! seat's knowledge is exactly what it was told.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::colony::{Bases, Colony};
use crate::state::options::Options;
use crate::state::research::Research;
use crate::state::sheet::Sheet;
use crate::state::ship::{Marker, Ship, ShipNumber};
use crate::state::standing::StandingOrders;
use crate::state::table::Table;
use crate::tables::board::Place;
use crate::tables::cards::{CardId, PlanetId};
use crate::tables::ships::Fleet;
use crate::tables::stars::{PLANETS_MAX, STAR_COUNT, StarId};
use crate::tables::technology::Tech;

/// A colony of somebody else that a seat holds: it knows everything about it (15.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::Prize, with(Seat = crate::wire::numbers::seat))]
pub struct Prize {
    /// To whom its people are loyal.
    pub owner: Seat,
    /// The colony; the same as its owner's.
    pub colony: Colony,
}

/// Who lives on a planet.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::People)]
pub struct People {
    pub millions: u16,
    pub factories: u32,
}

/// What a seat has found out of somebody else's colony.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::ColonySeen, without(number), with(Seat = crate::wire::numbers::seat))]
pub struct ColonySeen {
    pub owner: Seat,
    /// Who held it by conquest, if anybody.
    pub conqueror: Option<Seat>,
    /// Whether it had a shield.
    pub shield: bool,
    /// Its bases, if it was attacked.
    pub bases: Option<Bases>,
    /// Who lives there, on an independent world (fate 6.2).
    pub people: Option<People>,
    /// The turn of this news.
    pub turn: u8,
}

/// What a seat knows of a star.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Chart, without(star, planets))]
pub struct Chart {
    /// Its card, once the seat has explored it successfully (11.3).
    pub card: Option<CardId>,
    /// Colonies of others as last seen, by their place on the card.
    #[wire(with = crate::wire::power::survey)]
    pub colonies: [Option<ColonySeen>; PLANETS_MAX],
}

/// Ships of somebody else as last seen in a hex.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Sighting, with(Seat = crate::wire::numbers::seat))]
pub struct Sighting {
    pub at: Place,
    #[wire(name = seat)]
    pub of: Seat,
    pub fleet: Fleet,
    pub turn: u8,
}

/// A chance to look at ships that passed a colony (10). What there was to see is kept from the seat
/// until it looks.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Glimpse, with(Seat = crate::wire::numbers::seat))]
pub struct Glimpse {
    /// Its number, from 1.
    pub number: u32,
    /// The colony's star.
    pub star: StarId,
    /// Whose ships passed.
    #[wire(name = seat)]
    pub of: Seat,
    pub turn: u8,
}

/// People that a seat's ships killed (15.9).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Killed)]
pub struct Killed {
    pub star: StarId,
    pub millions: u16,
}

/// What one seat alone has and knows.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Power)]
pub struct Power {
    /// Its ships, by number.
    pub ships: Vec<Ship>,
    /// The number of the next one.
    pub next_ship: ShipNumber,
    /// Its colonies, by planet; those that others hold too.
    #[wire(most = PlanetId::COUNT)]
    pub colonies: Vec<Colony>,
    /// The age of the next one.
    pub next_colony: u16,
    /// Colonies of others that it holds, by planet.
    #[wire(most = PlanetId::COUNT)]
    pub prizes: Vec<Prize>,
    pub research: Research,
    /// i.p. from the Empire for research at the next production turn (fate 4.2 A).
    pub grant: u32,
    /// What it knows of the stars, by [`StarId::index`].
    #[wire(with = crate::wire::power::charts)]
    pub charts: Box<[Chart; STAR_COUNT]>,
    /// What it has seen of others' ships, by hex and seat.
    pub sightings: Vec<Sighting>,
    /// Chances to look, oldest first.
    pub glimpses: Vec<Glimpse>,
    /// How it answers without being asked.
    #[wire(name = standing_orders)]
    pub standing: StandingOrders,
    /// What it has handed in for the open phase.
    pub sheet: Sheet,
    /// Its ships in the battle that is fought, in the order of its units there; others are not
    /// asked by number.
    pub engaged: Vec<ShipNumber>,
    /// Whether it has begun to land in this player-turn, so that it attacks no more (4).
    pub landing: bool,
    /// 13.1, BR-26: stars at which it attacked colonies in this player-turn, in order; only the
    /// last can be attacked again.
    pub attacked: Vec<StarId>,
    /// 15.9: people killed in this player-turn, by star.
    #[wire(most = STAR_COUNT)]
    pub killed: Vec<Killed>,
    /// Space 1.1: colonies whose shields held out against it in this player-turn.
    #[wire(most = PlanetId::COUNT)]
    pub repelled: Vec<PlanetId>,
    /// Colonies whose shields were not hit in the last round before this seat broke its attack off
    /// in this turn.
    #[wire(most = PlanetId::COUNT)]
    pub faltered: Vec<PlanetId>,
    /// Space 6.3: the technologies into which its colonies pay in the production turn that is open,
    /// one after the other.
    #[wire(most = Tech::COUNT)]
    pub agenda: Vec<Tech>,
}

impl Power {
    /// A power with nothing.
    pub(crate) fn new() -> Self {
        Self {
            ships: Vec::new(),
            next_ship: ShipNumber(1),
            colonies: Vec::new(),
            next_colony: 0,
            prizes: Vec::new(),
            research: Research::default(),
            grant: 0,
            charts: Box::new([Chart::default(); STAR_COUNT]),
            sightings: Vec::new(),
            glimpses: Vec::new(),
            standing: StandingOrders::default(),
            sheet: Sheet::None,
            engaged: Vec::new(),
            landing: false,
            attacked: Vec::new(),
            killed: Vec::new(),
            repelled: Vec::new(),
            faltered: Vec::new(),
            agenda: Vec::new(),
        }
    }

    /// One of its ships.
    pub fn ship(&self, number: ShipNumber) -> Option<&Ship> {
        self.ships
            .binary_search_by_key(&number, |ship| ship.number)
            .ok()
            .map(|index| &self.ships[index])
    }

    pub(crate) fn ship_mut(&mut self, number: ShipNumber) -> Option<&mut Ship> {
        self.ships
            .binary_search_by_key(&number, |ship| ship.number)
            .ok()
            .map(|index| &mut self.ships[index])
    }

    /// Its ships in a hex.
    pub fn ships_at(&self, at: Place) -> impl Iterator<Item = &Ship> {
        self.ships.iter().filter(move |ship| ship.at == Some(at))
    }

    /// How many of each kind it has in a hex.
    pub fn fleet_at(&self, at: Place) -> Fleet {
        self.ships_at(at).map(Ship::kind).collect()
    }

    /// Whether it has a warship in a hex.
    pub fn has_warship_at(&self, at: Place, options: &Options) -> bool {
        self.ships_at(at).any(|ship| options.is_warship(ship.kind()))
    }

    /// One of its colonies.
    pub fn colony(&self, planet: PlanetId) -> Option<&Colony> {
        self.colonies
            .binary_search_by_key(&planet, |colony| colony.planet)
            .ok()
            .map(|index| &self.colonies[index])
    }

    /// A colony of somebody else that it holds.
    pub fn prize(&self, planet: PlanetId) -> Option<&Prize> {
        self.prizes
            .binary_search_by_key(&planet, |prize| prize.colony.planet)
            .ok()
            .map(|index| &self.prizes[index])
    }

    /// A colony that it commands: its own and free, or held.
    pub fn commanded(&self, planet: PlanetId) -> Option<&Colony> {
        let own = self.colony(planet).filter(|colony| colony.is_free());
        own.or_else(|| self.prize(planet).map(|prize| &prize.colony))
    }

    /// Its colonies of a star.
    pub fn colonies_of(&self, star: StarId) -> impl Iterator<Item = &Colony> {
        self.colonies.iter().filter(move |colony| colony.planet.star == star)
    }

    /// What it knows of a star.
    pub fn chart(&self, star: StarId) -> &Chart {
        &self.charts[star.index()]
    }

    /// Whether it has explored a star successfully (11.3).
    pub fn has_explored(&self, star: StarId) -> bool {
        self.chart(star).card.is_some()
    }
}

/// What one seat may know, lent from a view or from the game. Orders are judged, and choices
/// listed, from this alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eyes<'a> {
    pub(crate) seat: Seat,
    pub(crate) table: &'a Table,
    pub(crate) power: &'a Power,
}

impl Power {
    /// BR-30: how many groups its ships in a hex form: task forces, and one more for those in none.
    pub(crate) fn groups_at(&self, at: Place) -> u8 {
        let groups = self
            .ships_at(at)
            .fold(0_u16, |groups, ship| groups | 1 << ship.marker.map_or(0, Marker::number));
        groups.count_ones() as u8
    }
}
