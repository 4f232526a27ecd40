//! Faults: the reasons why steps are refused.

use std::fmt;

use heliopause_kernel::{Malformed, Refusal};
use heliopause_proto::v1::{ErrorReason, Verdict};

/// The reason why a step was refused. A refused step changes nothing. The contract's
/// [`ErrorReason`] documents the metadata of each reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub reason: ErrorReason,
    pub message: String,
    /// The invalid field of the request, if the fault is about one field.
    pub field: Option<String>,
    pub metadata: Vec<(&'static str, String)>,
}

impl Fault {
    pub fn new(reason: ErrorReason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), field: None, metadata: Vec::new() }
    }

    /// Creates a fault for a field that is missing, out of range or contradictory.
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: Some(field.into()), ..Self::new(ErrorReason::InvalidField, message) }
    }

    /// Adds a metadata entry that the reason documents.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl fmt::Display) -> Self {
        self.metadata.push((key, value.to_string()));
        self
    }

    pub fn verdict(&self, notation: String) -> Verdict {
        let word = |key: &str| {
            self.metadata.iter().find(|(name, _)| *name == key).map(|(_, word)| word.clone())
        };
        Verdict {
            notation,
            accepted: false,
            refusal: word("refusal").unwrap_or_default(),
            rule: word("rule").unwrap_or_default(),
            message: self.message.clone(),
            field: self.field.clone().unwrap_or_default(),
            preview: None,
            warnings: Vec::new(),
            lines: Vec::new(),
        }
    }

    pub(crate) fn role(role: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorReason::RoleRequired, message).with("role", role)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Self {
        if malformed.line == 0 {
            return Self::field(malformed.field.into_owned(), malformed.message);
        }
        Self::new(ErrorReason::MalformedOrder, malformed.to_string())
            .with("line", malformed.line)
            .with("column", malformed.column)
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        let fault = Self::new(ErrorReason::OrderRefused, refusal.to_string())
            .with("refusal", &refusal.reason)
            .with("rule", &refusal.rule);
        if refusal.field.is_empty() {
            return fault;
        }
        Self {
            field: Some(refusal.field.clone().into_owned()),
            ..fault.with("field", &refusal.field)
        }
    }
}
