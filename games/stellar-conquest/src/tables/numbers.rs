//! Conversions and checks for values that are plain numbers in the messages.
#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "every check and every module has this shape"
)]

use heliopause_kernel::wire::{ROWS_MAX, Read, Result, Write, inside, rows, wrong};
use heliopause_kernel::{Seat, SeatSet};

use crate::tables::board::SEATS_MAX;
use crate::tables::stars::PLANETS_MAX;

/// Implements the conversion of a numbered type, with the error for invalid numbers.
macro_rules! numbered {
    ($type:ty, $read:expr, $write:expr, $fault:literal) => {
        impl Read<u32> for $type {
            fn read(number: &u32) -> heliopause_kernel::wire::Result<Self> {
                $read(*number).map_or_else(|| heliopause_kernel::wire::wrong($fault), Ok)
            }
        }
        impl Write<u32> for $type {
            fn write(&self) -> u32 {
                $write(*self)
            }
        }
    };
}
pub(crate) use numbered;

numbered!(
    Nth,
    |it| below(it, PLANETS_MAX).map(Self),
    |it: Self| u32::from(it.0) + 1,
    "expected a planet from 1 to 3"
);
numbered!(
    OfVariant,
    |it| Seat::numbered(it).filter(|seat| seat.index() < SEATS_MAX).map(Self),
    |it: Self| it.0.number(),
    "expected a seat from 1 to 4"
);
numbered!(
    Side,
    |it| below(it, 2).map(Self),
    |it: Self| u32::from(it.0) + 1,
    "expected side 1 or 2"
);

pub(crate) fn below(number: u32, count: usize) -> Option<u8> {
    number.checked_sub(1).filter(|&index| (index as usize) < count).map(|index| index as u8)
}

pub(crate) fn die(die: &u8) -> Result<()> {
    if (1..=6).contains(die) { Ok(()) } else { wrong("expected a die roll from 1 to 6") }
}

pub(crate) fn two_dice(dice: &[u8; 2]) -> Result<()> {
    each(dice, die)
}

/// Limits the modifier of a priority die, because the total is stored in a byte.
pub(crate) fn at_most_2(modifier: &u8) -> Result<()> {
    if *modifier <= 2 { Ok(()) } else { wrong(format!("{modifier} is too high; the maximum is 2")) }
}

/// Limits a number of ships, so that sums cannot overflow.
pub(crate) fn count_of_ships(count: &u32) -> Result<()> {
    if *count as usize <= ROWS_MAX {
        Ok(())
    } else {
        wrong(format!("{count} ships are too many; the maximum is {ROWS_MAX}"))
    }
}

fn each<T>(items: &[T], check: impl Fn(&T) -> Result<()>) -> Result<()> {
    items
        .iter()
        .enumerate()
        .try_for_each(|(index, item)| inside(&format!("[{index}]"), check(item)))
}

/// Up to two dice. A die that was not rolled is 0.
struct Dice([u8; 2]);

impl Read<Vec<u32>> for Dice {
    fn read(message: &Vec<u32>) -> Result<Self> {
        let rolled: Vec<u8> = rows(message, 2)?;
        each(&rolled, die)?;
        let mut dice = [0; 2];
        dice[..rolled.len()].copy_from_slice(&rolled);
        Ok(Self(dice))
    }
}

impl Write<Vec<u32>> for Dice {
    fn write(&self) -> Vec<u32> {
        self.0.iter().filter(|&&die| die > 0).map(Write::write).collect()
    }
}

/// A seat that exists in at least one variant. The kernel allows more seats.
#[derive(Clone, Copy)]
struct OfVariant(Seat);

/// A planet's position on its star's card, from 0.
#[derive(Clone, Copy)]
struct Nth(u8);

/// A side of a war, from 0.
#[derive(Clone, Copy)]
struct Side(u8);

/// Defines a wire module for values that have a wider type or no separate type in the rules.
macro_rules! wire_as {
    ($module:ident: $own:ty as $type:ty = $message:ty, $it:ident => $read:expr, $write:expr) => {
        pub(crate) mod $module {
            use super::*;

            pub(crate) fn read(message: &$message) -> Result<$own> {
                <$type>::read(message).map(|$it| $read)
            }

            pub(crate) fn write($it: &$own) -> $message {
                let it: $type = $write;
                it.write()
            }
        }
    };
}
wire_as!(seat: Seat as OfVariant = u32, it => it.0, OfVariant(*it));
wire_as!(pair: [Seat; 2] as [OfVariant; 2] = Vec<u32>, it => it.map(|it| it.0), it.map(OfVariant));
wire_as!(nth: u8 as Nth = u32, it => it.0, Nth(*it));
wire_as!(nth_if: Option<u8> as Option<Nth> = u32, it => it.map(|it| it.0), it.map(Nth));
wire_as!(dice: [u8; 2] as Dice = Vec<u32>, it => it.0, Dice(*it));
wire_as!(dice_if: Option<[u8; 2]> as Option<Dice> = Vec<u32>, it => it.map(|it| it.0), it.map(Dice));
wire_as!(side_if: Option<u8> as Option<Side> = u32, it => it.map(|it| it.0), it.map(Side));

/// Defines a wire module like `wire_as`, for a list of limited length.
macro_rules! several {
    ($module:ident: $own:ty as $type:ident, $most:expr, $it:ident: $all:ty => $each:expr) => {
        pub(crate) mod $module {
            use super::*;

            pub(crate) fn read(message: &[u32]) -> Result<$own> {
                Ok(rows(message, $most)?.into_iter().map(|$type(it)| it).collect())
            }

            pub(crate) fn write($it: &$all) -> Vec<u32> {
                $each.map(|it| $type(it).write()).collect()
            }
        }
    };
}
several!(nths: Vec<u8> as Nth, PLANETS_MAX, it: [u8] => it.iter().copied());
several!(order_of_play: Vec<Seat> as OfVariant, SEATS_MAX, it: [Seat] => it.iter().copied());
several!(seat_set: SeatSet as OfVariant, SEATS_MAX, it: SeatSet => it.iter());
