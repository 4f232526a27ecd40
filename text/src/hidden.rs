//! Characters that nobody sees, or that change how others are seen.

use unicode_properties::emoji::UnicodeEmoji as _;
use unicode_script::{Script, UnicodeScript as _};

/// How a character deceives a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// It controls a terminal.
    Control,
    BreaksLine,
    /// It changes the order in which others are shown.
    Reorders,
    /// Nothing is seen of it.
    Invisible,
    /// It joins or parts letters where there are none that it could.
    Joins,
    /// It varies a character that has no such variant.
    Varies,
    /// It is one of the tags, with which whole texts can be hidden.
    Tag,
    /// It means nothing, or to everybody something else.
    Private,
}

impl Hidden {
    /// What a refusal says of such a character, after "which".
    pub(crate) fn does(self) -> &'static str {
        match self {
            Self::Control => "controls a terminal",
            Self::BreaksLine => "breaks the line",
            Self::Reorders => "changes the order in which text is shown",
            Self::Invisible => "cannot be seen",
            Self::Joins => "joins or parts letters, and stands between none that it could",
            Self::Varies => "varies a character, and stands behind none that it could",
            Self::Tag => "is a tag, which cannot be seen",
            Self::Private => "has no meaning that all agree on",
        }
    }

    /// Whether a character between its neighbours hides something. Emoji may be joined and varied,
    /// and so may letters of the scripts whose spelling needs it.
    pub(crate) fn of(before: Option<char>, character: char, after: Option<char>) -> Option<Self> {
        let hidden = Self::alone(character)?;
        let fits = match hidden {
            Self::Joins => joins(before, character, after),
            Self::Varies => varies(before, character, after),
            _ => false,
        };
        (!fits).then_some(hidden)
    }

    /// What a character hides unless its neighbours need it.
    fn alone(character: char) -> Option<Self> {
        Some(match character {
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Self::Control,
            '\u{2028}' | '\u{2029}' => Self::BreaksLine,
            '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => Self::Reorders,
            '\u{200c}' | '\u{200d}' => Self::Joins,
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Self::Varies,
            // Soft hyphen, joiner of graphemes, fillers, vowels and marks that are not drawn,
            // formats of notes and shorthand.
            '\u{ad}'
            | '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' => Self::Invisible,
            '\u{e0000}'..='\u{e0fff}' => Self::Tag,
            '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{f0000}'..='\u{10ffff}' => {
                Self::Private
            }
            _ if u32::from(character) & 0xfffe == 0xfffe => Self::Private,
            _ => return None,
        })
    }
}

/// Whether a character hides something wherever it stands. Joiners and selectors may be needed.
pub fn is_hidden(character: char) -> bool {
    !matches!(Hidden::alone(character), None | Some(Hidden::Joins | Hidden::Varies))
}

/// Whether a joiner stands between emoji that make one, or a joiner or its opposite between letters
/// that are joined otherwise.
fn joins(before: Option<char>, joiner: char, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let emoji =
        joiner == '\u{200d}' && (is_emoji(before) || before == '\u{fe0f}') && is_emoji(after);
    emoji || (before.script() == after.script() && has_joiners(before.script()))
}

/// Whether emoji or text is chosen for a character that is either.
fn varies(before: Option<char>, selector: char, after: Option<char>) -> bool {
    let Some(before) = before.filter(|_| matches!(selector, '\u{fe0e}' | '\u{fe0f}')) else {
        return false;
    };
    let keycap = matches!(before, '0'..='9' | '#' | '*') && after == Some('\u{20e3}');
    keycap || is_emoji(before)
}

/// Whether a character is a picture: digits count as emoji too, for Unicode, because of keycaps.
fn is_emoji(character: char) -> bool {
    !character.is_ascii() && character.is_emoji_char()
}

/// The scripts in which a joiner or its opposite changes how a word is spelt.
fn has_joiners(script: Script) -> bool {
    matches!(
        script,
        Script::Arabic
            | Script::Bengali
            | Script::Devanagari
            | Script::Gujarati
            | Script::Gurmukhi
            | Script::Kannada
            | Script::Khmer
            | Script::Malayalam
            | Script::Myanmar
            | Script::Oriya
            | Script::Sinhala
            | Script::Syriac
            | Script::Tamil
            | Script::Telugu
    )
}

#[cfg(test)]
mod tests {
    use super::Hidden;

    #[test]
    fn each_of_the_deceivers_is_told_by_what_it_does() {
        for (character, does) in [
            ('\u{1b}', Hidden::Control),
            ('\u{85}', Hidden::Control),
            ('\u{2028}', Hidden::BreaksLine),
            ('\u{202e}', Hidden::Reorders),
            ('\u{2066}', Hidden::Reorders),
            ('\u{200b}', Hidden::Invisible),
            ('\u{feff}', Hidden::Invisible),
            ('\u{200d}', Hidden::Joins),
            ('\u{fe0f}', Hidden::Varies),
            ('\u{e0041}', Hidden::Tag),
            ('\u{e000}', Hidden::Private),
            ('\u{1ffff}', Hidden::Private),
        ] {
            assert_eq!(Hidden::of(Some('a'), character, Some('b')), Some(does), "{character:?}");
        }
        for plain in ['a', ' ', '\u{a0}', '\u{3000}', 'Ω', '李', '🚀', '\u{301}', '\u{600}'] {
            assert_eq!(Hidden::of(None, plain, None), None, "{plain:?}");
        }
    }
}
