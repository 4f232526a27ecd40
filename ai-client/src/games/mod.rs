//! The bots, one module a game.
//!
//! A new game adds its module here and implements [`Playable`] in it. Which games there are the
//! list of all games says.

mod ballot;
mod diplomacy;
mod kit;
mod playable;
mod slingshot;
mod star_empires;
mod starships;
mod stellar_conquest;

use std::sync::LazyLock;

use heliopause_games::games;
use kit::KitOf;

pub use kit::{Draft, Kit};
pub use playable::Playable;
pub(crate) use playable::edition;

macro_rules! kits {
    ($($arm:ident: $game:ty;)+) => {
        static ALL: LazyLock<Vec<Box<dyn Kit>>> =
            LazyLock::new(|| [$(KitOf::<$game>::all()),+].into_iter().flatten().collect());
    };
}
games!(kits);

/// Everything that this program plays.
pub fn all() -> impl Iterator<Item = &'static dyn Kit> + Clone {
    ALL.iter().map(AsRef::as_ref)
}

/// The game with an id.
pub fn find(kind: &str) -> Option<&'static dyn Kit> {
    all().find(|kit| kit.kind() == kind)
}
