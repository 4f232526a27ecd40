//! Who may call what, and how calls are refused, as the contract's own options say it
//! (`rights.proto`).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use heliopause_proto::POOL;
use heliopause_proto::v1::{AccountRole, ErrorReason};
use prost_reflect::{
    DescriptorPool, DynamicMessage, EnumDescriptor, EnumValueDescriptor, MethodDescriptor, Value,
};
use tonic::Code;

/// Who may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Everybody.
    Open,
    /// Whoever has an account.
    Account,
    /// An account with this role.
    Role(AccountRole),
    /// Whoever has an account, or where the operator lets everybody watch, everybody.
    Watcher,
}

/// Whether a call that failed is worth making again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retry {
    Never,
    Changed,
    Same,
}

/// What holds of a reason.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub(super) code: Code,
    pub(super) retry: Retry,
    /// Whether every call can be refused so.
    pub(super) every_call: bool,
    /// The keys that its metadata can have.
    pub(super) metadata: Vec<String>,
}

/// All reasons by their numbers; the first is never sent.
static REASONS: LazyLock<Vec<Option<Reason>>> = LazyLock::new(|| {
    let mut reasons: Vec<Option<Reason>> = Vec::new();
    for value in reason_enum().values() {
        let number = usize::try_from(value.number()).expect("reasons have numbers from 0");
        reasons.resize(reasons.len().max(number + 1), None);
        reasons[number] = read_reason(&value);
    }
    reasons
});

/// The enum of the reasons.
pub(super) fn reason_enum() -> EnumDescriptor {
    POOL.get_enum_by_name("heliopause.v1.ErrorReason").expect("errors.proto has it")
}

/// What holds of a reason that is sent.
pub(super) fn reason(reason: ErrorReason) -> &'static Reason {
    let known = |reason: ErrorReason| REASONS.get(reason as usize).and_then(Option::as_ref);
    known(reason)
        .or_else(|| known(ErrorReason::Internal))
        .expect("errors.proto says what holds of every reason")
}

/// The name of a reason as errors tell it.
pub(super) fn name(reason: ErrorReason) -> &'static str {
    reason.as_str_name().trim_start_matches("ERROR_REASON_")
}

/// The reason of a name.
pub(super) fn named(name: &str) -> Option<ErrorReason> {
    ErrorReason::from_str_name(&format!("ERROR_REASON_{name}"))
}

/// Who may call a method: what it says, or else what its service says.
pub(super) fn access(method: &MethodDescriptor) -> Access {
    let own = call(method).and_then(|call| number(&call, "access")).filter(|access| *access != 0);
    let service = || {
        let said = extension(&method.parent_service().options(), method.parent_pool(), "access");
        said.and_then(|value| value.as_enum_number())
    };
    // The contract's own services need an account if they do not say what they need; health and
    // reflection need nothing.
    let foreign = !method.full_name().starts_with("heliopause.");
    match own.or_else(service) {
        None if foreign => Access::Open,
        None | Some(0 | 2) => Access::Account,
        Some(1) => Access::Open,
        Some(3) => Access::Role(AccountRole::Worker),
        Some(4) => Access::Role(AccountRole::Admin),
        Some(5) => Access::Watcher,
        Some(other) => unreachable!("rights.proto has no Access {other}"),
    }
}

/// The reasons for which a method can be refused besides those that every call has: what it says,
/// and what follows from its request and from who may call it.
pub(super) fn refusals(method: &MethodDescriptor) -> BTreeSet<ErrorReason> {
    let call = call(method);
    let said = call.as_ref().and_then(|call| call.get_field_by_name("refuses"));
    let said = said.as_deref().and_then(Value::as_list).into_iter().flatten();
    let mut reasons: BTreeSet<ErrorReason> = said
        .map(|name| {
            let name = name.as_str().expect("`refuses` holds strings");
            named(name).unwrap_or_else(|| {
                panic!("{}: errors.proto has no reason {name}", method.full_name())
            })
        })
        .collect();
    let asks = |field| method.input().get_field_by_name(field).is_some();
    reasons.extend(asks("game_id").then_some(ErrorReason::GameNotFound));
    reasons.extend(asks("request_id").then_some(ErrorReason::RequestIdReused));
    reasons.extend(matches!(access(method), Access::Role(_)).then_some(ErrorReason::RoleRequired));
    reasons
}

fn call(method: &MethodDescriptor) -> Option<DynamicMessage> {
    extension(&method.options(), method.parent_pool(), "call")?.as_message().cloned()
}

fn read_reason(value: &EnumValueDescriptor) -> Option<Reason> {
    let said = extension(&value.options(), value.parent_pool(), "error")?;
    let said = said.as_message()?;
    let retry = match number(said, "retry") {
        Some(1) => Retry::Never,
        Some(2) => Retry::Changed,
        Some(3) => Retry::Same,
        other => unreachable!("{} has no Retry {other:?}", value.name()),
    };
    let keys = said.get_field_by_name("metadata");
    let keys = keys.as_deref().and_then(Value::as_list).into_iter().flatten();
    Some(Reason {
        code: Code::from_i32(number(said, "status")?),
        retry,
        every_call: said.get_field_by_name("every_call").and_then(|value| value.as_bool())
            == Some(true),
        metadata: keys.filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}

fn number(message: &DynamicMessage, field: &str) -> Option<i32> {
    message.get_field_by_name(field)?.as_enum_number()
}

/// One of the options of `rights.proto`, if it is said.
fn extension(options: &DynamicMessage, pool: &DescriptorPool, name: &str) -> Option<Value> {
    let extension = pool.get_extension_by_name(&format!("heliopause.rights.v1.{name}"))?;
    options.has_extension(&extension).then(|| options.get_extension(&extension).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{Code, ErrorReason, Retry, name, named, reason, reason_enum};

    #[test]
    fn every_reason_says_its_status_and_whether_a_retry_makes_sense() {
        for value in reason_enum().values().skip(1) {
            let known = ErrorReason::try_from(value.number())
                .expect("the code is made of the same contract");
            assert!(super::read_reason(&value).is_some(), "{} says nothing", value.name());
            assert!(
                !matches!(reason(known).code, Code::Ok | Code::Unknown),
                "{} has no status",
                value.name()
            );
            assert_eq!(named(name(known)), Some(known));
        }
    }

    #[test]
    fn what_is_worth_a_retry_is_no_fault_of_the_request() {
        for value in reason_enum().values().skip(1) {
            let known = reason(ErrorReason::try_from(value.number()).unwrap());
            let passes =
                matches!(known.code, Code::Unavailable | Code::ResourceExhausted | Code::Aborted);
            assert!(known.retry != Retry::Same || passes, "{}", value.name());
        }
    }
}
