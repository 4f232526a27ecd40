//! A state that is consistent with all that a view shows, for look-ahead.

use crate::position::StellarConquest;
use crate::view::View;

/// Draws one.
pub(crate) fn sample(_view: &View, _rng: &mut dyn FnMut() -> u64) -> StellarConquest {
    todo!("sample")
}
