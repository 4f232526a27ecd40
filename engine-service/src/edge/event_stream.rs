//! StreamEvents without an encoder: an event is encoded once, however many follow the game, so this one call is routed past
//! the generated service, which would encode it for every reader.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{BufMut as _, Bytes};
use heliopause_proto::v1::StreamEventsRequest;
use heliopause_proto::v1::game_service_server::GameServiceServer;
use prost::Message as _;
use tokio_stream::Stream;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{Grpc, NamedService, ServerStreamingService};
use tonic::{Request, Response, Status};
use tower::Service;

use super::game::GameApi;
use super::tables::{Tables, open};

const PATH: &str = "/heliopause.v1.GameService/StreamEvents";

/// The generated service, and the route past it.
#[derive(Clone)]
pub(super) struct GameServer {
    tables: Tables,
    message_bytes: usize,
    generated: GameServiceServer<GameApi>,
}

impl GameServer {
    pub(super) fn new(tables: Tables, message_bytes: usize) -> Self {
        let generated = GameServiceServer::new(GameApi(tables.clone())).max_decoding_message_size(message_bytes);
        Self { tables, message_bytes, generated }
    }
}

impl NamedService for GameServer {
    const NAME: &'static str = <GameServiceServer<GameApi> as NamedService>::NAME;
}

impl Service<http::Request<Body>> for GameServer {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        if request.uri().path() != PATH {
            return self.generated.call(request);
        }
        let (events, limit) = (Events(self.tables.clone()), self.message_bytes);
        Box::pin(async move {
            let mut grpc = Grpc::new(Encoded).apply_max_message_size_config(Some(limit), None);
            Ok(grpc.server_streaming(events, request).await)
        })
    }
}

struct Events(Tables);

impl ServerStreamingService<StreamEventsRequest> for Events {
    type Response = Bytes;
    type ResponseStream = Pin<Box<dyn Stream<Item = Result<Bytes, Status>> + Send>>;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Self::ResponseStream>, Status>> + Send>>;

    fn call(&mut self, request: Request<StreamEventsRequest>) -> Self::Future {
        let tables = self.0.clone();
        Box::pin(async move {
            let (caller, request) = open(request)?;
            let messages: Self::ResponseStream = Box::pin(tables.stream_events(&caller, request).await?);
            Ok(Response::new(messages))
        })
    }
}

/// Answers that are encoded already.
#[derive(Clone, Copy)]
struct Encoded;

impl Codec for Encoded {
    type Encode = Bytes;
    type Decode = StreamEventsRequest;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Encoded {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(message);
        Ok(())
    }
}

impl Decoder for Encoded {
    type Item = StreamEventsRequest;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<StreamEventsRequest>, Status> {
        let request = StreamEventsRequest::decode(buffer).map_err(|error| Status::internal(error.to_string()))?;
        Ok(Some(request))
    }
}
