//! Scenario files, valid and almost valid.

use std::path::Path;

use heliopause_scenario::{compose, convert, file};

/// Checks that a scenario file can be read, or that its errors have positions.
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
