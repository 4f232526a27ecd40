//! TLS on connections that were accepted. The gRPC library's own speaks HTTP/2 alone; browsers
//! behind some proxies, and many tools, speak HTTP/1.1.

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

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// What the server speaks inside, the better first.
const SPOKEN: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Reads what TLS is served with: a chain, its key, and the authority of workers' certificates, all
/// in PEM. Players need no certificate; the gate asks workers for one.
pub(super) fn acceptor(
    chain: &[u8],
    key: &[u8],
    authority: Option<&[u8]>,
) -> Result<TlsAcceptor, String> {
    let said = |error: &dyn std::error::Error| error.to_string();
    let certificates = |pem: &[u8]| {
        let all = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
        all.map_err(|error| said(&error))
    };
    let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| said(&error))?;
    let builder = ServerConfig::builder();
    let builder = match authority {
        None => builder.with_no_client_auth(),
        Some(pem) => {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(certificates(pem)?);
            let verifier = WebPkiClientVerifier::builder(roots.into()).allow_unauthenticated();
            builder.with_client_cert_verifier(verifier.build().map_err(|error| said(&error))?)
        }
    };
    let config = builder.with_single_cert(certificates(chain)?, key);
    let mut config = config.map_err(|error| said(&error))?;
    config.alpn_protocols = SPOKEN.map(<[u8]>::to_vec).to_vec();
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// The connections whose handshake succeeds. Those that are slow keep no others waiting; each has
/// a place among the connections already.
pub(super) fn encrypted(
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
                    // Nobody takes it only if the server stops.
                    Ok(Ok(stream)) => drop(sender.send(Ok(stream)).await),
                    Ok(Err(error)) => tracing::debug!(%error, "a TLS handshake failed"),
                    Err(_) => tracing::debug!("a TLS handshake took too long"),
                }
            });
        }
    });
    ReceiverStream::new(receiver)
}
