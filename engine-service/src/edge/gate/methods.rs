//! The properties of each method that are known before a request is read.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use heliopause_proto::POOL;
use heliopause_proto::rights::v1::{self as rights, Call};
use heliopause_proto::v1::{AccountRole, ErrorReason};
use prost_reflect::{DescriptorPool, MethodDescriptor};

use super::contract::{self, Rules, Violation};
use crate::failure::reasons::{self, extension, message_option, named};
use crate::maps::Map;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Open,
    Account,
    Role(AccountRole),
    /// Callers with an account, and anonymous spectators if the operator allows them.
    Watcher,
}

#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) path: &'static str,
    pub(crate) access: Access,
    pub(crate) streams: bool,
    pub(crate) streams_requests: bool,
    pub(crate) weight: u32,
    /// Whether the method registers an account or signs in. Such calls are limited per address.
    pub(crate) registers: bool,
    refusals: BTreeSet<ErrorReason>,
    request: Option<contract::Id>,
}

/// The method of all unknown paths. A label for each path would let callers grow the metrics.
static UNKNOWN: Method = Method {
    path: "unknown",
    access: Access::Account,
    streams: false,
    streams_requests: false,
    weight: 1,
    registers: false,
    refusals: BTreeSet::new(),
    request: None,
};

const SIGN_IN_CALLS: [&str; 6] = [
    "heliopause.v1.PlayerService.Register",
    "heliopause.v1.PlayerService.SignIn",
    "heliopause.v1.SignInService.StartSignIn",
    "heliopause.v1.SignInService.FinishSignIn",
    "heliopause.v1.SignInService.SignInWithRecoveryCode",
    "heliopause.v1.SignInService.StartSignInMethod",
];

#[derive(Default)]
struct Known {
    methods: Map<&'static str, Method>,
    rules: Rules,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let mut known = Known::default();
    let foreign = [
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
    ];
    let foreign = foreign
        .map(|set| DescriptorPool::decode(set).expect("their builds made these descriptors"));
    for pool in foreign.iter().chain([&*POOL]) {
        for method in pool.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
            known.learn(&method);
        }
    }
    known
});

pub(crate) fn method(path: &str) -> &'static Method {
    KNOWN.methods.get(path).unwrap_or(&UNKNOWN)
}

pub(crate) fn paths() -> Vec<&'static str> {
    let mut paths: Vec<&str> = KNOWN.methods.keys().copied().collect();
    paths.sort_unstable();
    paths
}

impl Method {
    /// Checks a request against the contract. Returns the number of messages and repeated values in
    /// it, or the first violation.
    pub(crate) fn check(&self, request: &[u8]) -> Result<usize, Violation> {
        self.request.map_or(Ok(0), |id| KNOWN.rules.check(id, request))
    }

    /// Returns whether the call counts as in progress. Health and reflection calls do not, so that
    /// they work under overload.
    pub(crate) fn is_counted(&self) -> bool {
        !self.path.starts_with("/grpc.")
    }

    pub(crate) fn is_known(&self) -> bool {
        self.request.is_some()
    }

    pub(crate) fn can_refuse(&self, reason: ErrorReason) -> bool {
        self.refusals.contains(&reason) || reasons::reason(reason).every_call || !self.is_known()
    }
}

impl Known {
    fn learn(&mut self, method: &MethodDescriptor) {
        let service = method.parent_service();
        // The path is leaked because metric labels must live as long as the process.
        let path: &'static str =
            Box::leak(format!("/{}/{}", service.full_name(), method.name()).into_boxed_str());
        let known = Method {
            path,
            access: access(method),
            streams: method.is_server_streaming(),
            streams_requests: method.is_client_streaming(),
            weight: weight(method),
            registers: SIGN_IN_CALLS.contains(&method.full_name()),
            refusals: refusals(method),
            request: Some(self.rules.learn(&method.input())),
        };
        self.methods.insert(path, known);
    }
}

pub(crate) fn weight(method: &MethodDescriptor) -> u32 {
    contract::option(&method.options(), method.parent_pool(), "weight").unwrap_or(1)
}

/// Returns the access rule of the method, or else of its service, or else the default.
pub(crate) fn access(method: &MethodDescriptor) -> Access {
    let own = call(method).access();
    let of_service = || {
        let options = method.parent_service().options();
        let said = extension(&options, method.parent_pool(), "rights.v1.access")?;
        rights::Access::try_from(said.as_enum_number()?).ok()
    };
    // By default, the contract's services require an account. Health and reflection do not.
    let foreign = !method.full_name().starts_with("heliopause.");
    match Some(own).filter(|own| *own != rights::Access::Unspecified).or_else(of_service) {
        None if foreign => Access::Open,
        None | Some(rights::Access::Unspecified | rights::Access::Account) => Access::Account,
        Some(rights::Access::Open) => Access::Open,
        Some(rights::Access::Worker) => Access::Role(AccountRole::Worker),
        Some(rights::Access::Admin) => Access::Role(AccountRole::Admin),
        Some(rights::Access::Watcher) => Access::Watcher,
    }
}

/// Derives the errors that are specific to a method from its options, request and access rule.
pub(crate) fn refusals(method: &MethodDescriptor) -> BTreeSet<ErrorReason> {
    let reason = |name: &String| {
        named(name)
            .unwrap_or_else(|| panic!("{}: errors.proto has no reason {name}", method.full_name()))
    };
    let mut reasons: BTreeSet<ErrorReason> = call(method).refuses.iter().map(reason).collect();
    let asks = |field| method.input().get_field_by_name(field).is_some();
    reasons.extend(asks("game_id").then_some(ErrorReason::GameNotFound));
    reasons.extend(asks("request_id").then_some(ErrorReason::RequestIdReused));
    reasons.extend(matches!(access(method), Access::Role(_)).then_some(ErrorReason::RoleRequired));
    reasons
}

fn call(method: &MethodDescriptor) -> Call {
    message_option(&method.options(), method.parent_pool(), "rights.v1.call").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Access, AccountRole, ErrorReason, KNOWN, method};

    #[test]
    fn methods_are_known_with_their_access() {
        let expected = [
            ("/heliopause.v1.PlayerService/Register", Access::Open, false),
            ("/heliopause.v1.PlayerService/GetMe", Access::Account, false),
            ("/heliopause.v1.PlayerService/SignIn", Access::Open, false),
            ("/heliopause.v1.GameService/StreamEvents", Access::Watcher, true),
            ("/heliopause.v1.GameService/StreamMyGames", Access::Account, true),
            ("/heliopause.v1.GameService/SubmitOrders", Access::Account, false),
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
    fn unknown_methods_need_an_account() {
        for path in [
            "/",
            "/heliopause.v1.PlayerService/register",
            "/heliopause.v1.PlayerService/Register/",
            "/x",
        ] {
            assert_eq!(
                (method(path).path, method(path).access),
                ("unknown", Access::Account),
                "{path}"
            );
        }
    }

    #[test]
    fn error_reasons_come_from_options_request_and_access() {
        let can = |path: &str, reason| method(path).can_refuse(reason);
        assert!(can("/heliopause.v1.GameService/JoinGame", ErrorReason::NoOpenSeat), "it says so");
        assert!(
            can("/heliopause.v1.GameService/JoinGame", ErrorReason::GameNotFound),
            "it names a game"
        );
        assert!(
            can("/heliopause.v1.GameService/SubmitOrders", ErrorReason::RequestIdReused),
            "it names a request"
        );
        assert!(
            can("/heliopause.v1.AdminService/Drain", ErrorReason::RoleRequired),
            "it needs a role"
        );
        assert!(
            can("/heliopause.v1.GameService/ListKinds", ErrorReason::RateLimited),
            "every call"
        );
        assert!(!can("/heliopause.v1.GameService/ListKinds", ErrorReason::GameNotFound));
        assert!(!can("/heliopause.v1.GameService/GetGame", ErrorReason::NoOpenSeat));
    }

    #[test]
    fn manual_lists_the_weight_of_every_call_that_is_not_light() {
        let manual = include_str!("../../../../docs/clients.md");
        let mut heavy: Vec<_> = KNOWN.methods.values().filter(|method| method.weight > 1).collect();
        heavy.sort_by_key(|method| (method.weight, method.path));
        assert!(heavy.len() > 20, "the weights are read: {heavy:?}");
        for method in heavy {
            let call = method.path.rsplit('/').next().unwrap();
            let row =
                manual.lines().find(|line| line.starts_with(&format!("| {} |", method.weight)));
            assert!(
                row.is_some_and(|row| row.contains(&format!("`{call}`"))),
                "{call} weighs {}",
                method.weight
            );
        }
    }
}
