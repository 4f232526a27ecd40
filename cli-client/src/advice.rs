//! Exit codes and advice for failures.

use crate::failure::{Failure, Kind, Report};

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

/// A text for each reason, with details of the failure in braces.
const ADVICE: &str = include_str!("advice.txt");

/// Returns advice on what to do next, or an empty string.
pub fn advice(report: &Report) -> String {
    let get = |key: &str| report.metadata.get(key).map_or("", String::as_str);
    let rows = ADVICE.lines().filter_map(|line| line.split_once(": "));
    let mut texts = rows.filter(|(reason, _)| *reason == report.reason).map(|(_, text)| text);
    let text = texts.find(|text| !text.contains("{role}") || !get("role").is_empty());
    let fill = |text: String, key: &str| text.replace(&format!("{{{key}}}"), get(key));
    ["role", "quota", "limit", "incident"].into_iter().fold(text.unwrap_or_default().into(), fill)
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
