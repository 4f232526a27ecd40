//! The capabilities of a terminal: color, Unicode, size.

use owo_colors::{AnsiColors, DynColors, OwoColorize as _, XtermColors};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a thing that a terminal can or cannot do"
)]
pub struct Style {
    pub color: bool,
    pub unicode: bool,
    /// Whether output is interactive, so that spinners and screens are useful.
    pub terminal: bool,
    /// Whether maps are described in sentences, for screen readers.
    pub linear: bool,
    pub width: usize,
    /// The number of lines for a map with its panels. `None` means that there is no limit.
    pub rows: Option<usize>,
    /// A random number in the color codes of this process. [`Style::sealed`] recognizes the codes
    /// by this number. 0 disables the seal.
    pub seal: u64,
}

/// The ink of a piece of text: a meaning that determines the color, or the color itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Something good, or something of the viewer's.
    Good,
    Bad,
    Notice,
    Faint,
    Heading,
    /// The color of a seat, numbered from 1.
    Seat(u32),
    /// A color of the 256-color palette, for maps.
    Shade(u8),
    /// A bold color of the 256-color palette.
    Bright(u8),
}

impl Style {
    pub const PLAIN: Self = Self {
        color: false,
        unicode: false,
        terminal: false,
        linear: false,
        width: 80,
        rows: None,
        seal: 0,
    };

    pub fn paint(&self, text: impl AsRef<str>, ink: Ink) -> String {
        let text = text.as_ref();
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        let hole = "\0";
        let codes = match ink {
            Ink::Good => hole.green().to_string(),
            Ink::Bad => hole.bright_red().to_string(),
            Ink::Notice => hole.yellow().to_string(),
            Ink::Faint => hole.dimmed().to_string(),
            Ink::Heading => hole.bold().to_string(),
            Ink::Seat(seat) => hole.color(seat_color(seat)).bold().to_string(),
            Ink::Shade(shade) => hole.color(XtermColors::from(shade)).to_string(),
            Ink::Bright(shade) => hole.color(XtermColors::from(shade)).bold().to_string(),
        };
        let (begin, end) = codes.split_once(hole).unwrap_or_default();
        format!("{}{text}{}", self.sign(begin), self.sign(end))
    }

    pub(crate) fn sign(&self, codes: &str) -> String {
        if self.seal == 0 {
            return codes.to_owned();
        }
        codes.replace("\x1b[", &format!("\x1b[{};", self.seal))
    }

    /// Adds the seal to color codes in an engine's text, if [`Style::paint`] could have made them.
    pub fn adopted(&self, text: &str) -> String {
        rewritten(text, |parameters| {
            const KNOWN: &str = " 0 1 2 22 32 33 39 91 92 93 94 95 96 ";
            let known = KNOWN.contains(&format!(" {parameters} "));
            let shade = parameters.strip_prefix("38;5;").and_then(|shade| shade.parse::<u8>().ok());
            (self.color && (known || shade.is_some())).then(|| self.sign("\x1b[") + parameters)
        })
    }

    /// Makes text safe for a terminal. Keeps line breaks and this process's own colors, and shows
    /// the characters of all other codes.
    pub fn sealed(&self, text: &str) -> String {
        let seal = format!("{};", self.seal);
        rewritten(text, |parameters| {
            let own = parameters.strip_prefix(&seal).filter(|_| self.seal != 0)?;
            Some(format!("\x1b[{own}"))
        })
    }

    pub fn symbol<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.unicode { unicode } else { ascii }
    }
}

/// Replaces the start of each color code `ESC [ PARAMETERS m`. Other control and invisible
/// characters are shown as their code points.
fn rewritten(text: &str, begin: impl Fn(&str) -> Option<String>) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        let (before, code) = rest.split_at(at);
        written.push_str(&heliopause_proto::text::shown_with_lines(before));
        let parameters = code.strip_prefix("\x1b[").unwrap_or_default();
        let length = parameters.find(|c: char| !c.is_ascii_digit() && c != ';');
        let (parameters, end) = parameters.split_at(length.unwrap_or(parameters.len()));
        if let Some(begin) = begin(parameters).filter(|_| end.starts_with('m')) {
            written.push_str(&begin);
            rest = end;
        } else {
            written.push_str("<U+001B>");
            rest = &code[1..];
        }
    }
    written + &heliopause_proto::text::shown_with_lines(rest)
}

/// Returns the ink of a seat, or of nobody.
pub fn seat_ink(seat: Option<u32>) -> Ink {
    /// The colors of seats after the sixth.
    const MORE: [u8; 12] = [212, 79, 187, 147, 149, 180, 81, 221, 114, 177, 215, 111];
    match seat {
        None => Ink::Shade(250),
        Some(number @ ..=6) => Ink::Seat(number),
        Some(number) => Ink::Bright(MORE[(number as usize - 7) % MORE.len()]),
    }
}

/// Returns a seat's color. The first six colors are readable on dark and light backgrounds. The red
/// that means an enemy is excluded.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_colours_reach_the_terminal() {
        let style = Style { color: true, seal: 77, ..Style::PLAIN };
        let theirs =
            "\x1b[8mhidden\x1b[0m\x1b[31mred\x1b[2J\x1b]0;title\x07\u{202e}\r\u{9b}31m\ttab";
        let cleaned = "<U+001B>[8mhidden<U+001B>[0m<U+001B>[31mred<U+001B>[2J<U+001B>]0;title\
            <U+0007><U+202E><U+000D><U+009B>31m\ttab";
        assert_eq!(style.sealed(theirs), cleaned);
        assert_eq!(
            style.sealed(&style.paint(theirs, Ink::Good)),
            format!("\x1b[32m{cleaned}\x1b[39m")
        );
        for ink in [Ink::Bad, Ink::Faint, Ink::Heading, Ink::Seat(2), Ink::Seat(5), Ink::Bright(7)]
        {
            let plain = Style { seal: 0, ..style };
            let painted = plain.paint("text", ink);
            assert_eq!(style.sealed(&style.paint("text", ink)), painted);
            assert!(
                !plain.sealed(&painted).contains('\x1b'),
                "without a seal no code is one's own"
            );
            assert_eq!(style.sealed(&style.adopted(&painted)), painted, "an engine paints so");
        }
        assert!(!style.adopted(theirs).contains("\x1b[77;8m"));
        assert_eq!(
            style.sealed(&style.adopted("\x1b[8ma\x1b[1;8mb")),
            "<U+001B>[8ma<U+001B>[1;8mb"
        );
        assert_eq!(style.sealed("\x1b[78;31m\x1b[77;31"), "<U+001B>[78;31m<U+001B>[77;31");
    }
}
