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

/// Returns advice on what to do next, or an empty string.
pub fn advice(report: &Report) -> String {
    let get = |key: &str| report.metadata.get(key).map_or("", String::as_str);
    let text = match report.reason.as_str() {
        "UNREACHABLE" => {
            "Start an engine with `engine-service`, or select one with --engine URL or \
             HELIOPAUSE_ENGINE."
        }
        "UNIMPLEMENTED" => {
            "Check that --engine is the address of a Heliopause engine of the same version as \
             this client."
        }
        "NO_SUCH_PHASE" => "`cli-client phases GAME` lists the phases.",
        "MALFORMED_ORDER" => {
            "`cli-client options GAME` lists orders in the notation of the game. In games with order \
             sheets, `cli-client rule KIND ORDER` shows the notation of an order."
        }
        "ORDER_REFUSED" => {
            "Nothing has changed. `cli-client options GAME` lists the orders that are possible now."
        }
        "PHASE_CLOSED" => {
            "The phase is over. Check `cli-client show GAME`, then submit orders again."
        }
        "STALE_REVISION" => {
            "Another client of this seat submitted orders first. Check `cli-client show GAME`, then \
             submit orders again."
        }
        "TOKEN_INVALID" => {
            "`cli-client register NAME` creates an account; --profile or --token-file selects \
             another one."
        }
        "BANNED" => "Contact the operator of this engine.",
        "ROLE_REQUIRED" if get("role").is_empty() => "Use another account.",
        "ROLE_REQUIRED" => return format!("Use an account with the role {}.", get("role")),
        "NOT_YOUR_SEAT" => {
            "Omit --seat to use your own seat. You can select other seats only in sandbox games."
        }
        "ROLE_CONFLICT" => "An account that sees everything cannot play. Use another account.",
        "GAME_NOT_FOUND" => {
            "`cli-client games` lists your games. A private game needs --invite CODE."
        }
        "WRONG_STATUS" => "`cli-client show GAME` shows the status of the game.",
        "NO_OPEN_SEAT" => {
            "`cli-client games open` lists games with an open seat. To start a game with open \
             seats, use `cli-client start GAME --fill LEVEL`."
        }
        "NAME_TAKEN" => "Choose another name.",
        "INVITATION_REQUIRED" => {
            "Ask the operator for a code, then pass it with --invitation CODE."
        }
        "RATE_LIMITED" | "OVERLOADED" => "Try again in a moment.",
        "QUOTA_EXCEEDED" => return format!("The limit for {} is {}.", get("quota"), get("limit")),
        "JOURNAL_UNAVAILABLE" => "Nothing has changed. Try again in a moment.",
        "DRAINING" => "The engine is stopping. Try again after it has restarted.",
        "NOT_SANDBOX" => {
            "Start the engine with --sandbox, and use a game from `cli-client sandbox create`."
        }
        "MESSAGE_REFUSED" => "Nothing was sent.",
        "CURSOR_INVALID" => "Omit --from to start at the current event.",
        "LOST_RACE" => "Try again.",
        "INTERNAL" => {
            return format!(
                "This is an error in the engine. Report incident {} to the operator; the engine's \
                 log has the details.",
                get("incident")
            );
        }
        _ => "",
    };
    text.into()
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
