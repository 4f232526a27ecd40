//! Colours of powers and empires.

use heliopause_diplomacy::Variant;
use heliopause_kernel::Seat;

use crate::style::Ink;

/// The powers of the standard game in the colours that they have on many boards; England, France
/// and the others follow Austria in seat order. For the terminal, then for pictures.
const POWERS: [(u8, &str); 7] = [
    (203, "#d94b3d"),
    (69, "#3a5fb8"),
    (117, "#4aa8d8"),
    (244, "#5b5b5b"),
    (71, "#3f9a52"),
    (183, "#9d7bc1"),
    (221, "#dfab1f"),
];

/// Colours of the terminal that can be told apart, for empires.
const SHADES: [u8; 14] = [203, 75, 221, 71, 177, 208, 45, 161, 149, 105, 180, 35, 219, 247];

/// A colour in the terminal.
pub(super) fn ink(variant: Variant, seat: Seat) -> Ink {
    match variant {
        Variant::Standard => Ink::Bright(POWERS[seat.index() % POWERS.len()].0),
        Variant::OuterSpace => Ink::Bright(SHADES[seat.index() % SHADES.len()]),
    }
}

/// A colour in a picture. Empires stand as far apart on the circle of hues as their number allows.
pub(super) fn color(variant: Variant, seat: Seat) -> String {
    match variant {
        Variant::Standard => POWERS[seat.index() % POWERS.len()].1.to_owned(),
        Variant::OuterSpace => {
            let index = u32::try_from(seat.index()).unwrap_or_default();
            // Steps of the golden angle never meet again.
            let hue = (index * 137 + 8) % 360;
            let light = [46, 36, 58][seat.index() / 12 % 3];
            format!("hsl({hue},62%,{light}%)")
        }
    }
}
