//! Rule 20: descriptions of options, the options of each variant, and their wire format.

use heliopause_kernel::setting;
use heliopause_kernel::setting::Setting;
use heliopause_kernel::wire::{Read, Result, Write, field};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::options::{Options, Variant};

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
    flag!(private_battles, "Battles are visible only to their participants (10).");
const IMPROVED_BASES: Setting<Options> = flag!(
    bases_use_improved_weaponry,
    "Bases of an owner of Improved Ship Weaponry also refire once after a miss (20)."
);
const SHIELDS: Setting<Options> = flag!(
    attackable_shields,
    "Planet shields can be shot down, and have tractor beams (space-1.1)."
);
const SCOUTS: Setting<Options> = flag!(armed_scouts, "Scouts are small warships (space-1.2).");
const GROWTH: Setting<Options> = flag!(
    fractional_growth,
    "A die roll may turn a remainder of growth into 1M people, and minimal terran planets grow \
     (space-1.3)."
);

pub(crate) const ALL: &[Setting<Options>] =
    &[HIDDEN_POSTS, PRIVATE_BATTLES, IMPROVED_BASES, SHIELDS, SCOUTS, GROWTH];

/// Options of The Fate of Empire, a solitaire game without private battles or variations.
const FATE: &[Setting<Options>] = &[HIDDEN_POSTS, IMPROVED_BASES];

/// All options except private battles, because war losses are counted in public.
const SPACE: &[Setting<Options>] = &[HIDDEN_POSTS, IMPROVED_BASES, SHIELDS, SCOUTS, GROWTH];

pub(crate) const fn settings(variant: Variant) -> &'static [Setting<Options>] {
    match variant {
        Variant::Conquest => ALL,
        Variant::FateOfEmpire => FATE,
        Variant::OuterSpace => SPACE,
    }
}

impl Options {
    pub fn validate(&self) -> Result<()> {
        setting::only(ALL, settings(self.variant), &Self::of(self.variant), self)
    }
}

/// Options missing from the message get the variant's printed values.
impl Read<proto::Options> for Options {
    fn read(message: &proto::Options) -> Result<Self> {
        let mut options = Self::of(field("variant", &message.variant)?);
        for (option, given) in [
            (&mut options.hidden_posts, message.hidden_posts),
            (&mut options.private_battles, message.private_battles),
            (&mut options.bases_use_improved_weaponry, message.bases_use_improved_weaponry),
            (&mut options.attackable_shields, message.attackable_shields),
            (&mut options.armed_scouts, message.armed_scouts),
            (&mut options.fractional_growth, message.fractional_growth),
        ] {
            *option = given.unwrap_or(*option);
        }
        options.validate()?;
        Ok(options)
    }
}

impl Write<proto::Options> for Options {
    fn write(&self) -> proto::Options {
        proto::Options {
            variant: self.variant.write(),
            hidden_posts: Some(self.hidden_posts),
            private_battles: Some(self.private_battles),
            bases_use_improved_weaponry: Some(self.bases_use_improved_weaponry),
            attackable_shields: Some(self.attackable_shields),
            armed_scouts: Some(self.armed_scouts),
            fractional_growth: Some(self.fractional_growth),
        }
    }
}

/// Writes the options of a table. Variations with the variant's printed value are omitted, so that
/// positions from before variations existed keep the digest recorded in their journal.
#[expect(
    clippy::ref_option,
    clippy::unnecessary_wraps,
    clippy::trivially_copy_pass_by_ref,
    reason = "as the field is"
)]
pub(crate) mod of_table {
    use super::*;

    pub(crate) fn read(message: &Option<proto::Options>) -> Result<Options> {
        Read::read(&message.unwrap_or_default())
    }

    pub(crate) fn write(options: &Options) -> Option<proto::Options> {
        let printed = Options::of(options.variant);
        let unless_printed = |chosen: bool, printed: bool| (chosen != printed).then_some(chosen);
        Some(proto::Options {
            attackable_shields: unless_printed(
                options.attackable_shields,
                printed.attackable_shields,
            ),
            armed_scouts: unless_printed(options.armed_scouts, printed.armed_scouts),
            fractional_growth: unless_printed(options.fractional_growth, printed.fractional_growth),
            ..options.write()
        })
    }
}
