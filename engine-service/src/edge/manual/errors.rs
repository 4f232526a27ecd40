//! `docs/errors.md`, the page of errors and calls, generated from the contract's descriptors.
//!
//!     WRITE_DOCS=1 cargo nextest run --workspace -E 'test(manual)'

use std::collections::BTreeMap;
use std::fmt::Write as _;

use heliopause_proto::POOL;
use prost_reflect::{EnumValueDescriptor, MethodDescriptor};

use crate::edge::gate::methods::{Access, access, refusals, weight};
use crate::edge::limits::executors::{self, Cost};
use crate::failure::reasons;
use heliopause_proto::v1::{AccountRole, ErrorReason};

const HEAD: &str = include_str!("errors_head.md");

#[test]
fn the_manual_of_errors_is_current() {
    super::check_page("errors.md", &page());
}

#[test]
fn comments_name_only_reasons_that_their_call_lists() {
    for method in methods() {
        let comment = comment_of(&method);
        let words =
            comment.split(|character: char| !character.is_ascii_uppercase() && character != '_');
        let named =
            words.filter_map(reasons::named).filter(|reason| *reason != ErrorReason::Unspecified);
        let can = refusals(&method);
        for reason in named {
            let listed = can.contains(&reason) || reasons::reason(reason).every_call;
            assert!(
                listed,
                "{}: its comment names {}, its option does not",
                method.full_name(),
                reasons::name(reason)
            );
        }
    }
}

#[test]
fn every_call_states_its_access_and_weight() {
    let mut heavy = 0;
    for method in methods() {
        let weight = weight(&method);
        assert!((1..=100).contains(&weight), "{} weighs {weight}", method.full_name());
        heavy += usize::from(Cost::of(weight) == Cost::Heavy);
        assert!(!comment_of(&method).is_empty(), "{} says nothing", method.full_name());
    }
    assert!(heavy >= 6, "only {heavy} calls are heavy");
    let open: Vec<_> =
        methods().into_iter().filter(|method| access(method) == Access::Open).collect();
    assert_eq!(
        open.iter().map(MethodDescriptor::name).collect::<Vec<_>>(),
        [
            "Register",
            "GetServerInfo",
            "SignIn",
            "StartSignIn",
            "FinishSignIn",
            "SignInWithRecoveryCode"
        ],
        "of the contract's own calls"
    );
}

fn methods() -> Vec<MethodDescriptor> {
    let mut services: Vec<_> = POOL.services().collect();
    services.sort_by_key(|service| service.full_name().to_owned());
    services.iter().flat_map(|service| service.methods().collect::<Vec<_>>()).collect()
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    page += "| reason | gRPC status | retry | metadata | cause and what to do |\n| --- | --- | --- \
        | --- | --- |\n";
    let mut every = Vec::new();
    for value in reasons::reason_enum().values().skip(1) {
        let reason =
            ErrorReason::try_from(value.number()).expect("the code is made of the same contract");
        let known = reasons::reason(reason);
        let retry = known.retry().as_str_name().trim_start_matches("RETRY_").to_lowercase();
        let metadata: Vec<String> = known.metadata.iter().map(|key| format!("`{key}`")).collect();
        let status = crate::edge::gate::call::code_name(tonic::Code::from_i32(known.status));
        let (name, metadata) = (reasons::name(reason), metadata.join(", "));
        writeln!(page, "| `{name}` | `{status}` | {retry} | {metadata} | {} |", cause(&value))
            .unwrap();
        every.extend(known.every_call.then(|| format!("`{name}`")));
    }
    write!(
        page,
        "\n## Calls\n\nEvery call can fail with {}. An unknown service or call fails with \
         `UNKNOWN_METHOD`. The tables list the other reasons.\n\n| who | may make the call \
         |\n| --- | --- |\n| `open` | everyone |\n| `account` | callers with a token |\n\
         | `watcher` | callers with a token; everyone if the engine runs with `--watch public` \
         |\n\
         | `worker`, `admin` | accounts with this role |\n\nThe weight of a call counts \
         against the caller's rate limit. Calls with a weight of {} or more are heavy.\n",
        every.join(", "),
        executors::HEAVY_FROM
    )
    .unwrap();
    let mut services: BTreeMap<String, Vec<MethodDescriptor>> = BTreeMap::new();
    for method in methods() {
        services.entry(method.parent_service().full_name().to_owned()).or_default().push(method);
    }
    for (service, methods) in services {
        write!(
            page,
            "\n### {service}\n\n| call | who | weight | refused with |\n| --- | --- | --- | --- |\n"
        )
        .unwrap();
        for method in methods {
            let reasons: Vec<String> = refusals(&method)
                .into_iter()
                .map(|reason| format!("`{}`", reasons::name(reason)))
                .collect();
            let (name, weight) = (method.name(), weight(&method));
            let heavy = if Cost::of(weight) == Cost::Heavy { " (heavy)" } else { "" };
            writeln!(
                page,
                "| `{name}` | {} | {weight}{heavy} | {} |",
                who(&method),
                reasons.join(", ")
            )
            .unwrap();
        }
    }
    page
}

fn who(method: &MethodDescriptor) -> &'static str {
    match access(method) {
        Access::Open => "open",
        Access::Account => "account",
        Access::Watcher => "watcher",
        Access::Role(AccountRole::Worker) => "worker",
        Access::Role(AccountRole::Admin) => "admin",
        Access::Role(AccountRole::Player | AccountRole::Unspecified) => {
            unreachable!("rights.proto has no such access")
        }
    }
}

fn cause(value: &EnumValueDescriptor) -> String {
    comment(
        value.path(),
        value.parent_enum().parent_file().file_descriptor_proto().source_code_info.as_ref(),
    )
}

fn comment_of(method: &MethodDescriptor) -> String {
    comment(method.path(), method.parent_file().file_descriptor_proto().source_code_info.as_ref())
}

fn comment(path: &[i32], info: Option<&prost_types::SourceCodeInfo>) -> String {
    let locations = info.map(|info| info.location.as_slice()).unwrap_or_default();
    let here = locations.iter().find(|location| location.path == path);
    let words = here.and_then(|location| location.leading_comments.as_deref()).unwrap_or_default();
    words.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
