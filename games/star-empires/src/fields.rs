//! Encodings of fields whose Rust type does not determine the encoding. `#[wire(..)]` attributes
//! select the modules and functions of this file by name.
// The wire macro passes a reference to each field.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]

use std::fmt::Display;

use heliopause_kernel::wire::{
    Read, Result, Write, field, inside, optional, rows, rows_by, wrong, wrong_field,
};
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::star_empires::v1 as proto;

use crate::geometry::FARTHEST;
use crate::ids::EMPIRES;
use crate::name::Name;

/// Maximum number of rows of a list without a specific limit. The largest galaxy needs fewer.
pub(crate) const LIST_MAX: usize = 1_000_000;

pub(crate) mod seat {
    use super::*;

    pub(crate) fn read(message: &u32) -> Result<Seat> {
        let seat = Seat::numbered(*message).filter(|seat| seat.index() < *EMPIRES.end());
        let unknown = || format!("expected an empire from 1 to {}, found {message}", EMPIRES.end());
        seat.map_or_else(|| wrong(unknown()), Ok)
    }

    pub(crate) fn write(seat: &Seat) -> u32 {
        seat.number()
    }
}

pub(crate) mod seats {
    use super::*;

    pub(crate) fn read(message: &[u32]) -> Result<SeatSet> {
        Ok(rows_by(message, *EMPIRES.end(), seat::read)?.into_iter().collect())
    }

    pub(crate) fn write(seats: &SeatSet) -> Vec<u32> {
        seats.write()
    }
}

pub(crate) fn count_of_empires(count: &usize) -> Result<()> {
    if count <= EMPIRES.end() {
        return Ok(());
    }
    wrong(format!("expected {} to {} empires, found {count}", EMPIRES.start(), EMPIRES.end()))
}

pub(crate) fn out_of_bounds<T>(place: impl Display) -> Result<T> {
    wrong(format!(
        "{place} is too far out; the maximum distance from the center is {FARTHEST} sectors"
    ))
}

pub(crate) mod coordinate {
    use super::*;

    pub(crate) fn read(message: &i32) -> Result<i16> {
        i16::try_from(*message).or_else(|_| out_of_bounds(message))
    }

    pub(crate) fn write(coordinate: &i16) -> i32 {
        (*coordinate).into()
    }
}

pub(crate) fn rotation(turns: &u8) -> Result<()> {
    if *turns < 6 { Ok(()) } else { wrong(format!("expected 0 to 5, found {turns}")) }
}

pub(crate) fn permille(rating: &u16) -> Result<()> {
    if *rating <= 1000 {
        Ok(())
    } else {
        wrong(format!("expected 0 to 1000 thousandths, found {rating}"))
    }
}

/// Defines an encoding of list indices, which the contract counts from 1.
macro_rules! places {
    ($module:ident: $type:ty, $fault:literal) => {
        pub(crate) mod $module {
            use super::*;

            pub(crate) fn read(message: &u32) -> Result<$type> {
                message.checked_sub(1).map_or_else(|| wrong($fault), |place| Read::read(&place))
            }

            pub(crate) fn write(place: &$type) -> u32 {
                Write::<u32>::write(place).saturating_add(1)
            }
        }
    };
}
places!(lines: u32, "line numbers start at 1, not 0");
places!(orders: usize, "order numbers start at 1, not 0");

pub(crate) mod sentence {
    use super::*;

    const LONGEST: usize = 500;

    pub(crate) fn read(message: &str) -> Result<String> {
        let count = message.chars().count();
        if count > LONGEST {
            wrong(format!("{count} characters are too many; the maximum is {LONGEST}"))
        } else {
            Ok(message.to_owned())
        }
    }

    pub(crate) fn write(sentence: &str) -> String {
        sentence.chars().take(LONGEST).collect()
    }
}

pub(crate) mod sorted {
    use super::*;

    pub(crate) fn read<R: Read<M> + Ord, M>(message: &[M]) -> Result<Vec<R>> {
        let mut list: Vec<R> = rows(message, LIST_MAX)?;
        list.sort_unstable();
        list.dedup();
        Ok(list)
    }

    pub(crate) fn write<R: Write<M>, M>(list: &[R]) -> Vec<M> {
        list.iter().map(R::write).collect()
    }
}

pub(crate) mod alliances {
    use super::*;

    pub(crate) fn read(message: &[proto::Alliance]) -> Result<Vec<SeatSet>> {
        rows_by(message, *EMPIRES.end(), |alliance| {
            inside("members", seats::read(&alliance.members))
        })
    }

    pub(crate) fn write(alliances: &[SeatSet]) -> Vec<proto::Alliance> {
        alliances.iter().map(|alliance| proto::Alliance { members: alliance.write() }).collect()
    }
}

pub(crate) mod names {
    use super::*;

    pub(crate) fn read(message: &[String]) -> Result<Vec<Name>> {
        rows(message, LIST_MAX)
    }

    pub(crate) fn write(names: &Vec<Name>) -> Vec<String> {
        names.write()
    }
}

pub(crate) mod some_names {
    use super::*;

    pub(crate) use super::names::write;

    pub(crate) fn read(message: &[String]) -> Result<Vec<Name>> {
        if message.is_empty() { wrong("expected at least one name") } else { names::read(message) }
    }
}

/// Encoding of the owner and class of foreign ships on a scan. Both are absent for unidentified
/// ships.
pub(crate) mod identity {
    use super::*;

    pub(crate) fn read_part(message: &proto::FleetSeen) -> Result<Option<(Seat, Name)>> {
        let owner = inside("owner", optional(&message.owner, seat::read))?;
        match owner {
            Some(owner) => Ok(Some((owner, field("ship_class", &message.ship_class)?))),
            None if message.ship_class.is_empty() => Ok(None),
            None => wrong_field("ship_class", "unidentified ships cannot have a class"),
        }
    }

    pub(crate) fn write_part(identity: &Option<(Seat, Name)>, message: &mut proto::FleetSeen) {
        if let Some((owner, class)) = identity {
            (message.owner, message.ship_class) = (owner.number(), class.write());
        }
    }
}
