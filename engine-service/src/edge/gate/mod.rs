//! The gate that every call passes: authentication, rights, limits and admission.

pub(crate) mod call;
mod compression;
pub(crate) mod contract;
pub(crate) mod methods;
mod requests;

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
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::body::Body;
use tonic::transport::server::TlsConnectInfo;
use tonic::{Code, Status};
use tower::{Layer, Service};

use self::call::{AnswerResources, Call, Cut, catch_panic, encoded};
use self::compression::pack_answer;
use self::methods::{Access, Method, method};
use self::requests::Reading;
use crate::accounts::{Accounts, Bearer};
use crate::caller::{Caller, ClientNetwork};
use crate::config::Watch;
use crate::edge::drain::Drain;
use crate::edge::limits::executors::{Cost, Executors};
use crate::edge::limits::{Anonymous, CallGuard, Limits, network};
use crate::edge::listen::connections::{OPEN_STREAMS, Peer};
use crate::edge::listen::proxies::Proxies;
use crate::failure::{Failure, Result, draining};

/// The maximum time from the arrival of a call to the start of its response.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// The number of request bytes that increase the weight of a call by 1.
const BYTES_OF_WEIGHT: usize = 4 << 10;

pub(crate) struct Gatekeeper {
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) drain: Drain,
    pub(crate) executors: Arc<Executors>,
    pub(crate) proxies: Arc<Proxies>,
    pub(crate) workers_need_certificates: bool,
    pub(crate) message_bytes: usize,
    pub(crate) watch: Watch,
}

#[derive(Clone)]
pub(crate) struct GateLayer(pub(crate) Arc<Gatekeeper>);

impl<S> Layer<S> for GateLayer {
    type Service = Gate<S>;

    fn layer(&self, inner: S) -> Gate<S> {
        Gate { keeper: Arc::clone(&self.0), inner }
    }
}

#[derive(Clone)]
pub(crate) struct Gate<S> {
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
        // `poll_ready` and `call` must use the same instance.
        let next = self.inner.clone();
        let ready = std::mem::replace(&mut self.inner, next);
        let keeper = Arc::clone(&self.keeper);
        Box::pin(async move { Ok(keeper.pass(ready, request).await) })
    }
}

struct CallOrigin {
    peer: Option<Peer>,
    address: IpAddr,
}

impl CallOrigin {
    fn of(head: &Parts, proxies: &Proxies) -> Self {
        let peer = head.extensions.get::<Peer>().cloned();
        // Only tests call the gate without a connection.
        let from = peer.as_ref().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), Peer::address);
        Self { peer, address: proxies.client(from, &head.headers) }
    }

    /// Counts an error of an anonymous caller. Closes the connection after too many errors.
    fn refused(&self, limits: &Limits) {
        if let Some(peer) = &self.peer
            && !peer.is_known()
            && limits.refusals.take(self.address, 1).is_err()
        {
            peer.disconnect();
        }
    }
}

struct Admitted {
    holding: Arc<CallGuard>,
    caller: Option<Caller>,
    ending: AnswerResources,
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
        let caller = CallOrigin::of(&head, &self.proxies);
        let time = requests::time_limit(&head.headers);
        let answered = match time {
            // The gRPC library checks the timeout only after it has polled the call once.
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
        compression::add_accepted_encodings(response.headers_mut());
        response
    }

    /// Authenticates the caller, reads the request, takes a slot for calls in progress, and runs
    /// the call.
    async fn answer<S>(
        &self,
        method: &'static Method,
        mut service: S,
        mut head: Parts,
        body: Body,
    ) -> Result<(Response<Body>, AnswerResources)>
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
        // Charge the call even if the inflated request was too large.
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
        // Boxed: the future is large, and the wrapping futures would copy it.
        let work = catch_panic(Box::pin(async move {
            // The request stays charged until it has a response.
            let _charge = charge;
            let Ok(response) = service.call(Request::from_parts(head, body)).await;
            let response = match packing {
                _ if !streams => encoded(response, packing, &mut answer_charge).await?,
                Some(encoding) => pack_answer(encoding, response),
                None => response,
            };
            Ok::<_, Failure>((response, answer_charge))
        }));
        let worked = timeout(ANSWER_TIME, self.executors.run(cost, holding.usage(), work)).await;
        let (response, charge) =
            worked.map_err(|_| too_slow())?.map_err(Failure::internal)???;
        if let Some(failure) = explain(&response) {
            return Err(failure);
        }
        ending.charge = charge;
        let offload = streams && !method.streams_requests && cost == Cost::Heavy;
        Ok((if offload { self.offload(cost, response) } else { response }, ending))
    }

    /// Moves a streamed response from the connection's task to its call's executor.
    fn offload(&self, cost: Cost, response: Response<Body>) -> Response<Body> {
        response.map(|mut body| {
            let (sender, parts) = tokio::sync::mpsc::channel(1);
            self.executors.spawn(cost, async move {
                while let Some(part) = body.frame().await {
                    if sender.send(part).await.is_err() {
                        return;
                    }
                }
            });
            Body::new(StreamBody::new(ReceiverStream::new(parts)))
        })
    }

    async fn admit(&self, method: &Method, head: &mut Parts) -> Result<Admitted> {
        let CallOrigin { peer, address } = CallOrigin::of(head, &self.proxies);
        if let Some(peer) = &peer {
            peer.made_call();
        }
        if method.registers {
            self.limits.registrations.take(address, 1)?;
            head.extensions.insert(ClientNetwork(network(address)));
        }
        let caller = match method.access {
            Access::Open => {
                if method.registers {
                    if let Some(peer) = &peer {
                        peer.known();
                    }
                } else {
                    self.limits.open_calls.take(address, 1)?;
                }
                None
            }
            Access::Watcher if self.is_anonymous_spectator(head) => {
                self.limits.spectator_calls.take(address, method.weight)?;
                head.extensions.insert(Caller::anonymous());
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
        let mut ending = AnswerResources::of(&holding);
        ending.sending = peer.as_ref().map(Peer::answer);
        if method.streams {
            ending.cut = Some(self.cut(caller.as_ref()));
            if let (None, Some(peer)) = (&caller, &peer) {
                ending.open_stream = Some(peer.open_stream().ok_or_else(too_many_open)?);
            }
            if matches!(method.access, Access::Open) {
                let kind = if method.streams_requests {
                    Anonymous::Bidirectional
                } else {
                    Anonymous::Watch
                };
                ending.anonymous = Some(self.limits.open_stream(address, kind)?);
            }
        }
        Ok(Admitted { holding, caller, ending })
    }

    /// Returns whether the caller is an anonymous spectator: the operator allows them, and the call
    /// has no token.
    fn is_anonymous_spectator(&self, head: &Parts) -> bool {
        self.watch == Watch::Public && !head.headers.contains_key(header::AUTHORIZATION)
    }

    /// Authenticates the caller. Only rejected tokens count against the address, so that a valid
    /// token works from any address.
    async fn caller(&self, address: IpAddr, head: &Parts) -> Result<Caller> {
        let bearer = bearer(head).map_err(|failure| self.refused(address, failure))?;
        if let Some(caller) = self.accounts.cached_caller(&bearer) {
            return Ok(caller);
        }
        let usage = self.limits.address(address);
        let _turn = usage.lookups.acquire().await.expect("the semaphore is never closed");
        let authenticated = self.accounts.authenticate(&bearer).await;
        if let Ok(caller) = &authenticated {
            let agent = head.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
            self.accounts.note_use(caller, agent.unwrap_or_default());
        }
        authenticated.map_err(|failure| self.refused(address, failure))
    }

    /// Counts a wrong token, or that of a banned account, against the address. Returns `failure`,
    /// or a rate limit error after too many wrong tokens.
    fn refused(&self, address: IpAddr, failure: Failure) -> Failure {
        if !matches!(failure.reason(), ErrorReason::TokenInvalid | ErrorReason::Banned) {
            return failure;
        }
        self.limits.wrong_tokens.take(address, 1).err().unwrap_or(failure)
    }

    fn check_role(&self, method: &Method, caller: &Caller, head: &Parts) -> Result<()> {
        let Access::Role(role) = method.access else { return Ok(()) };
        if caller.role != role {
            let needed = if role == AccountRole::Admin { "admin" } else { "worker" };
            let message = format!("This call requires an account with the {needed} role.");
            return Err(Failure::new(ErrorReason::RoleRequired, message).with("role", needed));
        }
        if role == AccountRole::Worker && self.workers_need_certificates && !has_certificate(head) {
            let message =
                "Workers must connect with a client certificate signed by this server's authority.";
            return Err(Failure::new(ErrorReason::TokenInvalid, message));
        }
        Ok(())
    }

    /// Returns a future that resolves when the caller's token ends or the server closes.
    fn cut(&self, caller: Option<&Caller>) -> Cut {
        let drain = self.drain.clone();
        let Some(caller) = caller else {
            return Box::pin(async move {
                drain.closing().await;
                draining().into()
            });
        };
        let revoked = self.accounts.sessions().watch(&caller.token_id, caller.role);
        Box::pin(async move {
            tokio::select! {
                () = revoked => Failure::new(ErrorReason::TokenInvalid, "The token was revoked, or \
                    its account changed; reconnect with a valid token."),
                () = drain.closing() => draining().into(),
            }
        })
    }
}

/// Returns an error with a reason for an error of the gRPC library, and `None` for any other
/// response.
fn explain(response: &Response<Body>) -> Option<Failure> {
    let status = Status::from_header_map(response.headers())?;
    if !status.details().is_empty() {
        return None;
    }
    // These codes do not mean a wrong size here, because the gate has already checked the size.
    matches!(status.code(), Code::OutOfRange | Code::Internal).then(requests::unreadable)
}

fn bearer(head: &Parts) -> Result<Bearer> {
    let missing = || {
        Failure::new(
            ErrorReason::TokenInvalid,
            "The call has no token; send the header authorization: Bearer TOKEN.",
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
    let message = format!(
        "This connection has reached its limit of {OPEN_STREAMS} anonymous streams; close one \
         first."
    );
    Failure::new(ErrorReason::QuotaExceeded, message).with("quota", "streams")
}

fn no_such_method(path: &str) -> Failure {
    Failure::new(ErrorReason::UnknownMethod, format!("The server does not have a method {path:?}."))
}

fn too_slow() -> Failure {
    let seconds = ANSWER_TIME.as_secs();
    let message = format!("The server did not respond within {seconds} s; try again soon.");
    Failure::new(ErrorReason::Overloaded, message).retry(Duration::from_secs(1))
}

#[cfg(test)]
mod tests;
