//! Scenario files as authors write them, or nearly so.

use std::path::Path;

use heliopause_scenario::{compose, convert, file};

/// A file's text: it is read, or has flaws that say where they are.
pub fn scenarios(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let path = Path::new("fuzzed.json");
    if let Err(flaws) = file::File::parse(path, text) {
        assert!(!flaws.0.is_empty(), "a file that is not read has a flaw");
        assert!(flaws.0.iter().all(|flaw| !flaw.what.is_empty()), "{flaws}");
        assert!(!flaws.to_string().is_empty());
    }
    let _ = compose::parts(path, text);
    if let Ok(renames) = convert::Renames::known() {
        let _ = convert::convert(path, text, &renames);
    }
}
