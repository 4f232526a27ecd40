//! The colours of empires, the same in the terminal, in pictures and on pages.

use crate::style::Ink;

/// As many colours as the eye tells apart on a dark ground; the red of danger is not among them.
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

fn index(seat: u32) -> usize {
    (seat.saturating_sub(1) % 12) as usize
}

/// An empire's colour in the terminal; grey for nobody.
pub(super) fn ink(seat: u32) -> Ink {
    if seat == 0 { Ink::Shade(250) } else { Ink::Bright(COLORS[index(seat)].0) }
}

/// An empire's colour in pictures and on pages; grey for nobody.
pub(super) fn color(seat: u32) -> &'static str {
    if seat == 0 { "#aab2c8" } else { COLORS[index(seat)].1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_at_the_table_have_different_colours() {
        assert!((1..60).all(|seat| color(seat) != color(seat + 1) && ink(seat) != ink(seat + 1)));
        assert_eq!(color(1), color(13));
    }
}
