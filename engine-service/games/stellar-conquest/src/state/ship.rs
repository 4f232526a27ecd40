//! Rules 0, 5, 8, 9: ships, where they are and where they go.

use std::fmt;

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Result, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::options::Options;
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;
use crate::tables::stars::StarId;

/// A kind of ship.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(words = proto::ShipKind)]
pub enum ShipKind {
    /// S: unarmed, without limit of range.
    Scout,
    /// CT: unarmed, carries one million people.
    #[wire(name = ColonyTransport)]
    Transport,
    /// C.
    Corvette,
    /// F.
    Fighter,
    /// DS.
    DeathStar,
}

impl ShipKind {
    /// All five, weakest first.
    pub const ALL: [Self; 5] = [Self::Scout, Self::Transport, Self::Corvette, Self::Fighter, Self::DeathStar];

    /// The array index, in the order of [`ShipKind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Rule 0: whether it is a warship of the base game. Ask [`Options::is_warship`], which knows the options.
    ///
    /// [`Options::is_warship`]: crate::Options::is_warship
    pub const fn is_base_warship(self) -> bool {
        matches!(self, Self::Corvette | Self::Fighter | Self::DeathStar)
    }

    /// 7.1: whether it must stay within range of a command post.
    pub const fn is_range_bound(self) -> bool {
        !matches!(self, Self::Scout)
    }

    /// 15.9: how many millions of a conquered colony it may kill in a turn.
    pub const fn kills(self) -> u16 {
        match self {
            Self::Scout | Self::Transport => 0,
            Self::Corvette => 1,
            Self::Fighter => 3,
            Self::DeathStar => 5,
        }
    }

    /// The letters that the rules use.
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Scout => "S",
            Self::Transport => "CT",
            Self::Corvette => "C",
            Self::Fighter => "F",
            Self::DeathStar => "DS",
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scout => "scout",
            Self::Transport => "colony transport",
            Self::Corvette => "corvette",
            Self::Fighter => "fighter",
            Self::DeathStar => "death star",
        }
    }
}

impl fmt::Display for ShipKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which of its owner's ships it is, from 1. Numbers are never used again, and no other seat is told them: they would
/// give away how many were built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ShipNumber(pub u32);

impl fmt::Display for ShipNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// What a colony transport carries: always one million people.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::Load, or_default, with(Seat = crate::wire::numbers::seat))]
pub struct Load {
    /// Whether it is equipped for barren planets (16.3).
    pub cet: bool,
    /// The colony that its people left, where they never land again (16.7); none for those of the start.
    #[wire(name = origin)]
    pub from: Option<PlanetId>,
    /// The seat to which its people stay loyal, if they come from a conquered colony (15.4).
    pub captives_of: Option<Seat>,
}

/// A kind of ship with what belongs to that kind alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hull {
    /// A scout.
    Scout,
    /// A colony transport and its people.
    Transport(Load),
    /// A corvette.
    Corvette,
    /// A fighter.
    Fighter,
    /// A death star.
    DeathStar,
}

impl Hull {
    /// Its kind.
    pub const fn kind(self) -> ShipKind {
        match self {
            Self::Scout => ShipKind::Scout,
            Self::Transport(_) => ShipKind::Transport,
            Self::Corvette => ShipKind::Corvette,
            Self::Fighter => ShipKind::Fighter,
            Self::DeathStar => ShipKind::DeathStar,
        }
    }
}

/// A task-force marker (9), 1 to 15.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Marker(u8);

impl Marker {
    /// How many a player has.
    pub const COUNT: u8 = 15;

    /// The marker with a number from 1.
    pub fn numbered(number: u32) -> Option<Self> {
        (1..=u32::from(Self::COUNT)).contains(&number).then_some(Self(number as u8))
    }

    /// Its number, from 1.
    pub const fn number(self) -> u32 {
        self.0 as u32
    }
}

/// A ship.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Ship)]
pub struct Ship {
    /// Which it is.
    pub number: ShipNumber,
    /// What it is.
    #[wire(part(kind, load))]
    pub hull: Hull,
    /// Where it is; nowhere while it waits off the board at the entry hex (5.2).
    pub at: Option<Place>,
    /// The task force in which it is (9).
    #[wire(name = task_force)]
    pub marker: Option<Marker>,
    /// The star for which it is bound (8.1). A ship in a star hex has none.
    pub destination: Option<StarId>,
    /// The last star in which it stopped or through which it passed before its present hex (BR-9).
    pub departed: Option<StarId>,
    /// Hexes that it has moved in this player-turn (5.1).
    pub steps: u8,
    /// Whether it moves no more in this player-turn: it entered a cloud (6.1), or met an enemy (5.4).
    pub halted: bool,
}

impl Ship {
    /// A ship that was just built, or that just arrived off the board.
    pub const fn new(number: ShipNumber, hull: Hull, at: Option<Place>) -> Self {
        Self { number, hull, at, marker: None, destination: None, departed: None, steps: 0, halted: false }
    }

    /// Its kind.
    pub const fn kind(&self) -> ShipKind {
        self.hull.kind()
    }

    /// What it carries, if it is a transport.
    pub const fn load(&self) -> Option<Load> {
        match self.hull {
            Hull::Transport(load) => Some(load),
            Hull::Scout | Hull::Corvette | Hull::Fighter | Hull::DeathStar => None,
        }
    }

    /// Whether it moved in this player-turn.
    pub const fn has_moved(&self) -> bool {
        self.steps > 0
    }
}

/// How many ships of each kind.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::Fleet, or_default, check = Self::is_countable)]
pub struct Fleet {
    #[wire(each(scouts, colony_transports, corvettes, fighters, death_stars))]
    counts: [u32; 5],
}

impl Fleet {
    /// No ship.
    pub const NONE: Self = Self { counts: [0; 5] };

    /// A fleet of so many scouts, transports, corvettes, fighters and death stars.
    pub const fn new(counts: [u32; 5]) -> Self {
        Self { counts }
    }

    /// How many of a kind.
    pub const fn count(self, kind: ShipKind) -> u32 {
        self.counts[kind.index()]
    }

    /// How many of each kind, in the order of [`ShipKind::ALL`].
    pub const fn counts(self) -> [u32; 5] {
        self.counts
    }

    /// So that sums of what comes from outside do not overflow.
    fn is_countable(&self) -> Result<()> {
        self.counts.iter().try_for_each(crate::wire::numbers::count_of_ships)
    }

    /// Adds ships of a kind.
    pub fn add(&mut self, kind: ShipKind, count: u32) {
        self.counts[kind.index()] += count;
    }

    /// Takes one ship of a kind away, if there is one.
    pub fn remove(&mut self, kind: ShipKind) {
        self.counts[kind.index()] = self.counts[kind.index()].saturating_sub(1);
    }

    /// How many ships.
    pub fn total(self) -> u32 {
        self.counts.iter().sum()
    }

    /// How many warships.
    pub fn warships(self, options: &Options) -> u32 {
        ShipKind::ALL.into_iter().filter(|&kind| options.is_warship(kind)).map(|kind| self.count(kind)).sum()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }
}

impl FromIterator<ShipKind> for Fleet {
    fn from_iter<I: IntoIterator<Item = ShipKind>>(kinds: I) -> Self {
        let mut fleet = Self::NONE;
        kinds.into_iter().for_each(|kind| fleet.add(kind, 1));
        fleet
    }
}

impl fmt::Display for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for kind in ShipKind::ALL.into_iter().filter(|&kind| self.count(kind) > 0) {
            write!(f, "{}{} {}", if first { "" } else { ", " }, self.count(kind), kind.letters())?;
            first = false;
        }
        if first { f.write_str("nothing") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_0_warships_are_corvettes_fighters_and_death_stars() {
        let warships: Vec<&str> =
            ShipKind::ALL.into_iter().filter(|kind| kind.is_base_warship()).map(ShipKind::letters).collect();
        assert_eq!(warships, ["C", "F", "DS"]);
    }

    #[test]
    fn bt_34_what_two_corvettes_a_fighter_and_a_death_star_kill() {
        let ships = [ShipKind::Corvette, ShipKind::Corvette, ShipKind::Fighter, ShipKind::DeathStar];
        assert_eq!(ships.into_iter().map(ShipKind::kills).sum::<u16>(), 10);
        assert_eq!(Fleet::from_iter(ships).to_string(), "2 C, 1 F, 1 DS");
    }

    #[test]
    fn rule_9_there_are_fifteen_markers() {
        assert_eq!((0..20).filter_map(Marker::numbered).count(), 15);
    }
}
