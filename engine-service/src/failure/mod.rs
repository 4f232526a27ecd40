//! Errors of calls as the contract defines them: a gRPC status with `google.rpc` details.

pub(crate) mod reasons;
pub(crate) mod refusals;

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::time::Duration;

use heliopause_proto::rights::v1::Retry;
use heliopause_proto::text::Flaw;
use heliopause_proto::v1::ErrorReason;
use heliopause_table::Fault;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::log_throttle;
use crate::store::{QuotaKind, StoreError};

/// The result of handling a call.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// The domain of all error reasons in `google.rpc.ErrorInfo`.
pub const DOMAIN: &str = "heliopause";

/// The error of a call. It consists of a [`Fault`] and details that only the edge needs.
#[derive(Clone, Debug)]
pub struct Failure {
    fault: Fault,
    retry: Option<Duration>,
    /// The store's error. The operator sees it, but the caller does not.
    cause: Option<String>,
}

impl Failure {
    pub fn new(reason: ErrorReason, message: impl Into<String>) -> Self {
        Fault::new(reason, message).into()
    }

    /// Creates an internal error. The caller gets only the id of the log line with the cause.
    pub fn internal(cause: impl Display) -> Self {
        let incident = log_throttle::incident(&cause.to_string());
        let message = format!("Internal error; the operator can find it in the log as {incident}.");
        Self::new(ErrorReason::Internal, message).with("incident", incident)
    }

    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Fault::field(field, message).into()
    }

    /// Adds metadata. [`ErrorReason`] documents the keys of each reason.
    #[must_use]
    pub fn with(self, key: &'static str, value: impl Display) -> Self {
        Self { fault: self.fault.with(key, value), ..self }
    }

    #[must_use]
    pub fn in_field(mut self, field: &str) -> Self {
        self.fault.field = Some(field.to_owned());
        self
    }

    #[must_use]
    pub fn retry(self, after: Duration) -> Self {
        Self { retry: Some(after), ..self }
    }

    pub(crate) fn for_operator(&self) -> String {
        let cause = self.cause.as_ref().map(|cause| format!(": {cause}"));
        format!("{}{}", self.fault, cause.unwrap_or_default())
    }

    pub fn reason(&self) -> ErrorReason {
        self.fault.reason
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(formatter)
    }
}

impl std::error::Error for Failure {}

/// The maximum lengths of quotations, messages and details. Clients limit headers to 8 KB.
const QUOTE_CHARS: usize = 100;
const MESSAGE_BYTES: usize = 640;
const DETAIL_BYTES: usize = 160;

/// Shortens long quotations and words in an error message, and then the message itself.
pub(crate) fn shortened(message: &str) -> String {
    let mut words = String::with_capacity(message.len().min(MESSAGE_BYTES));
    let (mut quoted, mut escaped, mut length) = (false, false, 0);
    for character in message.chars() {
        let quote = character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
        quoted ^= quote;
        length = if quote || (!quoted && character.is_whitespace()) { 0 } else { length + 1 };
        match length {
            ..=QUOTE_CHARS => words.push(character),
            _ if length == QUOTE_CHARS + 1 => words.push('…'),
            _ => {}
        }
    }
    truncated(&words, MESSAGE_BYTES)
}

fn truncated(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(most)])
}

impl From<Failure> for Status {
    fn from(Failure { fault, retry, .. }: Failure) -> Self {
        let Fault { reason, message, field, metadata } = fault;
        let (message, known) = (shortened(&message), reasons::reason(reason));
        let metadata: HashMap<String, String> = metadata
            .into_iter()
            .map(|(key, value)| (key.to_owned(), truncated(&value, DETAIL_BYTES)))
            .collect();
        let mut details = ErrorDetails::with_error_info(reasons::name(reason), DOMAIN, metadata);
        if let Some(field) = field {
            details.add_bad_request_violation(truncated(&field, DETAIL_BYTES), message.clone());
        }
        if let Some(after) = retry.or((known.retry() == Retry::Same).then_some(RETRY_AFTER)) {
            details.set_retry_info(Some(after));
        }
        Status::with_error_details(Code::from_i32(known.status), message, details)
    }
}

/// The suggested delay before a retry of a call that failed through no fault of the caller.
const RETRY_AFTER: Duration = Duration::from_secs(1);

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::LostRace { .. } => Self::new(ErrorReason::LostRace, error.to_string()),
            StoreError::Taken => Self::new(
                ErrorReason::NameTaken,
                "The name is taken or looks like a taken one; choose another.",
            ),
            StoreError::NotFound => {
                Self::new(ErrorReason::NotFound, "The requested object was not found.")
            }
            // The operator finds the cause in the log. The caller does not get it.
            StoreError::Unavailable(cause) => {
                let text = "The server cannot reach its journal; try again soon.";
                let failure = Self::new(ErrorReason::JournalUnavailable, text).retry(RETRY_AFTER);
                Self { cause: Some(cause), ..failure }
            }
            StoreError::OverQuota(_) | StoreError::Damaged(_) => Fault::from(error).into(),
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
        Self { fault, retry: None, cause: None }
    }
}

/// Creates the error for an exceeded quota. The error for received invitations does not reveal
/// whether the other player has blocked the caller.
pub fn over_quota(of: QuotaKind, limit: u32) -> Fault {
    let (quota, text) = match of {
        QuotaKind::Games => {
            let text = "You have too many unfinished games: your limit is";
            ("games", format!("{text} {limit}; finish, leave or cancel one first."))
        }
        QuotaKind::Sent => {
            let text = "You have too many open invitations: your limit is";
            ("invitations", format!("{text} {limit}; wait until one is accepted or declined."))
        }
        QuotaKind::Received => {
            ("invitations", "This player accepts no more invitations from you for now.".to_owned())
        }
    };
    Fault::new(ErrorReason::QuotaExceeded, text).with("quota", quota).with("limit", limit)
}

pub fn draining() -> Fault {
    Fault::new(ErrorReason::Draining, "The server is stopping; reconnect.")
}

pub fn status(fault: Fault) -> Status {
    Failure::from(fault).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_quotes_are_shortened_and_the_reason_stays() {
        let long = "x\"y\\".repeat(1_000);
        let shortened = shortened(&format!("{long:?} is no planet; try \"Sol\"."));
        assert!(shortened.ends_with("…\" is no planet; try \"Sol\"."), "{shortened}");
        assert_eq!(
            shortened.chars().take_while(|&character| character != '…').count(),
            QUOTE_CHARS + 1
        );
        assert_eq!(super::shortened("\"Sol\" is no planet."), "\"Sol\" is no planet.");
        let word = format!("{} is no planet", "x".repeat(1_000));
        assert_eq!(super::shortened(&word), format!("{}… is no planet", "x".repeat(QUOTE_CHARS)));
    }

    /// Security C1: a client gets the reason even if an error quotes a long input.
    #[test]
    fn no_error_exceeds_8_kb_of_headers() {
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
