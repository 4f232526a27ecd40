//! The files of the web page, served on the same port as gRPC.
//!
//! The files are compiled into the program (`build.rs`), and are hashed and compressed once.

pub(crate) mod cors;
pub(crate) mod hosts;
pub(crate) mod metrics;
pub(crate) mod samples;
pub(crate) mod share;

use std::borrow::Cow;
use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::{Arc, LazyLock, OnceLock};
use std::task::{Context, Poll};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body::{Frame, SizeHint};
use sha2::{Digest as _, Sha256};
use tonic::Status;
use tonic::body::Body;
use tower_http::validate_request::ValidateRequest;

use crate::edge::gate::methods::method;
use crate::edge::limits::{self, Limits};
use crate::edge::listen::connections::{Peer, Sending};
use crate::edge::listen::proxies::Proxies;
use crate::maps::Map;

static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));
const INDEX: &str = "/index.html";
const HASHED_FOLDER: &str = "/assets/";
const PART: usize = 16 << 10;
/// The highest regular zstd level. It is slow, but each file is compressed only once.
const ZSTD_LEVEL: i32 = 19;

/// The content security policy. HTML inserted by a script must pass the sanitizer.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types dompurify service-worker";

const HSTS_MAX_AGE: HeaderValue = HeaderValue::from_static("max-age=31536000");

const COMMON_HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (header::VARY, HeaderValue::from_static("accept-encoding")),
];

struct File {
    content: &'static [u8],
    media_type: &'static str,
    hashed: bool,
    hash: String,
    /// The compressed forms, made when they are first requested. `None` if a form is not smaller.
    zstd: OnceLock<Option<Bytes>>,
    gzip: OnceLock<Option<Bytes>>,
}

static ALL: LazyLock<Map<&'static str, File>> = LazyLock::new(|| {
    FILES.iter().map(|(path, content)| (*path, File::new(path, content))).collect()
});

impl File {
    fn new(path: &str, content: &'static [u8]) -> Self {
        let begin = Sha256::digest(content).first_chunk().map(|bytes| u128::from_be_bytes(*bytes));
        let hash = format!("{:032x}", begin.expect("a hash is longer"));
        let (media_type, hashed) = (media_type(path), path.starts_with(HASHED_FOLDER));
        let (zstd, gzip) = Default::default();
        Self { content, media_type, hashed, hash, zstd, gzip }
    }

    /// Returns the content to send and its encoding. Prefers zstd to gzip.
    fn form(&self, headers: &HeaderMap) -> (Bytes, Option<&'static str>) {
        if accepts(headers, "zstd")
            && let Some(packed) = self.zstd.get_or_init(|| self.smaller(zstd_of(self.content)))
        {
            return (packed.clone(), Some("zstd"));
        }
        if accepts(headers, "gzip")
            && let Some(packed) = self.gzip.get_or_init(|| self.smaller(gzip_of(self.content)))
        {
            return (packed.clone(), Some("gzip"));
        }
        (Bytes::from_static(self.content), None)
    }

    fn smaller(&self, packed: std::io::Result<Vec<u8>>) -> Option<Bytes> {
        packed.ok().filter(|packed| packed.len() < self.content.len()).map(Bytes::from)
    }
}

fn zstd_of(content: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::stream::encode_all(content, ZSTD_LEVEL)
}

fn gzip_of(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    encoder.finish()
}

fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING);
    accepted.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(
        |offer| {
            let (name, weight) = offer.split_once(';').unwrap_or((offer, ""));
            let weight = weight.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f64>);
            name.trim().eq_ignore_ascii_case(encoding) && weight.is_ok_and(|weight| weight > 0.0)
        },
    )
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) limits: Arc<Limits>,
    pub(crate) proxies: Arc<Proxies>,
    pub(crate) strict: bool,
}

impl ValidateRequest<Body> for Site {
    type ResponseBody = Body;

    fn validate(&mut self, request: &mut Request<Body>) -> Result<(), Response<Body>> {
        if is_grpc(request) {
            return Ok(());
        }
        Err(finished(self.answer(request), self.strict))
    }
}

/// Counts a response, and requires https for later requests if `strict` is set.
fn finished(mut answer: Response<Body>, strict: bool) -> Response<Body> {
    if strict {
        answer.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HSTS_MAX_AGE);
    }
    let code = answer.status().as_u16().to_string();
    ::metrics::counter!("heliopause_web_requests_total", "code" => code).increment(1);
    answer
}

/// Returns whether a request may be a gRPC call or a browser's preflight for a gRPC call.
fn is_grpc(request: &Request<Body>) -> bool {
    if matches!(*request.method(), Method::POST | Method::OPTIONS) {
        return true;
    }
    let kind = request.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"))
        || method(request.uri().path()).is_known()
}

impl Site {
    fn answer(&self, request: &Request<Body>) -> Response<Body> {
        let peer = request.extensions().get::<Peer>();
        if let Some(peer) = peer {
            peer.made_call();
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let allowed = (header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return refusal(StatusCode::METHOD_NOT_ALLOWED, Some(allowed));
        }
        // Only tests call this without a connection.
        let from = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), Peer::address);
        let address = self.proxies.client(from, request.headers());
        let Ok(counted) = self.limits.file(address) else { return too_many() };
        let Some(file) = find(request.uri().path()) else {
            return refusal(StatusCode::NOT_FOUND, None);
        };
        let sending = peer.map(Peer::answer);
        file_answer(file, request, Content::new(sending, counted))
    }
}

/// Returns the file at a path, or `None` if it is missing. Returns the index page for a path
/// without a file extension, because the page's router handles such paths.
fn find(path: &str) -> Option<&'static File> {
    if let Some(file) = ALL.get(path) {
        return Some(file);
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    if name.contains('.') { None } else { ALL.get(INDEX) }
}

fn file_answer(file: &File, request: &Request<Body>, mut content: Content) -> Response<Body> {
    let (form, encoding) = file.form(request.headers());
    let tag = format!(
        "\"{}{}\"",
        file.hash,
        encoding.map_or_else(Cow::default, |encoding| { Cow::from(format!("-{encoding}")) })
    );
    let fresh = is_cached(request.headers(), &tag);
    let mut answer = Response::new(Body::empty());
    let headers = answer.headers_mut();
    headers.extend(COMMON_HEADERS);
    let keep = if file.hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(header::ETAG, HeaderValue::try_from(tag).expect("a hash is plain text"));
    if fresh {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        return answer;
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(form.len()));
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    if *request.method() == Method::GET {
        content.unsent = form;
        *answer.body_mut() = Body::new(content);
    }
    answer
}

fn is_cached(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH);
    known.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(
        |one| {
            let one = one.trim();
            one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag
        },
    )
}

fn too_many() -> Response<Body> {
    let soon = (header::RETRY_AFTER, HeaderValue::from_static("1"));
    refusal(StatusCode::TOO_MANY_REQUESTS, Some(soon))
}

/// Returns an error without a body. Sending the error never waits for the client.
fn refusal(status: StatusCode, more: Option<(HeaderName, HeaderValue)>) -> Response<Body> {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.extend(COMMON_HEADERS);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.extend(more);
    answer
}

/// A file response. It counts against the client's address until it is sent. The connection is
/// closed if the client does not read the response.
struct Content {
    unsent: Bytes,
    sending: Option<Sending>,
    _counted: limits::File,
}

impl Content {
    fn new(sending: Option<Sending>, counted: limits::File) -> Self {
        Self { unsent: Bytes::new(), sending, _counted: counted }
    }
}

impl http_body::Body for Content {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if let Some(sending) = &mut self.sending {
            sending.moved();
        }
        if self.unsent.is_empty() {
            return Poll::Ready(None);
        }
        let length = PART.min(self.unsent.len());
        let part = self.unsent.split_to(length);
        if let Some(sending) = &mut self.sending {
            sending.wait();
        }
        Poll::Ready(Some(Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.unsent.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.unsent.len() as u64)
    }
}

#[cfg(test)]
mod tests;
