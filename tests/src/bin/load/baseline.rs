//! The baseline: a plain tonic server with messages of the same size.

use std::convert::Infallible;
use std::io::{BufRead as _, BufReader};
use std::pin::Pin;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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

use crate::raw::RawJournal;

pub(crate) const ECHO: &str = "/heliopause.load.Bare/Echo";
pub(crate) const KEEP: &str = "/heliopause.load.Bare/Keep";
pub(crate) const STREAM: &str = "/heliopause.load.Bare/Stream";

#[derive(Clone, PartialEq, Message)]
struct Sized {
    #[prost(bytes = "bytes", tag = "1")]
    filling: Bytes,
    /// The size of the response. Fixed width, so that every request has the same size.
    #[prost(fixed32, tag = "2")]
    answer: u32,
    /// The size of the entry to make durable, or 0 for none.
    #[prost(uint32, tag = "3")]
    entry: u32,
    #[prost(uint32, tag = "4")]
    game: u32,
}

impl Sized {
    fn of(bytes: usize, answer: usize) -> Self {
        Self { answer: answer as u32, ..Self::default() }.filled(bytes)
    }

    /// Returns a message of this size, or of one more byte if no message has this size.
    fn filled(self, bytes: usize) -> Self {
        let mut message = self;
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

pub(crate) fn question(bytes: usize, answer: usize) -> Bytes {
    Sized::of(bytes, answer).encode_to_vec().into()
}

pub(crate) fn question_to_keep(bytes: usize, answer: usize, entry: usize, game: usize) -> Bytes {
    let asked =
        Sized { answer: answer as u32, entry: entry as u32, game: game as u32, ..Sized::default() };
    asked.filled(bytes).encode_to_vec().into()
}

#[derive(Clone)]
struct Bare(Option<Arc<EntryStore>>);

struct EntryStore {
    journal: RawJournal,
    entries: AtomicU64,
}

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

struct KeepService(Arc<EntryStore>);

impl UnaryService<Sized> for KeepService {
    type Response = Sized;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Sized>, Status>> + Send>>;

    fn call(&mut self, request: Request<Sized>) -> Self::Future {
        let kept = self.0.clone();
        Box::pin(async move {
            let asked = request.get_ref();
            let number = kept.entries.fetch_add(1, Ordering::Relaxed);
            let entry = vec![7; asked.entry as usize].into();
            kept.journal.append(asked.game.into(), number, entry).await;
            Ok(Response::new(Sized::of(asked.answer as usize, 0)))
        })
    }
}

type Endless = std::iter::RepeatN<Result<Sized, Status>>;

impl ServerStreamingService<Sized> for Bare {
    type Response = Sized;
    type ResponseStream = Iter<Endless>;
    type Future = std::future::Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: Request<Sized>) -> Self::Future {
        let message = Sized::of(request.get_ref().answer as usize, 0);
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
        let bare = self.clone();
        Box::pin(async move {
            let mut grpc = Grpc::new(ProstCodec::default());
            Ok(match (request.uri().path(), &bare.0) {
                (KEEP, Some(kept)) => grpc.unary(KeepService(kept.clone()), request).await,
                (STREAM, _) => grpc.server_streaming(bare, request).await,
                _ => grpc.unary(bare, request).await,
            })
        })
    }
}

/// Serves until killed. `place` is where entries are stored: a directory, or a database's address.
/// Without `place`, the server stores no entries.
pub(crate) async fn serve(place: Option<&str>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    println!("{}", listener.local_addr().expect("a listener has an address"));
    let incoming = TcpListenerStream::new(listener);
    let stream = tokio_stream::StreamExt::map(incoming, |stream| {
        stream.inspect(|stream| stream.set_nodelay(true).expect("a fresh connection"))
    });
    let server = tonic::transport::Server::builder().max_concurrent_streams(1_024);
    let kept = match place {
        Some(place) => {
            let journal = RawJournal::open(place).await;
            Some(Arc::new(EntryStore { journal, entries: AtomicU64::new(0) }))
        }
        None => None,
    };
    server.clone().add_service(Bare(kept)).serve_with_incoming(stream).await.expect("a server");
}

pub(crate) struct Baseline {
    child: Child,
    pub(crate) url: String,
}

impl Baseline {
    /// Starts a baseline that makes entries durable at a place, if one is named.
    pub(crate) fn start(place: Option<&str>) -> Self {
        let program = std::env::current_exe().expect("a program knows its own path");
        let mut child = Command::new(program)
            .arg("baseline")
            .args(place.map(|place| format!("--keep-on={place}")))
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
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
