//! Rules 0, 5, 15: kinds of ships, and fleets.

use std::fmt;

use heliopause_kernel::vocabulary;
use heliopause_kernel::wire::{Result, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;

vocabulary! {
    /// The kinds of ships, weakest first.
    #[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[wire(words = proto::ShipKind)]
    pub enum ShipKind {
        Scout = "scout",
        #[wire(name = ColonyTransport)]
        Transport = "colony transport",
        Corvette = "corvette",
        Fighter = "fighter",
        DeathStar = "death star",
    }
}

/// The number of ships of each kind.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(message = proto::Fleet, or_default, check = Self::is_countable)]
pub struct Fleet {
    #[wire(each(scouts, colony_transports, corvettes, fighters, death_stars))]
    counts: [u32; 5],
}

impl ShipKind {
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns whether the kind is a warship in the base rules. Most callers need
    /// [`is_warship`](crate::Options::is_warship), which depends on the options.
    pub const fn is_base_warship(self) -> bool {
        matches!(self, Self::Corvette | Self::Fighter | Self::DeathStar)
    }

    pub const fn is_range_bound(self) -> bool {
        !matches!(self, Self::Scout)
    }

    /// Returns how many millions of a conquered colony such a ship may kill per turn (rule 15.9).
    pub const fn kills(self) -> u16 {
        match self {
            Self::Scout | Self::Transport => 0,
            Self::Corvette => 1,
            Self::Fighter => 3,
            Self::DeathStar => 5,
        }
    }

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
    pub const NONE: Self = Self { counts: [0; 5] };

    /// Creates a fleet of scouts, transports, corvettes, fighters and death stars.
    pub const fn new(counts: [u32; 5]) -> Self {
        Self { counts }
    }

    pub const fn count(self, kind: ShipKind) -> u32 {
        self.counts[kind.index()]
    }

    pub const fn counts(self) -> [u32; 5] {
        self.counts
    }

    fn is_countable(&self) -> Result<()> {
        self.counts.iter().try_for_each(crate::tables::numbers::count_of_ships)
    }

    pub fn add(&mut self, kind: ShipKind, count: u32) {
        self.counts[kind.index()] += count;
    }

    pub fn remove(&mut self, kind: ShipKind) {
        self.counts[kind.index()] = self.counts[kind.index()].saturating_sub(1);
    }

    pub fn total(self) -> u32 {
        self.counts.iter().sum()
    }

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
