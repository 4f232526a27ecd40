//! Rule 20: the options.

use std::ops::RangeInclusive;

use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::attack_table::{Arm, Odds, odds, odds_with_armed_scouts};
use crate::tables::ships::{Fleet, ShipKind};

/// Which game is played on this board. What an article changes is in `campaign`.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Variant)]
pub enum Variant {
    /// The base game.
    #[default]
    #[wire(absent)]
    Conquest,
    /// The Fate of Empire: one player against pirates, independent planets and Swarms.
    FateOfEmpire,
    /// Alone in Outer Space: 2 to 4 powers under diced politics.
    #[wire(name = AloneInOuterSpace)]
    OuterSpace,
}

impl Variant {
    /// All variants, the base game first.
    pub const ALL: [Self; 3] = [Self::Conquest, Self::FateOfEmpire, Self::OuterSpace];
}

/// The rules options. The default is the base game as printed.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each option of the rules is a switch of its own"
)]
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
    /// Space 1.1: planet shields can be shot down.
    pub attackable_shields: bool,
    /// Space 1.2: scouts are small warships.
    pub armed_scouts: bool,
    /// Space 1.3: a remainder of people may grow too, and minimal terran planets grow.
    pub fractional_growth: bool,
}

impl Options {
    /// A variant as its article prints it.
    pub fn of(variant: Variant) -> Self {
        let varied = variant == Variant::OuterSpace;
        Self {
            variant,
            attackable_shields: varied,
            armed_scouts: varied,
            fractional_growth: varied,
            ..Self::default()
        }
    }

    /// How many players.
    pub fn players(&self) -> RangeInclusive<usize> {
        match self.variant {
            Variant::Conquest | Variant::OuterSpace => 2..=4,
            Variant::FateOfEmpire => 1..=1,
        }
    }

    /// Rule 0: whether a kind of ship is a warship.
    pub const fn is_warship(&self, kind: ShipKind) -> bool {
        kind.is_base_warship() || (self.armed_scouts && matches!(kind, ShipKind::Scout))
    }

    /// 12.4: the chance of one shot of `attacker` at `target`.
    pub const fn odds(&self, attacker: Arm, target: Arm) -> Odds {
        if self.armed_scouts {
            odds_with_armed_scouts(attacker, target)
        } else {
            odds(attacker, target)
        }
    }
}

impl Fleet {
    /// How many warships.
    pub fn warships(self, options: &Options) -> u32 {
        ShipKind::ALL
            .into_iter()
            .filter(|&kind| options.is_warship(kind))
            .map(|kind| self.count(kind))
            .sum()
    }
}
