//! TLS: serving with a certificate, rejecting network addresses without one, and workers'
//! certificates.

use crate::support;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heliopause_client::connect::Engines;
use heliopause_engine::config::{Config, ConfigError, Settings};
use heliopause_proto::v1::automation_service_client::AutomationServiceClient;
use heliopause_proto::v1::player_service_client::PlayerServiceClient;
use heliopause_proto::v1::{ErrorReason, WorkRequest};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::{ClientConfig, RootCertStore};
use support::{TestServer, in_memory, named, refusal, start, try_start};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tonic::Request;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};

struct Keys {
    directory: tempfile::TempDir,
    authority: CertifiedIssuer<'static, KeyPair>,
}

impl Keys {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        Self { directory: tempfile::tempdir().unwrap(), authority }
    }

    fn signed(&self, name: &str) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        (params.signed_by(&key, &self.authority).unwrap().pem(), key.serialize_pem())
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn settings(&self) -> Settings {
        let (cert, key) = self.signed("localhost");
        Settings {
            tls_cert: Some(self.file("cert.pem", &cert)),
            tls_key: Some(self.file("key.pem", &key)),
            ..in_memory()
        }
    }

    fn client(&self) -> ClientTlsConfig {
        ClientTlsConfig::new()
            .domain_name("localhost")
            .ca_certificate(Certificate::from_pem(self.authority.pem()))
    }
}

fn channel(server: &TestServer, tls: ClientTlsConfig) -> Channel {
    let endpoint = Endpoint::from_shared(format!("https://{}", server.grpc)).unwrap();
    endpoint.tls_config(tls).unwrap().connect_lazy()
}

#[tokio::test]
async fn tls_works_and_plain_text_does_not() {
    let keys = Keys::new();
    let server = start(keys.settings()).await;
    PlayerServiceClient::new(channel(&server, keys.client())).register(named("Ann")).await.unwrap();
    server.anonymous().register(named("Bob")).await.expect_err("plain text is not TLS");
    let strange = Keys::new();
    let refused =
        PlayerServiceClient::new(channel(&server, strange.client())).register(named("Cid")).await;
    refused.expect_err("a client that trusts another authority does not connect");
}

#[tokio::test]
async fn workers_need_a_certificate_if_a_ca_is_configured() {
    let keys = Keys::new();
    let settings = Settings {
        tls_client_ca: Some(keys.file("ca.pem", &keys.authority.pem())),
        ..keys.settings()
    };
    let server = start(settings).await;
    PlayerServiceClient::new(channel(&server, keys.client()))
        .register(named("Ann"))
        .await
        .expect("players need no certificate");

    let work = async |tls| {
        let mut request = Request::new(tokio_stream::pending::<WorkRequest>());
        let header = format!("Bearer {}", server.token_file("worker.token"));
        request.metadata_mut().insert("authorization", header.parse().unwrap());
        AutomationServiceClient::new(channel(&server, tls)).work(request).await
    };
    assert_eq!(refusal(work(keys.client()).await), ErrorReason::TokenInvalid);
    let (cert, key) = Keys::new().signed("worker");
    work(keys.client().identity(Identity::from_pem(cert, key)))
        .await
        .expect_err("a certificate of another CA is invalid");
    let (cert, key) = keys.signed("worker");
    let admitted = tokio::time::timeout(
        std::time::Duration::from_millis(500),
        work(keys.client().identity(Identity::from_pem(cert, key))),
    );
    // The gate has admitted the worker. How the service ends the worker's empty stream does not
    // matter.
    if let Ok(Err(status)) = admitted.await {
        assert_ne!(status.code(), tonic::Code::Unauthenticated, "{status:?}");
    }
}

#[tokio::test]
async fn mismatched_tls_files_are_rejected_with_what_to_do() {
    let keys = Keys::new();
    let missing = Settings {
        tls_cert: Some(Path::new("/nonexistent/cert.pem").to_owned()),
        ..keys.settings()
    };
    let message = try_start(missing).await.err().expect("there is no such file").to_string();
    assert!(
        message.contains("--tls-cert") && message.contains("/nonexistent/cert.pem"),
        "{message}"
    );
    let (_, other_key) = keys.signed("localhost");
    let mixed = Settings { tls_key: Some(keys.file("other.pem", &other_key)), ..keys.settings() };
    let message =
        try_start(mixed).await.err().expect("the certificate and the key do not match").to_string();
    assert!(message.contains("matching pair"), "{message}");
}

#[test]
fn network_addresses_need_tls() {
    let everywhere = Some("0.0.0.0:0".parse().unwrap());
    let refused = Config::resolve(Settings { listen: everywhere, ..in_memory() }).unwrap_err();
    assert!(matches!(refused, ConfigError::NoTls(_)), "{refused}");
    assert!(refused.to_string().contains("--insecure-no-tls"), "{refused}");
    let told = Settings { listen: everywhere, insecure_no_tls: Some(true), ..in_memory() };
    Config::resolve(told).expect("the operator allowed plain text explicitly");
    let keys = Keys::new();
    Config::resolve(Settings { listen: everywhere, ..keys.settings() }).expect("TLS protects it");
    Config::resolve(Settings { listen: Some("[::1]:0".parse().unwrap()), ..in_memory() })
        .expect("loopback needs no TLS");
}

/// Browsers choose HTTP/2. Some tools and proxies speak only HTTP/1.1 or offer no protocol.
#[tokio::test]
async fn the_page_is_served_over_tls_in_both_protocols() {
    let keys = Keys::new();
    let server = start(keys.settings()).await;
    let mut roots = RootCertStore::empty();
    roots.add(keys.authority.der().clone()).unwrap();
    for (offered, chosen) in
        [(vec!["h2", "http/1.1"], Some("h2")), (vec!["http/1.1"], Some("http/1.1")), (vec![], None)]
    {
        let config = ClientConfig::builder().with_root_certificates(roots.clone());
        let mut config = config.with_no_client_auth();
        config.alpn_protocols = offered.iter().map(|word| word.as_bytes().to_vec()).collect();
        let stream = TcpStream::connect(server.grpc).await.unwrap();
        let connector = TlsConnector::from(Arc::new(config));
        let name = "localhost".try_into().unwrap();
        let mut stream = connector.connect(name, stream).await.expect("a handshake");
        let spoken = stream.get_ref().1.alpn_protocol().map(<[u8]>::to_vec);
        assert_eq!(spoken.as_deref(), chosen.map(str::as_bytes), "{offered:?}");
        if chosen == Some("h2") {
            continue;
        }
        let asked = b"GET /game/x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        stream.write_all(asked).await.unwrap();
        let mut told = Vec::new();
        stream.read_to_end(&mut told).await.unwrap();
        let told = String::from_utf8_lossy(&told);
        assert!(told.starts_with("HTTP/1.1 200 ") && told.contains("<!doctype html>"), "{told}");
    }
}

/// Security S15: browsers got no instruction to use only https.
#[tokio::test]
async fn browsers_remember_https_except_for_localhost() {
    let keys = Keys::new();
    let mut roots = RootCertStore::empty();
    roots.add(keys.authority.der().clone()).unwrap();
    for (listen, strict) in [("127.0.0.1:0", false), ("0.0.0.0:0", true)] {
        let settings =
            Settings { listen: Some(listen.parse().unwrap()), web: Some(true), ..keys.settings() };
        let server = start(settings).await;
        let config = ClientConfig::builder().with_root_certificates(roots.clone());
        let connector = TlsConnector::from(Arc::new(config.with_no_client_auth()));
        let stream = TcpStream::connect(("127.0.0.1", server.grpc.port())).await.unwrap();
        let mut stream = connector.connect("localhost".try_into().unwrap(), stream).await.unwrap();
        let asked = b"GET / HTTP/1.1\r\nhost: games.example\r\nconnection: close\r\n\r\n";
        stream.write_all(asked).await.unwrap();
        let mut told = Vec::new();
        stream.read_to_end(&mut told).await.unwrap();
        let told = String::from_utf8_lossy(&told);
        assert!(told.starts_with("HTTP/1.1 200 "), "{told}");
        assert_eq!(told.contains("strict-transport-security: max-age=31536000"), strict, "{told}");
    }
}

async fn told(address: SocketAddr, said: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(said).await.unwrap();
    let mut told = Vec::new();
    stream.read_to_end(&mut told).await.expect("the response is complete");
    String::from_utf8_lossy(&told).into_owned()
}

/// Security T1: clients showed only "h2 protocol error".
#[tokio::test]
async fn clients_of_the_wrong_protocol_get_an_error() {
    let keys = Keys::new();
    let (protected, plain) = (start(keys.settings()).await, start(in_memory()).await);
    let engines =
        Engines::new([Endpoint::from_shared(format!("http://{}", protected.grpc)).unwrap()]);
    let refused = engines.connect().await.expect_err("the server uses HTTPS").to_string();
    assert!(refused.contains("this port serves https"), "{refused}");
    let endpoint = Endpoint::from_shared(format!("https://{}", plain.grpc))
        .unwrap()
        .tls_config(keys.client())
        .unwrap();
    let refused =
        Engines::new([endpoint]).connect().await.expect_err("the server uses HTTP").to_string();
    assert!(refused.contains("this port serves http:"), "{refused}");

    let asked = format!("GET / HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "y".repeat(20_000));
    let answer = told(protected.grpc, asked.as_bytes()).await;
    assert!(
        answer.starts_with("HTTP/1.1 400 ") && answer.ends_with("\r\n\r\nthis port serves https\n"),
        "{answer}"
    );
    let answer = told(plain.grpc, &[&b"\x16\x03\x01\x02\x00"[..], &[1; 512]].concat()).await;
    assert!(
        answer.starts_with("HTTP/1.1 400 ") && answer.ends_with("\r\n\r\nthis port serves http\n"),
        "{answer}"
    );
    PlayerServiceClient::new(channel(&protected, keys.client()))
        .register(named("Ann"))
        .await
        .expect("it goes on");
    plain.anonymous().register(named("Ann")).await.expect("it goes on");
}
