//! The access rule and the errors of each call, read from the options of `rights.proto`.

use std::collections::BTreeSet;

use heliopause_proto::v1::{AccountRole, ErrorReason};
use prost_reflect::{DynamicMessage, MethodDescriptor, Value};

use crate::failure::reasons::{extension, named, number};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Open,
    Account,
    Role(AccountRole),
    /// Callers with an account, and anonymous spectators if the operator allows them.
    Watcher,
}

/// Returns the access rule of the method, or else of its service, or else the default.
pub(crate) fn access(method: &MethodDescriptor) -> Access {
    let own = call(method).and_then(|call| number(&call, "access")).filter(|access| *access != 0);
    let service = || {
        let said =
            extension(&method.parent_service().options(), method.parent_pool(), "rights.v1.access");
        said.and_then(|value| value.as_enum_number())
    };
    // By default, the contract's services require an account. Health and reflection do not.
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

/// Derives the errors that are specific to a method from its options, request and access rule.
pub(crate) fn refusals(method: &MethodDescriptor) -> BTreeSet<ErrorReason> {
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
    extension(&method.options(), method.parent_pool(), "rights.v1.call")?.as_message().cloned()
}
