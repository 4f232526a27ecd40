//! What a field of the contract may hold.

use std::fmt;

use crate::hidden::Hidden;
use crate::names::{check_name, check_title};

/// What a text may hold. None holds anything hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    #[default]
    Line,
    /// Lines, with tabs.
    Lines,
    /// One line whose words are written as names are: what a game or a token is called.
    Title,
    /// Letters, marks and digits of one script, as UTS 39 allows them in identifiers, with spaces
    /// and what joins the parts of a name: what others know somebody by.
    Name,
}

/// Why a text is refused: a character of it, and what is wrong with that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Which character it is, from 1.
    pub position: usize,
    pub character: char,
    /// What is wrong with it.
    pub why: Why,
}

/// What is wrong with a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It hides something.
    Hidden(Hidden),
    /// Names have no such character.
    NotOfNames,
    /// No name begins with it.
    NoBeginning,
    /// It is a space at the end, or behind another.
    Space,
    /// It is written in parts though there is one character for it.
    NotComposed,
    /// It is of another script than those before it.
    Mixed,
    /// Too many marks stand on one letter.
    Marks,
}

impl Flaw {
    pub(crate) fn new(index: usize, character: char, why: Why) -> Self {
        Self { position: index + 1, character, why }
    }

    /// The character's code point, as Unicode writes it: `U+202E`.
    pub fn code_point(&self) -> String {
        format!("U+{:04X}", u32::from(self.character))
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "its character {} is {}, ", self.position, self.code_point())?;
        match self.why {
            Why::Hidden(hidden) => write!(formatter, "which {}", hidden.does()),
            Why::NotOfNames => formatter.write_str(
                "which names do not have: they have letters, digits, single spaces and ' - . _",
            ),
            Why::NoBeginning => formatter.write_str("and a name begins with a letter or a digit"),
            Why::Space => {
                formatter.write_str("and a name does not end with a space, nor has two in a row")
            }
            Why::NotComposed => formatter
                .write_str("which is to be written in one with its marks (Unicode's form NFC)"),
            Why::Mixed => formatter.write_str(
                "which is of another script than what stands before it: they could look alike",
            ),
            Why::Marks => formatter.write_str("one mark too many on a letter"),
        }
    }
}

impl std::error::Error for Flaw {}

impl Profile {
    /// Whether a text may be written where this profile holds. How long it may be, and whether it
    /// may be empty, is not asked.
    pub fn check(self, text: &str) -> Result<(), Flaw> {
        if is_plain(text) && !matches!(self, Self::Name) {
            return Ok(());
        }
        if let Some(flaw) = self.flaws(text).next() {
            return Err(flaw);
        }
        match self {
            Self::Line | Self::Lines => Ok(()),
            Self::Title => check_title(text),
            Self::Name => check_name(text),
        }
    }

    /// What is hidden in a text.
    pub(crate) fn flaws(self, text: &str) -> impl Iterator<Item = Flaw> {
        let mut before = None;
        let mut rest = text.chars().enumerate().peekable();
        std::iter::from_fn(move || {
            loop {
                let (index, character) = rest.next()?;
                let after = rest.peek().map(|&(_, next)| next);
                let hidden = if self.breaks(character, after) {
                    None
                } else {
                    Hidden::of(before, character, after)
                };
                // What is hidden makes nothing behind it good.
                before = hidden.is_none().then_some(character);
                if let Some(hidden) = hidden {
                    return Some(Flaw::new(index, character, Why::Hidden(hidden)));
                }
            }
        })
    }

    /// Whether a character ends a line or indents, where there may be lines.
    fn breaks(self, character: char, after: Option<char>) -> bool {
        self == Self::Lines
            && match character {
                '\n' | '\t' => true,
                // As some systems end their lines.
                '\r' => after == Some('\n'),
                _ => false,
            }
    }
}

/// Whether a text is what nearly every text is: printable ASCII.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}
