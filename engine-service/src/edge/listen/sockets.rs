//! Transports of connections: system sockets, or replacements for tests and simulations.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::either::Either;

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

/// The transport of a connection: a system socket, or a replacement.
pub(crate) type Socket = Either<TcpStream, Box<dyn ByteStream>>;

impl Listener {
    pub(crate) async fn accept(&self) -> io::Result<(Socket, SocketAddr)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, address) = listener.accept().await?;
                // Disable Nagle's algorithm, so that small responses are sent immediately. A socket
                // that rejects this option is broken, and will soon fail elsewhere.
                let _ = stream.set_nodelay(true);
                Ok((Socket::Left(stream), address))
            }
            Self::Other(entrance) => {
                let (stream, address) = entrance.accept_connection().await?;
                Ok((Socket::Right(stream), address))
            }
        }
    }
}
