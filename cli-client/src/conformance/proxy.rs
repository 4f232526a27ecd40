//! What stands between the client under test and the engine: it passes calls on, and makes go wrong
//! what the case says.

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

use super::cases::{Refusal, Then, Trouble};
use super::frames::{Frames, frame, only};
use super::witness::Witness;

/// How many streams are broken before one is left whole, so that a game comes to its end.
const BROKEN_STREAMS: usize = 24;
/// How many streams are refused before one is opened.
const REFUSED_STREAMS: usize = 3;
/// Of so many orders, or looks, one meets trouble.
const ONE_IN: usize = 3;
/// How long after the last byte a connection is cut, so that it may have come.
const BEFORE_THE_CUT: Duration = Duration::from_millis(5);
/// A field that no message of this version has.
const LATER_FIELD: u32 = 14_999;
/// The field of a part that is an event.
const EVENT_PART: u32 = 2;

/// One case under way.
#[derive(Debug)]
pub struct Stage {
    /// What goes wrong.
    pub trouble: Trouble,
    /// Who takes down what the client does.
    pub witness: Witness,
    calls: Mutex<HashMap<String, usize>>,
}

impl Stage {
    /// A case that begins.
    pub fn new(trouble: Trouble) -> Self {
        Self { trouble, witness: Witness::default(), calls: Mutex::default() }
    }

    /// Counts a call. Says how often it has come before.
    fn count(&self, method: &str) -> usize {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let count = calls.entry(method.to_owned()).or_default();
        *count += 1;
        *count - 1
    }

    /// How many calls came at all.
    pub fn calls(&self) -> usize {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

/// Passes connections on until it is dropped.
pub async fn serve(listener: TcpListener, engine: Channel, stage: Arc<Stage>) {
    loop {
        // A connection that was lost before it was accepted is the client's to open again.
        let Ok((stream, _)) = listener.accept().await else { continue };
        tokio::spawn(connection(stream, engine.clone(), Arc::clone(&stage)));
    }
}

async fn connection(stream: TcpStream, engine: Channel, stage: Arc<Stage>) {
    // A connection that refuses this is only slower.
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
        // Whoever ends a connection has ended it.
        _ = serving => {}
        () = cut.notified() => {}
    }
}

/// One connection of the client.
#[derive(Clone, Debug)]
struct Line {
    engine: Channel,
    stage: Arc<Stage>,
    cut: Arc<Notify>,
}

impl Line {
    async fn pass(self, request: Request<Incoming>) -> Response<Body> {
        let method = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
        let (mut head, body) = request.into_parts();
        // The kit reads what it passes on, so the engine must not compress it.
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
        match self.stage.trouble {
            Trouble::Refused { methods, refusal }
                if nth % ONE_IN == 1 && methods.contains(&method) =>
            {
                self.refuse(method, &refusal)
            }
            _ => self.forward(request).await,
        }
    }

    fn refuse(&self, method: &str, refusal: &Refusal) -> Response<Body> {
        if let Some(wait) = refusal.wait {
            self.stage.witness.told_to_wait(method, wait);
        }
        refusal.status().into_http()
    }

    async fn orders(&self, method: &str, request: Request<Body>, sent: &Bytes) -> Response<Body> {
        let witness = &self.stage.witness;
        let Some(orders) = only(sent).and_then(|message| SubmitOrdersRequest::decode(message).ok())
        else {
            witness.fault("a request of SubmitOrders cannot be read".to_owned());
            return self.forward(request).await;
        };
        let unlucky = witness.ordered(&orders, sent) % ONE_IN == 1;
        match self.stage.trouble {
            Trouble::AnswersLost if unlucky => {
                witness.unsure(&orders);
                // Taken or not: the client cannot know.
                drop(self.forward(request).await.into_body().collect().await);
                self.lose().await
            }
            Trouble::OrdersLost if unlucky => {
                witness.unsure(&orders);
                self.lose().await
            }
            Trouble::Refused { methods, refusal } if unlucky && methods.contains(&method) => {
                match refusal.then {
                    Then::Repeat => witness.unsure(&orders),
                    Then::Look => witness.must_look(refusal.name()),
                }
                self.refuse(method, &refusal)
            }
            _ => self.forward(request).await,
        }
    }

    /// Loses the connection, and so never answers.
    async fn lose(&self) -> Response<Body> {
        self.cut.notify_one();
        std::future::pending().await
    }

    async fn events(&self, request: Request<Body>, sent: &Bytes) -> Response<Body> {
        let witness = &self.stage.witness;
        let Some(asked) = only(sent).and_then(|message| StreamEventsRequest::decode(message).ok())
        else {
            witness.fault("a request of StreamEvents cannot be read".to_owned());
            return self.forward(request).await;
        };
        let nth = witness.listens(&asked);
        match self.stage.trouble {
            Trouble::Refused { methods, refusal }
                if nth < REFUSED_STREAMS && methods.contains(&"StreamEvents") =>
            {
                return self.refuse("StreamEvents", &refusal);
            }
            _ => {}
        }
        let response = self.forward(request).await;
        let (head, body) = response.into_parts();
        let (sender, parts) = mpsc::channel(1);
        tokio::spawn(self.clone().relay(nth, body, sender));
        Response::from_parts(head, Body::new(StreamBody::new(ReceiverStream::new(parts))))
    }

    /// Passes a stream of events on. The client may leave it at any time.
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
                // The trailers.
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

    /// Whether a stream ends after so many parts.
    fn is_over(&self, nth: usize, count: usize) -> bool {
        let breaks = matches!(self.stage.trouble, Trouble::StreamsEnd(_) | Trouble::StreamsBreak);
        breaks && nth < BROKEN_STREAMS && count == nth
    }

    async fn end(&self, sender: &mpsc::Sender<Result<Frame<Bytes>, Status>>) {
        if let Trouble::StreamsEnd(refusal) = self.stage.trouble {
            self.stage.witness.has_all();
            if let Some(wait) = refusal.wait {
                self.stage.witness.told_to_wait("StreamEvents", wait);
            }
            let mut trailers = HeaderMap::new();
            if refusal.status().add_header(&mut trailers).is_ok() {
                // Whoever left cannot be told.
                let _ = sender.send(Ok(Frame::trailers(trailers))).await;
            }
        } else {
            tokio::time::sleep(BEFORE_THE_CUT).await;
            self.cut.notify_one();
            // Nor does the stream end by itself before its connection does.
            sender.closed().await;
        }
    }

    /// Sends a part, with what the case puts before it. False once the client has left.
    async fn send(
        &self,
        message: Bytes,
        count: usize,
        sender: &mpsc::Sender<Result<Frame<Bytes>, Status>>,
    ) -> bool {
        let Some(part) =
            StreamEventsResponse::decode(message.clone()).ok().and_then(|message| message.part)
        else {
            self.stage
                .witness
                .fault("the engine sent a part that this program does not know".to_owned());
            return false;
        };
        let mut frames = Vec::new();
        let place = |number| Cursor { number, ..Cursor::default() };
        match (self.stage.trouble, &part) {
            (Trouble::Heartbeats, _) if count > 0 => {
                frames.push(of_part(Part::Heartbeat(Heartbeat { time: None })));
            }
            (Trouble::FallBehind, Part::Event(event)) if event.number % 4 == 0 => {
                let cursor = Some(place(event.number - 1));
                frames.push(of_part(Part::FellBehind(FellBehind { cursor })));
                frames.push(of_part(Part::CaughtUp(CaughtUp { cursor })));
            }
            (Trouble::Later, _) if count > 0 => frames.push(later_part()),
            _ => {}
        }
        self.stage.witness.sent(&part);
        frames.push(match (self.stage.trouble, part) {
            (Trouble::Later, Part::Event(event)) => later_event(event),
            _ => frame(&message),
        });
        for frame in frames {
            let pieces =
                if matches!(self.stage.trouble, Trouble::Dribble) { 1 } else { frame.len().max(1) };
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

/// A field of a message that holds bytes.
fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    encode_key(number, WireType::LengthDelimited, &mut field);
    encode_varint(bytes.len() as u64, &mut field);
    field.extend_from_slice(bytes);
    field
}

/// A part that only a later version knows.
fn later_part() -> Bytes {
    frame(&field(LATER_FIELD, b"what a later version tells"))
}

/// An event as a later version may send it: what happened in the game is of a kind that this one
/// does not know, and everything has a field more. What a client has to know to go on (whose turn
/// it is, how the game ended) is as it was.
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
    Status::new(Code::Unavailable, format!("the engine behind this case is away: {error}"))
        .into_http()
}
