//! The players of tournaments: the levels, and exploits, which are opponents for regression tests.
//! An exploit tries to gain by one simple trick. It must not gain more than its play is worth.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::bot::Level;

/// A player of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Player {
    Level(Level),
    Exploit(Exploit),
}

/// A simple trick that must not pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exploit {
    /// Gives only default orders, and proposes agreements to all others before each decision.
    Holder,
    /// Plays at level `standard` and keeps no agreements, but proposes them like the holder.
    Betrayer,
    /// Plays at level `standard`, and proposes a draw in every round.
    Drawer,
    /// Attacks one neighbor with all forces from the start.
    Rusher,
}

impl Player {
    /// Returns the level at which the player decides.
    pub fn level(self) -> Level {
        match self {
            Self::Level(level) => level,
            Self::Exploit(_) => Level::Standard,
        }
    }

    pub(super) fn is(self, exploit: Exploit) -> bool {
        self == Self::Exploit(exploit)
    }

    pub(super) fn proposes_agreements(self) -> bool {
        self.is(Exploit::Holder) || self.is(Exploit::Betrayer)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Level(level) => level.as_str(),
            Self::Exploit(exploit) => exploit.as_str(),
        }
    }
}

impl Exploit {
    pub const ALL: [Self; 4] = [Self::Holder, Self::Betrayer, Self::Drawer, Self::Rusher];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Holder => "holder",
            Self::Betrayer => "betrayer",
            Self::Drawer => "drawer",
            Self::Rusher => "rusher",
        }
    }
}

impl From<Level> for Player {
    fn from(level: Level) -> Self {
        Self::Level(level)
    }
}

impl From<Exploit> for Player {
    fn from(exploit: Exploit) -> Self {
        Self::Exploit(exploit)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Player {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

/// The error for a string that is not a player of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown player {0:?}; the players are the levels random, standard and strong, and the \
     exploits holder, betrayer, drawer and rusher"
)]
pub struct NoSuchPlayer(String);

impl FromStr for Player {
    type Err = NoSuchPlayer;

    fn from_str(name: &str) -> Result<Self, NoSuchPlayer> {
        let levels = Level::ALL.map(Self::Level).into_iter();
        let mut players = levels.chain(Exploit::ALL.map(Self::Exploit));
        let found = players.find(|player| player.as_str() == name);
        found.ok_or_else(|| NoSuchPlayer(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_round_trip_through_text() {
        let players = Level::ALL.map(Player::Level).into_iter();
        for player in players.chain(Exploit::ALL.map(Player::Exploit)) {
            assert_eq!(player.to_string().parse(), Ok(player));
        }
        let error = "godlike".parse::<Player>().unwrap_err().to_string();
        assert!(error.contains("strong") && error.contains("betrayer"), "{error}");
    }
}
