//! A connection to one of several engines, with failover.
//!
//! All calls of a program go through [`Calls`], so no other code handles failover. A call that
//! fails temporarily is retried if that is safe. Streams are not retried, because only their
//! readers know where to resume.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use crate::connect::{Engines, Unreachable};
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full};
use tokio::time::{Instant, sleep};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, ConnectError, Status};
use tower::{Service, ServiceExt as _};

use crate::failure::Failure;

/// The time for which calls are retried. A database failover takes about this long.
const RETRY_FOR: Duration = Duration::from_secs(20);
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// The connection to the current engine, shared by all calls.
#[derive(Debug)]
pub struct Line {
    engines: Engines,
    now: Mutex<Option<Connected>>,
    made: AtomicU64,
}

#[derive(Clone, Debug)]
struct Connected {
    channel: Channel,
    /// The number of the connection, so that a later connection is not closed by mistake.
    number: u64,
}

impl Line {
    pub async fn open(engines: Engines) -> Result<Self, Unreachable> {
        let line = Self { engines, now: Mutex::new(None), made: AtomicU64::new(0) };
        line.connected().await?;
        Ok(line)
    }

    /// Drops the connection. The next call connects again.
    pub fn disconnect(&self) {
        self.held().take();
    }

    /// Drops the connection if another engine is serving and the connected one is not. Returns
    /// whether the connection was dropped.
    pub async fn move_to_better(&self) -> bool {
        let Some(held) = self.held().clone() else { return false };
        let is_better_elsewhere = self.engines.has_better_than(&held.channel).await;
        is_better_elsewhere && self.drop_connection(held.number)
    }

    fn held(&self) -> MutexGuard<'_, Option<Connected>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn drop_connection(&self, number: u64) -> bool {
        self.held().take_if(|held| held.number == number).is_some()
    }

    async fn connected(&self) -> Result<Connected, Unreachable> {
        if let Some(held) = self.held().clone() {
            return Ok(held);
        }
        let held = Connected {
            channel: self.engines.connect().await?,
            number: self.made.fetch_add(1, Relaxed),
        };
        Ok(self.held().get_or_insert(held).clone())
    }

    async fn call(&self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let (head, body) = request.into_parts();
        let retry_policy = RetryPolicy::of(head.uri.path());
        let body = body.collect().await?.to_bytes();
        let (begun, mut pause) = (Instant::now(), PAUSE_MIN);
        loop {
            let held =
                self.connected().await.map_err(|error| Status::unavailable(error.to_string()))?;
            let attempt = Request::from_parts(head.clone(), Body::new(Full::new(body.clone())));
            let status = match ask(held.channel, attempt, retry_policy).await {
                Ok(answer) => return Ok(answer),
                Err(status) => status,
            };
            if may_succeed_elsewhere(&status) {
                self.drop_connection(held.number);
            }
            if !retry_policy.allows_another(&status) || begun.elapsed() + pause > RETRY_FOR {
                return Err(status);
            }
            sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RetryPolicy {
    /// The call only reads, or has a request id.
    Safe,
    /// The call is repeated only if the failed attempt certainly had no effect.
    Once,
    /// The call is for one particular engine, so it is never repeated.
    ThisEngine,
    /// The stream's reader decides about retries.
    Stream,
}

impl RetryPolicy {
    fn of(path: &str) -> Self {
        match path.rsplit('/').next().unwrap_or_default() {
            "StreamEvents" | "StreamMyGames" | "ExportGame" => Self::Stream,
            "Drain" => Self::ThisEngine,
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
            Self::Safe => may_succeed_elsewhere(failed) || had_no_effect(failed),
            Self::Once => had_no_effect(failed),
            Self::ThisEngine | Self::Stream => false,
        }
    }
}

fn reason(failed: &Status) -> String {
    Failure::from(failed.clone()).report().reason.clone()
}

fn may_succeed_elsewhere(failed: &Status) -> bool {
    matches!(reason(failed).as_str(), "UNREACHABLE" | "DRAINING" | "JOURNAL_UNAVAILABLE")
}

fn had_no_effect(failed: &Status) -> bool {
    let mut cause = std::error::Error::source(failed);
    while let Some(deeper) = cause {
        if deeper.is::<ConnectError>() {
            return true;
        }
        cause = deeper.source();
    }
    matches!(reason(failed).as_str(), "DRAINING" | "LOST_RACE")
}

/// Makes one attempt at a call. Reads a response that is not a stream to its end, so that an
/// incomplete response is an error.
async fn ask(
    channel: Channel,
    request: Request<Body>,
    retry_policy: RetryPolicy,
) -> Result<Response<Body>, Status> {
    let answer =
        channel.oneshot(request).await.map_err(|error| Status::from_error(Box::new(error)))?;
    let (head, body) = answer.into_parts();
    if matches!(head.status.as_u16(), 502..=504) && !head.headers.contains_key("grpc-status") {
        return Err(Status::unavailable(format!("a proxy responded with {}", head.status)));
    }
    refusal(&head.headers)?;
    if retry_policy == RetryPolicy::Stream {
        return Ok(Response::from_parts(head, body));
    }
    let heard = body.collect().await?;
    heard.trailers().map_or(Ok(()), refusal)?;
    Ok(Response::from_parts(head, Body::new(heard)))
}

fn refusal(told: &HeaderMap) -> Result<(), Status> {
    Status::from_header_map(told).filter(|status| status.code() != Code::Ok).map_or(Ok(()), Err)
}

/// The service that generated clients use to make calls.
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
        let metadata = [("a".to_owned(), "b".to_owned())];
        let details = ErrorDetails::with_error_info(reason, "heliopause", metadata);
        Status::with_error_details(Code::Unavailable, "not now", details)
    }

    #[test]
    fn only_safe_calls_are_retried() {
        let allows = |method: &str, failed: &Status| {
            RetryPolicy::of(&format!("/heliopause.v1.X/{method}")).allows_another(failed)
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
