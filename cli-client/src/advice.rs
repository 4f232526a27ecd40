//! Exit codes and advice for failures.

use crate::failure::{Failure, Kind, Report};
use crate::words;

pub const OK: u8 = 0;
/// The exit code for an invalid command line.
pub const USAGE: u8 = 2;

/// Returns the exit code for a kind of failure. Scripts may rely on it.
pub fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::OutputClosed => OK,
        Kind::Failed => 1,
        Kind::Usage => USAGE,
        Kind::Unreachable => 3,
    }
}

/// Formats a failure as JSON, for `--json`.
pub fn to_json(failure: &Failure) -> serde_json::Value {
    let report = failure.report();
    serde_json::json!({ "error": {
        "message": report.message,
        "advice": failure.advice(),
        "rule": report.rule,
        "reason": report.reason,
        "metadata": report.metadata,
    }})
}

/// Returns advice on what to do next, or an empty string.
pub fn advice(report: &Report) -> String {
    let detail = |key: &'static str| {
        let value = report.metadata.get(key).filter(|value| !value.is_empty());
        (key, value.map_or("none", String::as_str).to_owned().into())
    };
    let details = ["role", "quota", "limit", "end_time", "incident"].map(detail);
    words::find(&format!("advice-{}", report.reason), details).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_advice() {
        let metadata = [("quota", "games"), ("limit", "3"), ("role", "host")];
        let of = |reason: &str| {
            let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
            advice(&Report { reason: reason.to_owned(), metadata, ..Report::default() })
        };
        assert_eq!(
            of("ORDER_REFUSED"),
            "Nothing has changed. `cli-client options GAME` lists the orders that are possible now."
        );
        assert_eq!(of("QUOTA_EXCEEDED"), "The limit for games is 3.");
        assert_eq!(of("ROLE_REQUIRED"), "Use an account with the role host.");
        assert_eq!(of("FAILED"), "");
    }

    #[test]
    fn json_carries_reason_and_advice() {
        let json = to_json(&Failure::usage("No.").advise("Yes."));
        let error = &json["error"];
        assert_eq!((&error["reason"], &error["advice"]), (&"USAGE".into(), &"Yes.".into()));
    }
}
