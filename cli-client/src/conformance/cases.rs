//! The test cases, each with the fault that it injects.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use std::time::Duration;

use heliopause_proto::POOL;
use serde::Deserialize;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

/// The contents of `cases.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cases {
    errors: BTreeMap<String, Refusal>,
    /// The cases of a client that plays.
    pub play: Vec<Case>,
    /// The cases of a client that only watches.
    pub watch: Vec<Case>,
}

/// All cases.
pub static CASES: LazyLock<Cases> =
    LazyLock::new(|| toml::from_str(include_str!("cases.toml")).expect("cases.toml is valid"));

/// A game that the client under test plays or watches while faults are injected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    pub wants: String,
    #[serde(default)]
    pub fault: InjectedFault,
    /// The reason of the error that calls of `methods` return.
    error: Option<String>,
    #[serde(default)]
    methods: Vec<String>,
}

/// A fault that a case injects, in addition to errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InjectedFault {
    #[default]
    Nothing,
    /// The nth stream ends with the error after n - 1 parts.
    StreamsEnd,
    /// Streams break at the same points as in `StreamsEnd`, together with their connection.
    StreamsBreak,
    /// Streams report that the client has fallen behind, then that it has caught up.
    FallBehind,
    Heartbeats,
    ByteByByte,
    LaterVersion,
    AnswersLost,
    OrdersLost,
}

/// An error that the engine could return.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    message: String,
    wait_ms: Option<u64>,
    /// Whether the client must fetch the state before it resends orders.
    #[serde(default)]
    pub look: bool,
}

impl Case {
    /// Returns the error of the case with its reason.
    pub fn refusal(&self) -> Option<(&str, &'static Refusal)> {
        let reason = self.error.as_deref()?;
        let refusal = CASES.errors.get(reason);
        Some((reason, refusal.expect("cases.toml declares the errors that its cases use")))
    }

    /// Returns the error for calls of a method.
    pub fn refusal_of(&self, method: &str) -> Option<(&str, &'static Refusal)> {
        self.refusal().filter(|_| self.methods.iter().any(|one| one == method))
    }
}

impl Refusal {
    pub fn wait(&self) -> Option<Duration> {
        self.wait_ms.map(Duration::from_millis)
    }

    pub fn status(&self, reason: &str) -> Status {
        let mut details = ErrorDetails::with_error_info(reason, "heliopause", HashMap::new());
        if self.wait_ms.is_some() {
            details.set_retry_info(self.wait());
        }
        let code = code_of(reason).expect("cases.toml names errors of the contract");
        Status::with_error_details(code, self.message.clone(), details)
    }
}

/// Returns the status code that the contract gives to a reason.
fn code_of(reason: &str) -> Option<Code> {
    let error = POOL.get_extension_by_name("heliopause.rights.v1.error")?;
    let reasons = POOL.get_enum_by_name("heliopause.v1.ErrorReason")?;
    let options = reasons.get_value_by_name(&format!("ERROR_REASON_{reason}"))?.options();
    let status = options.get_extension(&error);
    status.as_message()?.get_field_by_name("status")?.as_enum_number().map(Code::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_of_watching_clients_do_not_affect_orders() {
        for case in &CASES.watch {
            let of_orders =
                matches!(case.fault, InjectedFault::AnswersLost | InjectedFault::OrdersLost)
                    || case.refusal_of("SubmitOrders").is_some()
                    || case.refusal().is_some_and(|(_, refusal)| refusal.look);
            assert!(!of_orders, "{case:?}");
        }
    }

    /// A kit whose errors differ from the engine's would fail correct clients.
    #[test]
    fn errors_have_the_statuses_of_the_contract() {
        for reason in CASES.errors.keys() {
            assert!(code_of(reason).is_some_and(|code| code != Code::Ok), "{reason}");
        }
        assert_eq!(code_of("DRAINING"), Some(Code::Unavailable));
        for case in CASES.play.iter().chain(&CASES.watch) {
            assert_eq!(case.error.is_some(), case.refusal().is_some(), "{}", case.name);
        }
    }

    #[test]
    fn cases_have_unique_names() {
        for cases in [&CASES.play, &CASES.watch] {
            let names: std::collections::BTreeSet<&str> =
                cases.iter().map(|case| case.name.as_str()).collect();
            assert_eq!(names.len(), cases.len());
        }
    }
}
