//! The gRPC edge: authentication, limits, errors and services. The only module that knows of gRPC.
//!
//! | module | holds |
//! | --- | --- |
//! | [`serve`] | the server from its start to its end |
//! | `connections` | accepting connections |
//! | `sockets` | what connections are made of |
//! | `encryption` | TLS |
//! | `protocols` | telling whoever speaks TLS to a plain port, or the other way round |
//! | `certificate` | how long the server's own certificate is valid |
//! | `proxies` | whom a connection speaks for |
//! | `gate` | what every call passes: authentication, roles, limits |
//! | `requests` | reading a request and checking it |
//! | `compression` | gzip and zstd, both ways |
//! | `call` | what every answer passes: counting, parts, cutting, panics |
//! | `methods` | what is known of each method |
//! | `rights` | who may call what, and how calls are refused |
//! | `contract` | the limits of each field of a request |
//! | [`limits`] | rates; calls, streams, connections and bytes in use |
//! | `ledger` | who uses how much |
//! | `lanes` | where calls are worked on by their cost |
//! | [`drain`] | the way from serving to stopping |
//! | [`errors`] | errors as the contract tells them |
//! | `services` | the list of services |
//! | `player`, `admin`, `game`, `game_master`, `automation`, `sandbox`, `adjudication` | a service each |
//! | `sandbox_steps` | steps at several sandbox games by one call |
//! | `tables` | what the services of games have in common |
//! | `lobby`, `play`, `talk`, `records`, `streams` | GameService by chapter |
//! | `pages` | page sizes and page tokens |
//! | `within` | waiting, but not for too long |
//! | `manual` | docs/errors.md, made of the contract (tests only) |
//! | [`strangers`] | what the edge makes of bytes before it acts, for tools that try them |
//! | `overview`, `measured` | what operators see: engines, workers, leases; measurements as numbers |
//! | `metrics` | what is measured, for Prometheus and for operators |
//! | `web` | the web page's files |
//! | `hosts` | the names under which an engine on loopback is served |
//!
//! **Invariant.** No service is reached but through the gate, so none checks tokens, bans, rates or
//! admin rights itself.

mod adjudication;
mod admin;
mod automation;
mod call;
mod certificate;
mod compression;
mod connections;
mod contract;
pub mod drain;
mod encryption;
pub mod errors;
mod event_stream;
mod game;
mod game_master;
mod gate;
mod hosts;
mod lanes;
mod ledger;
pub mod limits;
mod lobby;
#[cfg(test)]
mod manual;
mod measured;
mod methods;
mod metrics;
mod overview;
mod pages;
mod play;
mod player;
mod protocols;
mod proxies;
mod records;
mod requests;
mod rights;
mod sandbox;
mod sandbox_steps;
pub mod serve;
mod services;
mod sight;
mod sockets;
pub mod strangers;
mod streams;
mod tables;
mod talk;
mod web;
mod within;

use std::sync::Arc;

use self::drain::Drain;
use self::errors::Failure;
use self::limits::Limits;
use self::overview::Process;
use crate::accounts::Accounts;
use crate::channels::Channels;
use crate::config::Watch;
use crate::host::Host;
use crate::store::Store;

/// Who makes a call. The gate puts it into every request's extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The player's id.
    pub player_id: Arc<str>,
    /// The player's name.
    pub name: Arc<str>,
    /// What the account may do.
    pub role: heliopause_proto::v1::AccountRole,
    /// The token that the call was made with.
    pub token_id: Arc<str>,
}

impl Caller {
    /// Somebody without an account, who watches: no account has this id.
    pub(crate) fn nobody() -> Self {
        let (player_id, name, token_id) = ("".into(), "".into(), "".into());
        Self { player_id, name, role: heliopause_proto::v1::AccountRole::Unspecified, token_id }
    }
}

/// What the services share.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) channels: Arc<Channels>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) host: Arc<Host>,
    pub(crate) drain: Drain,
    /// The size of a message that a client may send.
    pub(crate) message_bytes: usize,
    /// Who may watch.
    pub(crate) watch: Watch,
    /// Whether the web page is served.
    pub(crate) web: bool,
    /// This process, among those that share the store.
    pub(crate) process: Arc<Process>,
}

/// Who makes a call.
pub(crate) fn caller<T>(request: &tonic::Request<T>) -> Result<Caller, Failure> {
    let caller = request.extensions().get::<Caller>().cloned();
    caller.ok_or_else(|| Failure::internal("a call reached its service without passing the gate"))
}

pub(crate) use crate::host::timestamp;
