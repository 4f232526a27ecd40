//! Where the hexes of the board lie in the picture.

use heliopause_stellar_conquest::Place;

/// The distance from the middle of a hex to its corners.
pub(super) const RADIUS: f64 = 23.0;
/// The middle of hex A1.
pub(super) const FIRST: Spot = (48.0, 112.0);

/// A place in the picture.
pub(super) type Spot = (f64, f64);

/// The middle of a hex.
pub(super) fn middle(at: Place) -> Spot {
    let (column, row) = (f64::from(at.column()) - 1.0, f64::from(at.row()) - 1.0);
    let lower = if at.column().is_multiple_of(2) { 0.5 } else { 0.0 };
    (FIRST.0 + 1.5 * RADIUS * column, FIRST.1 + 1.732 * RADIUS * (row + lower))
}
