//! Options: what is absent takes its default.

use heliopause_kernel::setting::{Value, put};
use heliopause_kernel::{Edition, Malformed};
use heliopause_proto::diplomacy::v1 as proto;

use super::wrong;
use crate::options::{Leftover, Options, PressRule};
use crate::position::Variant;
use crate::settings::{ALL, LEFTOVER, PRESS};

/// Reads the options of one of the games that are offered: its id says which variant is played.
pub(super) fn read_of(edition: &Edition<Options>, message: &proto::Options) -> Result<Options, Malformed> {
    let variant = write_variant(edition.options.variant);
    if ![proto::Variant::Unspecified.into(), variant].contains(&message.variant) {
        return wrong("variant", format!("The game {} has a variant of its own; leave it out.", edition.id));
    }
    read(&proto::Options { variant, ..message.clone() })
}

pub(super) fn read(message: &proto::Options) -> Result<Options, Malformed> {
    let variant = match proto::Variant::try_from(message.variant) {
        Ok(proto::Variant::Unspecified | proto::Variant::Standard) => Variant::Standard,
        Ok(proto::Variant::OuterSpace) => Variant::OuterSpace,
        Err(_) => return wrong("variant", "there is no such variant"),
    };
    let press = match proto::PressRule::try_from(message.press) {
        Ok(proto::PressRule::Unspecified) => None,
        Ok(proto::PressRule::Full) => Some(PressRule::Full),
        Ok(proto::PressRule::Public) => Some(PressRule::Public),
        Ok(proto::PressRule::None) => Some(PressRule::None),
        Err(_) => return wrong("press", "there is no such rule for press"),
    };
    let leftover = match proto::Leftover::try_from(message.leftover) {
        Ok(proto::Leftover::Unspecified) => None,
        Ok(proto::Leftover::CivilDisorder) => Some(Leftover::CivilDisorder),
        Ok(proto::Leftover::Automated) => Some(Leftover::Automated),
        Err(_) => return wrong("leftover", "there is no such choice"),
    };
    let mut options = Options { names: message.names.clone(), ..Options::of(variant) };
    let number = |value: Option<u32>| value.map(Value::Number);
    for (name, value) in [
        ("victory_centers", number(message.victory_centers)),
        ("press", press.and_then(|press| place(&PRESS, press))),
        ("anonymous_press", message.anonymous_press.map(Value::Flag)),
        ("leftover", leftover.and_then(|leftover| place(&LEFTOVER, leftover))),
        ("stalemate_years", number(message.stalemate_years)),
        ("last_year", number(message.last_year)),
    ] {
        put(ALL, &mut options, name, value)?;
    }
    options.validate()?;
    Ok(options)
}

/// A word by its place in the order of the words.
fn place<T: Copy + PartialEq>(words: &[T], word: T) -> Option<Value> {
    words.iter().position(|other| *other == word).map(Value::Word)
}

fn write_variant(variant: Variant) -> i32 {
    match variant {
        Variant::Standard => proto::Variant::Standard,
        Variant::OuterSpace => proto::Variant::OuterSpace,
    }
    .into()
}

pub(super) fn write(options: &Options) -> proto::Options {
    let press = match options.press {
        PressRule::Full => proto::PressRule::Full,
        PressRule::Public => proto::PressRule::Public,
        PressRule::None => proto::PressRule::None,
    };
    let leftover = match options.leftover {
        Leftover::CivilDisorder => proto::Leftover::CivilDisorder,
        Leftover::Automated => proto::Leftover::Automated,
    };
    proto::Options {
        variant: write_variant(options.variant),
        names: options.names.clone(),
        victory_centers: Some(options.victory_centers.into()),
        press: press.into(),
        anonymous_press: Some(options.anonymous_press),
        leftover: leftover.into(),
        stalemate_years: Some(options.stalemate_years.into()),
        last_year: Some(options.last_year.into()),
    }
}
