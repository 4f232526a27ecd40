//! The properties of each error reason, read from the options of `errors.proto`.

use std::sync::LazyLock;

use heliopause_proto::POOL;
use heliopause_proto::rights::v1::Error;
use heliopause_proto::v1::ErrorReason;
use prost_reflect::{DescriptorPool, DynamicMessage, EnumDescriptor, EnumValueDescriptor, Value};

/// All reasons by number. Reason 0 is unspecified and never sent.
static REASONS: LazyLock<Vec<Option<Error>>> = LazyLock::new(|| {
    let mut reasons: Vec<Option<Error>> = Vec::new();
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
pub(crate) fn reason(reason: ErrorReason) -> &'static Error {
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

fn read_reason(value: &EnumValueDescriptor) -> Option<Error> {
    message_option(&value.options(), value.parent_pool(), "rights.v1.error")
}

pub(crate) fn extension(
    options: &DynamicMessage,
    pool: &DescriptorPool,
    name: &str,
) -> Option<Value> {
    let extension = pool.get_extension_by_name(&format!("heliopause.{name}"))?;
    options.has_extension(&extension).then(|| options.get_extension(&extension).into_owned())
}

/// Returns an option that is a message, or `None` if it is not set.
pub(crate) fn message_option<M: prost::Message + Default>(
    options: &DynamicMessage,
    pool: &DescriptorPool,
    name: &str,
) -> Option<M> {
    extension(options, pool, name)?.as_message()?.transcode_to().ok()
}

#[cfg(test)]
mod tests {
    use heliopause_proto::rights::v1::Retry;
    use tonic::Code;

    use super::{ErrorReason, name, named, reason, reason_enum};

    #[test]
    fn every_reason_has_a_status_and_a_retry_rule() {
        for value in reason_enum().values().skip(1) {
            let known = ErrorReason::try_from(value.number())
                .expect("the code is made of the same contract");
            let said = super::read_reason(&value)
                .unwrap_or_else(|| panic!("{} says nothing", value.name()));
            assert_ne!(said.retry(), Retry::Unspecified, "{}", value.name());
            let code = Code::from_i32(said.status);
            assert!(!matches!(code, Code::Ok | Code::Unknown), "{} has no status", value.name());
            assert_eq!(named(name(known)), Some(known));
        }
    }

    #[test]
    fn retryable_reasons_do_not_blame_the_request() {
        for value in reason_enum().values().skip(1) {
            let known = reason(ErrorReason::try_from(value.number()).unwrap());
            let code = Code::from_i32(known.status);
            let passes =
                matches!(code, Code::Unavailable | Code::ResourceExhausted | Code::Aborted);
            assert!(known.retry() != Retry::Same || passes, "{}", value.name());
        }
    }
}
