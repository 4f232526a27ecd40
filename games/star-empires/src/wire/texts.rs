//! Encoding of names and other values that are strings in the contract.

use std::str::FromStr;

use heliopause_kernel::quoted;
use heliopause_kernel::wire::{Read, Result, Write, wrong};
use heliopause_proto::star_empires::v1 as proto;

use crate::master::{KnownKind, NewOwner, ObjectKind};
use crate::name::Name;
use crate::section::Section;
use crate::ship::{Code, Serial};

macro_rules! text {
    ($type:ty, $read:expr, $write:expr, $fault:literal) => {
        impl Read<String> for $type {
            fn read(message: &String) -> Result<Self> {
                let fault = || format!(concat!($fault, ", found {}"), quoted(message));
                $read(message).map_or_else(|| wrong(fault()), Ok)
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

text!(Name, Name::new, Name::as_str, "expected a name: 1 to 25 letters, digits and underscores");
text!(
    Serial,
    parsed,
    Serial::as_str,
    "expected a serial number: two letters and five hexadecimal digits"
);
text!(Code, parsed, Code::as_str, "expected a code: two letters");
text!(
    Section,
    parsed,
    |it: &Self| it.as_str(),
    "expected the number of a phase of the turn, such as 6.3.4"
);

/// An empty name means no owner. An absent name keeps the owner.
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
