//! Where calls are worked on: those that cost much have threads of their own, so that light ones
//! are answered beside them. When there are too few cores for all threads, the system gives less
//! time to the heaviest.

use std::future::Future;
use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::task::JoinError;

use super::ledger::Used;
use crate::lasting::{self, AbortOnDrop};

/// From which weight on a call is not light, and from which it is heavy: `limits.proto` names both.
const MIDDLE_FROM: u32 = 2;
pub(super) const HEAVY_FROM: u32 = 10;
/// How many calls of one account are worked on at once, and how many look-ups of tokens from one
/// address.
pub(super) const MIDDLE_OF_ONE: usize = 8;
pub(super) const HEAVY_OF_ONE: usize = 2;
pub(super) const LOOKUPS_OF_ONE: usize = 8;
/// How many of all. Middle calls may wait for a database, so there are more of them than threads.
const MIDDLE_OF_ALL: usize = 64;
const HEAVY_PER_THREAD: usize = 2;
/// The nice value of threads for heavy work: they get a tenth of the time of others. Middle calls
/// keep the usual share, because players wait for them (GetView is one).
const HEAVY_NICE: i32 = 10;

/// Threads of their own for calls that are not light, and for the steps of large games.
pub(super) struct Lanes {
    middle: Lane,
    heavy: Lane,
    steps: Threads,
}

/// How much a call costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cost {
    Light,
    Middle,
    Heavy,
}

impl Cost {
    /// By a call's weight.
    pub(super) fn of(weight: u32) -> Self {
        match weight {
            ..MIDDLE_FROM => Self::Light,
            MIDDLE_FROM..HEAVY_FROM => Self::Middle,
            HEAVY_FROM.. => Self::Heavy,
        }
    }
}

struct Lane {
    threads: Threads,
    places: Arc<Semaphore>,
}

/// Where calls that are not light are worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Working {
    /// On threads of their own.
    Apart,
    /// Where everything else is: what is one thread stays one.
    Here,
}

/// A runtime that may be dropped anywhere; without one, the runtime of whoever asks.
struct Threads(Option<Runtime>);

impl Threads {
    fn new(working: Working, name: &str, threads: usize, nice: i32) -> std::io::Result<Self> {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(threads).thread_name(name).enable_all();
        if nice > 0 {
            builder.on_thread_start(move || be_nice(nice));
        }
        match working {
            Working::Apart => builder.build().map(|runtime| Self(Some(runtime))),
            Working::Here => Ok(Self(None)),
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

/// Lowers the share of this thread. Linux has a nice value for each thread; elsewhere the value is
/// that of the whole process, so it stays.
fn be_nice(nice: i32) {
    if cfg!(target_os = "linux")
        && let Err(error) = rustix::process::nice(nice)
    {
        tracing::warn!(%error, "threads for costly calls have the share of all others");
    }
}

impl Lane {
    fn new(threads: Threads, places: usize) -> Self {
        Self { threads, places: Arc::new(Semaphore::new(places)) }
    }

    /// Works on a call in turn: an account that has its share under way waits for itself, not
    /// before others.
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
            // It goes with the work: work that nobody waits for any more still takes its time.
            let _place = place;
            lasting::on(main, work).await
        });
        let _end = AbortOnDrop(task.abort_handle());
        task.await
    }
}

impl Lanes {
    pub(super) fn new(working: Working) -> std::io::Result<Self> {
        let cores = match working {
            Working::Apart => available_parallelism().map_or(1, std::num::NonZero::get),
            Working::Here => 1,
        };
        let heavy = (cores / 2).max(1);
        let threads = |name, threads, nice| Threads::new(working, name, threads, nice);
        Ok(Self {
            middle: Lane::new(threads("middle", cores, 0)?, MIDDLE_OF_ALL),
            heavy: Lane::new(threads("heavy", heavy, HEAVY_NICE)?, heavy * HEAVY_PER_THREAD),
            steps: threads("steps", heavy, HEAVY_NICE)?,
        })
    }

    /// Where large games take their steps.
    pub(super) fn steps(&self) -> Handle {
        self.steps.handle()
    }

    /// Works on a call where its cost belongs.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        cost: Cost,
        used: &Used,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, JoinError> {
        match cost {
            Cost::Light => Ok(work.await),
            Cost::Middle => self.middle.run(&used.middle, work).await,
            Cost::Heavy => self.heavy.run(&used.heavy, work).await,
        }
    }

    /// Lets what belongs to a call of this cost go on beside it.
    pub(super) fn spawn(&self, cost: Cost, work: impl Future<Output = ()> + Send + 'static) {
        let lane = match cost {
            Cost::Light => return drop(lasting::spawn(work)),
            Cost::Middle => &self.middle,
            Cost::Heavy => &self.heavy,
        };
        lane.threads.handle().spawn(lasting::on(Handle::current(), work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn weights_have_their_lanes() {
        assert_eq!([0, 1, 2, 9, 10, u32::MAX].map(Cost::of), {
            use Cost::{Heavy, Light, Middle};
            [Light, Light, Middle, Middle, Heavy, Heavy]
        });
    }

    #[tokio::test]
    async fn heavy_work_delays_no_light_call_and_no_other_accounts_heavy_one_for_long() {
        let lanes = Arc::new(Lanes::new(Working::Apart).unwrap());
        let (hostile, honest) = (Arc::new(Used::default()), Arc::new(Used::default()));
        for _ in 0..50 {
            let (lanes, hostile) = (Arc::clone(&lanes), Arc::clone(&hostile));
            let busy = async || std::thread::sleep(Duration::from_millis(50));
            tokio::spawn(async move { lanes.run(Cost::Heavy, &hostile, busy()).await });
        }
        tokio::task::yield_now().await;
        let begun = Instant::now();
        lanes.run(Cost::Light, &honest, async {}).await.unwrap();
        assert!(begun.elapsed() < Duration::from_millis(40), "{:?}", begun.elapsed());
        lanes.run(Cost::Heavy, &honest, async {}).await.unwrap();
        assert!(
            begun.elapsed() < Duration::from_secs(1),
            "50 of them take 2.5 s: {:?}",
            begun.elapsed()
        );
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn costly_work_has_a_lower_share_of_the_cores() {
        let nice = || rustix::process::getpriority_process(None).unwrap();
        let (lanes, used, own) = (Lanes::new(Working::Apart).unwrap(), Used::default(), nice());
        let middle = lanes.run(Cost::Middle, &used, async move { nice() }).await.unwrap();
        let heavy = lanes.run(Cost::Heavy, &used, async move { nice() }).await.unwrap();
        let steps = lanes.steps().spawn(async move { nice() }).await.unwrap();
        assert_eq!([middle, heavy, steps], [own, own + HEAVY_NICE, own + HEAVY_NICE]);
        assert_eq!(nice(), own, "the threads of light calls keep theirs");
    }

    #[tokio::test]
    async fn what_outlasts_a_heavy_call_lives_on_the_threads_of_light_ones() {
        let lanes = Lanes::new(Working::Apart).unwrap();
        let name = || std::thread::current().name().unwrap_or_default().to_owned();
        let (inside, outside) = lanes
            .run(Cost::Heavy, &Used::default(), async move {
                (name(), lasting::spawn(async move { name() }).await.unwrap())
            })
            .await
            .unwrap();
        assert_eq!((inside.as_str(), outside == "heavy"), ("heavy", false));
    }
}
