//! Shared games over HTTP: previews of links, boards in frames, and what they keep secret.

use crate::support;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::time::Duration;

use heliopause_engine::config::{Settings, Watch};
use heliopause_proto::v1::game_service_client::GameServiceClient;
use heliopause_proto::v1::sandbox_service_client::SandboxServiceClient;
use heliopause_proto::v1::*;
use support::{Authorized, TestServer, in_memory, start};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const DIPLOMACY: &str = "diplomacy";
const NAME: &str = "Tom & \"friends\"";

#[derive(Debug, PartialEq)]
struct Answer {
    code: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("a text")
    }

    /// Returns the answer without what differs between requests.
    fn comparable(mut self) -> Self {
        self.headers.remove("date");
        self
    }
}

async fn ask(server: &TestServer, method: &str, path: &str, more: &str) -> Answer {
    let mut stream = TcpStream::connect(server.grpc).await.unwrap();
    let head =
        format!("{method} {path} HTTP/1.1\r\nhost: localhost:7\r\nconnection: close\r\n{more}\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
    let headers = head.lines().skip(1).filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    Answer { code, headers: headers.collect(), body: answer[end + 4..].to_vec() }
}

async fn get(server: &TestServer, path: &str) -> Answer {
    ask(server, "GET", path, "").await
}

fn games(server: &TestServer, token: &str) -> GameServiceClient<Authorized> {
    GameServiceClient::new(server.authorized(token))
}

fn automated(seats: usize) -> Vec<SeatPlan> {
    let by = AutomatedSeat { level: "random".to_owned(), ..AutomatedSeat::default() };
    vec![SeatPlan { plan: Some(seat_plan::Plan::Automated(by)), ..SeatPlan::default() }; seats]
}

/// Creates a game of the owner of a token against automation, which starts.
async fn begin(
    server: &TestServer,
    token: &str,
    kind: &str,
    change: impl FnOnce(&mut CreateGameRequest),
) -> String {
    let kinds = games(server, token).list_kinds(ListKindsRequest {}).await.unwrap().into_inner();
    let kind = kinds.kinds.into_iter().find(|one| one.kind == kind).expect("a kind");
    let mut seats = vec![SeatPlan::default()];
    seats.extend(automated(kind.players_usual.max(kind.players_min) as usize - 1));
    let mut request = CreateGameRequest {
        kind: kind.kind,
        name: NAME.to_owned(),
        seats,
        seats_in_order: true,
        start_when_full: true,
        ..CreateGameRequest::default()
    };
    change(&mut request);
    let created = games(server, token).create_game(request).await.unwrap().into_inner();
    created.game.unwrap().game_id
}

async fn server() -> (TestServer, String, String) {
    let server = start(in_memory()).await;
    let ann = server.register("Ann").await;
    let game_id = begin(&server, &ann, DIPLOMACY, |_| {}).await;
    (server, ann, game_id)
}

#[tokio::test]
async fn a_link_has_the_tags_of_its_game() {
    let (server, _, game_id) = server().await;
    let page = get(&server, &format!("/g/{game_id}")).await;
    assert_eq!((page.code, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    let text = page.text();
    for expected in [
        "<meta property=\"og:title\" content=\"Tom &amp; &quot;friends&quot;\" />".to_owned(),
        format!("<meta property=\"og:url\" content=\"http://localhost:7/g/{game_id}\" />"),
        format!("<meta property=\"og:image\" content=\"http://localhost:7/g/{game_id}.png?v="),
        "<meta property=\"og:description\" content=\"Diplomacy: ".to_owned(),
        "<meta name=\"twitter:card\" content=\"summary_large_image\" />".to_owned(),
        "<title>Tom &amp; &quot;friends&quot; · Heliopause</title>".to_owned(),
    ] {
        assert_eq!(text.matches(&expected).count(), 1, "{expected}: {text}");
    }
    assert_eq!(text.matches("og:title").count(), 1, "the tags for all games are gone");
    assert_eq!(text.matches("<title>").count(), 1);
    assert!(text.contains("<div id=\"app\">") && text.contains("<script type=\"module\""));
    assert!(!text.contains("Ann"), "previews name no players");
    let head = ask(&server, "HEAD", &format!("/g/{game_id}"), "").await;
    assert_eq!((head.code, head.body.len()), (200, 0));
    let forged =
        ask(&server, "GET", &format!("/g/{game_id}"), "x-forwarded-proto: https\r\n").await;
    assert!(!forged.text().contains("https://localhost"), "only a trusted proxy says so");

    let origin = Some("https://play.example".to_owned());
    let server = start(Settings { page_origin: origin, ..in_memory() }).await;
    let ann = server.register("Ann").await;
    let game_id = begin(&server, &ann, DIPLOMACY, |request| request.name.clear()).await;
    let text = get(&server, &format!("/g/{game_id}")).await.text();
    assert!(text.contains(&format!("content=\"https://play.example/g/{game_id}\"")), "{text}");
    assert!(text.contains("og:title\" content=\"Diplomacy\""), "{text}");
}

#[tokio::test]
async fn a_game_that_has_not_started_has_tags_without_a_board() {
    let server = start(in_memory()).await;
    let ann = server.register("Ann").await;
    let game_id = begin(&server, &ann, "star-empires", |request| {
        request.seats = vec![SeatPlan::default(); 3];
    });
    let game_id = game_id.await;
    let text = get(&server, &format!("/g/{game_id}")).await.text();
    assert!(text.contains("waiting for players, 2 of 3 seats open"), "{text}");
    assert!(text.contains("content=\"http://localhost:7/preview.png\""), "{text}");
    assert_eq!(get(&server, &format!("/g/{game_id}.png")).await.code, 404);
    let board = get(&server, &format!("/embed/{game_id}.svg")).await;
    assert_eq!((board.code, board.header("content-type")), (200, "image/svg+xml"));
    assert!(board.text().contains("2 of 3 seats open"), "{}", board.text());
}

/// Returns the pixels of a PNG file with the filter "up" in each line.
fn decoded(file: &[u8]) -> Vec<Vec<u8>> {
    assert_eq!(file[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((number(16), number(20)), (1200, 630));
    let length = number(33);
    assert_eq!(file[37..41], *b"IDAT");
    let mut lines = Vec::new();
    flate2::read::ZlibDecoder::new(&file[41..41 + length]).read_to_end(&mut lines).unwrap();
    let mut rows: Vec<Vec<u8>> = Vec::new();
    for line in lines.chunks(1 + 3 * 1200) {
        assert_eq!(line[0], 2);
        let above = rows.last().cloned().unwrap_or_else(|| vec![0; 3 * 1200]);
        rows.push(
            line[1..].iter().zip(above).map(|(one, above)| one.wrapping_add(above)).collect(),
        );
    }
    rows
}

#[tokio::test]
async fn the_picture_of_a_preview_shows_the_board_of_every_kind() {
    let server = start(in_memory()).await;
    let ann = server.register("Ann").await;
    let kinds = games(&server, &ann).list_kinds(ListKindsRequest {}).await.unwrap().into_inner();
    for kind in kinds.kinds {
        let game_id = begin(&server, &ann, &kind.kind, |_| {}).await;
        let path = format!("/g/{game_id}.png");
        let picture = get(&server, &path).await;
        assert_eq!((picture.code, picture.header("content-type")), (200, "image/png"));
        assert!(picture.body.len() < 300_000, "{}: {} bytes", kind.kind, picture.body.len());
        let rows = decoded(&picture.body);
        assert_eq!(rows.len(), 630);
        let colors: std::collections::BTreeSet<_> =
            rows.iter().flat_map(|row| row.chunks(3)).collect();
        assert!(colors.len() > 30, "{}: {} colors", kind.kind, colors.len());
        if let Ok(folder) = std::env::var("PREVIEWS") {
            std::fs::write(format!("{folder}/{}.png", kind.kind), &picture.body).unwrap();
        }
        assert_eq!(picture.header("cache-control"), "public, max-age=300");
        assert_eq!(picture.header("cross-origin-resource-policy"), "cross-origin");
        let tag = format!("if-none-match: {}\r\n", picture.header("etag"));
        let same = ask(&server, "GET", &path, &tag).await;
        assert_eq!((same.code, same.body.len()), (304, 0));
    }
}

#[tokio::test]
async fn only_the_page_for_frames_may_be_framed() {
    let (server, _, game_id) = server().await;
    let page = get(&server, &format!("/embed/{game_id}?theme=light")).await;
    assert_eq!((page.code, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let policy = page.header("content-security-policy");
    for word in ["default-src 'none'", "frame-ancestors *", "require-trusted-types-for 'script'"] {
        assert!(policy.contains(word), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("script-src 'self'"), "{policy}");
    assert_eq!(page.header("x-frame-options"), "");
    assert_eq!(page.header("x-robots-tag"), "noindex");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert!(page.body.len() < 4_000, "{} bytes", page.body.len());
    let text = page.text();
    assert!(text.contains(&format!("src=\"/embed/{game_id}.svg?theme=light\"")), "{text}");
    assert!(text.contains("Tom &amp; &quot;friends&quot;") && !text.contains("Ann"), "{text}");

    let board = get(&server, &format!("/embed/{game_id}.svg")).await;
    assert_eq!((board.code, board.header("content-type")), (200, "image/svg+xml"));
    assert_eq!(board.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(board.header("access-control-allow-origin"), "*");
    assert!(board.header("content-security-policy").contains("default-src 'none'"));
    let svg = board.text();
    assert!(svg.contains("data-place=\"Vie\"") && !svg.contains("Ann"), "{}", svg.len());
    let embedded = format!("/embed/{game_id}.svg");
    let packed = ask(&server, "GET", &embedded, "accept-encoding: gzip\r\n").await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(&packed.body[..]).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked, svg);

    for path in ["/", "/index.html", &format!("/game/{game_id}"), &format!("/g/{game_id}"), "/x.js"]
    {
        let answer = get(&server, path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
    }
}

#[tokio::test]
async fn boards_show_what_spectators_see_and_follow_the_game() {
    let (server, ann, game_id) = server().await;
    let path = format!("/embed/{game_id}.svg");
    let before = get(&server, &path).await;
    let decision = games(&server, &ann)
        .get_game(GetGameRequest { game_id: game_id.clone(), ..GetGameRequest::default() })
        .await
        .unwrap()
        .into_inner()
        .decision
        .unwrap();
    let text = "A Vie-Gal\nA Bud-Ser\nF Tri-Alb".to_owned();
    let orders = SubmitOrdersRequest {
        game_id: game_id.clone(),
        phase: decision.phase,
        revision: decision.revision,
        orders: Some(Orders { text, ..Orders::default() }),
        request_id: "orders".to_owned(),
        ..SubmitOrdersRequest::default()
    };
    games(&server, &ann).submit_orders(orders).await.unwrap();
    tokio::time::sleep(Duration::from_millis(2_200)).await;
    let after = get(&server, &path).await;
    assert_eq!(before.header("etag"), after.header("etag"), "orders are secret until they resolve");

    let solo =
        begin(&server, &ann, "starships-at-large", |request| request.seats.truncate(1)).await;
    let path = format!("/embed/{solo}.svg");
    let before = get(&server, &path).await;
    let view = games(&server, &ann)
        .get_view(GetViewRequest { game_id: solo.clone(), ..GetViewRequest::default() })
        .await
        .unwrap()
        .into_inner();
    let orders = SubmitOrdersRequest {
        game_id: solo,
        phase: view.phase,
        revision: view.revision,
        orders: Some(Orders { text: "end".to_owned(), ..Orders::default() }),
        request_id: "end".to_owned(),
        ..SubmitOrdersRequest::default()
    };
    games(&server, &ann).submit_orders(orders).await.unwrap();
    tokio::time::sleep(Duration::from_millis(2_200)).await;
    let after = get(&server, &path).await;
    assert_ne!(before.header("etag"), after.header("etag"), "the turn has changed");
}

/// Asserts that a game is treated like one that does not exist.
async fn assert_hidden(server: &TestServer, game_id: &str) {
    let unknown = "0".repeat(game_id.len());
    for [start, end] in [["/g/", ""], ["/g/", ".png"], ["/embed/", ""], ["/embed/", ".svg"]] {
        let hidden = get(server, &format!("{start}{game_id}{end}")).await.comparable();
        let missing = get(server, &format!("{start}{unknown}{end}")).await.comparable();
        assert_eq!(hidden, missing, "{start}{end}");
        let expected = if (start, end) == ("/g/", "") { 200 } else { 404 };
        assert_eq!(hidden.code, expected, "{start}{end}");
    }
}

#[tokio::test]
async fn hidden_games_are_not_shared() {
    let server = start(Settings { sandbox: Some(true), ..in_memory() }).await;
    let ann = server.register("Ann").await;
    let private = begin(&server, &ann, DIPLOMACY, |request| request.is_private = true).await;
    assert_hidden(&server, &private).await;
    let request = CreateSandboxGameRequest {
        kind: DIPLOMACY.to_owned(),
        ..CreateSandboxGameRequest::default()
    };
    let mut sandbox = SandboxServiceClient::new(server.authorized(&ann));
    let created = sandbox.create_sandbox_game(request).await.unwrap().into_inner();
    assert_hidden(&server, &created.game.unwrap().game_id).await;
    for odd in ["/g/", "/g/a/b", "/g/%00", "/g/..", "/g/a%22b"] {
        let answer = get(&server, odd).await;
        assert!([200, 404].contains(&answer.code), "{odd}: {}", answer.code);
        assert!(!answer.text().contains("/g/"), "{odd}: {}", answer.text());
    }

    let anonymous = begin(&server, &ann, DIPLOMACY, |request| request.anonymous = true).await;
    let text = get(&server, &format!("/g/{anonymous}")).await.text();
    assert!(text.contains("Tom &amp;") && !text.contains("Ann"), "{text}");
}

#[tokio::test]
async fn games_are_shared_only_if_everyone_may_watch() {
    for watch in [Watch::Players, Watch::None] {
        let server = start(Settings { watch: Some(watch), ..in_memory() }).await;
        let ann = server.register("Ann").await;
        let game_id = begin(&server, &ann, DIPLOMACY, |_| {}).await;
        let page = get(&server, &format!("/g/{game_id}")).await;
        assert_eq!((page.code, page.text().contains("Tom &amp;")), (200, false));
        assert_eq!(get(&server, &format!("/g/{game_id}.png")).await.code, 404);
        let frame = get(&server, &format!("/embed/{game_id}")).await;
        assert!(frame.header("content-security-policy").contains("frame-ancestors 'none'"));
        assert_eq!(get(&server, &format!("/embed/{game_id}.svg")).await.code, 404);
    }
    let server = start(Settings { web: Some(false), ..in_memory() }).await;
    let ann = server.register("Ann").await;
    let game_id = begin(&server, &ann, DIPLOMACY, |_| {}).await;
    let answer = get(&server, &format!("/g/{game_id}")).await;
    assert!(!answer.text().contains("og:title"), "{answer:?}");
}

#[tokio::test]
async fn drawings_are_limited_and_links_still_open_the_page() {
    let (server, _, game_id) = server().await;
    let mut limited = None;
    for _ in 0..150 {
        let answer = get(&server, &format!("/g/{game_id}.png")).await;
        if answer.code != 200 {
            limited = Some(answer);
            break;
        }
    }
    let limited = limited.expect("the address is limited");
    assert_eq!((limited.code, limited.header("retry-after")), (429, "1"));
    let page = get(&server, &format!("/g/{game_id}")).await;
    assert_eq!(page.code, 200);
    assert!(page.text().contains("<div id=\"app\">"));
}
