//! The proxy between the client under test and the engine. It injects the faults of the case.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use heliopause_proto::v1::event::Body as Happened;
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::{
    CaughtUp, Cursor, Event, FellBehind, Heartbeat, StreamEventsRequest, StreamEventsResponse,
    SubmitOrdersRequest,
};
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use prost::Message as _;
use prost::encoding::{WireType, encode_key, encode_varint};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tower::{Service as _, ServiceExt as _};

use super::cases::{Case, InjectedFault, Refusal};
use super::frames::{Frames, frame, only};
use super::witness::Witness;

/// Number of streams that are broken before one is left intact, so that the game can end.
const BROKEN_STREAMS: usize = 24;
const REFUSED_STREAMS: usize = 3;
/// A fault affects one in three orders, and one in three reads.
const FAULT_PERIOD: usize = 3;
/// Delay between the last byte and the cut of a connection, so that the byte can arrive.
const CUT_DELAY: Duration = Duration::from_millis(5);
/// A field number that no message of this version uses.
const LATER_FIELD: u32 = 14_999;
const EVENT_PART: u32 = 2;

/// The state of a running case.
#[derive(Debug)]
pub struct CaseState {
    case: &'static Case,
    pub witness: Witness,
    calls: Mutex<HashMap<String, usize>>,
}

impl CaseState {
    pub fn new(case: &'static Case) -> Self {
        Self { case, witness: Witness::default(), calls: Mutex::default() }
    }

    /// Counts a call of the method. Returns the number of earlier calls.
    fn count(&self, method: &str) -> usize {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let count = calls.entry(method.to_owned()).or_default();
        *count += 1;
        *count - 1
    }

    pub fn calls(&self) -> usize {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

/// Forwards connections until the future is dropped.
pub async fn serve(listener: TcpListener, engine: Channel, stage: Arc<CaseState>) {
    loop {
        // Clients reopen a connection that was lost before it was accepted.
        let Ok((stream, _)) = listener.accept().await else { continue };
        tokio::spawn(connection(stream, engine.clone(), Arc::clone(&stage)));
    }
}

async fn connection(stream: TcpStream, engine: Channel, stage: Arc<CaseState>) {
    let _ = stream.set_nodelay(true);
    let cut = Arc::new(Notify::new());
    let line = Line { engine, stage, cut: Arc::clone(&cut) };
    let service = hyper::service::service_fn(move |request| {
        let line = line.clone();
        async move { Ok::<_, Infallible>(line.pass(request).await) }
    });
    let http = auto::Builder::new(TokioExecutor::new());
    let serving = http.serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        _ = serving => {}
        () = cut.notified() => {}
    }
}

#[derive(Clone, Debug)]
struct Line {
    engine: Channel,
    stage: Arc<CaseState>,
    cut: Arc<Notify>,
}

impl Line {
    async fn pass(self, request: Request<Incoming>) -> Response<Body> {
        let method = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
        let (mut head, body) = request.into_parts();
        // The proxy reads what it forwards, so the engine must not compress it.
        head.headers.remove("grpc-accept-encoding");
        let Ok(sent) = body.collect().await else {
            return Status::cancelled("the request ended early").into_http();
        };
        let sent = sent.to_bytes();
        let nth = self.stage.count(&method);
        self.stage.witness.called(&method);
        let request = Request::from_parts(head, Body::new(Full::new(sent.clone())));
        match method.as_str() {
            "SubmitOrders" => self.orders(&method, request, &sent).await,
            "StreamEvents" => self.events(request, &sent).await,
            _ => self.others(&method, nth, request).await,
        }
    }

    async fn forward(&self, request: Request<Body>) -> Response<Body> {
        let mut engine = self.engine.clone();
        let ready = match engine.ready().await {
            Ok(ready) => ready,
            Err(error) => return away(&error),
        };
        ready.call(request).await.unwrap_or_else(|error| away(&error))
    }

    async fn others(&self, method: &str, nth: usize, request: Request<Body>) -> Response<Body> {
        let refusal = self.stage.case.refusal_of(method);
        match refusal.filter(|_| nth % FAULT_PERIOD == 1) {
            Some(refusal) => self.refuse(method, refusal),
            None => self.forward(request).await,
        }
    }

    fn refuse(&self, method: &str, (reason, refusal): (&str, &Refusal)) -> Response<Body> {
        if let Some(wait) = refusal.wait() {
            self.stage.witness.delay_requested(method, wait);
        }
        refusal.status(reason).into_http()
    }

    async fn orders(&self, method: &str, request: Request<Body>, sent: &Bytes) -> Response<Body> {
        let witness = &self.stage.witness;
        let Some(orders) = only(sent).and_then(|message| SubmitOrdersRequest::decode(message).ok())
        else {
            witness.fault("the client sent an invalid SubmitOrders request".to_owned());
            return self.forward(request).await;
        };
        if witness.ordered(&orders, sent) % FAULT_PERIOD != 1 {
            return self.forward(request).await;
        }
        match self.stage.case.fault {
            InjectedFault::AnswersLost => {
                witness.unsure(&orders);
                // The client cannot know whether the orders were accepted.
                drop(self.forward(request).await.into_body().collect().await);
                return self.lose().await;
            }
            InjectedFault::OrdersLost => {
                witness.unsure(&orders);
                return self.lose().await;
            }
            _ => {}
        }
        let Some((reason, refusal)) = self.stage.case.refusal_of(method) else {
            return self.forward(request).await;
        };
        if refusal.look {
            witness.must_fetch_view(reason);
        } else {
            witness.unsure(&orders);
        }
        self.refuse(method, (reason, refusal))
    }

    async fn lose(&self) -> Response<Body> {
        self.cut.notify_one();
        std::future::pending().await
    }

    async fn events(&self, request: Request<Body>, sent: &Bytes) -> Response<Body> {
        let witness = &self.stage.witness;
        let Some(asked) = only(sent).and_then(|message| StreamEventsRequest::decode(message).ok())
        else {
            witness.fault("the client sent an invalid StreamEvents request".to_owned());
            return self.forward(request).await;
        };
        let nth = witness.stream_requested(&asked);
        let refusal = self.stage.case.refusal_of("StreamEvents");
        if let Some(refusal) = refusal.filter(|_| nth < REFUSED_STREAMS) {
            return self.refuse("StreamEvents", refusal);
        }
        let response = self.forward(request).await;
        let (head, body) = response.into_parts();
        let (sender, parts) = mpsc::channel(1);
        tokio::spawn(self.clone().relay(nth, body, sender));
        Response::from_parts(head, Body::new(StreamBody::new(ReceiverStream::new(parts))))
    }

    async fn relay(
        self,
        nth: usize,
        mut body: Body,
        sender: mpsc::Sender<Result<Frame<Bytes>, Status>>,
    ) {
        let (mut frames, mut count) = (Frames::default(), 0);
        while let Some(Ok(came)) = body.frame().await {
            let data = match came.into_data() {
                Ok(data) => data,
                Err(frame) => return drop(sender.send(Ok(frame)).await),
            };
            frames.extend(&data);
            while let Some(message) = frames.take() {
                if self.is_over(nth, count) {
                    return self.end(&sender).await;
                }
                if !self.send(message, count, &sender).await {
                    return;
                }
                count += 1;
            }
        }
    }

    fn is_over(&self, nth: usize, count: usize) -> bool {
        let breaks = matches!(
            self.stage.case.fault,
            InjectedFault::StreamsEnd | InjectedFault::StreamsBreak
        );
        breaks && nth < BROKEN_STREAMS && count == nth
    }

    async fn end(&self, sender: &mpsc::Sender<Result<Frame<Bytes>, Status>>) {
        let error = self.stage.case.refusal();
        let ends = self.stage.case.fault == InjectedFault::StreamsEnd;
        if let Some((reason, refusal)) = error.filter(|_| ends) {
            self.stage.witness.stream_delivered();
            if let Some(wait) = refusal.wait() {
                self.stage.witness.delay_requested("StreamEvents", wait);
            }
            let mut trailers = HeaderMap::new();
            if refusal.status(reason).add_header(&mut trailers).is_ok() {
                let _ = sender.send(Ok(Frame::trailers(trailers))).await;
            }
        } else {
            tokio::time::sleep(CUT_DELAY).await;
            self.cut.notify_one();
            // The stream must not end before its connection does.
            sender.closed().await;
        }
    }

    /// Sends a part, preceded by any parts that the case inserts. Returns false if the stream is
    /// closed or the part cannot be decoded.
    async fn send(
        &self,
        message: Bytes,
        count: usize,
        sender: &mpsc::Sender<Result<Frame<Bytes>, Status>>,
    ) -> bool {
        let Some(part) =
            StreamEventsResponse::decode(message.clone()).ok().and_then(|message| message.part)
        else {
            self.stage.witness.fault(
                "the engine sent a StreamEvents response that cli-client cannot read; update cli-client".to_owned(),
            );
            return false;
        };
        let mut frames = Vec::new();
        let place = |number| Cursor { number, ..Cursor::default() };
        match (self.stage.case.fault, &part) {
            (InjectedFault::Heartbeats, _) if count > 0 => {
                frames.push(of_part(Part::Heartbeat(Heartbeat { time: None })));
            }
            (InjectedFault::FallBehind, Part::Event(event)) if event.number % 4 == 0 => {
                let cursor = Some(place(event.number - 1));
                frames.push(of_part(Part::FellBehind(FellBehind { cursor })));
                frames.push(of_part(Part::CaughtUp(CaughtUp { cursor })));
            }
            (InjectedFault::LaterVersion, _) if count > 0 => frames.push(later_part()),
            _ => {}
        }
        self.stage.witness.sent(&part);
        frames.push(match (self.stage.case.fault, part) {
            (InjectedFault::LaterVersion, Part::Event(event)) => later_event(event),
            _ => frame(&message),
        });
        for frame in frames {
            let bytewise = self.stage.case.fault == InjectedFault::ByteByByte;
            let pieces = if bytewise { 1 } else { frame.len().max(1) };
            for piece in frame.chunks(pieces) {
                if sender.send(Ok(Frame::data(Bytes::copy_from_slice(piece)))).await.is_err() {
                    return false;
                }
            }
        }
        true
    }
}

fn of_part(part: Part) -> Bytes {
    frame(&StreamEventsResponse { part: Some(part) }.encode_to_vec())
}

fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    encode_key(number, WireType::LengthDelimited, &mut field);
    encode_varint(bytes.len() as u64, &mut field);
    field.extend_from_slice(bytes);
    field
}

fn later_part() -> Bytes {
    frame(&field(LATER_FIELD, b"what a later version tells"))
}

/// Converts an event to one of a later version, but keeps the fields that a client needs to
/// continue (whose turn it is, how the game ended).
fn later_event(mut event: Event) -> Bytes {
    match &mut event.body {
        Some(Happened::Game(_)) => event.body = None,
        Some(Happened::SeatChanged(changed)) => changed.change = i32::MAX,
        _ => {}
    }
    let mut message = event.encode_to_vec();
    message.extend(field(LATER_FIELD, b"what happened"));
    frame(&field(EVENT_PART, &message))
}

fn away(error: &dyn std::error::Error) -> Response<Body> {
    Status::new(Code::Unavailable, format!("the engine behind the proxy is unavailable: {error}"))
        .into_http()
}
