//! Text of others, made harmless for a terminal or a log.

use crate::profile::Profile;

/// A text of others as one line: whatever is hidden in it, or would break the line, stands there as
/// its code point, `<U+202E>`.
pub fn shown(text: &str) -> String {
    told(&text.replace('\t', " "), Profile::Line)
}

/// A text of others that may have lines: those after the first are indented by so many columns, so
/// that none passes for a line of the program's own.
pub fn shown_below(text: &str, indent: usize) -> String {
    let ended = text.replace("\r\n", "\n").replace('\t', " ");
    let margin = format!("\n{}", " ".repeat(indent.max(1)));
    told(ended.trim_end_matches('\n'), Profile::Lines).replace('\n', &margin)
}

/// A text that a program has put together of its own words and of others': lines stay, and so do
/// tabs.
pub fn shown_as_it_is(text: &str) -> String {
    told(text, Profile::Lines)
}

fn told(text: &str, profile: Profile) -> String {
    let mut flaws = profile.flaws(text).peekable();
    if flaws.peek().is_none() {
        return text.to_owned();
    }
    let mut told = String::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        match flaws.next_if(|flaw| flaw.position == index + 1) {
            None => told.push(character),
            Some(flaw) => told.extend(["<", &flaw.code_point(), ">"]),
        }
    }
    told
}
