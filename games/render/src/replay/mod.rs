//! Writes a game as a self-contained page with one map, a slider over the phases, and their events.
//!
//! Maps and reports change little between phases. The page stores each line once, and each phase as
//! references to lines. Gzip compresses the result to about a tenth of the size of the maps.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use super::document::{self, Words};
use super::svg::escaped;

#[derive(Clone, Debug, Default)]
pub struct ReplayPhase {
    pub title: String,
    pub highlights: Vec<Words>,
    pub map: String,
    /// The report at the end of the phase, as text. Empty if there is none.
    pub report: String,
}

/// Returns the page as HTML. `lead` contains the lines below the title.
pub fn page(title: &str, lead: &[Words], leaves: &[ReplayPhase]) -> String {
    let lead: Vec<String> = lead.iter().map(|words| format!("<p>{}</p>\n", words.html())).collect();
    let mut lines = Lines::default();
    let told: Vec<_> = leaves
        .iter()
        .map(|leaf| json!({ "map": lines.runs(&leaf.map), "report": lines.runs(&leaf.report) }))
        .collect();
    let book = packed(&json!({ "lines": lines.all, "leaves": told }).to_string());
    let last = leaves.len().saturating_sub(1);
    format!(
        include_str!("page.html"),
        book = book,
        last = last,
        title = escaped(title),
        base = document::STYLE,
        style = include_str!("page.css"),
        lead = lead.concat(),
        sections = leaves.iter().enumerate().map(section).collect::<String>(),
        script = include_str!("page.js"),
    )
}

/// Compresses text and encodes it in characters that are safe in HTML.
fn packed(text: &str) -> String {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    let packed = packer.write_all(text.as_bytes()).and_then(|()| packer.finish());
    BASE64_STANDARD.encode(packed.expect("a vector takes every byte"))
}

fn section((index, leaf): (usize, &ReplayPhase)) -> String {
    let mut section = format!("<section id=\"p{index}\"><h2>{}</h2>\n<ul>\n", escaped(&leaf.title));
    for words in &leaf.highlights {
        let _ = writeln!(section, "<li>{}</li>", words.html());
    }
    section.push_str("</ul>\n");
    if !leaf.report.is_empty() {
        section.push_str("<details><summary>Report</summary><pre></pre></details>\n");
    }
    section.push_str("</section>\n");
    section
}

#[derive(Default)]
struct Lines<'a> {
    all: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Lines<'a> {
    /// Adds text. Returns runs of consecutive lines, each as its first number and its length.
    fn runs(&mut self, text: &'a str) -> Vec<usize> {
        let mut runs: Vec<usize> = Vec::new();
        for line in text.lines() {
            let next = self.all.len();
            let number = *self.numbers.entry(line).or_insert(next);
            if number == next {
                self.all.push(line);
            }
            match runs.as_mut_slice() {
                [.., start, count] if *start + *count == number => *count += 1,
                _ => runs.extend([number, 1]),
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_stored_once() {
        let mut lines = Lines::default();
        assert_eq!(lines.runs("a\nb\nc"), [0, 3]);
        assert_eq!(lines.runs("a\nd\nc\na\nb"), [0, 1, 3, 1, 2, 1, 0, 2]);
        assert_eq!(lines.runs(""), [0; 0]);
        assert_eq!(lines.all, ["a", "b", "c", "d"]);
    }

    #[test]
    fn forty_turns_compress_to_little_more_than_one_map() {
        let stars: Vec<String> =
            (0..2000).map(|star| format!("<star number='{star}'/>\n")).collect();
        let ground = stars.concat();
        let leaf = |turn: usize| ReplayPhase {
            title: format!("Turn {turn}"),
            highlights: vec![Words::plain("Ann sails.")],
            map: format!("{ground}<fleet at='{turn}'/>\n"),
            report: format!("A long report.\nTurn {turn}"),
        };
        let leaves: Vec<ReplayPhase> = (1..=44).map(leaf).collect();
        let one = page("A war", &[], &leaves[..1]).len();
        let all = page("A war", &[], &leaves).len();
        assert!(all < one + 44 * 400, "{one} bytes for one turn, {all} for 44");
    }

    #[test]
    fn texts_are_escaped() {
        let leaf = ReplayPhase {
            title: "<i>".into(),
            highlights: vec![Words::plain("</ul><b>")],
            map: "<svg></script><script>".into(),
            report: "</pre>".into(),
        };
        let page = page("</title>", &[Words::plain("<u>")], &[leaf]);
        for markup in ["<i>", "<b>", "<u>", "</title></title>", "<svg>", "</script><script>"] {
            assert!(!page.contains(markup), "{markup} in {page}");
        }
        assert_eq!(page.matches("</pre>").count(), 1, "{page}");
    }
}
