//! The type of a rule of the rulebook.

/// A rule's number and its text.
pub(crate) type Rule = (&'static str, &'static str);
