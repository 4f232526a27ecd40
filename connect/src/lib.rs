//! One channel to several engines that serve the same games.
//!
//! A client names all addresses. [`AnyOf`] makes each connection to one that answers, beginning with any: so clients spread
//! over the engines, and when a connection breaks, connecting anew is failing over.

use std::future::Future;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower::Service;

/// An engine that does not answer within this time is passed over.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);

/// Connects to any of several engines.
#[derive(Clone, Debug)]
pub struct AnyOf(Arc<[Uri]>);

impl AnyOf {
    /// The engines at these addresses. The path and the like of an address mean nothing.
    pub fn new(addresses: impl IntoIterator<Item = Uri>) -> Self {
        Self(addresses.into_iter().collect())
    }

    async fn connect(self) -> io::Result<TokioIo<TcpStream>> {
        let mut last = io::Error::new(io::ErrorKind::AddrNotAvailable, "no engine is named");
        let first = anywhere(self.0.len());
        for address in self.0.iter().cycle().skip(first).take(self.0.len()) {
            match knock(address).await {
                Ok(stream) => return Ok(TokioIo::new(stream)),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// The address itself, whatever the channel's is.
impl Service<Uri> for AnyOf {
    type Response = TokioIo<TcpStream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        Box::pin(self.clone().connect())
    }
}

async fn knock(address: &Uri) -> io::Result<TcpStream> {
    let host = address.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let tls = address.scheme_str() == Some("https");
    let port = address.port_u16().unwrap_or(if tls { 443 } else { 80 });
    let stream = tokio::time::timeout(ANSWERS_WITHIN, TcpStream::connect((host, port))).await;
    let stream = stream.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A number below another by chance: the standard library seeds each of its hashers by itself.
pub fn anywhere(below: usize) -> usize {
    (RandomState::new().hash_one(0) % below.max(1) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    async fn engine() -> (TcpListener, Uri) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        (listener, address.parse().unwrap())
    }

    #[tokio::test]
    async fn whichever_answers_is_taken() {
        let (listener, there) = engine().await;
        let (gone, missing) = engine().await;
        drop(gone);
        let mut any = AnyOf::new([missing.clone(), there, missing]);
        for _ in 0..20 {
            any.call(Uri::default()).await.expect("one of them answers");
            listener.accept().await.unwrap();
        }
    }

    #[tokio::test]
    async fn clients_spread_over_the_engines() {
        let engines = [engine().await, engine().await];
        let mut any = AnyOf::new(engines.iter().map(|(_, address)| address.clone()));
        let mut streams = Vec::new();
        for _ in 0..40 {
            streams.push(any.call(Uri::default()).await.unwrap());
        }
        for (listener, address) in &engines {
            let accepted = tokio::time::timeout(Duration::from_secs(10), listener.accept()).await;
            assert!(accepted.is_ok(), "of 40 connections none went to {address}");
        }
    }

    #[tokio::test]
    async fn where_nobody_answers_that_is_told() {
        let (gone, missing) = engine().await;
        drop(gone);
        let error = AnyOf::new([missing]).call(Uri::default()).await.expect_err("nobody is there");
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
        assert!(AnyOf::new([]).call(Uri::default()).await.is_err());
    }
}
