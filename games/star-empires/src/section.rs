//! 6.0: the phases of the turn, by section number.

use std::str::FromStr;

use heliopause_kernel::NoSuchWord;

use crate::name::shown_as_text;
use crate::order::Phase;

const NUMBERS: [&str; 43] = [
    "6.1.1", "6.1.2", "6.1.3", "6.1.4", "6.1.5", "6.1.6", "6.1.7", "6.1.8", "6.1.9", "6.2.1",
    "6.2.2", "6.3.1", "6.3.2", "6.3.3", "6.3.4", "6.3.5", "6.3.6", "6.4.1", "6.4.2", "6.4.3",
    "6.4.4", "6.4.5", "6.4.6", "6.4.7", "6.4.8", "6.4.9", "6.4.10", "6.5.1", "6.5.2", "6.5.3",
    "6.6.1", "6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.7.1", "6.7.2", "6.7.3", "6.8.1", "6.8.2",
    "6.8.3", "6.8.4", "6.8.5",
];

/// A phase of the turn, ordered by execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Section(u8);

impl Section {
    pub const ALL: [Self; NUMBERS.len()] = {
        let mut all = [Self(0); NUMBERS.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = Self(index as u8);
            index += 1;
        }
        all
    };

    pub(crate) fn of(number: &'static str) -> Self {
        number.parse().expect("a phase of the turn")
    }

    pub const fn as_str(self) -> &'static str {
        NUMBERS[self.0 as usize]
    }
}

impl From<Phase> for Section {
    fn from(phase: Phase) -> Self {
        phase.number().parse().expect("every phase of orders is a phase of the turn")
    }
}

shown_as_text!(Section);

impl FromStr for Section {
    type Err = NoSuchWord;

    fn from_str(text: &str) -> Result<Self, NoSuchWord> {
        let found = NUMBERS.iter().position(|&number| number == text);
        found
            .map(|index| Self(index as u8))
            .ok_or(NoSuchWord::Like("the number of a phase of the turn, such as 6.3.4"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_sort_as_phases_run() {
        let section = |number: &str| number.parse::<Section>().unwrap();
        assert!(section("6.4.9") < section("6.4.10"));
        assert!(section("6.1.1") < section("6.8.5"));
        assert!("6.4.11".parse::<Section>().is_err());
        assert_eq!(Section::from(Phase::Authorize).as_str(), "6.8.2");
    }
}
