//! The responses for shared games.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use heliopause_proto::v1::Game;
use heliopause_render::svg::{Theme, escaped};
use http::header::{self, HeaderName, HeaderValue};
use http::request::Parts;
use http::{Method, Response, StatusCode};
use sha2::{Digest as _, Sha256};
use tonic::body::Body;

use super::super::{ALL, COMMON_HEADERS, Content, INDEX, accepts, is_cached};
use super::board::{Drawn, Form};
use super::tags;

const EMBEDDED: &str = include_str!("embed.html");
const STYLE: &str = include_str!("embed.css");
const SCRIPT: &str = include_str!("embed.js");

/// The content security policy of the page for frames: its own style and script, and its board.
/// Every site may frame it, because the page has no controls that act for a player.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src 'self' blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    HeaderValue::try_from(policy).expect("hashes are plain text")
});
/// The policy of an image that is opened by itself.
const IMAGE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");
const NO_INDEX: HeaderValue = HeaderValue::from_static("noindex");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const HTML: &str = "text/html; charset=utf-8";

/// A response.
pub(super) struct Answer {
    code: StatusCode,
    media_type: &'static str,
    cache: &'static str,
    policy: Option<HeaderValue>,
    /// Whether other sites may show the content.
    is_open: bool,
    content: Bytes,
    gzip: Option<Bytes>,
    tag: Option<String>,
}

impl Answer {
    fn html(content: impl Into<Bytes>, policy: Option<HeaderValue>) -> Self {
        Self {
            code: StatusCode::OK,
            media_type: HTML,
            cache: "no-cache",
            policy,
            is_open: false,
            content: content.into(),
            gzip: None,
            tag: None,
        }
    }

    /// Returns the page with the tags of a game.
    pub(super) fn page(tags: &str) -> Self {
        let index = ALL
            .get(INDEX)
            .map_or("", |file| std::str::from_utf8(file.content).expect("the page is UTF-8"));
        Self::html(tags::replaced(index, tags), None)
    }

    /// Returns the page with the tags for all games.
    pub(super) fn plain_page() -> Self {
        Self::html(ALL.get(INDEX).map_or(&b""[..], |file| file.content), None)
    }

    /// Returns the page for frames.
    pub(super) fn embedded(game: &Game, theme: Theme) -> Self {
        let alt = tags::description(game);
        let board = format!(
            "<img id=\"board\" src=\"/embed/{}.svg?theme={theme}\" alt=\"{}\" />",
            game.game_id,
            escaped(&alt)
        );
        let link = format!("/game/{}", game.game_id);
        Self::html(page(theme, tags::title(game), &link, &board), Some(POLICY.clone()))
    }

    /// Returns the page for frames without a board.
    pub(super) fn no_board(theme: Theme, code: StatusCode) -> Self {
        let text = match code {
            StatusCode::NOT_FOUND => "There is no public game at this address.",
            _ => "The board cannot be shown at the moment. Please try again later.",
        };
        let content = page(theme, "Heliopause", "/", &format!("<p>{text}</p>"));
        Self { code, ..Self::html(content, Some(POLICY.clone())) }
    }

    pub(super) fn drawn(drawn: &Drawn) -> Self {
        let (media_type, cache) = match drawn.form {
            Form::Picture => ("image/png", "public, max-age=300"),
            Form::Board(_) => ("image/svg+xml", "public, max-age=2"),
        };
        Self {
            code: StatusCode::OK,
            media_type,
            cache,
            policy: Some(IMAGE_POLICY),
            is_open: true,
            content: drawn.content.clone(),
            gzip: drawn.gzip.clone(),
            tag: Some(drawn.tag.clone()),
        }
    }

    pub(super) fn respond(self, head: &Parts, mut content: Content) -> Response<Body> {
        let gzip = self.gzip.filter(|_| accepts(&head.headers, "gzip"));
        let encoding = gzip.as_ref().map(|_| "gzip");
        let body = gzip.unwrap_or(self.content);
        let mut answer = Response::new(Body::empty());
        *answer.status_mut() = self.code;
        let headers = answer.headers_mut();
        headers.extend(COMMON_HEADERS);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache));
        if let Some(policy) = self.policy {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
            headers.insert(HeaderName::from_static("x-robots-tag"), NO_INDEX);
        }
        if self.is_open {
            let any = HeaderValue::from_static("cross-origin");
            headers.insert(RESOURCE_POLICY, any);
            // A frame with the attribute `sandbox` has an origin of its own.
            let all = HeaderValue::from_static("*");
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, all);
            let tag = HeaderValue::from_static("etag");
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, tag);
        }
        if let Some(tag) = &self.tag {
            let tag = format!("\"{tag}{}\"", if encoding.is_some() { "-gzip" } else { "" });
            let is_cached = is_cached(&head.headers, &tag);
            headers.insert(header::ETAG, HeaderValue::try_from(tag).expect("a hash is plain text"));
            if is_cached {
                *answer.status_mut() = StatusCode::NOT_MODIFIED;
                return answer;
            }
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        if head.method == Method::GET {
            content.unsent = body;
            *answer.body_mut() = Body::new(content);
        }
        answer
    }
}

fn page(theme: Theme, title: &str, link: &str, board: &str) -> String {
    let title = escaped(title);
    let parts = [
        ("{theme}", theme.as_str()),
        ("{style}", STYLE),
        ("{script}", SCRIPT),
        ("{link}", link),
        ("{board}", board),
        // Last, because a title may contain a placeholder.
        ("{title}", title.as_str()),
    ];
    parts.into_iter().fold(EMBEDDED.to_owned(), |page, (name, part)| page.replace(name, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_for_frames_has_no_placeholders_and_only_its_own_script() {
        let page = page(Theme::Light, "{board} & <b>", "/game/g", "<p>{title}</p>");
        assert!(page.contains("data-theme=\"light\""), "{page}");
        assert!(page.contains("<title>{board} &amp; &lt;b&gt;</title>"), "{page}");
        assert!(page.contains(&format!("<script>{SCRIPT}</script>")), "the hash covers all of it");
        assert!(page.contains(&format!("<style>{STYLE}</style>")), "{page}");
        assert_eq!(page.matches("<script").count(), 1);
        let policy = POLICY.to_str().unwrap();
        assert!(policy.contains("frame-ancestors *") && !policy.contains("unsafe"), "{policy}");
    }
}
