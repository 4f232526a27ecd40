//! Short phrases for tables and lists. Full sentences come from `heliopause_star_empires`.

use heliopause_star_empires::Siege;

use crate::text::count;

pub(super) fn siege(siege: Option<Siege>) -> &'static str {
    match siege {
        Some(Siege::None) | None => "",
        Some(Siege::Blockaded) => "blockaded",
        Some(Siege::Interdicted) => "interdicted",
    }
}

pub(super) fn counted(number: u32, noun: &str) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), noun)
}
