//! Accepting connections: so many at once, and none that says nothing.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::Sleep;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::Connected;

use super::drain::Drain;

/// How long a connection may wait with its first call, its TLS and HTTP/2 handshakes included. Whoever opens one to say
/// nothing holds a place no longer than this; clients that were early connect anew by themselves.
pub(super) const SILENCE: Duration = Duration::from_secs(15);
/// How long connections that came last have to begin, before the server asks those that are connected to go.
const SETTLE: Duration = Duration::from_millis(250);
/// How long to wait when the system has no file handle left for another connection.
const NO_HANDLE: Duration = Duration::from_millis(100);

/// The other end of a connection.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) address: SocketAddr,
    heard: Arc<AtomicBool>,
}

impl Peer {
    fn at(address: SocketAddr) -> Self {
        Self { address, heard: Arc::new(AtomicBool::new(false)) }
    }

    /// The connection has made a call, so it may be idle from now on: HTTP/2 keepalive tells whether it is alive.
    pub(super) fn heard(&self) {
        self.heard.store(true, Ordering::Relaxed);
    }

    fn was_heard(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
    }
}

/// Accepts connections, at most so many at once, until the server closes or the stream is dropped. The others wait in the
/// listener's queue.
///
/// When the server closes, the port closes first, so that whoever comes next goes elsewhere; those that came before are still
/// taken. The stream ends a moment later.
pub(super) fn accept(
    listener: TcpListener,
    connections_max: usize,
    silence: Duration,
    drain: Drain,
) -> ReceiverStream<io::Result<Connection>> {
    let (sender, receiver) = mpsc::channel(1);
    let places = Arc::new(Semaphore::new(connections_max));
    metrics::gauge!("heliopause_connection_limit").set(connections_max as f64);
    tokio::spawn(async move {
        loop {
            let accepted = tokio::select! {
                biased;
                () = sender.closed() => return,
                () = drain.closing() => break,
                accepted = accept_one(&listener, &places, silence) => accepted,
            };
            if sender.send(Ok(accepted)).await.is_err() {
                return;
            }
        }
        // Whoever is in the listener's queue has sent a call already, and would lose it with the port.
        while let Some(accepted) = accept_one(&listener, &places, silence).now_or_never() {
            if sender.send(Ok(accepted)).await.is_err() {
                return;
            }
        }
        drop(listener);
        tokio::time::sleep(SETTLE).await;
    });
    ReceiverStream::new(receiver)
}

async fn accept_one(listener: &TcpListener, places: &Arc<Semaphore>, silence: Duration) -> Connection {
    let place = match Arc::clone(places).try_acquire_owned() {
        Ok(place) => place,
        Err(_) => {
            tracing::warn!("as many connections are open as --connection-limit allows; more wait");
            Arc::clone(places).acquire_owned().await.expect("the semaphore is never closed")
        }
    };
    loop {
        match listener.accept().await {
            Ok((stream, address)) => return Connection::new(stream, Peer::at(address), silence, place),
            Err(error) if is_the_peers(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted; raise the limit of open files (ulimit -n)");
                tokio::time::sleep(NO_HANDLE).await;
            }
        }
    }
}

/// Whether an error of accepting is only that the peer has gone again.
fn is_the_peers(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
}

/// A connection, which ends if it stays silent.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    peer: Peer,
    silence: Option<Pin<Box<Sleep>>>,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    fn new(stream: TcpStream, peer: Peer, silence: Duration, place: OwnedSemaphorePermit) -> Self {
        // Small answers must not wait for more to send. A connection that refuses this is broken, and shows it soon.
        let _ = stream.set_nodelay(true);
        let silence = Some(Box::pin(tokio::time::sleep(silence)));
        metrics::gauge!("heliopause_connections").increment(1.0);
        Self { stream, peer, silence, _place: place }
    }

    /// Whether the connection was silent for too long.
    fn is_too_silent(&mut self, context: &mut Context<'_>) -> bool {
        if self.silence.is_some() && self.peer.was_heard() {
            self.silence = None;
        }
        self.silence.as_mut().is_some_and(|silence| silence.as_mut().poll(context).is_ready())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        metrics::gauge!("heliopause_connections").decrement(1.0);
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_too_silent(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio_stream::StreamExt as _;

    async fn accepting(
        connections_max: usize,
        silence: Duration,
    ) -> (SocketAddr, ReceiverStream<io::Result<Connection>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        (listener.local_addr().unwrap(), accept(listener, connections_max, silence, Drain::default()))
    }

    #[tokio::test]
    async fn a_silent_connection_ends_and_one_that_was_heard_stays() {
        let (address, mut incoming) = accepting(2, Duration::from_millis(20)).await;
        let _silent_client = TcpStream::connect(address).await.unwrap();
        let mut silent = incoming.next().await.unwrap().unwrap();
        let mut client = TcpStream::connect(address).await.unwrap();
        let mut heard = incoming.next().await.unwrap().unwrap();
        heard.connect_info().heard();

        assert_eq!(silent.read_u8().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        tokio::time::sleep(Duration::from_millis(40)).await;
        client.write_u8(7).await.unwrap();
        assert_eq!(heard.read_u8().await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_server_that_closes_takes_whoever_came_before_and_nobody_else() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, drain) = (listener.local_addr().unwrap(), Drain::default());
        let mut clients = Vec::new();
        for _ in 0..5 {
            clients.push(TcpStream::connect(address).await.unwrap());
        }
        drain.close();
        let incoming: Vec<_> = accept(listener, 8, SILENCE, drain).collect().await;
        assert_eq!(incoming.len(), clients.len());
        TcpStream::connect(address).await.expect_err("the port is closed");
    }

    #[tokio::test]
    async fn there_are_so_many_connections_and_no_more() {
        let (address, mut incoming) = accepting(1, SILENCE).await;
        let _first_client = TcpStream::connect(address).await.unwrap();
        let first = incoming.next().await.unwrap().unwrap();
        let _second_client = TcpStream::connect(address).await.unwrap();
        let early = tokio::time::timeout(Duration::from_millis(50), incoming.next()).await;
        assert!(early.is_err(), "the limit does not hold");
        drop(first);
        incoming.next().await.unwrap().expect("a place is free again");
    }
}
