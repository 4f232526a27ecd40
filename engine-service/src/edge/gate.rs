//! The gate that every call passes: it says who calls, whether he may, and whether there is room.

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
use tokio::sync::OwnedSemaphorePermit;
use tonic::body::Body;
use tonic::transport::server::TlsConnectInfo;
use tonic::{Code, Status};
use tower::{Layer, Service};

use super::Caller;
use super::call::{Call, Cut, caught};
use super::connections::Peer;
use super::drain::Drain;
use super::errors::Failure;
use super::limits::{Limits, StreamPass};
use super::methods::{Access, Method, method};
use crate::accounts::{Accounts, Bearer};

/// How long a call may take until its answer begins.
const ANSWER_TIME: Duration = Duration::from_secs(30);

/// What the gate decides by.
pub(super) struct Gatekeeper {
    pub(super) accounts: Arc<Accounts>,
    pub(super) limits: Arc<Limits>,
    pub(super) drain: Drain,
    /// Whether workers must show a client certificate.
    pub(super) workers_need_certificates: bool,
    pub(super) message_bytes: usize,
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
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
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

/// What an admitted call holds.
#[derive(Default)]
struct Admitted {
    under_way: Option<OwnedSemaphorePermit>,
    cut: Option<Cut>,
    pass: Option<StreamPass>,
}

impl Gatekeeper {
    async fn pass<S>(&self, mut service: S, request: Request<Body>) -> Response<Body>
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    {
        let (mut head, body) = request.into_parts();
        let method = method(head.uri.path());
        let call = Call::begin(method);
        let Admitted { under_way, cut, pass } = match self.admit(method, &mut head).await {
            Ok(admitted) => admitted,
            Err(failure) => return call.refuse(failure),
        };
        let answer = tokio::time::timeout(ANSWER_TIME, caught(service.call(Request::from_parts(head, body)))).await;
        drop(under_way);
        match answer {
            Ok(Ok(Ok(response))) => match self.explain(&response) {
                Some(failure) => call.refuse(failure),
                None => call.answer(response, cut, pass),
            },
            Ok(Err(failure)) => call.refuse(failure),
            Err(_) => call.refuse(too_slow()),
        }
    }

    async fn admit(&self, method: &Method, head: &mut Parts) -> Result<Admitted, Failure> {
        let peer = head.extensions.get::<Peer>();
        if let Some(peer) = peer {
            peer.heard();
        }
        // Only a test that calls the gate without a connection has no peer.
        let address = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.address.ip());
        if method.access == Access::Open {
            return Ok(Admitted { cut: method.streams.then(|| self.cut(None)), ..Admitted::default() });
        }
        let under_way = Some(self.limits.enter()?);
        if method.access == Access::Register {
            self.limits.knock(address)?;
            return Ok(Admitted { under_way, ..Admitted::default() });
        }
        let caller = self.caller(address, head).await?;
        self.limits.call(&caller)?;
        self.check_role(method, &caller, head)?;
        let admitted = self.admit_stream(method, &caller)?;
        head.extensions.insert(caller);
        Ok(Admitted { under_way, ..admitted })
    }

    /// Who calls, by the token in the request.
    async fn caller(&self, address: IpAddr, head: &Parts) -> Result<Caller, Failure> {
        let bearer = match bearer(head) {
            Ok(bearer) => bearer,
            Err(failure) => return Err(self.knocked(address, failure)),
        };
        if let Some(caller) = self.accounts.recall(&bearer) {
            return Ok(caller);
        }
        self.limits.may_knock(address)?;
        let authenticated = self.accounts.authenticate(&bearer).await;
        authenticated.map_err(|failure| self.knocked(address, failure))
    }

    /// Counts a wrong token against its address, and says so once there were too many.
    fn knocked(&self, address: IpAddr, failure: Failure) -> Failure {
        let counts = matches!(failure.reason(), ErrorReason::TokenInvalid | ErrorReason::Banned);
        if !counts {
            return failure;
        }
        self.limits.knock(address).err().unwrap_or(failure)
    }

    fn check_role(&self, method: &Method, caller: &Caller, head: &Parts) -> Result<(), Failure> {
        let Access::Role(role) = method.access else { return Ok(()) };
        if caller.role != role {
            let needed = if role == AccountRole::Admin { "admin" } else { "worker" };
            let message = format!("this call needs an account with the {needed} role");
            return Err(Failure::new(ErrorReason::RoleRequired, message).with("role", needed));
        }
        if role == AccountRole::Worker && self.workers_need_certificates && !has_certificate(head) {
            let message = "workers must connect with a client certificate that this server's authority signed";
            return Err(Failure::new(ErrorReason::TokenInvalid, message));
        }
        Ok(())
    }

    fn admit_stream(&self, method: &Method, caller: &Caller) -> Result<Admitted, Failure> {
        if !method.streams {
            return Ok(Admitted::default());
        }
        let pass = Some(self.limits.stream(caller)?);
        Ok(Admitted { cut: Some(self.cut(Some(caller))), pass, ..Admitted::default() })
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
                () = revoked => Failure::new(ErrorReason::TokenInvalid, "the token was revoked or its account changed"),
                () = drain.closing() => draining(),
            }
        })
    }

    /// What the gRPC library refuses by itself carries no reason; this gives it one.
    fn explain(&self, response: &Response<Body>) -> Option<Failure> {
        let status = Status::from_header_map(response.headers())?;
        if !status.details().is_empty() {
            return None;
        }
        match status.code() {
            Code::OutOfRange => {
                let limit = self.message_bytes;
                Some(Failure::field("", format!("the message is larger than {limit} bytes, the limit of this server")))
            }
            Code::Internal => Some(Failure::field("", "the message could not be read: it is not of this call's type")),
            _ => None,
        }
    }
}

fn bearer(head: &Parts) -> Result<Bearer, Failure> {
    let missing =
        || Failure::new(ErrorReason::TokenInvalid, "the call carries no token: send authorization: Bearer TOKEN");
    let header = head.headers.get(header::AUTHORIZATION).ok_or_else(missing)?;
    let (scheme, secret) = header.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(missing)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(missing());
    }
    Bearer::parse(secret.trim())
}

fn has_certificate(head: &Parts) -> bool {
    let info = head.extensions.get::<TlsConnectInfo<Peer>>();
    info.and_then(TlsConnectInfo::peer_certs).is_some_and(|certificates| !certificates.is_empty())
}

fn draining() -> Failure {
    Failure::new(ErrorReason::Draining, "the server is stopping; connect anew").retry(Duration::from_secs(1))
}

fn too_slow() -> Failure {
    let message = format!("the server did not answer within {} s", ANSWER_TIME.as_secs());
    Failure::new(ErrorReason::Overloaded, message).retry(Duration::from_secs(1))
}

#[cfg(test)]
mod tests;
