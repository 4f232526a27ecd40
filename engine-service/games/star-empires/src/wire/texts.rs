//! Names, and what else is a text in the contract.

use std::str::FromStr;

use heliopause_kernel::wire::{Read, Result, Write, rows, wrong};
use heliopause_proto::star_empires::v1 as proto;

use super::LIST_MAX;
use crate::master::{KnownKind, NewOwner, ObjectKind};
use crate::name::Name;
use crate::order::Names;
use crate::section::Section;
use crate::ship::{Code, Serial};

/// What travels as its text; what is wrong with any other text.
macro_rules! text {
    ($type:ty, $read:expr, $write:expr, $fault:literal) => {
        impl Read<String> for $type {
            fn read(message: &String) -> Result<Self> {
                $read(message).map_or_else(|| wrong($fault), Ok)
            }
        }
        impl Write<String> for $type {
            fn write(&self) -> String {
                $write(self).to_owned()
            }
        }
    };
}

fn parsed<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

text!(Name, Name::new, Name::as_str, "a name has 1 to 25 letters, digits and underscores");
text!(Serial, parsed, Serial::as_str, "a serial number is two letters and five hexadecimal digits");
text!(Code, parsed, Code::as_str, "a code is two letters");
text!(Section, parsed, |it: &Self| it.as_str(), "it is no phase of the turn");

/// Lists of names.
pub(crate) mod names {
    use super::*;

    pub(crate) fn read(message: &[String]) -> Result<Names> {
        rows(message, LIST_MAX)
    }

    pub(crate) fn write(names: &Names) -> Vec<String> {
        names.write()
    }
}

/// Lists of at least one name.
pub(crate) mod some_names {
    use super::*;

    pub(crate) use super::names::write;

    pub(crate) fn read(message: &[String]) -> Result<Names> {
        if message.is_empty() { wrong("name at least one") } else { names::read(message) }
    }
}

/// An empty name is nobody; none leaves the owner.
impl Read<Option<String>> for NewOwner {
    fn read(message: &Option<String>) -> Result<Self> {
        let Some(name) = message else { return Ok(Self::Unchanged) };
        Ok(Option::read(name)?.map_or(Self::Nobody, Self::Empire))
    }
}

impl Write<Option<String>> for NewOwner {
    fn write(&self) -> Option<String> {
        match self {
            Self::Unchanged => None,
            Self::Nobody => Some(String::new()),
            Self::Empire(name) => Some(name.write()),
        }
    }
}

heliopause_kernel::words!(
    KnownKind,
    [
        (Self::Object(ObjectKind::World), proto::KnownKind::World),
        (Self::Object(ObjectKind::Portal), proto::KnownKind::Portal),
        (Self::Object(ObjectKind::Storm), proto::KnownKind::Storm),
        (Self::Navigation, proto::KnownKind::Navigation),
        (Self::Class, proto::KnownKind::Class),
        (Self::Contact, proto::KnownKind::Contact),
    ]
);
