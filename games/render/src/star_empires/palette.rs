//! The colors of empires in the terminal and on pages.

use heliopause_kernel::Seat;

use crate::document::Tone;
use crate::style::Ink;

/// Distinguishable colors on a dark background, for the terminal and for pages. The red that means
/// danger is excluded.
const COLORS: [(u8, &str); 12] = [
    (81, "#4fd1e8"),
    (221, "#f5d547"),
    (114, "#7ee06b"),
    (177, "#d48af0"),
    (215, "#ff9d45"),
    (111, "#7ea2ff"),
    (212, "#ff8ac2"),
    (79, "#3fcfa0"),
    (187, "#d8d29a"),
    (147, "#b3a6ff"),
    (149, "#b5dd4c"),
    (180, "#d9a778"),
];

fn of(seat: Seat) -> (u8, &'static str) {
    COLORS[seat.index() % COLORS.len()]
}

pub(super) fn ink(seat: Option<Seat>) -> Ink {
    seat.map_or(Ink::Shade(250), |seat| Ink::Bright(of(seat).0))
}

fn color(seat: Option<Seat>) -> &'static str {
    seat.map_or("#aab2c8", |seat| of(seat).1)
}

pub(super) fn tone(seat: Option<Seat>) -> Tone {
    Tone::Colored(ink(seat), color(seat))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_seats_have_different_colours() {
        let seat = |number| Seat::numbered(number);
        let differ = |one, other| color(one) != color(other) && ink(one) != ink(other);
        assert!((1..60).all(|number| differ(seat(number), seat(number + 1))));
        assert_eq!(color(seat(1)), color(seat(13)));
    }
}
