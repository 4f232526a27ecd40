//! Escaping of untrusted text for a terminal or a log.

use super::profile::Profile;

/// Escapes text for one line. Hidden characters become code points such as `<U+202E>`.
pub fn shown(text: &str) -> String {
    escaped(&text.replace('\t', " "), Profile::Line)
}

/// Escapes text with several lines. Indents later lines, so that they cannot look like the
/// program's own output.
pub fn shown_below(text: &str, indent: usize) -> String {
    let ended = text.replace("\r\n", "\n").replace('\t', " ");
    let margin = format!("\n{}", " ".repeat(indent.max(1)));
    escaped(ended.trim_end_matches('\n'), Profile::Lines).replace('\n', &margin)
}

/// Escapes text that contains the program's own lines. Keeps line breaks and tabs.
pub fn shown_with_lines(text: &str) -> String {
    escaped(text, Profile::Lines)
}

fn escaped(text: &str, profile: Profile) -> String {
    let mut flaws = profile.flaws(text).peekable();
    if flaws.peek().is_none() {
        return text.to_owned();
    }
    let mut escaped = String::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        match flaws.next_if(|flaw| flaw.position == index + 1) {
            None => escaped.push(character),
            Some(flaw) => escaped.extend(["<", &flaw.code_point(), ">"]),
        }
    }
    escaped
}
