//! Encoding of options. Absent fields get defaults.

use heliopause_kernel::setting::{Value, put};
use heliopause_kernel::wire::{self, Read, Result, Write};
use heliopause_kernel::{Edition, message};
use heliopause_proto::diplomacy::v1 as proto;

use crate::options::{ALL, LEFTOVER, Leftover, Options, PRESS, PressRule};

/// Reads the options of an edition, which determines the variant.
pub(super) fn read_of(edition: &Edition<Options>, message: &proto::Options) -> Result<Options> {
    let variant = edition.options.variant.write();
    if ![0, variant].contains(&message.variant) {
        return wire::wrong_field(
            "variant",
            format!("the game {} has a fixed variant; omit this field", edition.id),
        );
    }
    Options::read(&proto::Options { variant, ..message.clone() })
}

impl Read<proto::Options> for Options {
    fn read(message: &proto::Options) -> Result<Self> {
        let press: Option<PressRule> = wire::field("press", &message.press)?;
        let leftover: Option<Leftover> = wire::field("unplayed_powers", &message.unplayed_powers)?;
        let mut options = Self {
            names: message.names.clone(),
            ..Self::of(wire::field("variant", &message.variant)?)
        };
        let number = |value: Option<u32>| value.map(Value::Number);
        for (name, value) in [
            ("victory_centers", number(message.victory_centers)),
            ("press", press.and_then(|press| place(&PRESS, press))),
            ("anonymous_press", message.anonymous_press.map(Value::Flag)),
            ("unplayed_powers", leftover.and_then(|leftover| place(&LEFTOVER, leftover))),
            ("stalemate_years", number(message.stalemate_years)),
            ("last_year", number(message.last_year)),
        ] {
            put(ALL, &mut options, name, value)?;
        }
        options.validate()?;
        Ok(options)
    }
}

fn place<T: Copy + PartialEq>(words: &[T], word: T) -> Option<Value> {
    words.iter().position(|other| *other == word).map(Value::Word)
}

impl Write<proto::Options> for Options {
    fn write(&self) -> proto::Options {
        proto::Options {
            variant: self.variant.write(),
            names: self.names.clone(),
            victory_centers: Some(self.victory_centers.into()),
            press: self.press.write(),
            anonymous_press: Some(self.anonymous_press),
            unplayed_powers: self.leftover.write(),
            stalemate_years: Some(self.stalemate_years.into()),
            last_year: Some(self.last_year.into()),
        }
    }
}

message!(Options, proto::Options);
