//! The tags of a page from which other services make a preview: Open Graph and Twitter cards.

use std::iter::once;

use heliopause_proto::v1::seat::Occupant;
use heliopause_proto::v1::{Game, GameStatus};
use heliopause_render::svg::escaped;
use heliopause_table::registry;
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, header};

use crate::config::Config;
use crate::edge::services::public::has_board;

/// The size of pictures in previews, which Open Graph recommends.
pub(super) const WIDTH: u16 = 1200;
pub(super) const HEIGHT: u16 = 630;

const FORWARDED_PROTOCOL: &str = "x-forwarded-proto";
/// The starts of tags for all games, which the tags of a game replace.
const REPLACED: [&str; 4] =
    ["<meta name=\"description\"", "<meta property=\"og:", "<meta name=\"twitter:", "<title>"];

/// The address of the page, which previews need.
pub(super) struct Origin {
    configured: Option<String>,
    is_encrypted: bool,
}

impl Origin {
    pub(super) fn of(config: &Config) -> Self {
        let configured = config.sign_in.page.as_ref().map(|page| page.origin.clone());
        Self { configured, is_encrypted: config.tls.is_some() }
    }

    /// Returns the origin that the operator has configured, or else that of a request. Empty if the
    /// request has no valid host. `is_trusted` means that a trusted proxy has sent the request.
    pub(super) fn at(&self, head: &Parts, is_trusted: bool) -> String {
        if let Some(configured) = &self.configured {
            return configured.clone();
        }
        let written = || head.headers.get(header::HOST)?.to_str().ok()?.parse::<Authority>().ok();
        let Some(host) = head.uri.authority().cloned().or_else(written) else {
            return String::new();
        };
        let by_proxy = is_trusted && is_forwarded_https(&head.headers);
        let scheme = if self.is_encrypted || by_proxy { "https" } else { "http" };
        format!("{scheme}://{host}")
    }
}

fn is_forwarded_https(headers: &HeaderMap) -> bool {
    headers.get(FORWARDED_PROTOCOL).is_some_and(|protocol| protocol == "https")
}

/// Returns the name of a game, or of its kind.
pub(super) fn title(game: &Game) -> &str {
    if game.name.is_empty() { kind(game) } else { &game.name }
}

pub(super) fn kind(game: &Game) -> &str {
    registry::kind(&game.kind).map_or(game.kind.as_str(), |kind| kind.name)
}

/// Describes a game without the names of its players.
pub(super) fn description(game: &Game) -> String {
    let (kind, seats) = (kind(game), game.seats.len());
    let open = game.seats.iter().filter(|seat| matches!(seat.occupant, Some(Occupant::Open(_))));
    match (game.status(), open.count()) {
        (GameStatus::Forming, 0) => format!("{kind}: waiting for players."),
        (GameStatus::Forming, open) => {
            format!("{kind}: waiting for players, {open} of {seats} seats open.")
        }
        (GameStatus::Ended, _) => format!("{kind}: the game is over. {}", game.progress),
        _ => format!("{kind}: {}. {seats} seats.", game.progress),
    }
}

/// Returns the tags of a game.
pub(super) fn of(game: &Game, event: u64, origin: &str) -> String {
    let game_id = &game.game_id;
    let (title, about) = (title(game), description(game));
    let image = if has_board(game) {
        format!("{origin}/g/{game_id}.png?v={event}")
    } else {
        format!("{origin}/preview.png")
    };
    let (url, alt) = (format!("{origin}/g/{game_id}"), format!("The board of {title}"));
    let [width, height] = [WIDTH, HEIGHT].map(|size| size.to_string());
    let named = |kind: &str, name: &str, content: &str| {
        format!("    <meta {kind}=\"{name}\" content=\"{}\" />\n", escaped(content))
    };
    let mut tags = named("name", "description", &about);
    for (name, content) in [
        ("site_name", "Heliopause"),
        ("type", "website"),
        ("title", title),
        ("description", about.as_str()),
        ("url", url.as_str()),
        ("image", image.as_str()),
        ("image:width", width.as_str()),
        ("image:height", height.as_str()),
        ("image:alt", alt.as_str()),
    ] {
        tags += &named("property", &format!("og:{name}"), content);
    }
    tags += &named("name", "twitter:card", "summary_large_image");
    tags + &format!("    <title>{} · Heliopause</title>\n", escaped(title))
}

/// Replaces the tags for all games in the page.
pub(super) fn replaced(index: &str, tags: &str) -> String {
    let is_kept = |line: &&str| !REPLACED.iter().any(|start| line.trim_start().starts_with(start));
    let (head, body) = index.split_once("  </head>").unwrap_or((index, ""));
    let head = head.lines().filter(is_kept).flat_map(|line| [line, "\n"]);
    head.chain(once(tags)).chain(["  </head>", body]).collect()
}

#[cfg(test)]
mod tests {
    use heliopause_proto::v1::{OpenSeat, Seat};

    use super::*;

    fn game(status: GameStatus) -> Game {
        let open = Seat { occupant: Some(Occupant::Open(OpenSeat {})), ..Seat::default() };
        let taken = Seat { occupant: Some(Occupant::Player("Ann".to_owned())), ..Seat::default() };
        Game {
            game_id: "g1".to_owned(),
            kind: "diplomacy".to_owned(),
            name: "\"><script>".to_owned(),
            status: status.into(),
            progress: "Spring 1901".to_owned(),
            seats: vec![open, taken],
            ..Game::default()
        }
    }

    #[test]
    fn tags_describe_the_game_without_its_players() {
        let tags = of(&game(GameStatus::Running), 7, "https://play.example");
        for expected in [
            "<meta property=\"og:title\" content=\"&quot;&gt;&lt;script&gt;\" />",
            "<meta property=\"og:description\" content=\"Diplomacy: Spring 1901. 2 seats.\" />",
            "<meta property=\"og:url\" content=\"https://play.example/g/g1\" />",
            "<meta property=\"og:image\" content=\"https://play.example/g/g1.png?v=7\" />",
            "<meta property=\"og:image:width\" content=\"1200\" />",
            "<meta name=\"twitter:card\" content=\"summary_large_image\" />",
            "<title>&quot;&gt;&lt;script&gt; · Heliopause</title>",
        ] {
            assert!(tags.contains(expected), "{expected}: {tags}");
        }
        assert!(!tags.contains("Ann") && !tags.contains("<script"), "{tags}");
        let forming = of(&game(GameStatus::Forming), 0, "");
        assert!(forming.contains("waiting for players, 1 of 2 seats open"), "{forming}");
        assert!(forming.contains("content=\"/preview.png\""), "{forming}");
    }

    #[test]
    fn the_tags_of_a_game_replace_those_of_the_page() {
        let page = "<head>\n  <meta charset=\"utf-8\" />\n  <meta property=\"og:title\" \
            content=\"x\" />\n  <title>Heliopause</title>\n  </head>\n<body></body>\n";
        let replaced = replaced(page, "  <title>New</title>\n");
        assert_eq!(
            replaced,
            "<head>\n  <meta charset=\"utf-8\" />\n  <title>New</title>\n  </head>\n<body></body>\n"
        );
    }
}
