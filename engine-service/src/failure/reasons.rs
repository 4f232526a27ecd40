//! The properties of each error reason, read from the options of `errors.proto`.

use std::sync::LazyLock;

use heliopause_proto::POOL;
use heliopause_proto::v1::ErrorReason;
use prost_reflect::{DescriptorPool, DynamicMessage, EnumDescriptor, EnumValueDescriptor, Value};
use tonic::Code;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    Never,
    Changed,
    Same,
}

#[derive(Clone, Debug)]
pub(crate) struct Reason {
    pub(crate) code: Code,
    pub(crate) retry: Retry,
    pub(crate) every_call: bool,
    pub(crate) metadata: Vec<String>,
}

/// All reasons by number. Reason 0 is unspecified and never sent.
static REASONS: LazyLock<Vec<Option<Reason>>> = LazyLock::new(|| {
    let mut reasons: Vec<Option<Reason>> = Vec::new();
    for value in reason_enum().values() {
        let number = usize::try_from(value.number()).expect("reasons have numbers from 0");
        reasons.resize(reasons.len().max(number + 1), None);
        reasons[number] = read_reason(&value);
    }
    reasons
});

pub(crate) fn reason_enum() -> EnumDescriptor {
    POOL.get_enum_by_name("heliopause.v1.ErrorReason").expect("errors.proto has it")
}

/// Returns the properties of a reason. An unknown reason has those of `Internal`.
pub(crate) fn reason(reason: ErrorReason) -> &'static Reason {
    let known = |reason: ErrorReason| REASONS.get(reason as usize).and_then(Option::as_ref);
    known(reason)
        .or_else(|| known(ErrorReason::Internal))
        .expect("errors.proto describes every reason")
}

pub(crate) fn name(reason: ErrorReason) -> &'static str {
    reason.as_str_name().trim_start_matches("ERROR_REASON_")
}

pub(crate) fn named(name: &str) -> Option<ErrorReason> {
    ErrorReason::from_str_name(&format!("ERROR_REASON_{name}"))
}

fn read_reason(value: &EnumValueDescriptor) -> Option<Reason> {
    let said = extension(&value.options(), value.parent_pool(), "rights.v1.error")?;
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

pub(crate) fn number(message: &DynamicMessage, field: &str) -> Option<i32> {
    message.get_field_by_name(field)?.as_enum_number()
}

pub(crate) fn extension(
    options: &DynamicMessage,
    pool: &DescriptorPool,
    name: &str,
) -> Option<Value> {
    let extension = pool.get_extension_by_name(&format!("heliopause.{name}"))?;
    options.has_extension(&extension).then(|| options.get_extension(&extension).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{Code, ErrorReason, Retry, name, named, reason, reason_enum};

    #[test]
    fn every_reason_has_a_status_and_a_retry_rule() {
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
    fn retryable_reasons_do_not_blame_the_request() {
        for value in reason_enum().values().skip(1) {
            let known = reason(ErrorReason::try_from(value.number()).unwrap());
            let passes =
                matches!(known.code, Code::Unavailable | Code::ResourceExhausted | Code::Aborted);
            assert!(known.retry != Retry::Same || passes, "{}", value.name());
        }
    }
}
