//! The bots, one module per game.
//!
//! To add a game, add its module and implement [`Playable`] in it. The crate `heliopause_games`
//! lists all games.

mod adapter;
pub(crate) mod ballot;
mod diplomacy;
mod letters;
mod playable;
mod slingshot;
mod star_empires;
mod starships;
mod stellar_conquest;

use std::sync::LazyLock;

use adapter::TypedAdapter;
use heliopause_games::games;

pub use adapter::{Draft, GameAdapter};
pub use playable::Playable;
pub(crate) use playable::edition;

macro_rules! adapters {
    ($($arm:ident: $game:ty;)+) => {
        static ALL: LazyLock<Vec<Box<dyn GameAdapter>>> =
            LazyLock::new(|| [$(TypedAdapter::<$game>::all()),+].into_iter().flatten().collect());
    };
}
games!(adapters);

/// Returns all games that this program plays.
pub fn all() -> impl Iterator<Item = &'static dyn GameAdapter> + Clone {
    ALL.iter().map(AsRef::as_ref)
}

/// Returns the game with this id.
pub fn find(kind: &str) -> Option<&'static dyn GameAdapter> {
    all().find(|adapter| adapter.kind() == kind)
}
