//! What is a number in the contract, and less than any number in the rules; and what else has
//! bounds.

use heliopause_kernel::wire::{Read, Result, Write, rows_by, wrong};
use heliopause_kernel::{Seat, SeatSet};

use crate::geometry::{FARTHEST, Sector};
use crate::options::EMPIRES;
use crate::order::{Amount, ITEMS_MAX, Line, Sheet};

/// The seats of empires.
pub(crate) mod seat {
    use super::*;

    pub(crate) fn read(message: &u32) -> Result<Seat> {
        let seat = Seat::numbered(*message).filter(|seat| seat.index() < *EMPIRES.end());
        seat.map_or_else(|| wrong("there is no such empire"), Ok)
    }

    pub(crate) fn write(seat: &Seat) -> u32 {
        seat.number()
    }
}

/// Sets of them.
pub(crate) mod seats {
    use super::*;

    pub(crate) fn read(message: &[u32]) -> Result<SeatSet> {
        Ok(rows_by(message, *EMPIRES.end(), seat::read)?.into_iter().collect())
    }

    pub(crate) fn write(seats: &SeatSet) -> Vec<u32> {
        seats.write()
    }
}

/// How many empires there are.
pub(crate) fn count_of_empires(count: &usize) -> Result<()> {
    if count <= EMPIRES.end() { Ok(()) } else { wrong("there are 2 to 60 empires") }
}

const FAR: &str = "the sector is too far out";

/// A coordinate of a sector.
pub(crate) mod coordinate {
    use super::*;

    pub(crate) fn read(message: &i32) -> Result<i16> {
        i16::try_from(*message).or_else(|_| wrong(FAR))
    }

    pub(crate) fn write(coordinate: &i16) -> i32 {
        (*coordinate).into()
    }
}

/// A sector in which something can be, in any empire's frame.
pub(crate) fn in_bounds(sector: &Sector) -> Result<()> {
    if sector.distance(Sector::CENTRE) <= 2 * FARTHEST { Ok(()) } else { wrong(FAR) }
}

/// Turns of a frame.
pub(crate) fn rotation(turns: &u8) -> Result<()> {
    if *turns < 6 { Ok(()) } else { wrong("it is 0 to 5") }
}

/// An operational rating in thousandths.
pub(crate) fn permille(rating: &u16) -> Result<()> {
    if *rating <= 1000 { Ok(()) } else { wrong("a share is at most 1000 thousandths") }
}

/// An amount is not none.
pub(crate) fn at_least_1(amount: &Amount) -> Result<()> {
    if *amount == Amount::Number(0) { wrong("it is at least 1") } else { Ok(()) }
}

/// A module for places in a list, which the contract counts from 1.
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
places!(lines: u32, "lines are counted from 1");
places!(orders: usize, "orders are counted from 1");

/// A sheet does not name too many things.
pub(crate) fn few_items(sheet: &Sheet) -> Result<()> {
    let items: usize = sheet.lines.iter().map(Line::items).sum();
    if items <= ITEMS_MAX { Ok(()) } else { wrong("its lines name too many things") }
}

/// What is wrong with a line that cannot be read.
pub(crate) mod sentence {
    use super::*;

    /// The longest, in characters.
    const LONGEST: usize = 500;

    pub(crate) fn read(message: &str) -> Result<String> {
        if message.chars().count() > LONGEST {
            wrong("its message is too long")
        } else {
            Ok(message.to_owned())
        }
    }

    pub(crate) fn write(sentence: &str) -> String {
        sentence.chars().take(LONGEST).collect()
    }
}
