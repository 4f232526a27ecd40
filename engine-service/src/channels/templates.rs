//! The body of a webhook request: Heliopause's JSON, or the format of a chat service.
//!
//! Untrusted text is escaped for each format. It cannot inject commands, links or mentions.

use bytes::Bytes;
use heliopause_proto::store::v1::GameNews;
use heliopause_proto::text::shown;
use heliopause_proto::v1::{NoticeKind, WebhookTemplate};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::millis;
use crate::store::Millis;

/// The maximum length of a notice's text in characters. Chat services reject long messages.
const TEXT_CHARS: usize = 1_000;

#[derive(Clone, Debug)]
pub(super) struct ReadyNotice {
    /// Identical at every attempt, so that the receiver can recognize duplicates.
    pub(super) id: String,
    /// The id of the game is empty if the notice is not about a game.
    pub(super) news: GameNews,
    pub(super) time: Millis,
}

impl ReadyNotice {
    pub(super) fn headline(&self) -> &'static str {
        match self.news.kind() {
            NoticeKind::YourDecision => "your turn",
            NoticeKind::DeadlineNear => "deadline soon",
            NoticeKind::Message => "new message",
            NoticeKind::Started => "game started",
            NoticeKind::Ended => "game over",
            NoticeKind::Invited => "invitation",
            NoticeKind::Declined => "invitation declined",
            NoticeKind::Vote => "vote",
            NoticeKind::Test => "test notice",
            NoticeKind::Unspecified => "notice",
        }
    }

    pub(super) fn title(&self) -> String {
        match self.news.name.as_str() {
            "" => format!("Heliopause: {}", self.headline()),
            name => format!("{}: {}", shown(name), self.headline()),
        }
    }

    pub(super) fn line(&self) -> String {
        let line = shown(&self.news.text);
        match line.char_indices().nth(TEXT_CHARS) {
            None => line,
            Some((end, _)) => format!("{}…", &line[..end]),
        }
    }

    fn due(&self) -> Option<Millis> {
        self.news.due_time.as_ref().map(millis)
    }

    pub(super) fn due_words(&self) -> Option<String> {
        self.due().map(|due| format!("Due {}.", moment(due)))
    }
}

pub(super) fn moment(time: Millis) -> String {
    let at = Timestamp::from_millisecond(time).unwrap_or_default();
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

pub(super) fn word(kind: NoticeKind) -> String {
    kind.as_str_name().trim_start_matches("NOTICE_KIND_").to_lowercase()
}

/// Returns the body of a request. `topic` is used only for ntfy.
pub(super) fn body(template: WebhookTemplate, told: &ReadyNotice, topic: &str) -> Bytes {
    let body = match template {
        WebhookTemplate::Unspecified | WebhookTemplate::Plain => plain(told),
        WebhookTemplate::Discord => discord(told),
        WebhookTemplate::Slack => slack(told),
        WebhookTemplate::Ntfy => ntfy(told, topic),
    };
    body.to_string().into()
}

fn plain(told: &ReadyNotice) -> Value {
    let at = |time: Millis| Timestamp::from_millisecond(time).unwrap_or_default().to_string();
    let news = &told.news;
    let mut body = json!({
        "id": told.id,
        "kind": word(news.kind()),
        "text": told.line(),
        "time": at(told.time),
    });
    if !news.game_id.is_empty() {
        body["game_id"] = json!(news.game_id);
        body["name"] = json!(shown(&news.name));
        body["game_kind"] = json!(news.game_kind);
    }
    if news.seat > 0 {
        body["seat"] = json!(news.seat);
    }
    if let Some(due) = told.due() {
        body["due_time"] = json!(at(due));
    }
    body
}

/// Formats a notice for Discord. Mentions, formatting and links in its text have no effect.
fn discord(told: &ReadyNotice) -> Value {
    let due = told.due().map_or_else(String::new, |due| {
        let seconds = due.div_euclid(1_000);
        format!("\nDue <t:{seconds}:f> (<t:{seconds}:R>).")
    });
    let (title, line) = (without_markdown(&told.title()), without_markdown(&told.line()));
    let content = format!("**{title}**\n{line}{due}");
    json!({ "content": content, "allowed_mentions": { "parse": [] } })
}

/// Escapes the punctuation that can have a meaning in Markdown, including the colon of links.
fn without_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_punctuation() && !matches!(character, '.' | ',' | '\'' | '!' | '?') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn slack(told: &ReadyNotice) -> Value {
    let lines = [Some(told.title()), Some(told.line()), told.due_words()];
    let lines: Vec<String> =
        lines.into_iter().flatten().map(|line| without_entities(&line)).collect();
    json!({
        "text": lines.join("\n"),
        "mrkdwn": false,
        "link_names": false,
        "unfurl_links": false,
        "unfurl_media": false,
    })
}

fn without_entities(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Formats a notice for ntfy. The title is in the JSON body, because a title in a header could
/// inject other headers.
fn ntfy(told: &ReadyNotice, topic: &str) -> Value {
    let message = [Some(told.line()), told.due_words()];
    let message: Vec<String> = message.into_iter().flatten().collect();
    let priority = if told.news.kind() == NoticeKind::DeadlineNear { 4 } else { 3 };
    json!({
        "topic": topic,
        "title": told.title(),
        "message": message.join("\n"),
        "priority": priority,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::channels) fn told(name: &str, text: &str) -> ReadyNotice {
        let news = GameNews {
            game_id: "g".to_owned(),
            name: name.to_owned(),
            game_kind: "starships-at-large".to_owned(),
            seat: 2,
            kind: NoticeKind::YourDecision.into(),
            text: text.to_owned(),
            due_time: Some(crate::host::timestamp(1_700_000_000_000)),
        };
        ReadyNotice { id: "n-1".to_owned(), news, time: 1_600_000_000_000 }
    }

    fn sent(template: WebhookTemplate, told: &ReadyNotice) -> Value {
        serde_json::from_slice(&body(template, told, "games")).unwrap()
    }

    #[test]
    fn plain_format_contains_everything() {
        let sent = sent(WebhookTemplate::Plain, &told("Sol", "Choose."));
        let wanted = json!({
            "id": "n-1",
            "kind": "your_decision",
            "game_id": "g",
            "name": "Sol",
            "game_kind": "starships-at-large",
            "seat": 2,
            "text": "Choose.",
            "due_time": "2023-11-14T22:13:20Z",
            "time": "2020-09-13T12:26:40Z",
        });
        assert_eq!(sent, wanted);
    }

    #[test]
    fn discord_text_has_no_mentions_and_no_formatting() {
        let name = "@everyone **x** <@1> [a](https://b)";
        let sent = sent(WebhookTemplate::Discord, &told(name, "`||_~#"));
        assert_eq!(sent["allowed_mentions"], json!({ "parse": [] }));
        let content = sent["content"].as_str().unwrap();
        let wanted = "**\\@everyone \\*\\*x\\*\\* \\<\\@1\\> \\[a\\]\\(https\\:\\/\\/b\\)\\: your \
                      turn**\n\\`\\|\\|\\_\\~\\#\nDue <t:1700000000:f> (<t:1700000000:R>).";
        assert_eq!(content, wanted);
    }

    #[test]
    fn slack_text_has_no_links_and_no_mentions() {
        let sent = sent(WebhookTemplate::Slack, &told("<!channel> & <https://x|y>", "<@U1>"));
        let text = sent["text"].as_str().unwrap();
        assert!(!text.contains(['<', '>']), "{text}");
        assert!(text.starts_with("&lt;!channel&gt; &amp; &lt;https://x|y&gt;: your turn\n"));
        assert_eq!(sent["mrkdwn"], false);
    }

    #[test]
    fn invisible_characters_are_shown_and_line_breaks_removed() {
        for template in [
            WebhookTemplate::Plain,
            WebhookTemplate::Discord,
            WebhookTemplate::Slack,
            WebhookTemplate::Ntfy,
        ] {
            let sent = sent(template, &told("a\r\nX-Evil: 1", "b\u{202e}c\u{7}\0"));
            let text = sent.to_string();
            for hidden in ["\\r", "\u{202e}", "\u{7}", "\\u0000", "\nX-Evil"] {
                assert!(!text.contains(hidden), "{template:?}: {text}");
            }
        }
        let ntfy = sent(WebhookTemplate::Ntfy, &told("a\nb", "c"));
        assert_eq!(ntfy["title"], "a<U+000A>b: your turn");
        assert_eq!(ntfy["topic"], "games");
    }

    #[test]
    fn long_text_is_truncated() {
        let sent = sent(WebhookTemplate::Discord, &told("n", &"*".repeat(5_000)));
        assert!(sent["content"].as_str().unwrap().chars().count() <= 2_100);
        let line = told("n", &"é".repeat(5_000)).line();
        assert_eq!(line.chars().count(), TEXT_CHARS + 1);
    }
}
