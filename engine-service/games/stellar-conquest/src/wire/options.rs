//! Options.

use heliopause_kernel::Malformed;
use heliopause_proto::stellar_conquest::v1 as proto;

use super::field;
use super::names::{read_word_or_first, write_word};
use crate::options::{Options, Variant};

const VARIANTS: [(Variant, proto::Variant); 2] =
    [(Variant::Conquest, proto::Variant::Conquest), (Variant::FateOfEmpire, proto::Variant::FateOfEmpire)];

pub(super) fn read(message: &proto::Options) -> Result<Options, Malformed> {
    let default = Options::default();
    let options = Options {
        variant: field("variant", read_word_or_first(&VARIANTS, message.variant))?,
        hidden_posts: message.hidden_posts.unwrap_or(default.hidden_posts),
        private_battles: message.private_battles.unwrap_or(default.private_battles),
        bases_use_improved_weaponry: message.bases_use_improved_weaponry.unwrap_or(default.bases_use_improved_weaponry),
    };
    options.validate()?;
    Ok(options)
}

pub(super) fn write(options: Options) -> proto::Options {
    proto::Options {
        variant: write_word(&VARIANTS, options.variant),
        hidden_posts: Some(options.hidden_posts),
        private_battles: Some(options.private_battles),
        bases_use_improved_weaponry: Some(options.bases_use_improved_weaponry),
    }
}
