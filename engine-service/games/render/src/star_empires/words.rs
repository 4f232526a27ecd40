//! The words of Star Empires that only tables and lists need; sentences are those of the rules.

use heliopause_star_empires::Siege;

/// How a world's traffic is hindered; empty if it is not, or if that is not known.
pub(super) fn siege(siege: Option<Siege>) -> &'static str {
    match siege {
        Some(Siege::None) | None => "",
        Some(Siege::Blockaded) => "blockaded",
        Some(Siege::Interdicted) => "interdicted",
    }
}
