//! `docs/refusals.md`, generated from the table of refusals.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::refusals::{TABLE, is_listed};

const HEAD: &str = include_str!("refusals_head.md");

/// The refusals of Stellar Conquest, whose keys are causes, some with a word after a slash.
const CONQUEST: &str = include_str!("../../../../games/stellar-conquest/src/rules/refusals.tsv");

#[test]
fn the_manual_of_refusals_is_current() {
    let mut page = HEAD.to_owned();
    let mut rows: Vec<(&str, &str, String)> = Vec::new();
    for line in TABLE.lines().chain(["## "]) {
        if let Some(title) = line.strip_prefix("## ") {
            for (cause, rule, text) in rows.drain(..) {
                writeln!(page, "| `{cause}` | {rule} | {text} |").unwrap();
            }
            if !title.is_empty() {
                write!(page, "\n## {title}\n\n| refusal | rule | text |\n").unwrap();
                page += "| --- | --- | --- |\n";
            }
            continue;
        }
        let (cause, rest) = line.split_once('\t').expect("a cause");
        let (rule, text) = rest.split_once('\t').expect("a rule");
        let text = text.replace('|', "\\|");
        match rows.last_mut() {
            Some(last) if (last.0, last.1) == (cause, rule) => {
                write!(last.2, "<br>{text}").unwrap();
            }
            _ => rows.push((cause, rule, text)),
        }
    }
    super::check_page("refusals.md", &page);
}

#[test]
fn table_of_refusals_matches_the_source_of_the_games() {
    let mut texts = BTreeSet::new();
    let mut found = 0;
    for file in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../games")) {
        let source = code(&fs::read_to_string(&file).expect("a source is text"));
        for (cause, rule) in refused(&source) {
            found += 1;
            let row = format!("\n{cause}\t{rule}\t");
            assert!(TABLE.contains(&row), "{}: {cause} {rule} is not listed", file.display());
        }
        texts.extend(source.split('"').skip(1).step_by(2).map(str::to_owned));
    }
    for row in CONQUEST.lines() {
        let [key, rule, _] = row.splitn(3, '\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let cause = key.split('/').next().unwrap_or_default();
        let is_listed = rule == "{rule}" || TABLE.contains(&format!("\n{cause}\t{rule}\t"));
        assert!(is_listed, "Stellar Conquest: {cause} {rule} is not listed");
        texts.insert(cause.to_owned());
        found += 1;
    }
    assert!(found > 250, "only {found} refusals were found");
    for row in TABLE.lines().filter(|line| !line.starts_with("## ")) {
        let cause = row.split('\t').next().unwrap_or_default();
        assert!(texts.contains(cause) && is_listed(cause), "{cause} is listed, but never given");
    }
}

#[test]
fn refusals_are_found_in_sources() {
    let source = r#"
        // "not-this", "1.1", ""
        fn judge() {
            refuse("unnamed", rule, "A rule of another module.")?;
            refuse("too-far", "4.2", "The \"ship\" cannot \
                go so far.")?;
            Self::Wrong => ("wrong-place", "", "It is not there."),
            Warning::new("only-warned", "9", "It is not refused.");
            require(holds, "too-big", || format!("The {what} is too big."))
        }
        #[cfg(test)]
        mod tests { fn none() { refuse("only-tested", "9", "never") } }
    "#;
    assert_eq!(
        refused(&code(source)),
        [("unnamed", ""), ("too-far", "4.2"), ("wrong-place", ""), ("too-big", "6.1")]
    );
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a file").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if ["tests", "testing", "all", "render", "benches", "examples"].contains(&stem) {
            continue;
        }
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// Removes tests, comments and escaped quotation marks. The remaining quotation marks delimit
/// strings.
fn code(source: &str) -> String {
    let code = source.split("#[cfg(test)]\n").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n").replace("\\\"", "").replace("'\"'", "")
}

/// Finds refusals by their form: `"cause", "rule",`. In the game master's orders of Star Empires
/// (chapter 6.1), the form is `"cause", ||`.
fn refused(source: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = source.split('"').collect();
    let mut refused = Vec::new();
    // Strings and the code between them alternate.
    for window in parts.windows(5).step_by(2) {
        let [before, cause, after, second, behind] = window else { continue };
        let (before, after) = (before.trim_end(), after.trim());
        if !is_cause(cause) {
            continue;
        }
        if after == "," && *cause == "refusal" && is_cause(second) {
            refused.push((*second, ""));
        } else if after == "," && is_rule(second) && behind.trim_start().starts_with(',') {
            if !before.ends_with("Warning::new(") && !before.ends_with("Warning::about(") {
                refused.push((*cause, *second));
            }
        } else if after.starts_with(", ||") {
            refused.push((*cause, "6.1"));
        } else if before.ends_with("refuse(") && after.starts_with(',') {
            refused.push((*cause, ""));
        }
    }
    refused
}

fn is_cause(text: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.bytes().all(sign) && text.starts_with(|first: char| first.is_ascii_lowercase())
}

fn is_rule(text: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-';
    let is_number = text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().all(sign);
    text.is_empty() || (text.len() <= 10 && is_number)
}
