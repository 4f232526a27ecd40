//! Notices by webhook. Each notice is one signed POST request to a checked address.
//!
//! The receiver may be malicious. An attempt therefore has a timeout, headers have a maximum size,
//! redirects are not followed, and the response body is not read.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, header,
};
use http_body_util::{BodyExt as _, Full, Limited};
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
use crate::background::AbortOnDrop;

/// The timeouts of an attempt, and of checking a target or connecting to one address.
pub(super) const ATTEMPT: Duration = Duration::from_secs(10);
const CONNECT: Duration = Duration::from_secs(3);
const HEADER_BYTES: usize = 16 << 10;
/// The maximum size of the body of a fetched response.
const BODY_BYTES: usize = 256 << 10;
/// The maximum delay that a receiver can request.
const WAIT_MAX: Duration = Duration::from_hours(1);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    secure: bool,
    pub(super) host: String,
    port: u16,
    authority: String,
    path: String,
}

impl Target {
    pub(crate) fn of(url: &str, private: bool) -> Result<Self, &'static str> {
        let uri: Uri =
            url.parse().map_err(|_| "Expected a URL, such as https://example.org/hook.")?;
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") if private => false,
            _ if private => return Err("The URL must start with https:// or http://."),
            _ => return Err("The URL must start with https://."),
        };
        let authority = uri
            .authority()
            .ok_or("The URL has no host; expected a URL such as https://example.org/hook.")?;
        if authority.as_str().contains('@') {
            return Err("The URL must not contain a user or a password.");
        }
        if url.contains('#') {
            return Err("The URL must not contain a fragment.");
        }
        let host = authority.host().to_owned();
        if host.is_empty() {
            return Err("The URL has no host; expected a URL such as https://example.org/hook.");
        }
        let port = match authority.port_u16() {
            None if authority.as_str() != host => return Err("The port must be 1 to 65535."),
            None if secure => 443,
            None => 80,
            Some(0) => return Err("The port must be 1 to 65535."),
            Some(port) => port,
        };
        let path = uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Ok(Self { secure, host, port, authority: authority.to_string(), path })
    }

    /// Returns the scheme and the authority.
    pub(super) fn origin(&self) -> String {
        format!("{}://{}", if self.secure { "https" } else { "http" }, self.authority)
    }

    /// Splits the URL of an ntfy topic into its parent URL, which accepts all topics, and the
    /// topic. Returns `None` if the last part of the path is not a valid topic.
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Undelivered {
    pub(crate) why: String,
    pub(super) gone: bool,
    pub(super) wait: Option<Duration>,
}

impl Undelivered {
    pub(super) fn because(why: impl Into<String>) -> Self {
        Self { why: why.into(), ..Self::default() }
    }
}

impl From<NoAddress> for Undelivered {
    fn from(error: NoAddress) -> Self {
        Self::because(format!("The URL cannot be used: {error}."))
    }
}

pub(super) struct Post {
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// Whether 404 means that the receiver no longer exists.
    pub(super) ends_when_missing: bool,
}

impl Post {
    /// Returns a JSON request that is signed with a webhook's secret.
    pub(super) fn signed(id: &str, kind: &str, secret: &str, body: Bytes) -> Self {
        let seconds = jiff::Timestamp::now().as_second();
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let own = [
            ("heliopause-notice", id),
            ("heliopause-kind", kind),
            ("heliopause-signature", &signature(secret, seconds, &body)),
        ];
        for (name, value) in own {
            let value = HeaderValue::from_str(value).expect("the engine's own words are ASCII");
            headers.insert(HeaderName::from_static(name), value);
        }
        Self { headers, body, ends_when_missing: false }
    }
}

pub(crate) struct Webhooks {
    /// Whether to allow private addresses and connections without TLS.
    pub(super) private: bool,
    tls: TlsConnector,
}

impl Webhooks {
    pub(crate) fn new(private: bool) -> Self {
        let mut roots = RootCertStore::empty();
        // Unreadable system certificates are ignored.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider supports the default TLS versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self { private, tls: TlsConnector::from(Arc::new(config)) }
    }

    pub(super) async fn check_target(&self, target: &Target) -> Result<(), Undelivered> {
        let found = addresses::resolve(&target.host, target.port, self.private);
        in_time(CONNECT, async { Ok(found.await.map(drop)?) }).await
    }

    pub(super) async fn post(&self, target: &Target, post: Post) -> Result<(), Undelivered> {
        in_time(ATTEMPT, self.attempt(target, post)).await
    }

    async fn attempt(&self, target: &Target, post: Post) -> Result<(), Undelivered> {
        let ends_when_missing = post.ends_when_missing;
        let request = request(target, Method::POST, post.headers, post.body)?;
        let response = self.exchange(target, request, 0).await?;
        let mut judged = judge(response.status(), response.headers());
        if let Err(undelivered) = &mut judged {
            undelivered.gone |= ends_when_missing && response.status() == StatusCode::NOT_FOUND;
        }
        judged
    }

    /// Sends a request and reads the response.
    pub(crate) async fn fetch(
        &self,
        target: &Target,
        method: Method,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Response<Bytes>, Undelivered> {
        let request = request(target, method, headers, body)?;
        in_time(ATTEMPT, self.exchange(target, request, BODY_BYTES)).await
    }

    async fn exchange(
        &self,
        target: &Target,
        request: Request<Full<Bytes>>,
        body_max: usize,
    ) -> Result<Response<Bytes>, Undelivered> {
        let found = addresses::resolve(&target.host, target.port, self.private).await?;
        let stream = connect(&found).await?;
        if !target.secure {
            return send(stream, request, body_max).await;
        }
        let bare = target.host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let name = ServerName::try_from(bare)
            .map_err(|_| Undelivered::because("The host name is not valid for a certificate."))?;
        let stream = self.tls.connect(name, stream).await.map_err(|error| {
            // The error may contain names from the certificate, which could reveal the network.
            tracing::debug!(%error, "TLS with a webhook failed");
            Undelivered::because(
                "The TLS handshake failed; the host needs a certificate from a trusted authority.",
            )
        })?;
        send(stream, request, body_max).await
    }
}

async fn in_time<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, Undelivered>>,
) -> Result<T, Undelivered> {
    let late =
        || Undelivered::because(format!("The host did not respond within {} s.", limit.as_secs()));
    timeout(limit, work).await.unwrap_or_else(|_| Err(late()))
}

async fn connect(addresses: &[SocketAddr]) -> Result<TcpStream, Undelivered> {
    let mut last = "no response".to_owned();
    for address in addresses {
        match timeout(CONNECT, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = error.to_string(),
            Err(_) => {}
        }
    }
    Err(Undelivered::because(format!("The host is unreachable: {last}.")))
}

fn request(
    target: &Target,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Request<Full<Bytes>>, Undelivered> {
    let mut request = Request::builder()
        .method(method)
        .uri(&target.path)
        .header(header::HOST, &target.authority)
        .header(header::USER_AGENT, concat!("heliopause/", env!("CARGO_PKG_VERSION")))
        .body(Full::new(body))
        .map_err(|error| Undelivered::because(format!("The URL cannot be used: {error}.")))?;
    request.headers_mut().extend(headers);
    Ok(request)
}

fn signature(secret: &str, seconds: i64, body: &[u8]) -> String {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC accepts keys of any length");
    mac.update(seconds.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    let hash = mac.finalize().into_bytes();
    hash.iter().fold(format!("t={seconds},v1="), |text, byte| format!("{text}{byte:02x}"))
}

/// Sends a request. Does not read the response's body if `body_max` is 0.
async fn send<S>(
    stream: S,
    request: Request<Full<Bytes>>,
    body_max: usize,
) -> Result<Response<Bytes>, Undelivered>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let broken =
        |error: hyper::Error| Undelivered::because(format!("The connection failed: {error}."));
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(HEADER_BYTES)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(broken)?;
    let task = tokio::spawn(connection);
    let _end = AbortOnDrop(task.abort_handle());
    let (head, body) = sender.send_request(request).await.map_err(broken)?.into_parts();
    if body_max == 0 {
        return Ok(Response::from_parts(head, Bytes::new()));
    }
    let body = Limited::new(body, body_max)
        .collect()
        .await
        .map_err(|error| Undelivered::because(format!("The response cannot be read: {error}.")))?;
    Ok(Response::from_parts(head, body.to_bytes()))
}

fn judge(status: StatusCode, headers: &HeaderMap) -> Result<(), Undelivered> {
    if status.is_success() {
        return Ok(());
    }
    let why = if status.is_redirection() {
        format!("The receiver responded with {status}; redirects are not followed.")
    } else {
        format!("The receiver responded with {status}.")
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
    fn urls_are_parsed() {
        let target = Target::of("https://example.org/a?b=c", false).unwrap();
        assert_eq!((target.secure, target.port, target.path.as_str()), (true, 443, "/a?b=c"));
        assert_eq!(Target::of("https://example.org", false).unwrap().path, "/");
        let target = Target::of("http://[::1]:81/", true).unwrap();
        assert_eq!((target.host.as_str(), target.port), ("[::1]", 81));
        let wrong = "|example.org|/path|http://example.org/|ftp://example.org/|\
            file:///etc/passwd|https://|https://user@example.org/|https://user:word@example.org/|\
            https://example.org:0/|https://example.org:99999/|https://example.org:/|\
            https://example.org/#x|https://exa mple.org/|https://example.org/\r\nX: y";
        for wrong in wrong.split('|') {
            assert!(Target::of(wrong, false).is_err(), "{wrong}");
        }
    }

    #[test]
    fn topic_is_the_last_path_segment() {
        let topic = |url| Target::of(url, false).unwrap().topic();
        let (root, name) = topic("https://ntfy.sh/my-games").unwrap();
        assert_eq!((root.path.as_str(), name.as_str()), ("/", "my-games"));
        let (root, name) = topic("https://example.org/ntfy/x?auth=y").unwrap();
        assert_eq!((root.path.as_str(), name.as_str()), ("/ntfy/?auth=y", "x"));
        for wrong in ["https://ntfy.sh/", "https://ntfy.sh/a.b", "https://ntfy.sh"] {
            assert_eq!(topic(wrong), None, "{wrong}");
        }
    }

    /// Checks the example in docs/notices.md.
    #[test]
    fn signature_covers_time_and_body() {
        let signed = signature("hw_secret", 1_700_000_000, b"{\"id\":\"n-1\"}");
        assert_eq!(signed, DOCUMENTED);
        assert_ne!(signature("hw_secret", 1_700_000_001, b"{\"id\":\"n-1\"}")[13..], signed[13..]);
    }

    const DOCUMENTED: &str =
        "t=1700000000,v1=2c6af4836def032e305a452ce9cceb0327640b9f8f0cb87fb602a1a5ac6c81a9";

    #[test]
    fn responses_are_judged_by_their_status() {
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
