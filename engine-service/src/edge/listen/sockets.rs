//! Transports of connections: system sockets, or replacements for tests and simulations.

use std::fmt;
use std::io::{self, IoSlice};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

use super::proxies;

/// One end of a bidirectional byte stream.
pub trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin + fmt::Debug {}

impl<P: AsyncRead + AsyncWrite + Send + Unpin + fmt::Debug> ByteStream for P {}

/// A future for the next connection and its address.
pub type AcceptFuture<'a> =
    Pin<Box<dyn Future<Output = io::Result<(Box<dyn ByteStream>, SocketAddr)>> + Send + 'a>>;

/// A listener that is not a system socket.
pub trait CustomListener: Send + Sync {
    /// Accepts the next connection. Must be cancel safe.
    fn accept_connection(&self) -> AcceptFuture<'_>;
}

pub enum Listener {
    Tcp(TcpListener),
    Other(Box<dyn CustomListener>),
}

impl Listener {
    pub(crate) async fn accept(&self) -> io::Result<(Socket, SocketAddr)> {
        match self {
            Self::Tcp(listener) => {
                listener.accept().await.map(|(stream, address)| (Socket::Tcp(stream), address))
            }
            Self::Other(entrance) => entrance
                .accept_connection()
                .await
                .map(|(stream, address)| (Socket::Other(stream), address)),
        }
    }
}

#[derive(Debug)]
pub(crate) enum Socket {
    Tcp(TcpStream),
    Other(Box<dyn ByteStream>),
}

impl Socket {
    /// Disables Nagle's algorithm, so that small responses are sent immediately.
    pub(crate) fn send_at_once(&self) {
        if let Self::Tcp(stream) = self {
            // A socket that rejects this option is broken, and will soon fail elsewhere.
            let _ = stream.set_nodelay(true);
        }
    }

    pub(crate) async fn proxy_header(&mut self) -> io::Result<Option<IpAddr>> {
        match self {
            Self::Tcp(stream) => proxies::proxy_header(stream).await,
            Self::Other(_) => Ok(None),
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Other(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Other(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_flush(context),
            Self::Other(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Other(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Self::Other(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Tcp(stream) => stream.is_write_vectored(),
            Self::Other(stream) => stream.is_write_vectored(),
        }
    }
}
