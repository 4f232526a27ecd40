//! Background tasks that outlive the call that started them.
//!
//! Costly calls run on their own threads. The tasks that such a call starts, for a loaded game or a
//! database connection, also serve other calls. These tasks therefore run on the main runtime,
//! where costly calls cannot delay them.
//!
//! **Invariant.** A call waits for shared resources (a table's lock, a connection to the store)
//! only in its own task ([`in_own_task`]). If a client stops reading, its response is no longer
//! polled. A future that waits inside the response would keep its position in the queue, and block
//! other calls.

use std::future::Future;

use tokio::runtime::Handle;
use tokio::task::{AbortHandle, JoinHandle};

tokio::task_local! {
    static MAIN: Handle;
}

/// Runs a call. The tasks that the call starts with [`spawn`] run on `main`.
pub(crate) fn on<F: Future>(main: Handle, call: F) -> impl Future<Output = F::Output> {
    MAIN.scope(main, call)
}

pub(crate) fn spawn<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
) -> JoinHandle<T> {
    let main = main();
    spawn_on(&main.clone(), task)
}

/// Starts a task on `threads`. The tasks that it starts with [`spawn`] still run on the main
/// runtime.
pub(crate) fn spawn_on<T: Send + 'static>(
    threads: &Handle,
    task: impl Future<Output = T> + Send + 'static,
) -> JoinHandle<T> {
    threads.spawn(on(main(), task))
}

fn main() -> Handle {
    MAIN.try_with(Clone::clone).unwrap_or_else(|_| Handle::current())
}

/// Runs `work` in a task of its own, as the invariant of this module requires. Aborts the task if
/// the caller stops waiting.
pub(crate) async fn in_own_task<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    let task = spawn(work);
    let _end = AbortOnDrop(task.abort_handle());
    match task.await {
        Ok(done) => done,
        Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
        // Only a runtime that shuts down cancels an awaited task.
        Err(_) => std::future::pending().await,
    }
}

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

    /// Polls a future once, as a connection does before its client stops reading.
    async fn look_once(mut waiting: Pin<&mut impl Future>) {
        let looked =
            poll_fn(|context| Poll::Ready(waiting.as_mut().poll(context).is_pending())).await;
        assert!(looked, "it waits");
    }

    #[tokio::test]
    async fn unpolled_answer_does_not_block_a_queue() {
        let places = Arc::new(Semaphore::new(1));
        let held = places.acquire().await.unwrap();
        let queued = Arc::clone(&places);
        let mut unread = pin!(in_own_task(async move { queued.acquire().await.map(drop) }));
        look_once(unread.as_mut()).await;
        tokio::task::yield_now().await;
        drop(held);
        let next = tokio::time::timeout(Duration::from_secs(5), places.acquire()).await;
        drop(next.expect("the place came free though nobody looks").unwrap());
        unread.await.unwrap();
    }

    #[tokio::test]
    async fn dropping_the_caller_aborts_its_task() {
        let alive = Arc::new(());
        let inside = Arc::clone(&alive);
        let mut waiting = Box::pin(in_own_task(async move {
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
