//! Sentences for players, in tables beside the code that uses them. Tabs separate the cells of a
//! row: a key, a rule and a sentence. Names in braces stand for values.

use std::array::from_fn;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

/// Names the values for a sentence: `name = value`, or a variable that has the name.
macro_rules! values {
    ($(, $name:ident $(= $value:expr)?)* $(,)?) => {
        &[$((
            stringify!($name),
            $crate::tables::texts::values!(@ $name $($value)?) as &dyn std::fmt::Display,
        )),*]
    };
    (@ $name:ident) => { &$name };
    (@ $name:ident $value:expr) => { &$value };
}
pub(crate) use values;

/// The values for a sentence, by name.
pub(crate) type Values<'a> = &'a [(&'a str, &'a dyn Display)];

/// Reads rows of cells separated by tabs. The first cell is the key.
pub(crate) fn table<const N: usize>(
    rows: &'static str,
) -> BTreeMap<&'static str, [&'static str; N]> {
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().expect("every row has all cells");
        (cell(), from_fn(|_| cell()))
    };
    rows.lines().map(row).collect()
}

/// A table of sentences with their rules, by key.
pub(crate) struct Sentences(BTreeMap<&'static str, [&'static str; 2]>);

impl Sentences {
    pub(crate) fn read(rows: &'static str) -> Self {
        Self(table(rows))
    }

    /// Returns the sentence with its values, and the rule. A test finds keys without a sentence.
    pub(crate) fn fill(&self, key: &str, values: Values<'_>) -> (String, &'static str) {
        let [rule, sentence] = self.0.get(key).copied().unwrap_or_default();
        debug_assert!(!sentence.is_empty(), "{key} has no sentence");
        (fill(sentence, values), rule)
    }
}

/// Replaces the names in braces that have a value.
pub(crate) fn fill(template: &str, values: Values<'_>) -> String {
    let mut text = String::with_capacity(2 * template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        let _ = match values.iter().find(|(own, _)| *own == name) {
            Some((_, value)) => write!(text, "{value}"),
            None => write!(text, "{{{name}}}"),
        };
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Writes a number of half points as points.
pub(crate) fn halves(half_points: u32) -> String {
    let half = if half_points % 2 == 1 { "½" } else { "" };
    format!("{}{half}", half_points / 2)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    fn sources(folder: &Path) -> String {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: std::path::PathBuf| match path.extension() {
            None => sources(&path),
            Some(kind) if kind == "rs" => fs::read_to_string(path).unwrap(),
            Some(_) => String::new(),
        };
        entries.map(read).collect()
    }

    /// Returns the key and the names of the values in a call of a macro. The key is empty if it is
    /// not in the call, and ends with a brace if it depends on a value.
    fn call(call: &str) -> (&str, Vec<&str>) {
        let call = call.trim_start().trim_start_matches("draft,").trim_start();
        let call = call.trim_start_matches("&format!(");
        let Some((key, rest)) = call.strip_prefix('"').and_then(|call| call.split_once('"')) else {
            return ("", Vec::new());
        };
        let key = key.find('{').map_or(key, |end| &key[..=end]);
        let rest = if key.ends_with('{') { &rest[1..] } else { rest };
        let mut depth = 0;
        let values = rest.split(|sign| {
            depth += i32::from("([{".contains(sign)) - i32::from(")]}".contains(sign));
            depth < 0 || (depth == 0 && sign == ',')
        });
        let names = values.map(|value| value.split(" = ").next().unwrap_or_default().trim());
        (key, names.collect())
    }

    #[test]
    fn each_sentence_is_used_with_its_values() {
        let source = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        for (name, rows) in [
            ("refuse!", include_str!("../rules/refusals.tsv")),
            ("say!", include_str!("../client/describe/events.tsv")),
            ("warn!", include_str!("../client/warnings.tsv")),
            ("offer!", include_str!("../client/offers/offers.tsv")),
        ] {
            let calls: Vec<(&str, Vec<&str>)> =
                source.split(&format!("{name}(")).skip(1).map(call).collect();
            for row in rows.lines() {
                let (key, texts) = row.split_once('\t').unwrap();
                let of_key = |own: &str| {
                    own == key || own.strip_suffix('{').is_some_and(|start| key.starts_with(start))
                };
                let uses = calls.iter().filter(|(own, _)| of_key(own));
                let (built, exact): (Vec<_>, Vec<_>) =
                    uses.partition(|(own, _)| own.ends_with('{'));
                let uses = if exact.is_empty() { built } else { exact };
                let start = key.split('.').next().unwrap();
                let named = [format!("\"{key}\""), format!("\"{start}.{{")];
                assert!(!uses.is_empty() || named.iter().any(|it| source.contains(it)), "{key}");
                // The other names of offers are slots.
                let names = texts.split('{').skip(1).map(|text| text.split('}').next().unwrap());
                for value in names.filter(|_| name != "offer!") {
                    assert!(uses.iter().all(|(_, own)| own.contains(&value)), "{key}: {value}");
                }
            }
            let has_row = |key: &str| rows.lines().any(|row| row.split('\t').next() == Some(key));
            for (key, _) in calls.iter().filter(|(key, _)| !key.is_empty() && !key.ends_with('{')) {
                assert!(has_row(key), "{key} has no sentence");
            }
        }
    }
}
