//! The bots, one module a game, and the registry of them.
//!
//! A new game adds its module here, implements [`Playable`] in it, and adds one line to [`all`].

mod ballot;
mod diplomacy;
mod kit;
mod star_empires;
mod starships;
mod stellar_conquest;

use heliopause_diplomacy::Diplomacy;
use heliopause_star_empires::StarEmpires;
use heliopause_starships::Starships;
use heliopause_stellar_conquest::StellarConquest;
use kit::KitOf;

pub(crate) use kit::edition;
pub use kit::{Draft, Kit, Playable};

/// Everything that this program plays.
pub fn all() -> &'static [&'static dyn Kit] {
    const STARSHIPS: KitOf<Starships> = KitOf::new();
    const STAR_EMPIRES: KitOf<StarEmpires> = KitOf::new();
    const STELLAR_CONQUEST: KitOf<StellarConquest> = KitOf::new();
    const FATE_OF_EMPIRE: KitOf<StellarConquest> = KitOf::edition_of("fate-of-empire");
    const ALONE_IN_OUTER_SPACE: KitOf<StellarConquest> = KitOf::edition_of("alone-in-outer-space");
    const DIPLOMACY: KitOf<Diplomacy> = KitOf::new();
    const CAME_FROM_OUTER_SPACE: KitOf<Diplomacy> = KitOf::edition_of("it-came-from-outer-space");
    &[
        &STARSHIPS,
        &STAR_EMPIRES,
        &STELLAR_CONQUEST,
        &FATE_OF_EMPIRE,
        &ALONE_IN_OUTER_SPACE,
        &DIPLOMACY,
        &CAME_FROM_OUTER_SPACE,
    ]
}

/// The game with an id.
pub fn find(kind: &str) -> Option<&'static dyn Kit> {
    all().iter().copied().find(|kit| kit.kind() == kind)
}
