//! Failures of calls and programs, with advice for the user.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use heliopause_proto::v1::Verdict;
use tonic::Code;
use tonic_types::StatusExt as _;

use heliopause_render::text::{mark_position, told};

/// A function that returns a program's advice on a failure, or an empty string.
pub type Advice = fn(&Report) -> String;

static ADVICE: OnceLock<Advice> = OnceLock::new();

/// Sets the function that gives the program's advice. Only the first call has an effect.
pub fn advise_by(advice: Advice) {
    ADVICE.get_or_init(|| advice);
}

/// The kind of a failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Failed,
    Usage,
    Unreachable,
    /// The reader has closed the output.
    OutputClosed,
}

/// A failure of a command. It is boxed to keep `Result`s small.
#[derive(Debug)]
pub struct Failure(Box<Report>);

/// The contents of a [`Failure`].
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub kind: Kind,
    pub message: String,
    /// Advice for the user, as a sentence. If empty, the program's advice is used.
    pub advice: String,
    /// The delay before a retry, if the engine requests one.
    pub wait: Option<Duration>,
    pub rule: String,
    /// The engine's reason, such as `STALE_REVISION`, or a reason of the client in the same style.
    pub reason: String,
    /// The details that are documented for the reason.
    pub metadata: BTreeMap<String, String>,
}

impl Failure {
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Kind::Failed, "FAILED", message)
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, "USAGE", message)
    }

    pub fn unreachable(url: &str, cause: &str) -> Self {
        let message = format!("Cannot connect to an engine at {url}: {cause}.");
        Self::new(Kind::Unreachable, "UNREACHABLE", message)
    }

    /// Creates the failure of an event stream that was interrupted.
    pub fn interrupted(cause: &str) -> Self {
        let message = format!("The event stream was interrupted: {cause}.");
        Self::new(Kind::Unreachable, "UNREACHABLE", message)
    }

    /// Creates the failure for a closed output. This failure stops the command but is not reported.
    pub fn output_closed() -> Self {
        Self::new(Kind::OutputClosed, "READ_ENOUGH", "")
    }

    fn new(kind: Kind, reason: &str, message: impl Into<String>) -> Self {
        let (message, reason) = (message.into(), reason.into());
        Self(Box::new(Report { kind, message, reason, ..Report::default() }))
    }

    /// Creates the failure for a list of orders of which only the first `taken` were accepted.
    pub fn partly_accepted(taken: u32, refused: &Verdict) -> Self {
        let orders =
            if taken == 1 { "1 order was".to_owned() } else { format!("{taken} orders were") };
        let why = sentence(&without_rule(&refused.message, &refused.rule));
        let message = format!(
            "{orders} accepted and applied. \"{}\" was rejected: {why} The orders after it were \
             not tried.",
            refused.notation
        );
        let taken = taken.to_string();
        let known = [
            ("taken", &taken),
            ("order", &taken),
            ("refusal", &refused.refusal),
            ("rule", &refused.rule),
            ("field", &refused.field),
            ("notation", &refused.notation),
        ];
        let known = known.into_iter().filter(|(_, word)| !word.is_empty());
        let metadata = known.map(|(key, word)| (key.to_owned(), word.clone())).collect();
        let advice = "Check the results before you submit further orders.".to_owned();
        let (rule, reason) = (refused.rule.clone(), "TAKEN_IN_PART".to_owned());
        Self(Box::new(Report { message, advice, rule, reason, metadata, ..Report::default() }))
    }

    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = advice.into();
        self.0.wait = None;
        self
    }

    /// Returns the failure's own advice or the program's, and the wait that the engine requests.
    pub fn advice(&self) -> String {
        let report = self.report();
        let advice = match ADVICE.get() {
            Some(advice) if report.advice.is_empty() => advice(report),
            _ => report.advice.clone(),
        };
        let Some(wait) = report.wait else { return advice };
        let wait = format!("Wait at least {} s.", wait.as_millis().div_ceil(1_000));
        if advice.is_empty() { wait } else { format!("{advice} {wait}") }
    }

    /// Replaces the line and column in the message of a parse error with an excerpt of `text`.
    #[must_use]
    pub fn with_excerpt(mut self, text: &str) -> Self {
        if let Some((line, column)) = self.place()
            && let Some(shown) = mark_position(text, line, column)
        {
            self.0.message = format!("{}\n{shown}", self.without_position());
        }
        self
    }

    /// Adds the number and text of the rejected order to the message, if there are several orders.
    /// `typed` is the number of orders before those in `lines`.
    #[must_use]
    pub fn with_order(mut self, typed: usize, lines: &[String]) -> Self {
        let index = self.0.metadata.get("order").and_then(|index| index.parse::<usize>().ok());
        let Some(index) = index.filter(|_| self.0.reason == "ORDER_REFUSED") else { return self };
        if typed + lines.len() > 1 {
            let line = index.checked_sub(typed).and_then(|index| lines.get(index));
            let line = line.map(|line| format!(", `{line}`")).unwrap_or_default();
            self.0.message = format!("Order {}{line}: {}", index + 1, self.0.message);
        }
        self
    }

    pub fn without_position(&self) -> String {
        let message = &self.0.message;
        let place = self.place().map(|(line, column)| format!("line {line}, column {column}: "));
        let rest = place.and_then(|place| message.strip_prefix(&place)).unwrap_or(message);
        let mut characters = rest.chars();
        characters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
    }

    pub fn place(&self) -> Option<(usize, usize)> {
        let number = |key: &str| self.0.metadata.get(key)?.parse::<usize>().ok();
        if self.0.reason == "MALFORMED_ORDER" { number("line").zip(number("column")) } else { None }
    }

    #[must_use]
    pub fn because(mut self, reason: &str) -> Self {
        self.0.reason = reason.into();
        self
    }

    pub fn report(&self) -> &Report {
        &self.0
    }

    /// Returns whether a later retry may succeed. If so, a stream should reconnect.
    pub fn is_transient(&self) -> bool {
        matches!(
            self.0.reason.as_str(),
            "UNREACHABLE"
                | "DRAINING"
                | "OVERLOADED"
                | "RATE_LIMITED"
                | "JOURNAL_UNAVAILABLE"
                | "LOST_RACE"
        )
    }
}

/// Creates a failure for an I/O error with a file.
pub fn about(path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("{}: {error}.", path.display()))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if !self.0.rule.is_empty() {
            write!(f, " (rule {})", self.0.rule)?;
        }
        let advice = self.advice();
        if !advice.is_empty() {
            write!(f, "\n{advice}")?;
        }
        Ok(())
    }
}

impl From<tonic::Status> for Failure {
    fn from(status: tonic::Status) -> Self {
        let details = status.get_error_details();
        let Some(info) = details.error_info() else { return Self::without_reason(&status) };
        let mut metadata: BTreeMap<String, String> = info.metadata.clone().into_iter().collect();
        let violations = details
            .bad_request()
            .map(|request| request.field_violations.as_slice())
            .unwrap_or_default();
        if let Some(first) = violations.first() {
            metadata.entry("field".to_owned()).or_insert_with(|| first.field.clone());
        }
        let get = |key: &str| metadata.get(key).cloned().unwrap_or_default();
        let mut message = sentence(&without_rule(&told(status.message(), 2), &get("rule")));
        for violation in violations {
            let description = sentence(&without_rule(&violation.description, &get("rule")));
            // A message such as "the field has too many values" lacks the field's name.
            let lacks_field = !violation.field.is_empty()
                && description
                    .starts_with(|first: char| first.is_lowercase() || first.is_numeric())
                && !description.starts_with(&violation.field);
            if message == description && lacks_field {
                message = format!("{}: {description}", violation.field);
            } else if !message.contains(&description) {
                message = format!("{message} {}: {description}", violation.field);
            }
        }
        let wait = details.retry_info().and_then(|retry| retry.retry_delay);
        let (rule, reason) = (get("rule"), info.reason.clone());
        Self(Box::new(Report { message, wait, rule, reason, metadata, ..Report::default() }))
    }
}

impl Failure {
    fn without_reason(status: &tonic::Status) -> Self {
        let message = sentence(status.message());
        match status.code() {
            Code::Unavailable | Code::Unknown | Code::Cancelled | Code::DeadlineExceeded => {
                let message = format!("The connection to the engine failed: {message}");
                let advice = "Check that the engine is running, then try again. Acknowledged \
                    orders are safe.";
                Self::new(Kind::Unreachable, "UNREACHABLE", message).advise(advice)
            }
            Code::Unimplemented => {
                Self::new(Kind::Failed, "UNIMPLEMENTED", "The server does not support this call.")
            }
            code => Self::new(Kind::Failed, &format!("{code:?}").to_uppercase(), message),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::failed(sentence(&error.to_string()))
    }
}

fn without_rule(message: &str, rule: &str) -> String {
    let mark = format!("(rule {rule})");
    let message = message.trim_end_matches('.');
    message.strip_suffix(&mark).unwrap_or(message).trim_end().to_owned()
}

fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        "The engine gave no reason.".into()
    } else if text.ends_with(['.', '!', '?']) {
        text.into()
    } else {
        format!("{text}.")
    }
}

#[cfg(test)]
mod tests {
    use tonic_types::ErrorDetails;

    use super::*;

    fn refused() -> Failure {
        let metadata = [("refusal", "disrupted"), ("rule", "4"), ("order", "0")];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let details = ErrorDetails::with_error_info("ORDER_REFUSED", "heliopause", metadata);
        let told = "A1 is Disrupted. (rule 4).";
        tonic::Status::with_error_details(Code::FailedPrecondition, told, details).into()
    }

    #[test]
    fn a_rejection_shows_its_rule_once() {
        assert_eq!(refused().to_string(), "A1 is Disrupted. (rule 4)");
        assert_eq!(refused().report().metadata["refusal"], "disrupted");
    }

    #[test]
    fn a_rejection_names_the_order_of_a_list() {
        let lines = ["fire A1 B2".to_owned(), "end turn".to_owned()];
        let told = |typed, lines: &[String]| refused().with_order(typed, lines).to_string();
        assert_eq!(told(0, &lines), "Order 1, `fire A1 B2`: A1 is Disrupted. (rule 4)");
        assert_eq!(told(1, &lines), "Order 1: A1 is Disrupted. (rule 4)");
        assert_eq!(told(0, &lines[..1]), "A1 is Disrupted. (rule 4)");
    }

    #[test]
    fn the_requested_wait_is_part_of_the_advice() {
        let metadata = std::collections::HashMap::new();
        let mut details = ErrorDetails::with_error_info("OVERLOADED", "heliopause", metadata);
        details.set_retry_info(Some(Duration::from_millis(1_400)));
        let failure =
            Failure::from(tonic::Status::with_error_details(Code::Unavailable, "Full.", details));
        assert_eq!(failure.advice(), "Wait at least 2 s.");
        assert_eq!(failure.advise("Wait.").advice(), "Wait.");
    }

    #[test]
    fn a_parse_error_shows_an_excerpt() {
        let mut failure =
            Failure::failed("line 1, column 11: TO was expected.").because("MALFORMED_ORDER");
        failure.0.metadata =
            [("line", "1"), ("column", "11")].map(|(key, value)| (key.into(), value.into())).into();
        let text = failure.with_excerpt("MOVE Lion T0 (1,0)").to_string();
        assert_eq!(text, "TO was expected.\n1 | MOVE Lion T0 (1,0)\n  |           ^");
    }

    #[test]
    fn a_lost_connection_is_transient_and_has_its_own_kind() {
        let failure = Failure::from(tonic::Status::unavailable("tcp connect error"));
        assert_eq!(failure.report().kind, Kind::Unreachable);
        assert!(failure.is_transient());
    }
}
