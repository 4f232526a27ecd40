//! The table of refusals by the games' rules, `refusals.tsv`. A `## ` line starts each chapter.
//! Each other line has the cause, the rule and the text of a refusal, separated by tabs.

use std::collections::HashSet;
use std::sync::LazyLock;

pub(crate) const TABLE: &str = include_str!("refusals.tsv");

static CAUSES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| TABLE.lines().filter_map(|line| line.split('\t').next()).collect());

pub(crate) fn is_listed(cause: &str) -> bool {
    CAUSES.contains(cause)
}
