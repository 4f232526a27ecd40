//! Times and spans as milliseconds, and as the contract's messages.

use prost_types::{Duration, Timestamp};

/// Milliseconds since 1970, UTC.
pub type Millis = i64;

/// A day.
pub(crate) const DAY: Millis = 24 * 60 * 60 * 1000;

/// A time as the contract tells it.
pub(crate) fn stamp(time: Millis) -> Timestamp {
    Timestamp { seconds: time.div_euclid(1000), nanos: (time.rem_euclid(1000) * 1_000_000) as i32 }
}

/// A time of the contract; absurd ones end at the ends of the range.
pub(crate) fn millis(time: &Timestamp) -> Millis {
    time.seconds.saturating_mul(1000).saturating_add(i64::from(time.nanos / 1_000_000))
}

/// A span as the contract tells it.
pub(crate) fn length(span: Millis) -> Duration {
    Duration { seconds: span.div_euclid(1000), nanos: (span.rem_euclid(1000) * 1_000_000) as i32 }
}

/// A span of the contract.
pub(crate) fn span(duration: &Duration) -> Millis {
    duration.seconds.saturating_mul(1000).saturating_add(i64::from(duration.nanos / 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_spans_are_told_to_the_millisecond() {
        for time in [0, 1, 999, 1_000, 1_234_567_891, -1, -1_234_567] {
            assert_eq!(millis(&stamp(time)), time);
            assert_eq!(span(&length(time)), time);
            assert!((0..1_000_000_000).contains(&length(time).nanos));
        }
        assert_eq!(length(1_001), Duration { seconds: 1, nanos: 1_000_000 });
    }
}
