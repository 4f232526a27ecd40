//! 4.4, notes 1: names, compared case-insensitively.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Maximum length of a name in characters.
pub const LONGEST_NAME: usize = 25;

/// Shows values as the text of their method `as_str`, also for debugging.
macro_rules! shown_as_text {
    ($($type:ty),+) => {
        $(
            impl std::fmt::Display for $type {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.pad(self.as_str())
                }
            }

            impl std::fmt::Debug for $type {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.pad(self.as_str())
                }
            }
        )+
    };
}
pub(crate) use shown_as_text;

/// A name of 1 to 25 letters, digits and underscores, or the empty name.
///
/// Names are stored inline so that ships are plain values. Equality, order and hash ignore case.
/// Names are ordered by their lower-case bytes. Compare [`Name::as_str`] where spelling matters.
#[derive(Clone, Copy, Default)]
pub struct Name([u8; LONGEST_NAME]);

impl Name {
    pub const NONE: Self = Self([0; LONGEST_NAME]);

    /// Parses a name, replacing spaces with underscores. Returns `None` if the name is not valid.
    pub fn new(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.is_empty() || bytes.len() > LONGEST_NAME {
            return None;
        }
        let mut name = [0; LONGEST_NAME];
        for (to, &byte) in name.iter_mut().zip(bytes) {
            *to = match byte {
                b' ' => b'_',
                b'_' => byte,
                _ if byte.is_ascii_alphanumeric() => byte,
                _ => return None,
            };
        }
        Some(Self(name))
    }

    pub fn new_or_none(text: &str) -> Option<Self> {
        if text.is_empty() { Some(Self::NONE) } else { Self::new(text) }
    }

    pub fn is_none(&self) -> bool {
        self.0[0] == 0
    }

    pub fn len(&self) -> usize {
        self.0.iter().position(|&byte| byte == 0).unwrap_or(LONGEST_NAME)
    }

    pub fn is_empty(&self) -> bool {
        self.is_none()
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0[..self.len()]).unwrap_or_default()
    }

    pub fn numbered(&self, number: u32) -> Option<Self> {
        Self::new(&format!("{}{number}", self.as_str()))
    }

    /// Returns an FNV-1a hash, used to key dice rolls by name. Unlike an index, the hash reveals
    /// nothing about other objects and does not change when objects are added or removed.
    pub(crate) fn number(&self) -> u64 {
        let letters = self.lower().into_iter().take(self.len());
        letters.fold(0xcbf2_9ce4_8422_2325, |hash, letter| {
            (hash ^ u64::from(letter)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    fn lower(&self) -> [u8; LONGEST_NAME] {
        let mut lower = self.0;
        lower.make_ascii_lowercase();
        lower
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        // Fast path: spellings rarely differ.
        self.0 == other.0 || self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.lower().cmp(&other.lower())
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // All bytes after the last letter are zero.
        state.write(&self.lower());
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r13_names_ignore_case_and_sort_bytewise() {
        let name = |text| Name::new(text).unwrap();
        assert_eq!(name("Lion"), name("lION"));
        assert_eq!(name("The Culture").as_str(), "The_Culture");
        assert!(name("F10") < name("f2"));
        assert!(name("Alpha") < name("beta"));
        assert!(name("a") < name("ab"));
        assert_eq!(name("fox").numbered(12), Some(name("fox12")));
    }

    #[test]
    fn names_have_1_to_25_letters_digits_and_underscores() {
        assert_eq!(Name::new(""), None);
        assert_eq!(Name::new_or_none(""), Some(Name::NONE));
        assert_eq!(Name::new(&"a".repeat(26)), None);
        assert_eq!(Name::new(&"a".repeat(25)).unwrap().len(), 25);
        for text in ["a-b", "é", "a\0", "@x", "(1,2)"] {
            assert_eq!(Name::new(text), None, "{text}");
        }
        assert!(Name::new("a".repeat(25).as_str()).unwrap().numbered(1).is_none());
    }
}
