//! Refusals: why an order was not taken.

use std::borrow::Cow;
use std::fmt;

/// Why an order was refused. A refused order has changed nothing.
///
/// A refusal judges only by what the seat may know. A game accepts an order that only hidden truth
/// forbids; the order fails when it is resolved.
///
/// ```
/// use heliopause_kernel::Refusal;
///
/// let refusal = Refusal::new("no-fuel", "4.2", "The ship has no fuel left.").field("ship");
/// assert_eq!(refusal.to_string(), "The ship has no fuel left. (rule 4.2)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The machine-readable reason, in `kebab-case`, stable across versions.
    pub reason: Cow<'static, str>,
    /// The number of the rule that forbids it, as in the rulebook; empty if no rule is concerned.
    pub rule: Cow<'static, str>,
    /// A sentence for a person that says what to do instead, unless that is obvious.
    pub message: String,
    /// The field of the order at fault, as a path in the order's message; empty for the whole
    /// order.
    pub field: Cow<'static, str>,
}

impl Refusal {
    /// A refusal with its reason, its rule and a sentence for a person.
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

    /// Refuses to take back orders that were carried out, or whose effects others have seen.
    pub fn resolved(rule: &'static str) -> Self {
        let refusal = Self::new(
            "already-resolved",
            "",
            "Orders are carried out at once here, and nothing is taken back across a roll, a \
             reveal or another's act.",
        );
        Self { rule: Cow::Borrowed(rule), ..refusal }
    }

    /// The same refusal, naming the field at fault.
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

/// A text or a message that is no order at all: the place of the fault and the expected word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1; 0 if the input has no lines.
    pub line: u32,
    /// The column in characters, from 1; 0 if the input has no columns.
    pub column: u32,
    /// The field at fault, as a path in the message; empty for texts.
    pub field: Cow<'static, str>,
    /// The text found and the text expected, as a sentence.
    pub message: String,
}

impl Malformed {
    /// A fault at a place in a text.
    pub fn text(line: u32, column: u32, message: impl Into<String>) -> Self {
        assert!(
            line > 0 && column > 0,
            "lines and columns count from 1; 0 means that there are none"
        );
        Self { line, column, field: Cow::Borrowed(""), message: message.into() }
    }

    /// The value of a required field of a message.
    pub fn need<'a, T>(value: Option<&'a T>, field: &str) -> Result<&'a T, Self> {
        value.ok_or_else(|| Self::field(field.to_owned(), "it is missing"))
    }

    /// A fault in a field of a message.
    pub fn field(field: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, field: field.into(), message: message.into() }
    }
}

/// How many characters of the caller's own words a quote has.
const QUOTED_MAX: usize = 100;

/// The caller's words as a quote: escaped, so that a quote in them does not end it, and cut, so
/// that the reason stays visible beside it.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_MAX) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
    }
}

/// An index of rules: each number, with the first sentence of the rule's text.
pub fn headings<'a>(rules: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    rules.iter().map(|&(number, text)| (number, first_sentence(text))).collect()
}

/// The first sentence of a rule's text. A sentence ends at a full stop, and the next word begins
/// with no small letter: `i.p. buy` is inside a sentence.
fn first_sentence(text: &str) -> &str {
    let ends = |&(at, _): &(usize, &str)| {
        let next = text[at + 1..].chars().find(|sign| !sign.is_whitespace());
        let spaced = text[at + 1..].starts_with(char::is_whitespace);
        spaced && next.is_some_and(|sign| !sign.is_lowercase())
    };
    text.match_indices('.').find(ends).map_or(text, |(at, _)| &text[..=at])
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
    fn a_refusal_reads_as_its_sentence_and_its_rule() {
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
    fn what_is_malformed_reads_with_its_place() {
        assert_eq!(Malformed::text(2, 7, "no fleet").to_string(), "line 2, column 7: no fleet");
        assert_eq!(Malformed::field("orders[2]", "no fleet").to_string(), "orders[2]: no fleet");
        assert_eq!(Malformed::field("", "no fleet").to_string(), "no fleet");
    }

    #[test]
    fn a_heading_is_the_first_sentence() {
        assert_eq!(first_sentence("Pay 15 i.p. for it. 10 go on."), "Pay 15 i.p. for it.");
        assert_eq!(first_sentence("One sentence.\n\nA table"), "One sentence.");
        assert_eq!(first_sentence("Version 4.2 counts"), "Version 4.2 counts");
    }

    #[test]
    fn a_quote_is_escaped_and_cut() {
        assert_eq!(quoted("say \"go\"\n"), r#""say \"go\"\n""#);
        let just = "é".repeat(QUOTED_MAX);
        assert_eq!(quoted(&just), format!("\"{just}\""));
        assert_eq!(quoted(&format!("{just}x")), format!("\"{just}…\""));
    }
}
