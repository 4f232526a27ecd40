//! What the edge knows of each method before it looks at a request.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use heliopause_proto::POOL;
use heliopause_proto::v1::ErrorReason;
use prost_reflect::{DescriptorPool, MethodDescriptor};

use super::contract::{self, Breach, Rules};
use super::rights;
use crate::maps::Map;

pub(super) use super::rights::Access;

/// A method.
#[derive(Debug)]
pub(super) struct Method {
    /// Its path, as a label of metrics.
    pub(super) path: &'static str,
    pub(super) access: Access,
    /// Whether it streams its answer.
    pub(super) streams: bool,
    /// Whether it is sent a stream of requests.
    pub(super) hears: bool,
    /// What a call weighs, as the contract says.
    pub(super) weight: u32,
    /// Whether one comes in by it: opens an account or signs in, which an address may do only so
    /// often.
    pub(super) registers: bool,
    /// Why it can be refused, besides the reasons that every call has.
    refusals: BTreeSet<ErrorReason>,
    /// What it is sent, if that is known.
    request: Option<contract::Id>,
}

/// Every path that is not a method shares one label: a caller cannot grow the metrics.
static UNKNOWN: Method = Method {
    path: "unknown",
    access: Access::Account,
    streams: false,
    hears: false,
    weight: 1,
    registers: false,
    refusals: BTreeSet::new(),
    request: None,
};

/// The calls by which one comes in.
const ENTRANCES: [&str; 2] =
    ["heliopause.v1.PlayerService.Register", "heliopause.v1.PlayerService.SignIn"];

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

/// The method at a path.
pub(super) fn method(path: &str) -> &'static Method {
    KNOWN.methods.get(path).unwrap_or(&UNKNOWN)
}

/// The paths of all methods, in their order.
pub(super) fn paths() -> Vec<&'static str> {
    let mut paths: Vec<&str> = KNOWN.methods.keys().copied().collect();
    paths.sort_unstable();
    paths
}

impl Method {
    /// Checks an encoded request by the limits of the contract, and answers how many things are in
    /// it.
    pub(super) fn check(&self, request: &[u8]) -> Result<usize, Breach> {
        self.request.map_or(Ok(0), |id| KNOWN.rules.check(id, request))
    }

    /// Whether a call counts among those that are under way: all do but those of health and
    /// reflection, which say that there are too many of them.
    pub(super) fn is_counted(&self) -> bool {
        !self.path.starts_with("/grpc.")
    }

    /// Whether there is such a method.
    pub(super) fn is_known(&self) -> bool {
        self.request.is_some()
    }

    /// Whether the contract says that a call can be refused so.
    pub(super) fn can_refuse(&self, reason: ErrorReason) -> bool {
        self.refusals.contains(&reason) || rights::reason(reason).every_call || !self.is_known()
    }
}

impl Known {
    fn learn(&mut self, method: &MethodDescriptor) {
        let service = method.parent_service();
        // Leaked once for the life of the process, so that labels need no copies.
        let path: &'static str =
            Box::leak(format!("/{}/{}", service.full_name(), method.name()).into_boxed_str());
        let (streams, hears) = (method.is_server_streaming(), method.is_client_streaming());
        let weight =
            contract::option(&method.options(), method.parent_pool(), "weight").unwrap_or(1);
        let request = Some(self.rules.learn(&method.input()));
        let (access, refusals) = (rights::access(method), rights::refusals(method));
        let registers = ENTRANCES.contains(&method.full_name());
        let known = Method { path, access, streams, hears, weight, registers, refusals, request };
        self.methods.insert(path, known);
    }
}

#[cfg(test)]
mod tests {
    use heliopause_proto::v1::AccountRole;

    use super::{Access, ErrorReason, KNOWN, method};

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
    fn what_is_not_known_needs_an_account() {
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
    fn refusals_are_said_or_follow_from_the_request_and_from_who_may_call() {
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

    /// Whoever reads the manual is told what the descriptors say, and the engine goes by the
    /// descriptors.
    #[test]
    fn the_manual_names_the_weight_of_every_call_that_is_not_light() {
        let manual = include_str!("../../../docs/clients.md");
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
