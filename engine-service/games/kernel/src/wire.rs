//! How the types of the rules become messages of the contract, and are read from them.
//!
//! [`Write`] cannot fail. [`Read`] trusts nobody: every message may come from a stranger. A fault
//! names its field as a path from the message that was read, such as `sheet.lines[2].ships[0]`; the
//! traits' own implementations for lists and messages put the path together, so no reader has to
//! think of it.
//!
//! `#[derive(Wire)]` makes both of what is said on the type:
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
//! assert_eq!(fault.to_string(), "ships[1]: the number is too large");
//!
//! message.ships.truncate(1);
//! let landing = Landing::read(&message).unwrap();
//! assert_eq!(landing.watch, Watch::Never);
//! let written: proto::Landing = landing.write();
//! assert_eq!(written, proto::Landing { watch: 1, ..message });
//! ```
//!
//! # Of a type
//!
//! | attribute | it travels |
//! | --- | --- |
//! | `message = proto::X` | a struct as this message, field by field |
//! | `words = proto::X` | an enum without data as this enum, variant by variant |
//! | `kinds = proto::x::Kind, message = proto::X` | an enum as one of several messages, in a message with nothing but `kind` |
//! | `kinds = proto::x::Kind` | an enum as some of these messages: it is `nested` in another; said of each that it is nested in |
//! | `choice = proto::X, fault = ".."` | an enum as one of several choices of this message's fields, in which the others are empty |
//! | `choice_in = proto::X, fault = ".."` | the same, where the message has more fields: it is `part` of it |
//! | `text` | as its text, by `Display` and `FromStr` |
//! | `transparent` | as the only value in it |
//! | `without(a, b)` | the message's fields that the type lacks: written empty, never read |
//! | `always(version = 1)` | the message's fields that are always the same, or follow: `always(rule = result.rule())` |
//! | `check = function` | what else must hold once it is read: `fn(&Self) -> Result<()>` |
//! | `or_default` | a field of it that is not given is as by default |
//! | `most = 12` | its fields that are a `Vec` and say nothing else, as lists of at most so many rows |
//! | `with(Seat = module)` | fields of this type, `Option`s of it and items of `each` by `module::read(&field)` and `module::write(&value)` |
//!
//! # Of a field
//!
//! | attribute | it travels |
//! | --- | --- |
//! | `name = x` | under this name |
//! | `with = module` | by `module::read(&field)` and `module::write(&value)` |
//! | `check = function` | if this holds once it is read: `fn(&Field) -> Result<()>` |
//! | `most = 12` | as a list of at most so many rows, otherwise of [`ROWS_MAX`] |
//! | `or_default` | and is as by default where it is empty |
//! | `part(a, b)` | as these fields of the message, by [`Part`], or by functions of the same names of the module `with` |
//! | `each(a, b)` | as an array whose items are these fields of the message |
//! | `oneof` | as the message's oneof of this name, by [`Kind`]; only an `Option` of one may be missing |
//! | `skip` | not at all |
//!
//! # Of a variant
//!
//! | attribute | it travels |
//! | --- | --- |
//! | `name = X` | under this name |
//! | `message = proto::X` | as this message, where that is not called as the kind is |
//! | `nested` | as a kind of the same message |
//! | `absent` | a word, kind or choice that is not given means it |
//! | `skip` | not at all: the contract has no word for it |
//!
//! What the type or the message lacks does not compile, for a message is written as a complete
//! literal:
//!
//! ```compile_fail,E0063
//! struct Message { number: u32, forgotten: u32 }
//!
//! #[derive(heliopause_kernel::wire::Wire)]
//! #[wire(message = Message)]
//! struct Half { number: u32 }
//! ```
//!
//! An `Option` is `None` where its field is empty: 0, an empty text or list, a message that is not
//! there.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

pub use heliopause_kernel_derive::Wire;

use crate::{Malformed, Seat, SeatSet};

/// What reading comes to.
pub type Result<T> = std::result::Result<T, Malformed>;

/// The most rows of a list that says nothing else: more than any game has of anything.
pub const ROWS_MAX: usize = 16_384;

/// Something that is read from a field or message of the contract.
pub trait Read<M>: Sized {
    /// Reads it. A fault's path begins at the message.
    fn read(message: &M) -> Result<Self>;
}

/// Something that is written as a field or message of the contract.
pub trait Write<M> {
    /// Writes it. Reading it back is the identity.
    fn write(&self) -> M;
}

/// Something that is several fields of a message.
pub trait Part<M>: Sized {
    /// Reads it.
    fn read_part(message: &M) -> Result<Self>;
    /// Writes its fields.
    fn write_part(&self, message: &mut M);
}

/// Something that is one of several messages, or some of them.
pub trait Kind<K>: Sized {
    /// Reads it; nothing if it is none of these.
    fn read_kind(kind: &K) -> Option<Result<Self>>;
    /// Writes it.
    fn write_kind(&self) -> K;
}

/// Puts the name of a field before the path of a fault inside it.
pub fn inside<T>(name: &str, result: Result<T>) -> Result<T> {
    result.map_err(|fault| {
        let dot = if fault.field.is_empty() || fault.field.starts_with('[') { "" } else { "." };
        Malformed { field: format!("{name}{dot}{}", fault.field).into(), ..fault }
    })
}

/// Reads a field.
pub fn field<T: Read<M>, M>(name: &str, message: &M) -> Result<T> {
    inside(name, T::read(message))
}

/// A fault of what is read as a whole.
pub fn wrong<T>(message: impl Into<String>) -> Result<T> {
    Err(Malformed::field("", message))
}

/// A fault of a field.
pub fn wrong_field<T>(name: &str, message: impl Into<String>) -> Result<T> {
    inside(name, wrong(message))
}

/// It has to be there.
pub fn missing<T>() -> Result<T> {
    wrong("it is missing")
}

/// A word that is not in the contract, or none.
pub fn unknown<T>() -> Result<T> {
    wrong("it is not given, or not known")
}

/// Reads one of several messages.
pub fn kind<T: Kind<K>, K>(kind: Option<&K>) -> Result<T> {
    oneof("kind", kind)
}

/// Reads one of several messages from a oneof of this name.
pub fn oneof<T: Kind<K>, K>(name: &str, kind: Option<&K>) -> Result<T> {
    let Some(kind) = kind else { return inside(name, missing()) };
    T::read_kind(kind).unwrap_or_else(|| inside(name, unknown()))
}

/// Whether nothing is in a field.
pub fn is_empty<M: Default + PartialEq>(message: &M) -> bool {
    *message == M::default()
}

/// Reads with a function what may be empty.
pub fn optional<T, M: Default + PartialEq>(
    message: &M,
    read: impl Fn(&M) -> Result<T>,
) -> Result<Option<T>> {
    if is_empty(message) { Ok(None) } else { read(message).map(Some) }
}

/// Reads what is as by default where it is empty.
pub fn or_default<T: Read<M> + Default, M: Default + PartialEq>(message: &M) -> Result<T> {
    if is_empty(message) { Ok(T::default()) } else { T::read(message) }
}

/// Reads a list of at most so many rows.
pub fn rows<T: Read<M>, M>(rows: &[M], most: usize) -> Result<Vec<T>> {
    rows_by(rows, most, T::read)
}

/// Reads with a function each one of at most so many rows.
pub fn rows_by<T, M>(
    rows: &[M],
    most: usize,
    mut read: impl FnMut(&M) -> Result<T>,
) -> Result<Vec<T>> {
    if rows.len() > most {
        return wrong(format!("there are more than {most}"));
    }
    rows.iter()
        .enumerate()
        .map(|(index, row)| read(row).or_else(|fault| inside(&format!("[{index}]"), Err(fault))))
        .collect()
}

/// Reads a text by its type.
pub fn parse<T: FromStr<Err: Display>>(text: &str) -> Result<T> {
    text.parse().or_else(|fault: T::Err| wrong(fault.to_string()))
}

/// What travels as it is.
macro_rules! plain {
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
plain!(bool, u32, u64, i32, i64, String);

/// Numbers of other types than those of the contract.
macro_rules! narrow {
    ($($type:ty: $wide:ty),*) => {$(
        impl Read<$wide> for $type {
            fn read(message: &$wide) -> Result<Self> {
                Self::try_from(*message).or_else(|_| wrong("the number is too large"))
            }
        }
        impl Write<$wide> for $type {
            fn write(&self) -> $wide {
                // What the rules count in wider types is far from the limits of the contract's.
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
        rows(message, N)?.try_into().or_else(|_| wrong(format!("there must be {N}")))
    }
}

impl<T: Write<M>, M, const N: usize> Write<Vec<M>> for [T; N] {
    fn write(&self) -> Vec<M> {
        self.iter().map(T::write).collect()
    }
}

/// What is kept elsewhere travels as it is.
macro_rules! kept {
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
kept!(Box, Arc);

impl Read<u32> for Seat {
    fn read(message: &u32) -> Result<Self> {
        Self::numbered(*message).map_or_else(|| wrong("there is no such seat"), Ok)
    }
}

impl Write<u32> for Seat {
    fn write(&self) -> u32 {
        self.number()
    }
}

/// A set that travels as a list of at most so many: what is in it, and as what that travels.
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

/// One of two, which is a flag in the contract: the one if it is not set, the other if it is.
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

/// A type that travels as another one, which has the shape of the message: how that is made of it,
/// and it of that.
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

/// Words that are no enum without data in the rules: a table of what is called how.
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

/// A message that is read and written by hand: as a field it must be there.
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

/// A game whose types are read and written as the messages of a package, called `Options`, `Order`,
/// `Event`, `View` and `Position`; and what it does in its own way.
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
