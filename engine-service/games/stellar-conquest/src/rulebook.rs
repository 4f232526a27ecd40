//! The rules in our own words, by number: base `12.4`, `BR-7`; articles `fate-7.2`, `FR-8`.

/// The text of a rule.
pub(crate) fn rule(_number: &str) -> Option<&'static str> {
    todo!("every section and ruling")
}
