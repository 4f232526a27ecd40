//! The host names that an engine on loopback accepts.
//!
//! A foreign web page can resolve its host name to 127.0.0.1 (DNS rebinding). The browser then
//! treats the engine as part of that page's site, but the request still names the page's host.
//!
//! Only HTTP/1 requests are checked. Browsers use HTTP/2 only over TLS, where the certificate
//! proves the name. Proxies and gRPC clients may send any authority.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use http::uri::Authority;
use http::{HeaderValue, Request, Response, StatusCode, Uri, Version, header};
use tonic::body::Body;
use tonic::{Code, Status};
use tower_http::validate_request::ValidateRequest;

use crate::edge::listen::connections::Peer;
use crate::edge::listen::proxies::Proxies;

#[derive(Clone)]
pub(crate) struct Hosts {
    names: Arc<[String]>,
    proxies: Arc<Proxies>,
}

impl Hosts {
    /// Creates the check of host names. Returns `None` if the engine does not listen on loopback,
    /// because it then accepts every name.
    pub(crate) fn new(
        listen: SocketAddr,
        origins: &[String],
        proxies: &Arc<Proxies>,
    ) -> Option<Self> {
        let name = |origin: &String| origin.parse::<Uri>().ok()?.host().map(str::to_lowercase);
        let names = origins.iter().filter_map(name).collect();
        listen.ip().is_loopback().then(|| Self { names, proxies: Arc::clone(proxies) })
    }

    /// Returns a request's host name if the request must be rejected. Accepts HTTP/2 requests and
    /// requests from trusted proxies.
    fn foreign<B>(&self, request: &Request<B>) -> Option<String> {
        let trusted = |peer: &Peer| self.proxies.trust(peer.address());
        if request.version() >= Version::HTTP_2
            || request.extensions().get::<Peer>().is_some_and(trusted)
        {
            return None;
        }
        let written = if let Some(host) = request.uri().host() {
            host.to_owned()
        } else {
            let host = request.headers().get(header::HOST)?.to_str().unwrap_or_default();
            host.parse().map_or_else(|_| host.to_owned(), |host: Authority| host.host().to_owned())
        };
        let name = written.trim_end_matches('.').to_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let own = address.is_ok()
            || name == "localhost"
            || name.ends_with(".localhost")
            || self.names.contains(&name);
        (!own).then_some(name)
    }
}

impl ValidateRequest<Body> for Hosts {
    type ResponseBody = Body;

    fn validate(&mut self, request: &mut Request<Body>) -> Result<(), Response<Body>> {
        let Some(name) = self.foreign(request) else { return Ok(()) };
        if let Some(peer) = request.extensions().get::<Peer>() {
            peer.made_call();
        }
        metrics::counter!("heliopause_foreign_hosts_total").increment(1);
        Err(refusal(&name))
    }
}

fn refusal(name: &str) -> Response<Body> {
    let name = crate::failure::shortened(name);
    let text = format!(
        "host: {name:?} is not a name of this engine. Use localhost or an address. To allow the \
         name, start engine-service with --cors-origin http://{name}, or with --trusted-proxy if a \
         proxy sends it.\n"
    );
    let status = Status::new(Code::PermissionDenied, text.trim_end());
    let mut answer = status.into_http::<Body>().map(|_| Body::new(text));
    *answer.status_mut() = StatusCode::MISDIRECTED_REQUEST;
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(listen: &str, proxy: &str) -> Option<Hosts> {
        let origins = ["http://Play.test:8080".to_owned(), "https://one.example".to_owned()];
        let proxies = Arc::new(Proxies::new(&[proxy.parse().unwrap()], false));
        Hosts::new(listen.parse().unwrap(), &origins, &proxies)
    }

    /// Security S7: a foreign page reached the engine through its own host name.
    #[test]
    fn loopback_rejects_names_of_other_hosts() {
        let layer = layer("127.0.0.1:1", "10.0.0.1/32").unwrap();
        let foreign = |uri: &str, host: Option<&str>, version| {
            let mut request = Request::builder().uri(uri).version(version);
            if let Some(host) = host {
                request = request.header(header::HOST, host);
            }
            layer.foreign(&request.body(()).unwrap())
        };
        let own = "localhost LOCALHOST:50051 localhost. a.localhost:1 127.0.0.1:50051 \
            [::1]:50051 [::1] 192.0.2.7 play.test play.test:8080 one.example";
        for own in own.split(' ') {
            assert_eq!(foreign("/", Some(own), Version::HTTP_11), None, "{own}");
        }
        let others = "evil.example|evil.example:50051|localhost.evil.example|notlocalhost||\
            127.0.0.1.evil.example|x y|user@evil.example";
        for other in others.split('|') {
            let found = foreign("/", Some(other), Version::HTTP_11);
            assert!(found.is_some(), "{other}");
            assert_eq!(foreign("/", Some(other), Version::HTTP_2), None, "{other}: not a browser");
        }
        assert!(foreign("http://evil.example/", Some("localhost"), Version::HTTP_11).is_some());
        assert_eq!(foreign("/", None, Version::HTTP_10), None, "browsers name a host");
    }

    #[test]
    fn other_addresses_and_trusted_proxies_accept_every_name() {
        assert!(layer("0.0.0.0:1", "10.0.0.1/32").is_none());
        let layer = layer("[::1]:1", "127.0.0.1/32").unwrap();
        let request = |from: [u8; 4]| {
            let mut request = Request::builder().header(header::HOST, "games.example").body(());
            let peer = Peer::at(from.into(), false);
            request.as_mut().unwrap().extensions_mut().insert(peer);
            request.unwrap()
        };
        assert_eq!(layer.foreign(&request([127, 0, 0, 1])), None);
        assert!(layer.foreign(&request([127, 0, 0, 2])).is_some());
    }
}
