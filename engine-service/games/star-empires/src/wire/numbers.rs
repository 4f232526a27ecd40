//! What is a number in the contract, and less than any number in the rules.

use heliopause_kernel::wire::{Result, wrong};

use crate::geometry::Sector;
use crate::options::EMPIRES;

/// The seats of empires.
pub(crate) mod seat {
    use heliopause_kernel::Seat;

    use super::{EMPIRES, Result, wrong};

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
    use heliopause_kernel::SeatSet;
    use heliopause_kernel::wire::{Write, rows_by};

    use super::{EMPIRES, Result, seat};

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
    use super::{FAR, Result, wrong};

    pub(crate) fn read(message: &i32) -> Result<i16> {
        i16::try_from(*message).or_else(|_| wrong(FAR))
    }

    pub(crate) fn write(coordinate: &i16) -> i32 {
        (*coordinate).into()
    }
}

/// A sector in which something can be.
pub(crate) fn in_bounds(sector: &Sector) -> Result<()> {
    if sector.is_in_bounds() { Ok(()) } else { wrong(FAR) }
}

/// Turns of a frame.
pub(crate) fn rotation(turns: &u8) -> Result<()> {
    if *turns < 6 { Ok(()) } else { wrong("it is 0 to 5") }
}

/// An operational rating in thousandths.
pub(crate) fn permille(rating: &u16) -> Result<()> {
    if *rating <= 1000 { Ok(()) } else { wrong("a share is at most 1000 thousandths") }
}

/// An amount that is not none.
pub(crate) mod at_least_1 {
    use super::{Result, wrong};

    pub(crate) fn read(message: &u32) -> Result<u32> {
        if *message > 0 { Ok(*message) } else { wrong("it is at least 1") }
    }

    pub(crate) fn write(amount: &u32) -> u32 {
        *amount
    }
}

/// A module for places in a list, which the contract counts from 1.
macro_rules! places {
    ($module:ident: $type:ty, $fault:literal) => {
        pub(crate) mod $module {
            use heliopause_kernel::wire::{Read, Write};

            use super::{Result, wrong};

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
