//! Colours: of stars, of seats, in the terminal, on pages and in pictures.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::{Colour, Fate, PlanetType, Table};

use crate::style::Ink;
use crate::svg::{Color, Palette};

/// The colour of a star in the terminal; brighter once it is explored.
pub(super) fn star_ink(colour: Colour, explored: bool) -> Ink {
    let shade = match colour {
        Colour::Blue => 75,
        Colour::Green => 77,
        Colour::Yellow => 227,
        Colour::Orange => 214,
        Colour::Red => 203,
    };
    if explored { Ink::Bright(shade) } else { Ink::Shade(shade) }
}

/// The colour of a star on a page.
pub(super) fn star_color(colour: Colour) -> &'static str {
    match colour {
        Colour::Blue => "#6fb4ff",
        Colour::Green => "#6fdc7c",
        Colour::Yellow => "#ffe873",
        Colour::Orange => "#ffae4d",
        Colour::Red => "#ff6e62",
    }
}

/// Whether a seat is that of the pirates.
fn is_pirates(table: &Table, seat: Seat) -> bool {
    table.campaign.fate().is_some() && seat == Fate::pirates()
}

/// A seat's colour in the terminal; pirates have the red of the enemy.
pub(super) fn seat_ink(table: &Table, seat: Seat) -> Ink {
    if is_pirates(table, seat) { Ink::Bright(196) } else { Ink::Seat(seat.number()) }
}

/// A seat's colour in a picture; pirates have the red of the enemy.
pub(super) fn seat_color(palette: &Palette, table: &Table, seat: Seat) -> Color {
    if is_pirates(table, seat) { palette.bad } else { palette.owner(seat) }
}

/// What a planet is like, in few words.
pub(super) fn planet_name(kind: PlanetType) -> &'static str {
    match kind {
        PlanetType::Terran => "terran",
        PlanetType::SubTerran => "sub-terran",
        PlanetType::MinimalTerran => "minimal terran",
        PlanetType::Barren => "barren",
    }
}
