//! What connections are made of: the system's sockets, or what stands for them.

use std::fmt;
use std::io::{self, IoSlice};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

use super::proxies;

/// Both ends of something that bytes go through in order.
pub trait Pipe: AsyncRead + AsyncWrite + Send + Unpin + fmt::Debug {}

impl<P: AsyncRead + AsyncWrite + Send + Unpin + fmt::Debug> Pipe for P {}

/// Somebody on their way in: their connection, and from where it comes.
pub type Entering<'a> =
    Pin<Box<dyn Future<Output = io::Result<(Box<dyn Pipe>, SocketAddr)>> + Send + 'a>>;

/// A door that does not belong to the system: pipes come in by it.
pub trait Entrance: Send + Sync {
    /// The next who comes, and from where. May be dropped while it waits.
    fn enter(&self) -> Entering<'_>;
}

/// Where connections come from.
pub enum Listener {
    /// A port.
    Tcp(TcpListener),
    /// A door of another kind.
    Other(Box<dyn Entrance>),
}

impl Listener {
    pub(super) async fn accept(&self) -> io::Result<(Socket, SocketAddr)> {
        match self {
            Self::Tcp(listener) => {
                listener.accept().await.map(|(stream, address)| (Socket::Tcp(stream), address))
            }
            Self::Other(entrance) => {
                entrance.enter().await.map(|(pipe, address)| (Socket::Other(pipe), address))
            }
        }
    }
}

/// One connection's bytes, both ways.
#[derive(Debug)]
pub(super) enum Socket {
    Tcp(TcpStream),
    Other(Box<dyn Pipe>),
}

impl Socket {
    /// Small answers do not wait for more to send.
    pub(super) fn send_at_once(&self) {
        if let Self::Tcp(stream) = self {
            // A connection that refuses this is broken, and shows it soon.
            let _ = stream.set_nodelay(true);
        }
    }

    /// Whom a proxy at the other end says that it speaks for.
    pub(super) async fn greeting(&mut self) -> io::Result<Option<IpAddr>> {
        match self {
            Self::Tcp(stream) => proxies::greeting(stream).await,
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
            Self::Other(pipe) => Pin::new(pipe).poll_read(context, buffer),
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
            Self::Other(pipe) => Pin::new(pipe).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_flush(context),
            Self::Other(pipe) => Pin::new(pipe).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Other(pipe) => Pin::new(pipe).poll_shutdown(context),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Self::Other(pipe) => Pin::new(pipe).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Tcp(stream) => stream.is_write_vectored(),
            Self::Other(pipe) => pipe.is_write_vectored(),
        }
    }
}
