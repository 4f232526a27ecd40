//! Thread pools for calls by cost, so that costly calls do not delay light calls.

use std::future::Future;
use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::task::JoinError;

use super::usage::Usage;
use crate::background::{self, AbortOnDrop};

/// The minimum weights of middle calls and of heavy calls. `limits.proto` documents both.
const MIDDLE_FROM: u32 = 2;
pub(crate) const HEAVY_FROM: u32 = 10;
/// The maximum numbers of concurrent middle and heavy calls per account, and of concurrent token
/// look-ups per address.
pub(crate) const MIDDLE_PER_ACCOUNT: usize = 8;
pub(crate) const HEAVY_PER_ACCOUNT: usize = 2;
pub(crate) const LOOKUPS_PER_ADDRESS: usize = 8;
/// The limits for all accounts together. Middle calls may exceed the number of threads, because
/// they may wait for a database.
const MIDDLE_TOTAL: usize = 64;
const HEAVY_PER_THREAD: usize = 2;
/// The nice value that gives heavy calls a tenth of the usual share. Middle calls such as GetView
/// keep the usual share, because players wait for them.
const HEAVY_NICE: i32 = 10;

pub(crate) struct Executors {
    middle: Executor,
    heavy: Executor,
    steps: Threads,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    Light,
    Middle,
    Heavy,
}

impl Cost {
    pub(crate) fn of(weight: u32) -> Self {
        match weight {
            ..MIDDLE_FROM => Self::Light,
            MIDDLE_FROM..HEAVY_FROM => Self::Middle,
            HEAVY_FROM.. => Self::Heavy,
        }
    }
}

struct Executor {
    threads: Threads,
    places: Arc<Semaphore>,
}

/// The threads that run middle and heavy calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threading {
    OwnThreads,
    /// The caller's runtime, so that a single-threaded program stays single-threaded.
    CallerThreads,
}

/// A runtime that can be dropped in async code. `None` means the caller's runtime.
struct Threads(Option<Runtime>);

impl Threads {
    fn new(threading: Threading, name: &str, threads: usize, nice: i32) -> std::io::Result<Self> {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(threads).thread_name(name).enable_all();
        if nice > 0 {
            builder.on_thread_start(move || lower_priority(nice));
        }
        match threading {
            Threading::OwnThreads => builder.build().map(|runtime| Self(Some(runtime))),
            Threading::CallerThreads => Ok(Self(None)),
        }
    }

    fn handle(&self) -> Handle {
        self.0.as_ref().map_or_else(Handle::current, |runtime| runtime.handle().clone())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Lowers this thread's priority on Linux. Other systems would lower that of the whole process.
fn lower_priority(nice: i32) {
    if cfg!(target_os = "linux")
        && let Err(error) = rustix::process::nice(nice)
    {
        tracing::warn!(%error, "the priority of threads for costly calls could not be lowered");
    }
}

impl Executor {
    fn new(threads: Threads, places: usize) -> Self {
        Self { threads, places: Arc::new(Semaphore::new(places)) }
    }

    /// Runs a call on this executor. Waits for a slot of the account first, so that a waiting call
    /// does not occupy a shared slot.
    async fn run<T: Send + 'static>(
        &self,
        own: &Semaphore,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, JoinError> {
        let _own = own.acquire().await.expect("the semaphore is never closed");
        let place =
            Arc::clone(&self.places).acquire_owned().await.expect("the semaphore is never closed");
        let main = Handle::current();
        let task = self.threads.handle().spawn(async move {
            // The task owns the slot, because aborted work may still run for a while.
            let _place = place;
            background::on(main, work).await
        });
        let _end = AbortOnDrop(task.abort_handle());
        task.await
    }
}

impl Executors {
    pub(crate) fn new(threading: Threading) -> std::io::Result<Self> {
        let cores = match threading {
            Threading::OwnThreads => available_parallelism().map_or(1, std::num::NonZero::get),
            Threading::CallerThreads => 1,
        };
        let heavy = (cores / 2).max(1);
        let threads = |name, threads, nice| Threads::new(threading, name, threads, nice);
        Ok(Self {
            middle: Executor::new(threads("middle", cores, 0)?, MIDDLE_TOTAL),
            heavy: Executor::new(threads("heavy", heavy, HEAVY_NICE)?, heavy * HEAVY_PER_THREAD),
            steps: threads("steps", heavy, HEAVY_NICE)?,
        })
    }

    pub(crate) fn steps(&self) -> Handle {
        self.steps.handle()
    }

    pub(crate) async fn run<T: Send + 'static>(
        &self,
        cost: Cost,
        used: &Usage,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, JoinError> {
        match cost {
            Cost::Light => Ok(work.await),
            Cost::Middle => self.middle.run(&used.middle, work).await,
            Cost::Heavy => self.heavy.run(&used.heavy, work).await,
        }
    }

    pub(crate) fn spawn(&self, cost: Cost, work: impl Future<Output = ()> + Send + 'static) {
        let executor = match cost {
            Cost::Light => return drop(background::spawn(work)),
            Cost::Middle => &self.middle,
            Cost::Heavy => &self.heavy,
        };
        executor.threads.handle().spawn(background::on(Handle::current(), work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn weights_map_to_costs() {
        assert_eq!([0, 1, 2, 9, 10, u32::MAX].map(Cost::of), {
            use Cost::{Heavy, Light, Middle};
            [Light, Light, Middle, Middle, Heavy, Heavy]
        });
    }

    #[tokio::test]
    async fn heavy_calls_do_not_delay_light_calls_or_other_accounts() {
        let executors = Arc::new(Executors::new(Threading::OwnThreads).unwrap());
        let (hostile, honest) = (Arc::new(Usage::default()), Arc::new(Usage::default()));
        for _ in 0..50 {
            let (executors, hostile) = (Arc::clone(&executors), Arc::clone(&hostile));
            let busy = async || std::thread::sleep(Duration::from_millis(50));
            tokio::spawn(async move { executors.run(Cost::Heavy, &hostile, busy()).await });
        }
        tokio::task::yield_now().await;
        let begun = Instant::now();
        executors.run(Cost::Light, &honest, async {}).await.unwrap();
        assert!(begun.elapsed() < Duration::from_millis(40), "{:?}", begun.elapsed());
        executors.run(Cost::Heavy, &honest, async {}).await.unwrap();
        assert!(
            begun.elapsed() < Duration::from_secs(1),
            "50 of them take 2.5 s: {:?}",
            begun.elapsed()
        );
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn heavy_threads_have_a_lower_priority() {
        let nice = || rustix::process::getpriority_process(None).unwrap();
        let (executors, used, own) =
            (Executors::new(Threading::OwnThreads).unwrap(), Usage::default(), nice());
        let middle = executors.run(Cost::Middle, &used, async move { nice() }).await.unwrap();
        let heavy = executors.run(Cost::Heavy, &used, async move { nice() }).await.unwrap();
        let steps = executors.steps().spawn(async move { nice() }).await.unwrap();
        assert_eq!([middle, heavy, steps], [own, own + HEAVY_NICE, own + HEAVY_NICE]);
        assert_eq!(nice(), own, "the threads of light calls keep theirs");
    }

    #[tokio::test]
    async fn background_tasks_of_heavy_calls_run_on_the_main_runtime() {
        let executors = Executors::new(Threading::OwnThreads).unwrap();
        let name = || std::thread::current().name().unwrap_or_default().to_owned();
        let (inside, outside) = executors
            .run(Cost::Heavy, &Usage::default(), async move {
                (name(), background::spawn(async move { name() }).await.unwrap())
            })
            .await
            .unwrap();
        assert_eq!((inside.as_str(), outside == "heavy"), ("heavy", false));
    }
}
