//! Rule 20: the variants and options of a game.

use std::ops::RangeInclusive;

use heliopause_kernel::wire::Wire;
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::{Arm, Fleet, Odds, ShipKind, odds, odds_with_armed_scouts};

/// A variant of the game. `campaign` contains the changes that each article makes.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Variant)]
pub enum Variant {
    #[default]
    #[wire(absent)]
    Conquest,
    FateOfEmpire,
    #[wire(name = AloneInOuterSpace)]
    OuterSpace,
}

impl Variant {
    pub const ALL: [Self; 3] = [Self::Conquest, Self::FateOfEmpire, Self::OuterSpace];
}

/// Options of the rules. The default is the base game as printed.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each option of the rules is a switch of its own"
)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    /// Whether free colonies that are not besieged give range in secret, without command posts
    /// (rule 7.7).
    pub hidden_posts: bool,
    /// Whether only the participants see a battle (rule 10).
    pub private_battles: bool,
    /// Whether bases also fire again after a miss if their owner has Improved Ship Weaponry (rule
    /// 20).
    pub bases_use_improved_weaponry: bool,
    /// Whether planet shields can be shot down (space 1.1).
    pub attackable_shields: bool,
    /// Whether scouts are small warships (space 1.2).
    pub armed_scouts: bool,
    /// Whether remainders of people may grow too, and minimal Terran planets grow (space 1.3).
    pub fractional_growth: bool,
}

impl Options {
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

    pub fn players(&self) -> RangeInclusive<usize> {
        match self.variant {
            Variant::Conquest | Variant::OuterSpace => 2..=4,
            Variant::FateOfEmpire => 1..=1,
        }
    }

    pub const fn is_warship(&self, kind: ShipKind) -> bool {
        kind.is_base_warship() || (self.armed_scouts && matches!(kind, ShipKind::Scout))
    }

    pub const fn odds(&self, attacker: Arm, target: Arm) -> Odds {
        if self.armed_scouts {
            odds_with_armed_scouts(attacker, target)
        } else {
            odds(attacker, target)
        }
    }
}

impl Fleet {
    pub fn warships(self, options: &Options) -> u32 {
        ShipKind::ALL
            .into_iter()
            .filter(|&kind| options.is_warship(kind))
            .map(|kind| self.count(kind))
            .sum()
    }
}
