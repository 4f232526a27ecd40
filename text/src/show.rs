//! Text of others, made harmless for a terminal or a log.

use std::borrow::Cow;

use crate::profile::Profile;

/// A text of others as one line: whatever is hidden in it, or would break the line, stands there as its code point, `<U+202E>`.
pub fn shown(text: &str) -> String {
    told(text, Profile::Line).into_owned()
}

/// A text of others that may have lines: those after the first are indented by so many columns, so that none passes for a line
/// of the program's own.
pub fn shown_below(text: &str, indent: usize) -> String {
    let ended = text.replace("\r\n", "\n");
    let margin = format!("\n{}", " ".repeat(indent.max(1)));
    told(ended.trim_end_matches('\n'), Profile::Lines).replace('\n', &margin)
}

fn told(text: &str, profile: Profile) -> Cow<'_, str> {
    let mut flaws = profile.flaws(text).peekable();
    if flaws.peek().is_none() && !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let mut told = String::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        let flaw = flaws.next_if(|flaw| flaw.position == index + 1);
        match (character, flaw) {
            // A tab moves the cursor, if only a little.
            ('\t', _) => told.push(' '),
            (_, None) => told.push(character),
            (_, Some(flaw)) => told.push_str(&format!("<{}>", flaw.code_point())),
        }
    }
    Cow::Owned(told)
}
