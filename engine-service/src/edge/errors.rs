//! Errors as the contract tells them: a gRPC status with `google.rpc` details.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::time::Duration;

use heliopause_proto::v1::ErrorReason;
use heliopause_table::Fault;
use heliopause_text::Flaw;
use tonic::Status;
use tonic_types::{ErrorDetails, StatusExt as _};

use super::rights::{self, Retry};
use crate::host::over_quota;
use crate::seldom;
use crate::store::StoreError;

/// The domain of every [`ErrorReason`].
pub const DOMAIN: &str = "heliopause";

/// An error on its way to the caller.
#[derive(Debug)]
pub struct Failure {
    reason: ErrorReason,
    message: String,
    metadata: Vec<(&'static str, String)>,
    field: Option<String>,
    retry: Option<Duration>,
    /// What the store said: for the operator, never for the caller.
    cause: Option<String>,
}

impl Failure {
    /// A failure with its reason and a sentence for a person.
    pub fn new(reason: ErrorReason, message: impl Into<String>) -> Self {
        let (message, metadata) = (message.into(), Vec::new());
        Self { reason, message, metadata, field: None, retry: None, cause: None }
    }

    /// A fault of the server: the log has the cause, the caller only the id under which it stands
    /// there.
    pub fn internal(cause: impl Display) -> Self {
        let incident = seldom::incident(&cause.to_string());
        let message =
            format!("a fault in the server; its operator finds it in the log as {incident}");
        Self::new(ErrorReason::Internal, message).with("incident", incident)
    }

    /// An invalid field.
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        let mut failure = Self::new(ErrorReason::InvalidField, message);
        failure.field = Some(field.into());
        failure
    }

    /// The same failure with a word of metadata, as [`ErrorReason`] documents it.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Display) -> Self {
        self.metadata.push((key, value.to_string()));
        self
    }

    /// The same failure, naming the field of the request that led to it.
    #[must_use]
    pub fn in_field(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }

    /// The same failure, saying when a retry is worth it.
    #[must_use]
    pub fn retry(mut self, after: Duration) -> Self {
        self.retry = Some(after);
        self
    }

    /// The sentence with the store's own words.
    pub(crate) fn for_operator(&self) -> String {
        let cause = self.cause.as_ref().map(|cause| format!(": {cause}"));
        format!("{}{}", self.message, cause.unwrap_or_default())
    }

    /// The reason.
    pub fn reason(&self) -> ErrorReason {
        self.reason
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// How much of the caller's own words an error repeats, and how long it may be in all: it is sent
/// in headers, of which a client takes 8 KB.
const QUOTE_CHARS: usize = 100;
const MESSAGE_BYTES: usize = 640;
const DETAIL_BYTES: usize = 160;

/// A sentence of an error with long quotes and words cut, so that the reason is seen beside them.
/// Every error goes through it, whoever wrote the sentence.
pub(crate) fn worded(message: &str) -> String {
    let mut words = String::with_capacity(message.len().min(MESSAGE_BYTES));
    let (mut quoted, mut escaped, mut length) = (false, false, 0);
    for character in message.chars() {
        let quote = character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
        quoted ^= quote;
        length = if quote || (!quoted && character.is_whitespace()) { 0 } else { length + 1 };
        match length {
            ..=QUOTE_CHARS => words.push(character),
            // The first that is left out.
            _ if length == QUOTE_CHARS + 1 => words.push('…'),
            _ => {}
        }
    }
    cut(&words, MESSAGE_BYTES)
}

/// The beginning of a text that is too long.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(most)])
}

impl From<Failure> for Status {
    fn from(mut failure: Failure) -> Self {
        failure.message = worded(&failure.message);
        let reason = rights::name(failure.reason);
        let metadata: HashMap<String, String> = failure
            .metadata
            .into_iter()
            .map(|(key, value)| (key.to_owned(), cut(&value, DETAIL_BYTES)))
            .collect();
        let mut details = ErrorDetails::with_error_info(reason, DOMAIN, metadata);
        if let Some(field) = failure.field {
            details.add_bad_request_violation(cut(&field, DETAIL_BYTES), failure.message.clone());
        }
        let again = rights::reason(failure.reason).retry == Retry::Same;
        if let Some(after) = failure.retry.or(again.then_some(RETRY_AFTER)) {
            details.set_retry_info(Some(after));
        }
        Status::with_error_details(rights::reason(failure.reason).code, failure.message, details)
    }
}

/// How long to wait before a call that failed through no fault of its own is worth repeating.
const RETRY_AFTER: Duration = Duration::from_secs(1);

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::LostRace { .. } => Self::new(ErrorReason::LostRace, error.to_string()),
            StoreError::OverQuota(excess) => over_quota(excess.of, excess.limit).into(),
            StoreError::Taken => {
                Self::new(ErrorReason::NameTaken, "the name is taken, or looks like one that is")
            }
            StoreError::NotFound => Self::new(ErrorReason::NotFound, "there is no such thing"),
            // What the disk says is the operator's business, and in their log.
            StoreError::Unavailable(cause) => {
                let text = "the server cannot reach its journal";
                let failure = Self::new(ErrorReason::JournalUnavailable, text).retry(RETRY_AFTER);
                Self { cause: Some(cause), ..failure }
            }
            StoreError::Damaged(_) => {
                metrics::counter!("heliopause_damage_found_total").increment(1);
                Self::internal(error)
            }
        }
    }
}

impl From<Flaw> for Failure {
    fn from(flaw: Flaw) -> Self {
        let failure = Self::field("", flaw.to_string());
        failure.with("character", flaw.code_point()).with("position", flaw.position)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let Fault { reason, message, field, metadata } = fault;
        Self { reason, message, metadata, field, retry: None, cause: None }
    }
}

/// The gRPC status of a fault.
pub fn status(fault: Fault) -> Status {
    Failure::from(fault).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_quotes_are_cut_and_the_reason_stays() {
        let long = "x\"y\\".repeat(1_000);
        let worded = worded(&format!("{long:?} is no planet; try \"Sol\"."));
        assert!(worded.ends_with("…\" is no planet; try \"Sol\"."), "{worded}");
        assert_eq!(
            worded.chars().take_while(|&character| character != '…').count(),
            QUOTE_CHARS + 1
        );
        assert_eq!(super::worded("\"Sol\" is no planet."), "\"Sol\" is no planet.");
        let word = format!("{} is no planet", "x".repeat(1_000));
        assert_eq!(super::worded(&word), format!("{}… is no planet", "x".repeat(QUOTE_CHARS)));
    }

    /// Security C1: whatever is quoted, a client is told the reason.
    #[test]
    fn no_refusal_exceeds_8_kb_of_headers() {
        for word in ["x", "\"", "\\", "é", "\u{202e}", "😀", "\n"] {
            let long = word.repeat(200_000);
            let mut failure = Failure::field(long.clone(), format!("{long} and {long:?}"));
            for key in ["refusal", "rule", "field", "order", "line", "column"] {
                failure = failure.with(key, &long);
            }
            let status = Status::from(failure.retry(Duration::from_secs(1)));
            assert!(status.get_error_details().bad_request().is_some());
            let response = status.into_http::<()>();
            let size: usize = response
                .headers()
                .iter()
                .map(|(name, value)| name.as_str().len() + value.len() + 32)
                .sum();
            assert!(size < 8 << 10, "{word:?}: {size}");
        }
    }
}
