//! `StreamEvents` without the generated service, which would encode an event for each reader.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Bytes, BytesMut};
use heliopause_proto::v1::game_service_server::GameServiceServer;
use heliopause_proto::v1::{StreamEventsRequest, StreamEventsResponse};
use http::{HeaderMap, HeaderValue, header};
use http_body::Frame;
use tokio_stream::Stream;
use tonic::body::Body;
use tonic::codec::Codec as _;
use tonic::server::NamedService;
use tonic::{Request, Status, Streaming};
use tonic_prost::ProstCodec;
use tower::Service;

use super::game::GameApi;
use super::tables::Tables;
use crate::edge::services::Result;

const PATH: &str = "/heliopause.v1.GameService/StreamEvents";
/// The size at which a batch of ready messages is sent.
const BATCH_BYTES: usize = 16 << 10;

/// The generated service, except for `StreamEvents`, which bypasses it.
#[derive(Clone)]
pub(crate) struct GameServer {
    tables: Tables,
    message_bytes: usize,
    generated: GameServiceServer<GameApi>,
}

impl GameServer {
    pub(crate) fn new(tables: Tables, message_bytes: usize) -> Self {
        let generated = GameServiceServer::new(GameApi(tables.clone()))
            .max_decoding_message_size(message_bytes);
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
        let (tables, limit) = (self.tables.clone(), self.message_bytes);
        Box::pin(async move {
            Ok(stream_events(&tables, request, limit).await.unwrap_or_else(Status::into_http))
        })
    }
}

async fn stream_events(
    tables: &Tables,
    request: http::Request<Body>,
    limit: usize,
) -> Result<http::Response<Body>> {
    let (metadata, extensions, body) = Request::from_http(request).into_parts();
    let decoder = ProstCodec::<StreamEventsResponse, StreamEventsRequest>::default().decoder();
    let message = Streaming::new_request(decoder, body, None, Some(limit)).message().await?;
    let message = message.ok_or_else(|| Status::internal("the call has no message"))?;
    let (context, request) = tables.open(Request::from_parts(metadata, extensions, message))?;
    let messages = Box::pin(context.stream_events(request).await?);
    let mut response =
        http::Response::new(Body::new(Events { messages, ending: None, over: false }));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    Ok(response)
}

struct Events<S> {
    messages: Pin<Box<S>>,
    ending: Option<Status>,
    over: bool,
}

impl<S: Stream<Item = Result<Bytes>>> Events<S> {
    fn poll_messages(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.ending.is_some() {
            return Poll::Ready(None);
        }
        Poll::Ready(match ready!(self.messages.as_mut().poll_next(context)) {
            Some(Ok(messages)) => Some(messages),
            Some(Err(status)) => {
                self.ending = Some(status);
                None
            }
            None => {
                self.ending = Some(Status::ok(""));
                None
            }
        })
    }

    fn gather(&mut self, first: Bytes, context: &mut Context<'_>) -> Bytes {
        if first.len() >= BATCH_BYTES {
            return first;
        }
        let Poll::Ready(Some(second)) = self.poll_messages(context) else { return first };
        let mut together = BytesMut::with_capacity(BATCH_BYTES.max(first.len() + second.len()));
        together.extend_from_slice(&first);
        together.extend_from_slice(&second);
        while together.len() < BATCH_BYTES
            && let Poll::Ready(Some(next)) = self.poll_messages(context)
        {
            together.extend_from_slice(&next);
        }
        together.freeze()
    }
}

impl<S: Stream<Item = Result<Bytes>>> http_body::Body for Events<S> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>>>> {
        if self.over {
            return Poll::Ready(None);
        }
        if let Some(first) = ready!(self.poll_messages(context)) {
            return Poll::Ready(Some(Ok(Frame::data(self.gather(first, context)))));
        }
        self.over = true;
        let mut trailers = HeaderMap::new();
        let status = self.ending.take().unwrap_or_else(|| Status::ok(""));
        // Adding the header fails only for invalid metadata. This metadata is base64.
        let _ = status.add_header(&mut trailers);
        Poll::Ready(Some(Ok(Frame::trailers(trailers))))
    }
}
