//! Rules 0, 5, 15: the kinds of ships, and how many of each there are.

use std::fmt;

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::{Result, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;

vocabulary! {
    /// A kind of ship, the weakest first.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::ShipKind)]
    pub enum ShipKind {
        /// S: unarmed, without limit of range.
        Scout = "scout",
        /// CT: unarmed, carries one million people.
        #[wire(name = ColonyTransport)]
        Transport = "colony transport",
        /// C.
        Corvette = "corvette",
        /// F.
        Fighter = "fighter",
        /// DS.
        DeathStar = "death star",
    }
}

/// How many ships of each kind.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::Fleet, or_default, check = Self::is_countable)]
pub struct Fleet {
    #[wire(each(scouts, colony_transports, corvettes, fighters, death_stars))]
    counts: [u32; 5],
}

impl ShipKind {
    /// The array index, in the order of [`ShipKind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Rule 0: whether it is a warship of the base game. Ask [`Options::is_warship`], which knows
    /// the options.
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
        let warships: Vec<&str> = ShipKind::ALL
            .into_iter()
            .filter(|kind| kind.is_base_warship())
            .map(ShipKind::letters)
            .collect();
        assert_eq!(warships, ["C", "F", "DS"]);
    }

    #[test]
    fn bt_34_what_two_corvettes_a_fighter_and_a_death_star_kill() {
        let ships =
            [ShipKind::Corvette, ShipKind::Corvette, ShipKind::Fighter, ShipKind::DeathStar];
        assert_eq!(ships.into_iter().map(ShipKind::kills).sum::<u16>(), 10);
        assert_eq!(Fleet::from_iter(ships).to_string(), "2 C, 1 F, 1 DS");
    }
}
