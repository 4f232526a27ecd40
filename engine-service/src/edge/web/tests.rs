use super::*;

use crate::config::Quotas;

fn site(quotas: &Quotas) -> Site {
    Site { limits: Arc::new(Limits::new(quotas)), proxies: Arc::default(), strict: false }
}

fn asked(method: Method, path: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::empty()).unwrap()
}

#[test]
fn paths_without_a_file_get_the_page_unless_they_look_like_a_file() {
    for path in ["/", "/game/x/phase/1", "/a/", "/heliopause"] {
        assert!(find(path).is_some_and(|file| file.media_type.starts_with("text/html")), "{path}");
    }
    for path in ["/assets/gone.js", "/favicon.ico", "/../Cargo.toml", "/game/x.y"] {
        assert!(find(path).is_none(), "{path}");
    }
}

#[test]
fn calls_are_passed_on() {
    let is_call = |method, path, headers: &[_]| is_grpc(&asked(method, path, headers));
    let me = "/heliopause.v1.PlayerService/GetMe";
    assert!(is_call(Method::POST, "/", &[]));
    assert!(is_call(Method::OPTIONS, me, &[]));
    assert!(is_call(Method::GET, me, &[]));
    assert!(is_call(Method::GET, "/x", &[("content-type", "application/grpc+proto")]));
    assert!(!is_call(Method::GET, "/", &[("content-type", "text/html")]));
    assert!(!is_call(Method::DELETE, "/", &[]));
}

#[test]
fn smallest_accepted_form_is_sent_with_its_own_etag() {
    let content: &'static [u8] = &[b'x'; 10_000];
    let file = File::new("/assets/x-1.js", content);
    let form = |accepts: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, accepts.parse().unwrap());
        file.form(&headers)
    };
    for (accepts, encoding) in [
        ("gzip, deflate, br, zstd", Some("zstd")),
        ("gzip;q=0.5, zstd;q=0", Some("gzip")),
        ("GZIP", Some("gzip")),
        ("br", None),
        ("gzip;q=0", None),
        ("*", None),
    ] {
        let (bytes, packed) = form(accepts);
        assert_eq!(packed, encoding, "{accepts}");
        assert_eq!(bytes.len() < content.len(), encoding.is_some(), "{accepts}");
    }
    let unpacked = zstd::stream::decode_all(&*form("zstd").0).unwrap();
    assert_eq!(unpacked, content);

    let site = site(&Quotas::none());
    let answered = |accepts| {
        let request = asked(Method::GET, "/assets/x-1.js", &[("accept-encoding", accepts)]);
        let counted = site.limits.file([127, 0, 0, 1].into()).unwrap();
        let content = Content { unsent: Bytes::new(), sending: None, _counted: counted };
        file_answer(&file, &request, content).into_parts().0.headers
    };
    let (plain, packed) = (answered("identity"), answered("zstd"));
    assert_ne!(plain[header::ETAG], packed[header::ETAG]);
    assert_eq!(packed[header::CONTENT_ENCODING], "zstd");
    assert_eq!(packed[header::VARY], "accept-encoding");
    assert_eq!(packed[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
    assert_eq!(packed[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
}

#[test]
fn incompressible_files_are_sent_uncompressed() {
    let file = File::new("/robots.txt", b"x");
    let accepts_all = HeaderValue::from_static("gzip, zstd");
    let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, accepts_all)]);
    assert_eq!(file.form(&headers), (Bytes::from_static(b"x"), None));
}

#[tokio::test]
async fn files_count_for_their_address_while_they_are_sent() {
    let quotas = Quotas { address_connections: 1, ..Quotas::none() };
    let site = site(&quotas);
    let ask = || site.answer(&asked(Method::GET, "/", &[]));
    let unread: Vec<_> = (0..256).map(|_| ask()).collect();
    assert!(unread.iter().all(|answer| answer.status() == 200));
    let refused = ask();
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()[header::RETRY_AFTER], "1");
    drop(unread);
    assert_eq!(ask().status(), 200);
}

#[test]
fn an_address_that_asks_too_often_must_wait() {
    let quotas = Quotas { address_connections: 1, ..Quotas::none() };
    let site = site(&quotas);
    let answers = (0..1_000).map(|_| site.answer(&asked(Method::GET, "/", &[])));
    let refused = answers.into_iter().find(|answer| answer.status() != 200).expect("a refusal");
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key(header::RETRY_AFTER));
}

#[tokio::test]
async fn file_is_sent_in_parts() {
    use http_body_util::BodyExt as _;
    let site = site(&Quotas::none());
    let counted = site.limits.file([127, 0, 0, 1].into()).unwrap();
    let unsent = Bytes::from(vec![7; PART + 1]);
    let mut content = Content { unsent, sending: None, _counted: counted };
    let mut lengths = Vec::new();
    while let Some(frame) = content.frame().await {
        lengths.push(frame.unwrap().into_data().unwrap().len());
    }
    assert_eq!(lengths, [PART, 1]);
}
