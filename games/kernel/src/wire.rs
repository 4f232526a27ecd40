//! Conversion between types of the rules and messages of the contract.
//!
//! [`Write`] cannot fail. [`Read`] validates everything, because messages may come from untrusted
//! clients. An error names the invalid field as a path from the message that was read, such as
//! `sheet.lines[2].ships[0]`. The implementations for lists and messages build the path, so
//! handwritten readers need not do so.
//!
//! `#[derive(Wire)]` implements both traits:
//!
//! ```
//! # mod proto {
//! #     #[derive(Clone, Default, PartialEq, Debug)]
//! #     pub struct Landing { pub planet: Option<Planet>, pub ships: Vec<u32>, pub watch: i32 }
//! #     #[derive(Clone, Default, PartialEq, Debug)]
//! #     pub struct Planet { pub star: String, pub number: u32 }
//! #     pub enum Watch { Unspecified = 0, Never = 1, Always = 2 }
//! #     impl TryFrom<i32> for Watch {
//! #         type Error = ();
//! #         fn try_from(n: i32) -> Result<Self, ()> {
//! #             let all = [Self::Unspecified, Self::Never, Self::Always];
//! #             all.into_iter().nth(n as usize).ok_or(())
//! #         }
//! #     }
//! #     impl From<Watch> for i32 { fn from(watch: Watch) -> i32 { watch as i32 } }
//! # }
//! use heliopause_kernel::wire::{Read, Wire, Write};
//!
//! #[derive(Wire, Debug, PartialEq)]
//! #[wire(message = proto::Landing)]
//! struct Landing {
//!     planet: Planet,
//!     #[wire(most = 12)]
//!     ships: Vec<u8>,
//!     watch: Watch,
//! }
//!
//! #[derive(Wire, Debug, PartialEq)]
//! #[wire(message = proto::Planet)]
//! struct Planet {
//!     star: String,
//!     #[wire(name = number)]
//!     nth: u8,
//! }
//!
//! #[derive(Wire, Debug, PartialEq)]
//! #[wire(words = proto::Watch)]
//! enum Watch {
//!     #[wire(absent)]
//!     Never,
//!     Always,
//! }
//!
//! let planet = Some(proto::Planet { star: "Altair".into(), number: 2 });
//! let mut message = proto::Landing { planet, ships: vec![7, 300], watch: 0 };
//! let fault = Landing::read(&message).unwrap_err();
//! assert_eq!(fault.to_string(), "ships[1]: 300 is out of range; the range is 0 to 255");
//!
//! message.ships.truncate(1);
//! let landing = Landing::read(&message).unwrap();
//! assert_eq!(landing.watch, Watch::Never);
//! let written: proto::Landing = landing.write();
//! assert_eq!(written, proto::Landing { watch: 1, ..message });
//! ```
//!
//! # Attributes of types
//!
//! - `message = proto::X`: converts a struct to this message, field by field.
//! - `words = proto::X`: converts a fieldless enum to this enum, variant by variant.
//! - `kinds = proto::x::Kind, message = proto::X`: converts an enum to this message, whose only
//!   field is the oneof `kind`.
//! - `kinds = proto::x::Kind`: converts an enum to some kinds of this oneof. Another enum includes
//!   them by `nested`. Repeat the attribute for each such enum.
//! - `choice = proto::X, fault = ".."`: converts an enum to a message in which each variant has its
//!   own fields. The fields of other variants are empty, or reading fails with `fault`.
//! - `choice_in = proto::X, fault = ".."`: like `choice`, for a `part` of a larger message.
//! - `text`: converts to and from text, by `Display` and `FromStr`.
//! - `transparent`: converts like the single field.
//! - `without(a, b)`: writes fields that the type does not have as empty, and never reads them.
//! - `always(version = 1)`: writes a fixed or derived value to fields of the message, as in
//!   `always(rule = result.rule())`.
//! - `check = function`: validates the value after reading, by `fn(&Self) -> Result<()>`.
//! - `or_default`: reads an absent field of this type as the default value.
//! - `most = 12`: limits the rows of `Vec` fields without their own limit.
//! - `with(Seat = module)`: reads and writes fields of this type, `Option`s of it and items of
//!   `each` by `module::read(&field)` and `module::write(&value)`.
//!
//! # Attributes of fields
//!
//! - `name = x`: names the field in the message.
//! - `with = module`: reads and writes by `module::read(&field)` and `module::write(&value)`.
//! - `check = function`: validates the field after reading, by `fn(&Field) -> Result<()>`.
//! - `most = 12`: limits the rows. The default is [`ROWS_MAX`].
//! - `or_default`: reads an empty field as the default value.
//! - `part(a, b)`: converts to these fields of the message, by [`Part`] or by functions of the same
//!   names in the module `with`.
//! - `each(a, b)`: converts each item of an array to one of these fields of the message.
//! - `oneof`: converts to the message's oneof of this name, by [`Kind`]. Only an `Option` may be
//!   absent.
//! - `skip`: omits the field from the message. Reading gives the field its default value.
//!
//! # Attributes of variants
//!
//! - `name = X`: names the variant in the contract.
//! - `message = proto::X`: names the message, if it differs from the kind's name.
//! - `nested`: includes the kinds of another enum in the same oneof.
//! - `absent`: reads an absent word, kind or choice as this variant.
//! - `skip`: omits the variant from the contract.
//!
//! A field missing from the type or the message is a compile error, because messages are written as
//! complete literals:
//!
//! ```compile_fail,E0063
//! struct Message { number: u32, forgotten: u32 }
//!
//! #[derive(heliopause_kernel::wire::Wire)]
//! #[wire(message = Message)]
//! struct Half { number: u32 }
//! ```
//!
//! An `Option` is `None` if its field is empty: 0, an empty string or list, or an absent message.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

pub use heliopause_kernel_derive::Wire;

use crate::{Malformed, Seat, SeatSet};

/// The result of reading from a message.
pub type Result<T> = std::result::Result<T, Malformed>;

/// The default maximum number of rows in a list, which is more than any game needs.
pub const ROWS_MAX: usize = 16_384;

/// A type that can be read from a field or message of the contract.
pub trait Read<M>: Sized {
    /// Reads the value. The path of an error is relative to the message.
    fn read(message: &M) -> Result<Self>;
}

/// A type that can be written as a field or message of the contract.
pub trait Write<M> {
    /// Writes the value. [`Read::read`] restores it exactly.
    fn write(&self) -> M;
}

/// A type represented by several fields of a message.
pub trait Part<M>: Sized {
    fn read_part(message: &M) -> Result<Self>;
    fn write_part(&self, message: &mut M);
}

/// An enum represented by a oneof of messages, or by some kinds of a oneof.
pub trait Kind<K>: Sized {
    /// Reads the value. `None` if the type does not include this kind.
    fn read_kind(kind: &K) -> Option<Result<Self>>;
    fn write_kind(&self) -> K;
}

/// Prepends a field name to the path of the result's error, if there is one.
pub fn inside<T>(name: &str, result: Result<T>) -> Result<T> {
    result.map_err(|fault| {
        let dot = if fault.field.is_empty() || fault.field.starts_with('[') { "" } else { "." };
        Malformed { field: format!("{name}{dot}{}", fault.field).into(), ..fault }
    })
}

/// Reads a field. An error names the field.
pub fn field<T: Read<M>, M>(name: &str, message: &M) -> Result<T> {
    inside(name, T::read(message))
}

/// Returns an error about the whole value.
pub fn wrong<T>(message: impl Into<String>) -> Result<T> {
    Err(Malformed::field("", message))
}

/// Returns an error about a field.
pub fn wrong_field<T>(name: &str, message: impl Into<String>) -> Result<T> {
    inside(name, wrong(message))
}

/// Returns the error about a missing value.
pub fn missing<T>() -> Result<T> {
    wrong("the value is missing")
}

/// Returns the error about a missing or unknown word.
pub fn unknown<T>() -> Result<T> {
    wrong("the value is missing or unknown")
}

/// Reads the oneof named `kind`. Fails if the oneof is absent or its kind is unknown.
pub fn kind<T: Kind<K>, K>(kind: Option<&K>) -> Result<T> {
    oneof("kind", kind)
}

/// Reads a oneof with this name. Fails if the oneof is absent or its kind is unknown.
pub fn oneof<T: Kind<K>, K>(name: &str, kind: Option<&K>) -> Result<T> {
    let Some(kind) = kind else { return inside(name, missing()) };
    T::read_kind(kind).unwrap_or_else(|| inside(name, unknown()))
}

/// Returns whether a field has its default value.
pub fn is_empty<M: Default + PartialEq>(message: &M) -> bool {
    *message == M::default()
}

/// Reads an optional value with a function. Returns `None` for an empty field.
pub fn optional<T, M: Default + PartialEq>(
    message: &M,
    read: impl Fn(&M) -> Result<T>,
) -> Result<Option<T>> {
    if is_empty(message) { Ok(None) } else { read(message).map(Some) }
}

/// Reads a value, or returns the default for an empty field.
pub fn or_default<T: Read<M> + Default, M: Default + PartialEq>(message: &M) -> Result<T> {
    if is_empty(message) { Ok(T::default()) } else { T::read(message) }
}

/// Reads a list with at most `most` rows.
pub fn rows<T: Read<M>, M>(rows: &[M], most: usize) -> Result<Vec<T>> {
    rows_by(rows, most, T::read)
}

/// Reads a list with at most `most` rows, using a function for each.
pub fn rows_by<T, M>(
    rows: &[M],
    most: usize,
    mut read: impl FnMut(&M) -> Result<T>,
) -> Result<Vec<T>> {
    if rows.len() > most {
        return wrong(format!("{} items are too many; the maximum is {most}", rows.len()));
    }
    rows.iter()
        .enumerate()
        .map(|(index, row)| read(row).or_else(|fault| inside(&format!("[{index}]"), Err(fault))))
        .collect()
}

/// Parses a string with `FromStr`.
pub fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T> {
    text.parse().or_else(|fault: T::Err| wrong(fault.to_string()))
}

macro_rules! unchanged {
    ($($type:ty),*) => {$(
        impl Read<$type> for $type {
            fn read(message: &$type) -> Result<Self> {
                Ok(message.clone())
            }
        }
        impl Write<$type> for $type {
            fn write(&self) -> $type {
                self.clone()
            }
        }
        impl Read<Option<$type>> for $type {
            fn read(message: &Option<$type>) -> Result<Self> {
                message.clone().map_or_else(missing, Ok)
            }
        }
        impl Write<Option<$type>> for $type {
            fn write(&self) -> Option<$type> {
                Some(self.clone())
            }
        }
    )*};
}
unchanged!(bool, u32, u64, i32, i64, String);

macro_rules! narrow {
    ($($type:ty: $wide:ty),*) => {$(
        impl Read<$wide> for $type {
            fn read(message: &$wide) -> Result<Self> {
                Self::try_from(*message).or_else(|_| {
                    let (least, most) = (Self::MIN, Self::MAX);
                    wrong(format!("{message} is out of range; the range is {least} to {most}"))
                })
            }
        }
        impl Write<$wide> for $type {
            fn write(&self) -> $wide {
                // Values of wider types are far below the maximum of the contract's type.
                <$wide>::try_from(*self).unwrap_or(<$wide>::MAX)
            }
        }
        impl Read<Option<$wide>> for $type {
            fn read(message: &Option<$wide>) -> Result<Self> {
                message.as_ref().map_or_else(missing, Self::read)
            }
        }
        impl Write<Option<$wide>> for $type {
            fn write(&self) -> Option<$wide> {
                Some(self.write())
            }
        }
    )*};
}
narrow!(u8: u32, u16: u32, usize: u32, u64: u32, i8: i32, i16: i32, i64: i32);

impl<T: Read<M>, M: Default + PartialEq> Read<M> for Option<T> {
    fn read(message: &M) -> Result<Self> {
        optional(message, T::read)
    }
}

impl<T: Write<M>, M: Default> Write<M> for Option<T> {
    fn write(&self) -> M {
        self.as_ref().map(T::write).unwrap_or_default()
    }
}

impl<T: Read<M>, M> Read<Vec<M>> for Vec<T> {
    fn read(message: &Vec<M>) -> Result<Self> {
        rows(message, ROWS_MAX)
    }
}

impl<T: Write<M>, M> Write<Vec<M>> for Vec<T> {
    fn write(&self) -> Vec<M> {
        self.iter().map(T::write).collect()
    }
}

impl<T: Read<M>, M, const N: usize> Read<Vec<M>> for [T; N] {
    fn read(message: &Vec<M>) -> Result<Self> {
        rows(message, N)?.try_into().or_else(|_| wrong(format!("expected {N} items")))
    }
}

impl<T: Write<M>, M, const N: usize> Write<Vec<M>> for [T; N] {
    fn write(&self) -> Vec<M> {
        self.iter().map(T::write).collect()
    }
}

macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        impl<T: Read<M>, M> Read<M> for $pointer<T> {
            fn read(message: &M) -> Result<Self> {
                T::read(message).map(Self::new)
            }
        }
        impl<T: Write<M>, M> Write<M> for $pointer<T> {
            fn write(&self) -> M {
                (**self).write()
            }
        }
    )*};
}
pointers!(Box, Arc);

impl Read<u32> for Seat {
    fn read(message: &u32) -> Result<Self> {
        Self::numbered(*message).map_or_else(|| wrong(format!("seat {message} does not exist")), Ok)
    }
}

impl Write<u32> for Seat {
    fn write(&self) -> u32 {
        self.number()
    }
}

/// Implements `Read` and `Write` for a set, as a list of limited length.
#[macro_export]
macro_rules! set {
    ($set:ty: $item:ty = $message:ty, $most:expr) => {
        impl $crate::wire::Read<Vec<$message>> for $set {
            fn read(message: &Vec<$message>) -> $crate::wire::Result<Self> {
                let rows = $crate::wire::rows::<$item, $message>(message, $most)?;
                Ok(rows.into_iter().collect())
            }
        }
        impl $crate::wire::Write<Vec<$message>> for $set {
            fn write(&self) -> Vec<$message> {
                self.iter().map(|one: $item| $crate::wire::Write::write(&one)).collect()
            }
        }
    };
}
set!(SeatSet: Seat = u32, Seat::MAX);

/// Implements `Read` and `Write` for an enum of two values, as a Boolean.
#[macro_export]
macro_rules! flag {
    ($type:ty, $unset:expr, $set:expr) => {
        impl $crate::wire::Read<bool> for $type {
            fn read(message: &bool) -> $crate::wire::Result<Self> {
                Ok(if *message { $set } else { $unset })
            }
        }
        impl $crate::wire::Write<bool> for $type {
            fn write(&self) -> bool {
                *self == $set
            }
        }
    };
}

/// Implements `Read` and `Write` for a type by conversion to and from another type that has them.
#[macro_export]
macro_rules! written_as {
    ($type:ty = $message:ty, $sheet:ty: $of:ident, $back:ident) => {
        impl $crate::wire::Read<$message> for $type {
            fn read(message: &$message) -> $crate::wire::Result<Self> {
                <$sheet as $crate::wire::Read<$message>>::read(message)?.$back()
            }
        }
        impl $crate::wire::Write<$message> for $type {
            fn write(&self) -> $message {
                $crate::wire::Write::write(&<$sheet>::$of(self))
            }
        }
    };
}

/// Implements `Read` and `Write` for a type that is not a fieldless enum, as an enum of the
/// contract.
#[macro_export]
macro_rules! words {
    ($type:ty, $words:expr) => {
        impl $crate::wire::Read<i32> for $type {
            fn read(message: &i32) -> $crate::wire::Result<Self> {
                let known = $words.into_iter().find(|&(_, word)| i32::from(word) == *message);
                known.map_or_else($crate::wire::unknown, |(own, _)| Ok(own))
            }
        }
        impl $crate::wire::Write<i32> for $type {
            fn write(&self) -> i32 {
                $words.into_iter().find(|(own, _)| own == self).map_or(0, |(_, word)| word.into())
            }
        }
    };
}

/// Implements `Read` and `Write` for a required field with handwritten message conversions.
#[macro_export]
macro_rules! message {
    ($type:ty, $message:ty) => {
        impl $crate::wire::Read<Option<$message>> for $type {
            fn read(message: &Option<$message>) -> $crate::wire::Result<Self> {
                message.as_ref().map_or_else($crate::wire::missing, $crate::wire::Read::read)
            }
        }
        impl $crate::wire::Write<Option<$message>> for $type {
            fn write(&self) -> Option<$message> {
                Some($crate::wire::Write::write(self))
            }
        }
    };
}

/// Implements [`Wire`](crate::Wire) for a game with the messages `Options`, `Order`, `Event`,
/// `View` and `Position` of a package, with optional overrides.
#[macro_export]
macro_rules! passage {
    ($game:ty, $package:ident, { $($own:tt)* }) => {
        impl $crate::Wire for $game {
            type OptionsMessage = $package::Options;
            type OrderMessage = $package::Order;
            type EventMessage = $package::Event;
            type ViewMessage = $package::View;
            type PositionMessage = $package::Position;
            fn read_options(message: &$package::Options) -> $crate::wire::Result<<Self as $crate::Game>::Options> {
                $crate::wire::Read::read(message)
            }
            fn write_options(options: &<Self as $crate::Game>::Options) -> $package::Options {
                $crate::wire::Write::write(options)
            }
            fn read_order(message: &$package::Order) -> $crate::wire::Result<<Self as $crate::Game>::Order> {
                $crate::wire::Read::read(message)
            }
            fn write_order(order: &<Self as $crate::Game>::Order) -> $package::Order {
                $crate::wire::Write::write(order)
            }
            fn read_event(message: &$package::Event) -> $crate::wire::Result<<Self as $crate::Game>::Event> {
                $crate::wire::Read::read(message)
            }
            fn write_event(event: &<Self as $crate::Game>::Event) -> $package::Event {
                $crate::wire::Write::write(event)
            }
            fn read_view(message: &$package::View) -> $crate::wire::Result<<Self as $crate::Game>::View> {
                $crate::wire::Read::read(message)
            }
            fn write_view(view: &<Self as $crate::Game>::View) -> $package::View {
                $crate::wire::Write::write(view)
            }
            fn read_position(message: &$package::Position) -> $crate::wire::Result<Self> {
                $crate::wire::Read::read(message)
            }
            fn write_position(&self) -> $package::Position {
                $crate::wire::Write::write(self)
            }
            $($own)*
        }
    };
}
