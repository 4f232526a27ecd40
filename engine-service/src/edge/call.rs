//! A call on its way out: counted, ended in time, and safe from panics.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Response};
use http_body::{Frame, SizeHint};
use tokio::time::Instant;
use tonic::body::Body;
use tonic::{Code, Status};

use super::errors::Failure;
use super::limits::StreamPass;
use super::methods::Method;

/// Why a stream ends before its service ends it, once it does.
pub(super) type Cut = Pin<Box<dyn Future<Output = Failure> + Send>>;

/// A call, which is counted when it ends.
#[derive(Debug)]
pub(super) struct Call {
    method: &'static Method,
    begun: Instant,
    counted: bool,
}

impl Call {
    pub(super) fn begin(method: &'static Method) -> Self {
        if method.streams {
            metrics::gauge!("heliopause_open_streams").increment(1);
        }
        Self { method, begun: Instant::now(), counted: false }
    }

    /// Answers with an error.
    pub(super) fn refuse(mut self, failure: Failure) -> Response<Body> {
        let status = Status::from(failure);
        self.count(status.code());
        status.into_http()
    }

    /// Answers what a service answered. A stream ends early if `cut` resolves.
    pub(super) fn answer(
        mut self,
        response: Response<Body>,
        cut: Option<Cut>,
        pass: Option<StreamPass>,
    ) -> Response<Body> {
        if let Some(status) = Status::from_header_map(response.headers()) {
            self.count(status.code());
        }
        response.map(|inner| Body::new(Answer { inner, call: self, cut, pass }))
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
    /// Whoever drops a call before it ended has cancelled it.
    fn drop(&mut self) {
        self.count(Code::Cancelled);
    }
}

/// The name of a status code as the gRPC specification writes it.
fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// The body of an answer.
struct Answer {
    inner: Body,
    call: Call,
    cut: Option<Cut>,
    pass: Option<StreamPass>,
}

impl Answer {
    /// Ends the stream with a failure.
    fn end(&mut self, failure: Failure) -> Frame<Bytes> {
        let status = Status::from(failure);
        self.inner = Body::empty();
        self.ended(status.code());
        let mut trailers = HeaderMap::new();
        // It fails only for metadata that is no header, and ours is base64.
        let _ = status.add_header(&mut trailers);
        Frame::trailers(trailers)
    }

    fn ended(&mut self, code: Code) {
        self.call.count(code);
        self.cut = None;
        self.pass = None;
    }
}

impl http_body::Body for Answer {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let cut = self.cut.as_mut().map(|cut| cut.as_mut().poll(context));
        if let Some(Poll::Ready(failure)) = cut {
            return Poll::Ready(Some(Ok(self.end(failure))));
        }
        let inner = Pin::new(&mut self.inner);
        let polled = match catch_unwind(AssertUnwindSafe(|| inner.poll_frame(context))) {
            Ok(polled) => std::task::ready!(polled),
            Err(panic) => return Poll::Ready(Some(Ok(self.end(panicked(&*panic))))),
        };
        match &polled {
            Some(Ok(frame)) => {
                if let Some(status) = frame.trailers_ref().and_then(Status::from_header_map) {
                    self.ended(status.code());
                }
            }
            Some(Err(status)) => self.ended(status.code()),
            None => self.ended(Code::Ok),
        }
        Poll::Ready(polled)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Runs a handler; a panic in it becomes a failure of this call alone.
pub(super) async fn caught<T>(handler: impl Future<Output = T>) -> Result<T, Failure> {
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
    let text = panic.downcast_ref::<&str>().copied();
    let words = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word");
    Failure::internal(format_args!("a handler panicked: {words}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::methods::method;
    use heliopause_proto::v1::ErrorReason;
    use http_body_util::BodyExt as _;

    const STREAM: &str = "/heliopause.v1.GameService/StreamEvents";

    struct Panics;

    impl http_body::Body for Panics {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            panic!("on purpose")
        }
    }

    async fn status_of(body: Body) -> Code {
        let collected = body.collect().await.expect("trailers, not an error");
        Status::from_header_map(collected.trailers().expect("trailers")).expect("a status").code()
    }

    #[tokio::test]
    async fn a_panic_is_the_failure_of_its_call_alone() {
        let failure = caught(async { panic!("on purpose") }).await.map(|(): ()| ()).unwrap_err();
        assert_eq!(failure.reason(), ErrorReason::Internal);
        assert!(!failure.to_string().contains("on purpose"), "the caller learns nothing of it");
        let answer = Call::begin(method(STREAM)).answer(Response::new(Body::new(Panics)), None, None);
        assert_eq!(status_of(answer.into_body()).await, Code::Internal);
    }

    #[tokio::test]
    async fn a_stream_ends_when_it_is_cut() {
        let endless = Body::new(http_body_util::StreamBody::new(tokio_stream::pending::<Result<_, Status>>()));
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        let cut: Cut = Box::pin(async move {
            let _ = receiver.await;
            Failure::new(ErrorReason::Draining, "over")
        });
        let answer = Call::begin(method(STREAM)).answer(Response::new(endless), Some(cut), None);
        let status = tokio::spawn(status_of(answer.into_body()));
        drop(sender);
        assert_eq!(status.await.unwrap(), Code::Unavailable);
    }
}
