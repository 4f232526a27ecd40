//! The gate that every call passes: it says who calls, whether they may, and whether there is room.

use std::convert::Infallible;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use heliopause_proto::v1::{AccountRole, ErrorReason};
use http::request::Parts;
use http::{Request, Response, header};
use http_body_util::{BodyExt as _, StreamBody};
use tokio_stream::wrappers::ReceiverStream;
use tonic::body::Body;
use tonic::transport::server::TlsConnectInfo;
use tonic::{Code, Status};
use tower::{Layer, Service};

use super::Caller;
use super::call::{Call, Cut, Ending, caught, encoded};
use super::compression::{self, pack_answer};
use super::connections::Peer;
use super::drain::Drain;
use super::errors::Failure;
use super::lanes::{Cost, Lanes};
use super::limits::{Anonymous, Holding, Limits};
use super::methods::{Access, Method, method};
use super::proxies::Proxies;
use super::requests::{self, Reading};
use super::within::within;
use crate::accounts::{Accounts, Bearer};
use crate::config::Watch;

/// How long a call may take until its answer begins.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// A call weighs one more for so many bytes of its request.
const BYTES_OF_WEIGHT: usize = 4 << 10;

/// What the gate decides by.
pub(super) struct Gatekeeper {
    pub(super) accounts: Arc<Accounts>,
    pub(super) limits: Arc<Limits>,
    pub(super) drain: Drain,
    pub(super) lanes: Arc<Lanes>,
    pub(super) proxies: Arc<Proxies>,
    /// Whether workers must show a client certificate.
    pub(super) workers_need_certificates: bool,
    pub(super) message_bytes: usize,
    /// Who may watch.
    pub(super) watch: Watch,
}

/// Puts the gate before a service.
#[derive(Clone)]
pub(super) struct GateLayer(pub(super) Arc<Gatekeeper>);

impl<S> Layer<S> for GateLayer {
    type Service = Gate<S>;

    fn layer(&self, inner: S) -> Gate<S> {
        Gate { keeper: Arc::clone(&self.0), inner }
    }
}

/// A service behind the gate.
#[derive(Clone)]
pub(super) struct Gate<S> {
    keeper: Arc<Gatekeeper>,
    inner: S,
}

impl<S> Service<Request<Body>> for Gate<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // The one that was asked whether it is ready is the one to call.
        let next = self.inner.clone();
        let ready = std::mem::replace(&mut self.inner, next);
        let keeper = Arc::clone(&self.keeper);
        Box::pin(async move { Ok(keeper.pass(ready, request).await) })
    }
}

/// The connection of a call and the address behind it, whoever makes the call.
struct Anybody {
    peer: Option<Peer>,
    address: IpAddr,
}

impl Anybody {
    fn of(head: &Parts, proxies: &Proxies) -> Self {
        let peer = head.extensions.get::<Peer>().cloned();
        // Only a test that calls the gate without a connection has no peer.
        let from = peer.as_ref().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), Peer::address);
        Self { peer, address: proxies.client(from, &head.headers) }
    }

    /// Closes the connection of a caller who ignores refusals, unless an account is known on it.
    fn refused(&self, limits: &Limits) {
        if let Some(peer) = &self.peer
            && !peer.is_known()
            && !limits.refusal(self.address)
        {
            peer.oust();
        }
    }
}

/// An admitted call.
struct Admitted {
    holding: Arc<Holding>,
    caller: Option<Caller>,
    ending: Ending,
}

impl Gatekeeper {
    async fn pass<S>(&self, service: S, request: Request<Body>) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Send + 'static,
        S::Future: Send,
    {
        let (head, body) = request.into_parts();
        let method = method(head.uri.path());
        let call = Call::begin(method);
        let caller = Anybody::of(&head, &self.proxies);
        let time = requests::time_limit(&head.headers);
        let answered = match time {
            // The gRPC library only looks at the time after it has polled the call once.
            Ok(Some(limit)) if call.age() >= limit => Ok(None),
            Ok(_) => self.answer(method, service, head, body).await.map(Some),
            Err(failure) => Err(failure),
        };
        let mut response = match answered {
            Ok(Some((response, ending))) => call.answer(response, ending),
            Ok(None) => call.expire(),
            Err(failure) => {
                caller.refused(&self.limits);
                call.refuse(failure)
            }
        };
        compression::tell_accepted(response.headers_mut());
        response
    }

    /// Answers a call: first it is known who calls, then the request is read, and only then it
    /// takes a place among those that are worked on.
    async fn answer<S>(
        &self,
        method: &'static Method,
        mut service: S,
        mut head: Parts,
        body: Body,
    ) -> Result<(Response<Body>, Ending), Failure>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Send + 'static,
        S::Future: Send,
    {
        let Admitted { holding, caller, mut ending } = self.admit(method, &mut head).await?;
        if !method.is_known() {
            return Err(no_such_method(head.uri.path()));
        }
        let reading =
            Reading::new(method, &mut head.headers, self.message_bytes, caller.is_some())?;
        let mut length = 0;
        let read = requests::read(reading, body, &holding, &mut length).await;
        let size = (length / BYTES_OF_WEIGHT) as u32;
        // What was inflated is paid for also if it was too much.
        let paid = match &caller {
            Some(caller) if size > 0 => self.limits.call(caller, size),
            _ => Ok(()),
        };
        let requests::Request { body, charge } = read?;
        paid?;
        let packing = compression::of_answer(&head.headers);
        let _under_way = method.is_counted().then(|| self.limits.enter()).transpose()?;
        let cost = Cost::of(method.weight + size);
        let mut answer_charge = holding.charge();
        let streams = method.streams;
        // It is large, so it lies still from here on, while those that wait for it are put
        // together.
        let work = caught(Box::pin(async move {
            // It is paid for until the request is answered.
            let _charge = charge;
            let Ok(response) = service.call(Request::from_parts(head, body)).await;
            if !streams {
                return Ok::<_, Failure>((
                    encoded(response, packing, &mut answer_charge).await?,
                    answer_charge,
                ));
            }
            let response = match packing {
                Some(encoding) => pack_answer(encoding, response),
                None => response,
            };
            Ok((response, answer_charge))
        }));
        let worked = within(ANSWER_TIME, self.lanes.run(cost, holding.party(), work)).await;
        let (response, charge) = worked.ok_or_else(too_slow)?.map_err(Failure::internal)???;
        if let Some(failure) = explain(&response) {
            return Err(failure);
        }
        ending.charge = charge;
        let beside = streams && !method.hears && cost == Cost::Heavy;
        Ok((if beside { self.beside(cost, response) } else { response }, ending))
    }

    /// An answer whose parts are made where costly calls are worked on, and not where they are
    /// sent.
    fn beside(&self, cost: Cost, response: Response<Body>) -> Response<Body> {
        response.map(|mut body| {
            let (sender, parts) = tokio::sync::mpsc::channel(1);
            self.lanes.spawn(cost, async move {
                while let Some(part) = body.frame().await {
                    if sender.send(part).await.is_err() {
                        return;
                    }
                }
            });
            Body::new(StreamBody::new(ReceiverStream::new(parts)))
        })
    }

    async fn admit(&self, method: &Method, head: &mut Parts) -> Result<Admitted, Failure> {
        let Anybody { peer, address } = Anybody::of(head, &self.proxies);
        if let Some(peer) = &peer {
            peer.heard();
        }
        let caller = match method.access {
            Access::Open => {
                if method.registers {
                    self.limits.registration(address)?;
                    if let Some(peer) = &peer {
                        peer.known();
                    }
                } else {
                    self.limits.open_call(address)?;
                }
                None
            }
            Access::Watcher if self.watches(head) => {
                self.limits.watching(address, method.weight)?;
                head.extensions.insert(Caller::nobody());
                None
            }
            Access::Account | Access::Role(_) | Access::Watcher => {
                Some(self.caller(address, head).await?)
            }
        };
        if let Some(caller) = &caller {
            if let Some(peer) = &peer {
                peer.known();
            }
            self.limits.call(caller, method.weight)?;
            self.check_role(method, caller, head)?;
            head.extensions.insert(caller.clone());
        }
        let holding =
            self.limits.begin(self.limits.address(address), caller.as_ref(), method.streams)?;
        let mut ending = Ending::of(&holding);
        ending.sending = peer.as_ref().map(Peer::answer);
        if method.streams {
            ending.cut = Some(self.cut(caller.as_ref()));
            if let (None, Some(peer)) = (&caller, &peer) {
                ending.open_stream = Some(peer.open_stream().ok_or_else(too_many_open)?);
            }
            if matches!(method.access, Access::Open) {
                let kind = if method.hears { Anonymous::Conversation } else { Anonymous::Watch };
                ending.anonymous = Some(self.limits.open_stream(address, kind)?);
            }
        }
        Ok(Admitted { holding, caller, ending })
    }

    /// Whether somebody without an account watches. A token that is sent is looked at.
    fn watches(&self, head: &Parts) -> bool {
        self.watch == Watch::Public && !head.headers.contains_key(header::AUTHORIZATION)
    }

    /// Who calls, by the token in the request. The address pays for wrong tokens only, so whoever
    /// has a right one comes in from wherever they call.
    async fn caller(&self, address: IpAddr, head: &Parts) -> Result<Caller, Failure> {
        let bearer = match bearer(head) {
            Ok(bearer) => bearer,
            Err(failure) => return Err(self.refused(address, failure)),
        };
        if let Some(caller) = self.accounts.recall(&bearer) {
            return Ok(caller);
        }
        let party = self.limits.address(address);
        let _turn = party.lookups.acquire().await.expect("the semaphore is never closed");
        let authenticated = self.accounts.authenticate(&bearer).await;
        authenticated.map_err(|failure| self.refused(address, failure))
    }

    /// Counts a wrong token against its address, and says so once there were too many.
    fn refused(&self, address: IpAddr, failure: Failure) -> Failure {
        let counts = matches!(failure.reason(), ErrorReason::TokenInvalid | ErrorReason::Banned);
        if !counts {
            return failure;
        }
        self.limits.wrong_token(address).err().unwrap_or(failure)
    }

    fn check_role(&self, method: &Method, caller: &Caller, head: &Parts) -> Result<(), Failure> {
        let Access::Role(role) = method.access else { return Ok(()) };
        if caller.role != role {
            let needed = if role == AccountRole::Admin { "admin" } else { "worker" };
            let message = format!("this call needs an account with the {needed} role");
            return Err(Failure::new(ErrorReason::RoleRequired, message).with("role", needed));
        }
        if role == AccountRole::Worker && self.workers_need_certificates && !has_certificate(head) {
            let message = "workers must connect with a client certificate that this server's \
                authority signed";
            return Err(Failure::new(ErrorReason::TokenInvalid, message));
        }
        Ok(())
    }

    /// What ends a stream before its time: its token is revoked, or the server closes.
    fn cut(&self, caller: Option<&Caller>) -> Cut {
        let drain = self.drain.clone();
        let Some(caller) = caller else {
            return Box::pin(async move {
                drain.closing().await;
                draining()
            });
        };
        let revoked = self.accounts.sessions().watch(&caller.token_id, caller.role);
        Box::pin(async move {
            tokio::select! {
                () = revoked => Failure::new(ErrorReason::TokenInvalid, "the token was revoked or \
                    its account changed"),
                () = drain.closing() => draining(),
            }
        })
    }
}

/// What the gRPC library refuses by itself carries no reason; this gives it one.
fn explain(response: &Response<Body>) -> Option<Failure> {
    let status = Status::from_header_map(response.headers())?;
    if !status.details().is_empty() {
        return None;
    }
    // All that the gate let through was of the right size.
    matches!(status.code(), Code::OutOfRange | Code::Internal).then(requests::unreadable)
}

fn bearer(head: &Parts) -> Result<Bearer, Failure> {
    let missing = || {
        Failure::new(
            ErrorReason::TokenInvalid,
            "the call carries no token: send authorization: Bearer TOKEN",
        )
    };
    let header = head.headers.get(header::AUTHORIZATION).ok_or_else(missing)?;
    let (scheme, secret) =
        header.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(missing)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(missing());
    }
    Bearer::parse(secret.trim())
}

fn has_certificate(head: &Parts) -> bool {
    let info = head.extensions.get::<TlsConnectInfo<Peer>>();
    info.and_then(TlsConnectInfo::peer_certs).is_some_and(|certificates| !certificates.is_empty())
}

fn too_many_open() -> Failure {
    let message =
        "this connection has as many streams without an account as it may have; close one first";
    Failure::new(ErrorReason::QuotaExceeded, message).with("quota", "streams")
}

fn draining() -> Failure {
    Failure::new(ErrorReason::Draining, "the server is stopping; connect anew")
        .retry(Duration::from_secs(1))
}

fn no_such_method(path: &str) -> Failure {
    Failure::new(ErrorReason::UnknownMethod, format!("this server has no call {path:?}"))
}

fn too_slow() -> Failure {
    let message = format!("the server did not answer within {} s", ANSWER_TIME.as_secs());
    Failure::new(ErrorReason::Overloaded, message).retry(Duration::from_secs(1))
}

#[cfg(test)]
mod tests;
