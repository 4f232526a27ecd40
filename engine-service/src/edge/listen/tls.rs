//! TLS on accepted connections. The gRPC library's TLS offers only HTTP/2, but many tools, and
//! browsers behind some proxies, need HTTP/1.1.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use super::connections::Connection;

const HANDSHAKE: Duration = Duration::from_secs(10);
const ALPN_PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Creates the TLS acceptor. Players need no certificate. With an `authority`, the gate requires
/// one from workers.
pub(crate) fn acceptor(
    chain: &[u8],
    key: &[u8],
    authority: Option<&[u8]>,
) -> Result<TlsAcceptor, Box<dyn Error>> {
    let certificates =
        |pem: &[u8]| CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
    let key = PrivateKeyDer::from_pem_slice(key)?;
    let builder = ServerConfig::builder();
    let builder = match authority {
        None => builder.with_no_client_auth(),
        Some(pem) => {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(certificates(pem)?);
            let verifier = WebPkiClientVerifier::builder(roots.into()).allow_unauthenticated();
            builder.with_client_cert_verifier(verifier.build()?)
        }
    };
    let mut config = builder.with_single_cert(certificates(chain)?, key)?;
    config.alpn_protocols = ALPN_PROTOCOLS.map(<[u8]>::to_vec).to_vec();
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Returns the connections that complete the TLS handshake. Handshakes run concurrently.
pub(crate) fn encrypted(
    mut incoming: ReceiverStream<io::Result<Connection>>,
    acceptor: TlsAcceptor,
) -> ReceiverStream<io::Result<TlsStream<Connection>>> {
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        loop {
            let connection = tokio::select! {
                () = sender.closed() => return,
                connection = incoming.next() => connection,
            };
            let Some(connection) = connection else { return };
            let Ok(connection) = connection else { continue };
            let (acceptor, sender) = (acceptor.clone(), sender.clone());
            tokio::spawn(async move {
                match tokio::time::timeout(HANDSHAKE, acceptor.accept(connection)).await {
                    // This fails only if the server has stopped.
                    Ok(Ok(stream)) => drop(sender.send(Ok(stream)).await),
                    Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
                    Err(_) => tracing::debug!("a TLS handshake took too long"),
                }
            });
        }
    });
    ReceiverStream::new(receiver)
}
