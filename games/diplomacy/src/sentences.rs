//! The sentences of `sentences.txt`.

use std::sync::LazyLock;

use heliopause_kernel::sentence::{FactList, Facts, Sentences};

pub(crate) static SENTENCES: LazyLock<Sentences> =
    LazyLock::new(|| Sentences::read(include_str!("sentences.txt")));

/// Returns the rule that decided a result.
pub(crate) fn rule_of(result: &impl Facts) -> &'static str {
    SENTENCES.describe(&FactList::of(result, &|_| String::new())).1
}
