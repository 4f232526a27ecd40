//! The text allowed in fields of the contract.

use std::fmt;

use super::hidden::Hidden;
use super::names::{MARKS_MAX, check_name, check_title};

/// A kind of text. Hidden characters are not allowed in any kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    #[default]
    Line,
    /// Several lines, which may contain tabs.
    Lines,
    /// One line whose words follow the rules for names.
    Title,
    /// Letters, marks and digits of one script that UTS 39 allows in identifiers.
    Name,
}

/// An invalid character in text, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw {
    pub position: usize,
    pub character: char,
    pub why: FlawReason,
}

/// Why a character is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawReason {
    Hidden(Hidden),
    NotInNames,
    InvalidStart,
    /// A space at the end or after another space.
    Space,
    /// A sequence for which a single character exists.
    NotComposed,
    /// A character from a different script than those before it.
    Mixed,
    Marks,
}

impl Flaw {
    pub(crate) fn new(index: usize, character: char, why: FlawReason) -> Self {
        Self { position: index + 1, character, why }
    }

    /// Returns the code point in Unicode's notation: `U+202E`.
    pub fn code_point(&self) -> String {
        format!("U+{:04X}", u32::from(self.character))
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = match (self.why, self.character) {
            (_, ' ') => "a space".to_owned(),
            (FlawReason::NotInNames, c) => format!("\"{c}\""),
            (FlawReason::InvalidStart, c) if c.is_ascii() => format!("\"{c}\""),
            _ => self.code_point(),
        };
        write!(formatter, "character {} is {shown}, ", self.position)?;
        match self.why {
            FlawReason::Hidden(hidden) => write!(formatter, "which {}", hidden.does()),
            FlawReason::NotInNames => formatter.write_str(
                "which a name cannot contain: use letters, digits, single spaces and ' - . _",
            ),
            FlawReason::InvalidStart => {
                formatter.write_str("but a name must start with a letter or a digit")
            }
            FlawReason::Space => {
                formatter.write_str("but a name cannot end with a space or contain two in a row")
            }
            FlawReason::NotComposed => {
                formatter.write_str("which must be combined with its marks (Unicode's form NFC)")
            }
            FlawReason::Mixed => formatter.write_str(
                "which is from a different script than the characters before it: they could look \
                 alike",
            ),
            FlawReason::Marks => {
                write!(
                    formatter,
                    "which is one mark too many on a letter; the maximum is {MARKS_MAX}"
                )
            }
        }
    }
}

impl std::error::Error for Flaw {}

impl Profile {
    /// Checks everything about text except its length. Returns the first flaw found.
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
                // A joiner or selector is not allowed after a hidden character.
                before = hidden.is_none().then_some(character);
                if let Some(hidden) = hidden {
                    return Some(Flaw::new(index, character, FlawReason::Hidden(hidden)));
                }
            }
        })
    }

    fn breaks(self, character: char, after: Option<char>) -> bool {
        self == Self::Lines
            && match character {
                '\n' | '\t' => true,
                '\r' => after == Some('\n'),
                _ => false,
            }
    }
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}
