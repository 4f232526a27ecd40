//! Rules for names of players and tokens.

use std::ops::RangeInclusive;

use heliopause_proto::text::Profile;

use crate::failure::{Failure, Result};

const NAME: RangeInclusive<usize> = 1..=32;
const LABEL: RangeInclusive<usize> = 1..=64;

/// Checks a player's name. Names in requests were already checked against the contract.
pub(super) fn check(name: &str) -> Result<()> {
    of_length(name, NAME)?;
    Profile::Name.check(name).map_err(|flaw| Failure::from(flaw).in_field("name"))?;
    if is_of_guest(name) {
        let text = "Names such as \"Guest 1\" are for guest accounts; choose another.";
        return Err(Failure::field("name", text));
    }
    Ok(())
}

/// Returns whether a name is one that the server gives to guests, ignoring case.
pub(super) fn is_of_guest(name: &str) -> bool {
    let (word, number) = name.split_once(' ').unwrap_or_default();
    word.eq_ignore_ascii_case("guest")
        && !number.is_empty()
        && number.bytes().all(|digit| digit.is_ascii_digit())
}

pub(super) fn check_label(label: &str) -> Result<()> {
    of_length(label, LABEL)?;
    Profile::Title.check(label).map_err(|flaw| Failure::from(flaw).in_field("name"))
}

fn of_length(name: &str, length: RangeInclusive<usize>) -> Result<()> {
    let found = name.chars().count();
    if length.contains(&found) {
        return Ok(());
    }
    Err(Failure::field(
        "name",
        format!("A name must have {} to {} characters, not {found}.", length.start(), length.end()),
    ))
}

#[cfg(test)]
mod tests {
    use super::{check, check_label};

    #[test]
    fn names_follow_the_contract() {
        let longest = "é".repeat(32);
        for good in [
            "A",
            "Al",
            "Guest",
            "Guest-1",
            "Guest 1st",
            "Ann Lee",
            "x_1-2.3",
            "0x",
            "Béatrice",
            "Łukasz",
            "Ольга",
            "李",
            &longest,
        ] {
            assert!(check(good).is_ok(), "{good:?}");
        }
        let bad = "Guest 1|GUEST 4821|| Ann|-Ann|Ann |Ann  Lee|Ann\n|Ann\0|Аnn|Ann😀|Ann\u{202e}";
        for bad in bad.split('|').chain([&*"a".repeat(33)]) {
            assert!(check(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn labels_are_short_and_printable() {
        assert!(check_label("my bot 🤖").is_ok());
        for bad in ["", "two\nlines", "\u{200b}", &"a".repeat(65)] {
            assert!(check_label(bad).is_err(), "{bad:?}");
        }
    }
}
