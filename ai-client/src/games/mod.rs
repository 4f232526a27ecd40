//! The bots, one module a game, and the registry of them.
//!
//! A new game adds its module here, implements [`Playable`] in it, and adds one line to [`all`].

mod kit;
mod star_empires;
mod starships;

use heliopause_star_empires::StarEmpires;
use heliopause_starships::Starships;
use kit::KitOf;

pub use kit::{Draft, Kit, Playable};

/// Everything that this program plays.
pub fn all() -> &'static [&'static dyn Kit] {
    const STARSHIPS: KitOf<Starships> = KitOf::new();
    const STAR_EMPIRES: KitOf<StarEmpires> = KitOf::new();
    &[&STARSHIPS, &STAR_EMPIRES]
}

/// The game with an id.
pub fn find(kind: &str) -> Option<&'static dyn Kit> {
    all().iter().copied().find(|kit| kit.kind() == kind)
}
