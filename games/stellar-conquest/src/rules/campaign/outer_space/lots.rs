//! Random draws, and the powers still in the game.

use heliopause_kernel::{Draw, SeatSet};

use crate::rules::referee::Referee;

pub(crate) fn remaining_powers(referee: &Referee<'_>) -> SeatSet {
    let politics = referee.politics();
    referee.table().player_seats().filter(|&seat| !politics.is_eliminated(seat)).collect()
}

pub(crate) fn roll_two(referee: &mut Referee<'_>, purpose: &'static str, object: u64) -> [u8; 2] {
    [referee.roll(purpose, object, 0), referee.roll(purpose, object, 1)]
}

/// Draws a number from 0 to `count` - 1, all equally likely.
pub(crate) fn draw_lot(
    referee: &mut Referee<'_>,
    purpose: &'static str,
    object: u64,
    count: usize,
) -> usize {
    let at = referee.table().turn_number();
    referee.dice.roll(Draw::new(purpose).at(at).of(object), count.max(1) as u32) as usize - 1
}
