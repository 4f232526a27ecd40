//! The test cases, each with the fault that it injects.

use std::collections::HashMap;
use std::time::Duration;

use heliopause_proto::v1::ErrorReason;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

/// A game that the client under test plays or watches while faults are injected.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub name: &'static str,
    pub wants: &'static str,
    pub trouble: InjectedFault,
}

/// A fault that a case injects.
#[derive(Clone, Copy, Debug)]
pub enum InjectedFault {
    Nothing,
    /// The nth stream ends with this status after n - 1 parts.
    StreamsEnd(Refusal),
    /// Streams break at the same points as in `StreamsEnd`, together with their connection.
    StreamsBreak,
    /// Streams report that the client has fallen behind, then that it has caught up.
    FallBehind,
    Heartbeats,
    ByteByByte,
    LaterVersion,
    AnswersLost,
    OrdersLost,
    Refused {
        methods: &'static [&'static str],
        refusal: Refusal,
    },
}

/// An error that the engine could return.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    code: Code,
    reason: ErrorReason,
    message: &'static str,
    pub wait: Option<Duration>,
    pub then: Then,
}

/// The required reaction of a client to an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    Repeat,
    Look,
}

impl Refusal {
    pub fn status(&self) -> Status {
        let mut details = ErrorDetails::with_error_info(self.name(), "heliopause", HashMap::new());
        if self.wait.is_some() {
            details.set_retry_info(self.wait);
        }
        Status::with_error_details(self.code, self.message, details)
    }

    pub fn name(&self) -> &'static str {
        self.reason.as_str_name().trim_start_matches("ERROR_REASON_")
    }
}

const DRAINING: Refusal = Refusal {
    code: Code::Unavailable,
    reason: ErrorReason::Draining,
    message: "The server is stopping; reconnect.",
    wait: Some(Duration::from_millis(300)),
    then: Then::Repeat,
};
const JOURNAL_UNAVAILABLE: Refusal = Refusal {
    code: Code::Unavailable,
    reason: ErrorReason::JournalUnavailable,
    message: "the journal is unavailable",
    wait: Some(Duration::from_millis(200)),
    then: Then::Repeat,
};
const OVERLOADED: Refusal = Refusal {
    code: Code::ResourceExhausted,
    reason: ErrorReason::Overloaded,
    message: "the engine is overloaded",
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
    message: "another client of this seat submitted orders first",
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

const fn case(name: &'static str, wants: &'static str, trouble: InjectedFault) -> Case {
    Case { name, wants, trouble }
}

const STREAMS_END: Case = case(
    "streams-end",
    "resumes a stream after its last event",
    InjectedFault::StreamsEnd(DRAINING),
);
const STREAMS_BREAK: Case =
    case("streams-break", "resumes a stream after a lost connection", InjectedFault::StreamsBreak);
const FALL_BEHIND: Case =
    case("fall-behind", "continues after FellBehind", InjectedFault::FallBehind);
const HEARTBEATS: Case = case("heartbeats", "ignores heartbeats", InjectedFault::Heartbeats);
const DRIBBLE: Case =
    case("dribble", "reads messages that arrive byte by byte", InjectedFault::ByteByByte);

/// All cases of a client that plays.
pub const CASES: &[Case] = &[
    case("plain", "plays a game to its end", InjectedFault::Nothing),
    STREAMS_END,
    STREAMS_BREAK,
    FALL_BEHIND,
    HEARTBEATS,
    DRIBBLE,
    case("later", "ignores unknown parts, events and values", InjectedFault::LaterVersion),
    case(
        "answers-lost",
        "resends orders with the same request id after a lost response",
        InjectedFault::AnswersLost,
    ),
    case("orders-lost", "resends orders after a lost connection", InjectedFault::OrdersLost),
    case(
        "draining",
        "waits as requested and retries when the engine is draining",
        refused(ALL, DRAINING),
    ),
    case(
        "journal-away",
        "resends orders with the same request id after JOURNAL_UNAVAILABLE",
        refused(ORDERING, JOURNAL_UNAVAILABLE),
    ),
    case("overloaded", "waits as requested after OVERLOADED", refused(LOOKING, OVERLOADED)),
    case("rate-limited", "waits as requested after RATE_LIMITED", refused(ALL, RATE_LIMITED)),
    case("lost-race", "resends orders after LOST_RACE", refused(ORDERING, LOST_RACE)),
    case(
        "stale-revision",
        "fetches the state before it resends orders after STALE_REVISION",
        refused(ORDERING, STALE_REVISION),
    ),
    case(
        "phase-closed",
        "fetches the state before it resends orders after PHASE_CLOSED",
        refused(ORDERING, PHASE_CLOSED),
    ),
];

/// The cases of a client that only watches. Their faults affect streams and reads, never orders.
pub const WATCHING: &[Case] = &[
    case("plain", "watches a game to its end", InjectedFault::Nothing),
    STREAMS_END,
    STREAMS_BREAK,
    FALL_BEHIND,
    HEARTBEATS,
    DRIBBLE,
    case("later", "ignores unknown parts, events and values", InjectedFault::LaterVersion),
    case(
        "draining",
        "waits as requested and retries when the engine is draining",
        refused(LISTENING, DRAINING),
    ),
    case(
        "journal-away",
        "resubscribes after JOURNAL_UNAVAILABLE",
        refused(LISTENING, JOURNAL_UNAVAILABLE),
    ),
    case("overloaded", "waits as requested after OVERLOADED", refused(LISTENING, OVERLOADED)),
    case("rate-limited", "waits as requested after RATE_LIMITED", refused(LISTENING, RATE_LIMITED)),
];

const fn refused(methods: &'static [&'static str], refusal: Refusal) -> InjectedFault {
    InjectedFault::Refused { methods, refusal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_proto::POOL;

    #[test]
    fn cases_of_watching_clients_do_not_affect_orders() {
        for case in WATCHING {
            let of_orders = match case.trouble {
                InjectedFault::AnswersLost | InjectedFault::OrdersLost => true,
                InjectedFault::Refused { methods, refusal } => {
                    methods.contains(&"SubmitOrders") || refusal.then == Then::Look
                }
                _ => false,
            };
            assert!(!of_orders, "{case:?}");
        }
    }

    /// A kit whose errors differ from the engine's would fail correct clients.
    #[test]
    fn errors_have_the_statuses_of_the_contract() {
        let file = POOL.files().find(|file| file.name() == "heliopause/v1/errors.proto");
        let reasons =
            file.and_then(|file| file.enums().find(|known| known.name() == "ErrorReason")).unwrap();
        let error = POOL.get_extension_by_name("heliopause.rights.v1.error").unwrap();
        let mut seen = 0;
        for case in [CASES, WATCHING].concat() {
            let (InjectedFault::Refused { refusal, .. } | InjectedFault::StreamsEnd(refusal)) =
                case.trouble
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
    fn cases_have_unique_names() {
        for cases in [CASES, WATCHING] {
            let mut names: Vec<&str> = cases.iter().map(|case| case.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), cases.len());
        }
    }
}
