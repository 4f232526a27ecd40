//! Waiting for something, but not for too long.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Sleep, sleep};

/// Waits for something for so long, or answers `None`. Most of what a call waits for is there
/// already, and needs no timer.
pub(super) async fn within<T>(time: Duration, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let mut end = pin!(None::<Sleep>);
    poll_fn(|context| {
        if let Poll::Ready(done) = work.as_mut().poll(context) {
            return Poll::Ready(Some(done));
        }
        if end.is_none() {
            end.set(Some(sleep(time)));
        }
        let end = end.as_mut().as_pin_mut().expect("it was just set");
        end.poll(context).map(|()| None)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_takes_too_long_is_not_waited_for() {
        let (short, long) = (Duration::from_millis(10), Duration::from_mins(1));
        assert_eq!(within(short, async { 1 }).await, Some(1), "it is there");
        assert_eq!(within(long, sleep(short)).await, Some(()), "it comes in time");
        assert_eq!(within(short, sleep(long)).await, None);
    }
}
