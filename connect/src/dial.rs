//! How a connection is made: by the system's sockets, or by what stands for them.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// Both ends of something that bytes go through in order.
pub trait Pipe: AsyncRead + AsyncWrite + Send + Unpin {}

impl<P: AsyncRead + AsyncWrite + Send + Unpin> Pipe for P {}

/// A connection on its way.
pub type Dialled<'a> = Pin<Box<dyn Future<Output = io::Result<Box<dyn Pipe>>> + Send + 'a>>;

/// A way to connect to an address.
pub trait Dial: Send + Sync + fmt::Debug {
    /// Connects.
    fn dial(&self, address: SocketAddr) -> Dialled<'_>;
}

/// The way that is usual: TCP.
#[derive(Clone, Copy, Debug)]
pub struct Tcp;

impl Dial for Tcp {
    fn dial(&self, address: SocketAddr) -> Dialled<'_> {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream) as Box<dyn Pipe>)
        })
    }
}

/// The way that is usual, to be shared.
pub(crate) fn tcp() -> Arc<dyn Dial> {
    Arc::new(Tcp)
}
