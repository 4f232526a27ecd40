//! A rule of the rulebook.

/// A number and its text.
pub(crate) type Rule = (&'static str, &'static str);
