//! What went wrong, told so that the reader knows what to do next.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use heliopause_proto::v1::Verdict;
use serde_json::json;
use tonic::Code;
use tonic_types::StatusExt as _;

use heliopause_render::text::{pointed, told};

/// The exit codes, which scripts may rely on.
pub mod exit {
    /// It worked.
    pub const OK: u8 = 0;
    /// The engine refused, or something failed.
    pub const FAILED: u8 = 1;
    /// The command line was wrong.
    pub const USAGE: u8 = 2;
    /// No engine answered.
    pub const UNREACHABLE: u8 = 3;
}

/// Why a command did not do what it was asked.
///
/// Boxed, so that a `Result` with it stays small.
#[derive(Debug)]
pub struct Failure(Box<Report>);

/// What a [`Failure`] tells.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The exit code.
    pub exit: u8,
    /// What went wrong, as a sentence.
    pub message: String,
    /// What to do next, as a sentence; empty if there is nothing to say.
    pub advice: String,
    /// The rule that forbids it; empty if no rule is concerned.
    pub rule: String,
    /// The engine's reason, for example `STALE_REVISION`; the client's own in the same style.
    pub reason: String,
    /// What the reason documents.
    pub metadata: BTreeMap<String, String>,
}

impl Failure {
    /// Something failed on this side.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(exit::FAILED, "FAILED", message)
    }

    /// The command line was wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(exit::USAGE, "USAGE", message)
    }

    /// No engine answered.
    pub fn unreachable(url: &str, cause: &str) -> Self {
        let advice = "Start one with `engine-service`, or name another with --engine URL or \
            HELIOPAUSE_ENGINE.";
        Self::new(exit::UNREACHABLE, "UNREACHABLE", format!("No engine answers at {url}: {cause}."))
            .advise(advice)
    }

    /// Nobody reads the output any more. It goes up as a failure does, so that what was started is
    /// ended, but nothing is told of it.
    pub fn read_enough() -> Self {
        Self(Box::new(Report { exit: exit::OK, reason: "READ_ENOUGH".into(), ..Report::default() }))
    }

    fn new(exit: u8, reason: &str, message: impl Into<String>) -> Self {
        Self(Box::new(Report {
            exit,
            reason: reason.into(),
            message: message.into(),
            ..Report::default()
        }))
    }

    /// Of a list of orders only the first were taken.
    pub fn in_part(taken: u32, refused: &Verdict) -> Self {
        let orders =
            if taken == 1 { "1 order was".to_owned() } else { format!("{taken} orders were") };
        let why = sentence(&without_rule(&refused.message, &refused.rule));
        let message = format!(
            "{orders} taken, and what they did stays. \"{}\" was not: {why} What follows it was \
             not tried.",
            refused.notation
        );
        let known =
            [("taken", taken.to_string()), ("order", taken.to_string())].into_iter().chain([
                ("refusal", refused.refusal.clone()),
                ("rule", refused.rule.clone()),
                ("field", refused.field.clone()),
                ("notation", refused.notation.clone()),
            ]);
        let metadata = known
            .filter(|(_, word)| !word.is_empty())
            .map(|(key, word)| (key.to_owned(), word))
            .collect();
        let advice = "Look at what came of them before you order on.".to_owned();
        let (rule, reason) = (refused.rule.clone(), "TAKEN_IN_PART".to_owned());
        Self(Box::new(Report { exit: exit::FAILED, message, advice, rule, reason, metadata }))
    }

    /// Says what to do next.
    #[must_use]
    pub fn advise(mut self, advice: impl Into<String>) -> Self {
        self.0.advice = advice.into();
        self
    }

    /// Shows the place in a text that could not be read, if this is about one. The place replaces
    /// its line and column in the message.
    #[must_use]
    pub fn pointing_into(mut self, text: &str) -> Self {
        if let Some((line, column)) = self.place()
            && let Some(shown) = pointed(text, line, column)
        {
            self.0.message = format!("{}\n{shown}", self.without_place());
        }
        self
    }

    /// The message without the line and column at its beginning.
    pub fn without_place(&self) -> String {
        let message = &self.0.message;
        let place = self.place().map(|(line, column)| format!("line {line}, column {column}: "));
        let rest = place.and_then(|place| message.strip_prefix(&place)).unwrap_or(message);
        let mut characters = rest.chars();
        characters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
    }

    /// The line and column of the text that could not be read, from 1; none if this is about
    /// something else.
    pub fn place(&self) -> Option<(usize, usize)> {
        let number = |key: &str| self.0.metadata.get(key)?.parse::<usize>().ok();
        if self.0.reason == "MALFORMED_ORDER" { number("line").zip(number("column")) } else { None }
    }

    /// Names the reason.
    #[must_use]
    pub fn because(mut self, reason: &str) -> Self {
        self.0.reason = reason.into();
        self
    }

    /// What it tells.
    pub fn report(&self) -> &Report {
        &self.0
    }

    /// Whether trying the same again later may work, so that a stream should connect anew.
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

    /// The report as JSON, for `--json`.
    pub fn to_json(&self) -> serde_json::Value {
        let report = &*self.0;
        json!({ "error": {
            "message": report.message,
            "advice": report.advice,
            "rule": report.rule,
            "reason": report.reason,
            "metadata": report.metadata,
        }})
    }
}

/// An error of the file system, with the file.
pub fn about(path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("{}: {error}.", path.display()))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if !self.0.rule.is_empty() {
            write!(f, " (rule {})", self.0.rule)?;
        }
        if !self.0.advice.is_empty() {
            write!(f, "\n{}", self.0.advice)?;
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
            // "it has more than 10 values" says what is wrong with the field, and not which one.
            if message == description && message.starts_with("it ") {
                message = format!("{}: {description}", violation.field);
            } else if !message.contains(&description) {
                message = format!("{message} {}: {description}", violation.field);
            }
        }
        let mut advice = advice(&info.reason, &metadata);
        if let Some(delay) = details.retry_info().and_then(|retry| retry.retry_delay) {
            advice =
                format!("{advice} The engine asks to wait {} s first.", delay.as_secs().max(1));
        }
        let reason = info.reason.clone();
        Self(Box::new(Report {
            exit: exit::FAILED,
            message,
            advice,
            rule: get("rule"),
            reason,
            metadata,
        }))
    }
}

impl Failure {
    /// A status that Heliopause did not make: the network's, or another program's.
    fn without_reason(status: &tonic::Status) -> Self {
        let message = sentence(status.message());
        match status.code() {
            Code::Unavailable | Code::Unknown | Code::Cancelled | Code::DeadlineExceeded => {
                Self::new(
                    exit::UNREACHABLE,
                    "UNREACHABLE",
                    format!("The connection to the engine failed: {message}"),
                )
                .advise("Check that it runs, then try again; what was acknowledged is safe.")
            }
            Code::Unimplemented => {
                Self::new(exit::FAILED, "UNIMPLEMENTED", "This server does not know that call.")
                    .advise(
                        "Check that --engine names a Heliopause engine of this client's version.",
                    )
            }
            code => Self::new(exit::FAILED, &format!("{code:?}").to_uppercase(), message),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::failed(sentence(&error.to_string()))
    }
}

/// Takes a rule off the end of a message, since it is told in a place of its own.
fn without_rule(message: &str, rule: &str) -> String {
    let mark = format!("(rule {rule})");
    let message = message.trim_end_matches('.');
    message.strip_suffix(&mark).unwrap_or(message).trim_end().to_owned()
}

/// Adds the full stop that a message may lack.
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

/// What to do next, for each reason of the contract, in terms of this program.
fn advice(reason: &str, metadata: &BTreeMap<String, String>) -> String {
    let get = |key: &str| metadata.get(key).map_or("", String::as_str);
    let text = match reason {
        "MALFORMED_ORDER" => {
            "`cli-client options GAME` lists orders in the notation of the game; with order sheets \
             `cli-client rule KIND \
             ORDER` tells how one is written."
        }
        "ORDER_REFUSED" => {
            "Nothing has changed. `cli-client options GAME` lists what may be ordered now."
        }
        "PHASE_CLOSED" => {
            "Too late: that phase is over. Look with `cli-client show GAME`, then order anew."
        }
        "STALE_REVISION" => {
            "Another client of this seat was faster. Look with `cli-client show GAME`, then order \
             anew."
        }
        "TOKEN_INVALID" => {
            "`cli-client register NAME` opens an account; --profile or --token-file names another \
             one."
        }
        "BANNED" => "Write to the operator of this engine.",
        "ROLE_REQUIRED" => {
            return format!(
                "This needs the role {}.",
                if get("role").is_empty() { "of another account" } else { get("role") }
            );
        }
        "NOT_YOUR_SEAT" => {
            "Leave --seat out to use your own; only in sandbox games may you name another."
        }
        "SEES_TOO_MUCH" => "Whoever sees everything plays nothing: use another account.",
        "GAME_NOT_FOUND" => "`cli-client games` lists yours; a private game needs --invite CODE.",
        "WRONG_STATUS" => "`cli-client show GAME` tells what the game is doing.",
        "NO_OPEN_SEAT" => {
            "`cli-client games open` lists games with an open seat; `start --fill LEVEL` fills \
             open seats."
        }
        "NAME_TAKEN" => "Choose another name.",
        "INVITATION_REQUIRED" => "Ask the operator for one and give it with --invitation CODE.",
        "RATE_LIMITED" | "OVERLOADED" => "Try again in a moment.",
        "QUOTA_EXCEEDED" => return format!("The limit for {} is {}.", get("quota"), get("limit")),
        "JOURNAL_UNAVAILABLE" => "Nothing was lost and nothing has changed. Try again in a moment.",
        "DRAINING" => "The engine is being restarted. Try again in a moment.",
        "NOT_SANDBOX" => {
            "Start the engine with --sandbox, and use a game made by `cli-client sandbox create`."
        }
        "PRESS_REFUSED" => "Nothing was sent.",
        "CURSOR_INVALID" => "Leave --from out to begin where you are.",
        "LOST_RACE" => "Try again at once.",
        "INTERNAL" => {
            return format!(
                "This is a fault in the engine. Its operator finds it in the log under {}.",
                get("incident")
            );
        }
        _ => "",
    };
    text.into()
}

#[cfg(test)]
mod tests {
    use tonic_types::ErrorDetails;

    use super::*;

    fn refused() -> Failure {
        let metadata = [("refusal", "disrupted"), ("rule", "4"), ("order", "0")];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let details = ErrorDetails::with_error_info("ORDER_REFUSED", "heliopause", metadata);
        tonic::Status::with_error_details(
            Code::FailedPrecondition,
            "A1 is Disrupted. (rule 4).",
            details,
        )
        .into()
    }

    #[test]
    fn a_refusal_tells_rule_and_next_step() {
        let text = refused().to_string();
        assert_eq!(
            text,
            "A1 is Disrupted. (rule 4)\nNothing has changed. `cli-client options GAME` lists what \
             may be ordered now."
        );
    }

    #[test]
    fn a_text_that_cannot_be_read_is_shown_with_its_place() {
        let mut failure =
            Failure::failed("line 1, column 11: TO was expected.").because("MALFORMED_ORDER");
        failure.0.metadata =
            [("line", "1"), ("column", "11")].map(|(key, value)| (key.into(), value.into())).into();
        let text = failure.pointing_into("MOVE Lion T0 (1,0)").to_string();
        assert_eq!(text, "TO was expected.\n1 | MOVE Lion T0 (1,0)\n  |           ^");
    }

    #[test]
    fn json_carries_reason_and_metadata() {
        let json = refused().to_json();
        assert_eq!(json["error"]["reason"], "ORDER_REFUSED");
        assert_eq!(json["error"]["metadata"]["refusal"], "disrupted");
    }

    #[test]
    fn a_lost_connection_has_its_own_exit_code_and_is_transient() {
        let failure = Failure::from(tonic::Status::unavailable("tcp connect error"));
        assert_eq!(failure.report().exit, exit::UNREACHABLE);
        assert!(failure.is_transient());
    }
}
