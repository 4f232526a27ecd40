//! How much a terminal can show: colour, Unicode, width.

use owo_colors::{AnsiColors, DynColors, OwoColorize as _, XtermColors};

/// What the output can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that a terminal can or cannot do"
)]
pub struct Style {
    /// Whether to use colour.
    pub color: bool,
    /// Whether to use symbols beyond ASCII.
    pub unicode: bool,
    /// Whether a person is watching: spinners and screens make sense.
    pub terminal: bool,
    /// Whether maps are told in sentences, for who hears them.
    pub linear: bool,
    /// How many columns there are.
    pub width: usize,
}

/// What a piece of text means, and so its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Something good, or yours.
    Good,
    /// Something bad.
    Bad,
    /// Something to notice.
    Notice,
    /// Something less important.
    Faint,
    Heading,
    /// A seat's own colour, from 1.
    Seat(u32),
    /// A colour of the 256-colour palette, for maps.
    Shade(u8),
    /// The same, bold.
    Bright(u8),
}

impl Style {
    /// Plain ASCII at 80 columns.
    pub const PLAIN: Self =
        Self { color: false, unicode: false, terminal: false, linear: false, width: 80 };

    /// Paints a text, if there is colour.
    pub fn paint(&self, text: impl AsRef<str>, ink: Ink) -> String {
        let text = text.as_ref();
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        match ink {
            Ink::Good => text.green().to_string(),
            Ink::Bad => text.bright_red().to_string(),
            Ink::Notice => text.yellow().to_string(),
            Ink::Faint => text.dimmed().to_string(),
            Ink::Heading => text.bold().to_string(),
            Ink::Seat(seat) => text.color(seat_color(seat)).bold().to_string(),
            Ink::Shade(shade) => text.color(XtermColors::from(shade)).to_string(),
            Ink::Bright(shade) => text.color(XtermColors::from(shade)).bold().to_string(),
        }
    }

    /// A symbol, or what stands for it in ASCII.
    pub fn symbol<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.unicode { unicode } else { ascii }
    }
}

/// The colours of seats 1 to 6, readable on dark and light backgrounds and never the red of the
/// enemy.
fn seat_color(seat: u32) -> DynColors {
    match seat {
        1 => DynColors::Ansi(AnsiColors::BrightCyan),
        2 => DynColors::Ansi(AnsiColors::BrightYellow),
        3 => DynColors::Ansi(AnsiColors::BrightGreen),
        4 => DynColors::Ansi(AnsiColors::BrightMagenta),
        5 => DynColors::Xterm(XtermColors::from(208)),
        6 => DynColors::Ansi(AnsiColors::BrightBlue),
        _ => DynColors::Ansi(AnsiColors::BrightRed),
    }
}
