//! What is a number in the contract, and more or less than a number in the rules.
#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "every check and every module has this shape"
)]

use heliopause_kernel::wire::{ROWS_MAX, Read, Result, Write, inside, rows, wrong};
use heliopause_kernel::{Seat, SeatSet};

use crate::tables::board::SEATS_MAX;
use crate::tables::stars::PLANETS_MAX;

/// Something of which each one has a number; what is wrong with all others.
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
pub(super) use numbered;

numbered!(
    Nth,
    |it| below(it, PLANETS_MAX).map(Self),
    |it: Self| u32::from(it.0) + 1,
    "planets of a star are numbered from 1 to 3"
);
numbered!(
    OfVariant,
    |it| Seat::numbered(it).filter(|seat| seat.index() < SEATS_MAX).map(Self),
    |it: Self| it.0.number(),
    "there is no such seat"
);
numbered!(Side, |it| below(it, 2).map(Self), |it: Self| u32::from(it.0) + 1, "there are two sides");

/// From 0, what is numbered from 1 to so many.
pub(super) fn below(number: u32, count: usize) -> Option<u8> {
    number.checked_sub(1).filter(|&index| (index as usize) < count).map(|index| index as u8)
}

/// What a die shows.
pub(crate) fn die(die: &u8) -> Result<()> {
    if (1..=6).contains(die) { Ok(()) } else { wrong("a die shows 1 to 6") }
}

/// What two dice show.
pub(crate) fn two_dice(dice: &[u8; 2]) -> Result<()> {
    each(dice, die)
}

/// What is added to a die of priority, which is a byte.
pub(crate) fn at_most_2(modifier: &u8) -> Result<()> {
    if *modifier <= 2 { Ok(()) } else { wrong("at most 2 is added") }
}

/// So many ships that sums of them do not overflow.
pub(crate) fn count_of_ships(count: &u32) -> Result<()> {
    if *count as usize <= ROWS_MAX { Ok(()) } else { wrong("there are too many ships") }
}

/// Whether something holds of each one.
fn each<T>(items: &[T], check: impl Fn(&T) -> Result<()>) -> Result<()> {
    items
        .iter()
        .enumerate()
        .try_for_each(|(index, item)| inside(&format!("[{index}]"), check(item)))
}

/// What up to two dice show; 0 where none was rolled.
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

/// A seat of any variant: the kernel knows more.
#[derive(Clone, Copy)]
struct OfVariant(Seat);

/// A planet's place on its star's card, from 0.
#[derive(Clone, Copy)]
struct Nth(u8);

/// A side of a war, from 0.
#[derive(Clone, Copy)]
struct Side(u8);

/// A module for what has no type of its own in the rules, or a wider one.
macro_rules! seen_as {
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
seen_as!(seat: Seat as OfVariant = u32, it => it.0, OfVariant(*it));
seen_as!(pair: [Seat; 2] as [OfVariant; 2] = Vec<u32>, it => it.map(|it| it.0), it.map(OfVariant));
seen_as!(nth: u8 as Nth = u32, it => it.0, Nth(*it));
seen_as!(nth_if: Option<u8> as Option<Nth> = u32, it => it.map(|it| it.0), it.map(Nth));
seen_as!(dice: [u8; 2] as Dice = Vec<u32>, it => it.0, Dice(*it));
seen_as!(dice_if: Option<[u8; 2]> as Option<Dice> = Vec<u32>, it => it.map(|it| it.0), it.map(Dice));
seen_as!(side_if: Option<u8> as Option<Side> = u32, it => it.map(|it| it.0), it.map(Side));

/// The same for what is a list of at most so many.
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
