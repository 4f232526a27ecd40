//! What the edge knows of each method before it looks at a request.

use std::collections::HashMap;
use std::sync::LazyLock;

use heliopause_proto::v1::AccountRole;
use prost::Message as _;
use prost_types::{FileDescriptorSet, MethodDescriptorProto, ServiceDescriptorProto};

/// Who may call a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Everybody, even while the server drains: health and reflection.
    Open,
    /// Whoever wants to come in.
    Register,
    /// Whoever has an account.
    Account,
    /// An account with this role.
    Role(AccountRole),
}

/// A method.
#[derive(Debug)]
pub(super) struct Method {
    /// Its path, as a label of metrics.
    pub(super) path: &'static str,
    pub(super) access: Access,
    /// Whether it streams its answer.
    pub(super) streams: bool,
}

/// Every path that is not a method shares one label: a caller cannot grow the metrics.
const UNKNOWN: Method = Method { path: "unknown", access: Access::Account, streams: false };

static METHODS: LazyLock<HashMap<&'static str, Method>> = LazyLock::new(|| {
    let sets = [
        heliopause_proto::DESCRIPTORS,
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
    ];
    sets.into_iter().flat_map(methods_of).map(|method| (method.path, method)).collect()
});

/// The method at a path.
pub(super) fn method(path: &str) -> &'static Method {
    METHODS.get(path).unwrap_or(&UNKNOWN)
}

fn methods_of(descriptors: &[u8]) -> Vec<Method> {
    let set = FileDescriptorSet::decode(descriptors).expect("the build made these descriptors");
    let mut methods = Vec::new();
    for file in &set.file {
        for service in &file.service {
            let service_name = format!("{}.{}", file.package(), service.name());
            methods.extend(service.method.iter().map(|method| described(&service_name, service, method)));
        }
    }
    methods
}

fn described(service_name: &str, service: &ServiceDescriptorProto, method: &MethodDescriptorProto) -> Method {
    let access = match (service.name(), method.name()) {
        ("Health" | "ServerReflection", _) => Access::Open,
        ("PlayerService", "Register") => Access::Register,
        ("AdminService", _) => Access::Role(AccountRole::Admin),
        ("AutomationService", _) => Access::Role(AccountRole::Worker),
        _ => Access::Account,
    };
    // Leaked once for the life of the process, so that labels need no copies.
    let path = Box::leak(format!("/{service_name}/{}", method.name()).into_boxed_str());
    Method { path, access, streams: method.server_streaming() }
}

#[cfg(test)]
mod tests {
    use super::{Access, AccountRole, method};

    #[test]
    fn methods_are_known_with_their_access() {
        let expected = [
            ("/heliopause.v1.PlayerService/Register", Access::Register, false),
            ("/heliopause.v1.PlayerService/GetMe", Access::Account, false),
            ("/heliopause.v1.GameService/StreamEvents", Access::Account, true),
            ("/heliopause.v1.AdminService/Drain", Access::Role(AccountRole::Admin), false),
            ("/heliopause.v1.AutomationService/Work", Access::Role(AccountRole::Worker), true),
            ("/grpc.health.v1.Health/Watch", Access::Open, true),
            ("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", Access::Open, true),
            ("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", Access::Open, true),
        ];
        for (path, access, streams) in expected {
            let method = method(path);
            assert_eq!((method.path, method.access, method.streams), (path, access, streams));
        }
    }

    #[test]
    fn what_is_not_known_needs_an_account() {
        for path in ["/", "/heliopause.v1.PlayerService/register", "/heliopause.v1.PlayerService/Register/", "/x"] {
            assert_eq!((method(path).path, method(path).access), ("unknown", Access::Account), "{path}");
        }
    }
}
