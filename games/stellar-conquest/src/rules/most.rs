//! Search for the largest legal amount.

/// Returns the largest number up to `limit` that passes, or 0, by binary search.
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
