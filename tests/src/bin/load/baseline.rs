//! The bare tonic server: what the same messages cost with nothing behind them.

use std::convert::Infallible;
use std::io::{BufRead as _, BufReader};
use std::pin::Pin;
use std::process::{Child, Command, Stdio};
use std::task::{Context, Poll};

use bytes::Bytes;
use prost::Message;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_stream::{Iter, iter};
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::server::{Grpc, NamedService, ServerStreamingService, UnaryService};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

/// Answers one message.
pub(crate) const ECHO: &str = "/heliopause.load.Bare/Echo";
/// Answers messages without end.
pub(crate) const STREAM: &str = "/heliopause.load.Bare/Stream";

/// A message that has some size.
#[derive(Clone, PartialEq, Message)]
struct Sized {
    #[prost(bytes = "bytes", tag = "1")]
    filling: Bytes,
    /// The size of the answer; fixed, so that it takes the same place whatever it is.
    #[prost(fixed32, tag = "2")]
    answer: u32,
}

impl Sized {
    /// A message of exactly so many bytes, if there is one; of one more, if there is none.
    fn of(bytes: usize, answer: usize) -> Self {
        let mut message = Self { filling: Bytes::new(), answer: answer as u32 };
        let mut filling = bytes.saturating_sub(message.encoded_len());
        while filling > 0 {
            message.filling = vec![7; filling].into();
            if message.encoded_len() <= bytes {
                break;
            }
            filling -= 1;
        }
        message
    }
}

/// What asks for an answer of so many bytes, in so many bytes.
pub(crate) fn question(bytes: usize, answer: usize) -> Bytes {
    Sized::of(bytes, answer).encode_to_vec().into()
}

#[derive(Clone)]
struct Bare;

impl NamedService for Bare {
    const NAME: &'static str = "heliopause.load.Bare";
}

impl UnaryService<Sized> for Bare {
    type Response = Sized;
    type Future = std::future::Ready<Result<Response<Sized>, Status>>;

    fn call(&mut self, request: Request<Sized>) -> Self::Future {
        std::future::ready(Ok(Response::new(Sized::of(request.get_ref().answer as usize, 0))))
    }
}

type Endless = std::iter::RepeatN<Result<Sized, Status>>;

impl ServerStreamingService<Sized> for Bare {
    type Response = Sized;
    type ResponseStream = Iter<Endless>;
    type Future = std::future::Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: Request<Sized>) -> Self::Future {
        let message = Sized::of(request.get_ref().answer as usize, 0);
        // `Status` can be cloned; more messages than any measurement lasts for.
        std::future::ready(Ok(Response::new(iter(std::iter::repeat_n(Ok(message), usize::MAX)))))
    }
}

impl Service<http::Request<Body>> for Bare {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async move {
            let mut grpc = Grpc::new(ProstCodec::default());
            Ok(match request.uri().path() {
                ECHO => grpc.unary(Self, request).await,
                _ => grpc.server_streaming(Self, request).await,
            })
        })
    }
}

/// Serves until it is killed.
pub(crate) async fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    println!("{}", listener.local_addr().expect("a listener has an address"));
    let incoming = TcpListenerStream::new(listener);
    let stream = tokio_stream::StreamExt::map(incoming, |stream| {
        stream.inspect(|stream| stream.set_nodelay(true).expect("a fresh connection"))
    });
    let server = tonic::transport::Server::builder().max_concurrent_streams(1_024);
    server.clone().add_service(Bare).serve_with_incoming(stream).await.expect("a server");
}

/// The bare server as a process. Killed when dropped.
pub(crate) struct Baseline {
    child: Child,
    /// Where it listens.
    pub(crate) url: String,
}

impl Baseline {
    pub(crate) fn start() -> Self {
        let program = std::env::current_exe().expect("a program knows its own path");
        let mut child = Command::new(program)
            .arg("baseline")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program can be started");
        let mut address = String::new();
        let stdout = child.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut address).expect("the baseline says where it listens");
        Self { child, url: format!("http://{}", address.trim()) }
    }
}

impl Drop for Baseline {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
