//! Which letters a name may have, and which names look the same: by Unicode's report on security,
//! UTS 39.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_properties::general_category::{GeneralCategory, UnicodeGeneralCategory as _};
use unicode_security::RestrictionLevel::HighlyRestrictive;
use unicode_security::restriction_level::RestrictionLevelDetection as _;
use unicode_security::{GeneralSecurityProfile as _, confusable_detection};

use crate::profile::{Flaw, Why};

/// How many marks may stand above each other: more would reach into other lines.
const MARKS_MAX: usize = 4;

/// How a name looks: two names with the same looks cannot be told apart. For comparing only; it is
/// no text to show.
///
/// Case is ignored after the comparison of shapes, for a capital I is a small l to the eye.
pub fn looks(name: &str) -> String {
    confusable_detection::skeleton(name).flat_map(char::to_lowercase).collect()
}

/// A text with every letter and its marks in one, as names must be written.
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// Whether a character belongs to a word: a letter, a digit, or a mark on one.
pub(crate) fn is_of_word(character: char) -> bool {
    character.is_alphabetic()
        || is_combining_mark(character)
        || character.general_category() == GeneralCategory::DecimalNumber
}

/// Whether names may have a character: letters, marks and digits of today's languages, and what
/// joins the parts of a name.
fn is_of_name(character: char) -> bool {
    match character {
        ' ' => true,
        // Allowed for programs' sake; in a line it would end what stands before it.
        ':' => false,
        _ => character.identifier_allowed(),
    }
}

/// What a name is refused for.
pub(crate) fn check_name(name: &str) -> Result<(), Flaw> {
    let wrong = |why| move |(index, character)| Flaw::new(index, character, why);
    let places = || name.chars().enumerate();
    if let Some(place) = places().find(|&(_, character)| !is_of_name(character)) {
        return Err(wrong(Why::NotOfNames)(place));
    }
    if let Some(place) = places().next().filter(|(_, first)| !first.is_alphanumeric()) {
        return Err(wrong(Why::NoBeginning)(place));
    }
    let spaces = name.ends_with(' ').then(|| places().last()).flatten();
    let twice =
        || places().zip(places().skip(1)).find(|&((_, one), (_, next))| one == ' ' && next == ' ');
    if let Some(place) = spaces.or_else(|| twice().map(|(_, next)| next)) {
        return Err(wrong(Why::Space)(place));
    }
    check_composed(name)?;
    check_word(&places().filter(|&(_, character)| character != ' ').collect::<Vec<_>>())
}

/// What a title is refused for: its words are written as names are, and between them stands what is
/// seen.
pub(crate) fn check_title(title: &str) -> Result<(), Flaw> {
    check_composed(title)?;
    let mut word = Vec::new();
    for (index, character) in title.chars().enumerate() {
        match character {
            // Between emoji and behind them; elsewhere they are hidden, and were refused.
            '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{20e3}' => {}
            _ if is_of_word(character) => word.push((index, character)),
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
    flaw.map_or(Ok(()), |(index, character)| Err(Flaw::new(index, character, Why::NotComposed)))
}

/// Checks letters that are read as one: they are of one script, or of several that are written
/// together.
fn check_word(word: &[(usize, char)]) -> Result<(), Flaw> {
    let mut marks = 0;
    let mut begun = String::new();
    for &(index, character) in word {
        let wrong = |why| Err(Flaw::new(index, character, why));
        marks = if is_combining_mark(character) { marks + 1 } else { 0 };
        if marks > MARKS_MAX {
            return wrong(Why::Marks);
        }
        if !character.identifier_allowed() {
            return wrong(Why::NotOfNames);
        }
        begun.push(character);
        // An ASCII word is of one script.
        if !begun.is_ascii() && !begun.as_str().check_restriction_level(HighlyRestrictive) {
            return wrong(Why::Mixed);
        }
    }
    Ok(())
}
