//! What an empire can order. Orders cannot be listed one by one; what each piece can do is.

use crate::geometry::Coord;
use crate::hull::{Hull, Ratings};
use crate::name::Name;
use crate::ship::Serial;

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
