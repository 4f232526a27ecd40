//! Letters allowed in names, and names that look the same, according to Unicode's UTS 39.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_properties::general_category::{GeneralCategory, UnicodeGeneralCategory as _};
use unicode_security::RestrictionLevel::HighlyRestrictive;
use unicode_security::restriction_level::RestrictionLevelDetection as _;
use unicode_security::{GeneralSecurityProfile as _, confusable_detection};

use super::profile::{Flaw, FlawReason};

/// Maximum number of marks on a letter. More marks would overlap other lines.
pub(super) const MARKS_MAX: usize = 4;

/// Returns a key for the appearance of a name: names with equal keys look the same. Maps similar
/// shapes before lower-casing, because a capital I looks like a small l.
pub fn looks(name: &str) -> String {
    confusable_detection::skeleton(name).flat_map(char::to_lowercase).collect()
}

/// Normalizes text to NFC, the form required for names.
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

pub(crate) fn is_word_char(character: char) -> bool {
    character.is_alphabetic()
        || is_combining_mark(character)
        || character.general_category() == GeneralCategory::DecimalNumber
}

fn is_name_char(character: char) -> bool {
    match character {
        ' ' => true,
        // UTS 39 allows a colon in identifiers, but in output it would seem to end the name.
        ':' => false,
        _ => character.identifier_allowed(),
    }
}

pub(crate) fn check_name(name: &str) -> Result<(), Flaw> {
    let wrong = |why| move |(index, character)| Flaw::new(index, character, why);
    let places = || name.chars().enumerate();
    if let Some(place) = places().find(|&(_, character)| !is_name_char(character)) {
        return Err(wrong(FlawReason::NotInNames)(place));
    }
    if let Some(place) = places().next().filter(|(_, first)| !first.is_alphanumeric()) {
        return Err(wrong(FlawReason::InvalidStart)(place));
    }
    let spaces = name.ends_with(' ').then(|| places().last()).flatten();
    let twice =
        || places().zip(places().skip(1)).find(|&((_, one), (_, next))| one == ' ' && next == ' ');
    if let Some(place) = spaces.or_else(|| twice().map(|(_, next)| next)) {
        return Err(wrong(FlawReason::Space)(place));
    }
    check_composed(name)?;
    check_word(&places().filter(|&(_, character)| character != ' ').collect::<Vec<_>>())
}

/// Checks a title, whose words follow the rules for names.
pub(crate) fn check_title(title: &str) -> Result<(), Flaw> {
    check_composed(title)?;
    let mut word = Vec::new();
    for (index, character) in title.chars().enumerate() {
        match character {
            // Allowed with emoji. Elsewhere an earlier check rejects these characters as hidden.
            '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}' => {}
            _ if is_word_char(character) => word.push((index, character)),
            _ => check_word(&std::mem::take(&mut word))?,
        }
    }
    check_word(&word)
}

fn check_composed(text: &str) -> Result<(), Flaw> {
    let differs = text
        .chars()
        .zip(text.nfc())
        .enumerate()
        .find(|(_, (written, composed))| written != composed);
    let longer = || text.chars().enumerate().nth(text.nfc().count());
    let flaw = differs.map(|(index, (written, _))| (index, written)).or_else(longer);
    flaw.map_or(Ok(()), |(index, character)| {
        Err(Flaw::new(index, character, FlawReason::NotComposed))
    })
}

/// Rejects a word with too many marks, characters that UTS 39 excludes, or mixed scripts that are
/// not written together.
fn check_word(word: &[(usize, char)]) -> Result<(), Flaw> {
    let mut marks = 0;
    let mut begun = String::new();
    for &(index, character) in word {
        let wrong = |why| Err(Flaw::new(index, character, why));
        marks = if is_combining_mark(character) { marks + 1 } else { 0 };
        if marks > MARKS_MAX {
            return wrong(FlawReason::Marks);
        }
        if !character.identifier_allowed() {
            return wrong(FlawReason::NotInNames);
        }
        begun.push(character);
        if !begun.is_ascii() && !begun.as_str().check_restriction_level(HighlyRestrictive) {
            return wrong(FlawReason::Mixed);
        }
    }
    Ok(())
}
