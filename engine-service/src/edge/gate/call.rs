//! Sends the responses to calls in small charged parts. Counts and times calls, and catches panics.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use heliopause_proto::v1::{ErrorReason, GameStatus, TournamentStatus};
use http::{HeaderMap, Response};
use http_body::Frame;
use http_body_util::{BodyExt as _, Full};
use tokio::time::Instant;
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use super::compression::{Encoding, pack_message};
use super::methods::Method;
use crate::edge::limits::{AnonymousStream, CallGuard, Charge};
use crate::edge::listen::connections::{OpenStream, Sending};
use crate::failure::{Failure, Result, reasons, refusals};

const ANSWER_MAX: usize = 16 << 20;
const PART: usize = 16 << 10;
/// The size of the last part. It is small, because the response is no longer charged while this
/// part is sent.
const LAST_PART: usize = 1 << 10;

pub(crate) type Cut = Pin<Box<dyn Future<Output = Failure> + Send>>;

/// A call that the metrics count when it ends.
#[derive(Debug)]
pub(crate) struct Call {
    method: &'static Method,
    begun: Instant,
    counted: bool,
}

impl Call {
    pub(crate) fn begin(method: &'static Method) -> Self {
        if method.streams {
            metrics::gauge!("heliopause_open_streams").increment(1);
        }
        Self { method, begun: Instant::now(), counted: false }
    }

    pub(crate) fn refuse(mut self, failure: Failure) -> Response<Body> {
        let status = checked(self.method, Status::from(failure));
        self.count(status.code());
        status.into_http()
    }

    pub(crate) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn expire(mut self) -> Response<Body> {
        self.count(Code::DeadlineExceeded);
        Status::deadline_exceeded("grpc-timeout: the deadline has passed").into_http()
    }

    /// Wraps a response for sending, or checks an error against the contract. A stream ends early
    /// if `ending.cut` resolves.
    pub(crate) fn answer(
        mut self,
        response: Response<Body>,
        ending: AnswerResources,
    ) -> Response<Body> {
        if let Some(status) = Status::from_header_map(response.headers()) {
            let checked = checked(self.method, status);
            self.count(checked.code());
            return checked.into_http();
        }
        response.map(|inner| Body::new(Answer { inner, call: self, unsent: Bytes::new(), ending }))
    }

    fn count(&mut self, code: Code) {
        if std::mem::replace(&mut self.counted, true) {
            return;
        }
        let labels = [("method", self.method.path), ("code", code_name(code))];
        metrics::counter!("heliopause_requests_total", &labels).increment(1);
        if self.method.streams {
            metrics::gauge!("heliopause_open_streams").decrement(1);
        } else {
            metrics::histogram!("heliopause_request_seconds", "method" => self.method.path)
                .record(self.begun.elapsed());
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.count(Code::Cancelled);
    }
}

/// Logs an error that the contract does not list for the method, because the contract is then
/// wrong. Debug builds then return an internal error, and release builds return the error itself.
fn checked(method: &Method, status: Status) -> Status {
    let Some(cause) = unlisted_detail(method, &status) else { return status };
    tracing::error!(cause, "a call failed with an error that its contract does not list");
    if cfg!(debug_assertions) { Failure::internal(cause).into() } else { status }
}

fn unlisted_detail(method: &Method, status: &Status) -> Option<String> {
    let info = status.get_details_error_info()?;
    let reason = reasons::named(&info.reason)?;
    if !method.can_refuse(reason) {
        return Some(format!(
            "{} fails with {}, which its option does not list: {status}",
            method.path, info.reason
        ));
    }
    let keys = &reasons::reason(reason).metadata;
    if let Some(unknown) = info.metadata.keys().find(|key| !keys.contains(key)) {
        return Some(format!(
            "{} has metadata {unknown:?}, which its option does not list: {status}",
            info.reason
        ));
    }
    let status_named = |name: &String| {
        GameStatus::from_str_name(name).is_some() || TournamentStatus::from_str_name(name).is_some()
    };
    if reason == ErrorReason::WrongStatus && !info.metadata.get("status").is_some_and(status_named)
    {
        return Some(format!("{} has no valid status: {status}", info.reason));
    }
    let refusal = info.metadata.get("refusal")?;
    (!refusals::is_listed(refusal))
        .then(|| format!("refusals.tsv does not list {refusal:?}: {status}"))
}

pub(crate) fn code_name(code: Code) -> &'static str {
    // By number.
    let mut names = "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND \
        ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED \
        OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
        .split(' ');
    names.nth(code as usize).expect("every code has a name")
}

pub(crate) struct AnswerResources {
    pub(crate) cut: Option<Cut>,
    pub(crate) charge: Charge,
    pub(crate) sending: Option<Sending>,
    pub(crate) open_stream: Option<OpenStream>,
    pub(crate) anonymous: Option<AnonymousStream>,
}

impl AnswerResources {
    pub(crate) fn of(holding: &Arc<CallGuard>) -> Self {
        let charge = holding.charge();
        Self { cut: None, charge, sending: None, open_stream: None, anonymous: None }
    }
}

struct Answer {
    inner: Body,
    call: Call,
    unsent: Bytes,
    ending: AnswerResources,
}

impl Answer {
    fn end(&mut self, failure: Failure) -> Frame<Bytes> {
        let status = checked(self.call.method, Status::from(failure));
        self.inner = Body::empty();
        self.unsent = Bytes::new();
        self.ended(status.code());
        let mut trailers = HeaderMap::new();
        // Adding the header fails only for invalid metadata. This metadata is base64.
        let _ = status.add_header(&mut trailers);
        Frame::trailers(trailers)
    }

    fn ended(&mut self, code: Code) {
        self.call.count(code);
        self.ending.cut = None;
        self.ending.open_stream = None;
        self.ending.anonymous = None;
    }

    fn part(&mut self) -> Frame<Bytes> {
        let last = if self.call.method.streams { 0 } else { LAST_PART };
        let length = self.unsent.len();
        let part =
            self.unsent.split_to(if length <= last { length } else { PART.min(length - last) });
        if let Some(sending) = &mut self.ending.sending {
            sending.wait();
        }
        Frame::data(part)
    }

    fn poll_inner(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let inner = Pin::new(&mut self.inner);
        match catch_unwind(AssertUnwindSafe(|| http_body::Body::poll_frame(inner, context))) {
            Ok(polled) => polled,
            Err(panic) => Poll::Ready(Some(Ok(self.end(panicked(&*panic))))),
        }
    }
}

impl http_body::Body for Answer {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if let Some(sending) = &mut self.ending.sending {
            sending.moved();
        }
        let cut = self.ending.cut.as_mut().map(|cut| cut.as_mut().poll(context));
        if let Some(Poll::Ready(failure)) = cut {
            return Poll::Ready(Some(Ok(self.end(failure))));
        }
        if !self.unsent.is_empty() {
            return Poll::Ready(Some(Ok(self.part())));
        }
        if self.call.method.streams {
            // A poll means that the previous message was sent. The next one may come much later.
            self.ending.charge.clear();
        }
        let Some(polled) = std::task::ready!(self.poll_inner(context)) else {
            self.ended(Code::Ok);
            return Poll::Ready(None);
        };
        let frame = polled.inspect_err(|status| self.ended(status.code()))?;
        match frame.into_data() {
            Ok(data) if data.is_empty() => Poll::Ready(Some(Ok(Frame::data(data)))),
            Ok(data) => {
                if let Err(failure) = self.ending.charge.set(data.len()) {
                    return Poll::Ready(Some(Ok(self.end(failure))));
                }
                self.unsent = data;
                Poll::Ready(Some(Ok(self.part())))
            }
            Err(frame) => {
                if let Some(status) = frame.trailers_ref().and_then(Status::from_header_map) {
                    self.ended(status.code());
                }
                Poll::Ready(Some(Ok(frame)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.unsent.is_empty() && self.inner.is_end_stream()
    }
}

/// Encodes and compresses a unary response on its call's executor, not in the connection's task.
/// Fails if the response exceeds `ANSWER_MAX` or the limits of bytes in flight.
pub(crate) async fn encoded(
    response: Response<Body>,
    packing: Option<Encoding>,
    charge: &mut Charge,
) -> Result<Response<Body>> {
    let (mut head, mut body) = response.into_parts();
    let (mut data, mut trailers) = (Vec::new(), None);
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        match frame.map_err(Failure::internal)?.into_data() {
            Ok(part) => {
                length += part.len();
                if length > ANSWER_MAX {
                    return Err(too_long());
                }
                charge.set(length)?;
                data.push(part);
            }
            Err(frame) => trailers = frame.into_trailers().ok(),
        }
    }
    let mut data = if data.len() == 1 { data.remove(0) } else { data.concat().into() };
    if let Some(encoding) = packing {
        data = pack_message(encoding, data, &mut head.headers);
        charge.set(data.len())?;
    }
    Ok(Response::from_parts(head, body_of(data, trailers)))
}

fn too_long() -> Failure {
    let message = format!("The response would exceed {ANSWER_MAX} bytes; request less at once.");
    Failure::new(ErrorReason::QuotaExceeded, message)
        .with("quota", "answer-bytes")
        .with("limit", ANSWER_MAX)
}

fn body_of(data: Bytes, trailers: Option<HeaderMap>) -> Body {
    Body::new(Full::new(data).with_trailers(std::future::ready(trailers.map(Ok))))
}

pub(crate) async fn catch_panic<T>(handler: impl Future<Output = T>) -> Result<T> {
    let mut handler = pin!(handler);
    std::future::poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(context)));
        match polled {
            Ok(polled) => polled.map(Ok),
            Err(panic) => Poll::Ready(Err(panicked(&*panic))),
        }
    })
    .await
}

fn panicked(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let words = text.or(panic.downcast_ref().copied()).unwrap_or("without a message");
    Failure::internal(format_args!("a handler panicked: {words}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Quotas;
    use crate::edge::gate::methods::method;
    use crate::edge::limits::Limits;

    const STREAM: &str = "/heliopause.v1.GameService/StreamEvents";
    const CALL: &str = "/heliopause.v1.GameService/GetView";

    fn limits() -> Arc<Limits> {
        Arc::new(Limits::new(&Quotas { bytes_in_flight: 4 << 20, ..Quotas::none() }))
    }

    fn ending(limits: &Arc<Limits>, path: &str) -> AnswerResources {
        let address = limits.address([192, 0, 2, 1].into());
        AnswerResources::of(&limits.begin(address, None, method(path).streams).unwrap())
    }

    fn one_frame(length: usize) -> Response<Body> {
        Response::new(body_of(vec![7; length].into(), Some(HeaderMap::new())))
    }

    #[tokio::test]
    async fn answer_is_sent_in_parts_and_counted_until_sent() {
        let limits = limits();
        let mut body =
            Call::begin(method(CALL)).answer(one_frame(100_000), ending(&limits, CALL)).into_body();
        let mut parts = Vec::new();
        while let Some(frame) = body.frame().await {
            if let Ok(data) = frame.unwrap().into_data() {
                assert_eq!(limits.bytes(), 100_000, "after {} parts", parts.len());
                parts.push(data.len());
            }
        }
        drop(body);
        assert_eq!(limits.bytes(), 0);
        assert_eq!(
            (parts.iter().sum::<usize>(), parts.last(), parts.iter().max()),
            (100_000, Some(&LAST_PART), Some(&PART))
        );
    }

    #[tokio::test]
    async fn answer_without_memory_ends_with_the_reason() {
        let limits = limits();
        let answer =
            Call::begin(method(STREAM)).answer(one_frame(3 << 20), ending(&limits, STREAM));
        assert_eq!(status_of(answer.into_body()).await, Code::ResourceExhausted);
        assert_eq!(limits.bytes(), 0);
        let mut charge = ending(&limits, CALL).charge;
        assert_eq!(
            encoded(one_frame(3 << 20), None, &mut charge).await.unwrap_err().reason(),
            ErrorReason::RateLimited
        );
        let huge = Arc::new(Limits::new(&Quotas { bytes_in_flight: 1 << 30, ..Quotas::none() }));
        let mut charge = ending(&huge, CALL).charge;
        assert_eq!(
            encoded(one_frame(ANSWER_MAX + 1), None, &mut charge).await.unwrap_err().reason(),
            ErrorReason::QuotaExceeded
        );
    }

    struct Panics;

    impl http_body::Body for Panics {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            panic!("on purpose")
        }
    }

    async fn status_of(body: Body) -> Code {
        let collected = body.collect().await.expect("trailers, not an error");
        Status::from_header_map(collected.trailers().expect("trailers")).expect("a status").code()
    }

    #[tokio::test]
    async fn panic_fails_only_its_own_call() {
        let failure =
            catch_panic(async { panic!("on purpose") }).await.map(|(): ()| ()).unwrap_err();
        assert_eq!(failure.reason(), ErrorReason::Internal);
        assert!(!failure.to_string().contains("on purpose"), "the caller learns nothing of it");
        let answer = Call::begin(method(STREAM))
            .answer(Response::new(Body::new(Panics)), ending(&limits(), STREAM));
        assert_eq!(status_of(answer.into_body()).await, Code::Internal);
    }

    #[tokio::test]
    async fn cut_ends_a_stream() {
        let endless = Body::new(http_body_util::StreamBody::new(tokio_stream::pending::<
            Result<_, Status>,
        >()));
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        let cut: Cut = Box::pin(async move {
            let _ = receiver.await;
            Failure::new(ErrorReason::Draining, "over")
        });
        let ending = AnswerResources { cut: Some(cut), ..ending(&limits(), STREAM) };
        let answer = Call::begin(method(STREAM)).answer(Response::new(endless), ending);
        let status = tokio::spawn(status_of(answer.into_body()));
        drop(sender);
        assert_eq!(status.await.unwrap(), Code::Unavailable);
    }
}
