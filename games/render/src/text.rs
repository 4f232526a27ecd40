//! Lays out text, and formats times and untrusted text.

use jiff::{SignedDuration, Timestamp};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::style::{Ink, Style};

pub use heliopause_kernel::{count, listed};

/// Returns the width of text in columns, without color codes.
pub fn width(text: &str) -> usize {
    uncolored(text).width()
}

pub fn uncolored(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if char == '\x1b' {
            chars.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(char);
        }
    }
    plain
}

/// Makes untrusted text safe for a line in a terminal. Characters that could move the cursor, break
/// the line, reorder or hide are shown as code points.
pub fn harmless(text: &str) -> String {
    heliopause_proto::text::shown(text)
}

/// Makes untrusted text of several lines safe. Lines after the first are indented, so that no line
/// can imitate this program's output.
pub fn told(text: &str, indent: usize) -> String {
    heliopause_proto::text::shown_below(text, indent)
}

pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Wraps text between words, and indents all lines but the first. Also breaks words that are too
/// long, because the terminal would continue them on a line without indentation.
pub fn wrap(text: &str, columns: usize, indent: usize) -> String {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let words = paragraph.trim_start();
        let mut line = " ".repeat(paragraph.len() - words.len());
        let mut is_begun = false;
        for word in words.split(' ').flat_map(|word| pieces(word, columns.saturating_sub(indent))) {
            if is_begun && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            } else if is_begun {
                line.push(' ');
            }
            line.push_str(word);
            is_begun = true;
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Joins items with commas. Lines break between items, or within an item that is too long.
pub fn items(items: &[String], columns: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let item = if index + 1 < items.len() { format!("{item},") } else { item.clone() };
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(&item) <= columns => {
                line.push(' ');
                line.push_str(&item);
            }
            _ => lines.push(item),
        }
    }
    wrap(&lines.join("\n"), columns, 0)
}

/// Wraps lines that are too wide, and indents the continuation lines.
pub fn fitted(text: &str, columns: usize) -> String {
    let fit = |line: &str| {
        if line.len() <= columns || width(line) <= columns {
            return line.to_owned();
        }
        let words = line.trim_start();
        let begins = (line.len() - words.len()).min(columns / 2);
        let line = format!("{}{words}", " ".repeat(begins));
        let wrapped = wrap(&line, columns, (begins + 2).min(columns / 2));
        wrapped.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    };
    text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
}

/// Splits a word into pieces of at most `columns` columns. Color codes have no width.
fn pieces(word: &str, columns: usize) -> Vec<&str> {
    let columns = columns.max(1);
    if word.len() <= columns || width(word) <= columns {
        return vec![word];
    }
    let (mut pieces, mut begin, mut taken, mut in_code) = (Vec::new(), 0, 0, false);
    for (at, char) in word.char_indices() {
        in_code |= char == '\x1b';
        let room = if in_code { 0 } else { char.width().unwrap_or(0) };
        in_code &= !char.is_ascii_alphabetic();
        if taken + room > columns {
            pieces.push(&word[begin..at]);
            (begin, taken) = (at, 0);
        }
        taken += room;
    }
    pieces.push(&word[begin..]);
    pieces
}

/// Formats rows in aligned columns below headings, if there are any. If the rows are too wide, wraps
/// cells between words, first in the last column, then in the widest ones.
pub fn table<T: AsRef<str>>(style: &Style, headings: &[T], rows: &[Vec<String>]) -> String {
    let heading: Vec<String> =
        headings.iter().map(|heading| style.paint(heading.as_ref(), Ink::Heading)).collect();
    let is_titled = heading.iter().any(|cell| !cell.is_empty());
    let rows: Vec<&Vec<String>> = is_titled.then_some(&heading).into_iter().chain(rows).collect();
    let widths = widths(style.width, &rows);
    let end = style.sign("\x1b[0m");
    rows.iter().map(|row| line(&widths, row, &end)).collect::<Vec<_>>().join("\n")
}

const GAP: &str = "  ";
/// The minimum width of the last column, which shrinks before the others.
const LAST_COLUMN: usize = 20;

fn widths(columns: usize, rows: &[&Vec<String>]) -> Vec<usize> {
    let widest = |column: usize, of: &dyn Fn(&str) -> usize| {
        rows.iter().map(|row| of(&row[column])).max().unwrap_or(0)
    };
    let longest_word = |cell: &str| cell.split(' ').map(width).max().unwrap_or(0);
    let count = rows.first().map_or(0, |row| row.len());
    let mut widths: Vec<usize> = (0..count).map(|column| widest(column, &width)).collect();
    let least: Vec<usize> = (0..count).map(|column| widest(column, &longest_word)).collect();
    let room = columns.saturating_sub(GAP.len() * count.saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let can_shrink = |column: &usize| widths[*column] > least[*column];
        let last = count.checked_sub(1).filter(|last| widths[*last] > LAST_COLUMN);
        let widest = (0..count).filter(can_shrink).max_by_key(|column| widths[*column]);
        let Some(column) = last.filter(can_shrink).or(widest) else { break };
        widths[column] -= 1;
    }
    widths
}

fn line(widths: &[usize], row: &[String], end: &str) -> String {
    let cells: Vec<Vec<String>> = row
        .iter()
        .zip(widths)
        .map(|(cell, width)| painted_lines(&wrap(cell, *width, 0), end))
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let part = |index: usize| {
        let parts = cells
            .iter()
            .zip(widths)
            .map(|(cell, width)| pad(cell.get(index).map_or("", String::as_str), *width) + GAP);
        parts.collect::<String>().trim_end().to_owned()
    };
    (0..height).map(part).collect::<Vec<_>>().join("\n")
}

/// Splits text into lines. Each line starts with its color and resets the color at its end.
fn painted_lines(text: &str, end: &str) -> Vec<String> {
    let mut colour = String::new();
    let paint = |line: &str| {
        let begun = format!("{colour}{line}");
        if let Some(at) = begun.rfind('\x1b') {
            let code = begun[at..].find('m').map_or(at, |last| at + last + 1);
            begun[at..code].clone_into(&mut colour);
        }
        if colour == end {
            colour.clear();
        }
        if colour.is_empty() { begun } else { begun + end }
    };
    text.lines().map(paint).collect()
}

/// Puts two blocks of lines side by side.
pub fn beside(left: &str, right: &str, gap: usize) -> String {
    let column = left.lines().map(width).max().unwrap_or(0) + gap;
    let (mut left, mut right) = (left.lines(), right.lines());
    let mut lines = Vec::new();
    loop {
        match (left.next(), right.next()) {
            (None, None) => return lines.join("\n"),
            (Some(left), None) => lines.push(left.to_owned()),
            (left, Some(right)) => lines.push(pad(left.unwrap_or(""), column) + right),
        }
    }
}

/// Formats a duration in its two largest units: "1d 2h".
pub fn duration(length: SignedDuration) -> String {
    let seconds = length.as_secs().max(0);
    let units = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];
    let mut rest = seconds;
    let mut parts = Vec::new();
    for (unit, size) in units {
        if rest >= size && parts.len() < 2 {
            parts.push(format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    if parts.is_empty() { "0s".into() } else { parts.join(" ") }
}

/// Converts a protobuf duration, without its fraction of a second.
pub fn from_proto(length: &prost_types::Duration) -> SignedDuration {
    SignedDuration::from_secs(length.seconds)
}

/// Formats a time to the minute, in UTC because players are in different time zones.
pub fn moment(time: &prost_types::Timestamp) -> String {
    let time = Timestamp::from_second(time.seconds);
    time.map_or_else(|_| "?".into(), |time| time.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

/// Formats a date, in UTC.
pub fn day(time: &prost_types::Timestamp) -> String {
    moment(time).split(' ').next().unwrap_or_default().to_owned()
}

/// Formats a time, followed by its distance from now: "(in 2h)" or "(2h ago)".
pub fn due(time: &prost_types::Timestamp) -> String {
    let left = time.seconds - Timestamp::now().as_second();
    let distance = SignedDuration::from_secs(left.abs());
    let distance = duration(distance);
    let told = if left >= 0 { format!("in {distance}") } else { format!("{distance} ago") };
    format!("{} ({told})", moment(time))
}

/// Returns a line of the text with a mark below one character. Lines and columns start at 1.
pub fn mark_position(text: &str, line: usize, column: usize) -> Option<String> {
    let whole = text.lines().nth(line.checked_sub(1)?)?;
    let (shown, number) = (harmless(whole), line.to_string());
    let before: String = whole.chars().take(column.saturating_sub(1)).collect();
    let gap = " ".repeat(width(&harmless(&before)));
    Some(format!("{number} | {shown}\n{} | {gap}^", " ".repeat(number.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_and_lists_break_after_items() {
        let list = ["★ home", "▲3 your ships", "! at war, or will be"].map(str::to_owned);
        for (laid_out, wanted) in [
            (fitted("ab\n  cde fgh ij\n", 8), "ab\n  cde\n    fgh\n    ij\n"),
            (fitted("abcdefgh", 8), "abcdefgh"),
            (fitted("          abc", 8), "    abc"),
            (items(&list, 19), "★ home,\n▲3 your ships,\n! at war, or will\nbe"),
            (items(&list, 80), "★ home, ▲3 your ships, ! at war, or will be"),
            (wrap("one two three four", 9, 2), "one two\n  three\n  four"),
            (wrap("  one  two three", 10, 4), "  one  two\n    three"),
            (wrap("李李李李李", 6, 2), "李李\n  李李\n  李"),
            // Color takes no width.
            (wrap("\x1b[1;31mabcdef\x1b[0m", 6, 0), "\x1b[1;31mabcdef\x1b[0m"),
            (pad("\x1b[32mok\x1b[0m", 4), "\x1b[32mok\x1b[0m  "),
            (beside("a\nbb", "1\n2\n3", 1), "a  1\nbb 2\n   3"),
            (count(1, "seat"), "1 seat"),
            (count(0, "seat"), "0 seats"),
            (count(512, "thousandth of all"), "512 thousandths of all"),
            (duration(SignedDuration::from_secs(93_784)), "1d 2h"),
            (duration(SignedDuration::from_secs(0)), "0s"),
        ] {
            assert_eq!(laid_out, wanted);
        }
        assert_eq!(width("\x1b[1;36mA1\x1b[0m"), 2);
    }

    #[test]
    fn wrapped_cells_keep_their_colour() {
        let style = Style { width: 20, ..Style::PLAIN };
        let rows = [["a planet far away", "\x1b[32mfive or six\x1b[0m"], ["b", "one"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            table(&style, &["where", "how many"], &rows),
            "where      how many\n\
             a planet   \x1b[32mfive or\x1b[0m\n\
             far away   \x1b[32msix\x1b[0m\n\
             b          one"
        );
    }

    #[test]
    fn untrusted_control_characters_are_escaped() {
        assert_eq!(harmless("hi\x1b[2Jthere\n"), "hi<U+001B>[2Jthere<U+000A>");
        assert_eq!(
            told("hi\n  12  Bob writes: \u{202e}", 6),
            "hi\n        12  Bob writes: <U+202E>"
        );
    }

    #[test]
    fn long_words_are_broken() {
        let padded = format!("Peace?{}   7  Bob writes: War!", "\u{a0}".repeat(40));
        for line in wrap(&padded, 20, 6).lines().skip(1) {
            assert!(line.starts_with("      ") && width(line) <= 20, "{line:?}");
        }
    }

    #[test]
    fn positions_in_a_text_are_marked() {
        let text = "POOL Alpha\nMOVE Lion T0 (1,0)";
        assert_eq!(
            mark_position(text, 2, 11).as_deref(),
            Some("2 | MOVE Lion T0 (1,0)\n  |           ^")
        );
        assert_eq!(mark_position(text, 3, 1), None);
    }
}
