//! Colours of powers and empires.

use heliopause_diplomacy::Variant;
use heliopause_kernel::Seat;

use crate::style::Ink;
use crate::svg::{Color, Palette, Tint};

/// The powers of the standard game in the colours that they have on many boards; England, France
/// and the others follow Austria in seat order.
const POWERS: [u8; 7] = [203, 69, 117, 244, 71, 183, 221];

/// Colours of the terminal that can be told apart, for empires.
const SHADES: [u8; 14] = [203, 75, 221, 71, 177, 208, 45, 161, 149, 105, 180, 35, 219, 247];

/// A colour in the terminal.
pub(super) fn ink(variant: Variant, seat: Seat) -> Ink {
    match variant {
        Variant::Standard => Ink::Bright(POWERS[seat.index() % POWERS.len()]),
        Variant::OuterSpace => Ink::Bright(SHADES[seat.index() % SHADES.len()]),
    }
}

/// A colour in a picture.
pub(super) fn color(palette: &Palette, variant: Variant, seat: Seat) -> Color {
    match variant {
        Variant::Standard => palette.power(seat),
        Variant::OuterSpace => palette.owner(seat),
    }
}

/// The same as it fills a shape.
pub(super) fn tint(palette: &Palette, variant: Variant, seat: Seat) -> Tint {
    match variant {
        Variant::Standard => Tint::Flat(palette.power(seat)),
        Variant::OuterSpace => palette.tint(seat),
    }
}
