//! Exit codes and advice for failures.

use prost_types::Timestamp;

use crate::failure::{Failure, Kind, Report};
use crate::input::parse_date;
use crate::text::moment;
use crate::words::{self, say};

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
    advice_for(report, std::env::args().any(|word| word.split('=').next() == Some("--seat")))
}

fn advice_for(report: &Report, names_seat: bool) -> String {
    let field = report.metadata.get("field").map_or("", String::as_str);
    let status = report.metadata.get("status").map_or("", String::as_str);
    let is_of_tournament = status.starts_with("TOURNAMENT_STATUS_");
    match (report.reason.as_str(), field, names_seat) {
        ("INVALID_FIELD", "seat", false) => return say!("seat-advice"),
        ("INVALID_FIELD", "size", _) => return say!("size-advice"),
        ("NOT_YOUR_SEAT", _, false) => return String::new(),
        ("WRONG_STATUS", ..) if is_of_tournament => return say!("tournament-status-advice"),
        _ => {}
    }
    let detail = |key: &'static str| {
        let value = report.metadata.get(key).filter(|value| !value.is_empty());
        let time = value.filter(|_| key == "end_time").and_then(|value| parse_date(value));
        let value = match time {
            Some(time) => moment(&Timestamp { seconds: time.as_second(), nanos: 0 }),
            None => value.map_or("none", String::as_str).to_owned(),
        };
        (key, value.into())
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
        assert_eq!(of("ROLE_REQUIRED"), "Use the account of the host.");
        assert_eq!(of("FAILED"), "");
        let metadata = [("end_time".to_owned(), "2027-01-31T20:00:00Z".to_owned())].into();
        let silenced = Report { reason: "SILENCED".to_owned(), metadata, ..Report::default() };
        assert!(advice(&silenced).contains("at 2027-01-31 20:00 UTC."));
    }

    #[test]
    fn the_advice_on_seats_depends_on_whether_one_is_named() {
        let metadata = [("field".to_owned(), "seat".to_owned())].into();
        let report = Report { reason: "INVALID_FIELD".to_owned(), metadata, ..Report::default() };
        assert!(advice_for(&report, false).contains("--seat"));
        assert_eq!(advice_for(&report, true), "");
        let metadata = [("field".to_owned(), "size".to_owned())].into();
        let report = Report { metadata, ..report };
        assert!(advice_for(&report, false).contains("--seats"));
        let report = Report { reason: "NOT_YOUR_SEAT".to_owned(), ..Report::default() };
        assert_eq!(advice_for(&report, false), "");
        assert!(advice_for(&report, true).contains("--seat"));
    }

    #[test]
    fn json_carries_reason_and_advice() {
        let json = to_json(&Failure::usage("No.").advise("Yes."));
        let error = &json["error"];
        assert_eq!((&error["reason"], &error["advice"]), (&"USAGE".into(), &"Yes.".into()));
    }
}
