//! Characters that are invisible or change how other characters are displayed.

use unicode_properties::emoji::UnicodeEmoji as _;
use unicode_script::{Script, UnicodeScript as _};

/// How a character deceives a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    Control,
    BreaksLine,
    /// Changes the display order of other characters.
    Reorders,
    Invisible,
    /// A joiner between characters that cannot be joined.
    Joins,
    /// A variation selector after a character without variants.
    Varies,
    /// A tag character. A sequence of tags can hide entire messages.
    Tag,
    /// A character for private use, or one that will never be assigned.
    Private,
}

impl Hidden {
    /// Returns the clause that follows "which" in an error message.
    pub(crate) fn does(self) -> &'static str {
        match self {
            Self::Control => "controls a terminal",
            Self::BreaksLine => "breaks the line",
            Self::Reorders => "changes the order in which text is shown",
            Self::Invisible => "cannot be seen",
            Self::Joins => {
                "joins or separates letters, but is not between letters or emoji that need it"
            }
            Self::Varies => {
                "selects a variant of a character, but follows a character without variants"
            }
            Self::Tag => "is a tag, which cannot be seen",
            Self::Private => "has no standard meaning",
        }
    }

    /// Classifies a character. Joiners and variation selectors are allowed where emoji and scripts
    /// need them.
    pub(crate) fn of(before: Option<char>, character: char, after: Option<char>) -> Option<Self> {
        let hidden = Self::alone(character)?;
        let fits = match hidden {
            Self::Joins => joins(before, character, after),
            Self::Varies => varies(before, character, after),
            _ => false,
        };
        (!fits).then_some(hidden)
    }

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
            // Fillers, invisible marks, and music and shorthand formats.
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

/// Returns whether a character is hidden in every context, unlike joiners and selectors.
pub fn is_hidden(character: char) -> bool {
    !matches!(Hidden::alone(character), None | Some(Hidden::Joins | Hidden::Varies))
}

/// Returns whether a joiner is between emoji that form a sequence, or between letters of a script
/// that uses it.
fn joins(before: Option<char>, joiner: char, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let emoji =
        joiner == '\u{200d}' && (is_emoji(before) || before == '\u{fe0f}') && is_emoji(after);
    emoji || (before.script() == after.script() && has_joiners(before.script()))
}

fn varies(before: Option<char>, selector: char, after: Option<char>) -> bool {
    let Some(before) = before.filter(|_| matches!(selector, '\u{fe0e}' | '\u{fe0f}')) else {
        return false;
    };
    let keycap = matches!(before, '0'..='9' | '#' | '*') && after == Some('\u{20e3}');
    keycap || is_emoji(before)
}

/// Returns whether a character is an emoji. Excludes ASCII, because Unicode counts digits, `#` and
/// `*` as emoji.
fn is_emoji(character: char) -> bool {
    !character.is_ascii() && character.is_emoji_char()
}

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
    fn hidden_characters_are_classified() {
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
