//! Opens connections, with the system's sockets or a replacement.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// A bidirectional byte stream.
pub trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<P: AsyncRead + AsyncWrite + Send + Unpin> ByteStream for P {}

/// The future of a connection that is being opened.
pub type Dialed<'a> = Pin<Box<dyn Future<Output = io::Result<Box<dyn ByteStream>>> + Send + 'a>>;

/// A way to open connections to addresses.
pub trait Dial: Send + Sync + fmt::Debug {
    fn dial(&self, address: SocketAddr) -> Dialed<'_>;
}

/// The default [`Dial`], which opens TCP connections.
#[derive(Clone, Copy, Debug)]
pub struct Tcp;

impl Dial for Tcp {
    fn dial(&self, address: SocketAddr) -> Dialed<'_> {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream) as Box<dyn ByteStream>)
        })
    }
}

pub(crate) fn tcp() -> Arc<dyn Dial> {
    Arc::new(Tcp)
}
