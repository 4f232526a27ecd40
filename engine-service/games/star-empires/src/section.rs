//! 6.0: the sections of the turn, by number.

use std::fmt;

use crate::order::Phase;

/// The numbers of the 43 phases, in the order in which they run.
const NUMBERS: [&str; 43] = [
    "6.1.1", "6.1.2", "6.1.3", "6.1.4", "6.1.5", "6.1.6", "6.1.7", "6.1.8", "6.1.9", "6.2.1",
    "6.2.2", "6.3.1", "6.3.2", "6.3.3", "6.3.4", "6.3.5", "6.3.6", "6.4.1", "6.4.2", "6.4.3",
    "6.4.4", "6.4.5", "6.4.6", "6.4.7", "6.4.8", "6.4.9", "6.4.10", "6.5.1", "6.5.2", "6.5.3",
    "6.6.1", "6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.7.1", "6.7.2", "6.7.3", "6.8.1", "6.8.2",
    "6.8.3", "6.8.4", "6.8.5",
];

/// A phase of the turn. Sorts as phases run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Section(u8);

impl Section {
    /// The phase with this number, for example `"6.3.4"`.
    pub fn numbered(number: &str) -> Option<Self> {
        NUMBERS.iter().position(|&other| other == number).map(|index| Self(index as u8))
    }

    /// The phase with this number, in code that knows that there is one.
    pub(crate) fn of(number: &'static str) -> Self {
        Self::numbered(number).expect("a phase of the turn")
    }

    /// Its number.
    pub fn number(self) -> &'static str {
        NUMBERS[usize::from(self.0)]
    }
}

impl From<Phase> for Section {
    fn from(phase: Phase) -> Self {
        Self::numbered(phase.number()).expect("every phase of orders is a phase of the turn")
    }
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_sort_as_phases_run() {
        let section = |number| Section::numbered(number).unwrap();
        assert!(section("6.4.9") < section("6.4.10"));
        assert!(section("6.1.1") < section("6.8.5"));
        assert_eq!(Section::numbered("6.4.11"), None);
        assert_eq!(Section::from(Phase::Authorize).number(), "6.8.2");
    }
}
