//! Who is left, and what dice and lots say of them.

use heliopause_kernel::{Draw, SeatSet};

use crate::rules::referee::Referee;

/// The powers that are left.
pub(crate) fn powers_left(referee: &Referee<'_>) -> SeatSet {
    let politics = referee.politics();
    referee.table().player_seats().filter(|&seat| !politics.is_fallen(seat)).collect()
}

/// Two dice of a table.
pub(crate) fn throw_two(referee: &mut Referee<'_>, purpose: &'static str, object: u64) -> [u8; 2] {
    [referee.roll(purpose, object, 0), referee.roll(purpose, object, 1)]
}

/// One of so many, all equally likely; from 0.
pub(crate) fn draw_lot(
    referee: &mut Referee<'_>,
    purpose: &'static str,
    object: u64,
    count: usize,
) -> usize {
    let at = referee.table().turn_number();
    referee.dice.roll(Draw::new(purpose).at(at).of(object), count.max(1) as u32) as usize - 1
}
