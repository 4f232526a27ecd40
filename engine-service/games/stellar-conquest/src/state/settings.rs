//! Rule 20: what each option is, and in which games it may be chosen.

use heliopause_kernel::setting::Setting;
use heliopause_kernel::{Malformed, setting};

use crate::state::options::{Options, Variant};

/// Yes or no.
macro_rules! flag {
    ($name:ident, $sentence:literal) => {
        Setting::flag(
            stringify!($name),
            $sentence,
            |options: &Options| Some(options.$name),
            |options: &mut Options, value| options.$name = value,
        )
    };
}

const HIDDEN_POSTS: Setting<Options> = flag!(
    hidden_posts,
    "No command posts: every free colony that is not besieged gives range, secretly (7.7)."
);
const PRIVATE_BATTLES: Setting<Options> =
    flag!(private_battles, "Battles are shown to those who fight them, and to nobody else (10).");
const IMPROVED_BASES: Setting<Options> = flag!(
    bases_use_improved_weaponry,
    "The bases of an owner of Improved Ship Weaponry also fire once more when they miss (20)."
);
const SHIELDS: Setting<Options> = flag!(
    attackable_shields,
    "Planet shields can be shot down, and have tractor beams (space-1.1)."
);
const SCOUTS: Setting<Options> = flag!(armed_scouts, "Scouts are small warships (space-1.2).");
const GROWTH: Setting<Options> = flag!(
    fractional_growth,
    "What is too few to grow may grow by a die, and minimal terran planets grow (space-1.3)."
);

/// The options of every game on this board.
pub(crate) const ALL: &[Setting<Options>] =
    &[HIDDEN_POSTS, PRIVATE_BATTLES, IMPROVED_BASES, SHIELDS, SCOUTS, GROWTH];

/// A solitaire game has nobody to keep battles from, and is played without variations.
const FATE: &[Setting<Options>] = &[HIDDEN_POSTS, IMPROVED_BASES];

/// What wars destroy is counted in public.
const SPACE: &[Setting<Options>] = &[HIDDEN_POSTS, IMPROVED_BASES, SHIELDS, SCOUTS, GROWTH];

/// The options of one.
pub(crate) const fn settings(variant: Variant) -> &'static [Setting<Options>] {
    match variant {
        Variant::Conquest => ALL,
        Variant::FateOfEmpire => FATE,
        Variant::OuterSpace => SPACE,
    }
}

impl Options {
    /// Whether the options fit each other.
    pub fn validate(&self) -> Result<(), Malformed> {
        setting::only(ALL, settings(self.variant), &Self::of(self.variant), self)
    }
}
