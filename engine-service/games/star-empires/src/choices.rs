//! What an empire can order. Orders cannot be listed one by one; what each piece can do is.

use std::collections::BTreeSet;

use heliopause_kernel::Seat;

use crate::class::STARBASE;
use crate::geometry::Coord;
use crate::hull::{Hull, Ratings};
use crate::name::Name;
use crate::objects::Siege;
use crate::position::StarEmpires;
use crate::ship::Serial;
use crate::validate::Knows;

/// The choices of an empire. Every line that is made of them is accepted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// Per own ship, by serial number.
    pub ships: Vec<ShipChoices>,
    /// Per own world, by name.
    pub worlds: Vec<WorldChoices>,
    /// Portals whose navigation data can be transmitted (6.4.1).
    pub transmit: Vec<Name>,
    /// Classes that can be given (6.5.3).
    pub give: Vec<Name>,
    /// Contacts: to whom data, designs, RU and scans can go, and from whom ships can be concealed.
    pub contacts: Vec<Name>,
    /// Hulls that can be designed (6.5.2).
    pub hulls: Vec<HullChoices>,
}

/// What a ship can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShipChoices {
    /// The ship.
    pub ship: Serial,
    /// Where it is.
    pub at: Coord,
    /// Whether it can be unloaded (6.2.1).
    pub unload: bool,
    /// The carriers onto which it can be loaded as they stand (6.2.2).
    pub carriers: Vec<Serial>,
    /// Whether it can self-destruct (6.3.1).
    pub destruct: bool,
    /// Empires at which it can fire (6.3.2).
    pub targets: Vec<Name>,
    /// How many sectors it can move (6.4.2).
    pub range: u16,
    /// Portals that it can reach and traverse (6.4.3).
    pub portals: Vec<Name>,
    /// Damage points that can be repaired (6.6.2).
    pub damage: u16,
}

/// What a world can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldChoices {
    /// The world.
    pub world: Name,
    /// RU there.
    pub stockpile: u32,
    /// Classes that can be built, with how many the stockpile pays for (6.6.1).
    pub build: Vec<(Name, u32)>,
    /// Whether RU can leave it, as it stands (6.7).
    pub ship: bool,
}

/// A hull that can be designed, with its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HullChoices {
    /// The hull.
    pub hull: Hull,
    /// The least ratings.
    pub least: Ratings,
    /// The highest ratings.
    pub most: Ratings,
}

impl StarEmpires {
    /// The choices of an empire, from what it knows alone.
    pub(crate) fn choices_of(&self, seat: Seat) -> Choices {
        let knows = Knows::of(self, seat);
        let names = |seats: heliopause_kernel::SeatSet| {
            seats.iter().map(|other| self.galaxy.empire(other).name).collect::<Vec<_>>()
        };
        let mut transmit: Vec<Name> = knows.empire.navigation.iter().map(|id| self.galaxy.portal(id).name).collect();
        transmit.sort_unstable();
        let limits = |hull: Hull| HullChoices { hull, least: hull.least(), most: hull.most() };
        Choices {
            ships: (0..knows.ships.len()).map(|index| knows.ship_choices(index)).collect(),
            worlds: knows.world_choices(),
            transmit,
            give: knows.known_classes().map(|class| class.name).collect(),
            contacts: names(knows.empire.contacts),
            hulls: Hull::ALL.into_iter().map(limits).collect(),
        }
    }
}

impl Knows<'_> {
    fn ship_choices(&self, index: usize) -> ShipChoices {
        let (ship, galaxy) = (&self.ships[index], &self.game.galaxy);
        let class = self.class(ship);
        let range = if ship.is_loaded() { 0 } else { self.engines_when_moving(ship) };
        ShipChoices {
            ship: ship.serial,
            at: self.at(ship),
            unload: ship.is_loaded(),
            carriers: self.carriers_for(index),
            destruct: !ship.is_loaded() && ship.class != STARBASE,
            // A missile fires from its rack, everything else from outside one (6.3.2.2).
            targets: if ship.is_loaded() == class.is_missile() && galaxy.guns(ship) > 0 {
                self.targets_at(self.at(ship))
            } else {
                Vec::new()
            },
            range,
            portals: if range == 0 { Vec::new() } else { self.portals_near(self.at(ship), range) },
            damage: class.ratings.dp - ship.dp,
        }
    }

    /// 6.2.2: loose ships beside it that have the racks, in the order of their serial numbers.
    fn carriers_for(&self, index: usize) -> Vec<Serial> {
        let ship = &self.ships[index];
        if ship.is_loaded() || self.cargo[index] > 0 {
            return Vec::new();
        }
        let tonnage = self.class(ship).tonnage;
        let has_room = |other: &usize| {
            let racks = u32::from(self.class(&self.ships[*other]).ratings.racks);
            *other != index && racks.saturating_sub(self.cargo[*other]) >= tonnage
        };
        self.loose_at(self.at(ship)).filter(has_room).map(|other| self.ships[other].serial).collect()
    }

    /// 6.3.2: empires whose ships are seen in the sector.
    fn targets_at(&self, at: Coord) -> Vec<Name> {
        let rows = crate::chart::rows_at(&self.chart.ships, at);
        let owners: BTreeSet<Seat> = rows.iter().filter(|row| !row.wreck).map(|row| row.owner).collect();
        owners
            .into_iter()
            .filter(|&owner| owner != self.seat)
            .map(|owner| self.game.galaxy.empire(owner).name)
            .collect()
    }

    /// 6.4.3: portals on the map within reach.
    fn portals_near(&self, at: Coord, range: u16) -> Vec<Name> {
        let near = self.chart.portals.iter().filter(|row| row.at.distance(at) <= u32::from(range));
        let mut names: Vec<Name> = near.map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn world_choices(&self) -> Vec<WorldChoices> {
        let mut worlds: Vec<WorldChoices> = self
            .own_worlds()
            .map(|row| {
                let stockpile = row.stockpile.unwrap_or(0);
                let siege = row.siege.unwrap_or_default();
                let affordable =
                    |class: &&crate::class::Class| !class.unbuildable && (1..=stockpile).contains(&class.cost);
                let works = siege != Siege::Interdicted;
                let classes = self.known_classes().filter(|_| works).filter(affordable);
                let build = classes.map(|class| (class.name, stockpile / class.cost)).collect();
                WorldChoices { world: row.name, stockpile, build, ship: siege == Siege::None }
            })
            .collect();
        worlds.sort_by_key(|world| world.world);
        worlds
    }
}
