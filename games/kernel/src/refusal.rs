//! Rejections of orders, and errors in text and messages.

use std::borrow::Cow;
use std::fmt;

/// The rejection of an order. A rejected order changes nothing.
///
/// A rejection depends only on facts visible to the seat. If an order is impossible only because of
/// hidden facts, the game accepts the order, which then fails when it is resolved.
///
/// ```
/// use heliopause_kernel::Refusal;
///
/// let refusal = Refusal::new("no-fuel", "4.2", "The ship has no fuel left.").field("ship");
/// assert_eq!(refusal.to_string(), "The ship has no fuel left. (rule 4.2)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The machine-readable reason in `kebab-case`, stable across versions.
    pub reason: Cow<'static, str>,
    /// The number of the rule in the rulebook. Empty if no rule applies.
    pub rule: Cow<'static, str>,
    /// A sentence for people. Says what to do instead, unless that is obvious.
    pub message: String,
    /// The invalid field, as a path in the order's message. Empty for the whole order.
    pub field: Cow<'static, str>,
}

impl Refusal {
    pub fn new(reason: &'static str, rule: &'static str, message: impl Into<String>) -> Self {
        debug_assert!(
            !reason.is_empty() && reason.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'-')),
            "programs tell refusals by reasons in kebab-case, not by {reason:?}"
        );
        Self {
            reason: Cow::Borrowed(reason),
            rule: Cow::Borrowed(rule),
            message: message.into(),
            field: Cow::Borrowed(""),
        }
    }

    /// Creates the rejection of an attempt to withdraw resolved or public orders.
    pub fn resolved(rule: &'static str) -> Self {
        let refusal = Self::new(
            "already-resolved",
            "",
            "Orders are resolved at once here and cannot be withdrawn after a roll, a reveal or \
             another player's action.",
        );
        Self { rule: Cow::Borrowed(rule), ..refusal }
    }

    #[must_use]
    pub fn field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.field = field.into();
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.rule.is_empty() {
            write!(f, " (rule {})", self.rule)?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

/// A syntax error in text, or an invalid message: its position and the expected input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1. 0 if the input has no lines.
    pub line: u32,
    /// The column in characters, from 1. 0 if the input has no columns.
    pub column: u32,
    /// The invalid field, as a path in the message. Empty for text.
    pub field: Cow<'static, str>,
    /// A sentence with the input found and the input expected.
    pub message: String,
}

impl Malformed {
    pub fn text(line: u32, column: u32, message: impl Into<String>) -> Self {
        assert!(
            line > 0 && column > 0,
            "lines and columns count from 1; 0 means that there are none"
        );
        Self { line, column, field: Cow::Borrowed(""), message: message.into() }
    }

    pub fn need<'a, T>(value: Option<&'a T>, field: &str) -> Result<&'a T, Self> {
        value.ok_or_else(|| Self::field(field.to_owned(), "the value is missing"))
    }

    pub fn field(field: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, field: field.into(), message: message.into() }
    }
}

const QUOTED_MAX: usize = 100;

/// Quotes text, escaped so that it cannot end the quote, and truncated to stay readable.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        } else if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Malformed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_displayed_with_its_rule() {
        let free = Refusal::new("too-far", "", "That is too far.");
        assert_eq!(free.to_string(), "That is too far.");
        assert_eq!(
            Refusal::new("too-far", "6.2", "That is too far.").to_string(),
            "That is too far. (rule 6.2)"
        );
        let resolved = Refusal::resolved("5.1");
        assert_eq!((&*resolved.reason, &*resolved.rule), ("already-resolved", "5.1"));
    }

    #[test]
    fn a_syntax_error_is_displayed_with_its_position() {
        assert_eq!(Malformed::text(2, 7, "no fleet").to_string(), "line 2, column 7: no fleet");
        assert_eq!(Malformed::field("orders[2]", "no fleet").to_string(), "orders[2]: no fleet");
        assert_eq!(Malformed::field("", "no fleet").to_string(), "no fleet");
    }

    #[test]
    fn a_quote_is_escaped_and_cut() {
        assert_eq!(quoted("say \"go\"\n"), r#""say \"go\"\n""#);
        let just = "é".repeat(QUOTED_MAX);
        assert_eq!(quoted(&just), format!("\"{just}\""));
        assert_eq!(quoted(&format!("{just}x")), format!("\"{just}…\""));
    }
}
