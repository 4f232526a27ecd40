//! Simulated engines that can start, crash and drain.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use heliopause_engine::Time;
use heliopause_engine::config::{Config, Quotas, Settings};
use heliopause_engine::edge::drain::Drain;
use heliopause_engine::edge::serve::{self, Environment, Listener};
use heliopause_engine::host::{Host, HostSettings};

use crate::net::{Net, Node};
use crate::store::{SimulatedStore, StoreConnection};
use crate::{environment, traced};

/// The machine of an engine. Its clock outlives the engine.
pub struct Machine {
    pub node: Node,
    net: Net,
    world: Arc<SimulatedStore>,
    evict_after: Duration,
    ahead: Arc<AtomicI64>,
    starts: AtomicBool,
    running: Mutex<Option<Running>>,
}

struct Running {
    alive: Arc<AtomicBool>,
    host: Arc<Host>,
    drain: Drain,
    time: Time,
    serving: tokio::task::AbortHandle,
}

impl Machine {
    pub fn new(
        node: Node,
        net: Net,
        world: Arc<SimulatedStore>,
        evict_after: Duration,
        ahead: i64,
    ) -> Arc<Self> {
        let ahead = Arc::new(AtomicI64::new(ahead));
        let (starts, running) = (AtomicBool::new(false), Mutex::new(None));
        Arc::new(Self { node, net, world, evict_after, ahead, starts, running })
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn starts(&self) -> bool {
        self.starts.load(Ordering::Relaxed)
    }

    pub fn is_up(&self) -> bool {
        self.running().is_some()
    }

    pub fn host(&self) -> Option<Arc<Host>> {
        self.running().as_ref().map(|running| Arc::clone(&running.host))
    }

    pub fn now(&self) -> Option<i64> {
        self.running().as_ref().map(|running| running.time.now())
    }

    pub fn jump(&self, millis: i64) {
        self.ahead.store(millis, Ordering::Relaxed);
    }

    pub async fn start(&self) {
        if self.is_up() || self.starts.swap(true, Ordering::Relaxed) {
            return;
        }
        traced!("start {}", self.node);
        if !self.world.is_shared() {
            self.world.open_again();
        }
        let alive = Arc::new(AtomicBool::new(true));
        let ahead = Arc::clone(&self.ahead);
        let time = Time::of(move || environment::now() + ahead.load(Ordering::Relaxed));
        let environment = Environment {
            store: StoreConnection::by(&self.world, self.node, Arc::clone(&alive)),
            listener: Listener::Other(Box::new(self.net.listen(self.node))),
            // Limits are small enough for short games to reach them.
            host: HostSettings {
                time: time.clone(),
                snapshot_every: 16,
                published_buffer: 4,
                ..HostSettings::default()
            },
        };
        let served = serve::start_in(&config(self.evict_after), environment)
            .await
            .expect("an engine starts on a simulated ground");
        let (drain, host) = (served.drain(), Arc::clone(served.host()));
        let serving = tokio::spawn(async move {
            let _ = served.finish().await;
        });
        let serving = serving.abort_handle();
        *self.running() = Some(Running { alive, host, drain, time, serving });
        self.starts.store(false, Ordering::Relaxed);
    }

    /// Crashes the engine. With `silent`, its machine crashes too, so its peers get no reset.
    pub fn crash(&self, silent: bool) {
        let Some(running) = self.running().take() else { return };
        traced!("crash {} silent {silent}", self.node);
        running.alive.store(false, Ordering::Relaxed);
        self.net.close(self.node);
        self.net.break_all(self.node, true, silent);
        running.serving.abort();
    }

    pub async fn drain(&self) -> bool {
        let Some(drain) = self.running().as_ref().map(|running| running.drain.clone()) else {
            return false;
        };
        traced!("drain {}", self.node);
        drain.begin();
        for _ in 0..400 {
            let over = self.running().as_ref().is_none_or(|running| running.serving.is_finished());
            if over {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let killed = !self.is_up();
        self.crash(false);
        killed
    }
}

fn config(evict_after: Duration) -> Config {
    let (data, sandbox) = (Some(":memory:".into()), Some(true));
    let usual = Config::resolve(Settings { data, sandbox, ..Settings::default() });
    let usual = usual.expect("the settings are good");
    let quotas = Quotas {
        memory_bytes: 1 << 30,
        connections: 1_000,
        bytes_in_flight: 256 << 20,
        live_games: 1_000,
        ..usual.quotas
    };
    let (drain_delay, drain_timeout) = (Duration::from_millis(500), Duration::from_secs(10));
    Config { evict_after, web: false, quotas, drain_delay, drain_timeout, ..usual }
}
