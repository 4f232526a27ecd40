//! Sending a notice to a webhook: one signed POST request to an address that was looked at.
//!
//! Whoever runs the receiver may mean harm: it may answer slowly, without end, or with the address
//! of somebody else. So an attempt has a time, headers have a size, no redirect is followed, and
//! the body of an answer is not read.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::{HeaderMap, Request, StatusCode, Uri, header};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use sha2::Sha256;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::addresses::{self, NoAddress};
use crate::lasting::AbortOnDrop;

/// How long an attempt may take in all, and how long it waits for one address.
pub(super) const ATTEMPT: Duration = Duration::from_secs(10);
const CONNECT: Duration = Duration::from_secs(3);
/// How large the headers of an answer may be.
const HEADER_BYTES: usize = 16 << 10;
/// The longest wait that a receiver may ask for.
const WAIT_MAX: Duration = Duration::from_hours(1);

/// A webhook's URL, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    secure: bool,
    pub(super) host: String,
    port: u16,
    /// As the `Host` header names it.
    authority: String,
    /// Path and query.
    path: String,
}

impl Target {
    /// Reads a URL; says what is wrong with it.
    pub(super) fn of(url: &str, private: bool) -> Result<Self, &'static str> {
        let uri: Uri = url.parse().map_err(|_| "It is no URL.")?;
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") if private => false,
            _ => return Err("It must begin with https://."),
        };
        let authority = uri.authority().ok_or("It names no host.")?;
        if authority.as_str().contains('@') {
            return Err("It must not hold a user or a password.");
        }
        if url.contains('#') {
            return Err("It must not hold a fragment.");
        }
        let host = authority.host().to_owned();
        if host.is_empty() {
            return Err("It names no host.");
        }
        let port = match authority.port_u16() {
            None if authority.as_str() != host => return Err("Its port is no number."),
            None if secure => 443,
            None => 80,
            Some(0) => return Err("Its port is no number."),
            Some(port) => port,
        };
        let path = uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Ok(Self { secure, host, port, authority: authority.to_string(), path })
    }

    /// The topic of ntfy that a URL names, and the place that takes messages for all topics.
    pub(super) fn topic(&self) -> Option<(Self, String)> {
        let (path, query) = self.path.split_once('?').unwrap_or((&self.path, ""));
        let (parent, topic) = path.rsplit_once('/')?;
        let is_topic = !topic.is_empty()
            && topic.len() <= 64
            && topic.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let query = if query.is_empty() { String::new() } else { format!("?{query}") };
        let root = Self { path: format!("{parent}/{query}"), ..self.clone() };
        is_topic.then(|| (root, topic.to_owned()))
    }
}

/// Why an attempt failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Undelivered {
    /// For people.
    pub(super) why: String,
    /// Whether the receiver wants no more.
    pub(super) gone: bool,
    /// How long it asks to wait.
    pub(super) wait: Option<Duration>,
}

impl Undelivered {
    pub(super) fn because(why: impl Into<String>) -> Self {
        Self { why: why.into(), ..Self::default() }
    }
}

impl From<NoAddress> for Undelivered {
    fn from(error: NoAddress) -> Self {
        Self::because(format!("The URL is of no use: {error}."))
    }
}

/// A request to send.
pub(super) struct Post<'a> {
    pub(super) id: &'a str,
    pub(super) kind: &'a str,
    pub(super) secret: &'a str,
    pub(super) body: Bytes,
}

/// Sends to webhooks.
pub(super) struct Webhooks {
    /// Whether private addresses are allowed, and connections without TLS.
    pub(super) private: bool,
    tls: TlsConnector,
}

impl Webhooks {
    pub(super) fn new(private: bool) -> Self {
        let mut roots = RootCertStore::empty();
        // Certificates of the system that cannot be read vouch for nobody.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider knows the protocols' default versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self { private, tls: TlsConnector::from(Arc::new(config)) }
    }

    /// Looks whether a URL can be sent to.
    pub(super) async fn look(&self, target: &Target) -> Result<(), Undelivered> {
        let found = addresses::resolve(&target.host, target.port, self.private);
        in_time(CONNECT, async { Ok(found.await.map(drop)?) }).await
    }

    /// Makes one attempt.
    pub(super) async fn post(&self, target: &Target, post: Post<'_>) -> Result<(), Undelivered> {
        in_time(ATTEMPT, self.attempt(target, post)).await
    }

    async fn attempt(&self, target: &Target, post: Post<'_>) -> Result<(), Undelivered> {
        let found = addresses::resolve(&target.host, target.port, self.private).await?;
        let stream = connect(&found).await?;
        let request = request(target, post)?;
        if !target.secure {
            return send(stream, request).await;
        }
        let bare = target.host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(bare)
            .map_err(|_| Undelivered::because("No certificate can name its host."))?;
        let stream = self.tls.connect(name, stream).await.map_err(|error| {
            // It may name whom the certificate is of, which concerns nobody here.
            tracing::debug!(%error, "TLS with a webhook failed");
            Undelivered::because("TLS failed: the host's certificate is not accepted.")
        })?;
        send(stream, request).await
    }
}

async fn in_time<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, Undelivered>>,
) -> Result<T, Undelivered> {
    let late = || Undelivered::because(format!("No answer came within {} s.", limit.as_secs()));
    timeout(limit, work).await.unwrap_or_else(|_| Err(late()))
}

async fn connect(addresses: &[SocketAddr]) -> Result<TcpStream, Undelivered> {
    let mut last = "no answer".to_owned();
    for address in addresses {
        match timeout(CONNECT, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = error.to_string(),
            Err(_) => {}
        }
    }
    Err(Undelivered::because(format!("The host cannot be reached: {last}.")))
}

fn request(target: &Target, post: Post<'_>) -> Result<Request<Full<Bytes>>, Undelivered> {
    let seconds = jiff::Timestamp::now().as_second();
    Request::post(&target.path)
        .header(header::HOST, &target.authority)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::USER_AGENT, concat!("heliopause/", env!("CARGO_PKG_VERSION")))
        .header("heliopause-notice", post.id)
        .header("heliopause-kind", post.kind)
        .header("heliopause-signature", signature(post.secret, seconds, &post.body))
        .body(Full::new(post.body))
        .map_err(|error| Undelivered::because(format!("The URL is of no use: {error}.")))
}

/// The signature of a body that is sent at a time: HMAC-SHA256 over both.
fn signature(secret: &str, seconds: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key has any length");
    mac.update(seconds.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    let hash = mac.finalize().into_bytes();
    hash.iter().fold(format!("t={seconds},v1="), |text, byte| format!("{text}{byte:02x}"))
}

async fn send<S>(stream: S, request: Request<Full<Bytes>>) -> Result<(), Undelivered>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let broken =
        |error: hyper::Error| Undelivered::because(format!("The connection broke: {error}."));
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(HEADER_BYTES)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(broken)?;
    let task = tokio::spawn(connection);
    let _end = AbortOnDrop(task.abort_handle());
    let response = sender.send_request(request).await.map_err(broken)?;
    judge(response.status(), response.headers())
}

fn judge(status: StatusCode, headers: &HeaderMap) -> Result<(), Undelivered> {
    if status.is_success() {
        return Ok(());
    }
    let why = if status.is_redirection() {
        format!("The receiver answered {status}; redirects are not followed.")
    } else {
        format!("The receiver answered {status}.")
    };
    let seconds =
        headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let wait = seconds.map(|seconds| Duration::from_secs(seconds).min(WAIT_MAX));
    Err(Undelivered { why, gone: status == StatusCode::GONE, wait })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_read() {
        let target = Target::of("https://example.org/a?b=c", false).unwrap();
        assert_eq!((target.secure, target.port, target.path.as_str()), (true, 443, "/a?b=c"));
        assert_eq!(Target::of("https://example.org", false).unwrap().path, "/");
        let target = Target::of("http://[::1]:81/", true).unwrap();
        assert_eq!((target.host.as_str(), target.port), ("[::1]", 81));
        for wrong in [
            "",
            "example.org",
            "/path",
            "http://example.org/",
            "ftp://example.org/",
            "file:///etc/passwd",
            "https://",
            "https://user@example.org/",
            "https://user:word@example.org/",
            "https://example.org:0/",
            "https://example.org:99999/",
            "https://example.org:/",
            "https://example.org/#x",
            "https://exa mple.org/",
            "https://example.org/\r\nX: y",
        ] {
            assert!(Target::of(wrong, false).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_topic_is_the_last_part() {
        let topic = |url| Target::of(url, false).unwrap().topic();
        let (root, name) = topic("https://ntfy.sh/my-games").unwrap();
        assert_eq!((root.path.as_str(), name.as_str()), ("/", "my-games"));
        let (root, name) = topic("https://example.org/ntfy/x?auth=y").unwrap();
        assert_eq!((root.path.as_str(), name.as_str()), ("/ntfy/?auth=y", "x"));
        for wrong in ["https://ntfy.sh/", "https://ntfy.sh/a.b", "https://ntfy.sh"] {
            assert_eq!(topic(wrong), None, "{wrong}");
        }
    }

    /// As docs/notices.md shows it.
    #[test]
    fn a_signature_is_over_time_and_body() {
        let signed = signature("hw_secret", 1_700_000_000, b"{\"id\":\"n-1\"}");
        assert_eq!(signed, DOCUMENTED);
        assert_ne!(signature("hw_secret", 1_700_000_001, b"{\"id\":\"n-1\"}")[13..], signed[13..]);
    }

    const DOCUMENTED: &str =
        "t=1700000000,v1=2c6af4836def032e305a452ce9cceb0327640b9f8f0cb87fb602a1a5ac6c81a9";

    #[test]
    fn answers_are_judged_by_their_status() {
        let mut headers = HeaderMap::new();
        assert_eq!(judge(StatusCode::NO_CONTENT, &headers), Ok(()));
        assert!(judge(StatusCode::GONE, &headers).unwrap_err().gone);
        let redirected = judge(StatusCode::FOUND, &headers).unwrap_err();
        assert!(!redirected.gone && redirected.why.contains("not followed"));
        headers.insert(header::RETRY_AFTER, "99999".parse().unwrap());
        let busy = judge(StatusCode::TOO_MANY_REQUESTS, &headers).unwrap_err();
        assert_eq!(busy.wait, Some(WAIT_MAX));
    }
}
