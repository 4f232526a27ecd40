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
    /// A secret of this process in its own colour codes, by which [`Style::sealed`] knows them.
    /// None if 0.
    pub seal: u64,
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
        Self { color: false, unicode: false, terminal: false, linear: false, width: 80, seal: 0 };

    /// Paints a text, if there is colour.
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

    /// Puts the seal into colour codes.
    pub(crate) fn sign(&self, codes: &str) -> String {
        if self.seal == 0 {
            return codes.to_owned();
        }
        codes.replace("\x1b[", &format!("\x1b[{};", self.seal))
    }

    /// A text that an engine has painted, with the seal in those codes that [`Style::paint`] makes.
    pub fn adopted(&self, text: &str) -> String {
        rewritten(text, |parameters| {
            let known = matches!(
                parameters,
                "0" | "1"
                    | "2"
                    | "22"
                    | "32"
                    | "33"
                    | "39"
                    | "91"
                    | "92"
                    | "93"
                    | "94"
                    | "95"
                    | "96"
            );
            let shade = parameters.strip_prefix("38;5;").and_then(|shade| shade.parse::<u8>().ok());
            (self.color && (known || shade.is_some())).then(|| self.sign("\x1b[") + parameters)
        })
    }

    /// A text as a terminal may see it: lines, this process's own colours, and nothing hidden. The
    /// codes of others are shown as their characters.
    pub fn sealed(&self, text: &str) -> String {
        let seal = format!("{};", self.seal);
        rewritten(text, |parameters| {
            let own = parameters.strip_prefix(&seal).filter(|_| self.seal != 0)?;
            Some(format!("\x1b[{own}"))
        })
    }

    /// A symbol, or what stands for it in ASCII.
    pub fn symbol<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.unicode { unicode } else { ascii }
    }
}

/// A text with the beginning of each colour code `ESC [ PARAMETERS m` replaced; other characters
/// that control a terminal or hide are shown as their code points.
fn rewritten(text: &str, begin: impl Fn(&str) -> Option<String>) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        let (before, code) = rest.split_at(at);
        written.push_str(&heliopause_text::shown_as_it_is(before));
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
    written + &heliopause_text::shown_as_it_is(rest)
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
