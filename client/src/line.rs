//! The line to one of several engines. When the engine at its other end goes away, calls go on at
//! another.
//!
//! Every call of this program goes through [`Calls`], so failing over is nobody else's concern: a
//! call that failed in passing is made anew, if that can do no harm. Streams are not: who follows
//! one knows where they were.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use heliopause_connect::{Engines, Unreachable};
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full};
use tokio::time::{Instant, sleep};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, ConnectError, Status};
use tower::{Service, ServiceExt as _};

use crate::failure::Failure;

/// So long a call is made anew before its failure is told: a database needs about that to come back
/// elsewhere.
const PATIENCE: Duration = Duration::from_secs(20);
/// The first pause between two attempts, and the longest.
const PAUSE: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// The connection that all calls share, to whichever engine it leads at the moment.
#[derive(Debug)]
pub struct Line {
    engines: Engines,
    now: Mutex<Option<Held>>,
    made: AtomicU64,
}

#[derive(Clone, Debug)]
struct Held {
    channel: Channel,
    /// Tells connections apart, so that nobody hangs up one that they do not mean.
    number: u64,
}

impl Line {
    /// A line to whichever of these engines answers.
    pub async fn open(engines: Engines) -> Result<Self, Unreachable> {
        let line = Self { engines, now: Mutex::new(None), made: AtomicU64::new(0) };
        line.connected().await?;
        Ok(line)
    }

    /// The next call goes to an engine that is looked for anew.
    pub fn hang_up(&self) {
        self.held().take();
    }

    /// Hangs up if the engine at the other end does not serve while another one does. Says whether
    /// it did.
    pub async fn leave_for_better(&self) -> bool {
        let Some(held) = self.held().clone() else { return false };
        let is_better_elsewhere = self.engines.has_better_than(&held.channel).await;
        is_better_elsewhere && self.give_up(held.number)
    }

    fn held(&self) -> MutexGuard<'_, Option<Held>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_up(&self, number: u64) -> bool {
        self.held().take_if(|held| held.number == number).is_some()
    }

    /// The connection, which is made if there is none.
    async fn connected(&self) -> Result<Held, Unreachable> {
        if let Some(held) = self.held().clone() {
            return Ok(held);
        }
        let held = Held {
            channel: self.engines.connect().await?,
            number: self.made.fetch_add(1, Relaxed),
        };
        Ok(self.held().get_or_insert(held).clone())
    }

    /// Makes a call, and makes it anew elsewhere while it fails in passing and that can do no harm.
    async fn call(&self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let (head, body) = request.into_parts();
        let manner = Manner::of(head.uri.path());
        let body = body.collect().await?.to_bytes();
        let (begun, mut pause) = (Instant::now(), PAUSE);
        loop {
            let held =
                self.connected().await.map_err(|error| Status::unavailable(error.to_string()))?;
            let attempt = Request::from_parts(head.clone(), Body::new(Full::new(body.clone())));
            let status = match ask(held.channel, attempt, manner).await {
                Ok(answer) => return Ok(answer),
                Err(status) => status,
            };
            if is_the_engines_trouble(&status) {
                self.give_up(held.number);
            }
            if !manner.allows_another(&status) || begun.elapsed() + pause > PATIENCE {
                return Err(status);
            }
            sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }
}

/// What making a call twice would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// The same as once: it only reads, or carries a request id.
    Safe,
    /// Something else. It is made anew only where it is certain that nothing was done.
    Once,
    /// It means this very engine.
    Here,
    /// What is answered is a stream. Whoever reads it decides.
    Stream,
}

impl Manner {
    /// By the name of the method, as the contract has them.
    fn of(path: &str) -> Self {
        match path.rsplit('/').next().unwrap_or_default() {
            "StreamEvents" | "StreamMyGames" | "ExportGame" => Self::Stream,
            "Drain" => Self::Here,
            "SubmitOrders" | "SubmitMasterOrders" | "SendMessage" | "ValidateOrders"
            | "ParseOrders" | "VerifyGame" | "Explain" | "ExportPosition" | "Adjudicate" => {
                Self::Safe
            }
            read if read.starts_with("Get") || read.starts_with("List") => Self::Safe,
            _ => Self::Once,
        }
    }

    fn allows_another(self, failed: &Status) -> bool {
        match self {
            Self::Safe => is_the_engines_trouble(failed) || is_undone(failed),
            Self::Once => is_undone(failed),
            Self::Here | Self::Stream => false,
        }
    }
}

fn reason(failed: &Status) -> String {
    Failure::from(failed.clone()).report().reason.clone()
}

/// Whether another engine may do better, or the same one later.
fn is_the_engines_trouble(failed: &Status) -> bool {
    matches!(reason(failed).as_str(), "UNREACHABLE" | "DRAINING" | "JOURNAL_UNAVAILABLE")
}

/// Whether it is certain that a call that failed did nothing, and may do it when it is made anew.
fn is_undone(failed: &Status) -> bool {
    let mut cause = std::error::Error::source(failed);
    while let Some(deeper) = cause {
        if deeper.is::<ConnectError>() {
            return true;
        }
        cause = deeper.source();
    }
    matches!(reason(failed).as_str(), "DRAINING" | "LOST_RACE")
}

/// Asks an engine. An answer that is no stream is heard to its end, so that one that breaks off is
/// a failure too.
async fn ask(
    channel: Channel,
    request: Request<Body>,
    manner: Manner,
) -> Result<Response<Body>, Status> {
    let answer =
        channel.oneshot(request).await.map_err(|error| Status::from_error(Box::new(error)))?;
    let (head, body) = answer.into_parts();
    if matches!(head.status.as_u16(), 502..=504) && !head.headers.contains_key("grpc-status") {
        return Err(Status::unavailable(format!("a proxy answers {}", head.status)));
    }
    refusal(&head.headers)?;
    if manner == Manner::Stream {
        return Ok(Response::from_parts(head, body));
    }
    let heard = body.collect().await?;
    heard.trailers().map_or(Ok(()), refusal)?;
    Ok(Response::from_parts(head, Body::new(heard)))
}

fn refusal(told: &HeaderMap) -> Result<(), Status> {
    Status::from_header_map(told).filter(|status| status.code() != Code::Ok).map_or(Ok(()), Err)
}

/// The calls of a line, as generated clients make them.
#[derive(Clone, Debug)]
pub struct Calls(pub Arc<Line>);

impl Service<Request<Body>> for Calls {
    type Response = Response<Body>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Status>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let line = self.0.clone();
        Box::pin(async move { line.call(request).await })
    }
}

#[cfg(test)]
mod tests {
    use tonic_types::{ErrorDetails, StatusExt as _};

    use super::*;

    fn refused(reason: &str) -> Status {
        let details = ErrorDetails::with_error_info(
            reason,
            "heliopause",
            [("a", "b")].map(|(k, v)| (k.to_owned(), v.to_owned())),
        );
        Status::with_error_details(Code::Unavailable, "not now", details)
    }

    #[test]
    fn only_what_does_no_harm_is_asked_twice() {
        let allows = |method: &str, failed: &Status| {
            Manner::of(&format!("/heliopause.v1.X/{method}")).allows_another(failed)
        };
        let (lost, away) = (Status::unavailable("broken pipe"), refused("JOURNAL_UNAVAILABLE"));
        for method in ["GetView", "ListGames", "SubmitOrders", "SendMessage", "VerifyGame"] {
            assert!(allows(method, &lost) && allows(method, &away), "{method}");
        }
        for method in ["CreateGame", "JoinGame", "Register", "CastVote", "StreamEvents"] {
            assert!(!allows(method, &lost) && !allows(method, &away), "{method}");
        }
        assert!(allows("CreateGame", &refused("DRAINING")), "a draining engine did nothing");
        assert!(!allows("Drain", &refused("DRAINING")), "another engine would be drained");
        for reason in ["ORDER_REFUSED", "RATE_LIMITED", "OVERLOADED", "INTERNAL"] {
            assert!(!allows("GetView", &refused(reason)), "{reason}");
        }
    }
}
