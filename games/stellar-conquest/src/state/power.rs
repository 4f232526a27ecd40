//! Rule 10: the private state of one seat. Only events published to the seat change it, so the
//! seat's knowledge equals the events that it received.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::chart::Chart;
use crate::state::colony::Colony;
use crate::state::options::Options;
use crate::state::research::Research;
use crate::state::sheet::Sheet;
use crate::state::ship::{Marker, Ship, ShipNumber};
use crate::state::standing::StandingOrders;
use crate::state::table::Table;
use crate::tables::{Fleet, Place, PlanetId, STAR_COUNT, StarId, Tech};

/// A conquered colony of another seat. The conqueror knows everything about it (rule 15.1).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug)]
#[wire(message = proto::ConqueredColony, with(Seat = crate::tables::numbers::seat))]
pub struct Prize {
    pub owner: Seat,
    pub colony: Colony,
}

/// Ships of another seat as last seen in a hex.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Sighting, with(Seat = crate::tables::numbers::seat))]
pub struct Sighting {
    pub at: Place,
    #[wire(name = seat)]
    pub of: Seat,
    pub fleet: Fleet,
    pub turn: u8,
}

/// A chance to inspect ships that passed a colony, before knowing which ships they are (rule 10).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Glimpse, with(Seat = crate::tables::numbers::seat))]
pub struct Glimpse {
    pub number: u32,
    pub star: StarId,
    #[wire(name = seat)]
    pub of: Seat,
    pub turn: u8,
}

/// People killed by a seat's ships (rule 15.9).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Killed)]
pub struct Killed {
    pub star: StarId,
    pub millions: u16,
}

/// The private state of one seat: its property and knowledge.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Power)]
pub struct Power {
    pub ships: Vec<Ship>,
    pub next_ship: ShipNumber,
    /// The seat's colonies by planet, including those conquered by others.
    #[wire(most = PlanetId::COUNT)]
    pub colonies: Vec<Colony>,
    pub next_colony: u16,
    /// Colonies of others that the seat conquered, by planet.
    #[wire(most = PlanetId::COUNT)]
    pub conquered_colonies: Vec<Prize>,
    pub research: Research,
    /// i.p. from the Empire for research at the next production turn (fate 4.2 A).
    pub grant: u32,
    /// Knowledge of the stars, by [`StarId::index`].
    #[wire(with = crate::state::chart::charts)]
    pub charts: Box<[Chart; STAR_COUNT]>,
    /// Sightings of other seats' ships, by hex and seat.
    pub sightings: Vec<Sighting>,
    /// Inspection chances, oldest first.
    pub glimpses: Vec<Glimpse>,
    #[wire(name = standing_orders)]
    pub standing: StandingOrders,
    pub sheet: Sheet,
    /// The seat's ships in the current battle, in the order of their units.
    pub engaged: Vec<ShipNumber>,
    /// Whether the seat has started landing in this player-turn, which ends its attacks (rule 4).
    pub landing: bool,
    /// Stars attacked in this player-turn. Only the last may be resumed (rule 13.1, BR-26).
    pub attacked: Vec<StarId>,
    #[wire(most = STAR_COUNT)]
    pub killed: Vec<Killed>,
    /// Colonies whose shields held out against the seat in this player-turn (space 1.1).
    #[wire(most = PlanetId::COUNT)]
    pub repelled: Vec<PlanetId>,
    /// Planets whose shields were not hit in the last round before the seat broke off its attack.
    #[wire(most = PlanetId::COUNT)]
    pub faltered: Vec<PlanetId>,
    /// The technologies to pay for in the current production turn, in order (space 6.3).
    #[wire(most = Tech::COUNT)]
    pub agenda: Vec<Tech>,
}

impl Power {
    pub(crate) fn new() -> Self {
        Self {
            ships: Vec::new(),
            next_ship: ShipNumber(1),
            colonies: Vec::new(),
            next_colony: 0,
            conquered_colonies: Vec::new(),
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

    pub fn ships_at(&self, at: Place) -> impl Iterator<Item = &Ship> {
        self.ships.iter().filter(move |ship| ship.at == Some(at))
    }

    pub fn fleet_at(&self, at: Place) -> Fleet {
        self.ships_at(at).map(Ship::kind).collect()
    }

    pub fn has_warship_at(&self, at: Place, options: &Options) -> bool {
        self.ships_at(at).any(|ship| options.is_warship(ship.kind()))
    }

    pub fn colony(&self, planet: PlanetId) -> Option<&Colony> {
        self.colonies
            .binary_search_by_key(&planet, |colony| colony.planet)
            .ok()
            .map(|index| &self.colonies[index])
    }

    pub fn prize(&self, planet: PlanetId) -> Option<&Prize> {
        self.conquered_colonies
            .binary_search_by_key(&planet, |prize| prize.colony.planet)
            .ok()
            .map(|index| &self.conquered_colonies[index])
    }

    /// Returns a colony that the seat controls: its own free one, or a conquered one.
    pub fn commanded(&self, planet: PlanetId) -> Option<&Colony> {
        let own = self.colony(planet).filter(|colony| colony.is_free());
        own.or_else(|| self.prize(planet).map(|prize| &prize.colony))
    }

    pub fn colonies_of(&self, star: StarId) -> impl Iterator<Item = &Colony> {
        self.colonies.iter().filter(move |colony| colony.planet.star == star)
    }

    pub fn chart(&self, star: StarId) -> &Chart {
        &self.charts[star.index()]
    }

    pub fn has_explored(&self, star: StarId) -> bool {
        self.chart(star).card.is_some()
    }
}

/// The knowledge of one seat, borrowed from a view or the game. Orders are judged only from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeatView<'a> {
    pub(crate) seat: Seat,
    pub(crate) table: &'a Table,
    pub(crate) power: &'a Power,
}

impl Power {
    pub(crate) fn groups_at(&self, at: Place) -> u8 {
        let groups = self
            .ships_at(at)
            .fold(0_u16, |groups, ship| groups | 1 << ship.marker.map_or(0, Marker::number));
        groups.count_ones() as u8
    }
}
