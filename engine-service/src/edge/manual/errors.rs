//! The page of errors and calls, made of the contract's descriptors: `docs/errors.md`.
//!
//!     WRITE_DOCS=1 cargo nextest run --workspace -E 'test(manual)'

use std::collections::BTreeMap;
use std::fmt::Write as _;

use heliopause_proto::POOL;
use prost_reflect::{EnumValueDescriptor, MethodDescriptor};

use super::super::contract;
use super::super::lanes::{self, Cost};
use super::super::methods::Access;
use super::super::rights::{self, Retry};
use heliopause_proto::v1::{AccountRole, ErrorReason};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/errors.md");

const HEAD: &str = "\
# Errors and calls

Made of the options in [`proto/heliopause`](../proto/heliopause), which the engine itself goes by; a test fails where this page differs.
`WRITE_DOCS=1 cargo nextest run --workspace -E 'test(manual)'` writes it anew. [clients.md](clients.md) says how to live with errors,
[refusals.md](refusals.md) lists what the rules of each game refuse.

Every error has a `google.rpc.ErrorInfo` in `grpc-status-details-bin`: its domain is `heliopause`, its `reason` one of these, its
metadata as listed. An error in a field has a `google.rpc.BadRequest` besides, one that is worth the same call again a
`google.rpc.RetryInfo`. Take a reason that you do not know by its gRPC status.

## Reasons

*Again*: `same` means that the same call, with the same request id, may succeed after the time in `RetryInfo`; `changed` that something
in it has to be another, or that you have to look again first; `never` that it fails again until somebody else does something about it.

";

#[test]
fn the_manual_of_errors_is_current() {
    let page = page();
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::write(PATH, &page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(PATH).unwrap_or_default();
    assert!(written == page, "docs/errors.md is not current: run with WRITE_DOCS=1");
}

/// What a comment says must be what the option says, or one of the two is wrong.
#[test]
fn a_comment_names_no_reason_that_its_call_does_not_have() {
    for method in methods() {
        let comment = comment(
            method.path(),
            method.parent_file().file_descriptor_proto().source_code_info.as_ref(),
        );
        let words =
            comment.split(|character: char| !character.is_ascii_uppercase() && character != '_');
        let named =
            words.filter_map(rights::named).filter(|reason| *reason != ErrorReason::Unspecified);
        let can = rights::refusals(&method);
        for reason in named {
            let listed = can.contains(&reason) || rights::reason(reason).every_call;
            assert!(
                listed,
                "{}: its comment names {}, its option does not",
                method.full_name(),
                rights::name(reason)
            );
        }
    }
}

/// Nobody calls what the contract does not say enough about.
#[test]
fn every_call_says_who_may_make_it_and_what_it_weighs() {
    let mut heavy = 0;
    for method in methods() {
        let weight = weight(&method);
        assert!((1..=100).contains(&weight), "{} weighs {weight}", method.full_name());
        heavy += usize::from(Cost::of(weight) == Cost::Heavy);
        assert!(!comment_of(&method).is_empty(), "{} says nothing", method.full_name());
    }
    assert!(heavy >= 6, "only {heavy} calls are heavy");
    let open: Vec<_> =
        methods().into_iter().filter(|method| rights::access(method) == Access::Open).collect();
    assert_eq!(
        open.iter().map(MethodDescriptor::name).collect::<Vec<_>>(),
        ["Register", "GetServerInfo", "SignIn"],
        "of the contract's own calls"
    );
}

fn methods() -> Vec<MethodDescriptor> {
    let mut services: Vec<_> = POOL.services().collect();
    services.sort_by_key(|service| service.full_name().to_owned());
    services.iter().flat_map(|service| service.methods().collect::<Vec<_>>()).collect()
}

fn weight(method: &MethodDescriptor) -> u32 {
    contract::option(&method.options(), method.parent_pool(), "weight").unwrap_or(1)
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    page += "| reason | gRPC status | again | metadata | cause and what to do |\n| --- | --- | --- \
        | --- | --- |\n";
    let mut every = Vec::new();
    for value in rights::reason_enum().values().skip(1) {
        let reason =
            ErrorReason::try_from(value.number()).expect("the code is made of the same contract");
        let known = rights::reason(reason);
        let again = match known.retry {
            Retry::Never => "never",
            Retry::Changed => "changed",
            Retry::Same => "same",
        };
        let metadata: Vec<String> = known.metadata.iter().map(|key| format!("`{key}`")).collect();
        let status = super::super::call::code_name(known.code);
        let (name, metadata) = (rights::name(reason), metadata.join(", "));
        writeln!(page, "| `{name}` | `{status}` | {again} | {metadata} | {} |", cause(&value))
            .unwrap();
        every.extend(known.every_call.then(|| format!("`{name}`")));
    }
    write!(
        page,
        "\n## Calls\n\nEvery call can be refused with {}. A call whose service or name the server \
         does not know is refused with \
         `UNKNOWN_METHOD`. The others stand here.\n\n*Who*: `open` is everybody, `account` whoever \
         sends a token, `worker` and `admin` an \
         account with that role, `watcher` whoever sends a token, and without one whom \
         `--watch public` lets watch. What a call weighs counts against its caller's rate; calls from \
         {} on are heavy.\n",
        every.join(", "),
        lanes::HEAVY_FROM
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
            let reasons: Vec<String> = rights::refusals(&method)
                .into_iter()
                .map(|reason| format!("`{}`", rights::name(reason)))
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
    match rights::access(method) {
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

/// The comment of a reason in one line.
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
