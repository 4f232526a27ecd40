//! Tasks that outlast the call which began them.
//!
//! Costly calls are worked on by threads of their own. What such a call leaves behind (a game that
//! it loaded, a connection to the database that it opened) serves others too, so it lives with
//! them, and not where costly calls would delay it.

use std::future::Future;

use tokio::runtime::Handle;
use tokio::task::{AbortHandle, JoinHandle};

tokio::task_local! {
    static MAIN: Handle;
}

/// Runs a call away from the runtime on which what outlasts it shall live.
pub(crate) fn on<F: Future>(main: Handle, call: F) -> impl Future<Output = F::Output> {
    MAIN.scope(main, call)
}

/// Starts a task that may outlast the call that begins it.
pub(crate) fn spawn<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
) -> JoinHandle<T> {
    let main = main();
    spawn_on(&main.clone(), task)
}

/// Starts a task on other threads. What it starts by [`spawn`] still lives on the main ones.
pub(crate) fn spawn_on<T: Send + 'static>(
    threads: &Handle,
    task: impl Future<Output = T> + Send + 'static,
) -> JoinHandle<T> {
    threads.spawn(on(main(), task))
}

fn main() -> Handle {
    MAIN.try_with(Clone::clone).unwrap_or_else(|_| Handle::current())
}

/// Does something in a task of its own, which ends with whoever waits for it.
///
/// A place in a queue, once given, belongs to a future also while nobody polls it; and nobody polls
/// the answer of a client that reads nothing. So an answer waits for locks and places only by this:
/// otherwise one such client would keep them from everybody.
pub(crate) async fn apart<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    let task = spawn(work);
    let _end = AbortOnDrop(task.abort_handle());
    match task.await {
        Ok(done) => done,
        Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
        // Only the end of the process ends a task that is waited for.
        Err(_) => std::future::pending().await,
    }
}

/// Ends a task when nobody waits for it any more.
pub(crate) struct AbortOnDrop(pub(crate) AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::pin::{Pin, pin};
    use std::sync::Arc;
    use std::task::Poll;
    use std::time::Duration;

    use tokio::sync::Semaphore;

    /// Looks at a future once, as a connection does whose client then stops to read.
    async fn look_once(mut waiting: Pin<&mut impl Future>) {
        let looked =
            poll_fn(|context| Poll::Ready(waiting.as_mut().poll(context).is_pending())).await;
        assert!(looked, "it waits");
    }

    #[tokio::test]
    async fn what_is_waited_for_apart_takes_no_place_from_others_while_nobody_looks() {
        let places = Arc::new(Semaphore::new(1));
        let held = places.acquire().await.unwrap();
        let queued = Arc::clone(&places);
        let mut unread = pin!(apart(async move { queued.acquire().await.map(drop) }));
        look_once(unread.as_mut()).await;
        tokio::task::yield_now().await;
        drop(held);
        let next = tokio::time::timeout(Duration::from_secs(5), places.acquire()).await;
        drop(next.expect("the place came free though nobody looks").unwrap());
        unread.await.unwrap();
    }

    #[tokio::test]
    async fn what_is_done_apart_ends_with_whoever_waits() {
        let alive = Arc::new(());
        let inside = Arc::clone(&alive);
        let mut waiting = Box::pin(apart(async move {
            std::future::pending::<()>().await;
            drop(inside);
        }));
        look_once(waiting.as_mut()).await;
        tokio::task::yield_now().await;
        drop(waiting);
        tokio::task::yield_now().await;
        assert_eq!(Arc::strong_count(&alive), 1);
    }
}
