//! What players may be called.

use std::ops::RangeInclusive;

use crate::edge::errors::Failure;

const LENGTH: RangeInclusive<usize> = 2..=32;

/// Checks a player's name. Only ASCII, because letters that look alike would let one player pass for another.
pub(super) fn check(name: &str) -> Result<(), Failure> {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || " -_.".contains(letter);
    let wrong = if !LENGTH.contains(&name.len()) {
        "a name has 2 to 32 characters"
    } else if !name.chars().all(allowed) {
        "a name has only the letters a to z, digits, spaces, and the characters - _ ."
    } else if !name.starts_with(|first: char| first.is_ascii_alphanumeric()) {
        "a name begins with a letter or a digit"
    } else if name.ends_with(' ') || name.contains("  ") {
        "a name does not end with a space, nor hold two in a row"
    } else {
        return Ok(());
    };
    Err(Failure::field("name", wrong))
}

/// Checks a label that its owner gives to something of his.
pub(super) fn check_label(label: &str) -> Result<(), Failure> {
    let fits = (1..=64).contains(&label.chars().count()) && !label.chars().any(char::is_control);
    if fits { Ok(()) } else { Err(Failure::field("name", "a token's name has 1 to 64 printable characters")) }
}

#[cfg(test)]
mod tests {
    use super::{check, check_label};

    #[test]
    fn names_follow_the_contract() {
        for good in ["Al", "Ann Lee", "x_1-2.3", "0x", &"a".repeat(32)] {
            assert!(check(good).is_ok(), "{good:?}");
        }
        let long = "a".repeat(33);
        for bad in ["", "a", " Ann", "-Ann", "Ann ", "Ann  Lee", "Ann\n", "Ann\0", "Änn", "Аnn", "Ann😀", &long] {
            assert!(check(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn labels_are_short_and_printable() {
        assert!(check_label("my bot 🤖").is_ok());
        for bad in ["", "two\nlines", &"a".repeat(65)] {
            assert!(check_label(bad).is_err(), "{bad:?}");
        }
    }
}
