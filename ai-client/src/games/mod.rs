//! The bots, one module a game, and the registry of them.
//!
//! A new game adds its module here, implements [`Playable`] in it, and adds one line to [`all`].

mod kit;
mod starships;

use heliopause_starships::Starships;
use kit::KitOf;

pub use kit::{Draft, Kit, Playable};

/// Everything that this program plays.
pub fn all() -> &'static [&'static dyn Kit] {
    const STARSHIPS: KitOf<Starships> = KitOf::new();
    &[&STARSHIPS]
}

/// The game with an id.
pub fn find(kind: &str) -> Option<&'static dyn Kit> {
    all().iter().copied().find(|kit| kit.kind() == kind)
}
