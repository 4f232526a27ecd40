//! Rule 20: the options.

use std::ops::RangeInclusive;

use heliopause_kernel::Malformed;

use crate::attack_table::{Arm, Odds, odds};
use crate::ship::ShipKind;

/// Which game is played on this board. What an article changes is in `campaign`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Variant {
    /// The base game.
    #[default]
    Conquest,
    /// The Fate of Empire: one player against pirates, independent planets and Swarms.
    FateOfEmpire,
}

impl Variant {
    /// All variants, the base game first.
    pub const ALL: [Self; 2] = [Self::Conquest, Self::FateOfEmpire];
}

/// The rules options. The default is the base game as printed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// Which game is played.
    pub variant: Variant,
    /// 7.7: no command posts; every free colony that is not besieged gives range, secretly.
    pub hidden_posts: bool,
    /// 10: battles are shown to those who fight them, and to nobody else.
    pub private_battles: bool,
    /// 20: the bases of an owner of Improved Ship Weaponry also fire once more when they miss.
    pub bases_use_improved_weaponry: bool,
}

impl Options {
    /// How many players.
    pub fn players(&self) -> RangeInclusive<usize> {
        match self.variant {
            Variant::Conquest => 2..=4,
            Variant::FateOfEmpire => 1..=1,
        }
    }

    /// Rule 0: whether a kind of ship is a warship.
    pub const fn is_warship(&self, kind: ShipKind) -> bool {
        kind.is_base_warship()
    }

    /// 12.4: the chance of one shot of `attacker` at `target`.
    pub const fn odds(&self, attacker: Arm, target: Arm) -> Odds {
        odds(attacker, target)
    }

    /// Whether the options fit each other.
    pub fn validate(&self) -> Result<(), Malformed> {
        if self.variant == Variant::FateOfEmpire && self.private_battles {
            return Err(Malformed::field("private_battles", "a solitaire game has nobody to keep battles from"));
        }
        Ok(())
    }
}
