//! How much of something is allowed.

/// The most from 1 to a limit that a test passes, if it passes whatever is less too; 0 if it passes
/// nothing.
pub fn most(limit: u32, passes: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, limit);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if passes(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}
