//! Calls with raw bytes as messages, so that decoding slows down neither side of a comparison.

use bytes::{Buf, BufMut, Bytes};
use http::uri::PathAndQuery;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status, Streaming};

#[derive(Clone, Copy, Default)]
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}

#[derive(Clone)]
pub(crate) struct Wire {
    channel: Channel,
    token: MetadataValue<Ascii>,
}

impl Wire {
    /// Connects. The token is sent to a baseline too, which ignores it.
    pub(crate) async fn connect(url: &str, token: &str) -> Self {
        let endpoint = Endpoint::from_shared(url.to_owned()).expect("an address");
        let channel = endpoint.connect().await.expect("the server listens");
        Self { channel, token: format!("Bearer {token}").parse().expect("a token is ASCII") }
    }

    pub(crate) async fn connect_all(url: &str, token: &str, connections: usize) -> Vec<Self> {
        let mut wires = Vec::new();
        for _ in 0..connections {
            wires.push(Self::connect(url, token).await);
        }
        wires
    }

    fn request(&self, message: Bytes) -> Request<Bytes> {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", self.token.clone());
        request
    }

    pub(crate) async fn call(&self, path: &'static str, message: Bytes) -> Bytes {
        let mut client = tonic::client::Grpc::new(self.channel.clone());
        client.ready().await.expect("a connection");
        let answer =
            client.unary(self.request(message), PathAndQuery::from_static(path), Raw).await;
        answer.unwrap_or_else(|status| panic!("{path}: {status:?}")).into_inner()
    }

    pub(crate) async fn stream(&self, path: &'static str, message: Bytes) -> Streaming<Bytes> {
        let mut client = tonic::client::Grpc::new(self.channel.clone());
        client.ready().await.expect("a connection");
        let answer = client
            .server_streaming(self.request(message), PathAndQuery::from_static(path), Raw)
            .await;
        answer.unwrap_or_else(|status| panic!("{path}: {status:?}")).into_inner()
    }
}
