//! Tasks that outlast the call which began them.
//!
//! Costly calls are worked on by threads of their own. What such a call leaves behind (a game that it loaded, a connection to
//! the database that it opened) serves others too, so it lives with them, and not where costly calls would delay it.

use std::future::Future;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

tokio::task_local! {
    static MAIN: Handle;
}

/// Runs a call away from the runtime on which what outlasts it shall live.
pub(crate) fn on<F: Future>(main: Handle, call: F) -> impl Future<Output = F::Output> {
    MAIN.scope(main, call)
}

/// Starts a task that may outlast the call that begins it.
pub(crate) fn spawn<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    let main = MAIN.try_with(Clone::clone).unwrap_or_else(|_| Handle::current());
    let within = main.clone();
    // It passes on where it lives: what it begins lives there as well.
    main.spawn(on(within, task))
}
