//! Enums with a word for each value.

use std::fmt;

/// A string that is not in a vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSuchWord {
    OneOf(&'static [&'static str]),
    /// A description of words that are too many to list.
    Like(&'static str),
}

impl fmt::Display for NoSuchWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneOf([first @ .., last]) if !first.is_empty() => {
                write!(f, "expected {} or {last}", first.join(", "))
            }
            Self::OneOf(words) => write!(f, "expected {}", words.concat()),
            Self::Like(words) => write!(f, "expected {words}"),
        }
    }
}

impl std::error::Error for NoSuchWord {}

/// Defines an enum with words. Generates `ALL`, `as_str`, `Display` and `FromStr`. With `in any
/// case` after the name, `FromStr` ignores case.
///
/// ```
/// heliopause_kernel::vocabulary! {
///     /// Where it is going.
///     #[derive(Clone, Copy, PartialEq, Eq, Debug)]
///     pub enum Heading in any case {
///         /// To the sun.
///         Sunwards = "sunwards",
///         /// Away from it.
///         Outwards = "outwards",
///     }
/// }
///
/// assert_eq!(Heading::ALL, [Heading::Sunwards, Heading::Outwards]);
/// assert_eq!(Heading::Outwards.as_str(), "outwards");
/// assert_eq!(Heading::Outwards.to_string(), "outwards");
/// assert_eq!("OUTWARDS".parse(), Ok(Heading::Outwards));
/// let fault = "home".parse::<Heading>().unwrap_err();
/// assert_eq!(fault.to_string(), "expected sunwards or outwards");
/// ```
#[macro_export]
macro_rules! vocabulary {
    ($(#[$meta:meta])* $visible:vis enum $name:ident in any case { $($values:tt)* }) => {
        $crate::vocabulary! {
            @define (str::eq_ignore_ascii_case) $(#[$meta])* $visible enum $name { $($values)* }
        }
    };
    ($(#[$meta:meta])* $visible:vis enum $name:ident { $($values:tt)* }) => {
        $crate::vocabulary! {
            @define (str::eq) $(#[$meta])* $visible enum $name { $($values)* }
        }
    };
    (@define ($same:expr) $(#[$meta:meta])* $visible:vis enum $name:ident {
        $($(#[$about:meta])* $value:ident = $word:literal),+ $(,)?
    }) => {
        $(#[$meta])*
        $visible enum $name {
            $($(#[$about])* $value),+
        }

        impl $name {
            $visible const ALL: [Self; [$($word),+].len()] = [$(Self::$value),+];

            $visible const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $word),+
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::NoSuchWord;

            fn from_str(text: &str) -> ::std::result::Result<Self, $crate::NoSuchWord> {
                let found = Self::ALL.into_iter().find(|value| $same(value.as_str(), text));
                found.ok_or($crate::NoSuchWord::OneOf(&[$($word),+]))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::NoSuchWord;

    vocabulary! {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Loud in any case {
            One = "one",
            Two = "two words",
        }
    }

    vocabulary! {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Exact {
            A = "a",
            B = "B",
            C = "c",
        }
    }

    #[test]
    fn words_can_be_parsed() {
        assert!(Loud::ALL.into_iter().all(|value| value.as_str().parse() == Ok(value)));
        assert!(Exact::ALL.into_iter().all(|value| value.to_string().parse() == Ok(value)));
        assert_eq!("TWO Words".parse(), Ok(Loud::Two));
        assert_eq!(format!("{:>4}|{:<4}|", Exact::A, Loud::One), "   a|one |");
    }

    #[test]
    fn an_unknown_word_is_rejected_with_the_known_ones() {
        let fault = "b".parse::<Exact>().unwrap_err();
        assert_eq!(fault, NoSuchWord::OneOf(&["a", "B", "c"]));
        assert_eq!(fault.to_string(), "expected a, B or c");
        assert_eq!("twoo".parse::<Loud>().unwrap_err().to_string(), "expected one or two words");
        assert_eq!(NoSuchWord::OneOf(&["north"]).to_string(), "expected north");
        assert_eq!(NoSuchWord::Like("a class, like B12").to_string(), "expected a class, like B12");
    }
}
