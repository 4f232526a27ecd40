//! Options.

use heliopause_kernel::wire::{Read, Result, Write, field};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::options::Options;

/// What is absent is as printed for the variant.
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

/// The options of a table. A variation that is as printed for the variant is left out, so that a
/// position of the time before there were variations has the digest that its journal notes.
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
