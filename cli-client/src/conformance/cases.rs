//! What goes wrong in each case.

use std::collections::HashMap;
use std::time::Duration;

use heliopause_proto::v1::ErrorReason;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

/// A game that the client under test plays, or watches, while something goes wrong.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub name: &'static str,
    /// What a client does that passes it.
    pub wants: &'static str,
    /// What goes wrong.
    pub trouble: Trouble,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug)]
pub enum Trouble {
    Nothing,
    /// Streams of events end with a status, the first before its first part, the next after one,
    /// the next after two, ...
    StreamsEnd(Refusal),
    /// The same with their connection.
    StreamsBreak,
    /// Streams tell that the client has fallen behind, and are caught up.
    FallBehind,
    /// Heartbeats come between all parts.
    Heartbeats,
    /// Messages come byte by byte.
    Dribble,
    /// Parts, events and values come that a later version knows.
    Later,
    /// Orders are taken, and the connection is lost before the answer.
    AnswersLost,
    /// The connection is lost before the orders come to the engine.
    OrdersLost,
    /// Calls are refused now and then.
    Refused {
        /// The calls.
        methods: &'static [&'static str],
        refusal: Refusal,
    },
}

/// A refusal that the engine could have given.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    code: Code,
    reason: ErrorReason,
    message: &'static str,
    /// How long to wait before the same call.
    pub wait: Option<Duration>,
    /// What the client has to do.
    pub then: Then,
}

/// What a client does after a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Send the same again, or look.
    Repeat,
    /// Look before it orders again.
    Look,
}

impl Refusal {
    /// The refusal as it is sent.
    pub fn status(&self) -> Status {
        let mut details = ErrorDetails::with_error_info(self.name(), "heliopause", HashMap::new());
        if self.wait.is_some() {
            details.set_retry_info(self.wait);
        }
        Status::with_error_details(self.code, self.message, details)
    }

    /// The name of its reason.
    pub fn name(&self) -> &'static str {
        self.reason.as_str_name().trim_start_matches("ERROR_REASON_")
    }
}

const DRAINING: Refusal = Refusal {
    code: Code::Unavailable,
    reason: ErrorReason::Draining,
    message: "the server is stopping; connect anew",
    wait: Some(Duration::from_millis(300)),
    then: Then::Repeat,
};
const JOURNAL_UNAVAILABLE: Refusal = Refusal {
    code: Code::Unavailable,
    reason: ErrorReason::JournalUnavailable,
    message: "the journal cannot be written now",
    wait: Some(Duration::from_millis(200)),
    then: Then::Repeat,
};
const OVERLOADED: Refusal = Refusal {
    code: Code::ResourceExhausted,
    reason: ErrorReason::Overloaded,
    message: "the server is at its limit",
    wait: Some(Duration::from_millis(250)),
    then: Then::Repeat,
};
const RATE_LIMITED: Refusal = Refusal {
    code: Code::ResourceExhausted,
    reason: ErrorReason::RateLimited,
    message: "too many calls; wait 400 ms",
    wait: Some(Duration::from_millis(400)),
    then: Then::Repeat,
};
const LOST_RACE: Refusal = Refusal {
    code: Code::Aborted,
    reason: ErrorReason::LostRace,
    message: "another process advanced the game at the same moment",
    wait: None,
    then: Then::Repeat,
};
const STALE_REVISION: Refusal = Refusal {
    code: Code::Aborted,
    reason: ErrorReason::StaleRevision,
    message: "another client of this seat was faster",
    wait: None,
    then: Then::Look,
};
const PHASE_CLOSED: Refusal = Refusal {
    code: Code::FailedPrecondition,
    reason: ErrorReason::PhaseClosed,
    message: "this phase has closed",
    wait: None,
    then: Then::Look,
};

const ORDERING: &[&str] = &["SubmitOrders"];
const LOOKING: &[&str] = &["GetOffers", "GetView", "GetGame"];
const ALL: &[&str] = &["SubmitOrders", "GetOffers", "GetView", "GetGame"];
const LISTENING: &[&str] = &["StreamEvents", "GetView", "GetGame"];

const fn case(name: &'static str, wants: &'static str, trouble: Trouble) -> Case {
    Case { name, wants, trouble }
}

// What players and watchers meet alike.
const STREAMS_END: Case = case(
    "streams-end",
    "resumes a stream from its last event, wherever it ended",
    Trouble::StreamsEnd(DRAINING),
);
const STREAMS_BREAK: Case = case(
    "streams-break",
    "resumes a stream whose connection was lost, wherever that was",
    Trouble::StreamsBreak,
);
const FALL_BEHIND: Case =
    case("fall-behind", "goes on when it is told that it has fallen behind", Trouble::FallBehind);
const HEARTBEATS: Case =
    case("heartbeats", "takes heartbeats for nothing else", Trouble::Heartbeats);
const DRIBBLE: Case = case("dribble", "reads messages that come byte by byte", Trouble::Dribble);

/// All cases of a client that plays.
pub const CASES: &[Case] = &[
    case("plain", "plays a game to its end", Trouble::Nothing),
    STREAMS_END,
    STREAMS_BREAK,
    FALL_BEHIND,
    HEARTBEATS,
    DRIBBLE,
    case("later", "passes over parts, events and values that it does not know", Trouble::Later),
    case(
        "answers-lost",
        "sends orders again with the same request id when the answer was lost",
        Trouble::AnswersLost,
    ),
    case(
        "orders-lost",
        "sends orders again when the connection was lost before them",
        Trouble::OrdersLost,
    ),
    case(
        "draining",
        "waits as told and repeats a call at an engine that drains",
        refused(ALL, DRAINING),
    ),
    case(
        "journal-away",
        "repeats orders with the same request id after JOURNAL_UNAVAILABLE",
        refused(ORDERING, JOURNAL_UNAVAILABLE),
    ),
    case(
        "overloaded",
        "waits as told when the engine is at its limit",
        refused(LOOKING, OVERLOADED),
    ),
    case("rate-limited", "waits as told when it was too fast", refused(ALL, RATE_LIMITED)),
    case("lost-race", "repeats orders that lost a race", refused(ORDERING, LOST_RACE)),
    case(
        "stale-revision",
        "looks before it orders again when another client was faster",
        refused(ORDERING, STALE_REVISION),
    ),
    case(
        "phase-closed",
        "looks before it orders again when it came too late",
        refused(ORDERING, PHASE_CLOSED),
    ),
];

/// The cases of a client that only watches: no orders are lost or refused, but its streams are.
pub const WATCHING: &[Case] = &[
    case("plain", "watches a game to its end", Trouble::Nothing),
    STREAMS_END,
    STREAMS_BREAK,
    FALL_BEHIND,
    HEARTBEATS,
    DRIBBLE,
    case("later", "passes over parts, events and values that it does not know", Trouble::Later),
    case(
        "draining",
        "waits as told and calls again at an engine that drains",
        refused(LISTENING, DRAINING),
    ),
    case(
        "journal-away",
        "listens again after JOURNAL_UNAVAILABLE",
        refused(LISTENING, JOURNAL_UNAVAILABLE),
    ),
    case(
        "overloaded",
        "waits as told when the engine is at its limit",
        refused(LISTENING, OVERLOADED),
    ),
    case("rate-limited", "waits as told when it was too fast", refused(LISTENING, RATE_LIMITED)),
];

const fn refused(methods: &'static [&'static str], refusal: Refusal) -> Trouble {
    Trouble::Refused { methods, refusal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_proto::POOL;

    #[test]
    fn cases_of_watching_clients_touch_no_orders() {
        for case in WATCHING {
            let of_orders = match case.trouble {
                Trouble::AnswersLost | Trouble::OrdersLost => true,
                Trouble::Refused { methods, refusal } => {
                    methods.contains(&"SubmitOrders") || refusal.then == Then::Look
                }
                _ => false,
            };
            assert!(!of_orders, "{case:?}");
        }
    }

    /// A kit that refused otherwise than the engine would fail clients for nothing.
    #[test]
    fn refusals_have_the_statuses_of_the_contract() {
        let file = POOL.files().find(|file| file.name() == "heliopause/v1/errors.proto");
        let reasons =
            file.and_then(|file| file.enums().find(|known| known.name() == "ErrorReason")).unwrap();
        let error = POOL.get_extension_by_name("heliopause.rights.v1.error").unwrap();
        let mut seen = 0;
        for case in [CASES, WATCHING].concat() {
            let (Trouble::Refused { refusal, .. } | Trouble::StreamsEnd(refusal)) = case.trouble
            else {
                continue;
            };
            let value = reasons.get_value_by_name(refusal.reason.as_str_name()).unwrap();
            let options = value.options();
            let status = options
                .get_extension(&error)
                .as_message()
                .unwrap()
                .get_field_by_name("status")
                .unwrap()
                .as_enum_number();
            assert_eq!(status, Some(refusal.code as i32), "{}: {:?}", case.name, refusal.code);
            seen += 1;
        }
        assert!(seen > 10, "{seen}");
    }

    #[test]
    fn cases_have_names_of_their_own() {
        for cases in [CASES, WATCHING] {
            let mut names: Vec<&str> = cases.iter().map(|case| case.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), cases.len());
        }
    }
}
