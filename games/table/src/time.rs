//! Times and spans, in milliseconds and as the contract's messages.

use prost_types::{Duration, Timestamp};

/// Milliseconds since 1970, UTC.
pub type Millis = i64;

pub(crate) const DAY: Millis = 24 * 60 * 60 * 1000;

pub(crate) fn stamp(time: Millis) -> Timestamp {
    Timestamp { seconds: time.div_euclid(1000), nanos: (time.rem_euclid(1000) * 1_000_000) as i32 }
}

pub(crate) fn millis(time: &Timestamp) -> Millis {
    time.seconds.saturating_mul(1000).saturating_add(i64::from(time.nanos / 1_000_000))
}

pub(crate) fn at(time: Option<&Timestamp>) -> Option<Millis> {
    time.map(millis)
}

pub(crate) fn length(span: Millis) -> Duration {
    Duration { seconds: span.div_euclid(1000), nanos: (span.rem_euclid(1000) * 1_000_000) as i32 }
}

pub(crate) fn span(duration: &Duration) -> Millis {
    duration.seconds.saturating_mul(1000).saturating_add(i64::from(duration.nanos / 1_000_000))
}

pub(crate) fn in_seconds(span: Millis) -> String {
    if span % 1000 == 0 { format!("{} s", span / 1000) } else { format!("{span} ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_spans_have_millisecond_precision() {
        for time in [0, 1, 999, 1_000, 1_234_567_891, -1, -1_234_567] {
            assert_eq!(millis(&stamp(time)), time);
            assert_eq!(span(&length(time)), time);
            assert!((0..1_000_000_000).contains(&length(time).nanos));
        }
        assert_eq!(length(1_001), Duration { seconds: 1, nanos: 1_000_000 });
    }
}
