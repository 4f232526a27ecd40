//! The web page: its files, served beside gRPC on the same port.
//!
//! The files are part of the program (`build.rs` lists them). They are hashed once, and compressed
//! once, beside the first requests. A request costs a look into a map, and its answer no memory.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::{Arc, LazyLock, OnceLock};
use std::task::{Context, Poll};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::future::Either;
use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body::{Frame, SizeHint};
use sha2::{Digest as _, Sha256};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use super::connections::{Peer, Sending};
use super::limits::{self, Limits};
use super::methods::method;
use super::proxies::Proxies;
use crate::maps::Map;

/// The files by their paths, as the build of the page made them.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));
/// The file that answers every path that is no file: the page reads the path itself.
const INDEX: &str = "/index.html";
/// The folder of files whose names hold their hashes.
const HASHED: &str = "/assets/";
/// Answers are handed over in parts of this size, as those of calls are.
const PART: usize = 16 << 10;
/// The page is compressed once, so as small as can be.
const ZSTD_LEVEL: i32 = 19;

/// What the page may do: run its own scripts and call its own engine. What a script writes into the
/// page as HTML must have passed the sanitizer.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types dompurify";

/// How long browsers remember that the page is served by https.
const A_YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// What every answer says.
const ALWAYS: [(HeaderName, HeaderValue); 6] = [
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

/// A file.
struct File {
    content: &'static [u8],
    media_type: &'static str,
    /// Whether its name changes with its content.
    hashed: bool,
    /// The beginning of the content's hash.
    hash: String,
    packed: OnceLock<Packed>,
}

/// A file's compressed forms, as far as they are smaller.
struct Packed {
    zstd: Option<Bytes>,
    gzip: Option<Bytes>,
}

static ALL: LazyLock<Map<&'static str, File>> = LazyLock::new(|| {
    FILES.iter().map(|(path, content)| (*path, File::new(path, content))).collect()
});

/// Compresses all files; until it has, they are served as they are.
pub(super) fn pack() {
    for file in ALL.values() {
        file.packed.get_or_init(|| Packed::of(file.content));
    }
}

impl File {
    fn new(path: &str, content: &'static [u8]) -> Self {
        let begin = Sha256::digest(content).first_chunk().map(|bytes| u128::from_be_bytes(*bytes));
        let hash = format!("{:032x}", begin.expect("a hash is longer"));
        let (media_type, hashed) = (media_type(path), path.starts_with(HASHED));
        Self { content, media_type, hashed, hash, packed: OnceLock::new() }
    }

    /// The form that a browser gets, and its encoding.
    fn form(&self, headers: &HeaderMap) -> (Bytes, Option<&'static str>) {
        let plain = (Bytes::from_static(self.content), None);
        let Some(packed) = self.packed.get() else { return plain };
        [("zstd", &packed.zstd), ("gzip", &packed.gzip)]
            .into_iter()
            .filter(|(encoding, _)| reads(headers, encoding))
            .find_map(|(encoding, form)| Some((form.clone()?, Some(encoding))))
            .unwrap_or(plain)
    }
}

impl Packed {
    fn of(content: &[u8]) -> Self {
        let smaller = |packed: std::io::Result<Vec<u8>>| {
            packed.ok().filter(|packed| packed.len() < content.len()).map(Bytes::from)
        };
        let gzip = || {
            use std::io::Write as _;
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(content)?;
            encoder.finish()
        };
        let zstd = zstd::stream::encode_all(content, ZSTD_LEVEL);
        Self { zstd: smaller(zstd), gzip: smaller(gzip()) }
    }
}

/// Whether a browser reads an encoding.
fn reads(headers: &HeaderMap, encoding: &str) -> bool {
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

/// Puts the page before the calls.
#[derive(Clone)]
pub(super) struct SiteLayer {
    pub(super) limits: Arc<Limits>,
    pub(super) proxies: Arc<Proxies>,
    /// Whether browsers are to come by https alone from now on.
    pub(super) strict: bool,
}

impl<S> Layer<S> for SiteLayer {
    type Service = Site<S>;

    fn layer(&self, inner: S) -> Site<S> {
        Site { site: self.clone(), inner }
    }
}

/// The page, and calls behind it.
#[derive(Clone)]
pub(super) struct Site<S> {
    site: SiteLayer,
    inner: S,
}

impl<S> Service<Request<Body>> for Site<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Either<std::future::Ready<Result<S::Response, S::Error>>, S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        if is_of_grpc(&request) {
            return Either::Right(self.inner.call(request));
        }
        let mut answer = self.site.answer(&request);
        if self.site.strict {
            answer.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, A_YEAR);
        }
        let code = answer.status().as_u16().to_string();
        metrics::counter!("heliopause_web_requests_total", "code" => code).increment(1);
        Either::Left(std::future::ready(Ok(answer)))
    }
}

/// Whether a request is a call, or what a browser asks before it calls. All others want a file.
fn is_of_grpc(request: &Request<Body>) -> bool {
    if matches!(*request.method(), Method::POST | Method::OPTIONS) {
        return true;
    }
    let kind = request.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"))
        || method(request.uri().path()).is_known()
}

impl SiteLayer {
    fn answer(&self, request: &Request<Body>) -> Response<Body> {
        let peer = request.extensions().get::<Peer>();
        if let Some(peer) = peer {
            peer.heard();
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let allowed = (header::ALLOW, HeaderValue::from_static("GET, HEAD"));
            return refusal(StatusCode::METHOD_NOT_ALLOWED, Some(allowed));
        }
        // Only a test asks without a connection.
        let from = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), Peer::address);
        let address = self.proxies.client(from, request.headers());
        let Ok(counted) = self.limits.file(address) else {
            let soon = (header::RETRY_AFTER, HeaderValue::from_static("1"));
            return refusal(StatusCode::TOO_MANY_REQUESTS, Some(soon));
        };
        let Some(file) = find(request.uri().path()) else {
            return refusal(StatusCode::NOT_FOUND, None);
        };
        let sending = peer.map(Peer::answer);
        file_answer(file, request, Content { unsent: Bytes::new(), sending, _counted: counted })
    }
}

/// The file at a path. Every path that does not look like a file's is the page's own business.
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
    let fresh = is_fresh(request.headers(), &tag);
    let mut answer = Response::new(Body::empty());
    let headers = answer.headers_mut();
    headers.extend(ALWAYS);
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

/// Whether a browser has this already.
fn is_fresh(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH);
    known.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(
        |one| {
            let one = one.trim();
            one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag
        },
    )
}

/// An answer without words: nobody has to read it for it to be sent.
fn refusal(status: StatusCode, more: Option<(HeaderName, HeaderValue)>) -> Response<Body> {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.extend(ALWAYS);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.extend(more);
    answer
}

/// A file on its way. It counts for its address until it is sent, and ends with its connection if
/// nobody reads it.
struct Content {
    unsent: Bytes,
    sending: Option<Sending>,
    _counted: limits::File,
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
