//! Options.

use heliopause_kernel::setting::{Value, put};
use heliopause_kernel::{Edition, Malformed};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::field;
use super::names::{read_word_or_first, write_word};
use crate::options::{Options, Variant};
use crate::settings::ALL;

const VARIANTS: [(Variant, proto::Variant); 3] = [
    (Variant::Conquest, proto::Variant::Conquest),
    (Variant::FateOfEmpire, proto::Variant::FateOfEmpire),
    (Variant::OuterSpace, proto::Variant::AloneInOuterSpace),
];

/// Reads the options of one of the games that are offered: its id says which variant is played.
pub(super) fn read_of(edition: &Edition<Options>, message: proto::Options) -> Result<Options, Malformed> {
    let variant = write_word(&VARIANTS, edition.options.variant);
    if message.variant == proto::Variant::Unspecified as i32 {
        return read(proto::Options { variant, ..message });
    }
    if message.variant != variant {
        let text = format!("The game {} has a variant of its own; leave it out.", edition.id);
        return Err(Malformed::field("variant", text));
    }
    read(message)
}

pub(super) fn read(message: proto::Options) -> Result<Options, Malformed> {
    let variant = field("variant", read_word_or_first(&VARIANTS, message.variant))?;
    let mut options = Options::of(variant);
    for (name, value) in [
        ("hidden_posts", message.hidden_posts),
        ("private_battles", message.private_battles),
        ("bases_use_improved_weaponry", message.bases_use_improved_weaponry),
        ("attackable_shields", message.attackable_shields),
        ("armed_scouts", message.armed_scouts),
        ("fractional_growth", message.fractional_growth),
    ] {
        put(ALL, &mut options, name, value.map(Value::Flag))?;
    }
    options.validate()?;
    Ok(options)
}

pub(super) fn write(options: Options) -> proto::Options {
    proto::Options {
        variant: write_word(&VARIANTS, options.variant),
        hidden_posts: Some(options.hidden_posts),
        private_battles: Some(options.private_battles),
        bases_use_improved_weaponry: Some(options.bases_use_improved_weaponry),
        attackable_shields: Some(options.attackable_shields),
        armed_scouts: Some(options.armed_scouts),
        fractional_growth: Some(options.fractional_growth),
    }
}

/// The options of a table. A variation that is as printed for the variant is left out, so that a position of the time before
/// there were variations has the digest that its journal notes.
pub(super) fn write_of_table(options: Options) -> proto::Options {
    let printed = Options::of(options.variant);
    let unless_printed = |chosen: bool, printed: bool| (chosen != printed).then_some(chosen);
    proto::Options {
        attackable_shields: unless_printed(options.attackable_shields, printed.attackable_shields),
        armed_scouts: unless_printed(options.armed_scouts, printed.armed_scouts),
        fractional_growth: unless_printed(options.fractional_growth, printed.fractional_growth),
        ..write(options)
    }
}
