//! Options: what is absent takes its default.

use heliopause_kernel::{Edition, Malformed};
use heliopause_proto::diplomacy::v1 as proto;

use super::names::read_small;
use super::wrong;
use crate::options::{Leftover, Options, PressRule};
use crate::position::Variant;

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
    let default = Options::of(variant);
    let options = Options {
        variant,
        names: message.names.clone(),
        victory_centers: match message.victory_centers {
            Some(number) => read_small(number, "victory_centers")?,
            None => default.victory_centers,
        },
        press: match proto::PressRule::try_from(message.press) {
            Ok(proto::PressRule::Unspecified | proto::PressRule::Full) => PressRule::Full,
            Ok(proto::PressRule::Public) => PressRule::Public,
            Ok(proto::PressRule::None) => PressRule::None,
            Err(_) => return wrong("press", "there is no such rule for press"),
        },
        anonymous_press: message.anonymous_press.unwrap_or(default.anonymous_press),
        leftover: match proto::Leftover::try_from(message.leftover) {
            Ok(proto::Leftover::Unspecified | proto::Leftover::CivilDisorder) => Leftover::CivilDisorder,
            Ok(proto::Leftover::Automated) => Leftover::Automated,
            Err(_) => return wrong("leftover", "there is no such choice"),
        },
        stalemate_years: read_small(message.stalemate_years.unwrap_or_default(), "stalemate_years")?,
        last_year: read_small(message.last_year.unwrap_or_default(), "last_year")?,
    };
    options.validate()?;
    Ok(options)
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
